"""Settings of all tests: the same examples in every run, and no deadline, as a first call may compile."""

from hypothesis import settings

settings.register_profile("steadyarm", deadline=None, derandomize=True)
settings.load_profile("steadyarm")
