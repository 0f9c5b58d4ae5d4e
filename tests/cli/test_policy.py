"""`steadyarm policy new`: what it writes works as it stands, in an empty folder."""

import subprocess
import sys

import pytest

from steadyarm import testing
from steadyarm.cli.options.policy import policy_class
from steadyarm.cli.policy import KINDS


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    return tmp_path


def run(folder, *words):
    done = subprocess.run([sys.executable, "-m", *words], cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.slow
def test_from_an_empty_folder_to_a_comparison_by_the_printed_words(steadyarm, folder):
    said = steadyarm("policy", "new", "my_policy.py")
    assert said.err.splitlines() == ["wrote my_policy.py", "wrote test_my_policy.py"]
    head, check, compare = said.out.splitlines()
    assert head == "Next:"
    assert check.split() == ["pytest", "test_my_policy.py"]
    assert " 15 passed" in run(folder, *check.split(), "-p", "no:cacheprovider")
    assert "my policy" in steadyarm(*compare.split()[1:], "--runs", "20").out


@pytest.mark.slow
@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("kind", KINDS)
def test_a_play_of_every_kind_can_be_saved(steadyarm, kind):
    name = f"my_{kind}_policy"
    steadyarm("policy", "new", f"{name}.py", "--kind", kind)
    written = policy_class(f"{name}:My{kind.title()}Policy")(n_arms=3, horizon=60)
    testing.it_comes_back_from_its_dict(written)
    testing.a_saved_play_goes_on(written)


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_written_is_in_the_house_style(steadyarm, folder, kind):
    steadyarm("policy", "new", "my_policy.py", "--kind", kind)
    for words in (["check", "--isolated"], ["format", "--check", "--isolated", "--line-length", "110"]):
        run(folder, "ruff", *words, "my_policy.py", "test_my_policy.py")


def test_the_next_steps_begin_in_the_folder_of_the_file(steadyarm, folder):
    (folder / "inner").mkdir()
    assert "  cd inner\n" in steadyarm("policy", "new", "inner/greedy_2.py").out
    assert "class Greedy2(RulePolicy)" in (folder / "inner" / "greedy_2.py").read_text()


@pytest.mark.parametrize("there", ["my_policy.py", "test_my_policy.py"])
def test_nothing_is_written_over(steadyarm, folder, there):
    (folder / there).write_text("mine")
    said = steadyarm("policy", "new", "my_policy.py", code=2).err
    assert (
        said == f"steadyarm: {there} exists and is not overwritten. Choose another name, or move it away.\n"
    )
    assert [path.name for path in folder.iterdir()] == [there]
    assert (folder / there).read_text() == "mine"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["3arms.py"], "like my_policy.py; got '3arms.py'."),
        (["my-policy.py"], "like my_policy.py; got 'my-policy.py'."),
        (["class.py"], "like my_policy.py; got 'class.py'."),
        (["_.py"], "like my_policy.py; got '_.py'."),
        (["my_policy"], "like my_policy.py; got 'my_policy'."),
        (["random.py"], "'random' is one of Python's or steadyarm's. Try my_random.py."),
        (["MOSS.py"], "'MOSS' is one of Python's or steadyarm's. Try my_MOSS.py."),
        (["numpy.py"], "'numpy' is a module that is installed ("),
        (["numba.py"], "which nothing in its folder could import any more. Try my_numba.py."),
        (["my_policy.py", "--kind", "best"], "--kind must be one of index, state, random; got 'best'."),
        (
            ["nowhere/my_policy.py"],
            "the folder nowhere must be there; it is not. Make it with: mkdir -p nowhere",
        ),
    ],
)
def test_a_name_that_cannot_be_imported_is_refused_with_the_remedy(steadyarm, folder, words, said):
    refused = steadyarm("policy", "new", *words, code=2).err
    assert said in refused
    assert len(refused.splitlines()) == 1
    assert list(folder.iterdir()) == []
