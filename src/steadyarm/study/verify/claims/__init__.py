"""The claims of the paper as checks: one module for each part of it; `registry.py` lists them."""

from steadyarm.study.verify.claims.base import Claim, Finding, Setting
from steadyarm.study.verify.claims.registry import ABOUT_EVERY_POLICY, CLAIMS

__all__ = ["ABOUT_EVERY_POLICY", "CLAIMS", "Claim", "Finding", "Setting"]
