"""Measures how often the health checks of a live experiment raise an alarm: when all is well, and when it is not.

It prints the rows of docs/health.md. Every experiment is looked at after every outcome, from its first to its last.
Run it with `.venv/bin/python tools/health_measured.py` (two minutes).
"""

import random
from collections import Counter

from steadyarm.live.analysis import vitals as module
from steadyarm.live.analysis.health import BAND, CHECKS, alarms_of, vitals_of
from steadyarm.live.analysis.prediction import prediction_of
from steadyarm.live.core.experiment import Experiment
from steadyarm.live.core.journal import later, read
from steadyarm.live.core.setup.configuration import requested, resolve

START = "2026-01-01T00:00:00.000Z"
RUNS, UNITS = 60, 2000
HEALTHY = {
    "SLE-UCB, 0/1": {"policy": "SLEUCB", "constants": "sharp", "alpha": 1.0},
    "Steady, 0/1": {"policy": "Steady", "spread": 100.0},
    "MOSS, Gaussian": {"policy": "MOSS", "rewards": "gaussian", "noise_scale": 1.0},
    "Mixed MOSS, [0, 1]": {"policy": "MOSS", "rewards": "bounded", "share": 0.2},
    "round robin, 10 arms": {"policy": "RoundRobin", "means": (0.3,) * 10},
    "MOSS, 95 % of outcomes missing": {"policy": "MOSS", "missing": 0.95},
}
FAULTS = {
    "10 % and 20 % of outcomes missing": {"missing": (0.1, 0.2)},
    "10 % and 30 % of outcomes missing": {"missing": (0.1, 0.3)},
    "no outcome of one arm": {"policy": "MOSS", "missing": (0.1, 1.0)},
    "mean 0.30 becomes 0.40 half-way": {"later_means": (0.40, 0.35)},
    "mean 0.30 becomes 0.50 half-way": {"later_means": (0.50, 0.35)},
    "shares off by a tenth": {"policy": "RoundRobin", "share": 1.0, "logged": 0.45},
}


class Simulated:
    """An experiment of simulated units, ten minutes apart, whose journal is followed as the service does.

    A reward of 1 comes at once and others `delay` units later, so that what is known early is not like the rest.
    Units miss their outcome with probabilities by arm; means may change half-way; `logged` stands in the journal
    instead of the probability of the first arm, and its complement for the other.
    """

    def __init__(
        self,
        seed,
        units=UNITS,
        means=(0.3, 0.35),
        missing=0.1,
        later_means=None,
        logged=None,
        delay=6,
        **configuration,
    ):
        self.draw, self.units, self.delay = random.Random(seed), units, delay
        self.means, self.later_means, self.logged = means, later_means or means, logged
        self.missing = missing if isinstance(missing, tuple) else (missing,) * len(means)
        arms = [f"arm {number}" for number in range(len(means))]
        basis = {"rewards": "bernoulli", "seed": seed, "arms": arms, "horizon": units}
        setup = resolve(requested(basis | configuration))
        self.experiment, first = Experiment.create(1, "e", setup, START)
        self.rows = [first, self.experiment.move("started", START)]
        self.vitals = vitals_of(setup)
        self.taken = 0

    def reward(self, arm, number):
        """Draw the reward of a unit."""
        mean = (self.means if 2 * number < self.units else self.later_means)[arm]
        kind = self.experiment.setup.configuration["rewards"]
        if kind == "gaussian":
            return self.draw.gauss(mean, self.experiment.setup.policy.noise_scale)
        return (
            self.draw.betavariate(mean, 1.0 - mean) if kind == "bounded" else float(self.draw.random() < mean)
        )

    def steps(self):
        """Play all units; yields after every outcome."""
        late, experiment = [], self.experiment
        for number in range(self.units):
            at = later(START, 600.0 * number)
            row, unit = experiment.allocate(f"u{number}", at)
            self.rows.append(row)
            arm = experiment.number_of[unit.arm]
            if self.draw.random() >= self.missing[arm]:
                reward = self.reward(arm, number)
                late.append((number if reward == 1.0 else number + self.delay, number, unit, reward))
            due = [each for each in late if each[0] <= number]
            late = [each for each in late if each[0] > number]
            for _, name, known, reward in due:
                self.rows.append(experiment.reward(f"u{name}", known, reward, at)[0])
                self.follow()
                yield self

    def follow(self):
        """Take in what was appended to the journal."""
        for row in self.rows[self.taken :]:
            entry = read("e", row)
            if self.logged is not None and "probability" in entry:
                entry["probability"] = self.logged if entry["arm"] == "arm 0" else 1.0 - self.logged
            self.vitals.take(entry)
        self.taken = len(self.rows)

    def alarms(self):
        """Play to the end; returns the checks that have raised an alarm."""
        for _ in self.steps():
            pass
        return alarms_of(self.vitals)


def always(looks):
    """Have the evidence looked at after every single unit."""
    looks.due = lambda _self, _number: True


def outside(simulated):
    """Return the share of looks, every 20 outcomes, at which an arm is outside of its predicted band."""
    found = []
    for number, each in enumerate(simulated.steps()):
        prediction = prediction_of(each.experiment.summary()) if number % 20 == 0 else {"available": False}
        if prediction["available"]:
            found.append(any(abs(arm["deviations"] or 0.0) > BAND for arm in prediction["arms"]))
    return sum(found) / len(found) if found else None


def table(situations, runs=RUNS):
    print(f"| situation | {' | '.join(CHECKS)} | any |\n|{'---|' * (len(CHECKS) + 2)}")
    for name, situation in situations.items():
        raised = Counter()
        for seed in range(runs):
            alarms = Simulated(seed, **situation).alarms()
            raised.update([*alarms, *(["any"] if alarms else [])])
        shares = " | ".join(f"{100 * raised[check] / runs:.1f} %" for check in (*CHECKS, "any"))
        print(f"| {name} | {shares} |", flush=True)


def main():
    always(module.Looks)
    table(HEALTHY)
    table(FAULTS)
    for name in ("SLE-UCB, 0/1", "Steady, 0/1", "MOSS, Gaussian"):
        shares = [outside(Simulated(seed, **HEALTHY[name])) for seed in range(20)]
        print(f"{name}: outside of the band at {100 * sum(shares) / len(shares):.1f} % of looks", flush=True)


if __name__ == "__main__":
    main()
