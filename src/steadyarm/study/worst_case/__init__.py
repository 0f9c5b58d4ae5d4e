"""The instance of a policy's class on which it loses most, or is the least steady; for one policy or many."""
