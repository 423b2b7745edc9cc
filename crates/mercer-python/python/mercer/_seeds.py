"""Seeds of the engine."""

from numbers import Integral

from sklearn.utils import check_random_state


def seed_of(random_state):
    """A number is the seed itself, as `--seed` of the command line; generators, and numpy's own for None, are asked for one."""
    generator = check_random_state(random_state)
    return int(random_state) if isinstance(random_state, Integral) else int(generator.randint(2**31))
