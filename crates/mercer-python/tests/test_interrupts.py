"""Ctrl-C ends whatever is being done."""

import os
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import long_work
import pytest

# Seconds within which a signal is heard. It is promised within a tenth of one; the rest is for other programs on the machine.
BOUND = 1.0


def interrupted(names, delay):
    """For each piece of work how it ended and how many seconds after the signal."""
    command = [sys.executable, "-W", "ignore", str(Path(long_work.__file__)), *names]
    found = {}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as child:
        for name in names:
            assert child.stdout.readline() == "begun\n", name
            time.sleep(delay)
            sent = time.perf_counter()
            child.send_signal(signal.SIGINT)
            ended = child.stdout.readline().strip()
            found[name] = ended, time.perf_counter() - sent
            if ended != "interrupted":
                child.kill()
                break
    return found


def halves(names):
    return [names[::2], names[1::2]]


@pytest.mark.skipif(os.name != "posix", reason="signals are sent as on Unix")
@pytest.mark.skipif("MERCER_FULL" not in os.environ, reason="minutes of timed work: ./check --full")
def test_ctrl_c_is_heard_at_once(delay=0.7):
    names = list(long_work.WORK)
    found = {}
    # Two at a time; what was late is tried again by itself, since other programs may have been the reason.
    with ThreadPoolExecutor(2) as pool:
        for part in pool.map(lambda part: interrupted(part, delay), halves(names)):
            found.update(part)
    late = [name for name in names if name not in found or found[name][0] != "interrupted" or found[name][1] > BOUND]
    again = {name: interrupted([name], delay)[name] for name in late}
    assert {name: of for name, of in again.items() if of[0] != "interrupted" or of[1] > BOUND} == {}
