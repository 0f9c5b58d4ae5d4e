"""Past outcomes chosen on the page of a plan: read in the browser by the rules of the library."""

import re

import pytest
from playwright.sync_api import expect

from steadyarm.errors import SteadyarmError
from steadyarm.planning.baseline.past_data import past_data
from tests.browser.conftest import TEAM_PAGE as ADDRESS

pytestmark = pytest.mark.slow

READ = {
    "signed up": ("bought\n" + "0\n1\n0\n0\n" * 30, None),
    "true or false": ("bought\n" + "True\nFalse\nFalse\n" * 30, None),
    "with semicolons and decimal commas": ("day;revenue\n" + "1;0\n2;12,5\n3;7,25\n" * 20, "revenue"),
    "with tabs": ("day\trevenue\n" + "1\t0\n2\t12.5\n3\t-7.125e1\n" * 20, "revenue"),
    "with blank lines at the end": ("revenue\n" + "0\n12.5\n" * 20 + "\n\n", None),
    "with line breaks in quotes": ('"day", revenue \n' + '"Mon\n2",0\n"Tue\n3",1.5\n' * 20, "revenue"),
    "from a spreadsheet": ("\ufeffday,revenue\r\n" + '"Mon, 2",0\r\n"Tue, 3",1.5\r\n' * 20, "revenue"),
}


def chosen(page, path, text, column):
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    page.locator("#past").set_input_files(path)
    if column:
        page.locator("#column").select_option(label=column)


@pytest.mark.parametrize("name", READ)
def test_todays_value_is_the_one_that_the_library_reads(visit, tmp_path, name):
    text, column = READ[name]
    page = visit(ADDRESS)
    sent = []
    page.on("request", lambda request: sent.append(request.post_data or ""))
    chosen(page, tmp_path / "past.csv", text, column)
    known = past_data(tmp_path / "past.csv", column)
    expect(page.locator("#past-words")).to_contain_text(f"{known.size} past outcomes ({known.name})")
    expect(page.locator("#past-words")).to_contain_text("The file stays on this computer.")
    mean, sd = page.locator("#baseline").input_value(), page.locator("#sd")
    if known.sd is None:
        assert float(mean.removesuffix(" %")) / 100.0 == pytest.approx(known.mean, rel=1e-5)
        expect(sd).to_be_hidden()
    else:
        page.locator("#smallest_difference").fill("3")
        assert float(mean) == pytest.approx(known.mean, rel=1e-5)
        assert float(sd.input_value()) == pytest.approx(known.sd, rel=1e-5)
    expect(page.locator("#situation-words")).to_contain_text(
        f"baseline {100 * known.mean:.4g}%" if known.sd is None else f"(standard deviation {known.sd:.4g})"
    )
    assert not any(text[-20:] in each for each in sent)


REFUSED = {
    "a gap": "x\n1\n\n0\nNA\n",
    "blank lines": "x\n\n\n12.5\n\n\n30\n",
    "an infinite one": "x\n1\ninf\n2\n",
    "no name": "12.5\n0\n30\n",
    "a word": "x\n1\nmany\n",
    "more cells than names": "x\n1,5\n2,5\n",
    "thousands or not": "x;y\n1,234;0\n2,345;0\n",
    "one outcome": "x\n1\n",
    "always the same": "x\n5\n5\n",
    "nothing": "",
    "another encoding": "x\nä\n".encode("latin-1"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_a_file_that_the_library_refuses_is_refused_in_nearly_its_words(visit, tmp_path, name):
    page = visit(ADDRESS)
    before = page.locator("#baseline").input_value()
    column = "x" if name == "thousands or not" else None
    chosen(page, tmp_path / "past.csv", REFUSED[name], column)
    with pytest.raises(SteadyarmError) as refused:
        past_data(tmp_path / "past.csv", column)
    expect(page.locator("#past-error")).not_to_be_empty()
    rule = str(refused.value).split(";")[0]
    own = page.locator("#past-error").inner_text().replace("A file must", "past data must")
    assert re.sub(r"^P", "p", own).startswith(rule)
    assert page.locator("#baseline").input_value() == before
    assert page.locator("#past").get_attribute("aria-invalid") == "true"
    chosen(page, tmp_path / "mended.csv", READ["signed up"][0], None)
    expect(page.locator("#past-error")).to_be_empty()
