"""Kernels on rows of numbers, to be combined by ``+``, ``*`` and ``**``; and kernels on strings, texts, trees, graphs, time
series and records, to be combined by ``+`` and ``*``.

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

    >>> from mercer.kernels import Spectrum
    >>> SVC(kernel=Spectrum(k=2)).fit(["gattaca", "ccacca"], ["g", "c"]).predict(["gatta"]).tolist()
    ['g']

``str`` of a kernel is the formula that the command line and model files know it by.
"""

import inspect
import numbers

from . import _mercer
from ._docs import documented

__all__ = [
    "AdditiveChi2",
    "AllSubsequences",
    "Anova",
    "Autocorrelation",
    "BagOfWords",
    "BestMatch",
    "Blended",
    "Centre",
    "Chi2",
    "Column",
    "Columns",
    "CommonModels",
    "Conjunctions",
    "Constant",
    "Cosine",
    "Dnf",
    "DynamicTimeWarping",
    "EdgeHistogram",
    "Exponential",
    "FisherMarkov",
    "FisherMixture",
    "FisherSeriesMarkov",
    "FixedSubsequences",
    "Formula",
    "Gappy",
    "Gaussian",
    "GlobalAlignment",
    "Graphlets",
    "Intersection",
    "Jittered",
    "Kernel",
    "LabelledRandomWalk",
    "Laplacian",
    "Linear",
    "LocalAlignment",
    "LocalityImproved",
    "Matern",
    "Mismatch",
    "Multiset",
    "Normalise",
    "OptimalAssignment",
    "PairHiddenMarkov",
    "PartialTree",
    "Periodic",
    "Polynomial",
    "Propagation",
    "RandomWalk",
    "RationalQuadratic",
    "SetSum",
    "ShortestPath",
    "Sigmoid",
    "Spectrum",
    "Subsequence",
    "SubsetTree",
    "Subtree",
    "VertexHistogram",
    "WeightedDegree",
    "WeisfeilerLehman",
    "White",
]

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
        return isinstance(other, Kernel) and repr(self) == repr(other)

    def __hash__(self):
        return hash(repr(self))

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
            from ._items import as_items

            first = as_items(self, X)
            return _mercer.gram(str(self), first, None if Y is None else as_items(self, Y))
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
    _parameters = {}
    # Those whose values are text in quotes.
    _quoted = ()

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

    def _formula(self):
        given = ", ".join(
            f"{name}={_in_quotes(value) if name in self._quoted else _text(value)}"
            for name, value in self._given.items()
        )
        return f"{self._name}({given})" if given else self._name


class Linear(_Named):
    """The linear kernel ⟨x, z⟩.

    Examples
    --------
    >>> from mercer.kernels import Linear
    >>> Linear()([[1.0, 2.0]], [[3.0, 4.0]])
    array([[11.]])
    """

    _name = "linear"


class Polynomial(_Named):
    """The polynomial kernel (γ⟨x, z⟩ + c)^d.

    With c = 0 its features are all products of d columns, with c > 0 also those of fewer. With c < 0 it is no kernel in
    general.

    Parameters
    ----------
    degree : int, default=3
        The degree d, at least 1.
    gamma : {"scale", "auto"} or float, default=1.0
        The factor γ: 1/(columns · variance of the training rows), 1/columns, or a number above 0.
    constant : float, default=1.0
        The constant c.

    Examples
    --------
    >>> from mercer.kernels import Polynomial
    >>> Polynomial(degree=2)([[1.0, 2.0]], [[3.0, 4.0]])
    array([[144.]])
    """

    _name = "polynomial"
    _parameters = {"degree": 3, "gamma": 1.0, "constant": 1.0}


class Gaussian(_Named):
    """The Gaussian kernel a exp(−γ‖x − z‖²).

    Its width is given by one of `gamma`, `sigma` and `length_scale`.

    Parameters
    ----------
    gamma : {"scale", "auto", "median"} or float, default="scale"
        The factor γ: 1/(columns · variance of the training rows), 1/columns, 1/(2m²) with m the median of the distances
        between training rows, or a number above 0.
    sigma : float, default=None
        The width σ, with γ = 1/(2σ²).
    length_scale : float or array-like of shape (n_features,), default=None
        The width under another name, or one for each column: exp(−½ Σ(x − z)²/l²).
    amplitude : float, default=1.0
        The factor a, above 0.

    Examples
    --------
    >>> from mercer.kernels import Gaussian
    >>> Gaussian(gamma=0.5)([[0.0, 0.0]], [[0.0, 0.0], [1.0, 1.0]]).round(3)
    array([[1.   , 0.368]])
    >>> Gaussian(length_scale=[1.0, 10.0])([[0.0, 0.0]], [[1.0, 0.0], [0.0, 1.0]]).round(3)
    array([[0.607, 0.995]])
    """

    _name = "gaussian"
    _parameters = {"gamma": "scale", "sigma": None, "length_scale": None, "amplitude": 1.0}


class Laplacian(_Named):
    """The Laplacian kernel exp(−γ Σ|x − z|).

    Parameters
    ----------
    gamma : {"auto", "scale", "median"} or float, default="auto"
        The factor γ: 1/columns, 1/(columns · variance of the training rows), 1/m with m the median of the distances Σ|x − z|
        between training rows, or a number above 0.

    Examples
    --------
    >>> from mercer.kernels import Laplacian
    >>> Laplacian(gamma=0.5)([[1.0, 0.0]], [[0.0, 1.0]]).round(3)
    array([[0.368]])
    """

    _name = "laplacian"
    _parameters = {"gamma": "auto"}


@documented
class Exponential(_Named):
    """The exponential kernel exp(−‖x − z‖/l).

    Examples
    --------
    >>> from mercer.kernels import Exponential
    >>> Exponential(length_scale=5.0)([[0.0, 0.0]], [[3.0, 4.0]]).round(3)
    array([[0.368]])
    """

    _name = "exponential"
    _parameters = {"length_scale": 1.0}


@documented
class Matern(_Named):
    """Matérn's kernel with ν = 0.5, 1.5 or 2.5.

    With r = √(2ν)‖x − z‖/l it is exp(−r), (1 + r) exp(−r) or (1 + r + r²/3) exp(−r).

    Parameters
    ----------
    nu : {0.5, 1.5, 2.5}, default=1.5
        The smoothness ν: functions that are continuous, differentiable once or twice.

    Examples
    --------
    >>> from mercer.kernels import Matern
    >>> Matern(nu=2.5, length_scale=2.0)([[0.0]], [[0.0], [1.0], [2.0]]).round(3)
    array([[1.   , 0.829, 0.524]])
    """

    _name = "matern"
    _parameters = {"nu": 1.5, "length_scale": 1.0}


@documented
class RationalQuadratic(_Named):
    """The rational quadratic kernel (1 + ‖x − z‖²/(2αl²))^−α.

    It is a mixture of Gaussian kernels of all widths, and the one of width l for α → ∞.

    Parameters
    ----------
    alpha : float, default=1.0
        The exponent α, above 0.

    Examples
    --------
    >>> from mercer.kernels import RationalQuadratic
    >>> RationalQuadratic()([[0.0]], [[2.0]]).round(3)
    array([[0.333]])
    """

    _name = "rational_quadratic"
    _parameters = {"alpha": 1.0, "length_scale": 1.0}


@documented
class Periodic(_Named):
    """The periodic kernel exp(−2 Σ sin²(π(x − z)/p)/l²).

    Parameters
    ----------
    period : float, default=1.0
        The period p, above 0: rows that differ by it are alike.

    Examples
    --------
    >>> from mercer.kernels import Periodic
    >>> Periodic(period=4.0)([[0.0]], [[2.0], [4.0]]).round(3)
    array([[0.135, 1.   ]])
    """

    _name = "periodic"
    _parameters = {"period": 1.0, "length_scale": 1.0}


class Sigmoid(_Named):
    """The sigmoid tanh(γ⟨x, z⟩ + c), which is no kernel in general.

    Parameters
    ----------
    gamma : {"scale", "auto"} or float, default="scale"
        The factor γ: 1/(columns · variance of the training rows), 1/columns, or a number above 0.
    constant : float, default=0.0
        The constant c.

    Examples
    --------
    >>> from mercer.kernels import Sigmoid
    >>> Sigmoid(gamma=0.5, constant=-1.0)([[1.0, 2.0]], [[2.0, 1.0]]).round(3)
    array([[0.762]])
    """

    _name = "sigmoid"
    _parameters = {"gamma": "scale", "constant": 0.0}


class Cosine(_Named):
    """The cosine ⟨x, z⟩/(‖x‖‖z‖) of the angle between two rows.

    Examples
    --------
    >>> from mercer.kernels import Cosine
    >>> Cosine()([[1.0, 0.0]], [[1.0, 1.0], [2.0, 0.0]]).round(3)
    array([[0.707, 1.   ]])
    """

    _name = "cosine"


class Chi2(_Named):
    """The χ² kernel exp(−γ Σ(x − z)²/(x + z)) for values of at least 0.

    Columns in which both values are 0 add nothing.

    Parameters
    ----------
    gamma : {"scale", "auto", "median"} or float, default=1.0
        The factor γ: 1/(columns · variance of the training rows), 1/columns, 1/m with m the median of the distances
        Σ(x − z)²/(x + z) between training rows, or a number above 0.

    Examples
    --------
    >>> from mercer.kernels import Chi2
    >>> Chi2(gamma=0.5)([[1.0, 0.0]], [[3.0, 0.0]]).round(3)
    array([[0.607]])
    """

    _name = "chi2"
    _parameters = {"gamma": 1.0}


class AdditiveChi2(_Named):
    """The additive χ² kernel Σ 2xz/(x + z) for values of at least 0.

    Columns in which both values are 0 add nothing.

    Examples
    --------
    >>> from mercer.kernels import AdditiveChi2
    >>> AdditiveChi2()([[1.0, 2.0]], [[1.0, 6.0]])
    array([[4.]])
    """

    _name = "additive_chi2"


class Intersection(_Named):
    """The intersection Σ min(x, z) of two histograms, for values of at least 0.

    Examples
    --------
    >>> from mercer.kernels import Intersection
    >>> Intersection()([[1.0, 5.0]], [[3.0, 4.0]])
    array([[5.]])
    """

    _name = "intersection"


class Anova(_Named):
    """The ANOVA kernel: all interactions of d different columns.

    It is Σ k(x_a, z_a) k(x_b, z_b) … over all sets {a, b, …} of d columns, with k(x, z) = xz, or exp(−γ(x − z)²) if there is
    a γ. Unlike a polynomial kernel it has no powers of one column. With fewer columns than d it is 0.

    Parameters
    ----------
    degree : int, default=2
        The number d of columns that interact, at least 1.
    gamma : float, default=None
        The factor γ, above 0; None for the products xz.
    columns : int, default=None
        How many columns the rows have, which matters only with a γ; None for as many as the training rows have.

    Examples
    --------
    >>> from mercer.kernels import Anova
    >>> Anova(degree=2)([[1.0, 2.0, 3.0]], [[1.0, 1.0, 2.0]])  # 1·2 + 1·6 + 2·6
    array([[20.]])
    >>> 1 + Anova(degree=1) + Anova(degree=2)
    Constant(1.0) + Anova(degree=1) + Anova(degree=2)
    """

    _name = "anova"
    _parameters = {"degree": 2, "gamma": None, "columns": None}


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

    def __repr__(self):
        return f"{type(self).__name__}({self._kernel!r})"

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


def __getattr__(name):
    # Those on structured items are made of what stands above, and are looked up when they are first named.
    if name in __all__:
        from . import _structures

        return getattr(_structures, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__():
    return sorted({*globals(), *__all__})
