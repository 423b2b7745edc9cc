"""How many threads an estimator may use."""

import os


def thread_count(n_jobs):
    """As many as `n_jobs` says; without it all that the process may use, but one inside a worker of joblib."""
    cores = _cores()
    if n_jobs is None:
        return 1 if _is_nested() else min(cores, _limit("OMP_NUM_THREADS", cores))
    if n_jobs == 0:
        raise ValueError("n_jobs == 0 has no meaning")
    return max(1, cores + 1 + n_jobs) if n_jobs < 0 else n_jobs


def _cores():
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:
        return os.cpu_count() or 1


def _limit(variable, otherwise):
    # joblib tells its worker processes so, and users do.
    try:
        return max(1, int(os.environ[variable].split(",")[0]))
    except (KeyError, ValueError):
        return otherwise


def _is_nested():
    # A worker thread of joblib finds a backend above it; a worker process is told by variables.
    from joblib.parallel import get_active_backend

    backend, _ = get_active_backend()
    return (getattr(backend, "nesting_level", 0) or 0) > 0
