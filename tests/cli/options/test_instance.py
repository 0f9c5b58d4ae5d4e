"""Options that describe an instance."""

import json

import pytest

import steadyarm as sa


@pytest.mark.parametrize(
    "words",
    [
        "--means 0.6,0.5 --rewards bernoulli",
        "--means 2,1 --rewards bounded --low 0 --high 4 --mean-bound 4",
        "--family ladder --arms 4 --gap 0.2",
        "--family one_better --arms 3",
        "--family equal_arms --arms 3",
        "--precision 0.2",
        "--beta 2 --engine reference",
        "--gap 1.5 --outside-class",
        "--noise-scale 0.3 --threads 1",
        "--policy Steady --spread 20",
    ],
)
def test_simulate_takes_every_kind_of_instance(steadyarm, words):
    runs = [] if "precision" in words else ["--runs", "20"]
    done = steadyarm("simulate", "--horizon", "200", *runs, *words.split(), "--json")
    assert json.loads(done.out)["regret"]["value"] >= 0


@pytest.mark.parametrize(
    ("options", "instance"),
    [
        ("--means 0.6,0.5 --rewards bernoulli", sa.Instance.bernoulli([0.6, 0.5])),
        (
            "--means 2,1 --rewards bounded --low 0 --high 4 --mean-bound 4",
            sa.Instance.bounded([2, 1], 0.0, 4.0),
        ),
        ("--family ladder --arms 4 --gap 0.2", sa.ladder(4, 0.2)),
        ("--family one_better --arms 3 --gap 0.1", sa.one_better(3, 0.1)),
        ("--family equal_arms --arms 3 --noise-scale 2", sa.equal_arms(3, noise_scale=2.0)),
        ("--means 0.2,0 --noise-scale 0.5", sa.Instance.gaussian([0.2, 0.0], 0.5)),
    ],
)
def test_options_describe_the_instance_of_python(steadyarm, options, instance):
    done = steadyarm("simulate", "--horizon", "200", "--runs", "2", *options.split(), "--json")
    assert json.loads(done.out)["instance"] == instance.to_dict()
