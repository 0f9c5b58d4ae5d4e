"""The card: what is said where none answers, and where one fails."""

import sys

import pytest

import steadyarm as sa
from steadyarm.engines.cuda import card
from steadyarm.errors import DeviceError


def test_without_a_card_the_message_says_what_to_do(monkeypatch):
    from numba import cuda as numba_cuda

    monkeypatch.setattr(numba_cuda, "is_available", lambda: False)
    with pytest.raises(DeviceError, match=r"none answers .* use device='cpu'"):
        sa.simulate(sa.MOSS(n_arms=2, horizon=10), sa.equal_gap(2, 0.1), runs=1, device="cuda")


def test_without_the_extra_the_message_names_it(monkeypatch):
    monkeypatch.setattr(card, "find_spec", lambda _name: None)
    with pytest.raises(DeviceError, match=r"steadyarm\[gpu\]"):
        card.card_name()


def test_without_nvidias_libraries_the_message_says_how_to_install_them(monkeypatch):
    class Missing:
        def find_spec(self, name, *_):
            if name == "numba.cuda":
                raise RuntimeError("no such file:\n libcudart.so.13")

    monkeypatch.setattr(sys, "meta_path", [Missing(), *sys.meta_path])
    monkeypatch.delitem(sys.modules, "numba.cuda", raising=False)
    monkeypatch.delattr("numba.cuda", raising=False)
    with pytest.raises(
        DeviceError, match=r"\(no such file: libcudart.so.13\).*numba-cuda\[cu13\].*device='cpu'"
    ):
        card.card_name()


def test_a_failing_card_is_explained():
    from numba.cuda.cudadrv.driver import CudaAPIError

    with (
        pytest.raises(DeviceError, match="too little free memory for 1,000 runs of 5 arms"),
        card.explained(1000, 5),
    ):
        raise CudaAPIError(2, "Call to cuMemAlloc results in CUDA_ERROR_OUT_OF_MEMORY")
    with pytest.raises(DeviceError, match="the GPU failed"), card.explained(1000, 5):
        raise CudaAPIError(700, "CUDA_ERROR_ILLEGAL_ADDRESS")
