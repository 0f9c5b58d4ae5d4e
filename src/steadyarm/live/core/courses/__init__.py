"""A play of an experiment, and what came of its units: those that got an arm, and those that are held out."""
