"""What is measured in processes of their own."""

from steadyarm.study.bench import processes


def test_memory_and_starts_are_measured_in_processes_of_their_own():
    assert 20.0 < processes.peak_megabytes("prefix", 2, 10_000) < 2000.0
    wall, cpu = processes._child(["-c", "import time; time.sleep(0.1)"])
    assert wall >= 0.1
    assert 0.0 < cpu < wall


def test_the_same_run_in_a_process_is_measured_once(monkeypatch):
    runs = []
    monkeypatch.setattr(processes, "_run", lambda words: runs.append(words) or "2048")
    processes.peak_megabytes.cache_clear()
    try:
        first = processes.peak_megabytes("step", 2, 99)
        assert processes.peak_megabytes("step", 2, 99) == first > 0.0
        assert len(runs) == 1
    finally:
        processes.peak_megabytes.cache_clear()


def test_a_start_is_measured_as_a_user_has_it_with_bytecode_kept(monkeypatch):
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    assert processes._run(["-c", "import sys; print(sys.dont_write_bytecode)"]) == "False\n"
