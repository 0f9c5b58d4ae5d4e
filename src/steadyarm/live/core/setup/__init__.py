"""What an experiment is made from: its configuration, checked, and what a replay needs of it."""
