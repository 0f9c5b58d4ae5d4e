"""The laboratory: the numbers of plain `simulate`, kept in a folder, whatever happens on the way."""

import json
import threading
from dataclasses import dataclass

import numpy as np
import pytest

import steadyarm as sa
from steadyarm.engines.choice import ENGINES
from steadyarm.engines.sums import reward_moments
from steadyarm.errors import InvalidInput, InvalidType, NotSupported, OtherStudy, SimulationInterrupted
from steadyarm.study.runs import blocks, laboratory
from steadyarm.study.runs.laboratory import Laboratory, laboratory_for

POLICY = sa.SLEUCB(n_arms=2, horizon=1000, constants="sharp")
INSTANCE = sa.equal_gap(2, gap=0.5)


@pytest.fixture(autouse=True)
def _short_blocks(monkeypatch):
    monkeypatch.setattr(blocks, "SECONDS_PER_BLOCK", 8 * ENGINES["prefix"].run_cost(POLICY))


@pytest.fixture
def played(monkeypatch):
    """The ranges of runs that are played rather than read."""
    ranges = []
    play = blocks.PlayRuns.__call__

    def note(task, threads, report):
        ranges.append((task.first, task.last))
        return play(task, threads, report)

    monkeypatch.setattr(blocks.PlayRuns, "__call__", note)
    return ranges


def same(one, other):
    assert one.counts.tobytes() == other.counts.tobytes()
    assert one.counts.dtype == other.counts.dtype
    assert one.to_dict() == other.to_dict()


def parts_of(folder):
    return sorted(folder.glob("parts/*/*.parquet"))


@pytest.mark.parametrize(
    ("policy", "engine"),
    [
        (POLICY, "prefix"),
        (POLICY, "step"),
        (POLICY.replace(horizon=30), "reference"),
        (POLICY.replace(horizon=10**12), "leap"),
        (sa.UCB1(n_arms=2, horizon=1000), "auto"),
    ],
)
def test_kept_runs_are_those_of_simulate_to_the_bit(tmp_path, policy, engine):
    plain = sa.simulate(policy, INSTANCE, runs=40, seed=3, engine=engine, level=0.9)
    for threads in (1, 3):  # played, then read
        kept = Laboratory(threads, tmp_path).simulate(
            policy, INSTANCE, runs=40, seed=3, engine=engine, level=0.9
        )
        same(kept, plain)


def test_later_runs_have_the_rewards_they_have_in_a_larger_simulation():
    for engine in ("prefix", "step", "reference", "leap"):
        policy = POLICY.replace(horizon=10**6) if engine == "leap" else POLICY.replace(horizon=50)
        whole = sa.simulate(policy, INSTANCE, runs=30, seed=5, engine=engine)
        later = sa.simulate(policy, INSTANCE, runs=10, first_run=20, seed=5, engine=engine)
        assert later.first_run == 20
        assert (later.counts == whole.counts[20:]).all()
    with pytest.raises(InvalidInput, match="runs must be at most 1"):
        sa.simulate(POLICY, INSTANCE, runs=2, first_run=2**32 - 1)


def test_nothing_is_played_twice(tmp_path, played):
    Laboratory(folder=tmp_path).simulate(POLICY, INSTANCE, runs=20, seed=0)
    assert sorted(played) == [(0, 8), (8, 16), (16, 20)]
    played.clear()
    Laboratory(folder=tmp_path).simulate(POLICY, INSTANCE, runs=20, seed=0)
    assert played == []


def test_runs_can_be_added_to_a_finished_study(tmp_path, played):
    Laboratory(folder=tmp_path).simulate(POLICY, INSTANCE, runs=20, seed=0)
    before = {path: path.stat().st_mtime_ns for path in parts_of(tmp_path)}
    played.clear()
    more = Laboratory(folder=tmp_path).simulate(POLICY, INSTANCE, runs=50, seed=0)
    assert sorted(played) == [(20, 24), (24, 32), (32, 40), (40, 48), (48, 50)]
    same(more, sa.simulate(POLICY, INSTANCE, runs=50, seed=0))
    assert all(path.stat().st_mtime_ns == when for path, when in before.items())
    played.clear()
    same(
        Laboratory(folder=tmp_path).simulate(POLICY, INSTANCE, runs=10, seed=0),
        sa.simulate(POLICY, INSTANCE, runs=10, seed=0),
    )
    assert played == []


def test_parts_that_were_lost_or_damaged_are_played_again(tmp_path, played):
    Laboratory(folder=tmp_path).simulate(POLICY, INSTANCE, runs=32, seed=0)
    first, second, *_ = parts_of(tmp_path)
    first.unlink()
    second.write_bytes(second.read_bytes()[:-1])
    played.clear()
    with pytest.warns(UserWarning, match="was damaged and is computed again"):
        again = Laboratory(folder=tmp_path).simulate(POLICY, INSTANCE, runs=32, seed=0)
    assert sorted(played) == [(0, 8), (8, 16)]
    same(again, sa.simulate(POLICY, INSTANCE, runs=32, seed=0))


def test_moments_of_rewards_are_kept_too(tmp_path, monkeypatch):
    plain = sa.simulate(POLICY, INSTANCE, runs=20, seed=0)
    expected = reward_moments(INSTANCE, plain.counts, seed=0)
    found = Laboratory(folder=tmp_path).reward_moments(plain)
    assert np.array(found).tobytes() == np.array(expected).tobytes()
    assert [path.name.split("-")[0] for path in parts_of(tmp_path)] == ["moments"] * 3
    monkeypatch.setattr(blocks.AddRewards, "__call__", lambda *_: pytest.fail("computed again"))
    found = Laboratory(folder=tmp_path).reward_moments(plain)
    assert np.array(found).tobytes() == np.array(expected).tobytes()


def test_moments_belong_to_the_runs_that_were_played(tmp_path):
    later = sa.simulate(POLICY, INSTANCE, runs=5, first_run=7, seed=0)
    whole = sa.simulate(POLICY, INSTANCE, runs=12, seed=0)
    for lab in (Laboratory(), Laboratory(folder=tmp_path)):
        assert np.array_equal(lab.reward_moments(later), np.array(lab.reward_moments(whole))[:, 7:])
    leaped = sa.simulate(POLICY.replace(horizon=10**6), INSTANCE, runs=2, engine="leap")
    with pytest.raises(NotSupported, match="the leap engine does not read the reward table"):
        Laboratory().reward_moments(leaped)


def test_a_precision_is_reached_with_the_same_runs_as_in_memory(tmp_path, played):
    plain = sa.simulate(POLICY, INSTANCE, precision=0.06, seed=0)
    assert plain.runs > 400
    same(Laboratory(folder=tmp_path).simulate(POLICY, INSTANCE, precision=0.06, seed=0), plain)
    assert sum(last - first for first, last in played) == plain.runs
    with pytest.raises(InvalidInput, match="give runs or precision, not both"):
        Laboratory(folder=tmp_path).simulate(POLICY, INSTANCE, precision=0.06, runs=3, seed=0)


def test_the_progress_begins_with_what_is_stored(tmp_path):
    Laboratory(folder=tmp_path).simulate(POLICY, INSTANCE, runs=24, seed=0)
    shares = []
    Laboratory(folder=tmp_path).simulate(POLICY, INSTANCE, runs=32, seed=0, report=shares.append)
    assert shares[0] == 0.75
    assert shares == sorted(shares)
    assert shares[-1] == 1.0


def test_ctrl_c_keeps_the_finished_blocks_and_says_how_to_go_on(tmp_path, played):
    def stop(share):
        if share >= 0.5:
            raise KeyboardInterrupt

    lab = Laboratory(threads=1, folder=tmp_path)
    with pytest.raises(SimulationInterrupted) as stopped:
        lab.simulate(POLICY, INSTANCE, runs=80, seed=0, report=stop)
    whole = sa.simulate(POLICY, INSTANCE, runs=80, seed=0)
    partial = stopped.value.partial
    assert 8 <= partial.runs < 80
    assert (partial.counts == whole.counts[: partial.runs]).all()
    message = (
        f"stopped after {partial.runs} of 80 runs; what was finished is kept in {tmp_path}, and the same"
    )
    assert message in str(stopped.value)
    kept = len(parts_of(tmp_path))
    assert kept == partial.runs // 8
    played.clear()
    same(lab.simulate(POLICY, INSTANCE, runs=80, seed=0), whole)
    assert len(played) == 10 - kept


def test_an_error_while_a_part_is_written_stops_the_others(tmp_path, monkeypatch):
    def no_space(*_arguments):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("steadyarm.study.runs.parts.write_whole", no_space)
    with pytest.raises(OSError, match="No space left"):
        Laboratory(folder=tmp_path).simulate(POLICY, INSTANCE, runs=80, seed=0)
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("ThreadPool")]


def test_runs_of_a_drifting_instance_are_kept_and_added_to(tmp_path, played):
    swap = sa.Instance.drifting(sa.Drift.step([0.5, 0.0], [0.0, 0.5], after=300))
    for at in (None, [100, 300, 700]):
        plain = sa.simulate(POLICY, swap, runs=30, seed=0, at=at)
        Laboratory(folder=tmp_path).simulate(POLICY, swap, runs=20, seed=0, at=at)
        played.clear()
        kept = Laboratory(folder=tmp_path).simulate(POLICY, swap, runs=30, seed=0, at=at)
        same(kept, plain)
        assert kept.losses.tolist() == plain.losses.tolist()
        assert min(first for first, _ in played) == 20
    stays = Laboratory(folder=tmp_path).simulate(POLICY, swap.stages[0], runs=30, seed=0, engine="step")
    same(stays, sa.simulate(POLICY, swap.stages[0], runs=30, seed=0, engine="step"))
    other = sa.Instance.drifting(sa.Drift.step([0.5, 0.0], [0.0, 0.5], after=301))
    same(
        Laboratory(folder=tmp_path).simulate(POLICY, other, runs=30, seed=0),
        sa.simulate(POLICY, other, runs=30, seed=0),
    )


def test_two_processes_on_one_folder_do_no_harm(tmp_path):
    results = []

    def work():
        results.append(Laboratory(1, tmp_path).simulate(POLICY, INSTANCE, runs=200, seed=0))

    both = [threading.Thread(target=work) for _ in range(2)]
    for one in both:
        one.start()
    for one in both:
        one.join()
    plain = sa.simulate(POLICY, INSTANCE, runs=200, seed=0)
    for result in results:
        same(result, plain)
    assert len(results) == 2
    assert len(parts_of(tmp_path)) == 25


def test_without_a_folder_there_is_one_plain_simulation(monkeypatch):
    calls = []
    monkeypatch.setattr(laboratory, "simulate", lambda *_, **options: calls.append(options))
    Laboratory(threads=2).simulate(POLICY, INSTANCE, runs=7, seed=1)
    Laboratory().begin("anything", {"x": object()})
    assert len(calls) == 1
    assert calls[0]["runs"] == 7
    assert calls[0]["threads"] == 2


def test_what_simulate_refuses_is_refused_and_leaves_no_folder(tmp_path):
    lab = Laboratory(folder=tmp_path / "study")
    outside = sa.Instance.gaussian([0.0, 5.0])
    for problem, options in (
        ("runs must be at least 1", {"runs": 0}),
        ("seed must be at least 0", {"runs": 1, "seed": -1}),
        ("level must be", {"runs": 1, "level": 2.0}),
        ("engine must be one of", {"runs": 1, "engine": "magic"}),
        (r"outside \[-M, M\]", {"runs": 1, "instance": outside}),
    ):
        instance = options.pop("instance", INSTANCE)
        with pytest.raises(InvalidInput, match=problem):
            lab.simulate(POLICY, instance, **{"seed": 0} | options)
    assert not (tmp_path / "study").exists()
    lab.simulate(POLICY, outside, runs=1, seed=0, outside_class=True)


def test_a_laboratory_refuses_what_it_cannot_use(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(InvalidInput, match="is a file"):
        Laboratory(folder=tmp_path / "file")
    with pytest.raises(InvalidType, match="folder must be a path"):
        Laboratory(folder=3)
    with pytest.raises(InvalidInput, match="threads must be at least 1"):
        Laboratory(threads=0)
    with pytest.raises(InvalidType, match=r"client must be a distributed\.Client or an address"):
        Laboratory(client=3)


def test_a_study_takes_a_laboratory_or_threads():
    lab = Laboratory()
    assert laboratory_for(lab, None) is lab
    assert laboratory_for(None, 3).threads == 3
    with pytest.raises(InvalidInput, match="the laboratory has threads of its own"):
        laboratory_for(lab, 3)
    with pytest.raises(InvalidType, match="laboratory must be a steadyarm Laboratory"):
        laboratory_for("folder", None)


def test_a_policy_that_was_typed_in_cannot_be_kept(tmp_path, monkeypatch):
    @dataclass(frozen=True, kw_only=True)
    class Typed(sa.RoundRobin):
        title = "typed"

    monkeypatch.setattr(Typed, "__module__", "__main__")
    monkeypatch.delattr("__main__.__file__", raising=False)
    with pytest.raises(NotSupported, match=r"Put it into a file, like my_module\.py"):
        Laboratory(folder=tmp_path).simulate(Typed(n_arms=2, horizon=10), INSTANCE, runs=1, seed=0)


def test_a_comparison_is_kept_and_another_one_refused(tmp_path, played):
    policies = ["MOSS", "UCB1"]
    plain = sa.compare(policies, INSTANCE, horizon=500, runs=30, seed=1)
    for _ in range(2):
        kept = sa.compare(
            policies, INSTANCE, horizon=500, runs=30, seed=1, laboratory=Laboratory(folder=tmp_path)
        )
        assert kept.to_dict() == plain.to_dict()
    assert sum(last - first for first, last in played) == 60
    more = sa.compare(
        policies, INSTANCE, horizon=500, runs=40, seed=1, laboratory=Laboratory(folder=tmp_path)
    )
    assert more.to_dict() == sa.compare(policies, INSTANCE, horizon=500, runs=40, seed=1).to_dict()
    assert json.loads((tmp_path / "study.json").read_text())["runs"] == 40
    with pytest.raises(OtherStudy, match=r"seed \(stored 1, asked 2\)"):
        sa.compare(policies, INSTANCE, horizon=500, runs=30, seed=2, laboratory=Laboratory(folder=tmp_path))


def test_a_stopped_comparison_says_how_to_go_on(tmp_path):
    def stop(share):
        if share > 0.6:
            raise KeyboardInterrupt

    with pytest.raises(
        SimulationInterrupted, match="stopped while playing UCB1; what was finished is kept in"
    ):
        sa.compare(
            ["MOSS", "UCB1"],
            INSTANCE,
            horizon=500,
            runs=100,
            progress=stop,
            laboratory=Laboratory(folder=tmp_path),
        )


def test_many_arms_share_a_column(tmp_path):
    policy = sa.MOSS(n_arms=300, horizon=400)
    for _ in range(2):
        kept = Laboratory(folder=tmp_path).simulate(policy, sa.equal_arms(300), runs=3, seed=0)
        assert np.array_equal(kept.counts, sa.simulate(policy, sa.equal_arms(300), runs=3, seed=0).counts)


def test_a_gpu_goes_with_neither_a_folder_nor_a_cluster(tmp_path):
    with pytest.raises(InvalidInput, match="neither a folder nor a cluster"):
        Laboratory(device="cuda", folder=tmp_path)
    with pytest.raises(InvalidInput, match="device must be one of 'cpu', 'cuda'"):
        Laboratory(device="gpu")


@pytest.mark.parametrize("engine", ["step", "prefix", "leap"])
def test_counts_on_the_way_are_kept_and_those_of_simulate(engine, tmp_path, monkeypatch):
    asked = {"seed": 1, "engine": engine, "at": [10, 100]}
    whole = sa.simulate(POLICY, INSTANCE, runs=9, **asked)
    for where in (Laboratory(), Laboratory(folder=tmp_path)):
        noted = where.simulate(POLICY, INSTANCE, runs=5, **asked)
        assert np.array_equal(noted.counts_at, whole.counts_at[:5])
        assert noted.at.tolist() == [10, 100]
    more = Laboratory(folder=tmp_path).simulate(POLICY, INSTANCE, runs=9, **asked)
    assert np.array_equal(more.counts_at, whole.counts_at)
    assert np.array_equal(more.counts, whole.counts)
    monkeypatch.setattr("steadyarm.study.runs.blocks.simulate", None)  # nothing is played again
    again = Laboratory(folder=tmp_path).simulate(POLICY, INSTANCE, runs=9, **asked)
    assert np.array_equal(again.counts_at, whole.counts_at)


def test_runs_with_and_without_moments_are_kept_apart(tmp_path):
    laboratory = Laboratory(folder=tmp_path)
    for at in (None, [10, 100], [20]):
        kept = laboratory.simulate(POLICY, INSTANCE, runs=5, seed=1, at=at)
        assert np.array_equal(kept.counts, sa.simulate(POLICY, INSTANCE, runs=5, seed=1).counts)
        assert kept.at.tolist() == (at or [])
    with pytest.raises(InvalidInput, match="bytes"):
        laboratory.simulate(POLICY, INSTANCE, runs=10**8, seed=1, at=[10, 100])


def test_runs_with_late_rewards_are_kept_apart(tmp_path, monkeypatch):
    late = [{}, {"delay": 30}, {"delay": 30, "batch": 7}, {"delay": sa.Delay.geometric(mean=30.0)}]
    for _ in range(2):
        for how in late:
            kept = Laboratory(folder=tmp_path).simulate(POLICY, INSTANCE, runs=5, seed=1, **how)
            played = sa.simulate(POLICY, INSTANCE, runs=5, seed=1, **how)
            assert np.array_equal(kept.counts, played.counts)
            assert kept.feedback == played.feedback
            assert kept.engine == played.engine
    monkeypatch.setattr("steadyarm.study.runs.blocks.simulate", None)  # nothing is played again
    Laboratory(folder=tmp_path).simulate(POLICY, INSTANCE, runs=5, seed=1, **late[-1])
