"""Those of scikit-learn's splits that have nothing to do with chance: the fixture splits.json.

    python splits.py
"""

import json

import numpy as np
import sklearn
from sklearn.model_selection import LeaveOneGroupOut, LeaveOneOut, PredefinedSplit, TimeSeriesSplit

import fixture

GROUPS = [5, 5, 3, 9, 3, 7, 7, 7, 9, 0]
FOLDS = [0, 2, -1, 2, 0, 5, -1, 5, 5, 2]


def case(words, rows, splitter, groups=None):
    splits = splitter.split(np.zeros((rows, 1)), groups=groups)
    listed = [{"train": train.tolist(), "test": test.tolist()} for train, test in splits]
    return {"splitting": words, "rows": rows, "groups": groups, "splits": listed}


cases = [
    case("leave-one-out", 5, LeaveOneOut()),
    case("leave-one-group-out", 10, LeaveOneGroupOut(), GROUPS),
    case("predefined:" + ",".join(map(str, FOLDS)), 10, PredefinedSplit(FOLDS)),
    case("time-series:3", 12, TimeSeriesSplit(3)),
    case("time-series:5", 17, TimeSeriesSplit(5)),
    case("time-series:4,gap=2", 23, TimeSeriesSplit(4, gap=2)),
    case("time-series:3,test=2", 11, TimeSeriesSplit(3, test_size=2)),
    case("time-series:3,train=4", 16, TimeSeriesSplit(3, max_train_size=4)),
    case("time-series:2,gap=1,test=3,train=2", 12, TimeSeriesSplit(2, gap=1, test_size=3, max_train_size=2)),
]
record = {"script": "tools/reference/splits.py", "made_with": {"scikit-learn": sklearn.__version__}, "cases": cases}
(fixture.FIXTURES / "splits.json").write_text(json.dumps(record) + "\n")
