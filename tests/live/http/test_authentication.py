"""Tokens in memory: right ones cost nothing, wrong ones little, new and revoked ones are seen soon."""

import asyncio
import time
from collections import Counter
from functools import partial

import pytest
from sqlalchemy.exc import OperationalError
from tests.faults.clients import create
from tests.faults.test_load import processor_seconds
from tests.live.conftest import problem
from tests.live.crowd import Allocating, Caller, forever, in_a_thread, stop
from tests.live.server import Server

from steadyarm.live.core.journal import later, now
from steadyarm.live.http import authentication, streams
from steadyarm.live.http.authentication import Authentication
from steadyarm.live.http.service import create_app
from steadyarm.live.storage import tokens as storage_tokens
from steadyarm.live.storage.store import Store
from steadyarm.live.storage.tokens import Tokens, identity_of

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


def test_a_token_that_has_expired_does_not_come_back_when_the_clock_is_set_back(tokens, monkeypatch):
    long, made = tokens.create(["read"], seconds=3600.0), tokens.create(["read"], seconds=2.0)

    async def work(known):
        found = await known.find(made)
        assert found is not None
        while not found.is_over:
            await asyncio.sleep(0.05)
        for module in (authentication, storage_tokens):
            monkeypatch.setattr(module, "now", lambda: later(now(), -3600.0))
        assert not found.is_over  # by the machine's clock alone it would be good again
        for _ in range(2):
            assert await known.find(made) is None
            assert not await known.is_valid(found)
            monkeypatch.setattr(authentication, "REREAD_AFTER", 0.0)
        assert await known.find(long) is not None

    run(tokens, work)


def test_a_clock_that_was_ahead_for_a_moment_ends_no_token_for_good(tokens, monkeypatch):
    made = tokens.create(["read"], seconds=60.0)

    async def work(known):
        assert await known.find(made) is not None
        with monkeypatch.context() as ahead:
            ahead.setattr(storage_tokens, "now", lambda: later(now(), 3600.0))
            assert await known.find(made) is None
        assert await known.find(made) is not None

    run(tokens, work)


async def trickled(parts, between):
    """A request body of which something happens between the parts."""
    for number, part in enumerate(parts):
        if number:
            await between()
        yield part


@pytest.mark.parametrize("end", ["revoked", "expired"])
@pytest.mark.parametrize(
    ("path", "parts"),
    [
        ("/v1/experiments/e/allocations", [b'{"units": ["', b'v"]}']),
        ("/v1/experiments/e/defaults", [b'{"defaults": [{"unit": "v", "arm"', b': "a"}]}']),
        ("/ofrep/v1/evaluate/flags/e", [b'{"context": {"targetingKey"', b': "v"}}']),
    ],
)
def test_a_token_that_ends_while_its_request_trickles_in_is_refused(api, monkeypatch, path, parts, end):
    monkeypatch.setattr(authentication, "REREAD_AFTER", 0.05)
    api.create()
    before = api.events()
    token = api.service.tokens.create(["admin"], seconds=0.4 if end == "expired" else None)

    async def between():
        if end == "revoked":
            await asyncio.to_thread(api.service.tokens.revoke, identity_of(token))
        await asyncio.sleep(0.6 if end == "expired" else 0.15)

    said = problem(api("POST", path, token=token, text=trickled(parts, between)), 401, "unauthorized")
    assert "has expired or was revoked" in said["detail"]
    assert api.events() == before


def test_a_token_that_stays_good_may_take_its_time(api):
    api.create()
    wait = partial(asyncio.sleep, 0.2)
    parts = [b'{"units": ["', b'v"]}']
    assert api("POST", "/v1/experiments/e/allocations", text=trickled(parts, wait)).status_code == 200


def test_a_journal_whose_readers_token_ends_is_left_without_its_end(api, monkeypatch):
    monkeypatch.setattr(authentication, "REREAD_AFTER", 0.0)
    monkeypatch.setattr(streams, "CHUNK", 1)
    api.create()
    token = api.with_scopes("read")
    sent = []

    async def receive():
        await asyncio.sleep(3600.0)

    async def send(message):
        sent.append(message)
        if message.get("body"):
            await asyncio.to_thread(api.service.tokens.revoke, identity_of(token))

    path = "/v1/experiments/e/events"
    scope = {
        "type": "http",
        "method": "GET",
        "path": path,
        "raw_path": path.encode(),
        "query_string": b"",
        "headers": [(b"authorization", f"Bearer {token}".encode())],
    }
    api.http.run(create_app(service=api.service)(scope, receive, send))
    assert [message["type"] for message in sent] == ["http.response.start", "http.response.body"]
    assert sent[1]["body"].count(b"\n") == 1  # of two entries
    assert sent[1]["more_body"]


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


async def trickling(server, token):
    """Send a request a byte at a time, again and again."""
    body = b'{"units": ["' + b"v" * 200 + b'"]}'
    head = (
        f"POST /v1/experiments/e/allocations HTTP/1.1\r\nhost: x\r\nauthorization: Bearer {token}\r\n"
        f"content-length: {len(body)}\r\n\r\n"
    )
    while True:
        _, writer = await asyncio.open_connection("127.0.0.1", server.port)
        try:
            writer.write(head.encode())
            for number in range(len(body)):
                writer.write(body[number : number + 1])
                await asyncio.sleep(0.02)
        except OSError:
            pass
        finally:
            writer.close()


@pytest.mark.slow
def test_requests_that_trickle_in_with_wrong_tokens_or_right_ones_hold_nobody_up(sqlite):
    async def measure():
        allocating = Allocating(server)
        await allocating.run(0.5)
        tasks = [
            asyncio.create_task(
                trickling(server, WRONG["unknown"](number, "") if number % 2 else server.token)
            )
            for number in range(100)
        ]
        await asyncio.sleep(0.5)
        allocating.times.clear()
        await allocating.run(2.0)
        slowest = max(allocating.times)
        await stop(tasks)
        await allocating.close()
        return slowest

    with Server(sqlite, "--log-level", "warning") as server:
        create(server, horizon=10**9)
        assert in_a_thread(measure()) < authentication.LONGEST_WAIT / 2
