"""Parameters of kernels as one vector, as Gaussian processes learn them."""

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from . import _mercer
from ._warn import warn


def theta_of(kernel):
    """The parameters of a kernel: logarithms of those that are learned on such a scale, the others as they are."""
    told = _mercer.kernel_parameters(str(kernel))
    return np.array([np.log(value) if is_log else value for _, value, _, _, is_log in told])


def with_theta(kernel, theta):
    """The formula of the kernel with these parameters, and by how much each of them grows with its entry of theta."""
    told = _mercer.kernel_parameters(str(kernel))
    theta = np.asarray(theta, dtype=np.float64)
    if theta.shape != (len(told),):
        raise ValueError(f"theta has the shape {theta.shape}: the kernel {kernel} has {len(told)} parameters")
    if not np.isfinite(theta).all():
        raise ValueError(f"theta = {theta}: expected finite numbers")
    if not len(told):
        return str(kernel), np.ones(0)
    is_log = np.array([parameter[4] for parameter in told])
    values = np.where(is_log, np.exp(np.where(is_log, theta, 0.0)), theta)
    return _mercer.kernel_with_parameters(str(kernel), values.tolist()), np.where(is_log, values, 1.0)


def warn_at_bounds(kernel):
    """Says which parameters that were learned stand at an end of the range in which they are looked for."""
    for name, value, lower, upper, is_log in _mercer.kernel_parameters(str(kernel)):
        scale = np.log if is_log else float
        for end, bound in (("lower", lower), ("upper", upper)):
            if np.isclose(scale(value), scale(bound)):
                warn(
                    f"the parameter {name} of the kernel {kernel} has ended at the {end} bound {bound:g} of what is looked at:"
                    " the likelihood may be larger beyond it",
                    ConvergenceWarning,
                )
