"""Numbers that are taken where nothing is said, each once: the command line prints them and loads no study."""

RUNS = 1000
"""Independent runs of a simulation, of each policy of a comparison, and of a worst case that was found."""

SHARE_RUNS = 2000
"""Runs of `coverage` and `trial`, which measure shares of them."""

LEVEL = 0.95
"""The confidence level of the intervals of studies and plans."""

ARMS = 2
"""The arms of a plan, and of the class over which a policy given by name has its worst case."""

CLAIM_ARMS, CLAIM_HORIZON = 3, 2000
"""The size of the policies on which `verify` checks what holds for every policy."""

WORST_CASE_HORIZON = 10_000
"""The rounds of a policy given by name that `worst_case` looks at."""

SEARCH_STEPS, SEARCH_RUNS = 40, 64
"""How many instances a search for a worst case may try beyond the families, and the runs on each of all it tries."""

FRONTIER_ARMS, FRONTIER_HORIZON = 10, 100_000
FRONTIER_ALPHAS = (0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0)
FRONTIER_RIVALS = "all"
FRONTIER_PATIENCE = 20.0
"""Seconds of CPU time that a rival's fewest runs may take."""

SCALING_HORIZON = 10**12
"""The longest of the horizons, a decade apart."""
SCALING_PATIENCE = 120.0

WORST_CASES_RUNS = 400
"""Runs of `frontier` and `scaling`, which measure the worst cases of many policies."""

ANCHOR_ENTRIES, ANCHOR_MINUTES = 1000, 10.0
"""The head of a live experiment's journal is sent after so many more entries, or so many minutes after a change."""
