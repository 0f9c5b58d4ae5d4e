"""The engines' kernels, compiled: `make test` runs this file, lest two processes of tests compile the same at once."""

import steadyarm as sa
from steadyarm.engines.choice import ENGINES


def compile_kernels():
    """Play a run on each engine, which leaves its kernels in Numba's cache."""
    for engine in ENGINES:
        sa.simulate(sa.SLEUCB(n_arms=2, horizon=100), sa.equal_arms(2), runs=1, engine=engine)


if __name__ == "__main__":
    compile_kernels()
