"""How large the fault tests are: small in `make test`, whole in `make test-faults`."""

from typing import NamedTuple

from tests.live.server import FULL


class Sizes(NamedTuple):
    kills: int  # of the service, under load
    crashes: int  # of PostgreSQL, under load
    take_overs: int  # by a standby, under load
    races: int  # kills while all clients ask for one unit
    horizon: int  # run to by 16 clients
    schedules: int  # replayed
    examples: int  # of every call, by schemathesis
    backups: int  # under load
    entries: int  # of the long journal
    killed_studies: tuple[str, ...]  # kinds of them


SMALL = Sizes(3, 1, 1, 1, 600, 8, 3, 2, 5 * 10**4, ("compare",))
WHOLE = Sizes(100, 20, 20, 20, 20_000, 300, 400, 20, 10**6, ("simulate", "compare", "frontier", "coverage"))

SIZES = WHOLE if FULL else SMALL
