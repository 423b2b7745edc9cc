"""Numbers that count something."""

from numbers import Integral, Real


def whole(name, value, least):
    """A whole number of at least so much; fractions are refused, not cut."""
    is_number = isinstance(value, Real) and not isinstance(value, bool)
    if not is_number or not (isinstance(value, Integral) or float(value).is_integer()) or value < least:
        raise ValueError(f"{name}={value!r}: expected a whole number of at least {least}")
    return int(value)
