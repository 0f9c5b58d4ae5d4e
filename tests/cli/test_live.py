"""`steadyarm live` on the command line; the service itself is tested in tests/live."""

import json
import sys

import pytest


@pytest.fixture
def store(tmp_path):
    return f"sqlite:///{tmp_path}/live.db"


def test_a_token_is_printed_once_and_listed_without_its_secret(steadyarm, store):
    token = json.loads(steadyarm("live", "token", "--database", store, "--scope", "admin", "--json").out)[
        "token"
    ]
    assert token.startswith("steadyarm_")
    plain = steadyarm(
        "live", "token", "--database", store, "--scope", "read", "--scope", "report"
    ).out.strip()
    listed = steadyarm("live", "token", "--database", store, "--list").out
    assert [line.split()[1] for line in listed.splitlines()] == ["admin", "read,report"]
    as_json = steadyarm("live", "token", "--database", store, "--list", "--json").out
    assert [each["scopes"] for each in json.loads(as_json)] == [["admin"], ["read", "report"]]
    for secret in (token, plain):
        assert secret not in listed + as_json
        assert secret.split("_")[1] in listed
    steadyarm(
        "live", "token", "--database", store, "--scope", "read", "--experiment", "e", "--expires-in", "P30D"
    )
    *_, bound = json.loads(steadyarm("live", "token", "--database", store, "--list", "--json").out)
    assert (bound["experiment"], bound["expires_at"] > bound["created_at"]) == ("e", True)
    assert "valid until" in steadyarm("live", "token", "--database", store, "--list").out
    steadyarm("live", "token", "--database", store, "--revoke", plain.split("_")[1])
    assert "revoked" in steadyarm("live", "token", "--database", store, "--list").out
    assert "no token with id" in steadyarm("live", "token", "--database", store, "--revoke", "x", code=2).err


def test_bad_options_are_refused_in_one_line(steadyarm, store, tmp_path):
    (tmp_path / "text").write_text("no database" * 100)
    nobody = "postgresql://bob:hunter2@127.0.0.1:9"
    for words, said in [
        (("token", "--database", store, "--scope", "emperor"), "a scope must be one of admin"),
        (("token", "--database", store), "a token needs a scope"),
        (
            ("token", "--database", store, "--scope", "read", "--expires-in", "P1Y"),
            "--expires-in must be 1 to",
        ),
        (
            ("token", "--database", store, "--scope", "read", "--experiment", "a b"),
            "the name of an experiment",
        ),
        (("token", "--database", store, "--scope", "read", "--label", "a\nb"), "a label must have"),
        (("token", "--database", "mysql://x/y", "--scope", "read"), "a database must be sqlite"),
        (("token", "--database", "no url", "--scope", "read"), "a database must be a URL"),
        (("token", "--database", "sqlite://", "--scope", "read"), "must be a file"),
        (("token", "--database", f"sqlite:///{tmp_path}", "--scope", "read"), "is a folder"),
        (("token", "--database", f"{nobody}/none", "--scope", "read"), "Connection refused"),
        (("serve", "--database", f"{nobody}/none"), "Connection refused"),
        (("verify", "--database", f"{nobody}/none?bogus=1"), 'invalid connection option "bogus"'),
        (("verify", "--database", nobody.replace(":9", ":nine")), "a database must be a URL"),
        (("verify", "--database", nobody.replace("://", "//")), "a database must be a URL"),
        (("serve", "--database", store, "--log-level", "loud"), "--log-level must be one of"),
        (("verify", "--database", f"sqlite:///{tmp_path}/none.db"), "there is no store"),
        (("export", "--database", f"sqlite:///{tmp_path}/none.db"), "there is no store"),
        (("backup", "--database", f"sqlite:///{tmp_path}/none.db", f"{tmp_path}/copy"), "there is no store"),
        (("backup", "--database", f"sqlite:///{tmp_path}/text", f"{tmp_path}/copy"), "is not a database"),
    ]:
        refused = steadyarm("live", *words, code=2).err
        assert said in refused
        assert len(refused.splitlines()) == 1
        assert "hunter2" not in refused


def test_a_file_that_is_no_journal_is_refused(steadyarm, store, tmp_path):
    file = tmp_path / "notes.txt"
    file.write_text("hello\n")
    assert "line 1 is not a journal entry" in steadyarm("live", "verify", str(file), code=1).err
    assert (
        "line 1 is not a journal entry"
        in steadyarm("live", "import", str(file), "--database", store, code=2).err
    )
    file.write_text("")
    for words in (("verify", str(file)), ("import", str(file), "--database", store)):
        assert "notes.txt holds no journal." in steadyarm("live", *words, code=2).err


def test_without_the_extra_one_line_says_how_to_get_it(steadyarm, store, monkeypatch):
    for name in [name for name in sys.modules if name.startswith(("steadyarm.live.", "sqlalchemy"))]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "sqlalchemy", None)  # importing it fails
    done = steadyarm("live", "verify", "--database", store, code=2)
    assert (
        done.err
        == "steadyarm: this command needs 'sqlalchemy'. Install it with: pip install 'steadyarm[live]'\n"
    )
