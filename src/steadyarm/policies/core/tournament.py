"""Which of many arms comes first, kept up to date in O(log K) steps when one arm's key changes."""

from typing import Any


class Tournament:
    """A winner tree over comparable keys; the smallest key wins.

    >>> tree = Tournament([3, 1, 2])
    >>> tree.winner
    1
    >>> tree.update(1, 9)
    >>> tree.winner
    2
    """

    def __init__(self, keys: list[Any]) -> None:
        self._keys = list(keys)
        self._leaves = 1 << (len(keys) - 1).bit_length()
        self._nodes = [-1] * self._leaves + list(range(len(keys))) + [-1] * (self._leaves - len(keys))
        for node in range(self._leaves - 1, 0, -1):
            self._nodes[node] = self._better(self._nodes[2 * node], self._nodes[2 * node + 1])

    @property
    def winner(self) -> int:
        """The place of the smallest key."""
        return self._nodes[1]

    def update(self, place: int, key: Any) -> None:
        """Give a place another key."""
        self._keys[place] = key
        node = (self._leaves + place) // 2
        while node:
            self._nodes[node] = self._better(self._nodes[2 * node], self._nodes[2 * node + 1])
            node //= 2

    def _better(self, left: int, right: int) -> int:
        if left < 0 or right < 0:
            return max(left, right)
        return left if self._keys[left] <= self._keys[right] else right
