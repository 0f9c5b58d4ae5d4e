"""The picture of coverage, and the files beside it."""


def test_files_and_picture(found, tmp_path):
    names = {path.name for path in found.save(tmp_path)}
    assert names == {f"coverage.{kind}" for kind in ("csv", "parquet", "json", "png", "svg", "pdf")}
    title = found.plot().axes[0].get_title(loc="left")
    assert title.startswith("MOSS: Wald intervals hold 92")
