"""How well scores put items into the order of their relevance."""

import numpy as np
from sklearn.utils.validation import check_consistent_length, column_or_1d

from . import _mercer
from ._whole import whole


def coded_queries(qid):
    """The query of each item as a number; words and numbers are taken, NaN is not."""
    if qid is None:
        return None
    qid = column_or_1d(qid)
    if qid.dtype.kind == "f" and np.isnan(qid).any():
        raise ValueError(f"qid of row {int(np.isnan(qid).argmax())} is not a number")
    return np.ascontiguousarray(np.unique(qid, return_inverse=True)[1], dtype=np.uint64)


def ndcg(y_true, y_score, *, qid=None, k=None):
    """Tell the normalised discounted cumulative gain, the mean over the queries.

    The gain of an item of relevance r at place p, counted from 1, is (2^r − 1)/log2(p + 1); items of the same score share their places.
    The sum of the gains is divided by that of the best order.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        Relevances, at least 0.
    y_score : array-like of shape (n_samples,)
        Scores, of which the highest comes first.
    qid : array-like of shape (n_samples,), default=None
        The query of each item; None for one query.
    k : int, default=None
        How many places count; None for all.

    Returns
    -------
    float
        The mean over the queries that have an item of a relevance above 0; NaN if there is none.

    Examples
    --------
    >>> from mercer import ndcg
    >>> round(ndcg([2, 0, 1], [3.0, 2.0, 1.0]), 3)
    0.964
    """
    return _score("ndcg", y_true, y_score, qid, None if k is None else whole("k", k, 1))


def mean_average_precision(y_true, y_score, *, qid=None):
    """Tell the mean over the queries of average precision.

    That of a query is the mean, over its relevant items, of the share of relevant ones down to their place; items of the same score have
    one place.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        Relevances; items are relevant if it is above 0.
    y_score : array-like of shape (n_samples,)
        Scores, of which the highest comes first.
    qid : array-like of shape (n_samples,), default=None
        The query of each item; None for one query.

    Returns
    -------
    float
        The mean over the queries that have a relevant item; NaN if there is none.

    Examples
    --------
    >>> from mercer import mean_average_precision
    >>> round(mean_average_precision([1, 0, 1], [0.9, 0.8, 0.3]), 3)
    0.833
    """
    return _score("map", y_true, y_score, qid, None)


def kendall_tau(y_true, y_score, *, qid=None):
    """Tell Kendall's tau-b, the mean over the queries.

    That of a query are the pairs of its items that are in the same order less those in the opposite one, divided by the geometric mean of
    the numbers of pairs that relevances and scores tell apart.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        Relevances.
    y_score : array-like of shape (n_samples,)
        Scores.
    qid : array-like of shape (n_samples,), default=None
        The query of each item; None for one query.

    Returns
    -------
    float
        The mean over the queries of which both tell a pair apart; NaN if there is none.

    Examples
    --------
    >>> from mercer import kendall_tau
    >>> kendall_tau([0, 1, 2, 3], [8.0, 9.0, 1.0, 2.0], qid=["a", "a", "b", "b"])
    1.0
    """
    return _score("tau", y_true, y_score, qid, None)


def _score(what, y_true, y_score, qid, k):
    relevances, scores = (np.ascontiguousarray(column_or_1d(y), dtype=np.float64) for y in (y_true, y_score))
    queries = coded_queries(qid)
    check_consistent_length(relevances, scores, queries)
    found = _mercer.ranking_score(what, scores, relevances, queries, k)
    return float("nan") if found is None else found
