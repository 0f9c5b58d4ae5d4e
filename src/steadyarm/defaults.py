"""Numbers that are taken where nothing is said, each once: the command line prints them and loads no study."""

CLAIM_ARMS, CLAIM_HORIZON = 3, 2000
"""The size of the policies on which `verify` checks what holds for every policy."""
