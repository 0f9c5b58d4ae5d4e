"""The winner tree always knows the smallest key."""

from hypothesis import given
from hypothesis import strategies as st

from steadyarm.policies.core.tournament import Tournament


@given(
    keys=st.lists(st.integers(0, 5), min_size=1, max_size=20),
    updates=st.lists(st.tuples(st.integers(0, 19), st.integers(0, 5)), max_size=30),
)
def test_the_winner_is_the_place_of_the_smallest_key(keys, updates):
    keyed = [(key, place) for place, key in enumerate(keys)]
    tree = Tournament(keyed)
    assert tree.winner == keyed.index(min(keyed))
    for place, key in updates:
        place %= len(keys)
        keyed[place] = (key, place)
        tree.update(place, keyed[place])
        assert tree.winner == keyed.index(min(keyed))
