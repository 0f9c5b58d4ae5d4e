"""Runs the service on uvicorn, and stops it within seconds even while streams are open."""

from __future__ import annotations

import gc
import ipaddress
import signal
import socket
import sys

import uvicorn

from steadyarm.errors import InvalidInput
from steadyarm.live.core.logs import configure, in_background, log
from steadyarm.live.core.setup.configuration import requested, resolve
from steadyarm.live.http.connections import Connection, most_connections
from steadyarm.live.http.service import Service, Settings, create_app

SWITCH_SECONDS = 0.0005  # that a thread may go on while others wait: many short reads and one quick writer
SEND_BUFFER = 1 << 17
COLLECT_AFTER = (
    50_000,
    20,
    20,
)  # a batch of rewards makes thousands of objects, and none of them refers to itself
GRACE_SECONDS = 3  # for requests under way when the service is told to stop


class _Server(uvicorn.Server):
    """Ends event streams first: without that they would hold a shutdown up until the limit."""

    service: Service

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self.service.hub.close()
        await super().shutdown(sockets)


def serve(settings: Settings, host: str, port: int, log_level: str = "info") -> None:
    """Serve until told to stop; refuses at once if the port is taken, or another server has the store.

    A standby waits for that one instead.
    """
    configure(log_level)
    with in_background():
        service = Service(settings)
        if not settings.standby:
            service.open()
        try:
            # Loads what is compiled before anybody waits for it.
            resolve(requested({"arms": ["a", "b"], "horizon": 10}))
            _serve(service, host, port)
        finally:
            service.close()
            log("info", "stopped")
        if service.failed is not None:
            raise service.failed


def _serve(service: Service, host: str, port: int) -> None:
    Connection.most = most_connections()
    listening = _listen(host, port)
    config = uvicorn.Config(
        create_app(service=service),
        http=Connection,
        log_config=None,
        log_level="critical",
        access_log=False,
        timeout_graceful_shutdown=GRACE_SECONDS,
        server_header=False,
        proxy_headers=False,
        ws="none",
    )
    server = _Server(config)
    server.service = service
    bound = listening.getsockname()[1]
    shown = f"[{host}]" if ":" in host else host
    log("info", "serving", url=f"http://{shown}:{bound}", database=str(service.store))
    advise(service, listening.getsockname()[0])
    for stop in (signal.SIGTERM, signal.SIGINT):
        # uvicorn raises the signal that stopped it once more; the store is still to be closed then.
        signal.signal(stop, lambda *_: None)
    # What is loaded by now stays for good. Were it looked through again and again for what can be freed, one body
    # of a hundred thousand empty lists would hold everybody up for half a second.
    gc.collect()
    gc.freeze()
    gc.set_threshold(*COLLECT_AFTER)
    sys.setswitchinterval(SWITCH_SECONDS)
    server.run(sockets=[listening])


def advise(service: Service, address: str) -> None:
    """Log what whoever has started a server should know: nobody has a token, or the network can listen in."""
    if service.active and all(
        token.revoked_at is not None or token.is_over for token in service.tokens.all()
    ):
        store = str(service.store) if service.store.kind == "sqlite" else "URL"
        how = f"steadyarm live token --scope admin --database {store}"
        log(
            "warning",
            "no_token",
            advice=f"Nobody can use this service before there is a token. Make one: {how}",
        )
    if not ipaddress.ip_address(address).is_loopback:
        advice = (
            "Other machines can reach this service, and tokens travel unencrypted. Put a proxy that ends TLS in front "
            "of it and let it listen on 127.0.0.1, or keep it inside a network that you trust."
        )
        log("warning", "no_tls", address=address, advice=advice)


def _listen(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    # Of every connection: what the system keeps for a client that does not read is megabytes otherwise.
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER)
    try:
        listening.bind((host, port))
    except OSError as error:
        listening.close()
        raise InvalidInput(
            f"cannot listen on {host} port {port}: {error.strerror}. Choose another --port."
        ) from None
    return listening
