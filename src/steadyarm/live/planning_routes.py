"""Plans and simulations over HTTP."""

from __future__ import annotations

from fastapi import FastAPI

from steadyarm.live.service import Service


def add_planning_routes(app: FastAPI, service: Service) -> None:
    """Add them."""
