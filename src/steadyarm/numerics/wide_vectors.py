"""A compiler that uses a machine's widest vectors.

LLVM keeps to half of them on Intel's processors with AVX-512: other programs' few wide instructions would slow down all
that is around them. Our kernels are long loops of them, and a fifth faster so. Not a bit of a result depends on it.
"""

from typing import Any

from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import PassManager, register_pass
from numba.core.lowering import Lower
from numba.core.typed_passes import NativeLowering

_WIDEST = '"prefer-vector-width"="512"'


class _WideLower(Lower):
    """Writes LLVM's code for a function, with the attribute that asks for wide vectors."""

    def setup_function(self, fndesc: Any) -> None:
        super().setup_function(fndesc)  # type: ignore[no-untyped-call]
        # llvmlite's own `add` knows no attributes that have a value.
        set.add(self.function.attributes, _WIDEST)


@register_pass(mutates_CFG=True, analysis_only=False)  # type: ignore[no-untyped-call]
class _WideLowering(NativeLowering):
    """Numba's step that writes the code, by the class above."""

    _name = "wide_lowering"

    @property
    def lowering_class(self) -> type[Lower]:
        return _WideLower


class WideCompiler(CompilerBase):
    """Numba's ordinary steps with one of them replaced: a `pipeline_class` for `njit`."""

    def define_pipelines(self) -> list[PassManager]:
        """Return the steps from a function to machine code."""
        pipeline = DefaultPassBuilder.define_nopython_pipeline(self.state)  # type: ignore[no-untyped-call]
        ours = PassManager(pipeline.pipeline_name)  # type: ignore[no-untyped-call]
        for step, what in pipeline.passes:
            ours.add_pass(_WideLowering if step is NativeLowering else step, what)  # type: ignore[no-untyped-call]
        ours.finalize()  # type: ignore[no-untyped-call]
        return [ours]
