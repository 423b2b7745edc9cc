"""Global alignment kernels and dynamic time warping by tslearn, for crates/mercer/tests/fixtures/series.json.

    python -m venv venv && venv/bin/pip install tslearn==0.10.0
    venv/bin/python tools/reference/series.py
"""

import json
import platform
from importlib.metadata import version
from pathlib import Path

import numpy as np
from tslearn.metrics import dtw, gak, sigma_gak, unnormalized_gak

rng = np.random.default_rng(3)
lengths = [1, 2, 5, 9, 9, 14, 20]
cases = []
for channels in (1, 3):
    series = [np.cumsum(rng.normal(size=(n, channels)), axis=0).round(3) for n in lengths]
    pairs = lambda f: [[float(f(x, z)) for z in series] for x in series]
    cases.append(
        {
            "series": [x.tolist() for x in series],
            "normalised": {str(sigma): pairs(lambda x, z: gak(x, z, sigma=sigma)) for sigma in (0.7, 2.0, 10.0)},
            "plain": {str(sigma): pairs(lambda x, z: unnormalized_gak(x, z, sigma=sigma)) for sigma in (2.0,)},
            "dtw": pairs(dtw),
            "dtw_radius": {
                str(r): pairs(lambda x, z: dtw(x, z, global_constraint="sakoe_chiba", sakoe_chiba_radius=r))
                for r in (1, 2, 4)
            },
        }
    )
# All times of both series, none twice: the median of all distances above 0 is the median of all.
times = [[1.0, 2.5, 7.0, 3.25], [0.5, 9.0, 4.0, 6.0]]
median = float(np.median([abs(a - b) for i, a in enumerate(sum(times, [])) for b in sum(times, [])[:i]]))
drawn = float(np.mean([sigma_gak(np.array(times), n_samples=8, random_state=s) for s in range(3)]))
path = Path(__file__).resolve().parents[2] / "crates/mercer/tests/fixtures/series.json"
programs = {"python": platform.python_version(), **{name: version(name) for name in ("tslearn", "numpy", "numba")}}
content = {"script": "series.py", "programs": programs, "cases": cases, "median": {"series": times, "sigma": drawn}}
assert abs(drawn - 2.0 * median) < 1e-12
path.write_text(json.dumps(content, separators=(",", ":")).replace('"cases"', '\n"cases"') + "\n")
print(path.stat().st_size)
