"""Several policies on the same rewards."""
