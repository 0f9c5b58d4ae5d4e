"""Planning: from a goal to a policy, with what it is expected to cost, what is guaranteed and what others do."""
