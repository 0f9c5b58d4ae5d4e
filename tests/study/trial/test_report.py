"""The report of a trial: every number, and the digest."""

from tests.study.trial.test_study import row


def test_the_report_has_every_number_and_the_digest(found, tmp_path):
    files = {path.name: path for path in found.save(tmp_path)}
    page = files["trial.html"].read_text(encoding="utf-8")
    assert found.digest in page
    shown = row(found.table, design="round robin", scenario="alternative", method="wilson")
    assert f"{shown['power']:.1%}" in page
    assert page.count("<tr>") == 2 + len(found.table) + len(found.arms)
