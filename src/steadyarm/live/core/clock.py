"""The clock of a journal, which never goes back, whatever the machine's does.

A machine's clock is set back now and then: by a second when it is corrected, by an hour or a year when it was wrong.
Then the journal's goes on from its last entry at the pace of the machine's, so that times between entries stay what
they were, windows end neither early nor never, and no entry is older than the one before it. It is the machine's again
as soon as that has caught up: by another correction, or while nothing was written.
"""

from __future__ import annotations

from contextlib import suppress

from steadyarm.live.core.journal import later, moment


class Clock:
    """Times of one journal's entries.

    >>> clock = Clock("2026-11-15T09:30:00.000Z")
    >>> clock.strike("2026-11-15T08:00:00.000Z"), clock.strike("2026-11-15T08:00:07.000Z")
    ('2026-11-15T09:30:00.000Z', '2026-11-15T09:30:07.000Z')
    >>> clock.strike("2026-11-15T10:00:00.000Z")
    '2026-11-15T10:00:00.000Z'
    """

    def __init__(self, last: str) -> None:
        self.last = last
        self._ahead = 0.0  # seconds, of the machine's

    def note(self, at: str) -> None:
        """Take in the time of an entry that was written before."""
        self.last = max(self.last, at)

    def reading(self, at: str) -> str:
        """Return what this clock shows when the machine's shows `at`; any thread may ask."""
        if at >= self.last:
            self._ahead = 0.0
            return at
        with suppress(OverflowError):  # beyond the last year that there is, time stands still
            shown = later(at, self._ahead)
            if shown >= self.last:
                return shown
            self._ahead = moment(self.last) - moment(at)
        return self.last

    def strike(self, at: str) -> str:
        """Return the time of the next entry when the machine's clock shows `at`."""
        self.last = self.reading(at)
        return self.last
