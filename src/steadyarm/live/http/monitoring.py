"""Looks after the health of experiments while the service runs, and says it as Prometheus metrics."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING

from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector

from steadyarm.live.analysis.health import CHECKS, silent_in
from steadyarm.live.analysis.prediction import BAND
from steadyarm.live.core.experiment import Summary
from steadyarm.live.core.journal import Broken
from steadyarm.live.core.logs import log
from steadyarm.live.core.problems import Problem
from steadyarm.live.storage import failures

if TYPE_CHECKING:
    from steadyarm.live.http.service import Service

MOST_ARMS = 1000  # of all experiments together that have metrics
_SLICE = 200  # entries: a few milliseconds
_REST_PER_WORK = 19  # times as long as the work before, so that all of it takes a twentieth of a core at most
_IDLE_SECONDS = 1.0  # where there is nothing to do


async def watch_health(service: Service) -> None:
    """Read the journals of the experiments that are in use, for as long as the service runs."""
    raised: dict[str, list[str]] = {}
    while True:
        behind = [
            each for each in [*service.writer.memory.published.values()] if service.monitor.behind(each)
        ]
        for summary in behind:
            started = time.perf_counter()
            try:
                await service.lanes.analyses.run(service.monitor.follow, summary, _SLICE)
            except Broken as broken:
                await service.condemn(broken)
            except Problem:  # too much is asked for; this can wait
                pass
            except Exception as error:
                failures.report("health_unknown", error, experiment=summary.name)
            _tell(summary.name, service.monitor.health(summary.name).get("alarms", []), raised)
            await asyncio.sleep(_REST_PER_WORK * (time.perf_counter() - started))
        if not behind:
            await asyncio.sleep(_IDLE_SECONDS)


def _tell(name: str, alarms: list[str], raised: dict[str, list[str]]) -> None:
    """Log an alarm when it is raised, and not again."""
    for alarm in alarms:
        if alarm not in raised.setdefault(name, []):
            raised[name].append(alarm)
            log("warning", "health_alarm", experiment=name, check=alarm)


def experiment_metrics(service: Service) -> bytes:
    """Return the metrics of experiments in Prometheus' text format."""
    registry = CollectorRegistry()
    registry.register(_Experiments(service))
    return generate_latest(registry)


class _Experiments(Collector):
    """Those in use that are not closed, running ones and the newest first, until there are too many arms."""

    def __init__(self, service: Service) -> None:
        self._service = service

    def _chosen(self) -> tuple[list[Summary], int]:
        running = [
            each for each in [*self._service.writer.memory.published.values()] if each.state != "closed"
        ]
        running.sort(key=lambda each: (each.state == "running", each.created_at), reverse=True)
        chosen, arms = [], 0
        for each in running:
            arms += len(each.counts)
            if arms > MOST_ARMS:
                break
            chosen.append(each)
        return chosen, len(running) - len(chosen)

    def collect(self) -> Iterator[GaugeMetricFamily]:
        """Yield all metrics."""
        chosen, left_out = self._chosen()
        by_arm = ["experiment", "arm"]
        units = GaugeMetricFamily(
            "steadyarm_experiment_units", "Units by arm and outcome", labels=[*by_arm, "outcome"]
        )
        oldest = GaugeMetricFamily(
            "steadyarm_experiment_oldest_waiting_seconds", "Age of the oldest outstanding unit", labels=by_arm
        )
        state = GaugeMetricFamily(
            "steadyarm_experiment_state", "1 for the state that it is in", labels=["experiment", "state"]
        )
        alarm = GaugeMetricFamily(
            "steadyarm_experiment_alarm",
            "Whether a check of its health has raised one",
            labels=["experiment", "check"],
        )
        outside = GaugeMetricFamily(
            "steadyarm_experiment_outside_band",
            f"Arms whose count is outside of the predicted band, {BAND:g} standard deviations on either side",
            labels=["experiment"],
        )
        silent = GaugeMetricFamily(
            "steadyarm_experiment_silent_arms",
            "Arms with ten units and no outcome, while others have some",
            labels=["experiment"],
        )
        unread = GaugeMetricFamily(
            "steadyarm_experiment_unread_entries",
            "Entries that health does not know yet",
            labels=["experiment"],
        )
        for each in chosen:
            state.add_metric([each.name, each.state], 1)
            for number, arm in enumerate(each.setup.arms):
                lapsed, voided = each.lapsed[number], each.voided[number]
                told = each.observed[number] - lapsed
                waiting = each.counts[number] - each.observed[number] - voided
                parts = {"rewarded": told, "lapsed": lapsed, "voided": voided, "outstanding": waiting}
                for outcome, count in parts.items():
                    units.add_metric([each.name, arm, outcome], count)
            health = self._service.monitor.health(each.name)
            for check in CHECKS:
                alarm.add_metric([each.name, check], check in health.get("alarms", []))
            allocation = health.get("allocation", {})
            if allocation.get("available"):
                outside.add_metric([each.name], len(allocation["outside"]))
            silent.add_metric([each.name], len(silent_in(health)))
            unread.add_metric([each.name], max(0, each.seq - health.get("seq", 0)))
            since = self._service.monitor.oldest(each.name)
            for arm, at in since.items():
                oldest.add_metric([each.name, arm], max(0.0, time.time() - at))
        yield from (state, units, oldest, alarm, silent, outside, unread)
        yield GaugeMetricFamily(
            "steadyarm_experiments_left_out",
            "Experiments without metrics, since there are too many",
            left_out,
        )
