"""How large the fault tests are: small in `make test`, whole in `make test-faults`."""

import os
from typing import NamedTuple


class Sizes(NamedTuple):
    kills: int  # of the service, under load
    crashes: int  # of PostgreSQL, under load
    races: int  # kills while all clients ask for one unit
    horizon: int  # run to by 16 clients
    schedules: int  # replayed
    examples: int  # of every call, by schemathesis
    backups: int  # under load
    entries: int  # of the long journal
    killed_studies: tuple[str, ...]  # kinds of them


SMALL = Sizes(3, 1, 1, 600, 8, 5, 2, 10**5, ("compare",))
WHOLE = Sizes(100, 20, 20, 20_000, 300, 400, 20, 10**6, ("simulate", "compare", "frontier", "coverage"))

FULL = os.environ.get("STEADYARM_FAULTS", "") == "full"
SIZES = WHOLE if FULL else SMALL
