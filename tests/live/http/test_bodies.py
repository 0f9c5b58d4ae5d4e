"""What breaks a rule of a body is told with the rule, the value and a body that would do."""

import json

import pytest

from steadyarm.live.core.problems import Problem
from steadyarm.live.http import schemas
from steadyarm.live.http.bodies import parse_as

WRONG = [
    (
        schemas.Units,
        [1],
        "a JSON object with no members but units, stratum; got [1]",
        '{"units": ["u1", "u2"]}',
    ),
    (
        schemas.Units,
        {"units": ["u"], "more": 1},
        "no members but units, stratum; got {'units': ['u'], 'more': 1}",
        "u1",
    ),
    (schemas.Units, {}, "must have the member units; got {}", '{"units": ["u1", "u2"]}'),
    (schemas.Units, {"units": None}, "units: input should be a valid list; got None", "u1"),
    (schemas.Units, {"units": ["u"] * 1001}, "units: list should have at most 1000 items", "u1"),
    (schemas.Units, {"units": [1]}, "units.0: input should be a valid string; got 1", "u1"),
    (schemas.Reward, {"value": 1}, "must have the member reward; got {'value': 1}", '{"reward": 1.0}'),
    (
        schemas.UnitRewards,
        {"rewards": [{"unit": "u"}]},
        "must have the member rewards.0.reward; got {'rewards': [{'unit': 'u'}]}",
        '"reward": 1.0',
    ),
    (
        schemas.Move,
        {"state_seq": "3"},
        "state_seq: input should be a valid integer; got '3'",
        '"state_seq": 3',
    ),
    (schemas.Move, {"state_seq": True}, "state_seq: input should be a valid integer; got True", "3"),
    (schemas.Move, {"state_seq": 0}, "state_seq: input should be greater than or equal to 1; got 0", "3"),
    (schemas.Void, {"reason": ""}, "reason: string should have at least 1 character; got ''", '"reason"'),
    (
        schemas.Void,
        {"reason": "x" * 1001},
        "reason: string should have at most 1000 characters; got",
        '"reason"',
    ),
]


@pytest.mark.parametrize(("model", "content", "rule", "remedy"), WRONG, ids=lambda value: str(value)[:40])
def test_a_body_that_breaks_a_rule_is_refused_with_the_rule_the_value_and_a_remedy(
    model, content, rule, remedy
):
    with pytest.raises(Problem) as refused:
        parse_as(model, json.dumps(content).encode())
    assert refused.value.code == "invalid"
    said, _, example = refused.value.detail.partition(" Send a body like ")
    assert rule in said
    assert remedy in example
    assert len(refused.value.detail) < 300


def test_names_and_texts_are_refused_in_the_words_of_their_own_rules():
    with pytest.raises(Problem, match=r"the name of a unit must be 1 to 256 characters.*got ' not fine'"):
        parse_as(schemas.Units, b'{"units": ["fine", " not fine"]}')
    with pytest.raises(Problem, match="without control characters"):
        parse_as(schemas.Void, b'{"reason": "a\\u0000b"}')


@pytest.mark.parametrize("model", schemas.Body.__subclasses__())
def test_the_body_that_an_error_recommends_is_fine(model):
    assert parse_as(model, json.dumps(model.example).encode()).model_dump(exclude_unset=True) == model.example
