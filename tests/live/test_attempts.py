"""Attempts of one call: pauses, addresses in turn, and when asking again does not help."""

import socket
import time

import pytest

from steadyarm.live import AsyncClient, Client
from steadyarm.live.attempts import pause
from tests.live.test_client import allocate, ask, refusing


@pytest.mark.parametrize("kind", [Client, AsyncClient])
def test_a_damaged_experiment_is_not_asked_again(kind):
    with refusing("damaged") as (server, url):
        error = allocate(kind, url)[1]
    assert error.code == "damaged"
    assert server.asked == 1


@pytest.mark.parametrize("kind", [Client, AsyncClient])
def test_of_several_addresses_the_one_that_serves_is_found_and_kept(kind):
    with refusing("standby") as (standby, first), refusing(None) as (active, second):
        with socket.create_server(("127.0.0.1", 0)) as gone:
            nobody = f"http://127.0.0.1:{gone.getsockname()[1]}"
        begun = time.monotonic()
        ask(kind, [nobody, first, second + "/"], {"deadline": 5.0}, times=3)
    assert (standby.asked, active.asked) == (1, 3)
    assert time.monotonic() - begun < 3.0


def test_a_client_needs_an_address():
    with pytest.raises(ValueError, match="at least one URL"):
        Client([], "none")


def test_whoever_follows_a_stream_may_try_for_days():
    assert 1.0 <= pause(100_000) <= 2.0
