"""Prometheus metrics of a running service."""

from __future__ import annotations

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.exposition import CONTENT_TYPE_LATEST

CONTENT_TYPE = CONTENT_TYPE_LATEST
_METHODS = frozenset(("GET", "PUT", "POST", "DELETE", "HEAD", "OPTIONS"))


class Metrics:
    """Counters in a registry of their own, so that several services can live in one process."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self._requests = Counter(
            "steadyarm_requests_total", "Answered requests", ["method", "status"], registry=self.registry
        )
        self._answered: dict[tuple[str, int], Counter] = {}
        self._seconds = Histogram(
            "steadyarm_request_seconds",
            "Time to answer",
            buckets=(0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0, 5.0),
            registry=self.registry,
        )
        self._entries = Counter(
            "steadyarm_journal_entries_total", "Entries committed", registry=self.registry
        )
        self._group = Histogram(
            "steadyarm_group_commands",
            "Commands in one commit",
            buckets=(1, 2, 5, 10, 20, 50, 100, 1000),
            registry=self.registry,
        )
        self._commit = Histogram(
            "steadyarm_commit_seconds",
            "Time of one group, from its first command to its commit",
            buckets=(0.0005, 0.001, 0.0025, 0.005, 0.01, 0.05, 0.25, 1.0, 5.0),
            registry=self.registry,
        )
        self.streams = Gauge("steadyarm_streams", "Open event streams", registry=self.registry)
        self.waiting = Gauge("steadyarm_waiting_commands", "Commands that wait", registry=self.registry)
        self.ready = Gauge("steadyarm_ready", "Whether the store can be written", registry=self.registry)

    def answered(self, method: str, status: int, seconds: float) -> None:
        """Count a request."""
        key = (method if method in _METHODS else "other", status)
        counter = self._answered.get(key)
        if counter is None:
            counter = self._answered[key] = self._requests.labels(key[0], str(status))
        counter.inc()
        self._seconds.observe(seconds)

    def committed(self, commands: int, entries: int, seconds: float) -> None:
        """Count a group commit."""
        self._group.observe(commands)
        self._entries.inc(entries)
        self._commit.observe(seconds)

    def text(self) -> bytes:
        """Return all of them in Prometheus' text format."""
        return generate_latest(self.registry)
