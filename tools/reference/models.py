"""Model files written by LIBSVM itself, and what LIBSVM predicts from them: the fixtures libsvm_model/*.

    python models.py

Every model is saved, loaded again and then used, so that the predictions are those of the digits in the file.
Decision values are kept in LIBSVM's OWN order and signs here, as a reader of such files meets them: columns are the
pairs (label[a], label[b]), a < b, of the model's `label` line, and a value > 0 means label[a]. Probabilities have a
column per entry of that line. Regression has the predicted value, one-class the value whose sign decides, in the
single column of `decisions`.
"""

import numpy as np
from libsvm import svm, svmutil

import datasets
import fixture
import libsvm_run

HEART, IRIS = [-1, 1], [0, 1, 2]


def run(name, table, labels, words):
    kernel = {"name": "vectors"}
    targets = [labels[c] for c in table.codes]
    svm.libsvm.srand(1)
    model, printed = libsvm_run.train(table.x, targets, words, kernel)
    path = fixture.FIXTURES / "libsvm_model" / f"{name}.model"
    path.parent.mkdir(parents=True, exist_ok=True)
    svmutil.svm_save_model(str(path), model)
    model = svmutil.svm_load_model(str(path))

    rows = libsvm_run.rows(kernel, table.x)
    predicted, _, values = svmutil.svm_predict([], rows, model, "-q")
    probability = "-b" in words and words[words.index("-b") + 1] == "1"
    estimates = None
    if probability:
        chosen, _, estimates = svmutil.svm_predict([], rows, model, "-b 1 -q")
        estimates = [fixture.digits(row, 12) for row in estimates]
    classes = model.get_nr_class() if model.get_svm_type() <= 1 else 0
    record = {
        "file": path.name,
        "options": " ".join(words),
        "data": table.source,
        "label_of_class": labels,
        "svm_type": ["c_svc", "nu_svc", "one_class", "epsilon_svr", "nu_svr"][model.get_svm_type()],
        "label": model.get_labels() if classes else None,
        "rho": model.rho[: max(1, classes * (classes - 1) // 2)],
        "total_sv": model.get_nr_sv(),
        "predictions": predicted,
        "decisions": [fixture.digits(row, 12) for row in values],
        "probabilities": estimates,
        "probability_predictions": chosen if probability else None,
    }
    print(f"  {name}: {record['svm_type']} {record['total_sv']} support vectors, {path.stat().st_size / 1024:.0f} KiB")
    return record


def main():
    heart, iris = datasets.small("heart_scale"), datasets.small("iris.csv")
    records = [
        run("heart", heart, HEART, []),
        run("heart_weighted", heart, HEART, ["-w1", "2", "-w-1", "0.5"]),
        run("heart_probability", heart, HEART, ["-b", "1"]),
        run("heart_sigmoid", heart, HEART, ["-t", "3", "-g", "0.05", "-r", "-0.5"]),
        run("heart_nu", heart, HEART, ["-s", "1", "-n", "0.4"]),
        run("heart_one_class", heart, HEART, ["-s", "2", "-n", "0.1"]),
        run("heart_epsilon_svr", heart, HEART, ["-s", "3", "-p", "0.4"]),
        run("heart_nu_svr", heart, HEART, ["-s", "4", "-n", "0.3", "-t", "0"]),
        run("iris", iris, IRIS, ["-g", "0.25"]),
        run("iris_linear", iris, IRIS, ["-t", "0"]),
        run("iris_polynomial", iris, IRIS, ["-t", "1", "-d", "2", "-g", "0.5", "-r", "1"]),
        run("iris_weighted_probability", iris, IRIS, ["-g", "0.25", "-w1", "2", "-b", "1"]),
    ]
    fixture.write("libsvm_model/predictions.json", {
        "script": "tools/reference/models.py",
        "programs": fixture.programs("libsvm-official", "numpy"),
        "convention": "LIBSVM's own: decision columns are the pairs (label[a], label[b]), a < b, of the model's label "
        "line; > 0 means label[a]. probabilities have one column per entry of label. label_of_class[c] is the label "
        "that LIBSVM was given for the c-th sorted class of the data file",
        "models": records,
    })


if __name__ == "__main__":
    main()
