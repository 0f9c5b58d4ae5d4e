"""Engines: several ways to the same numbers; `simulate` picks."""

from steadyarm.engines.simulate import Simulation, simulate

__all__ = ["Simulation", "simulate"]
