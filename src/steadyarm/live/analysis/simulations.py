"""Simulations in the background: one at a time, in a process of their own, so that allocations never wait for them.

That process takes every core, but none that somebody else wants: it is a nice one. A simulation that nobody asks about
any more gives way to one that somebody waits for, and begins again when there is none.
"""

from __future__ import annotations

import multiprocessing
import os
import queue
import secrets
import threading
import time
import traceback
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from steadyarm.errors import InvalidInput, SteadyarmError
from steadyarm.live.analysis.questions import MOST_RUNS, USUAL_RUNS, PlanQuestion, SimulationQuestion, members
from steadyarm.live.analysis.results import finite
from steadyarm.live.core.logs import log
from steadyarm.live.core.problems import Problem, internal
from steadyarm.model import Instance, checks
from steadyarm.policies import Policy, policy_from_dict
from steadyarm.theory.estimates import FEWEST_FOR_AN_INTERVAL
from steadyarm.words import counted, large

MOST_ARMS = 1000
MOST_ROUNDS = 2 * 10**10  # of all runs together, where rounds are played; leaps are not bound by it
MOST_WAITING = 20
MOST_KEPT = 200
ABANDONED_AFTER_SECONDS = 5.0  # without a question about it, a simulation may be interrupted
_NICE = 10


@dataclass
class Simulation:
    """A simulation that was asked for."""

    id: str
    work: dict[str, Any]
    status: str = "waiting"
    progress: float = 0.0
    result: dict[str, Any] | None = None
    rows: list[dict[str, Any]] = field(default_factory=list)
    detail: str = ""
    askers: int = 1
    cancelled: threading.Event = field(default_factory=threading.Event)
    asked_at: float = field(default_factory=time.monotonic)

    @property
    def abandoned(self) -> bool:
        """Whether nobody has asked about it for a while."""
        return time.monotonic() - self.asked_at > ABANDONED_AFTER_SECONDS

    def to_dict(self) -> dict[str, Any]:
        """Return what clients see."""
        return {
            "id": self.id,
            "status": self.status,
            "progress": self.progress,
            "result": self.result,
            "rows": self.rows if self.status == "running" else [],
            "detail": self.detail,
        }


class Simulator:
    """A queue, a thread that watches, and a worker process that is started when first needed."""

    def __init__(self) -> None:
        self._kept: OrderedDict[str, Simulation] = OrderedDict()
        self._queue: queue.SimpleQueue[Simulation | None] = queue.SimpleQueue()
        self._thread: threading.Thread | None = None
        self._process: Any = None
        self._pipe: Any = None
        self._lock = threading.Lock()

    def start(self, work: dict[str, Any]) -> Simulation:
        """Queue a simulation that was checked."""
        with self._lock:
            for known in reversed(self._kept.values()):
                if known.work == work and known.status in ("waiting", "running", "done"):
                    known.askers += 1  # the same question has the same answer
                    known.asked_at = time.monotonic()
                    return known
            active = [each for each in self._kept.values() if each.status in ("waiting", "running")]
            if len(active) >= MOST_WAITING:
                raise Problem(
                    "overloaded", f"{MOST_WAITING} simulations are waiting already. Ask again later."
                )
            simulation = Simulation(secrets.token_hex(8), work)
            self._kept[simulation.id] = simulation
            finished = [key for key, each in self._kept.items() if each.status not in ("waiting", "running")]
            for key in finished[: max(0, len(self._kept) - MOST_KEPT)]:
                del self._kept[key]
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="steadyarm-simulator", daemon=True)
                self._thread.start()
        self._queue.put(simulation)
        return simulation

    def find(self, identity: str) -> Simulation:
        """Return a simulation by its id."""
        found = self._kept.get(identity)
        if found is None:
            raise Problem(
                "unknown_simulation", f"there is no simulation {identity!r}; old ones are forgotten."
            )
        found.asked_at = time.monotonic()
        return found

    def cancel(self, identity: str) -> Simulation:
        """Stop a simulation, once all who asked for it have said so; one that has ended stays as it is."""
        found = self.find(identity)
        with self._lock:
            found.askers -= 1
            if found.askers > 0:
                return found
        found.cancelled.set()
        if found.status == "waiting":
            found.status = "cancelled"
        return found

    def close(self) -> None:
        """Stop everything."""
        for simulation in list(self._kept.values()):
            simulation.cancelled.set()
        self._queue.put(None)
        if self._thread is not None:
            self._thread.join(2.0)
        self._end_process()

    def _run(self) -> None:
        while True:
            simulation = self._queue.get()
            if simulation is None:
                return
            if simulation.cancelled.is_set():
                simulation.status = "cancelled"
                continue
            simulation.status = "running"
            try:
                self._watch(simulation)
            except (EOFError, OSError):
                self._end_process()
                simulation.status, simulation.detail = "failed", "the worker process ended"

    def _watch(self, simulation: Simulation) -> None:
        if self._process is None or not self._process.is_alive():
            context = multiprocessing.get_context("spawn")
            self._pipe, far = context.Pipe()
            self._process = context.Process(target=work_nicely_for, args=(far,), daemon=True)
            self._process.start()
            far.close()  # so that the end of the worker is seen here
        self._pipe.send(simulation.work)
        while True:
            if simulation.cancelled.is_set():
                self._end_process()
                simulation.status = "cancelled"
                return
            if simulation.abandoned and self._somebody_waits():
                self._end_process()
                simulation.status, simulation.progress, simulation.rows = "waiting", 0.0, []
                self._queue.put(simulation)
                return
            if not self._pipe.poll(0.05):
                continue
            kind, value = self._pipe.recv()
            if kind == "progress":
                simulation.progress = value
            elif kind == "row":
                simulation.rows.append(value)
            elif kind == "done":
                simulation.result, simulation.progress = value, 1.0
                simulation.status = "done"
                return
            else:
                if kind == "defect":
                    log("error", "defect", simulation=simulation.id, trace=value)
                    value = internal().detail
                simulation.status, simulation.detail = "failed", value
                return

    def _somebody_waits(self) -> bool:
        with self._lock:
            return any(each.status == "waiting" and not each.abandoned for each in self._kept.values())

    def _end_process(self) -> None:
        if self._process is not None:
            self._process.terminate()
            self._process.join(2.0)
            self._pipe.close()
        self._process = self._pipe = None


def check(question: Any) -> dict[str, Any]:
    """Return a simulation's policy, instance, runs and seed in plain types, if it is not too much to ask."""
    try:
        return _check(question)
    except Problem:
        raise
    except SteadyarmError as refused:
        raise Problem("invalid", str(refused)) from None


def _check(question: Any) -> dict[str, Any]:
    question = members(question, SimulationQuestion, "a simulation")
    if "plan" in question:
        return _check_plan(question)
    policy = policy_from_dict(question.get("policy"))
    instance = Instance.from_dict(question.get("instance"))
    runs = checks.integer(question.get("runs", USUAL_RUNS), "runs", at_least=1, at_most=MOST_RUNS)
    seed = checks.seed(question.get("seed", 0))
    policy.check_instance(instance, outside_class=True)
    _check_affordable(policy, instance, runs, "steadyarm simulate")
    return {"policy": policy.to_dict(), "instance": instance.to_dict(), "runs": runs, "seed": seed}


def _check_affordable(policy: Policy, instance: Instance, runs: int, instead: str) -> None:
    """Refuse what is too much for a service that others wait for."""
    if policy.n_arms > MOST_ARMS:
        raise InvalidInput(f"a simulation may have {MOST_ARMS:,} arms at most; got {policy.n_arms:,}.")
    if runs > affordable_runs(policy, instance, runs):
        raise InvalidInput(
            f"{counted(runs, 'run')} of {policy.horizon:,} rounds is too much for a shared service. Ask for at most "
            f"{large(MOST_ROUNDS)} rounds in all, or use `{instead}`."
        )


def _check_plan(question: dict[str, Any]) -> dict[str, Any]:
    """Return the work behind a plan: the table of one from a baseline, the worst instances of another."""
    from steadyarm.live.analysis.plans import planned
    from steadyarm.live.analysis.situations import affordable, check_inside, from_baseline, situation_plan

    if question.keys() & {"policy", "instance"}:
        raise InvalidInput("a plan chooses policy and instance itself. Leave these out, or the plan.")
    asked = members(question["plan"], PlanQuestion, "a plan")
    if not from_baseline(asked):
        check_inside(asked)
        if asked.get("means") is not None:
            raise InvalidInput("a plan is checked on its own worst instances. Leave means out.")
        runs = checks.integer(
            question.get("runs", USUAL_RUNS), "runs", at_least=FEWEST_FOR_AN_INTERVAL, at_most=MOST_RUNS
        )
        found = planned(asked)
        _check_affordable(found.policy, found.costliest, runs, "steadyarm plan --runs")
        return {"plan": asked, "runs": runs, "seed": checks.seed(question.get("seed", 0))}
    wanted = {name: question[name] for name in ("runs", "seed") if name in question}
    plan = situation_plan(question["plan"], **wanted)
    if question["plan"].get("spread") is not None:
        plan.design_at(question["plan"]["spread"])
    if plan.runs > min(MOST_RUNS, affordable(plan, plan.runs, MOST_ROUNDS)):
        raise InvalidInput(
            f"{counted(plan.runs, 'run')} of every design and {plan.situation.horizon:,} rounds is too much for a "
            f"shared service: {large(MOST_ROUNDS)} rounds in all and {MOST_RUNS:,} runs are the most. Ask for "
            "fewer, or use `steadyarm plan`."
        )
    return {"plan": question["plan"], "runs": plan.runs, "seed": plan.seed}


def affordable_runs(policy: Policy, instance: Instance, wanted: int = USUAL_RUNS) -> int:
    """Return as many of the wanted runs as a shared service plays; to leap over rounds costs next to nothing.

    >>> import steadyarm as sa
    >>> policy = sa.SLEUCB(n_arms=2, horizon=10**12, constants="sharp")
    >>> affordable_runs(policy, sa.equal_arms(2)), affordable_runs(sa.UCB1(n_arms=2, horizon=10**8), sa.equal_arms(2))
    (1000, 200)
    """
    from steadyarm.engines.choice import auto_leaps

    return wanted if auto_leaps(policy, instance) else min(wanted, MOST_ROUNDS // policy.horizon)


def work_nicely_for(pipe: Any) -> None:
    """Do what comes through a pipe on cores that nobody else wants: the worker process."""
    os.nice(_NICE)
    work_for(pipe)


def work_for(pipe: Any) -> None:
    """Do what comes through a pipe until it is closed."""
    import signal

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C in a terminal reaches all; the server decides
    while True:
        try:
            work = pipe.recv()
        except EOFError:
            return
        try:
            pipe.send(("done", finite(_found(work, lambda kind, value: pipe.send((kind, value))))))
        except SteadyarmError as refused:
            pipe.send(("failed", str(refused)))
        except Exception:
            pipe.send(("defect", traceback.format_exc()))


def _found(work: dict[str, Any], send: Callable[[str, Any], None]) -> dict[str, Any]:
    """Do a piece of work."""

    def progress(share: float) -> None:
        send("progress", share)

    from steadyarm.engines.simulate import simulate
    from steadyarm.live.analysis.plans import checked
    from steadyarm.live.analysis.situations import from_baseline, simulated

    if "plan" in work:
        if not from_baseline(work["plan"]):
            return checked(work, progress)
        return simulated(work, progress, lambda row: send("row", finite(row)))
    return simulate(
        policy_from_dict(work["policy"]),
        Instance.from_dict(work["instance"]),
        runs=work["runs"],
        seed=work["seed"],
        progress=progress,
        outside_class=True,
    ).to_dict()
