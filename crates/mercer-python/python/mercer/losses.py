"""Losses: what a prediction costs, with derivative and conjugate.

    >>> from mercer.losses import Loss, table
    >>> hinge = Loss("hinge")
    >>> hinge.value([-1.0, 0.25, 2.0])
    array([2.  , 0.75, 0.  ])
    >>> table([-1.0, 0.0, 1.0])["squared"]
    array([4., 1., 0.])
"""

import numpy as np

from . import _mercer

__all__ = ["NAMES", "Loss", "table"]

# Whether it is a function of the margin, and what its parameter is unless told, by name.
_KNOWN = {name: (is_of_margin, usual) for name, is_of_margin, usual in _mercer.losses()}
NAMES = tuple(_KNOWN)


class Loss:
    """A loss: of classes a function of the margin z = y f(x), of numbers one of the residual r = y − f(x).

    ==============  =========================================  ============================================
    name            value                                      conjugate sup s z − loss(z), else infinite
    ==============  =========================================  ============================================
    zero-one        1 for z ≤ 0, else 0                        0 at s = 0
    hinge           max(0, 1 − z)                              s for −1 ≤ s ≤ 0
    squared hinge   max(0, 1 − z)²                             s + s²/4 for s ≤ 0
    logistic        ln(1 + exp(−z))                            t ln t + (1 − t) ln(1 − t), t = −s in [0, 1]
    exponential     exp(−z)                                    t ln t − t, t = −s ≥ 0
    squared         r²                                         s²/4
    insensitive     max(0, abs(r) − ε)                         ε abs(s) for abs(s) ≤ 1
    Huber           r²/2 up to δ, δ(abs(r) − δ/2) beyond       s²/2 for abs(s) ≤ δ
    pinball         τ r for r ≥ 0, (τ − 1) r below             0 for τ − 1 ≤ s ≤ τ
    ==============  =========================================  ============================================

    Parameters
    ----------
    name : str
        One of the names of the table.
    parameter : float, default=None
        The number ε of "insensitive" (0.1 for None), δ of "Huber" (1) or τ of "pinball" (0.5); others have none.

    Examples
    --------
    >>> from mercer.losses import Loss
    >>> loss = Loss("logistic")
    >>> slope = loss.derivative([0.3])
    >>> # Fenchel's inequality, with equality at the derivative.
    >>> bool(abs(loss.value([0.3]) + loss.conjugate(slope) - 0.3 * slope)[0] < 1e-12)
    True
    """

    def __init__(self, name, parameter=None):
        if name not in _KNOWN:
            raise ValueError(f"no such loss: {name!r}; there are {', '.join(NAMES)}")
        self.is_of_margin, usual = _KNOWN[name]
        if parameter is not None and usual is None:
            raise ValueError(f"the loss {name!r} has no parameter")
        self.name = name
        self.parameter = usual if parameter is None else float(parameter)
        # What makes no sense is refused here rather than when it is used.
        self.value([])

    def __repr__(self):
        return f"Loss({self.name!r})" if self.parameter is None else f"Loss({self.name!r}, {self.parameter!r})"

    def value(self, at):
        """Tell the loss.

        Parameters
        ----------
        at : array-like
            Margins, or residuals of a loss of numbers.

        Returns
        -------
        ndarray of the shape of at
            The values.

        Examples
        --------
        >>> from mercer.losses import Loss
        >>> Loss("insensitive", 0.5).value([-2.0, 0.2, 1.0])
        array([1.5, 0. , 0.5])
        """
        return self._asked("value", at)

    def derivative(self, at):
        """Tell the derivative; at a corner the one to its right.

        Parameters
        ----------
        at : array-like
            Margins, or residuals of a loss of numbers.

        Returns
        -------
        ndarray of the shape of at
            The derivatives.

        Examples
        --------
        >>> from mercer.losses import Loss
        >>> Loss("hinge").derivative([0.0, 2.0])
        array([-1.,  0.])
        """
        return self._asked("derivative", at)

    def conjugate(self, s):
        """Tell the conjugate, of which dual problems are made.

        Parameters
        ----------
        s : array-like
            Where.

        Returns
        -------
        ndarray of the shape of s
            The supremum of s z − loss(z) over z; infinite where there is none.

        Examples
        --------
        >>> from mercer.losses import Loss
        >>> Loss("hinge").conjugate([-0.5, 0.5])
        array([-0.5,  inf])
        """
        return self._asked("conjugate", s)

    def _asked(self, what, at):
        at = np.asarray(at, dtype=np.float64)
        return _mercer.loss_at(self.name, self.parameter, what, np.ascontiguousarray(at.ravel())).reshape(at.shape)


def table(margins):
    """Tell what an item of the class y = 1 costs at each of these margins, by all losses; residuals are then 1 − z.

    Parameters
    ----------
    margins : array-like of shape (n_margins,)
        The margins.

    Returns
    -------
    dict of str to ndarray of shape (n_margins,)
        The values, by the names of the losses.

    Examples
    --------
    >>> from mercer.losses import table
    >>> {name: values.tolist() for name, values in table([0.0, 1.0]).items() if "hinge" in name}
    {'hinge': [1.0, 0.0], 'squared hinge': [1.0, 0.0]}
    """
    margins = np.ascontiguousarray(np.ravel(np.asarray(margins, dtype=np.float64)))
    return {name: _mercer.loss_at(name, None, "against margin", margins) for name in NAMES}
