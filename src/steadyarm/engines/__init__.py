"""Engines: several ways to the same numbers; `simulate.py` picks."""
