"""By which general policies choose: what a rule is, how it is compiled, and what several rules share."""
