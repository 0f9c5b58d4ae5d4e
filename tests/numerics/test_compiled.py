"""Compiled functions: once per machine and version of the sources, and said once."""

import os
import subprocess
import sys

from steadyarm.numerics.compiled import compiled, plain_function

SECOND_PROCESS = """
import sys
from numba.core import event
compiled = []
class Listener(event.Listener):
    def on_start(self, started): compiled.append(started.data["dispatcher"].py_func.__qualname__)
    def on_end(self, ended): pass
event.register("numba:compile", Listener())
import steadyarm as sa
policy = sa.SLEUCB(n_arms=3, horizon=500, constants="sharp")
sa.simulate(policy, sa.equal_gap(3, 0.5), runs=3)
play = policy.start(seed=1)
play.tell(play.ask(), 0.5)
print(compiled)
"""


def test_a_second_process_compiles_nothing():
    for _ in range(2):
        done = subprocess.run(
            [sys.executable, "-c", SECOND_PROCESS], capture_output=True, text=True, check=True
        )
    assert done.stdout.strip() == "[]"
    assert done.stderr == ""


CHANGED_CALLEE = """
import shutil, subprocess, sys
from pathlib import Path
import steadyarm
copy = Path(sys.argv[1]) / "steadyarm"
shutil.copytree(Path(steadyarm.__file__).parent, copy, ignore=shutil.ignore_patterns("__pycache__"))
show = "import steadyarm as sa; print(sa.reward_table(sa.equal_arms(2), pulls=2).tolist())"

def run():
    done = subprocess.run([sys.executable, "-c", show], cwd=copy.parent, capture_output=True, text=True)
    return done.stdout

before = run()
philox = copy / "numerics" / "philox.py"
philox.write_text(philox.read_text().replace("range(10)", "range(7)"))
assert before and run() not in ("", before)
"""


def test_a_change_in_a_called_file_recompiles_the_callers(tmp_path):
    subprocess.run([sys.executable, "-c", CHANGED_CALLEE, str(tmp_path)], check=True, cwd=tmp_path)


def test_the_users_own_numba_functions_get_no_notice_of_ours(capfd):
    import numba

    assert numba.njit(lambda x: x + 1)(1) == 2
    assert capfd.readouterr().err == ""


FIRST_COMPILATION = """
import steadyarm as sa
sa.reward_table(sa.equal_arms(2), pulls=4)
"""


def test_the_first_compilation_says_what_it_is_doing(tmp_path):
    environment = os.environ | {"NUMBA_CACHE_DIR": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", FIRST_COMPILATION], capture_output=True, text=True, check=True, env=environment
    )
    assert done.stderr == "steadyarm: compiling for first use; cached on disk ...\n"


def test_a_plain_function_stands_behind_a_compiled_one_and_for_itself():
    def twice(x):
        return 2 * x

    assert plain_function(compiled(twice)) is twice
    assert plain_function(twice) is twice
