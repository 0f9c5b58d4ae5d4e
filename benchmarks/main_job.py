"""Measures the main job in a fresh clone of this repository: what `make frontier` takes the first time, and then.

`python benchmarks/main_job.py` prints the seconds of installing, of the first run, and of the next one, for which
nothing is left to compile but everything to be played. With `--out benchmarks/results` it writes main_job.json there,
from which `tools/speed_page.py` takes them. It clones what is committed.
"""

import argparse
import json
import os
import shutil
import subprocess
import tempfile
import time
from dataclasses import asdict
from pathlib import Path

from steadyarm.study.bench.report import Machine

HERE = Path(__file__).parent


def seconds(words, folder):
    """Run a command to its end, as somebody who knows nothing of this environment, and return how long it took."""
    own = ("VIRTUAL_ENV", "PYTHONPATH", "NUMBA_CACHE_DIR", "MAKEFLAGS", "MAKELEVEL")
    environment = {name: value for name, value in os.environ.items() if name not in own}
    begun = time.perf_counter()
    subprocess.run(words, cwd=folder, env=environment, check=True, stdout=subprocess.DEVNULL)
    return round(time.perf_counter() - begun, 1)


def measure(folder):
    subprocess.run(["git", "clone", "--quiet", HERE.parent, folder], check=True)
    found = {"install_s": seconds(["make", ".venv/.run"], folder)}
    found["first_s"] = seconds(["make", "frontier"], folder)
    shutil.rmtree(folder / "results")
    found["next_s"] = seconds(["make", "frontier"], folder)
    return found


def main():
    parser = argparse.ArgumentParser(description="Measure `make frontier` in a fresh clone.")
    parser.add_argument("--out", type=Path, help="folder for main_job.json")
    options = parser.parse_args()
    machine = Machine.this()
    with tempfile.TemporaryDirectory() as folder:
        found = measure(Path(folder) / "steadyarm")
    print(json.dumps(found))
    if options.out is not None:
        record = {"machine": asdict(machine), **found}
        (options.out / "main_job.json").write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
