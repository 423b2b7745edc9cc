"""Items in every container: the same answers as from a list, or a clear refusal."""

import numpy as np
import pytest
from sklearn.base import clone
from test_structures import CASES

import mercer
from mercer.kernels import Normalise, Spectrum, Tokens

pd = pytest.importorskip("pandas")
# The others are not needed: their containers are left out where they are not installed.
try:
    import polars as pl
except ImportError:
    pl = None
try:
    import pyarrow as pa
except ImportError:
    pa = None


def objects(items):
    array = np.empty(len(items), dtype=object)
    array[:] = items
    return array


class Arrow:
    """An array of Arrow as far as it is of concern here: its entries are scalars of Arrow, which compare as nothing does."""

    def __init__(self, items):
        self.items = items

    def __len__(self):
        return len(self.items)

    def __iter__(self):
        return iter([object() for _ in self.items])

    def to_pylist(self):
        return self.items


class Table:
    """A table of Arrow as far as it is of concern here."""

    def __init__(self, columns):
        self.columns_by_name = columns
        self.column_names = list(columns)
        # Arrow lists the columns themselves here.
        self.columns = [Arrow(values) for values in columns.values()]

    def __len__(self):
        return len(self.columns[0])

    def __getitem__(self, name):
        return Arrow(self.columns_by_name[name])


# Of one item per entry. Series of polars hold texts and lists of numbers, not any object.
ANY = {
    "tuple": tuple,
    "generator": lambda items: (item for item in items),
    "array of objects": objects,
    "column of objects": lambda items: objects(items).reshape(-1, 1),
    "series": lambda items: pd.Series(objects(items)),
    "series with another index": lambda items: pd.Series(objects(items), index=range(100, 100 + len(items))),
    "frame of one column": lambda items: pd.DataFrame({"x": objects(items)}),
    "array of Arrow": Arrow,
    "table of Arrow": lambda items: Table({"x": items}),
}
TEXTS = {
    "array of texts": np.array,
    "column of texts": lambda items: np.array(items).reshape(-1, 1),
    "series of texts": lambda items: pd.Series(items, dtype="string"),
    "categorical": pd.Categorical,
    "series of categories": lambda items: pd.Series(items, dtype="category"),
    "index": pd.Index,
    "bytes": lambda items: [item.encode() for item in items],
    "array of bytes": lambda items: np.array([item.encode() for item in items]),
}
RECORDS = {
    "tuple": tuple,
    "generator": lambda items: (item for item in items),
    "array of objects": objects,
    "column of objects": lambda items: objects(items).reshape(-1, 1),
    "series": pd.Series,
    "frame": pd.DataFrame,
    "frame of categories": lambda items: pd.DataFrame(items).astype({"job": "category"}),
    "table of Arrow": lambda items: Table({name: [item[name] for item in items] for name in items[0]}),
    "dictionary of columns": lambda items: {name: [item[name] for item in items] for name in items[0]},
    "structured array": lambda items: pd.DataFrame(items).to_records(index=False),
}
if pl is not None:
    TEXTS["series of polars"] = lambda items: pl.Series("x", items)
    TEXTS["categories of polars"] = lambda items: pl.Series("x", items, dtype=pl.Categorical)
    TEXTS["frame of polars"] = lambda items: pl.DataFrame({"x": items})
    RECORDS["frame of polars"] = pl.DataFrame
if pa is not None:
    TEXTS["array of pyarrow"] = pa.array
    TEXTS["long texts of pyarrow"] = lambda items: pa.array(items, pa.large_string())
    TEXTS["dictionary of pyarrow"] = lambda items: pa.array(items).dictionary_encode()
    TEXTS["chunks of pyarrow"] = lambda items: pa.chunked_array([items[:3], items[3:]])
    TEXTS["table of pyarrow"] = lambda items: pa.table({"x": items})
    TEXTS["batch of pyarrow"] = lambda items: pa.record_batch({"x": items})
    TEXTS["series in pyarrow"] = lambda items: pd.Series(items, dtype="string[pyarrow]")
    RECORDS["table of pyarrow"] = pa.Table.from_pylist
    RECORDS["batch of pyarrow"] = pa.RecordBatch.from_pylist
KINDS = ["strings", "texts", "trees", "graphs", "series", "sets", "records"]
MACHINES = [
    mercer.SVC(),
    mercer.NuSVC(nu=0.3),
    mercer.SVR(),
    mercer.OneClassSVM(nu=0.3),
    mercer.KernelRidge(alpha=0.1),
    mercer.KernelPCA(2),
    mercer.LSSVC(),
    mercer.RVR(),
    mercer.KernelKMeans(2, random_state=0),
    mercer.RankSVM(),
    mercer.GaussianProcessRegressor(alpha=0.1),
    mercer.GaussianProcessClassifier(),
    mercer.KernelPerceptron(),
    mercer.OnlineSVR(),
    mercer.IncrementalSVC(),
]


def containers(kind):
    if kind == "records":
        return RECORDS
    if kind == "trees":
        return {**ANY, **{name: make for name, make in TEXTS.items() if "bytes" not in name}}
    return {**ANY, **TEXTS} if kind in ("strings", "texts") else ANY


def asked(model):
    return next(getattr(model, name) for name in ("decision_function", "transform", "predict") if hasattr(model, name))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("machine", MACHINES, ids=lambda machine: type(machine).__name__)
def test_every_container_of_items_says_what_the_list_says(kind, machine):
    make, kernel = CASES[kind]
    X, new, y = make(12), make(12)[:5], np.arange(12) % 2 + 0.0
    unsupervised = isinstance(machine, (mercer.OneClassSVM, mercer.KernelPCA, mercer.KernelKMeans))
    target = () if unsupervised else (y,)
    listed = clone(machine).set_params(kernel=kernel).fit(X, *target)
    expected = asked(listed)(new)
    for name, make_container in containers(kind).items():
        np.testing.assert_array_equal(asked(listed)(make_container(new)), expected, err_msg=f"asked with {name}")
        model = clone(machine).set_params(kernel=kernel).fit(make_container(X), *target)
        np.testing.assert_array_equal(asked(model)(new), expected, err_msg=f"fitted with {name}")
        np.testing.assert_array_equal(asked(model)(make_container(new)), expected, err_msg=f"fitted and asked with {name}")


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("machine", MACHINES, ids=lambda machine: type(machine).__name__)
def test_what_is_no_container_of_items_is_refused(kind, machine):
    make, kernel = CASES[kind]
    X, y = make(20), np.arange(20) % 2 + 0.0
    model = clone(machine).set_params(kernel=kernel).fit(X, y)
    wide = pd.DataFrame({"one": objects(X), "two": objects(X)})
    refused = {
        "nothing": None,
        "a number": 3.0,
        "one text": "gattaca",
        "one of bytes": b"gattaca",
        "a set": {"gattaca", "ccacca"},
        "a frame of two columns": wide,
        "an array of two columns": wide.to_numpy(),
        "an array without dimensions": np.array("gattaca", dtype=object),
        "missing values": [*X[:3], None],
        "a missing number": [*X[:3], float("nan")],
        "numbers": np.arange(4.0),
    }
    if kind != "records":
        refused["a dictionary"] = {"x": X}
    for name, container in refused.items():
        with pytest.raises((TypeError, ValueError)):
            asked(model)(container)
            pytest.fail(f"{type(machine).__name__} answered {name}")
        with pytest.raises((TypeError, ValueError)):
            targets = y[: len(container)] if hasattr(container, "__len__") and np.ndim(container) > 0 else y
            clone(model).fit(container, targets)
            pytest.fail(f"{type(machine).__name__} was fitted to {name}")


def test_a_frame_of_one_column_is_answered_row_by_row():
    texts = ["gattaca", "ccacca"] * 10
    model = mercer.SVC(kernel=Spectrum(k=2)).fit(texts, ["g", "c"] * 10)
    assert model.predict(pd.DataFrame({"text": texts})).tolist() == ["g", "c"] * 10
    assert Spectrum(k=2)(pd.DataFrame({"text": texts}), np.array(texts)[:, None]).shape == (20, 20)
    with pytest.raises(ValueError, match="strings in one column, found a DataFrame with 2 columns"):
        model.predict(pd.DataFrame({"text": texts, "more": texts}))


@pytest.mark.parametrize("ask", ["decision_function", "predict"])
def test_lists_of_tokens_come_in_frames_and_arrays(ask):
    X = [["a", "b"], ["b", "c"], ["a", "a"], ["c", "b"]]
    kernel = Tokens(Normalise(Spectrum(k=1)))
    model = mercer.SVC(kernel=kernel).fit(X, [0, 1, 0, 1])
    expected = getattr(model, ask)(X)
    others = [np.array(X), objects(X), objects(X)[:, None], pd.Series(X), pd.DataFrame({"x": X})]
    others += [] if pl is None else [pl.Series(X)]
    others += [] if pa is None else [pa.array(X), pa.table({"x": X})]
    for other in others:
        np.testing.assert_array_equal(getattr(model, ask)(other), expected)
    with pytest.raises(ValueError, match="found a DataFrame with 2 columns"):
        model.predict(pd.DataFrame(X))


def test_matrices_hold_a_series_in_each_row():
    make, kernel = CASES["series"]
    X = np.random.default_rng(0).normal(size=(8, 6))
    model = mercer.SVC(kernel=kernel).fit(X, np.arange(8) % 2)
    expected = model.decision_function(list(X))
    others = [X, X[:, :, None], pd.Series(list(X))]
    others += [] if pl is None else [pl.Series(X.tolist())]
    others += [] if pa is None else [pa.array(X.tolist()), pa.table({"x": X.tolist()})]
    for other in others:
        np.testing.assert_array_equal(model.decision_function(other), expected)


@pytest.mark.parametrize("wrap", [lambda X: (x for x in X), lambda X: pd.DataFrame({"x": X}), lambda X: objects(X)[:, None]])
def test_what_is_no_estimator_takes_every_container(wrap):
    X = [f"{'gat' if i % 2 else 'cca'}{'taca'[i % 4]}" for i in range(20)]
    y, kernel = np.arange(20) % 2, Normalise(Spectrum(k=2))
    grid = {"kernel": [kernel], "C": [1.0]}
    assert mercer.SVC().tune(wrap(X), y, grid, cv=2).best_score_ == mercer.SVC().tune(X, y, grid, cv=2).best_score_
    alphas = {"kernel": [kernel], "alpha": [1.0]}
    expected = mercer.KernelRidge().tune(X, y, alphas, cv=2).best_score_
    assert mercer.KernelRidge().tune(wrap(X), y, alphas, cv=2).best_score_ == expected
    np.testing.assert_array_equal(mercer.clean(wrap(X), y, kernel=kernel)["item"], mercer.clean(X, y, kernel=kernel)["item"])
    np.testing.assert_array_equal(mercer.prototypes(wrap(X), 3, kernel=kernel)[0], mercer.prototypes(X, 3, kernel=kernel)[0])
    np.testing.assert_array_equal(kernel(wrap(X), wrap(X[:3])), kernel(X, X[:3]))
    expected = mercer.mmd_test(X[::2], X[1::2], kernel=kernel, random_state=0)
    assert mercer.mmd_test(wrap(X[::2]), wrap(X[1::2]), kernel=kernel, random_state=0) == expected
    views = mercer.KernelCCA(1, kernel=kernel, kernel_y=kernel).fit(wrap(X), wrap(X))
    np.testing.assert_array_equal(views.transform(wrap(X), wrap(X))[0], views.transform(X, X)[0])
    learner = mercer.ActiveLearner(wrap(X), [0, 1], kernel=kernel)
    for item in (0, 1, 2, 3):
        learner.answer(item, y[item])
    np.testing.assert_array_equal(learner.predict(wrap(X)), learner.predict(X))


@pytest.mark.skipif(pa is None, reason="pyarrow is not installed")
def test_tables_of_arrow_are_rows_of_numbers_too():
    X = np.random.default_rng(0).normal(size=(30, 2))
    y = np.where(X[:, 0] > 0, "u", "v")
    table = pa.table({"a": X[:, 0], "b": X[:, 1]})
    expected = mercer.SVC().fit(X, y).decision_function(X)
    model = mercer.SVC().fit(table, pa.array(y))
    assert list(model.feature_names_in_) == ["a", "b"]
    np.testing.assert_array_equal(model.decision_function(table), expected)
    np.testing.assert_array_equal(mercer.SVC().fit(table.to_batches()[0], y).decision_function(X), expected)
