"""Tokens in memory: right ones cost nothing, wrong ones little, new and revoked ones are seen soon."""

import asyncio
import time
from collections import Counter

import pytest
from sqlalchemy.exc import OperationalError
from tests.faults.clients import create
from tests.faults.test_load import processor_seconds
from tests.live.crowd import Allocating, Caller, forever, in_a_thread, stop
from tests.live.server import Server

from steadyarm.live.http import authentication
from steadyarm.live.http.authentication import Authentication
from steadyarm.live.storage.store import Store
from steadyarm.live.storage.tokens import Tokens

WRONG = {
    "unknown": lambda number, _: f"steadyarm_{number:012x}_{'x' * 43}",
    "known id": lambda number, token: token.rsplit("_", 1)[0] + f"_{number:043}",
    "none": lambda *_: "",
}


@pytest.fixture
def tokens(sqlite):
    made = Tokens(Store(sqlite))
    yield made
    made.close()


class Counted:
    """Tokens that count how often they are read, and fail when told to."""

    def __init__(self, tokens):
        self._tokens = tokens
        self.reads = 0
        self.fails = False

    def all(self):
        self.reads += 1
        if self.fails:
            raise OperationalError("SELECT", {}, Exception("gone"))
        return self._tokens.all()


def run(tokens, work):
    """Run a coroutine function with the tokens in memory."""

    async def whole():
        known = Authentication(tokens)
        try:
            return await work(known)
        finally:
            known.close()

    return in_a_thread(whole())


def test_a_thousand_wrong_tokens_are_a_few_readings(tokens):
    counted = Counted(tokens)
    right = tokens.create(["read"])

    async def work(known):
        begun = time.monotonic()
        wrong = [WRONG["unknown"](number, right) for number in range(1000)]
        assert await asyncio.gather(*map(known.find, wrong)) == [None] * 1000
        assert (await known.find(right)).scopes == {"read"}
        return time.monotonic() - begun

    seconds = run(counted, work)
    assert counted.reads <= 3 + seconds / authentication.REREAD_BEFORE


def test_a_token_is_good_from_the_moment_it_is_made_though_others_are_being_refused(tokens):
    async def work(known):
        async def guess():
            while True:
                assert await known.find("steadyarm_0123456789ab_wrong") is None

        guessing = [asyncio.create_task(guess()) for _ in range(20)]
        for _ in range(10):
            made = await asyncio.to_thread(tokens.create, ["read"])
            assert await known.find(made) is not None
        await stop(guessing)

    run(tokens, work)


def test_a_revoked_token_is_good_for_a_moment_only(tokens, monkeypatch):
    assert authentication.REREAD_AFTER <= 2.0  # as the documentation says
    monkeypatch.setattr(authentication, "REREAD_AFTER", 0.3)
    made = tokens.create(["read"])

    async def work(known):
        found = await known.find(made)
        tokens.revoke(found.id)
        assert await known.find(made) == found  # what was read is good for a while
        await asyncio.sleep(0.35)
        assert await known.find(made) is None
        assert not await known.is_valid(found)

    run(tokens, work)


def test_what_was_good_before_the_store_failed_is_good_while_it_does(tokens, monkeypatch):
    monkeypatch.setattr(authentication, "REREAD_AFTER", 0.0)
    counted, made = Counted(tokens), tokens.create(["read"])

    async def work(known):
        found = await known.find(made)
        counted.fails = True
        assert await known.find(made) == found
        assert await known.is_valid(found)
        for wrong in ("steadyarm_0123456789ab_unknown", made + "x"):
            with pytest.raises(OperationalError):  # nobody can know
                await known.find(wrong)
        counted.fails = False
        assert await known.find(made + "x") is None

    run(counted, work)


def test_refusals_wait_for_their_turn_and_not_for_ever(tokens, monkeypatch):
    monkeypatch.setattr(authentication, "REFUSALS", 100)
    monkeypatch.setattr(authentication, "LONGEST_WAIT", 1.0)

    async def work(known):
        begun = time.monotonic()
        await known.wait_to_refuse()
        assert time.monotonic() - begun < 0.2  # one is refused at once
        await asyncio.gather(*(known.wait_to_refuse() for _ in range(500)))
        return time.monotonic() - begun

    assert 1.0 <= run(tokens, work) < 3.0


async def cost(server, allocating):
    """Return the seconds of the processor that an allocation takes, whatever else the machine has to do."""
    before = processor_seconds(server)
    await allocating.run(0.8)
    return (processor_seconds(server) - before) / len(allocating.times)


async def beside_guessing(server, kind, allocating):
    """Return what an allocation costs alone and beside 64 connections with wrong tokens, and what those were told."""
    alone, counts = await cost(server, allocating), Counter()
    guessing = [
        asyncio.create_task(
            forever(
                Caller(server, WRONG[kind](number, server.token)), "GET", "/v1/experiments", counts=counts
            )
        )
        for number in range(64)
    ]
    await asyncio.sleep(0.5)
    beside = await cost(server, allocating)
    await stop(guessing)
    return alone, beside, counts


@pytest.mark.slow
def test_wrong_tokens_take_little_from_those_who_allocate(sqlite):
    async def measure():
        allocating = Allocating(server)
        await allocating.run(0.5)
        found = {kind: await beside_guessing(server, kind, allocating) for kind in WRONG}
        await allocating.close()
        return found

    with Server(sqlite, "--log-level", "warning") as server:
        create(server, horizon=10**9)
        found = in_a_thread(measure())
    for alone, beside, counts in found.values():
        assert counts.keys() == {401}
        assert beside < 4 * alone, found
