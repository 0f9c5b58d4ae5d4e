"""Where a study's simulations are run: on this machine or on many, kept in a folder or not at all."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Generator, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import numpy as np

from steadyarm.defaults import LEVEL
from steadyarm.engines.checkpoints import At, check_room, checkpoints, with_ends, with_horizon
from steadyarm.engines.choice import DEVICES, ENGINES, TABLE_ENGINES, choose_engine
from steadyarm.engines.progress import Report
from steadyarm.engines.result import Simulation, noted
from steadyarm.engines.simulate import runs_asked, simulate, until_precise
from steadyarm.engines.sums import reward_moments
from steadyarm.errors import InvalidInput, InvalidType, NotSupported, SimulationInterrupted
from steadyarm.model import checks
from steadyarm.model.feedback import AT_ONCE, Delay, Feedback, feedback_of
from steadyarm.model.instance import Instance
from steadyarm.model.moments import Moments
from steadyarm.policies.core.policy import Policy
from steadyarm.study.runs.blocks import AddRewards, Piece, PlayRuns, Rows, Task, cut, on_threads
from steadyarm.study.runs.keys import describe, own_classes
from steadyarm.study.runs.parts import PartFolder
from steadyarm.study.runs.storage import Store
from steadyarm.theory.estimates import check_level
from steadyarm.words import counted


def _warn(sentence: str) -> None:
    warnings.warn(sentence, stacklevel=2)


@dataclass(frozen=True)
class Laboratory:
    """Runs simulations for a study; studies ask it and nothing else for their numbers.

    Args:
        threads: how many threads of this machine; all cores by default.
        folder: where finished blocks of runs are kept. A study that was killed goes on from there, and a
            finished one can be given more runs. Without it everything stays in memory.
        client: a `distributed.Client`, or the address of a Dask scheduler, whose workers play the runs.
        device: "cpu", or "cuda" for a GPU, without a folder or a cluster.
        note: takes a sentence about something that was found broken and mended; a warning by default.

    The numbers do not depend on any of these.

    >>> import tempfile
    >>> import steadyarm as sa
    >>> policy, instance = sa.MOSS(n_arms=2, horizon=1000), sa.equal_gap(2, gap=0.5)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     kept = sa.Laboratory(folder=folder).simulate(policy, instance, runs=50, seed=1)
    ...     again = sa.Laboratory(folder=folder).simulate(policy, instance, runs=80, seed=1)  # plays 30 runs
    >>> bool((again.counts == sa.simulate(policy, instance, runs=80, seed=1).counts).all())
    True
    """

    threads: int | None = None
    folder: str | Path | None = None
    client: Any = None
    device: str = "cpu"
    note: Callable[[str], None] = _warn

    def __post_init__(self) -> None:
        if self.threads is not None:
            checks.integer(self.threads, "threads", at_least=1)
        if self.folder is not None and not isinstance(self.folder, str | Path):
            raise InvalidType(f"folder must be a path; got {self.folder!r}.")
        if self.folder is not None and Path(self.folder).exists() and not Path(self.folder).is_dir():
            raise InvalidInput(f"folder must be a folder; {self.folder} is a file.")
        checks.one_of(self.device, "device", tuple(DEVICES))
        if self.device != "cpu" and (self.folder is not None or self.client is not None):
            raise InvalidInput(
                f"device={self.device!r} plays all runs at once: it goes with neither a folder nor a cluster. "
                "Leave one of them out."
            )
        if self.client is not None and not isinstance(self.client, str):
            from steadyarm.study.runs.cluster import check_client

            check_client(self.client)

    def begin(self, kind: str, configuration: dict[str, Any], runs: int | None = None) -> None:
        """Say what study this is, before its first simulation; a folder of another one is refused.

        Args:
            kind: the name of the study: "compare", say.
            configuration: all that decides its numbers, as plain numbers, words, lists and dicts.
            runs: how many runs are asked for; no part of the configuration, because it may grow.
        """
        if self._store is not None:
            self._store.begin(kind, configuration, runs)

    def begin_simulation(
        self,
        policy: Policy,
        instance: Instance,
        *,
        runs: int | None = None,
        seed: int = 0,
        engine: str = "auto",
        delay: int | Delay = 0,
        batch: int = 1,
    ) -> None:
        """Say that this study is one simulation, so that a folder that keeps it is refused to any other."""
        configuration = {
            "policy": policy.to_dict(),
            "instance": instance.to_dict(),
            "seed": seed,
            "engine": engine,
        }
        self.begin("simulate", configuration | feedback_of(delay, batch).to_dict(), runs)

    def simulate(
        self,
        policy: Policy,
        instance: Instance,
        *,
        runs: int | None = None,
        precision: float | None = None,
        seed: int,
        engine: str = "auto",
        level: float = LEVEL,
        report: Report | None = None,
        outside_class: bool = False,
        at: At = None,
        delay: int | Delay = 0,
        batch: int = 1,
    ) -> Simulation:
        """Play runs 0, 1, …, `runs` − 1 of a policy on an instance; see `steadyarm.simulate`."""
        if self.folder is None and self.client is None:
            return simulate(
                policy,
                instance,
                runs=runs,
                precision=precision,
                seed=seed,
                engine=engine,
                device=self.device,
                threads=self.threads,
                progress=report or False,
                level=level,
                outside_class=outside_class,
                at=at,
                delay=delay,
                batch=batch,
            )
        checks.instance_of(policy, Policy, "policy")
        policy.check_instance(instance, outside_class=checks.boolean(outside_class, "outside_class"))
        runs = runs_asked(runs, precision)
        seed, level = checks.seed(seed), check_level(level)
        feedback = feedback_of(delay, batch)
        chosen = choose_engine(engine, policy, instance, feedback=feedback)
        engine, cost = chosen.name, chosen.run_cost(policy)

        asked = checkpoints(at, policy)
        moments = with_ends(with_horizon(asked, policy), instance)
        part_folder = self._part_folder("counts", policy, instance, seed, engine, asked.tolist(), feedback)
        have = Piece(np.zeros((0, len(moments) * policy.n_arms), dtype=np.int64))

        def result(piece: Piece) -> Simulation:
            counts: Any = piece.rows.reshape(-1, len(moments), policy.n_arms)
            return Simulation(
                policy,
                instance,
                engine=engine,
                seed=seed,
                level=level,
                tolerance=piece.tolerance,
                total_variation=piece.total_variation,
                feedback=feedback,
                **noted(instance, asked, moments, counts),
            )

        def task(first: int, last: int) -> PlayRuns:
            return PlayRuns(policy, instance, seed, engine, tuple(moments.tolist()), feedback, first, last)

        def grow(wanted: int, report: Report) -> Simulation:
            nonlocal have
            check_room(wanted, asked, moments, policy.n_arms)
            try:
                have = self._gather(part_folder, have, wanted, cost, task, report)
            except SimulationInterrupted as interruption:
                leading = interruption.partial
                interruption.partial = result(leading) if isinstance(leading, Piece) else None
                raise
            return result(have)

        self._send_code(policy)
        if precision is not None:
            return until_precise(grow, precision, report or _unseen)
        return grow(runs, report or _unseen)

    def reward_moments(self, simulation: Simulation, report: Report | None = None) -> Moments:
        """Return sums, squares and deviations of the rewards that each arm of each run gave."""
        instance, counts, seed = simulation.instance, simulation.counts, simulation.seed
        if simulation.engine not in TABLE_ENGINES:
            raise NotSupported(
                f"the {simulation.engine} engine does not read the reward table, so its rewards cannot be read "
                f"again. Use engine={TABLE_ENGINES[0]!r} or {TABLE_ENGINES[1]!r}."
            )
        if (self.folder is None and self.client is None) or simulation.first_run:
            first_run = simulation.first_run
            return reward_moments(
                instance, counts, seed=seed, first_run=first_run, threads=self.threads, report=report
            )

        def task(first: int, last: int) -> AddRewards:
            return AddRewards(instance, seed, first, counts[first:last])

        part_folder = self._part_folder(
            "moments", simulation.policy, instance, seed, simulation.engine, feedback=simulation.feedback
        )
        nothing = Piece(np.zeros((0, len(Moments._fields) * instance.n_arms)))
        cost = ENGINES["prefix"].run_cost(simulation.policy)  # which reads as many cells
        found = self._gather(part_folder, nothing, simulation.runs, cost, task, report or _unseen)
        return Moments(*np.hsplit(found.rows, len(Moments._fields)))  # type: ignore[arg-type]

    @property
    def side_by_side(self) -> int:
        """How many simulations are best asked for at once: as many as the cluster has threads, or two.

        On one machine each of them takes all threads, and the second fills the gaps of the first.
        """
        if self.client is None:
            return 1 if self.threads == 1 else 2
        from steadyarm.study.runs.cluster import cluster_threads

        return max(1, cluster_threads(self._cluster))

    @property
    def hint(self) -> str:
        """How to go on after an interruption, as the end of a sentence; empty if nothing is kept."""
        if self.folder is None:
            return ""
        return f"; what was finished is kept in {self.folder}, and the same command goes on from there"

    def close(self) -> None:
        """Leave the cluster, if it was given by its address."""
        if isinstance(self.client, str) and "_cluster" in self.__dict__ and self._cluster is not None:
            self._cluster.close()
            del self.__dict__["_cluster"]

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, _kind: type[BaseException] | None, _error: BaseException | None, _trace: TracebackType | None
    ) -> None:
        self.close()

    @cached_property
    def _store(self) -> Store | None:
        return None if self.folder is None else Store(Path(self.folder), self.note)

    @cached_property
    def _cluster(self) -> Any:
        if not isinstance(self.client, str):
            return self.client
        from steadyarm.study.runs.cluster import connect

        return connect(self.client)

    def _part_folder(
        self,
        what: str,
        policy: Policy,
        instance: Instance,
        seed: int,
        engine: str,
        at: Sequence[int] = (),
        feedback: Feedback = AT_ONCE,
    ) -> PartFolder | None:
        if self._store is None:
            return None
        description = (
            describe(policy, instance, seed, engine) | ({"at": at} if at else {}) | feedback.to_dict()
        )
        return self._store.part_folder(what, policy.name, description)

    @cached_property
    def _sent(self) -> set[type]:
        """The classes of the user's own that the workers have got."""
        return set()

    def _send_code(self, policy: Policy) -> None:
        new = set(own_classes(policy)) - self._sent
        if new and self._cluster is not None:
            from steadyarm.study.runs.cluster import send_code

            send_code(self._cluster, new)
            self._sent.update(new)

    def _spread(self, tasks: Sequence[Task], report: Report) -> Generator[tuple[int, Piece]]:
        if self._cluster is None:
            return on_threads(tasks, self.threads, report)
        from steadyarm.study.runs.cluster import on_cluster

        return on_cluster(self._cluster, tasks, report, self.note)

    def _gather(
        self,
        part_folder: PartFolder | None,
        have: Piece,
        runs: int,
        cost: float,
        task: Callable[[int, int], Task],
        report: Report,
    ) -> Piece:
        """Return the rows of runs 0, …, `runs` − 1: those at hand, those stored, and the others computed.

        Ctrl-C raises `SimulationInterrupted`, whose `partial` is the piece of the leading finished runs.
        """
        begin, width = have.rows.shape
        rows = np.concatenate([have.rows, np.zeros((runs - begin, width), dtype=have.rows.dtype)])
        found = [have]
        missing: list[tuple[int, int]] = []
        at = begin
        for first, last, piece in part_folder.pieces(begin, runs) if part_folder is not None else ():
            missing += cut(at, first, cost, width)
            rows[first:last] = piece.rows
            found.append(piece)
            at = last
        missing += cut(at, runs, cost, width)
        stored = (runs - begin - sum(last - first for first, last in missing)) / max(1, runs - begin)
        report(stored)
        pending = dict(enumerate(missing))
        tasks = [task(first, last) for first, last in missing]
        try:
            with closing(self._spread(tasks, lambda share: report(stored + (1.0 - stored) * share))) as done:
                for number, piece in done:
                    first, last = missing[number]
                    if part_folder is not None:
                        part_folder.put(first, piece)
                    rows[first:last] = piece.rows
                    found.append(piece)
                    del pending[number]
        except KeyboardInterrupt:
            leading = min((first for first, _ in pending.values()), default=runs)
            partial = _joined(rows[:leading], found) if leading else None
            message = f"stopped after {leading:,} of {counted(runs, 'run')}{self.hint}"
            raise SimulationInterrupted(message, partial) from None
        return _joined(rows, found)


def laboratory_for(laboratory: Laboratory | None, threads: int | None) -> Laboratory:
    """Return the laboratory that was given to a study, or one with so many threads that keeps nothing."""
    if laboratory is None:
        return Laboratory(threads=threads)
    checks.instance_of(laboratory, Laboratory, "laboratory")
    if threads is not None:
        raise InvalidInput(f"the laboratory has threads of its own; give it threads={threads!r} instead.")
    return laboratory


def open_study(laboratory: Laboratory | None, configuration: dict[str, Any], runs: int) -> Laboratory:
    """Return the laboratory of a study, once its folder, if it has one, is known to be that study's.

    The level of the intervals decides no runs, so a folder can be read again with another.
    """
    laboratory = laboratory_for(laboratory, None)
    deciding = {key: value for key, value in configuration.items() if key not in ("kind", "level")}
    laboratory.begin(configuration["kind"], deciding, runs)
    return laboratory


def _joined(rows: Rows, pieces: Sequence[Piece]) -> Piece:
    """Return rows with the coarsest exactness of the pieces that they came from."""
    return Piece(
        rows, max(piece.tolerance for piece in pieces), max(piece.total_variation for piece in pieces)
    )


def _unseen(_share: float) -> None:
    """Report to nobody."""
