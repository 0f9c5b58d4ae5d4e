"""The house: files one reads in one go, rooms that CONTRIBUTING.md shows, tests where one looks for them."""

import re
from importlib import import_module
from pathlib import Path
from statistics import median
from types import ModuleType

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src" / "steadyarm"
PYTHON = sorted([*SOURCE.rglob("*.py"), *(ROOT / "tests").rglob("*.py"), *(ROOT / "tools").glob("*.py")])
PAGE = sorted(
    path
    for path in (SOURCE / "live" / "page").rglob("*")
    if path.suffix in {".css", ".html", ".js"} and "vendor" not in path.parts
)
ROOMS = sorted({path.parent for path in SOURCE.rglob("*.py")} - {SOURCE})
BESIDE = {"statistical", "browser", "faults", "docs"}
"""Folders of tests that are about the whole: laws, pages in a browser, kills and full disks, the documentation."""

FAMILIES = {
    "policies/general": "policies/test_formulas.py",
    "policies/own_history": "policies/test_formulas.py",
    "engines/cuda": "engines/cuda/test_engine.py",
    "study/verify/claims": "study/verify/claims/test_controls.py",
    "live/http/routes/*_schemas.py": "live/http/test_schemas.py",
    "live/storage/migrations": "live/storage/test_migrations.py",
}
"""Small modules of one kind, in a folder or by a pattern, and the one test with a row for each of them."""

ABOUT_MANY = {
    "test_benchmarks.py": "the pages of speed and the records behind them",
    "test_house.py": "all files",
    "test_package.py": "what `import steadyarm` gives",
    "test_packaging.py": "wheel, archive, extras and lock",
    "test_processes.py": "tests/processes.py",
    "engines/test_drift.py": "means that move, in all engines",
    "live/http/test_texts.py": "bytes that are no text, wherever a request can carry them",
    "study/test_saved_studies.py": "studies that were saved long ago, of several kinds",
    "study/trial/test_drift.py": "trials whose means move",
}
"""Tests of more than one module, and what they are about."""


def lines(path):
    return len(path.read_text(encoding="utf-8").splitlines())


def test_a_file_has_400_lines_at_most():
    assert [str(path.relative_to(ROOT)) for path in PYTHON + PAGE if lines(path) > 400] == []


def test_half_of_the_files_have_fewer_than_120_lines():
    assert median(lines(path) for path in SOURCE.rglob("*.py") if lines(path) > 1) < 120


def test_every_room_is_shown_to_contributors_and_says_what_it_is():
    tree = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    for room in ROOMS:
        inner = room.relative_to(SOURCE).parts
        if "migrations" not in inner and "claims" not in inner:
            assert re.search(rf"(^|\s){inner[-1]}/", tree), room
        assert import_module(".".join(("steadyarm", *inner))).__doc__ or "migrations" in inner, room


def test_every_file_on_a_walk_of_contributors_is_there():
    page = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    named = re.findall(r"`([a-z_/0-9]+\.py)`", page.partition("Four walks")[2].partition("Three ideas")[0])
    assert len(named) > 20
    missing = [
        name for name in named if not any(str(path).endswith(f"/{name}") for path in SOURCE.rglob("*.py"))
    ]
    assert missing == []


def test_a_function_never_hides_the_module_or_the_room_of_its_name():
    for room in [SOURCE, *ROOMS]:
        package = import_module(".".join(("steadyarm", *room.relative_to(SOURCE).parts)))
        inside = {path.stem for path in room.glob("*.py")} | {
            inner.name for inner in ROOMS if inner.parent == room
        }
        for name in inside - {"__init__", "__main__"}:
            found = getattr(
                package, name, None
            )  # which is what `import … as` takes, lazily given names included
            assert found is None or isinstance(found, ModuleType), f"{package.__name__}.{name}"


def home_of(module):
    """Where the test of a module stands, from tests on."""
    inner = module.relative_to(SOURCE)
    return inner.with_name(f"test_{inner.name.removeprefix('_')}").as_posix()


MODULES = [path for path in SOURCE.rglob("*.py") if not path.name.startswith("__")]
TESTS = {path.relative_to(ROOT / "tests").as_posix() for path in (ROOT / "tests").rglob("test_*.py")}


def test_every_module_has_a_test_of_its_name_or_a_family_that_has_one():
    missing = {module.relative_to(SOURCE).as_posix() for module in MODULES if home_of(module) not in TESTS}
    for family, test in FAMILIES.items():
        assert test in TESTS, family
        of_family = {name for name in missing if Path(name).match(family) or name.startswith(f"{family}/")}
        assert of_family, f"{family} needs no family any more"
        missing -= of_family
    assert sorted(missing) == []


def test_every_test_has_a_module_of_its_name_or_says_what_it_is_about():
    known = {home_of(module) for module in MODULES} | set(FAMILIES.values()) | set(ABOUT_MANY)
    strays = [test for test in TESTS - known if test.partition("/")[0] not in BESIDE]
    assert sorted(strays) == []
    assert set(ABOUT_MANY) <= TESTS - {home_of(module) for module in MODULES}
