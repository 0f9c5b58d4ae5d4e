"""`step` and `prefix` on a GPU: the same counts as on the CPU, bit for bit.

Runs are cut into batches that fit into the card's memory, and the rounds of a batch into launches of a
fraction of a second, between which Ctrl-C and the progress bar get their turn. `batches.py` holds the state of
a batch, `kernels.py` and `rules.py` what runs on the card, `operations.py` how that is compiled.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from typing import Any, cast

from steadyarm.engines.played.arms import Integers
from steadyarm.engines.pool import PlayRange
from steadyarm.errors import DeviceError
from steadyarm.model.instance import Instance
from steadyarm.policies.core.base import OwnHistoryPolicy, Policy
from steadyarm.policies.core.rules import RulePolicy, has_index

ENGINES = ("prefix", "step")

_SECONDS = 0.2  # that a launch should take
_FIRST_ROUNDS = 1 << 12  # of the first launch, whose speed tells how long the next may be


def supports(engine: str, policy: Policy) -> bool:
    """Whether this engine can play the policy on a GPU: own-history policies, and by `step` rules with an index."""
    if isinstance(policy, OwnHistoryPolicy):
        return True
    return engine == "step" and isinstance(policy, RulePolicy) and has_index(policy.parameters)


def card_name() -> str:
    """Return the name of the card that is used."""
    name: str | bytes = _card().name
    return name.decode() if isinstance(name, bytes) else name


def _card() -> Any:
    """Return the current device, or say what is missing and what to do."""
    if find_spec("numba_cuda") is None:
        raise DeviceError(
            "device='cuda' needs numba-cuda, which is not installed. Install steadyarm[gpu], or use device='cpu'."
        )
    from numba import cuda

    if not cuda.is_available():
        raise DeviceError(
            "device='cuda' needs an NVIDIA GPU and its driver, and none answers on this machine"
            f"{_reason()}. Check that nvidia-smi shows a card, or use device='cpu'."
        )
    return cuda.get_current_device()


def _reason() -> str:
    """Return what the driver says, in brackets, if it says anything."""
    from numba import cuda

    error = getattr(cuda, "cuda_error", lambda: None)()
    words = " ".join(str(error).split()) if error is not None else ""
    return f" ({words})" if words else ""


@contextmanager
def _explained(runs: int, n_arms: int) -> Iterator[None]:
    """Turn the driver's errors into ones that say what to do."""
    from numba.cuda.cudadrv.driver import CudaAPIError

    try:
        yield
    except CudaAPIError as error:
        if "OUT_OF_MEMORY" in str(error):
            raise DeviceError(
                f"the GPU has too little free memory for {runs:,} runs of {n_arms:,} arms. "
                "Close what else uses the card, ask for fewer runs, or use device='cpu'."
            ) from error
        raise DeviceError(
            f"the GPU failed: {error}. Try again; if it stays so, use device='cpu', which gives the same counts."
        ) from error


def prepare(engine: str, policy: Policy, instance: Instance, seed: int) -> PlayRange:
    """Return a function that plays a range of runs on the card, one row of counts a run."""
    _card()
    from steadyarm.engines.cuda.batches import IndexGame, RuleGame

    game: IndexGame | RuleGame
    if isinstance(policy, OwnHistoryPolicy):
        game = IndexGame(policy, instance, seed, cut=engine == "prefix")
    else:
        game = RuleGame(cast(RulePolicy, policy), instance, seed)

    def play_range(first_run: int, counts: Integers, stop: Integers, done: Integers) -> None:
        with _explained(len(counts), policy.n_arms):
            batch = game.batch(first_run, len(counts))
            rounds = _FIRST_ROUNDS
            while stop[0] == 0:
                begun = time.perf_counter()
                done[0] = batch.advance(rounds)
                if done[0] == len(counts) * policy.horizon:
                    batch.read_counts(counts)
                    return
                spent = time.perf_counter() - begun
                rounds = max(1, int(rounds * min(8.0, max(0.125, _SECONDS / spent))))

    play_range.batch = game.runs_at_once  # type: ignore[attr-defined]
    return play_range
