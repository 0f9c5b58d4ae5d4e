"""steadyarm policies: the registry, on a narrow terminal too."""

import json

import steadyarm as sa


def test_policies_lists_the_registry(steadyarm):
    assert "SLEUCB" in steadyarm("policies").out
    listed = json.loads(steadyarm("policies", "--json").out)["policies"]
    assert [row["name"] for row in listed] == list(sa.all_policies())


def test_the_list_of_policies_fits_eighty_columns(steadyarm):
    lines = steadyarm("policies", columns=80).out.splitlines()
    assert max(map(len, lines)) <= 80
    for name, kind in sa.all_policies().items():
        row = next(line for line in lines if line.split()[:1] == [name])
        assert row.split()[1] == ("all" if hasattr(kind, "curves") else "step")
