"""Virtual examples: images that are moved a little."""

import numpy as np

from . import _mercer


def virtual_examples(images, y=None, *, width=None, shifts=0, rotations=(), zooms=(), background=0.0):
    """Add distorted copies of images, so that a learner is told what does not change what is in them.

    Parameters
    ----------
    images : array-like of shape (n_images, height, width) or (n_images, n_pixels)
        The images, or their pixels line after line.
    y : array-like of shape (n_images,), default=None
        Their labels, which are repeated for the copies.
    width : int, default=None
        The pixels of a line, where images come as rows of pixels; None for images that are square.
    shifts : int, default=0
        By how many pixels images are moved at most, in either direction: (2 · shifts + 1)² − 1 copies.
    rotations : sequence of float, default=()
        The angles by which they are turned, in degrees anticlockwise: one copy each.
    zooms : sequence of float, default=()
        The factors by which they are enlarged: one copy each.
    background : float, default=0.0
        What is seen outside of an image.

    Returns
    -------
    ndarray or tuple of ndarray
        Each image followed by its copies, in the shape that they came in; with `y`, a tuple of the images and their labels.

    Examples
    --------
    >>> from mercer import virtual_examples
    >>> images, labels = virtual_examples([[[1.0, 2.0], [3.0, 4.0]]], ["face"], shifts=1)
    >>> images.shape, labels.shape
    ((9, 2, 2), (9,))
    >>> images[1]
    array([[4., 0.],
           [0., 0.]])
    """
    images = np.asarray(images, dtype=np.float64)
    if images.ndim not in (2, 3):
        raise ValueError(f"images have the shape (n, height, width) or (n, pixels), found {images.ndim} dimensions")
    pixels = int(np.prod(images.shape[1:]))
    if images.ndim == 3:
        if width is not None and width != images.shape[2]:
            raise ValueError(f"width={width}, and the images are {images.shape[2]} pixels wide")
        width = images.shape[2]
    elif width is None:
        width = round(pixels**0.5)
        if width * width != pixels:
            raise ValueError(f"images of {pixels} pixels are not square: say how wide they are (width)")
    if width < 1 or pixels % width:
        raise ValueError(f"width={width} does not divide the {pixels} pixels of an image")
    if y is not None and len(y) != len(images):
        raise ValueError(f"there are {len(images)} images, and {len(y)} labels")
    rows = np.ascontiguousarray(images.reshape(len(images), pixels))
    found, origin = _mercer.virtual_examples(
        rows, pixels // width, width, shifts, list(map(float, rotations)), list(map(float, zooms)), float(background)
    )
    found = found.reshape(len(found), *images.shape[1:])
    return found if y is None else (found, np.asarray(y)[origin])
