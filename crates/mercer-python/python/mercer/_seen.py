"""What theorems promise about linear machines and ridges."""

from numbers import Integral

from sklearn.utils.validation import check_is_fitted


class Bounded:
    """A machine that tells what theorems promise about new rows."""

    def bounds(self, delta=0.05, *, choices=None, gamma=None):
        """Tell what theorems promise about new rows, from the norm of w and the margins or residuals of the training rows.

        R and the trace of the kernel matrix are those of the training rows. An intercept that is the weight of one more feature counts as
        one.

        Parameters
        ----------
        delta : float, default=0.05
            How likely it may be that a bound fails.
        choices : int, default=None
            From how many values parameters were chosen by looking at the data. None means all that `tune` tried, or 1.
        gamma : float, default=None
            Of a regression, by how much a target may be missed. None means that for which all but the confidence is 0.1.

        Returns
        -------
        list of dict
            For every bound `of` (which classes, or which target), `name`, `theorem`, `quantity` (what is bounded), `value`, `terms`
            (which sum to it), `confidence`, `vacuous`, `advice` (what would make it smaller), `constant` (what was taken
            for one that the theorem does not name; such a value compares models and promises nothing), `gamma` and
            `notes`. Theorems that say nothing have `value=None` and `because`.

        Examples
        --------
        >>> import numpy as np
        >>> from mercer import LinearSVC
        >>> X, y = np.repeat([[-1.0], [1.0]], 1000, axis=0), np.repeat([0, 1], 1000)
        >>> bounds = LinearSVC(fit_intercept=False, C=1e4, tol=1e-9).fit(X, y).bounds()
        >>> bounds[0]["name"], round(bounds[0]["value"], 3)
        ('hard margin', 0.181)
        """
        check_is_fitted(self)
        if choices is None:
            choices = len(self.cv_results_["params"]) if hasattr(self, "cv_results_") else 1
        if not (isinstance(choices, Integral) and choices >= 1):
            raise ValueError(f"choices = {choices}: expected a whole number, 1 or more")
        return self._bounds(float(delta), int(choices), None if gamma is None else float(gamma))
