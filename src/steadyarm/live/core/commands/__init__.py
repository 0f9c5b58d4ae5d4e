"""What can be asked of the writer: of an experiment, of its units, and of those that were served a default."""
