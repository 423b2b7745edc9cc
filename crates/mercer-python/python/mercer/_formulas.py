"""Kernel objects from formulas: what `str` of a kernel writes, read back."""

import re

from . import kernels
from ._algebra import Formula, Kernel, _Named, _Of, _Wrapped

_PIECES = re.compile(r'\s*(?:(?P<number>[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)|(?P<name>[A-Za-z_]\w*)|(?P<text>"(?:[^"\\]|\\.)*")|(?P<sign>[-+*^(),=\[\]]))')


class _Unknown(Exception):
    """What no class of kernels stands for."""


def from_formula(formula):
    """The kernel of a formula as an object with parameters; a `Formula` where no classes make it.

    Examples
    --------
    >>> from mercer._formulas import from_formula
    >>> from_formula("0.5 * gaussian(gamma=2) + linear ^ 2")
    0.5 * Gaussian(gamma=2) + Linear() ** 2
    """
    given = Formula(formula)
    try:
        reader = _Reader(str(given))
        kernel = reader.sum()
        reader.expect(None)
        # Whatever was read has to be the very kernel.
        if isinstance(kernel, Kernel) and str(kernel) == str(given):
            return kernel
    except (_Unknown, TypeError, ValueError):
        pass
    return given


class _Reader:
    """A formula, read from left to right."""

    def __init__(self, formula):
        self.pieces, at = [], 0
        while formula[at:].strip():
            found = _PIECES.match(formula, at)
            if found is None:
                raise _Unknown(formula[at:])
            self.pieces.append((found.lastgroup, found.group(found.lastgroup)))
            at = found.end()
        self.at = 0
        self.classes = _classes()

    def next(self):
        """The next piece, which is taken."""
        piece = self.peek()
        self.at += 1
        return piece

    def peek(self, ahead=0):
        """A piece that is not taken."""
        at = self.at + ahead
        return self.pieces[at] if at < len(self.pieces) else (None, None)

    def expect(self, sign):
        """Takes a sign; None for the end."""
        if self.next()[1] != sign:
            raise _Unknown(sign)

    def sum(self):
        found = self.product()
        while self.peek() == ("sign", "+") or (self.peek()[0] == "number" and self.peek()[1].startswith("+")):
            if self.peek()[0] == "number":
                raise _Unknown(self.peek())
            self.next()
            found = found + self.product()
        return found

    def product(self):
        found = self.power()
        while self.peek() == ("sign", "*"):
            self.next()
            found = found * self.power()
        return found

    def power(self):
        found = self.atom()
        while self.peek() == ("sign", "^"):
            self.next()
            found = found ** int(self.next()[1])
        return found

    def atom(self):
        kind, text = self.next()
        if (kind, text) == ("sign", "("):
            found = self.sum()
            self.expect(")")
            return found
        if kind == "number":
            return float(text)
        if kind != "name" or text not in self.classes:
            raise _Unknown(text)
        given, named = self.arguments() if self.peek() == ("sign", "(") else ([], {})
        cls = self.classes[text]
        if issubclass(cls, _Of):
            return cls(*given)
        if text == "columns":
            return cls([int(column) for column in given[0]], given[1])
        return cls(*given, **named)

    def arguments(self):
        """What stands in brackets, by place and by name."""
        given, named = [], {}
        self.expect("(")
        while self.peek() != ("sign", ")"):
            if self.peek()[0] == "name" and self.peek(1) == ("sign", "="):
                name = self.next()[1]
                self.next()
                named[name] = self.value()
            else:
                given.append(self.value())
            if self.peek() != ("sign", ")"):
                self.expect(",")
        self.expect(")")
        return given, named

    def value(self):
        """A list, a text, a word, or a kernel (which may be a number)."""
        kind, text = self.peek()
        if (kind, text) == ("sign", "["):
            self.next()
            values = []
            while self.peek() != ("sign", "]"):
                values.append(self.value())
                if self.peek() != ("sign", "]"):
                    self.expect(",")
            self.expect("]")
            return values
        if kind == "text":
            self.next()
            return re.sub(r"\\(.)", r"\1", text[1:-1])
        if kind == "name" and text not in self.classes:
            self.next()
            return {"true": True, "false": False}.get(text, text)
        found = self.sum()
        return int(found) if isinstance(found, float) and found.is_integer() and "." not in text and "e" not in text else found


def _classes():
    """Classes of kernels by the names that formulas have for them."""
    # Of structured items the engine writes "normalised".
    found = {"columns": kernels.Columns, "column": kernels.Column, "normalised": kernels.Normalise}
    for name in kernels.__all__:
        cls = getattr(kernels, name)
        if isinstance(cls, type) and issubclass(cls, (_Named, _Of, _Wrapped)) and cls._name:
            found[cls._name] = cls
    return found
