"""Families of Gaussian instances: their means, and what is refused."""

from steadyarm.model import equal_arms, equal_gap, ladder, one_better


def test_the_families_have_the_means_of_the_paper():
    assert equal_gap(4, 0.25).means == (0.0, -0.25, -0.25, -0.25)
    assert equal_gap(3, 0.25, best_arm=1).means == (-0.25, 0.0, -0.25)
    assert one_better(3, 0.25).means == (0.25, 0.0, 0.0)
    assert equal_arms(2, mean=0.5).means == (0.5, 0.5)
    assert ladder(3, 0.5).means == (0.0, -0.5, -1.0)
    assert equal_gap(2, 0.0, noise_scale=3.0).noise_scales == (3.0, 3.0)
