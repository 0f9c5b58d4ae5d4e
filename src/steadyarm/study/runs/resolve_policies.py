"""Who takes part in a comparison: policies made from names, refused ones named, and labels that differ."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, TypeVar

from steadyarm.errors import InvalidInput, InvalidType, NotSupported
from steadyarm.model import checks
from steadyarm.model.instance import Instance
from steadyarm.policies.core.policy import Policy
from steadyarm.policies.registry import all_policies, make_policy

_MOST_MEANS = 4


Name = TypeVar("Name", str, Policy, str | Policy)

EVERYBODY = "all"
"""Stands for the policies of the registry that can play what they are asked to."""


def records(
    policies: Sequence[str | Policy],
    instance: Instance,
    horizon: int | None,
    outside_class: bool,
    mean_bound: float | None = None,
) -> list[Policy]:
    """Return the policies for an instance, all of one horizon, or say which of them cannot play it.

    Names become records that are told M, if it is given, and the instance's σ.
    """
    checks.instance_of(instance, Instance, "instance")
    checks.boolean(outside_class, "outside_class")
    if isinstance(policies, str | Policy) or not isinstance(policies, Sequence):
        raise InvalidType(f"policies must be a list of names and policies; got {policies!r}.")
    if not policies:
        raise InvalidInput("policies must name at least one policy; got none.")
    horizons = {policy.horizon for policy in policies if isinstance(policy, Policy)}
    if horizon is not None:
        horizons.add(checks.integer(horizon, "horizon", at_least=1))
    if len(horizons) > 1:
        listed = ", ".join(f"{length:,}" for length in sorted(horizons))
        raise InvalidInput(f"the policies of a comparison must have one horizon; got {listed}.")
    if not horizons:
        raise InvalidInput("policies given by name need a horizon; give horizon=10_000, say.")
    found = [_record(policy, instance, next(iter(horizons)), mean_bound) for policy in policies]
    for policy, times in Counter(found).items():
        if times > 1:
            raise InvalidInput(
                f"the policies must differ from each other; {policy!r} is listed {times} times."
            )
    refused = {policy: reason for policy in found if (reason := refusal(policy, instance, outside_class))}
    if refused:
        names = ", ".join(policy.name for policy in refused)
        raise NotSupported(f"{names} cannot play this instance: {next(iter(refused.values()))}")
    return found


def able(
    policies: Sequence[Name],
    instances: Sequence[Instance],
    horizon: int | None,
    outside_class: bool,
    mean_bound: float | None = None,
) -> tuple[list[Name], dict[str, str]]:
    """Return the policies that can play all of the instances, and why the others cannot, by their names.

    >>> import steadyarm as sa
    >>> found, left_out = able(["MOSS", "Exp3"], [sa.equal_arms(2)], 100, False)
    >>> found, left_out["Exp3"][:39]
    (['MOSS'], 'Exp3 takes rewards between 0 and 1; the')
    """
    if horizon is None:
        raise InvalidInput("policies given by name need a horizon; give horizon=10_000, say.")
    found: list[Name] = []
    left_out: dict[str, str] = {}
    for policy in policies:
        made = [_record(policy, instance, horizon, mean_bound) for instance in instances]
        reasons = [
            refusal(one, instance, outside_class) for one, instance in zip(made, instances, strict=True)
        ]
        reason = next(filter(None, reasons), "")
        if reason:
            left_out[made[0].name] = reason
        else:
            found.append(policy)
    return found, left_out


def everybody(
    policies: Any,
    instances: Sequence[Instance],
    horizon: int | None,
    outside_class: bool,
    mean_bound: float | None = None,
) -> tuple[Any, dict[str, str]]:
    """Return the names that "all" stands for and who is left out; anything else as it is, and nobody."""
    if policies != EVERYBODY:
        return policies, {}
    return able(tuple(all_policies()), instances, horizon, outside_class, mean_bound)


def refusal(policy: Policy, instance: Instance, outside_class: bool = False) -> str:
    """Return why a policy cannot play an instance; nothing if it can."""
    try:
        policy.check_instance(instance, outside_class=outside_class)
    except InvalidInput as reason:
        return str(reason)
    return ""


def _record(policy: str | Policy, instance: Instance, horizon: int, mean_bound: float | None) -> Policy:
    if isinstance(policy, Policy):
        return policy
    if not isinstance(policy, str):
        raise InvalidType(f"a policy must be a record or a name; got {policy!r}.")
    return make_policy(
        policy,
        n_arms=instance.n_arms,
        horizon=horizon,
        mean_bound=mean_bound,
        noise_scale=max(instance.noise_scales),
    )


def policy_labels(policies: Sequence[Policy]) -> list[str]:
    """Return the titles, with the parameters that differ behind those that several policies share.

    >>> import steadyarm as sa
    >>> steady = sa.SLEUCB(n_arms=2, horizon=100)
    >>> policy_labels([steady, steady.replace(alpha=4.0), sa.MOSS(n_arms=2, horizon=100)])
    ['SLE-UCB (alpha 1)', 'SLE-UCB (alpha 4)', 'MOSS']
    """
    titles = [policy.title for policy in policies]
    labels = []
    for policy, title in zip(policies, titles, strict=True):
        namesakes = [other.to_dict() for other, its in zip(policies, titles, strict=True) if its == title]
        differing = [
            f"{name} {_value(value)}"
            for name, value in policy.to_dict().items()
            if any(other.get(name) != value for other in namesakes)
        ]
        labels.append(f"{title} ({', '.join(differing)})" if differing else title)
    return numbered(labels)


def instance_labels(instances: Sequence[Instance]) -> list[str]:
    """Return a few words for each instance.

    >>> import steadyarm as sa
    >>> instance_labels([sa.equal_gap(3, gap=0.2), sa.equal_gap(10, gap=0.2)])
    ['3 gaussian arms: 0, -0.2, -0.2', '10 gaussian arms: 0, -0.2, -0.2, -0.2, …']
    """
    labels = []
    for instance in instances:
        means = [instance.mean_in_words(arm) for arm in range(min(instance.n_arms, _MOST_MEANS))]
        more = ["…"] if instance.n_arms > _MOST_MEANS else []
        labels.append(f"{instance.n_arms} {instance.rewards} arms: {', '.join(means + more)}")
    return numbered(labels)


def labelled_notes(labels: Sequence[str], notes: Sequence[Sequence[str]]) -> tuple[str, ...]:
    """Return the notes on each policy, with the policy before each, none twice.

    >>> labelled_notes(["UCB", "MOSS", "UCB"], [["Look."], [], ["Look.", "Listen."]])
    ('UCB: Look.', 'UCB: Listen.')
    """
    said = (f"{label}: {note}" for label, its in zip(labels, notes, strict=True) for note in its)
    return tuple(dict.fromkeys(said))


def _value(value: Any) -> str:
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def numbered(labels: list[str]) -> list[str]:
    """Tell equal labels apart."""
    times, seen = Counter(labels), Counter[str]()
    told_apart = []
    for label in labels:
        seen[label] += 1
        told_apart.append(f"{label} #{seen[label]}" if times[label] > 1 else label)
    return told_apart
