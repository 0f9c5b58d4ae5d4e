"""What the docs say of speed is what the files of results say, and the peers are ready to run."""

import json
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
RESULTS = ROOT / "benchmarks" / "results"


def load(path, monkeypatch):
    monkeypatch.setattr(sys, "path", [str(path.parent), *sys.path])
    spec = spec_from_file_location(f"loaded_{path.stem}", path)
    module = module_from_spec(spec)
    monkeypatch.setitem(sys.modules, spec.name, module)  # dataclasses look it up
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def speed_page(monkeypatch):
    return load(ROOT / "tools" / "speed_page.py", monkeypatch)


@pytest.fixture
def peers(monkeypatch):
    return load(ROOT / "benchmarks" / "peers" / "run.py", monkeypatch)


def test_the_page_and_the_readme_are_those_of_the_results(speed_page):
    assert (ROOT / "docs" / "speed.md").read_text() == speed_page.page(RESULTS), "run tools/speed_page.py"
    readme = (ROOT / "README.md").read_text()
    assert readme == speed_page.with_block(readme, RESULTS), "run tools/speed_page.py"


def test_the_table_of_peers_is_that_of_their_record(peers):
    record = json.loads((RESULTS / "peers.json").read_text())
    assert (RESULTS / "peers.md").read_text() == peers.to_markdown(record)
    assert {row["peer"] for row in record["peers"]} == {peer.name for peer in peers.PEERS}


def test_the_figures_of_the_live_service_are_those_of_their_record(monkeypatch):
    live_page = load(ROOT / "tools" / "live_page.py", monkeypatch)
    record = json.loads((RESULTS / "live.json").read_text())
    page = (ROOT / "docs" / "live.md").read_text()
    assert page == live_page.with_block(page, record), "run tools/live_page.py"


def test_a_row_of_peers_is_exact(peers):
    machine = json.loads((RESULTS / "peers.json").read_text())["machine"]
    slopes = {"arms_slope": 0.934, "rounds_slope": -0.02}
    measured = {"plays": "UCB", "beside": "UCB1", "pulls_per_second": 1234.5, "ratio": 99.94} | slopes
    rows = [
        {"peer": "a", "requirements": "a==1 b==2"} | measured,
        {"peer": "c", "requirements": ""} | measured | {"arms_slope": None, "rounds_slope": None},
        {"peer": "b", "ratio": None, "why_not": "not on the package index"},
        {"peer": "b", "ratio": None, "why_not": "not on the package index"},
    ]
    ours = [
        {"policy": "UCB1", "pulls_per_second": 1.5e7} | slopes,
        {"policy": "MOSS", "pulls_per_second": None, "arms_slope": None, "rounds_slope": None},
    ]
    table = peers.to_markdown({"machine": machine, "turns": 3, "steadyarm": ours, "peers": rows}).splitlines()
    assert table[0].endswith("Medians over 3 turns.")
    assert table[4:6] == ["| UCB1 | 15,000,000 | K^0.93, T^−0.02 |", ""]
    assert table[8:] == [
        "| a | `a==1`, `b==2` | UCB | 1,230 | K^0.93, T^−0.02 | 99.9 × (UCB1) |",
        "| c | built from its source | UCB | 1,230 | – | 99.9 × (UCB1) |",
        "| b | – | | | | not on the package index |",
    ]


def test_time_that_doubles_with_four_times_as_much_has_a_slope_of_one_half(peers):
    assert peers.slope(100.0, 50.0) == 0.5
    assert peers.slope(100.0, 100.0) == 0.0


def test_every_peer_is_pinned_and_has_a_script_or_says_why_not(peers):
    for peer in peers.PEERS:
        assert peer.beside in peers.OURS
        if peer.program:
            assert f"--program {peer.program}=" in peer.why_not
        elif peer.why_not:
            assert not peer.script
        else:
            assert all("==" in word for word in peer.requirements.split())
            assert (ROOT / "benchmarks" / "peers" / peer.script.split()[0]).exists()


def test_a_program_that_was_built_takes_part_under_its_name_and_no_other(peers, tmp_path):
    program = tmp_path / "bandits"
    program.write_text('#!/bin/sh\necho "{\\"cpu\\": $PEER_ARMS}"\n')
    program.chmod(0o755)
    rows = {
        peer.beside: peer
        for peer in peers.with_programs({"banditlib": str(program)})
        if peer.program == "banditlib"
    }
    assert [peer.script.split()[1] for peer in rows.values()] == ["UCB1", "MOSS", "Thompson"]
    assert peers.play_peer(rows["MOSS"], n_arms=40) == 40
    for wrong in ({"banditlib": str(tmp_path / "none")}, {"other": str(program)}):
        with pytest.raises(SystemExit, match="--program must be NAME=PATH"):
            peers.with_programs(wrong)


def test_the_instance_of_peers_has_one_best_arm_and_three_kinds_of_others(monkeypatch):
    instance = load(ROOT / "benchmarks" / "peers" / "instance.py", monkeypatch)
    assert instance.MEANS == (0.0, -0.1, -0.1, -0.1, -0.5, -0.5, -0.5, -1.0, -1.0, -1.0)
    assert instance.means_of(2) == (0.0, -0.1)
    assert instance.chances_of((0.0, -1.0)) == (0.5, 0.0)


def test_a_peer_that_cannot_be_run_has_a_row_that_says_so(peers, monkeypatch, tmp_path):
    monkeypatch.setattr(peers, "ENVIRONMENTS", tmp_path)
    monkeypatch.setattr(
        peers, "install", lambda _peer: peers.call([sys.executable, "-c", "raise ValueError('no')"])
    )
    row = peers.row_of(peers.PEERS[0], turns=1)
    assert (row["ratio"], row["why_not"]) == (None, "could not be run: ValueError: no")


def test_without_results_the_page_says_what_to_run(speed_page, tmp_path):
    page = speed_page.page(tmp_path)
    for command in (
        "steadyarm bench --out benchmarks/results",
        "--device cuda",
        "python benchmarks/peers/run.py",
    ):
        assert command in page.split("## One thread")[1]
    assert speed_page.block(tmp_path) == ""


def test_results_of_threads_and_cards_find_their_places(speed_page, tmp_path):
    for name in ("cpu", "cpu-8-threads", "nvidia-h200", "peers"):
        (tmp_path / f"{name}.md").write_text(f"table of {name}\n")
    parts = speed_page.page(tmp_path).split("\n## ")
    found = {part.splitlines()[0]: part.splitlines()[-1] or part.splitlines()[-2] for part in parts}
    assert found["One thread"] == "table of cpu"
    assert found["Many threads"] == "table of cpu-8-threads"
    assert found["On a GPU"] == "table of nvidia-h200"
    assert found["Beside other libraries"] == "table of peers"


def test_the_page_says_how_much_of_the_first_main_job_is_compiling(speed_page, tmp_path):
    machine = json.loads((RESULTS / "main_job.json").read_text())["machine"]
    record = {"machine": machine, "install_s": 16.1, "first_s": 61.6, "next_s": 20.2}
    (tmp_path / "main_job.json").write_text(json.dumps(record))
    assert "| 16 s | 62 s | 41 s | 20 s |" in speed_page.page(tmp_path)


def test_the_page_says_how_near_prefix_comes_to_its_limit(speed_page, tmp_path):
    figures = [{"key": "prefix/SLEUCB/10", "value": 6.0}, {"key": "prefix/cells", "value": 8.0}]
    (tmp_path / "cpu.json").write_text(json.dumps({"figures": figures}))
    assert "With ten arms it comes to 75 % of that." in speed_page.page(tmp_path)
    (tmp_path / "cpu.json").write_text(json.dumps({"figures": figures[:1]}))
    assert "of that." not in speed_page.page(tmp_path)


def test_the_readme_shows_the_figures_of_one_thread(speed_page, tmp_path):
    keys = [f"{engine}/SLEUCB/{n_arms}" for engine in ("step", "prefix") for n_arms in (2, 10, 100, 1000)]
    keys += [f"leap/{n_arms}/{horizon}" for n_arms in (2, 10) for horizon in ("1e6", "1e8", "1e12")]
    figures = [{"key": key, "value": 0.5 if "/SLEUCB/" in key else 5e4} for key in keys]
    record = {"draws_per_second": 1e8, "figures": [*figures, {"key": "fluid/10", "value": 0.13}]}
    (tmp_path / "cpu.json").write_text(json.dumps(record))
    block = speed_page.block(tmp_path)
    assert "| `prefix` | 2 / 10 / 100 / 1,000 | 10⁶ | 0.50 / 0.50 / 0.50 / 0.50 of NumPy's draws |" in block
    assert "| `leap` | 10 | 10⁶ / 10⁸ / 10¹² | 0.50 / 0.50 / 0.50 ms a run |" in block
    assert "| `predict` | 10 | 10¹² | 0.13 ms |" in block


def test_the_readme_shows_a_gpu_and_the_quickest_peer_with_the_commands(speed_page, tmp_path):
    figures = [
        {"key": f"cuda/{engine}/{n_arms}", "value": 62.4}
        for engine in ("step", "prefix")
        for n_arms in (2, 10)
    ]
    (tmp_path / "card.json").write_text(json.dumps({"machine": {"card": "a card"}, "figures": figures}))
    peers = [
        {"peer": "slow", "beside": "UCB1", "ratio": 900.0},
        {"peer": "quick", "beside": "UCB1", "ratio": 118.0},
        {"peer": "quick at this", "beside": "MOSS", "ratio": 6.2},
        {"peer": "gone", "beside": "UCB1", "ratio": None},
    ]
    ours = [{"policy": "UCB1"}, {"policy": "MOSS"}, {"policy": "Thompson"}]
    (tmp_path / "peers.json").write_text(
        json.dumps({"machine": {"cpu": "a chip", "card": ""}, "steadyarm": ours, "peers": peers})
    )
    block = speed_page.block(tmp_path)
    assert "62 / 62 billion pulls a second | a card | `steadyarm bench --device cuda` |" in block
    assert "| `step`, UCB1 / MOSS, ten arms, one thread, beside the quickest other library " in block
    assert (
        "(quick / quick at this) | 120 / 6.2 times as fast | a chip | `python benchmarks/peers/run.py` |"
        in block
    )
    assert "slow" not in block
