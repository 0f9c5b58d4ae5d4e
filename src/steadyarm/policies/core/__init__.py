"""What a policy is: the record of its parameters, its play, and the two forms of a rule."""
