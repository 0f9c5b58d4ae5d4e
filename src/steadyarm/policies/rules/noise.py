"""A policy's own randomness: pure functions of (seed, run, round, place), from a stream of its own.

So rewards stay common to all policies, and a restored play goes on exactly.
"""

from typing import NamedTuple

import numpy as np

from steadyarm.model.table import uniform
from steadyarm.numerics.arithmetic import gaussian_pair
from steadyarm.numerics.arrays import Floats, HalfWords, Singles
from steadyarm.numerics.compiled import compiled, inlined
from steadyarm.numerics.philox import CHOICES, Words, words_at
from steadyarm.numerics.rough import rough_normal


class Noise(NamedTuple):
    """The address of a policy's own random numbers in one round."""

    seed: np.uint64
    run: int
    round: int


NO_NOISE = Noise(np.uint64(0), 0, 0)


@inlined
def words_of(noise: Noise, place: int, attempt: int) -> Words:
    """Return four random words for a place (an arm, say) of a round; `attempt` < 250 gives fresh ones."""
    return words_at(
        noise.seed,
        np.uint64(noise.run),
        np.uint64(place),
        np.uint64(CHOICES + attempt),
        np.uint64(noise.round),
    )


@compiled
def uniform_at(noise: Noise, place: int) -> float:
    """Return a uniform number in (0, 1)."""
    return uniform(words_of(noise, place, 0)[0])


@compiled
def fill_uniforms(noise: Noise, uniforms: Floats) -> None:
    """Write the uniform number at place 0 of each lane; the first has the `noise`, the others are the runs after it."""
    for lane in range(uniforms.size):
        uniforms[lane] = uniform(words_of(Noise(noise.seed, noise.run + lane, noise.round), 0, 0)[0])


@inlined
def normal_at(noise: Noise, place: int) -> float:
    """Return a standard normal."""
    words = words_of(noise, place, 0)
    return gaussian_pair(words[0], words[1])[0]


@inlined
def rough_normal_at(noise: Noise, place: int) -> float:
    """Return what `normal_at` returns, to within `ROUGH_ERROR`."""
    words = words_of(noise, place, 0)
    return float(rough_normal(np.uint32(words[0]), np.uint32(words[1])))


class RoughNormals(NamedTuple):
    """Rough normals of all arms in all lanes, flat with a row for each arm, and the words that they are made of."""

    normals: Singles
    radius_words: HalfWords
    angle_words: HalfWords


@compiled
def fill_words(noise: Noise, lanes: int, radius_words: HalfWords, angle_words: HalfWords) -> None:
    """Write the words of all arms and lanes; the first lane has the `noise`, the others are the runs after it."""
    for first in range(0, radius_words.size, lanes):
        radii, angles = radius_words[first : first + lanes], angle_words[first : first + lanes]
        for lane in range(lanes):
            words = words_of(Noise(noise.seed, noise.run + lane, noise.round), first // lanes, 0)
            radii[lane], angles[lane] = np.uint32(words[0]), np.uint32(words[1])


@compiled
def fill_normals(radius_words: HalfWords, angle_words: HalfWords, normals: Singles) -> None:
    """Make rough normals of words: in a loop of its own, since vectors hold twice as many numbers of 32 bits."""
    for place in range(normals.size):
        normals[place] = rough_normal(radius_words[place], angle_words[place])
