"""The exact law of a small trial: two arms, 0/1 rewards, no random number."""
