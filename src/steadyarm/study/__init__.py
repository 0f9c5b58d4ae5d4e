"""Studies, one room each: what many simulations together show, saved and drawn."""
