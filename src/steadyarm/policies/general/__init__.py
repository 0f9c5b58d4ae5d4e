"""Policies that may look at everything; one policy, one file."""
