"""What is shipped: the metadata of the package, and the citation."""

import os
import re
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path

import pytest
import yaml

import steadyarm as sa

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]


def test_one_version_everywhere():
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text())
    assert sa.__version__ == PROJECT["version"] == citation["version"]


def test_the_citation_names_the_paper_and_the_software_apart():
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text())
    (paper,) = citation["references"]
    assert [author["family-names"] for author in paper["authors"]] == ["Wang", "Ye", "Zhong"]
    assert citation["authors"] == [{"name": "The steadyarm developers"}]
    assert citation["license"] == PROJECT["license"]


def test_every_extra_is_documented():
    page = (ROOT / "docs" / "installing.md").read_text()
    for extra in PROJECT["optional-dependencies"]:
        assert f"| `{extra}` |" in page


def test_the_lock_has_wheels_of_compiled_packages_for_every_supported_python():
    """One hash a file: a package with a wheel for each Python and system has many."""
    lock = (ROOT / "requirements.lock").read_text()
    supported = [word.rpartition(" ")[2] for word in PROJECT["classifiers"] if "Python :: 3." in word]
    assert supported == ["3.11", "3.12", "3.13", "3.14"]
    for name in ("numba", "llvmlite", "numpy", "scipy", "pandas", "pyarrow"):
        pinned = re.findall(
            rf"^{name}==(\S+)(?: ; (.*?))? \\\n((?:    --hash=\S+(?: \\)?\n)+)", lock, re.MULTILINE
        )
        assert pinned, name
        assert all(hashes.count("sha256") > 10 for _, _, hashes in pinned), name
        markers = {marker for _, marker, _ in pinned}
        assert markers in ({""}, {"python_full_version < '3.12'", "python_full_version >= '3.12'"}), name


def test_what_is_installed_to_run_is_what_is_tested():
    """Version by version and hash by hash; the whole lock may need a package on more systems."""

    def pinned(name):
        packages = re.split(r"\n(?=\S)", (ROOT / name).read_text().strip())
        return {re.sub(r" ; [^\\]*", " ", package) for package in packages}

    run, everything = pinned("requirements-run.lock"), pinned("requirements.lock")
    assert run < everything
    names = {package.partition("==")[0] for package in run}
    assert {"numba", "numpy", "pyarrow", "fastapi", "sqlalchemy", "hatchling"} <= names
    assert not {"pytest", "mkdocs", "playwright", "numba-cuda"} & names


@pytest.fixture(scope="module")
def archives(tmp_path_factory):
    """The wheel, made from the source archive, and that."""
    folder = tmp_path_factory.mktemp("dist")
    subprocess.run(
        [sys.executable, "-m", "build", "--no-isolation", "--outdir", folder, ROOT],
        check=True,
        capture_output=True,
    )
    (wheel,), (source,) = folder.glob("*.whl"), folder.glob("*.tar.gz")
    return wheel, source


@pytest.mark.slow
def test_the_archives_hold_what_they_should(archives):
    wheel, source = archives
    inside = zipfile.ZipFile(wheel).namelist()
    shipped = {str(path.relative_to(ROOT / "src")) for path in (ROOT / "src" / "steadyarm").rglob("*.*")}
    assert {name for name in shipped if "__pycache__" not in name} <= set(inside)
    assert all(name.startswith(("steadyarm/", "steadyarm-0")) for name in inside)
    with tarfile.open(source) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    assert {
        "README.md",
        "Makefile",
        "requirements.lock",
        "requirements-run.lock",
        "docs/index.md",
        "tests/test_packaging.py",
    } <= names


WITHOUT_EXTRAS = """
import sys
class Absent:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {extras}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)
sys.meta_path.insert(0, Absent())
import steadyarm.cli.app
assert steadyarm.__file__.startswith({folder!r}), steadyarm.__file__
steadyarm.cli.app.main()
"""


@pytest.mark.slow
def test_the_wheel_works_without_any_extra_and_says_which_one_is_missing(archives, tmp_path):
    zipfile.ZipFile(archives[0]).extractall(tmp_path)
    extras = ("fastapi", "sqlalchemy", "alembic", "uvicorn", "httpx", "distributed", "dask", "numba_cuda")
    program = [sys.executable, "-c", WITHOUT_EXTRAS.format(extras=extras, folder=str(tmp_path))]
    environment = os.environ | {"PYTHONPATH": str(tmp_path), "COLUMNS": "200"}

    def steadyarm(*words):
        return subprocess.run(
            [*program, *words], cwd=tmp_path, env=environment, capture_output=True, text=True
        )

    assert "SLEUCB" in steadyarm("policies").stdout
    refused = steadyarm("live", "token", "--scope", "admin")
    assert refused.returncode == 2
    assert "pip install 'steadyarm[live]'" in refused.stderr
