"""Kernels from generative models, which are trained on the items that an estimator is fitted to."""

from ._algebra import _Named


class PairHiddenMarkov(_Named):
    """The probability that a pair hidden Markov model emits two strings together, a kernel by dynamic alignment.

    The letters and their shares are taken from the training strings; a letter that they have not is an error.

    Parameters
    ----------
    gap : float, default=0.1
        The probability that a run of letters of one string alone goes on.
    mutation : float, default=0.2
        The share of events at which the letters of both differ by chance.
    unit : bool, default=True
        Whether values are at unit length.

    Examples
    --------
    >>> from mercer.kernels import PairHiddenMarkov
    >>> values = PairHiddenMarkov()(["gattaca", "gatttaca", "ccccgg"])
    >>> bool(values[0, 1] > values[0, 2])
    True
    """

    _name = "pair_hmm"
    _parameters = {"gap": 0.1, "mutation": 0.2, "unit": True}


class FisherMarkov(_Named):
    """The Fisher kernel of strings, from a hidden Markov model that is trained on them by expectation maximisation.

    Parameters
    ----------
    states : int, default=4
        The number of states.
    form : {"practical", "whitened"}, default="practical"
        The inner product of scores as they are, or by the inverse of their covariance.
    seed : int, default=0
        The seed of the random numbers that training begins with.
    restarts : int, default=1
        How often it begins; the best model is kept.

    Examples
    --------
    >>> from mercer.kernels import FisherMarkov
    >>> values = FisherMarkov(states=2)(["abab", "ababab", "baba", "ccc", "cccc"])
    >>> bool(values[0, 2] > values[0, 4])
    True
    """

    _name = "fisher_hmm"
    _parameters = {"states": 4, "form": "practical", "seed": 0, "restarts": 1}


class FisherSeriesMarkov(_Named):
    """The Fisher kernel of time series, from a hidden Markov model that is trained on them by expectation maximisation.

    Parameters
    ----------
    states : int, default=4
        The number of states.
    form : {"practical", "whitened"}, default="practical"
        The inner product of scores as they are, or by the inverse of their covariance.
    seed : int, default=0
        The seed of the random numbers that training begins with.
    restarts : int, default=1
        How often it begins; the best model is kept.

    Examples
    --------
    >>> from mercer.kernels import FisherSeriesMarkov
    >>> FisherSeriesMarkov(states=2)([[0.0, 1.0, 0.0], [1.0, 0.0, 1.0, 0.0]]).shape
    (2, 2)
    """

    _name = "fisher_hmm_series"
    _parameters = {"states": 4, "form": "practical", "seed": 0, "restarts": 1}


class FisherMixture(_Named):
    """The Fisher kernel of time series or sets of points, from a Gaussian mixture that is trained on all their points.

    Parameters
    ----------
    components : int, default=4
        The number of components.
    covariances : {"diagonal", "full"}, default="diagonal"
        The covariances of the components.
    form : {"practical", "whitened"}, default="practical"
        The inner product of scores as they are, or by the inverse of their covariance.
    seed : int, default=0
        The seed of the random numbers that training begins with.
    restarts : int, default=1
        How often it begins; the best mixture is kept.

    Examples
    --------
    >>> from mercer.kernels import FisherMixture
    >>> FisherMixture(components=2)([[0.0, 0.1, 5.0], [5.1, 5.2]]).shape
    (2, 2)
    """

    _name = "fisher_mixture"
    _parameters = {"components": 4, "covariances": "diagonal", "form": "practical", "seed": 0, "restarts": 1}
