"""Seven machine operations that Python lacks: in plain Python, and as one instruction in compiled code.

Compiled functions name the plain functions below; Numba replaces them by the instruction, so that the same
source runs in both worlds and gives the same bits. A `rough_root` alone may have others.
"""

import math
import struct
from collections.abc import Callable
from typing import Any

import numpy as np
from numba import types
from numba.extending import intrinsic, overload


def fma(a: float, b: float, c: float) -> float:
    """Return a·b + c rounded once.

    In plain Python the exact rational result is rounded; compiled code uses the machine's instruction.

    >>> fma(0.1, 10.0, -1.0)
    5.551115123125783e-17
    """
    (an, ad), (bn, bd), (cn, cd) = a.as_integer_ratio(), b.as_integer_ratio(), c.as_integer_ratio()
    return (an * bn * cd + cn * ad * bd) / (ad * bd * cd)


def bits_of(x: float) -> int:
    """Return the 64 bits of a double as an unsigned integer."""
    return int(struct.unpack("<Q", struct.pack("<d", x))[0])


def float_of(bits: int | np.uint64) -> float:
    """Return the double that has these 64 bits."""
    return float(struct.unpack("<d", struct.pack("<Q", int(bits)))[0])


def bits_of_single(x: np.float32) -> np.uint32:
    """Return the 32 bits of a number of single precision."""
    return np.uint32(np.float32(x).view(np.uint32))


def single_of(bits: np.uint32) -> np.float32:
    """Return the number of single precision that has these 32 bits."""
    return np.float32(np.uint32(bits).view(np.float32))


def rough_root(x: np.float32) -> np.float32:
    """Return about the square root of a number of single precision: a GPU has one instruction for that."""
    return np.float32(math.sqrt(x))


def wide_product(a: int | np.uint64, b: int | np.uint64) -> np.uint64:
    """Return the 64-bit product of two words below 2³².

    >>> int(wide_product(0xFFFFFFFF, 0xFFFFFFFF)) == 0xFFFFFFFF**2
    True
    """
    return np.uint64(int(a) * int(b))


@intrinsic
def _fma(_context: Any, a: Any, b: Any, c: Any) -> Any:
    def emit(_target: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.fma(*arguments)

    return types.float64(a, b, c), emit


def bit_cast(intrinsic: Any, target: Any) -> Any:
    """Return what gives a number's bits another type, by the `intrinsic` of the CPU or of a GPU."""

    def cast(_context: Any, x: Any) -> Any:
        def emit(context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
            return builder.bitcast(arguments[0], context.get_value_type(target))

        return target(x), emit

    return intrinsic(cast)


_to_bits, _to_float = bit_cast(intrinsic, types.uint64), bit_cast(intrinsic, types.float64)
_to_single_bits, _to_single = bit_cast(intrinsic, types.uint32), bit_cast(intrinsic, types.float32)


@overload(fma, strict=False)
def _compiled_fma(a: Any, b: Any, c: Any) -> Callable[..., Any]:  # noqa: ARG001
    return lambda a, b, c: _fma(np.float64(a), np.float64(b), np.float64(c))  # type: ignore[call-arg]


@overload(bits_of, strict=False)
def _compiled_bits_of(x: Any) -> Callable[..., Any]:  # noqa: ARG001
    return lambda x: _to_bits(np.float64(x))


@overload(float_of, strict=False)
def _compiled_float_of(bits: Any) -> Callable[..., Any]:  # noqa: ARG001
    return lambda bits: _to_float(np.uint64(bits))


@overload(bits_of_single, strict=False)
def _compiled_bits_of_single(x: Any) -> Callable[..., Any]:  # noqa: ARG001
    return lambda x: _to_single_bits(np.float32(x))


@overload(single_of, strict=False)
def _compiled_single_of(bits: Any) -> Callable[..., Any]:  # noqa: ARG001
    return lambda bits: _to_single(np.uint32(bits))


@overload(rough_root, strict=False)
def _compiled_rough_root(x: Any) -> Callable[..., Any]:  # noqa: ARG001
    return lambda x: math.sqrt(np.float32(x))


@overload(wide_product, strict=False)
def _compiled_wide_product(a: Any, b: Any) -> Callable[..., Any]:  # noqa: ARG001
    return lambda a, b: np.uint64(a) * np.uint64(b)
