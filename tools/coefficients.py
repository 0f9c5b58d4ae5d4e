"""Computes the polynomial coefficients of `steadyarm.numerics.arithmetic` and `steadyarm.numerics.rough`.

Each polynomial interpolates its function at Chebyshev nodes in 60-digit arithmetic, which is within a
small factor of the best approximation of its degree; the coefficients are then rounded to doubles.
Prints the tables in the form in which they stand in the module.
"""

import mpmath as mp

mp.mp.dps = 60


def interpolate(function, low, high, count):
    """Coefficients, constant first, of the interpolating polynomial of degree count - 1."""
    centre, half = (low + high) / 2, (high - low) / 2
    nodes = [centre + half * mp.cos(mp.pi * (2 * k + 1) / (2 * count)) for k in range(count)]
    matrix = mp.matrix(count, count)
    for row, node in enumerate(nodes):
        for column in range(count):
            matrix[row, column] = node**column
    return list(mp.lu_solve(matrix, mp.matrix([function(node) for node in nodes])))


def log_tail(z):
    """(log((1 + s) / (1 - s)) - 2 s) / s^3 at s^2 = z."""
    s = mp.sqrt(z)
    return (mp.log((1 + s) / (1 - s)) - 2 * s) / s**3


def sine(z):
    """sin(t pi/2) / t at t^2 = z."""
    t = mp.sqrt(z)
    return mp.sin(t * mp.pi / 2) / t


def cosine_tail(z):
    """(cos(t pi/2) - 1) / t^2 at t^2 = z."""
    t = mp.sqrt(z)
    return (mp.cos(t * mp.pi / 2) - 1) / z


def exponential_tail(r):
    """(exp(r) - 1 - r) / r^2."""
    return (mp.exp(r) - 1 - r) / r**2


def rough_log(d):
    """log(1 + d) / d."""
    return mp.log(1 + d) / d


def rough_cosine(y):
    """cos(h pi) at h^2 = y."""
    return mp.cos(mp.pi * mp.sqrt(y))


def main():
    largest_s = (mp.sqrt(2) - 1) / (mp.sqrt(2) + 1)
    tables = {
        "LOG": interpolate(log_tail, mp.mpf(0), largest_s**2, 7),
        "SIN": interpolate(sine, mp.mpf(0), mp.mpf(1) / 4, 7),
        "COS": interpolate(cosine_tail, mp.mpf(0), mp.mpf(1) / 4, 7),
        "EXP": interpolate(exponential_tail, -mp.log(2) / 2, mp.log(2) / 2, 10),
        "ROUGH_LOG": interpolate(rough_log, mp.sqrt(2) / 2 - 1, mp.sqrt(2) - 1, 5),
        "ROUGH_COS": interpolate(rough_cosine, mp.mpf(0), mp.mpf(1), 6),
    }
    for name, coefficients in tables.items():
        for k, coefficient in enumerate(coefficients):
            print(f"_{name}_{k} = {float(coefficient)!r}")


if __name__ == "__main__":
    main()
