"""The warning of exact machines that the batch solver has trained again."""

REFITTED = (
    "Rounding does not allow an exact update: the batch solver trained the machine again. "
    "Scale the features, or choose a smaller C. Further refits are counted without a warning."
)
