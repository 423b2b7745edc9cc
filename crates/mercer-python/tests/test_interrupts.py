"""Ctrl-C ends whatever is being done, and other threads of Python run meanwhile."""

import os
import queue
import signal
import statistics
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import long_work
import pytest

pytestmark = pytest.mark.alone

# Seconds within which a signal is heard, as the README promises.
PROMISED = 0.1
# What a single try may take on a machine that does other work too, and for how long other threads may have to wait.
BOUND = 0.25
# How often work is tried that is late: other programs may have been the reason.
TRIES = 3
# When the signal is sent, after the beginning of the work.
DELAY = 0.7

# One of each way in which work is done.
SOME = [
    "SVC", "SVC pairs", "SVC strings", "SVC weston-watkins", "SVC tune", "LinearSVC", "KernelRidge", "KernelRidge path", "LSSVC",
    "GaussianProcessRegressor", "GaussianProcessClassifier", "KernelPCA", "RVC", "RankSVM", "KernelKMeans", "SpectralClustering neighbors",
    "RBFNetwork", "KernelPerceptron", "OnlineSVR", "IncrementalSVC", "IncrementalSVC partial_fit", "ActiveLearner answer",
    "ActiveLearner ask", "ActiveLearner predict", "explain", "fisher_scores", "sample_y", "inverse_transform of KernelPCA",
    "predict of SVC", "predict of LSSVC", "predict of KernelPerceptron", "predict_proba of GaussianProcessClassifier", "LSSVC tune",
    "RVR tune", "GaussianProcessClassifier tune", "KernelCCA", "clean", "prototypes", "compress", "mmd_test", "kernel values",
    "mend", "mend rows",
]  # fmt: skip


def interrupted(names):
    """For each piece of work how it ended, how many seconds after the signal, and for how long other threads had to wait at most."""
    command = [sys.executable, "-W", "ignore", str(Path(long_work.__file__)), *names]
    found, lines = {}, queue.SimpleQueue()
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as child:

        def read():
            for line in child.stdout:
                lines.put(line.strip())
            lines.put("0 gone")

        threading.Thread(target=read).start()
        for name in names:
            begun = lines.get()
            assert begun == "begun", (name, begun)
            try:
                line, late = lines.get(timeout=DELAY), 0.0
                early = " before the signal"
            except queue.Empty:
                sent, early = time.perf_counter(), ""
                child.send_signal(signal.SIGINT)
                line = lines.get()
                late = time.perf_counter() - sent
            blocked, ended = line.split(" ", 1)
            found[name] = ended + early, late, float(blocked)
            if ended not in ("interrupted", "done") or (ended == "done" and not early):
                child.kill()
                break
    return found


def is_prompt(name, found):
    """Whether the signal was heard in time and other threads were not stopped; what is over before the signal need not hear it."""
    ended, late, blocked = found
    is_over = ended == "done before the signal" and name in long_work.DERIVED
    return (ended == "interrupted" or is_over) and late <= BOUND and blocked <= BOUND


@pytest.mark.skipif(os.name != "posix", reason="signals are sent as on Unix")
def test_ctrl_c_is_heard_at_once_and_other_threads_run():
    names = list(long_work.WORK) if "MERCER_FULL" in os.environ else SOME
    found = {}
    # Two children at a time.
    with ThreadPoolExecutor(2) as pool:
        for part in pool.map(interrupted, [names[::2], names[1::2]]):
            found.update(part)
    late = [name for name in names if name not in found or not is_prompt(name, found[name])]
    for _ in range(TRIES - 1):
        for name in late:
            found[name] = interrupted([name])[name]
        late = [name for name in late if not is_prompt(name, found[name])]
    assert {name: found[name] for name in late} == {}
    assert statistics.median(late for ended, late, _ in found.values() if ended == "interrupted") <= PROMISED
