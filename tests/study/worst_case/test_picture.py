"""The picture of a search, and the files beside it."""

from tests.study.worst_case.test_study import quick

import steadyarm as sa


def test_files_and_picture(tmp_path):
    found = quick(sa.MOSS(n_arms=3, horizon=300), "instability")
    names = {path.name for path in found.save(tmp_path)}
    assert names == {"tried.csv", "tried.parquet", "worst_case.json", "tried.png", "tried.svg", "tried.pdf"}
    assert "MOSS: the worst instability found" in found.plot().axes[0].get_title(loc="left")
    nothing = quick(sa.RoundRobin(n_arms=3, horizon=30), "instability")
    assert nothing.plot().axes
