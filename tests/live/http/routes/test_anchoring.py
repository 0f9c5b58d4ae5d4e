"""How anchoring is doing, over HTTP."""


def test_without_a_target_there_is_no_key(sqlite_api, tmp_path):
    api = sqlite_api
    assert api("GET", "/v1/anchoring").json() == {"key": None, "public_key": None, "targets": []}
    assert not (tmp_path / "live.db.key").exists()
    assert not (tmp_path / "live.db.anchors").exists()
    assert api("GET", "/v1/anchoring", token=api.with_scopes("allocate")).status_code == 403
