"""Policies whose index of an arm depends on that arm's own pulls and rewards; one policy, one file."""
