"""What kernels are made of: names with parameters, sums, products, powers, and kernels of kernels."""

import copy
import inspect
import numbers

from . import _mercer
from ._docs import documented

# How tightly the operators bind, so that repr has the brackets that it needs and no more.
_SUM, _PRODUCT, _POWER, _ATOM = range(4)


class Kernel:
    """A kernel on rows of numbers or on structured items, the base of all.

    Kernels are added and multiplied, with each other and with numbers, and raised to whole powers.

    Examples
    --------
    >>> from mercer.kernels import Gaussian, Kernel, Linear
    >>> kernel = 0.5 * Gaussian(gamma=2.0) + Linear() ** 2
    >>> isinstance(kernel, Kernel)
    True
    >>> str(kernel)
    '0.5 * gaussian(gamma=2) + linear ^ 2'
    """

    _binds = _ATOM

    def __add__(self, other):
        other = _kernel(other)
        return NotImplemented if other is NotImplemented else _Sum(self, other)

    def __radd__(self, other):
        other = _kernel(other)
        return NotImplemented if other is NotImplemented else _Sum(other, self)

    def __mul__(self, other):
        other = _factor(other)
        return NotImplemented if other is NotImplemented else _Product(self, other)

    def __rmul__(self, other):
        other = _factor(other)
        return NotImplemented if other is NotImplemented else _Product(other, self)

    def __pow__(self, power):
        return _Power(self, power) if isinstance(power, numbers.Integral) else NotImplemented

    def __eq__(self, other):
        # As the engine writes it, defaults included.
        return isinstance(other, Kernel) and str(self) == str(other)

    def __hash__(self):
        return hash(str(self))

    def __str__(self):
        return _mercer.check_kernel(self._formula())

    def __call__(self, X, Y=None):
        """Compute the values k(x, y) for all rows x of X and y of Y.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples_X, n_features), or list
            Rows, or a list of items. What a kernel takes from the training rows, such as ``gamma="scale"``, it takes from them.
        Y : {array-like, sparse matrix} of shape (n_samples_Y, n_features), or list, default=None
            Other rows or items; None for those of X.

        Returns
        -------
        ndarray of shape (n_samples_X, n_samples_Y)
            The values.

        Examples
        --------
        >>> from mercer.kernels import Linear
        >>> Linear()([[1.0], [2.0]], [[3.0]])
        array([[3.],
               [6.]])
        """
        if self.items != "rows":
            from ._items import as_items, items_of_both

            first, second = (as_items(self, X), None) if Y is None else items_of_both(self, X, Y)
            return _mercer.gram(str(self), first, second)
        from sklearn.utils import check_array

        from ._rows import as_rows, check_columns

        def rows(given):
            given = check_array(given, dtype=["float64", "float32"], accept_sparse="csr")
            check_columns(given)
            return as_rows(given)

        first = rows(X)
        return _mercer.gram(str(self), first, None if Y is None else rows(Y))

    @property
    def items(self):
        """What it compares.

        Returns
        -------
        str
            "rows", "strings", "trees", "graphs", "time series" or "records".

        Examples
        --------
        >>> from mercer.kernels import Linear, Spectrum
        >>> Linear().items, Spectrum(k=3).items
        ('rows', 'strings')
        """
        return _mercer.kernel_items(self._formula())

    def get_params(self, deep=True):
        """Get the parameters, as scikit-learn's estimators have them.

        Parameters
        ----------
        deep : bool, default=True
            Whether those of kernels within this one are among them, such as ``kernel__gamma``.

        Returns
        -------
        dict
            The values by their names; the sides of a sum or product are ``left`` and ``right``.

        Examples
        --------
        >>> from mercer.kernels import Normalise, Spectrum
        >>> Normalise(Spectrum(k=2)).get_params()
        {'kernel': Spectrum(k=2), 'kernel__k': 2}
        """
        own = self._own_params()
        if deep:
            inner = {name: value for name, value in own.items() if isinstance(value, Kernel)}
            for name, value in inner.items():
                own.update({f"{name}__{key}": one for key, one in value.get_params().items()})
        return own

    def set_params(self, **params):
        """Set parameters, as scikit-learn's estimators do: a grid search may name ``kernel__h``.

        Parameters
        ----------
        **params : dict
            The values by their names, see `get_params`.

        Returns
        -------
        Kernel
            This kernel.

        Examples
        --------
        >>> from mercer.kernels import Normalise, Spectrum
        >>> Normalise(Spectrum(k=2)).set_params(kernel__k=3)
        Normalise(Spectrum(k=3))
        """
        known, own, inner = self._own_params(), {}, {}
        for name, value in params.items():
            first, _, rest = name.partition("__")
            if first not in known or (rest and not isinstance(known[first], Kernel)):
                raise ValueError(f"{type(self).__name__} has no parameter {name!r}; it has {', '.join(known) or 'none'}")
            if rest:
                inner.setdefault(first, {})[rest] = value
            else:
                own[first] = value
        for name, changes in inner.items():
            own[name] = copy.deepcopy(own.get(name, known[name])).set_params(**changes)
        # Whatever makes no sense is refused before anything has changed.
        self.__dict__ = type(self)(**{**self._kept_params(), **own}).__dict__
        return self

    def __sklearn_clone__(self):
        return copy.deepcopy(self)

    def _own_params(self):
        """The parameters of `__init__`."""
        return {}

    def _kept_params(self):
        """Those that stay where others are set."""
        return self._own_params()

    def _formula(self):
        raise NotImplementedError


class _Named(Kernel):
    """One that is called by name with parameters.

    Parameters
    ----------
    length_scale : float, default=1.0
        The length l, above 0: the larger, the farther a row reaches.
    """

    _name = ""
    # Names and defaults; those that are not given are left to the engine, which has the same.
    _parameters: dict[str, object] = {}
    # Those whose values are text in quotes.
    _quoted: tuple[str, ...] = ()

    def __init_subclass__(cls, **others):
        super().__init_subclass__(**others)
        kind = inspect.Parameter.KEYWORD_ONLY
        parameters = [inspect.Parameter(name, kind, default=default) for name, default in cls._parameters.items()]
        cls.__signature__ = inspect.Signature(parameters)

    def __init__(self, **parameters):
        for name in parameters:
            if name not in self._parameters:
                known = ", ".join(self._parameters) or "none"
                raise TypeError(f"{type(self).__name__} has no parameter {name!r}; it has {known}")
        self._given = {name: value for name, value in parameters.items() if value is not None}
        # What makes no sense is refused here rather than when it is used.
        _mercer.check_kernel(self._formula())

    def __repr__(self):
        given = ", ".join(f"{name}={_plain(value)!r}" for name, value in self._given.items())
        return f"{type(self).__name__}({given})"

    def _own_params(self):
        return {name: self._given.get(name, default) for name, default in self._parameters.items()}

    def _kept_params(self):
        # A default may not stand beside what takes its place, such as `gamma` beside `sigma`.
        return dict(self._given)

    def _formula(self):
        given = ", ".join(
            f"{name}={_in_quotes(value) if name in self._quoted else _text(value)}"
            for name, value in self._given.items()
        )
        return f"{self._name}({given})" if given else self._name


class Formula(Kernel):
    """A kernel by the formula that the command line and model files know it by.

    Parameters
    ----------
    formula : str
        The formula.

    Examples
    --------
    >>> from mercer.kernels import Formula
    >>> Formula("0.5 * gaussian(gamma=2) + linear^2")
    Formula('0.5 * gaussian(gamma=2) + linear ^ 2')
    """

    def __init__(self, formula):
        self._text = _mercer.check_kernel(formula)

    def __repr__(self):
        return f"Formula({self._text!r})"

    def _own_params(self):
        return {"formula": self._text}

    def _formula(self):
        # It may be a sum, and stand in a product.
        return f"({self._text})"


class _Of(Kernel):
    """One number."""

    _name = ""

    def __init__(self, value):
        self._value = float(value)
        _mercer.check_kernel(self._formula())

    def __repr__(self):
        return f"{type(self).__name__}({self._value!r})"

    def _own_params(self):
        return {"value": self._value}

    def _formula(self):
        return f"{self._name}({self._value!r})"


class Constant(_Of):
    """The same value for all pairs.

    A number that is added to a kernel becomes one. With a value below 0 it is no kernel.

    Parameters
    ----------
    value : float
        The value.

    Examples
    --------
    >>> from mercer.kernels import Constant, Linear
    >>> Linear() + 1 == Linear() + Constant(1.0)
    True
    """

    _name = "constant"


class White(_Of):
    """A value for each training row with itself, 0 for all other pairs.

    A call of a kernel compares rows with others, even if they are equal: there it is 0.

    Parameters
    ----------
    value : float
        The value, at least 0.

    Examples
    --------
    >>> from mercer.kernels import Linear, White
    >>> Linear() + White(0.1)
    Linear() + White(0.1)
    """

    _name = "white"


class _Wrapped(Kernel):
    """A kernel made of another.

    Parameters
    ----------
    kernel : Kernel or float
        The other kernel.
    """

    _name = ""

    def __init__(self, kernel):
        self._kernel = _kernel(kernel)
        if self._kernel is NotImplemented:
            raise TypeError(f"{type(self).__name__} takes a kernel, not {type(kernel).__name__}")
        _mercer.check_kernel(self._formula())

    def __repr__(self):
        return f"{type(self).__name__}({self._kernel!r})"

    def _own_params(self):
        return {"kernel": self._kernel}

    def _formula(self):
        return f"{self._name}({self._kernel._formula()})"


@documented
class Normalise(_Wrapped):
    """A kernel of rows that all have length 1: k(x, z)/√(k(x, x) k(z, z)).

    Examples
    --------
    >>> from mercer.kernels import Linear, Normalise
    >>> Normalise(Linear())([[1.0, 0.0]], [[1.0, 1.0], [2.0, 0.0]]).round(3)
    array([[0.707, 1.   ]])
    """

    _name = "normalise"


@documented
class Centre(_Wrapped):
    """The kernel of the features less their mean over the training rows.

    Examples
    --------
    >>> from mercer.kernels import Centre, Linear
    >>> Centre(Linear())([[0.0], [2.0]])
    array([[ 1., -1.],
           [-1.,  1.]])
    """

    _name = "centre"


class Columns(Kernel):
    """A kernel that sees only some columns.

    Parameters
    ----------
    columns : slice or iterable of int
        The positions of the columns, from 0. A slice has an end, and no step.
    kernel : Kernel or float
        The kernel on them.

    Examples
    --------
    >>> from mercer.kernels import Columns, Linear
    >>> Columns([0, 2], Linear())([[1.0, 2.0, 3.0]])
    array([[10.]])
    >>> Columns(slice(0, 2), Linear())
    Columns([0, 1], Linear())
    """

    def __init__(self, columns, kernel):
        if isinstance(columns, slice):
            if columns.step not in (None, 1) or columns.stop is None:
                raise ValueError("a slice of columns has an end, and no step")
            columns = range(columns.start or 0, columns.stop)
        self._columns = [int(column) for column in columns]
        self._kernel = _kernel(kernel)
        if self._kernel is NotImplemented:
            raise TypeError(f"Columns takes a kernel, not {type(kernel).__name__}")
        _mercer.check_kernel(self._formula())

    def __repr__(self):
        return f"Columns({self._columns!r}, {self._kernel!r})"

    def _own_params(self):
        return {"columns": self._columns, "kernel": self._kernel}

    def _formula(self):
        return f"columns({self._columns!r}, {self._kernel._formula()})"


class _Pair(Kernel):
    _sign = ""

    def __init__(self, left, right):
        self._left, self._right = left, right
        _mercer.check_kernel(self._formula())

    def _join(self, write):
        left, right = (write(side, self._binds) for side in (self._left, self._right))
        return f"{left} {self._sign} {right}"

    def __repr__(self):
        return self._join(_shown)

    def _own_params(self):
        return {"left": self._left, "right": self._right}

    def _formula(self):
        return self._join(_written)


class _Sum(_Pair):
    _binds, _sign = _SUM, "+"


class _Product(_Pair):
    _binds, _sign = _PRODUCT, "*"


class _Power(Kernel):
    _binds = _POWER

    def __init__(self, kernel, power):
        self._kernel, self._power = kernel, int(power)
        _mercer.check_kernel(self._formula())

    def __repr__(self):
        return f"{_shown(self._kernel, _ATOM)} ** {self._power}"

    def _own_params(self):
        return {"kernel": self._kernel, "power": self._power}

    def _formula(self):
        return f"{_written(self._kernel, _ATOM)}^{self._power}"


def _shown(side, binds):
    if not isinstance(side, Kernel):
        return repr(side)
    return repr(side) if side._binds >= binds else f"({side!r})"


def _written(side, binds):
    if not isinstance(side, Kernel):
        return repr(side)
    return side._formula() if side._binds >= binds else f"({side._formula()})"


def _kernel(value):
    """A kernel, or a number as the constant one."""
    if isinstance(value, Kernel):
        return value
    return Constant(value) if isinstance(value, numbers.Real) else NotImplemented


def _factor(value):
    """A kernel or a number."""
    if isinstance(value, Kernel):
        return value
    return float(value) if isinstance(value, numbers.Real) else NotImplemented


def _plain(value):
    """Numbers of numpy as Python's, whose repr evaluates back."""
    if type(value).__name__ in ("bool", "bool_"):
        return bool(value)
    if isinstance(value, numbers.Integral):
        return int(value)
    if isinstance(value, numbers.Real):
        return float(value)
    return value if isinstance(value, str) else [_plain(one) for one in value]


def _text(value):
    value = _plain(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    return value if isinstance(value, str) else repr(value)


def _in_quotes(value):
    """Text as a formula holds it."""
    escaped = str(value).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
