"""Clients that ask again until they are answered, each with a ledger of what was acknowledged."""

from tests.faults.clients.caller import PATIENCE, Caller, create
from tests.faults.clients.ledger import Ledger, assert_whole, journal, missing, replayed
from tests.faults.clients.load import Load, assert_nothing_lost

__all__ = [
    "PATIENCE",
    "Caller",
    "Ledger",
    "Load",
    "assert_nothing_lost",
    "assert_whole",
    "create",
    "journal",
    "missing",
    "replayed",
]
