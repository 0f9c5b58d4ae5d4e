"""An engine on a GPU: the CPU's engine of the same name says what it costs, the card plays.

Runs are cut into batches that fit into the card's memory, and the rounds of a batch into launches of a
fraction of a second, between which Ctrl-C and the progress bar get their turn.
"""

from __future__ import annotations

import time

from steadyarm.engines.cuda.card import card, explained
from steadyarm.engines.interface import Engine, Player, Setting, Watch
from steadyarm.model.instance import Instance
from steadyarm.numerics.arrays import Integers
from steadyarm.policies.core.own_history import OwnHistoryPolicy
from steadyarm.policies.core.policy import Policy
from steadyarm.policies.mixed import Mixed
from steadyarm.policies.rules.rule import has_index
from steadyarm.policies.rules.rule_policy import RulePolicy

_SECONDS = 0.2  # that a launch should take
_FIRST_ROUNDS = 1 << 12  # of the first launch, whose speed tells how long the next may be


class OnGpu(Engine):
    """Plays what `step` or `prefix` plays, if a rule has an index."""

    def __init__(self, on_cpu: Engine) -> None:
        self.on_cpu, self.name = on_cpu, on_cpu.name

    def refusal(self, policy: Policy, instance: Instance) -> str | None:
        """Refuse what the engine refuses on a CPU, a rule that is no index, and a mix."""
        if isinstance(policy, Mixed):
            return "rounds given at random are not played on a GPU"
        if isinstance(policy, RulePolicy) and not has_index(policy.parameters):
            return "its rule chooses without an index, which is not played on a GPU"
        return self.on_cpu.refusal(policy, instance)

    def run_cost(self, policy: Policy) -> float:
        """Return the seconds of a CPU; nobody shares out the time of a card."""
        return self.on_cpu.run_cost(policy)

    def prepare(self, setting: Setting) -> Player:
        """Return a player on the card, if there is one."""
        card()
        return GpuPlayer(self, setting)


class GpuPlayer(Player):
    """Plays batch after batch."""

    def __init__(self, engine: OnGpu, setting: Setting) -> None:
        from steadyarm.engines.cuda.batches import IndexGame, RuleGame

        policy, instance, seed, at, _ = setting
        self.rounds, self.run_cost, self.n_arms = policy.horizon, engine.run_cost(policy), policy.n_arms
        self.at = at
        self.game: IndexGame | RuleGame
        if isinstance(policy, OwnHistoryPolicy):
            # A cut goes past the moments on the way, so runs with some are played from their start.
            self.game = IndexGame(policy, instance, seed, cut=engine.name == "prefix" and len(at) == 1)
        else:
            assert isinstance(policy, RulePolicy)
            self.game = RuleGame(policy, instance, seed)
        self.runs_at_once = self.game.runs_at_once

    def play(self, first_run: int, rows: Integers, watch: Watch) -> None:
        """Play runs first_run, first_run + 1, … and write their counts, one row a run."""
        with explained(len(rows), self.n_arms):
            batch = self.game.batch(first_run, len(rows))
            rounds, moment = _FIRST_ROUNDS, 0
            while watch.stop[0] == 0:
                begun, until = time.perf_counter(), int(self.at[moment])
                watch.done[0] = batch.advance(rounds, until)
                if watch.done[0] >= len(rows) * until:
                    rows[:, moment] = batch.counts_after(until)
                    moment += 1
                    if moment == len(self.at):
                        return
                else:
                    spent = time.perf_counter() - begun
                    rounds = max(1, int(rounds * min(8.0, max(0.125, _SECONDS / spent))))
