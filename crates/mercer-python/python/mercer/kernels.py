"""Kernels on rows of numbers, to be combined by ``+``, ``*`` and ``**``.

    >>> from mercer import SVC
    >>> from mercer.kernels import Gaussian, Linear
    >>> kernel = 0.5 * Gaussian(gamma=2.0) + Linear() ** 2
    >>> kernel
    0.5 * Gaussian(gamma=2.0) + Linear() ** 2
    >>> eval(repr(kernel)) == kernel
    True
    >>> kernel([[1.0]], [[1.0], [2.0]]).round(3)
    array([[1.5  , 4.068]])
    >>> SVC(kernel=kernel).fit([[0.0], [1.0]], [0, 1]).predict([[2.0]])
    array([1])

``str`` of a kernel is the formula that the command line and model files know it by.
"""

import numbers

from . import _mercer

__all__ = [
    "AdditiveChi2",
    "Centre",
    "Chi2",
    "Columns",
    "Constant",
    "Cosine",
    "Exponential",
    "Formula",
    "Gaussian",
    "Intersection",
    "Kernel",
    "Laplacian",
    "Linear",
    "Matern",
    "Normalise",
    "Periodic",
    "Polynomial",
    "RationalQuadratic",
    "Sigmoid",
    "White",
]

# How tightly the operators bind, so that repr has the brackets that it needs and no more.
_SUM, _PRODUCT, _POWER, _ATOM = range(4)


class Kernel:
    """A kernel; see the module for how to combine them."""

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
        return isinstance(other, Kernel) and repr(self) == repr(other)

    def __hash__(self):
        return hash(repr(self))

    def __str__(self):
        return _mercer.check_kernel(self._formula())

    def __call__(self, X, Y=None):
        """The values k(x, y) for all rows x of X and y of Y, which is X if it is not given."""
        from sklearn.utils import check_array

        from ._rows import as_rows, check_columns

        def rows(given):
            given = check_array(given, dtype=["float64", "float32"], accept_sparse="csr")
            check_columns(given)
            return as_rows(given)

        first = rows(X)
        return _mercer.gram(str(self), first, first if Y is None else rows(Y))

    def _formula(self):
        raise NotImplementedError


class _Named(Kernel):
    """One that is called by name with parameters."""

    _name = ""
    _parameters = ()

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

    def _formula(self):
        given = ", ".join(f"{name}={_text(value)}" for name, value in self._given.items())
        return f"{self._name}({given})" if given else self._name


def _named(class_name, name, parameters, doc):
    members = {"_name": name, "_parameters": parameters, "__doc__": doc, "__module__": __name__}
    return type(class_name, (_Named,), members)


Linear = _named("Linear", "linear", (), "⟨x, z⟩")
Polynomial = _named(
    "Polynomial",
    "polynomial",
    ("degree", "gamma", "constant"),
    "(γ⟨x, z⟩ + c)^d; by default d = 3, γ = 1, c = 1.",
)
Gaussian = _named(
    "Gaussian",
    "gaussian",
    ("gamma", "sigma", "length_scale", "amplitude"),
    """exp(−γ‖x − z‖²).

    ``gamma`` is a number, "scale" (the default) or "auto" as in scikit-learn; in its place there may be ``sigma``
    (γ = 1/(2σ²)) or ``length_scale``, one number or one for each column.
    """,
)
Laplacian = _named("Laplacian", "laplacian", ("gamma",), "exp(−γ Σ|x − z|); by default γ = 1/columns.")
Exponential = _named("Exponential", "exponential", ("length_scale",), "exp(−‖x − z‖/l)")
Matern = _named("Matern", "matern", ("nu", "length_scale"), "Matérn's kernel with ν = 0.5, 1.5 (the default) or 2.5.")
RationalQuadratic = _named(
    "RationalQuadratic", "rational_quadratic", ("alpha", "length_scale"), "(1 + ‖x − z‖²/(2αl²))^−α"
)
Periodic = _named("Periodic", "periodic", ("period", "length_scale"), "exp(−2 Σ sin²(π(x − z)/p)/l²)")
Sigmoid = _named("Sigmoid", "sigmoid", ("gamma", "constant"), "tanh(γ⟨x, z⟩ + c), which is no kernel in general.")
Cosine = _named("Cosine", "cosine", (), "⟨x, z⟩/(‖x‖‖z‖)")
Chi2 = _named("Chi2", "chi2", ("gamma",), "exp(−γ Σ(x − z)²/(x + z)) for values of at least 0.")
AdditiveChi2 = _named("AdditiveChi2", "additive_chi2", (), "Σ 2xz/(x + z) for values of at least 0.")
Intersection = _named("Intersection", "intersection", (), "Σ min(x, z) for values of at least 0.")


class Formula(Kernel):
    """A kernel by the formula that the command line and model files know it by.

    >>> Formula("0.5 * gaussian(gamma=2) + linear^2")
    Formula('0.5 * gaussian(gamma=2) + linear ^ 2')
    """

    def __init__(self, formula):
        self._text = _mercer.check_kernel(formula)

    def __repr__(self):
        return f"Formula({self._text!r})"

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

    def _formula(self):
        return f"{self._name}({self._value!r})"


class Constant(_Of):
    """The same value for all pairs."""

    _name = "constant"


class White(_Of):
    """A value for each row with itself, 0 for all others."""

    _name = "white"


class _Wrapped(Kernel):
    """A kernel made of another."""

    _name = ""

    def __init__(self, kernel):
        self._kernel = _kernel(kernel)
        if self._kernel is NotImplemented:
            raise TypeError(f"{type(self).__name__} takes a kernel, not {type(kernel).__name__}")

    def __repr__(self):
        return f"{type(self).__name__}({self._kernel!r})"

    def _formula(self):
        return f"{self._name}({self._kernel._formula()})"


class Normalise(_Wrapped):
    """k(x, z)/√(k(x, x) k(z, z))"""

    _name = "normalise"


class Centre(_Wrapped):
    """The kernel of the features less their mean over the training rows."""

    _name = "centre"


class Columns(Kernel):
    """A kernel that sees only some columns: positions, or a slice of them."""

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

    def _formula(self):
        return f"{_written(self._kernel, _ATOM)}^{self._power}"


# What scikit-learn calls the kernels that it has.
_THEIRS = {"linear": "linear", "gaussian": "rbf", "polynomial": "poly", "sigmoid": "sigmoid"}


def named_kernel(formula):
    """The name that scikit-learn has for a kernel, with the numbers of its parameters; None if it has no such kernel."""
    name, _, arguments = formula.partition("(")
    pairs = [pair.partition("=") for pair in arguments.rstrip(")").split(", ") if pair]
    try:
        numbers = {key: float(value) for key, _, value in pairs}
    except ValueError:
        return None, {}
    # A width by another name than γ, or one for each column, is not scikit-learn's.
    if name not in _THEIRS or not set(numbers) <= {"gamma", "constant", "degree"}:
        return None, {}
    return _THEIRS[name], numbers


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
    if isinstance(value, numbers.Integral):
        return int(value)
    if isinstance(value, numbers.Real):
        return float(value)
    return value if isinstance(value, str) else [_plain(one) for one in value]


def _text(value):
    value = _plain(value)
    return value if isinstance(value, str) else repr(value)
