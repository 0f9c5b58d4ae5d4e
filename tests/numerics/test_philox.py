"""Philox4x32-10 against the known-answer vectors published with Random123."""

import numpy as np
import pytest

from steadyarm.numerics.philox import philox, words_at

KNOWN_ANSWERS = [
    ((0, 0, 0, 0), (0, 0), (0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8)),
    (
        (0xFFFFFFFF, 0xFFFFFFFF, 0xFFFFFFFF, 0xFFFFFFFF),
        (0xFFFFFFFF, 0xFFFFFFFF),
        (0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD),
    ),
    (
        (0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344),
        (0xA4093822, 0x299F31D0),
        (0xD16CFE09, 0x94FDCCEB, 0x5001E420, 0x24126EA1),
    ),
]


@pytest.mark.parametrize(("counter", "key", "expected"), KNOWN_ANSWERS)
def test_compiled_and_plain_philox_give_the_published_words(counter, key, expected):
    arguments = [np.uint64(word) for word in (*counter, *key)]
    assert tuple(map(int, philox(*arguments))) == expected
    assert tuple(map(int, philox.py_func(*arguments))) == expected


def test_the_words_of_a_block_are_philox_at_a_counter_of_block_stream_arm_and_run():
    seed, run, arm, stream, block = 0x1234567_89ABCDEF, 5, 77, 3, (1 << 40) + 9
    got = words_at(*(np.uint64(number) for number in (seed, run, arm, stream, block)))
    counter = (block & 0xFFFFFFFF, (block >> 32) | (stream << 24), arm, run)
    key = (seed & 0xFFFFFFFF, seed >> 32)
    assert got == philox(*(np.uint64(word) for word in (*counter, *key)))
