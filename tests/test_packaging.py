"""What is shipped: the metadata of the package, and the citation."""

import re
import tomllib
from pathlib import Path

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
    assert citation["authors"] == [{"name": "The steadyarm authors"}]
    assert citation["license"] == PROJECT["license"]


def test_every_extra_is_documented():
    page = (ROOT / "docs" / "installing.md").read_text()
    for extra in PROJECT["optional-dependencies"]:
        assert f"| `{extra}` |" in page


def test_the_lock_has_wheels_of_compiled_packages_for_every_supported_python():
    """One hash a file: a package with a wheel for each Python and system has many."""
    lock = (ROOT / "requirements.lock").read_text()
    supported = [word.rpartition(" ")[2] for word in PROJECT["classifiers"] if "Python :: 3." in word]
    assert supported == ["3.11", "3.12", "3.13"]
    for name in ("numba", "llvmlite", "numpy", "scipy", "pandas", "pyarrow"):
        pinned = re.findall(
            rf"^{name}==(\S+)(?: ; (.*?))? \\\n((?:    --hash=\S+(?: \\)?\n)+)", lock, re.MULTILINE
        )
        assert pinned, name
        assert all(hashes.count("sha256") > 10 for _, _, hashes in pinned), name
        markers = {marker for _, marker, _ in pinned}
        assert markers in ({""}, {"python_full_version < '3.12'", "python_full_version >= '3.12'"}), name
