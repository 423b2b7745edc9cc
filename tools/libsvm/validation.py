"""`svm-train -v` of both programs: each row left out, which leaves nothing to chance, and folds that are drawn."""

import itertools
import math
import random
import re

from libsvm import commonutil, svm, svmutil


def configurations(count, problems):
    """Options and a data set each, of which some rows are taken."""
    source = random.Random(6)
    kinds = itertools.cycle([0, 1, 2, 3, 4])
    for number in range(count):
        machine, kernel = next(kinds), source.choice([0, 1, 2])
        of_kind = [p for p in problems if p.is_regression == (machine >= 3)]
        if machine == 2:
            of_kind = [p for p in of_kind if len(set(p.labels)) == 2]
        problem = source.choice(of_kind)
        options = ["-s", machine, "-t", kernel, "-e", 1e-6]
        if machine in (0, 3, 4):
            options += ["-c", source.choice([0.5, 1, 4])]
        if machine in (1, 2, 4):
            options += ["-n", source.choice([0.2, 0.4])]
        if kernel:
            options += ["-g", source.choice([0.2, 0.5])]
        if kernel == 1:
            options += ["-r", 1, "-d", 2]
        yield number, problem.some(36), [str(word) for word in options]


def machine_of(options):
    return int(options[1])


def targets(problem, options, folds):
    """What LIBSVM predicts for each row that is left out."""
    parameter = svmutil.svm_parameter(" ".join([*options, "-q"]))
    given = svm.svm_problem(problem.labels, problem.rows)
    found = (svm.c_double * len(problem.labels))()
    svm.libsvm.svm_cross_validation(given, parameter, folds, found)
    return list(found)


def quality(problem, found):
    """Accuracy, mean squared error, squared correlation."""
    return commonutil.evaluations(problem.labels, found, False)


def printed(text):
    return [float(number) for number in re.findall(r"= ([-+.\deinfa]+)", text.lower())]


def on_border(problem, options):
    """Rows whose class, if they are left out, is a matter of the tolerance, or of the order of the classes."""
    count = 0
    parameter = svmutil.svm_parameter(" ".join([*options, "-q"]))
    for row in range(len(problem.labels)):
        rest = [at for at in range(len(problem.labels)) if at != row]
        given = svm.svm_problem([problem.labels[at] for at in rest], [problem.rows[at] for at in rest])
        model = svmutil.svm_train(given, parameter)
        pairs = model.get_nr_class() * (model.get_nr_class() - 1) // 2
        values = (svm.c_double * max(pairs, 1))()
        x, _ = svm.gen_svm_nodearray(problem.rows[row])
        svm.libsvm.svm_predict_values(model, x, values)
        largest = max(1.0, *(abs(model.sv_coef[k][i]) for k in range(max(model.nr_class - 1, 1)) for i in range(model.l)))
        # The order of the classes, and with it the winner of equally many votes, is that of LIBSVM's random division.
        k = model.get_nr_class()
        votes = [0] * k
        for value, (i, j) in zip(values, itertools.combinations(range(k), 2)):
            votes[i if value > 0 else j] += 1
        is_tie = len(set(problem.labels)) > 2 and votes.count(max(votes)) > 1
        # Without a margin LIBSVM divides by a rounding error, or by 0.
        count += is_tie or not all(abs(value) >= 1e-4 * largest for value in values)
    return count


def is_among(value, calls):
    """Whether a number is one of those of several calls, or between them, up to the tolerance."""
    room = 1e-3 * max(map(abs, calls)) + 1e-6
    return min(calls) - room <= value <= max(calls) + room


def compare(run, folder, count, problems):
    """Every difference. `run` starts mercer in a folder."""
    for number, problem, options in configurations(count, problems):
        name = f"svm-train -v {number} {problem.name} {' '.join(options)}"
        is_regression = machine_of(options) >= 3
        n = len(problem.labels)
        problem.write(folder / "train")
        left_out = run("svm-train", *options, "-q", "-v", str(n), "train")
        if left_out.returncode != 0:
            yield f"{name}: {left_out.stderr.strip()[:200]}"
            continue
        accuracy, error, correlation = quality(problem, targets(problem, options, n))
        found = printed(left_out.stdout)
        if is_regression:
            # Where no support vector fixes rho, any of an interval is optimal, and LIBSVM's own answers differ from call to call.
            calls = [(error, correlation), *(quality(problem, targets(problem, options, n))[1:] for _ in range(4))]
            if len(found) != 2 or not all(is_among(value, column) for value, column in zip(found, zip(*calls))):
                yield f"{name}: each row left out: LIBSVM {calls}, mercer {found}"
        elif len(found) != 1 or abs(found[0] - accuracy) > 100 * on_border(problem, options) / n + 1e-3:
            yield f"{name}: each row left out: LIBSVM {accuracy}, mercer {found}"
        # Folds are drawn: ours must look like one more of theirs.
        several = [quality(problem, targets(problem, options, 5))[1 if is_regression else 0] for _ in range(12)]
        folds = printed(run("svm-train", *options, "-q", "-v", "5", "train").stdout)
        mean = sum(several) / len(several)
        deviation = math.sqrt(sum((value - mean) ** 2 for value in several) / (len(several) - 1))
        # One row of 36 is about 3 %.
        room = 4 * deviation + (0.05 * mean if is_regression else 200 / n)
        if not folds or abs(folds[0] - mean) > room:
            yield f"{name}: five folds: LIBSVM {min(several)} to {max(several)}, mercer {folds}"
