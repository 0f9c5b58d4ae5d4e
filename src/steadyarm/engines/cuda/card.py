"""The graphics card: whether there is one, and what its driver's errors mean."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from typing import Any

from steadyarm.errors import DeviceError

LANES = 32
"""Threads of a block that keeps its runs' state in shared memory."""


def card_name() -> str:
    """Return the name of the card that is used."""
    name: str | bytes = card().name
    return name.decode() if isinstance(name, bytes) else name


def card() -> Any:
    """Return the current device, or say what is missing and what to do."""
    if find_spec("numba_cuda") is None:
        raise DeviceError(
            "device='cuda' needs numba-cuda, which is not installed. Install steadyarm[gpu], or use device='cpu'."
        )
    try:
        from numba import cuda
    except RuntimeError as error:  # of cuda-pathfinder, which is not there to be named before numba-cuda is
        missing = " ".join(str(error).split())
        raise DeviceError(
            f"device='cuda' needs NVIDIA's CUDA libraries, and one is not on this machine ({missing}). Install them "
            "with pip install 'numba-cuda[cu13]', or [cu12] for a driver of CUDA 12; or use device='cpu'."
        ) from error
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
def explained(runs: int, n_arms: int) -> Iterator[None]:
    """Turn the driver's errors into ones that say what to do."""
    from numba.cuda.cudadrv.driver import CudaAPIError

    try:
        yield
    except CudaAPIError as error:
        if "OUT_OF_MEMORY" in str(error):
            raise DeviceError(
                f"the GPU has too little free memory for {runs:,} runs of {n_arms:,} arms. "
                "Close other programs that use it, ask for fewer runs, or use device='cpu'."
            ) from error
        raise DeviceError(
            f"the GPU failed: {error}. Try again; if it fails again, use device='cpu', which gives the same counts."
        ) from error
