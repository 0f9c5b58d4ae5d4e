"""What strace saw: which answers were sent only after the disk had what they acknowledge."""

import re
import shutil
from typing import NamedTuple

from tests.processes import BOUND

# Other calls run at full speed by --seccomp-bpf; with -f each thread's calls are told apart, -ttt and -T give times
# to the microsecond, -y names the files.
STRACE = ["strace", "-f", "--seccomp-bpf", "-ttt", "-T", "-y", "-s", "48", "-qq"]
SYNCS = ["fdatasync", "fsync"]
_LINE = re.compile(r"^(\d+) +(\d+\.\d+) (.*)$")
_RESUMED = re.compile(r"^<\.\.\. (\w+) resumed>(.*)$")
_TOOK = re.compile(r" <(\d+\.\d+)>$")


class Call(NamedTuple):
    """A system call from its begin to its end, in seconds of the clock."""

    begin: float
    end: float
    text: str


def strace(file, calls):
    """The words that put a command under strace, which would not take it along when it is killed itself."""
    assert shutil.which("strace"), "strace is missing: tools/system_packages.sh says what to install"
    return [*STRACE, "-e", f"trace={','.join(calls)}", "-o", str(file), *BOUND]


def calls_of(file):
    """Read a trace; a call that others interrupted in the log is put together again."""
    waiting, found = {}, []
    for line in file.read_text(errors="replace").splitlines():
        match = _LINE.match(line)
        if match is None:
            continue
        thread, at, text = match.group(1), float(match.group(2)), match.group(3)
        if text.endswith("<unfinished ...>"):
            waiting[thread] = at, text.removesuffix("<unfinished ...>").rstrip()
            continue
        resumed = _RESUMED.match(text)
        if resumed is not None:
            begin, start = waiting.pop(thread, (at, resumed.group(1) + "("))
            found.append(Call(begin, at, start + resumed.group(2)))
            continue
        took = _TOOK.search(text)
        found.append(Call(at, at + float(took.group(1) if took else 0.0), text))
    return sorted(found)


def syncs(calls, of):
    """The successful syncs of files whose path has `of` in it."""
    wanted = re.compile(rf"^(?:{'|'.join(SYNCS)})\(\d+<[^>]*{re.escape(of)}[^>]*>\) += 0\b")
    return [call for call in calls if wanted.match(call.text)]


def exchanges(calls):
    """Pairs of a request that writes, as read whole, and the begin of its 2xx: (read, answered, request)."""
    asked = re.compile(
        r'^(?:read|recvfrom|recvmsg|recv)\((\d+)<.*?"((?:PUT|POST) /v1/experiments/e/alloc\S*)'
    )
    answered = re.compile(r'^(?:write|writev|sendto|sendmsg|send)\((\d+)<.*?"HTTP/1\.1 (20[01]) ')
    reading, found = {}, []
    for call in calls:
        match = asked.match(call.text)
        if match is not None:
            reading[match.group(1)] = call.end, match.group(2)
        match = answered.match(call.text)
        if match is not None and match.group(1) in reading:
            read, request = reading.pop(match.group(1))
            found.append((read, call.begin, request))
    return found


def unsynced(exchanged, synced):
    """The exchanges without a sync that began after the request came and ended before its answer left."""
    return [
        (read, answered, request)
        for read, answered, request in exchanged
        if not any(read < sync.begin and sync.end < answered for sync in synced)
    ]
