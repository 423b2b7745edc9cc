"""Warnings that name the line of the caller."""

import os
import sys
import warnings

import sklearn

_INSIDE = tuple(os.path.join(os.path.dirname(os.path.abspath(file)), "") for file in (__file__, sklearn.__file__))


def warn(message, category=UserWarning):
    """Warns of something at the line that called the package, past scikit-learn's wrappers of methods."""
    level, frame = 2, sys._getframe(1)
    while frame.f_back is not None and frame.f_code.co_filename.startswith(_INSIDE):
        level, frame = level + 1, frame.f_back
    warnings.warn(message, category, stacklevel=level)
