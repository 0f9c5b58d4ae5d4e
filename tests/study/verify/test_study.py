"""The paper holds, as a whole and claim by claim."""

import io
import json
import re
from pathlib import Path

import pytest
from rich.console import Console

import steadyarm as sa
from steadyarm.cli.verify import _print as print_verdict
from steadyarm.defaults import CLAIM_ARMS, CLAIM_HORIZON
from steadyarm.errors import InvalidInput, InvalidType, NotSupported
from steadyarm.study.verify.claims import CLAIMS
from steadyarm.study.verify.claims.base import Setting
from steadyarm.study.verify.claims.lower_bound import chains
from steadyarm.study.verify.study import chain_of, chain_rows, setting_for

QUICK = [2, 3, 4, 5, 6, 8, 9, 10, 11, 12, 13, 14, 15, 18, 24, 26, 32]


def test_the_claims_of_the_paper_come_first_and_all_are_in_order_each_with_its_place():
    numbers = [claim.id for claim in CLAIMS]
    assert numbers[:26] == list(range(1, 27))
    assert numbers == sorted(set(numbers))
    assert all(claim.where and claim.sentence for claim in CLAIMS)


@pytest.mark.parametrize("number", QUICK)
def test_a_claim_holds_at_another_seed(number):
    verdict = sa.verify(only=number, seed=1).verdicts[0]
    assert verdict.holds, verdict.finding


@pytest.mark.slow
def test_the_whole_paper_holds_in_less_than_three_minutes_and_the_page_shows_its_numbers():
    found = sa.verify()
    assert found.holds, [verdict.finding for verdict in found.verdicts if not verdict.holds]
    assert len(found.verdicts) == len(CLAIMS)
    assert found.seconds < 180
    page = (Path(__file__).parents[3] / "docs" / "the-paper.md").read_text()
    shown = page.partition("$ steadyarm verify\n")[2].partition(f"\n{len(CLAIMS)} claims in")[0]
    assert without_seconds(printed(found)) == without_seconds(shown), "docs/the-paper.md shows other numbers"


def printed(found):
    """What `steadyarm verify` prints of a verification, into a pipe."""
    console = Console(file=io.StringIO(), highlight=False, width=132)
    for verdict in found.verdicts:
        print_verdict(console, verdict, heading=verdict.claim.id == 1)
    return console.file.getvalue()


def without_seconds(text):
    lines = [re.sub(r"\b(holds|FAILS) +[\d.]+ *$", r"\1", line) for line in text.splitlines()]
    return [" ".join(line.split()) for line in lines if line.strip()]


def test_a_verification_is_plain_json_with_the_promised_keys():
    report = json.loads(json.dumps(sa.verify(only=[14, 26]).to_dict(), allow_nan=False))
    assert report["holds"] is True
    assert report["failed"] == []
    assert [row["id"] for row in report["claims"]] == [14, 26]
    for row in report["claims"]:
        assert {"id", "claim", "predicted", "measured", "margin", "holds", "detail", "where"} <= row.keys()
    assert report["claims"][0]["measured"].keys() == {"value", "low", "high", "runs", "level"}


def test_a_verdict_depends_on_the_seed_and_on_nothing_else():
    one, again, other = (sa.verify(only=14, seed=seed).verdicts[0].finding for seed in (3, 3, 4))
    assert one == again
    assert one != other


def test_progress_reports_the_finished_share():
    shares = []
    sa.verify(only=[4, 26], progress=shares.append)
    assert shares == [0.5, 1.0]


@pytest.mark.parametrize(
    ("arguments", "error", "words"),
    [
        ({"only": 99}, InvalidInput, r"claims are 1 to .*; got 99"),
        ({"only": [2, 0]}, InvalidInput, r"claims are 1 to .*; got 0"),
        ({"only": "13"}, InvalidInput, r"claims are 1 to .*; got '1'"),
        ({"only": True}, InvalidInput, "got True"),
        ({"only": []}, InvalidInput, "must name at least one claim"),
        ({"seed": -1}, InvalidInput, "seed must be at least 0"),
        ({"thorough": "yes"}, InvalidType, "thorough must be True or False"),
        ({"policy": sa.MOSS}, InvalidType, "policy must be a steadyarm Policy"),
        ({"policy": "Nobody"}, InvalidInput, "a policy's name must be one of"),
        (
            {"only": 2, "policy": sa.MOSS(n_arms=2, horizon=100)},
            InvalidInput,
            r"claims about every policy are 19 to 23, 27, 28 and 33; got 2",
        ),
        (
            {"only": 19, "policy": sa.RoundRobin(n_arms=2, horizon=100)},
            NotSupported,
            "Theorem 1 needs a worst-case regret of at most MT/8",
        ),
        ({"only": 23, "policy": sa.Exp3(n_arms=2, horizon=100)}, NotSupported, "between 0 and 1"),
    ],
)
def test_wrong_things_are_refused(arguments, error, words):
    with pytest.raises(error, match=words):
        sa.verify(**arguments)


@pytest.mark.parametrize("name", ["MOSS", "UCB1"])
def test_the_lower_bounds_hold_for_a_policy_by_itself(name):
    policy = sa.all_policies()[name](n_arms=2, horizon=1000)
    found = sa.verify(policy=policy)
    assert [verdict.claim.id for verdict in found.verdicts] == [19, 20, 21, 22, 23, 27, 28, 33]
    assert found.holds


def test_a_policy_that_is_checked_has_its_chain_and_each_verdict_is_told_as_it_comes():
    told = []
    policy = sa.MOSS(n_arms=2, horizon=500)
    found = sa.verify([19, 23], policy=policy, mean_bound=2.0, runs=60, told=told.append)
    assert told == list(found.verdicts)
    assert found.chain.policy == policy
    assert (found.chain.mean_bound, found.chain.links[0].instability.runs) == (2.0, 60)
    assert "chain" in found.to_dict()
    assert sa.verify(23, policy=policy, runs=20).chain is None  # a claim that needs none


def test_a_name_stands_for_a_policy_of_the_usual_size():
    (checked,) = sa.verify(23, policy="MOSS", runs=20).setting.policies
    assert checked == sa.MOSS(n_arms=CLAIM_ARMS, horizon=CLAIM_HORIZON)


def test_the_chain_as_rows_says_what_each_step_forces():
    setting = setting_for(policy=sa.MOSS(n_arms=2, horizon=500), runs=100)
    chain = chain_of(setting)
    rows = chain_rows(chain)
    assert [row["gap"] for row in rows] == [link.gap for link in chain.links]
    assert [row["forced"] for row in rows[:-1]] == list(chain.forced)
    assert rows[-1]["kl"] is rows[-1]["forced"] is None
    assert all(row["kl"] <= 0.5 + 1e-9 for row in rows[:-1])


@pytest.mark.slow
def test_policies_outside_theorem_1_are_named_and_not_counted():
    inside, outside = chains(Setting())
    assert {"round robin", "explore then commit"} <= set(outside)
    assert "SLE-UCB" in {chain.policy.title for chain in inside}
    assert not {chain.policy.title for chain in inside} & set(outside)
