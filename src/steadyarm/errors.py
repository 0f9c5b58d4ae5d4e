"""The exceptions of steadyarm: one small tree, each message with the rule, the value and the remedy."""


class SteadyarmError(Exception):
    """The root: catch this to catch everything steadyarm raises on purpose."""


class InvalidInput(SteadyarmError, ValueError):
    """A value breaks a stated rule."""


class CannotBeHad(InvalidInput):
    """A goal that nothing meets; the message says what can be had."""


class InvalidType(InvalidInput, TypeError):
    """A value is not of a kind that the rule could apply to: a string for a number, say."""


class OutsideClass(InvalidInput):
    """An instance lies outside the class (M, σ) for which a policy was built."""


class PlayError(SteadyarmError, RuntimeError):
    """A call that the state of a play does not allow."""


class HorizonReached(PlayError):
    """A play was asked for a round after its last one."""


class NotSupported(InvalidInput):
    """A policy, instance or engine cannot be combined in this way."""


class DeviceError(SteadyarmError, RuntimeError):
    """A GPU is missing, has too little memory, or failed."""


class PolicyError(SteadyarmError, ValueError):
    """A policy of the user's own cannot be compiled, or does what no policy may: it chooses no arm, say."""


class NotCompiled(PolicyError):
    """A rule of the user's own cannot be compiled; the reference engine plays it as plain Python."""


class OtherStudy(InvalidInput):
    """A folder holds a study of another configuration than the one that was asked for."""


class ClusterError(SteadyarmError, RuntimeError):
    """A Dask cluster cannot be reached, was lost, or cannot do the work."""


class SimulationInterrupted(SteadyarmError, KeyboardInterrupt):
    """Ctrl-C during a simulation. `partial` holds the result of the runs that were finished, or None."""

    def __init__(self, message: str, partial: object | None = None) -> None:
        super().__init__(message)
        self.partial = partial
