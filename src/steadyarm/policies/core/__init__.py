"""What a policy is: the record of its parameters, its play, and its curves."""
