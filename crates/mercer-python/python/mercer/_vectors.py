"""Kernels on rows of numbers."""

from ._algebra import _Named
from ._docs import documented


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
