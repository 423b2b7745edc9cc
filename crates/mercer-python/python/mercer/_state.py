"""The state of an estimator: a change takes effect at once and as a whole, or not at all."""

from functools import wraps
from threading import RLock

# Methods that change what an estimator has learned.
_CHANGES = ("fit", "partial_fit", "tune", "add", "remove")
# Methods that read several attributes of what it has learned.
_READS = (
    "predict",
    "predict_proba",
    "predict_log_proba",
    "decision_function",
    "score_samples",
    "transform",
    "inverse_transform",
    "sample_y",
    "leave_one_out",
    "bounds",
    "save",
    "_explained",
)


class Stateful:
    """An object whose fitted state is replaced in one step.

    Every method of the names in `_CHANGES`, inherited or not, works on another object with the same attributes. When it is done, the
    attributes of that one become those of the estimator, in one assignment; an exception, Ctrl-C included, leaves them as they were.
    Changes of one estimator by several threads come one after the other. Methods of the names in `_READS` see the state at
    the time of the call, whatever is assigned meanwhile.
    """

    def __init_subclass__(cls, **options):
        super().__init_subclass__(**options)
        for name in _CHANGES:
            method = getattr(cls, name, None)
            if callable(method) and not hasattr(method, "_is_atomic"):
                setattr(cls, name, _atomic(method))
        for name in _READS:
            method = vars(cls).get(name)
            if callable(method):
                setattr(cls, name, of_one_state(method))

    def __getstate__(self):
        state = dict(super().__getstate__())
        state.pop("_turn", None)
        return state


def _atomic(method):
    """The method, of which either all takes effect or nothing."""

    @wraps(method)
    def changed(self, *args, **named):
        # Assigned in one step, by whichever thread comes first. An update inside an update is of the same thread.
        with self.__dict__.setdefault("_turn", RLock()):
            draft = object.__new__(type(self))
            draft.__dict__.update(self.__dict__)
            if method.__name__ == "fit":
                # What a file said of its table belongs to its model.
                draft.__dict__.pop("_schema", None)
                draft.__dict__.pop("scaler_", None)
            result = method(draft, *args, **named)
            self.__dict__ = draft.__dict__
        return self if result is draft else result

    changed._is_atomic = True
    return changed


def of_one_state(method):
    """The method, which reads all attributes from the state at the time of the call."""

    @wraps(method)
    def read(self, *args, **named):
        state = object.__new__(type(self))
        # The very dictionary: a change puts another one in its place and leaves this one as it is.
        state.__dict__ = self.__dict__
        return method(state, *args, **named)

    return read
