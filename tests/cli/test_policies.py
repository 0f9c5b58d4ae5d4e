"""steadyarm policies: the registry, on a narrow terminal too."""

import json

import steadyarm as sa
from steadyarm.engines.choice import ENGINES, engines_for


def test_policies_lists_the_registry(steadyarm):
    assert "SLEUCB" in steadyarm("policies").out
    listed = json.loads(steadyarm("policies", "--json").out)["policies"]
    assert [row["name"] for row in listed] == list(sa.all_policies())


def test_the_list_of_policies_fits_eighty_columns(steadyarm):
    lines = steadyarm("policies", columns=80).out.splitlines()
    assert max(map(len, lines)) <= 80
    for name, kind in sa.all_policies().items():
        row = next(line for line in lines if line.split()[:1] == [name])
        played = engines_for(kind(n_arms=2, horizon=1000), sa.Instance.bernoulli([0.5, 0.5]))
        said = "all" if len(played) == len(ENGINES) else ", ".join(played[:-1])
        assert " ".join(row.split()[1:]).startswith(said)


def test_the_list_is_pythons(steadyarm):
    listed = json.loads(steadyarm("policies", "--json").out)["policies"]
    assert listed == sa.policy_rows()


def test_a_policy_that_cannot_leap_is_not_said_to_play_on_all_engines(steadyarm):
    (row,) = [line for line in steadyarm("policies").out.splitlines() if "KLUCBSwitch" in line]
    assert " ".join(row.split()[1:3]) == "prefix, step"
