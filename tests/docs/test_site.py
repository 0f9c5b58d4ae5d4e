"""The pages that programs write are those of the program, and every public name is in the reference.

The site itself is built by `make docs`, which runs the notebooks and fails on a warning.
"""

import json
import re
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest

import steadyarm as sa
from steadyarm import live

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
NOTEBOOKS = sorted((DOCS / "notebooks").glob("*.ipynb"))


def load(name):
    spec = spec_from_file_location(f"loaded_{name}", ROOT / "tools" / f"{name}.py")
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_page_of_the_command_line_is_what_the_program_says():
    written = (DOCS / "command-line.md").read_text()
    assert written == load("command_line_page").page(), "run tools/command_line_page.py"
    for command in ("frontier", "plan", "live serve", "live import"):
        assert f"# steadyarm {command}\n" in written


def test_the_page_of_the_rest_api_is_what_the_service_says():
    tool = load("rest_api_page")
    written = (DOCS / "rest-api.md").read_text()
    assert written == tool.page(tool.openapi()), "run tools/rest_api_page.py"
    assert "### PUT /v1/experiments/{experiment}/allocations/{unit}\n" in written


def test_the_types_of_the_typescript_client_are_those_of_the_service():
    tool = load("typescript_types")
    written = tool.FILE.read_text()
    assert written == tool.source(tool.openapi()), "run tools/typescript_types.py"
    for call in re.findall(r'"((?:GET|PUT|POST) /\S+)"', (tool.FILE.parent / "client.ts").read_text()):
        assert f'"{call}": {{' in written


@pytest.mark.parametrize(
    "name", sorted(set(sa.__all__) - {"live", "theory", "SteadyarmError"}) + live.__all__
)
def test_every_public_name_is_in_the_reference(name):
    assert re.search(rf"^::: steadyarm\.[\w.]+\.{name}$", (DOCS / "python-api.md").read_text(), re.MULTILINE)


def test_docstrings_get_their_examples_fenced():
    fenced = load("griffe_doctests").fenced
    assert fenced("A.\n\n>>> f()\n1\n>>> g()\n\nB.") == "A.\n\n```pycon\n>>> f()\n1\n>>> g()\n```\n\nB."
    assert fenced("no example") == "no example"


@pytest.mark.parametrize("page", ["README.md", "CONTRIBUTING.md", "CHANGELOG.md"])
def test_links_of_pages_outside_the_site_lead_somewhere(page):
    for link in re.findall(r"\]\(([^)\s]+)\)", (ROOT / page).read_text()):
        path, _, anchor = link.partition("#")
        assert link.startswith("https://") or (ROOT / path).exists(), link
        assert not anchor, "`make docs` checks anchors of the site only"


def test_the_readme_leads_to_every_page_of_the_site():
    linked = set(re.findall(r"\]\(docs/([\w/-]+\.(?:md|ipynb))\)", (ROOT / "README.md").read_text()))
    pages = {str(path.relative_to(DOCS)) for ending in ("*.md", "*.ipynb") for path in DOCS.rglob(ending)}
    assert linked == pages


def test_every_picture_is_shown():
    text = "".join(path.read_text() for path in [ROOT / "README.md", *DOCS.glob("*.md")])
    for path in (DOCS / "pictures").rglob("*.png"):
        assert f"pictures/{path.relative_to(DOCS / 'pictures')}" in text, path


def test_notebooks_are_kept_without_outputs():
    assert len(NOTEBOOKS) == 4
    for path in NOTEBOOKS:
        for cell in json.loads(path.read_text())["cells"]:
            assert not cell.get("outputs"), path
            assert cell.get("execution_count") is None, path


def test_a_page_that_would_fetch_from_elsewhere_is_noticed():
    outside = load("docs_hooks").outside
    assert outside('<link rel="stylesheet" href="https://fonts.example/a"><a href="https://b">') == [
        "https://fonts.example/a"
    ]
    assert outside('<script src="//c"></script><img src="pictures/d.png">') == ["//c"]


def test_a_list_that_became_text_is_noticed():
    broken_lists = load("docs_hooks").broken_lists
    assert broken_lists("<p>runs are kept.\n- <strong>Ctrl-C.</strong> Kept.</p>") == [
        "- <strong>Ctrl-C.</strong> Kept."
    ]
    assert broken_lists("<ul><li>\n<p>one - or two</p></li></ul>") == []
