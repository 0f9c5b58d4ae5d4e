"""`step` and `prefix` on a GPU: the same counts as on the CPU, bit for bit.

`engine.py` cuts runs into batches, `batches.py` holds the state of a batch, `kernels.py` and `rules.py` are what runs
on the card, `operations.py` is how that is compiled.
"""
