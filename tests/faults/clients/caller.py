"""A client that asks again until it is answered."""

import http.client
import json
import time

from tests.live.server import CONFIGURATION

PASSING = 503
PATIENCE = (
    300.0  # seconds: more than `Server` gives a server to start, so only a test that fails waits so long
)


class Caller:
    """One connection, to one of several servers. A lost answer or a 503 is asked for again, of the next server.

    Any other answer is returned.
    """

    def __init__(self, *servers):
        self.lost = 0  # answers that never came
        self.refused = 0  # answers 503
        self._servers = list(servers)
        self._headers = {"authorization": f"Bearer {servers[0].token}"}
        self._connection = None

    def once(self, method, path, content=None):
        """Ask once; returns the status and the content, or raises OSError."""
        if self._connection is None:
            port = self._servers[0].port
            self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
        body = None if content is None else json.dumps(content)
        try:
            self._connection.request(method, path, body, self._headers)
            answer = self._connection.getresponse()
            return answer.status, json.loads(answer.read())
        except (OSError, http.client.HTTPException, ValueError) as error:  # half an answer is none
            self.close()
            raise ConnectionError(str(error)) from error

    def __call__(self, method, path, content=None):
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            try:
                status, said = self.once(method, path, content)
            except ConnectionError:
                self.lost += 1
            else:
                if status != PASSING:
                    return status, said
                assert said["code"] in ("unavailable", "stopping", "standby"), said
                self.refused += 1
            if len(self._servers) > 1:
                self.close()
                self._servers.append(self._servers.pop(0))
            time.sleep(0.1)  # a server that starts needs the processor more
        raise AssertionError(f"no answer to {method} {path}")

    def close(self):
        if self._connection is not None:
            self._connection.close()
            self._connection = None


def create(server, name="e", **changes):
    caller = Caller(server)
    assert caller("PUT", f"/v1/experiments/{name}", CONFIGURATION | changes)[0] in (200, 201)
    assert caller("POST", f"/v1/experiments/{name}/start")[0] == 200
    caller.close()
