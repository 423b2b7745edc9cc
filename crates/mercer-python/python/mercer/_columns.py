"""Kernels on records of mixed columns."""

from . import _mercer
from ._algebra import Kernel, _in_quotes, _kernel


class Column(Kernel):
    """A kernel on one column of records: numbers by a kernel on rows, words by equality, texts by a kernel on strings.

    Records are a frame of pandas, a dictionary of columns, or a list of dictionaries. The product of two columns is the tensor
    product of their kernels: the kernel on pairs that is the one on the first parts times the one on the second.

    Parameters
    ----------
    name : str
        The name of the column.
    kernel : Kernel or "equality"
        How its values are compared. For texts one that lists its features, such as `BagOfWords` or `Spectrum`, normalised or
        not.

    Examples
    --------
    >>> from mercer.kernels import Column, Linear
    >>> kernel = Column("age", Linear()) * Column("job", "equality")
    >>> kernel({"age": [2.0, 3.0], "job": ["baker", "smith"]})
    array([[4., 0.],
           [0., 9.]])
    """

    def __init__(self, name, kernel):
        self._column = str(name)
        self._kernel = kernel if isinstance(kernel, str) and kernel == "equality" else _kernel(kernel)
        if self._kernel is NotImplemented:
            raise TypeError(f"Column takes a kernel or 'equality', not {kernel!r}")
        _mercer.check_kernel(self._formula())

    def __repr__(self):
        return f"Column({self._column!r}, {self._kernel!r})"

    def _own_params(self):
        return {"name": self._column, "kernel": self._kernel}

    def _formula(self):
        inner = self._kernel if isinstance(self._kernel, str) else self._kernel._formula()
        return f"column({_in_quotes(self._column)}, {inner})"
