"""`svm-scale` of LIBSVM and `mercer svm-scale` on the same files: printed rows, files of ranges and warnings."""

import contextlib
import io
import json
import pathlib
import random
import subprocess
import tempfile


def text(source, rows, columns):
    """Sparse rows with constant columns, zeros that are written, and empty rows."""
    lines = []
    shift = source.choice([0.0, 3.0, -100.0])
    for _ in range(rows):
        words = [f"{source.choice([1, -1, 2.5, -0.25, 1e5])!r}"]
        for column in range(1, columns + 1):
            if source.random() < 0.6:
                value = 4.0 if column == 2 else 0.0 if source.random() < 0.1 else shift + source.gauss(0, 10**column)
                words.append(f"{column}:{value!r}")
        lines.append(" ".join(words))
    # A file without any value is refused by mercer, as it looks like no file of LIBSVM.
    lines.append("1 1:2.5")
    return "\n".join(lines) + "\n"


def configurations(count):
    """Two files and the options of a run on each: what the first saves the second restores."""
    source = random.Random(8)
    for number in range(count):
        options = []
        if source.random() < 0.5:
            options += ["-l", source.choice(["0", "-2", "0.1"])]
        if source.random() < 0.4:
            options += ["-u", source.choice(["2", "5.5", "1e3"])]
        if source.random() < 0.4:
            options += ["-y", *source.choice([("0", "1"), ("-3", "3")])]
        columns = source.choice([1, 3, 6])
        first = text(source, source.choice([1, 5, 12]), columns)
        # The other file has columns that the ranges do not name, or lacks some of theirs.
        second = text(source, 6, max(1, columns + source.choice([-1, 0, 2])))
        yield number, options, first, second


def run(program, folder, options, first, second):
    """What is printed for both files, and the file of ranges."""
    folder = pathlib.Path(folder)
    (folder / "first").write_text(first)
    (folder / "second").write_text(second)

    def go(*words):
        done = subprocess.run([*program, *words], capture_output=True, text=True, cwd=folder, timeout=60)
        return {"code": done.returncode, "stdout": done.stdout, "stderr": done.stderr}

    saved = go(*options, "-s", "ranges", "first")
    ranges = (folder / "ranges").read_text() if (folder / "ranges").exists() else ""
    return {"saved": saved, "ranges": ranges, "restored": go("-r", "ranges", "second")}


def compare(mercer, libsvm, count):
    """Every difference."""
    for number, options, first, second in configurations(count):
        with tempfile.TemporaryDirectory() as folder:
            theirs = run([libsvm], folder, options, first, second)
        with tempfile.TemporaryDirectory() as folder:
            ours = run([mercer, "svm-scale"], folder, options, first, second)
        for key in theirs:
            if theirs[key] != ours[key]:
                yield f"svm-scale {number} {' '.join(options)}: {key}: LIBSVM {theirs[key]!r}, mercer {ours[key]!r}"


def compare_values(mercer, count):
    """The same against the functions of LIBSVM's Python package, which scale values but write no files."""
    import numpy as np
    from libsvm import commonutil

    for number, options, first, second in configurations(count):
        if "-y" in options:
            continue
        value = dict(zip(options[::2], options[1::2]))
        limits = float(value.get("-l", -1)), float(value.get("-u", 1))
        if not limits[0] < limits[1]:
            continue
        with tempfile.TemporaryDirectory() as folder:
            ours = run([mercer, "svm-scale"], folder, options, first, second)
        x = matrix(first)
        # It warns as svm-scale does.
        with contextlib.redirect_stderr(io.StringIO()):
            parameter = commonutil.csr_find_scale_param(x, *limits)
            expected = np.asarray(commonutil.csr_scale(x, parameter).todense())
        found = np.zeros_like(expected)
        scaled = matrix(ours["saved"]["stdout"])
        found[:, : scaled.shape[1]] = np.asarray(scaled.todense())
        # Six digits are printed.
        if not np.allclose(found, expected, rtol=2e-5, atol=2e-5 * max(1.0, *map(abs, limits))):
            yield f"svm-scale {number} {' '.join(options)}: LIBSVM {expected.tolist()}, mercer {found.tolist()}"


def matrix(rows):
    """A sparse matrix of rows in LIBSVM's format."""
    from scipy import sparse

    values, at, column = [], [], []
    lines = rows.splitlines()
    for number, line in enumerate(lines):
        for word in line.split()[1:]:
            index, value = word.split(":")
            values.append(float(value))
            at.append(number)
            column.append(int(index) - 1)
    return sparse.csr_matrix((values, (at, column)), shape=(len(lines), max(column, default=0) + 1))


def fixture(path, libsvm, version):
    """Writes what LIBSVM's program answers, for the tests of the command line."""
    cases = []
    for number, options, first, second in configurations(24):
        with tempfile.TemporaryDirectory() as folder:
            cases.append({"options": options, "first": first, "second": second, **run([libsvm], folder, options, first, second)})
    found = {"made_by": "tools/libsvm/compare.py --scale-fixture", "libsvm": version, "cases": cases}
    pathlib.Path(path).write_text(json.dumps(found, indent=1) + "\n")
