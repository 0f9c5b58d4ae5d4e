"""Prints which share of the lines the tests have run, by room; `make coverage` measures it.

Compiled functions are left out: Numba runs them unseen, and the tests compare what they return with plain Python.
"""

from collections import defaultdict

from coverage import Coverage


def rooms():
    """Return the lines and the lines that were run, of each room."""
    measured = Coverage()
    measured.load()
    found = defaultdict(lambda: [0, 0])
    for file in sorted(measured.get_data().measured_files()):
        _, lines, _, missing, _ = measured.analysis2(file)
        room = file.rpartition("steadyarm/")[2].split("/")[:-1]
        counted = found["/".join(room[:2]) or "."]
        counted[0] += len(lines)
        counted[1] += len(lines) - len(missing)
    return dict(sorted(found.items()))


def main():
    table = rooms()
    table["all"] = [sum(column) for column in zip(*table.values(), strict=True)]
    print(f"{'room':<24}{'lines':>8}{'run':>8}")
    for room, (lines, run) in table.items():
        print(f"{room:<24}{lines:>8,}{run / lines:>8.0%}")


if __name__ == "__main__":
    main()
