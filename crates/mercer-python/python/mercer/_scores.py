"""Fisher scores under generative models that were trained in Python."""

import numpy as np

from . import _mercer
from ._containers import listed
from ._items import _series, _strings


def fisher_scores(model, X, *, alphabet=None):
    """Compute gradients of ln p(x) by the parameters of a model that was trained elsewhere, one row for each item.

    Rows of scores are what Fisher kernels compare: `Normalise(Linear())` on them is the practical Fisher kernel of the model, and every
    estimator takes them. The kernels `FisherMixture`, `FisherMarkov` and `FisherSeriesMarkov` train a model of their own.

    Parameters
    ----------
    model : object
        A fitted mixture of Gaussians with the attributes of `sklearn.mixture.GaussianMixture`, or a hidden Markov model with those of
        `hmmlearn`: `startprob_` and `transmat_`, with `means_` and `covars_` (of independent channels) for time series or
        `emissionprob_` for strings.
    X : list of array-like or list of str
        Time series, sets of points (arrays of rows), or strings.
    alphabet : str, default=None
        The characters of strings, in the order of the columns of `emissionprob_`.

    Returns
    -------
    ndarray of shape (n_items, n_parameters)
        The scores: of a mixture by the logits of the weights, the means, and the variances (the lower triangles of full
        covariances); of a Markov model by the logits of the start, of the transitions, and of what a state emits.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.mixture import GaussianMixture
    >>> from mercer import fisher_scores
    >>> points = np.array([[0.0], [0.2], [4.0], [4.2]])
    >>> model = GaussianMixture(2, covariance_type="diag", random_state=0).fit(points)
    >>> fisher_scores(model, [points[:2], points[2:]]).shape
    (2, 6)
    """
    if hasattr(model, "transmat_") and hasattr(model, "startprob_"):
        return _of_markov(model, X, alphabet)
    if all(hasattr(model, name) for name in ("weights_", "means_", "covariances_")):
        return _of_mixture(model, X)
    raise TypeError(
        f"{type(model).__name__} is no fitted model: a mixture has weights_, means_ and covariances_,"
        " a hidden Markov model startprob_ and transmat_"
    )


def _flat(values):
    return np.asarray(values, dtype=np.float64).ravel().tolist()


def _of_mixture(model, X):
    means, covariances = np.atleast_2d(model.means_), np.asarray(model.covariances_, dtype=np.float64)
    components, channels = means.shape
    kind = getattr(model, "covariance_type", "full" if covariances.ndim == 3 else "diag")
    if kind == "spherical":
        covariances = np.repeat(covariances.reshape(-1, 1), channels, axis=1)
    elif kind == "tied":
        covariances = np.repeat(covariances[None], components, axis=0)
    full = kind in ("full", "tied")
    if full:
        # Symmetric but for rounding.
        covariances = 0.5 * (covariances + covariances.transpose(0, 2, 1))
    return _mercer.mixture_scores(_flat(model.weights_), _flat(means), _flat(covariances), full, _series(listed(X)))


def _of_markov(model, X, alphabet):
    start, transition = _flat(model.startprob_), _flat(model.transmat_)
    if hasattr(model, "emissionprob_"):
        table = np.atleast_2d(np.asarray(model.emissionprob_, dtype=np.float64))
        if alphabet is None:
            raise ValueError("a model of symbols needs an alphabet: the characters in the order of the columns of emissionprob_")
        if len(alphabet) != table.shape[1]:
            raise ValueError(f"the alphabet has {len(alphabet)} characters, and emissionprob_ {table.shape[1]} columns")
        order = sorted(range(len(alphabet)), key=alphabet.__getitem__)
        return _mercer.string_markov_scores(start, transition, str(alphabet), _flat(table[:, order]), _strings(listed(X)))
    means, covariances = np.atleast_2d(model.means_), np.asarray(model.covars_, dtype=np.float64)
    if covariances.ndim == 3:
        variances = np.diagonal(covariances, axis1=1, axis2=2)
        if not np.array_equal(variances[:, :, None] * np.eye(means.shape[1]), covariances):
            raise ValueError("the channels of a state are independent here: covars_ must be diagonal")
        covariances = variances
    variances = np.broadcast_to(covariances.reshape(len(means), -1), means.shape)
    return _mercer.series_markov_scores(start, transition, _flat(means), _flat(variances), _series(listed(X)))
