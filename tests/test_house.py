"""The house: files one reads in one go, rooms that CONTRIBUTING.md shows, tests where one looks for them."""

import re
from importlib import import_module
from pathlib import Path
from statistics import median

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src" / "steadyarm"
PYTHON = sorted([*SOURCE.rglob("*.py"), *(ROOT / "tests").rglob("*.py"), *(ROOT / "tools").glob("*.py")])
PAGE = sorted(path for path in (SOURCE / "live" / "page").rglob("*.js") if "vendor" not in path.parts)
ROOMS = sorted({path.parent for path in SOURCE.rglob("*.py")} - {SOURCE})
BESIDE = {"statistical", "browser", "faults", "docs"}


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


def test_a_function_never_hides_the_module_of_its_name():
    for room in ROOMS:
        package = import_module(".".join(("steadyarm", *room.relative_to(SOURCE).parts)))
        for module in room.glob("*.py"):
            found = vars(package).get(module.stem)
            assert found is None or hasattr(found, "__path__") or hasattr(found, "__file__"), module


def test_tests_stand_where_their_modules_do():
    strays = []
    for path in sorted((ROOT / "tests").rglob("test_*.py")):
        inner = path.relative_to(ROOT / "tests").parts
        if len(inner) > 1 and inner[0] not in BESIDE and not (SOURCE / Path(*inner[:-1])).is_dir():
            strays.append(path)
    assert strays == []
