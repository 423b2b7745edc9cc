"""Kernels on time series."""

from ._algebra import _Named


class GlobalAlignment(_Named):
    """The global alignment kernel: all alignments of two time series.

    A series is an array of times, or of times and channels; the lengths may differ.

    Parameters
    ----------
    sigma : float or "median", default="median"
        The width σ; "median" for the median distance times the root of the median length.
    median : float, default=None
        A multiple of the median, in place of `sigma`.
    band : float, default=None
        The band within which times are aligned.
    unit : bool, default=True
        Whether values are at unit length.

    Examples
    --------
    >>> from mercer.kernels import GlobalAlignment
    >>> GlobalAlignment(sigma=1.0)([[0.0, 1.0]], [[0.0, 1.0], [5.0, 9.0, 7.0]]).round(3)
    array([[1., 0.]])
    """

    _name = "global_alignment"
    _parameters = {"sigma": "median", "median": None, "band": None, "unit": True}


class DynamicTimeWarping(_Named):
    """The kernel exp(−γ DTW²) of dynamic time warping; not positive semi-definite.

    `Shifted` and `Clipped` make it so on the training items.

    Parameters
    ----------
    gamma : float or "median", default="median"
        The factor γ; "median" for 1/(2m²) with m the median distance.
    median : float, default=None
        A multiple of the median, in place of `gamma`.
    radius : int, default=None
        The radius of the band.

    Examples
    --------
    >>> from mercer.kernels import DynamicTimeWarping
    >>> DynamicTimeWarping(gamma=0.5)([[0.0, 1.0]], [[0.0, 0.0, 1.0], [0.0, 2.0]]).round(3)
    array([[1.   , 0.607]])
    """

    _name = "dtw"
    _parameters = {"gamma": "median", "median": None, "radius": None}


class Autocorrelation(_Named):
    """Correlations at lags 0 to `lags`, compared by their inner product, or by a Gaussian.

    Parameters
    ----------
    lags : int, default=10
        The largest lag.
    sigma : float or "median", default=None
        The width of a Gaussian; None for the inner product.
    median : float, default=None
        A multiple of the median, in place of `sigma`.

    Examples
    --------
    >>> from mercer.kernels import Autocorrelation
    >>> Autocorrelation(lags=1)([[0.0, 1.0, 0.0, 1.0]]).round(3)
    array([[1.562]])
    """

    _name = "autocorrelation"
    _parameters = {"lags": 10, "sigma": None, "median": None}
