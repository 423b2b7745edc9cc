"""What a solution of the soft-margin dual is worth, in f64 against the exact kernel matrix.

    min ½ βᵀKβ − yᵀβ   s.t.  0 ≤ yᵢβᵢ ≤ Cᵢ,  Σ βᵢ = 0
"""

import numpy as np


def objective(k, y, beta):
    return float(0.5 * beta @ k @ beta - y @ beta)


def scores(k, y, cost, beta):
    """The largest score of a variable that may fall and the smallest of one that may rise (λ lies between)."""
    slope = k @ beta - y
    lower, upper = np.where(y > 0, 0.0, -cost), np.where(y > 0, cost, 0.0)
    return slope[beta > lower].max(initial=-np.inf), slope[beta < upper].min(initial=np.inf)


def kkt_gap(k, y, cost, beta):
    fall, rise = scores(k, y, cost, beta)
    return float(max(0.0, fall - rise))


def duality_gap(k, y, cost, beta, offset):
    """Meaningful for positive semi-definite K: the optimum lies within [objective − gap, objective]."""
    value = k @ beta
    losses = cost @ np.maximum(0.0, 1.0 - y * (value + offset))
    return float(beta @ value + losses - y @ beta)


def polish(k, y, cost, beta):
    """Keeps variables at bounds where they are and solves for the others and the offset exactly.

    Returns (β, offset), or None if that leaves the box or does not lower the violation: the solver that is
    being polished held K in f32, so its answer is exact to about 1e-7 only.
    """
    bounded = (beta == 0.0) | (np.abs(beta) == cost)
    free = np.flatnonzero(~bounded)
    if not 0 < len(free) <= 1500:
        return None
    m = len(free)
    system = np.zeros((m + 1, m + 1))
    system[:m, :m] = k[np.ix_(free, free)]
    system[:m, m] = system[m, :m] = 1.0
    better, offset = beta.copy(), 0.0
    for _ in range(3):
        residual = np.append((y - k @ better)[free] - offset, -better.sum())
        step = np.linalg.lstsq(system, residual, rcond=1e-13)[0]
        better[free] += step[:m]
        offset += step[m]
    inside = np.all((y * better >= 0.0) & (y * better <= cost))
    if not inside or kkt_gap(k, y, cost, better) > min(1e-9, kkt_gap(k, y, cost, beta)):
        return None
    return better, float(offset)
