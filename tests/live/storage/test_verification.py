"""`verify` of journals that continue each other: the link is checked wherever both are there."""

import json

import pytest
from tests.live.conftest import Api

from steadyarm.errors import InvalidInput
from steadyarm.live.core.journal import Broken, canonical, digest
from steadyarm.live.storage.journal_files import import_file
from steadyarm.live.storage.verification import verify


@pytest.fixture
def exported(sqlite, tmp_path):
    """Two journals, the second of which continues the first, in one file, the successor first."""
    api = Api(sqlite)
    api.create("old")
    for number in range(4):
        api.allocate(f"u{number}", "old")
    api.create("new", continues="old")
    api.report("u1", 1, "old")  # an outcome that comes after the link
    texts = {name: api("GET", f"/v1/experiments/{name}/events").text for name in ("new", "old")}
    api.close()
    file = tmp_path / "both.ndjson"
    file.write_text(texts["new"] + texts["old"])
    return file, texts


def rewritten(text):
    """The same journal with another reason at its close, and all hashes made anew."""
    lines, previous = [], "0" * 64
    for line in text.splitlines():
        entry = json.loads(line)
        del entry["hash"]
        entry["previous"] = previous
        if entry["kind"] == "closed":
            entry["reason"] = "forged"
        body = canonical(entry)
        previous = digest(body)
        lines.append(f'{body[:-1]},"hash":"{previous}"}}\n')
    return "".join(lines)


def test_a_predecessor_that_was_rewritten_is_found_by_what_continues_it(exported, tmp_path):
    file, texts = exported
    assert {each["experiment"] for each in verify(file, "", ())} == {"old", "new"}
    forged = tmp_path / "forged.ndjson"
    forged.write_text(rewritten(texts["old"]))
    assert verify(forged, "", ())[0]["entries"] == 8  # consistent in itself
    for text in (texts["new"] + rewritten(texts["old"]), rewritten(texts["old"]) + texts["new"]):
        forged.write_text(text)
        with pytest.raises(Broken, match="it continues 'old' after an entry 7 that is not there"):
            verify(forged, "", ())


def test_a_predecessor_that_was_cut_off_before_the_link_is_found_and_one_alone_is_fine(exported, tmp_path):
    _, texts = exported
    cut = tmp_path / "cut.ndjson"
    cut.write_text(texts["new"] + "".join(texts["old"].splitlines(keepends=True)[:5]))
    with pytest.raises(Broken, match="that is not there"):
        verify(cut, "", ())
    cut.write_text(texts["new"])
    assert verify(cut, "", ())[0]["experiment"] == "new"


def test_a_store_checks_the_link_too(exported, tmp_path):
    _, texts = exported
    file, store = tmp_path / "some.ndjson", f"sqlite:///{tmp_path}/other.db"
    file.write_text(texts["new"])
    import_file(file, store)
    assert len(verify(None, store, ())) == 1  # its predecessor is not here
    file.write_text(rewritten(texts["old"]))
    import_file(file, store)
    with pytest.raises(Broken, match="the journal of 'new' is broken at entry 1"):
        verify(None, store, ())
    with pytest.raises(InvalidInput):
        import_file(file, store)
