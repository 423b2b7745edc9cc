"""Tables as the command line reads them: columns of words, and columns that are scaled before training."""

import json

import numpy as np
from sklearn.preprocessing import MaxAbsScaler, MinMaxScaler, Normalizer, StandardScaler

from ._warn import warn


def keep_table(estimator, model):
    """Keeps what a model from a file does to a table before it is asked: `encoded` and `scaler_` are made of it."""
    if model.schema is not None:
        estimator._schema = json.loads(model.schema)
    if model.scaling is not None:
        scaler = _scaler(*model.scaling, model.columns)
        if scaler is not None:
            estimator.scaler_ = scaler


def encoded(estimator, X):
    """A frame with columns of words as the features that the training made of it; everything else as it is."""
    schema = getattr(estimator, "_schema", None)
    names = getattr(X, "columns", None)
    if schema is None or names is None:
        return X
    names = [str(name) for name in names]
    features = list(getattr(estimator, "feature_names_in_", ()))
    if names == features:
        return X
    columns = {}
    for feature in schema["features"]:
        series = X[X.columns[_place(feature, schema, names)]]
        values = np.asarray(series, dtype=object)
        columns.update(_features(feature, values, schema["missing"]))
    if features and len(features) == len(columns):
        columns = dict(zip(features, columns.values()))
    return type(X)(columns)


def _place(feature, schema, names):
    """The position of a column in a frame: by its name, or where the table had none by the order."""
    name, position, label = feature["name"], feature["position"], schema["label"]
    if name:
        if name not in names:
            raise ValueError(f"the frame has no column {name!r}, which the model was trained with; it has {', '.join(names)}")
        return names.index(name)
    if len(names) == schema["width"]:
        return position
    if label is not None and len(names) == schema["width"] - 1:
        return position - (position > label)
    expected = schema["width"] - (label is not None)
    raise ValueError(f"the frame has {len(names)} columns, and the model was trained with {expected} columns without names")


def _features(feature, values, missing):
    """The features of one column, by name."""
    title = feature["name"] or str(feature["position"] + 1)
    absent = np.array([value is None or value != value or value == "" for value in values], dtype=bool)
    if absent.any() and missing != "mean":
        raise ValueError(f"row {int(absent.argmax())}, column {title!r}: the value is missing")
    words = feature["values"].get("words")
    if words is None:
        numbers = np.full(len(values), feature["values"]["numbers"]["mean"])
        for row in np.flatnonzero(~absent):
            try:
                numbers[row] = float(values[row])
            except (TypeError, ValueError):
                raise ValueError(f"row {row}, column {title!r}: expected a number, found {values[row]!r}") from None
        return {title: numbers}
    texts = np.array([_word(value) for value in values], dtype=object)
    new = ~absent & ~np.isin(texts, words["levels"])
    if new.any():
        first = int(new.argmax())
        what = f"column {title!r}: {int(new.sum())} rows have categories that the training did not ({texts[first]!r} in row {first}): they are encoded as zeros"
        warn(what, UserWarning)
    return {
        f"{title}={level}": np.where(absent, fraction, (texts == level).astype(np.float64))
        for level, fraction in zip(words["levels"], words["shares"])
    }


def _word(value):
    """A value as it stands in a file: whole numbers without a point."""
    if isinstance(value, (float, np.floating)) and float(value).is_integer():
        return str(int(value))
    return str(value).strip()


def _scaler(method, interval, centers, widths, columns):
    """A transformer of scikit-learn that scales as the model does; None where the model kept the widths of some columns alone."""
    centers, widths = np.asarray(centers), np.asarray(widths)
    if method != "norm" and len(widths) != columns:
        return None
    if method == "norm":
        scaler = Normalizer()
    elif method in ("standard", "deviation"):
        scaler = StandardScaler(with_mean=method == "standard")
        scaler.mean_ = centers if method == "standard" else np.zeros(columns)
        scaler.scale_, scaler.var_ = widths, widths**2
    elif method == "largest":
        scaler = MaxAbsScaler()
        scaler.max_abs_, scaler.scale_ = widths, widths
    else:
        low, high = interval
        scaler = MinMaxScaler(feature_range=interval)
        scaler.scale_ = (high - low) / widths
        scaler.min_ = low - centers * scaler.scale_
        scaler.data_min_, scaler.data_max_, scaler.data_range_ = centers, centers + widths, widths
    scaler.n_features_in_ = columns
    if method != "norm":
        scaler.n_samples_seen_ = 1
    return scaler
