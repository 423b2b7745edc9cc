"""The warnings of exact machines that the batch solver has trained again."""

REFITTED = (
    "Rounding does not allow an exact update: the batch solver trained the machine again. "
    "Scale the features, or choose a smaller C. Further refits are counted without a warning."
)

INACCURATE = (
    "The limit of numerical precision: the conditions of optimality are violated by up to {:.1e}, and the duality gap is {:.1e} of the objective. "
    "Scale the features, or choose a smaller C."
)
