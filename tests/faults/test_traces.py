"""The reader of traces itself: what it calls synced, and what it does not."""

from tests.faults.traces import calls_of, exchanges, syncs, unsynced

READ = '7 1.0 read(19<socket:[5]>, "PUT /v1/experiments/e/allocations/u HTTP/1.1\\r"..., 256) = 210 <0.1>'
ANSWER = '7 4.0 write(19<socket:[5]>, "HTTP/1.1 201 Created\\r\\ndate"..., 143) = 143 <0.1>'


def bare(tmp_path, *lines):
    file = tmp_path / "trace"
    file.write_text("\n".join(lines) + "\n")
    calls = calls_of(file)
    exchanged = exchanges(calls)
    assert len(exchanged) == 1
    return len(unsynced(exchanged, syncs(calls, "/x.db-wal")))


def test_a_sync_between_the_request_and_the_answer_counts(tmp_path):
    assert bare(tmp_path, READ, "8 2.0 fdatasync(5</a/x.db-wal>) = 0 <0.5>", ANSWER) == 0
    interrupted = (
        "8 2.0 fdatasync(5</a/x.db-wal> <unfinished ...>",
        "8 3.0 <... fdatasync resumed>) = 0 <1.0>",
    )
    assert bare(tmp_path, READ, *interrupted, ANSWER) == 0
    begun = READ.replace('"PUT', ' <unfinished ...>\n7 1.5 <... read resumed>"PUT')
    assert bare(tmp_path, begun, *interrupted, ANSWER) == 0


def test_no_other_sync_does(tmp_path):
    assert bare(tmp_path, READ, ANSWER) == 1
    assert (
        bare(tmp_path, "8 0.5 fdatasync(5</a/x.db-wal>) = 0 <0.1>", READ, ANSWER) == 1
    )  # before the request
    assert bare(tmp_path, "8 0.5 fdatasync(5</a/x.db-wal>) = 0 <2.0>", READ, ANSWER) == 1  # begun before it
    assert bare(tmp_path, READ, "8 2.0 fdatasync(5</a/x.db-wal>) = 0 <5.0>", ANSWER) == 1  # not over
    assert (
        bare(tmp_path, READ, "8 2.0 fdatasync(5</a/x.db-wal>) = -1 EIO (Input/output error) <0.5>", ANSWER)
        == 1
    )
    assert bare(tmp_path, READ, "8 2.0 fdatasync(5</a/y.db>) = 0 <0.5>", ANSWER) == 1  # of another file
