"""Prometheus metrics of a running service."""

import re

from steadyarm.live.http.metrics import Metrics


def value(metrics, name, **labels):
    return metrics.registry.get_sample_value(name, labels)


def test_requests_are_counted_by_method_and_status_and_timed():
    metrics = Metrics()
    for method, status, seconds in (("GET", 200, 0.002), ("GET", 200, 3.0), ("PUT", 404, 0.002)):
        metrics.answered(method, status, seconds)
    assert value(metrics, "steadyarm_requests_total", method="GET", status="200") == 2
    assert value(metrics, "steadyarm_requests_total", method="PUT", status="404") == 1
    assert value(metrics, "steadyarm_request_seconds_count") == 3
    assert value(metrics, "steadyarm_request_seconds_bucket", le="0.0025") == 2


def test_whatever_a_caller_takes_for_a_method_is_one_label():
    metrics = Metrics()
    for word in ("BREW", "A" * 5000, "get"):
        metrics.answered(word, 405, 0.001)
    assert value(metrics, "steadyarm_requests_total", method="other", status="405") == 3
    assert len(metrics.text()) < 10_000


def test_a_commit_counts_its_commands_and_entries():
    metrics = Metrics()
    metrics.committed(commands=3, entries=7, seconds=0.002)
    metrics.committed(commands=1, entries=0, seconds=0.002)
    assert value(metrics, "steadyarm_journal_entries_total") == 7
    assert value(metrics, "steadyarm_group_commands_sum") == 4
    assert value(metrics, "steadyarm_commit_seconds_count") == 2


def test_two_services_of_one_process_count_apart():
    one, other = Metrics(), Metrics()
    one.ready.set(1)
    assert value(other, "steadyarm_ready") == 0
    assert re.search(rb"^steadyarm_ready 1\.0$", one.text(), re.MULTILINE)
