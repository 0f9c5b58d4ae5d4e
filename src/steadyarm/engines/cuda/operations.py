"""How kernels are compiled, and what Numba's CUDA target must be told about the functions shared with the CPU.

Importing this module teaches the target the machine operations of `numerics/operations.py` and the dispatch to general
policies' rules; everything else of the scalar code is compiled for the GPU as it stands. The fused
multiply–add is written out everywhere, so that the GPU's compiler has no a·b + c of its own to contract and
every device gets the same bits.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from llvmlite import ir
from numba import cuda, types
from numba.cuda.core import config
from numba.cuda.extending import intrinsic, overload

from steadyarm.numerics.compiled import package_stamp
from steadyarm.numerics.operations import (
    bit_cast,
    bits_of,
    bits_of_single,
    float_of,
    fma,
    rough_root,
    single_of,
    wide_product,
)
from steadyarm.policies.rules import dispatch, glances

# A batch of few runs is what the user asked for and nothing to warn of.
config.CUDA_LOW_OCCUPANCY_WARNINGS = False


def kernel(function: Callable[..., None]) -> Any:
    """Compile a kernel, once per machine and version of the sources."""
    try:
        dispatcher = cuda.jit(cache=True)(function)
    except RuntimeError:  # no place on this machine where a cache could be written
        return cuda.jit(function)
    if hasattr(dispatcher, "_cache"):  # the simulator has none
        dispatcher._cache._cache_file._version += package_stamp()
    return dispatcher


def inlined(function: Callable[..., Any]) -> Any:
    """Compile a function into the kernels that call it."""
    simulated = config.ENABLE_CUDASIM  # the simulator runs plain Python and knows no such option
    return cuda.jit(device=True, **({} if simulated else {"forceinline": True}))(function)


def shared_with_cpu(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a compiled CPU function that takes arrays for use in kernels.

    The target compiles it for the GPU as it stands; the simulator calls it, and has to unwrap its arrays first.
    """
    if not config.ENABLE_CUDASIM:
        return function

    def unwrapped(argument: Any) -> Any:
        return getattr(getattr(argument, "_item", argument), "_ary", argument)

    return lambda *arguments: function(*map(unwrapped, arguments))


@overload(fma, strict=False)
def _fma(a: Any, b: Any, c: Any) -> Callable[..., Any]:  # noqa: ARG001
    return lambda a, b, c: cuda.fma(np.float64(a), np.float64(b), np.float64(c))


_cast_to_bits, _cast_to_float = bit_cast(intrinsic, types.uint64), bit_cast(intrinsic, types.float64)
_cast_to_single_bits, _cast_to_single = bit_cast(intrinsic, types.uint32), bit_cast(intrinsic, types.float32)


@overload(bits_of, strict=False)
def _bits_of(x: Any) -> Callable[..., Any]:  # noqa: ARG001
    return lambda x: _cast_to_bits(np.float64(x))


@overload(float_of, strict=False)
def _float_of(bits: Any) -> Callable[..., Any]:  # noqa: ARG001
    return lambda bits: _cast_to_float(np.uint64(bits))


@overload(bits_of_single, strict=False)
def _bits_of_single(x: Any) -> Callable[..., Any]:  # noqa: ARG001
    return lambda x: _cast_to_single_bits(np.float32(x))


@overload(single_of, strict=False)
def _single_of(bits: Any) -> Callable[..., Any]:  # noqa: ARG001
    return lambda bits: _cast_to_single(np.uint32(bits))


@intrinsic
def _approximate_root(_context: Any, x: Any) -> Any:
    def emit(_target: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        kind = ir.FunctionType(ir.FloatType(), [ir.FloatType()])  # right to within 2⁻²² of itself
        return builder.asm(kind, "sqrt.approx.ftz.f32 $0, $1;", "=f,f", arguments, False)

    return types.float32(x), emit


@overload(rough_root, strict=False)
def _rough_root(x: Any) -> Callable[..., Any]:  # noqa: ARG001
    return lambda x: _approximate_root(np.float32(x))


@intrinsic
def _multiply_words(_context: Any, a: Any, b: Any) -> Any:
    def emit(_target: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        # One instruction; left to itself the compiler takes three for a product of 64-bit registers.
        words = [builder.trunc(word, ir.IntType(32)) for word in arguments]
        kind = ir.FunctionType(ir.IntType(64), [ir.IntType(32), ir.IntType(32)])
        return builder.asm(kind, "mul.wide.u32 $0, $1, $2;", "=l,r,r", words, False)

    return types.uint64(a, b), emit


@overload(wide_product, strict=False)
def _wide_product(a: Any, b: Any) -> Callable[..., Any]:  # noqa: ARG001
    return lambda a, b: _multiply_words(np.uint64(a), np.uint64(b))


def pair_at(array: Any, place: Any) -> Any:
    """Return two neighbouring numbers, the first at an even place."""
    return array[place], array[place + 1]


@intrinsic
def _load_pair(_context: Any, array: Any, place: Any) -> Any:
    def emit(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        # One instruction for both, of memory that no kernel writes to.
        numbers = context.make_array(signature.args[0])(context, builder, arguments[0])
        address = builder.ptrtoint(builder.gep(numbers.data, [arguments[1]]), ir.IntType(64))
        double = ir.DoubleType()
        kind = ir.FunctionType(ir.LiteralStructType([double, double]), [ir.IntType(64)])
        both = builder.asm(kind, "ld.global.nc.v2.f64 {$0, $1}, [$2];", "=d,=d,l", [address], False)
        parts = [builder.extract_value(both, place) for place in range(2)]
        return context.make_tuple(builder, signature.return_type, parts)

    return types.UniTuple(types.float64, 2)(array, place), emit


@overload(pair_at, strict=False)
def _pair_at(array: Any, place: Any) -> Callable[..., Any]:  # noqa: ARG001
    return lambda array, place: _load_pair(array, np.int64(place))


for _dispatched, _rule in (
    (dispatch.index_of, dispatch._index_of),
    (dispatch.choose_by, dispatch._choose_by),
    (dispatch.largest_of_close, dispatch._compiled_largest_of_close),
    (glances.glance_of, glances._glance_of),
    (dispatch.update_by, dispatch._update_by),
    (dispatch.keep_by, dispatch._keep_by),
):
    overload(_dispatched, strict=False)(_rule)
