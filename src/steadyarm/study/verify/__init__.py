"""The paper, executed: `study.py` runs the claims, `claims/` states them."""
