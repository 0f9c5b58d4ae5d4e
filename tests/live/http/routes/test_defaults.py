"""Defaults over HTTP: who may note them."""

import pytest
from tests.live.conftest import problem
from tests.live.core.commands.test_default_commands import note


@pytest.mark.parametrize("scope", ["report", "read"])
def test_only_who_may_allocate_may_note_defaults(api, scope):
    api.create()
    problem(note(api, token=api.with_scopes(scope), u="a"), 403, "forbidden")
    assert note(api, token=api.with_scopes("allocate"), u="a").status_code == 200
