"""Values of scikit-learn's kernels, for crates/mercer/tests/fixtures/kernels.json.

Made with Python 3.11, numpy 2.3.4, scipy 1.17.1 and scikit-learn 1.7.2:

    python -m venv venv && venv/bin/pip install numpy==2.3.4 scipy==1.17.1 scikit-learn==1.7.2
    venv/bin/python tools/reference/kernel_values.py > crates/mercer/tests/fixtures/kernels.json
"""

import json

import numpy as np
import scipy
import sklearn
from sklearn.gaussian_process import kernels as gp
from sklearn.metrics import pairwise as pw
from sklearn.preprocessing import KernelCenterer

rng = np.random.default_rng(0)
X = rng.gamma(1.0, 1.0, size=(7, 3)).round(3)
X[2, 1] = 0.0
X[5] = 0.0
T = X[:, :1]
scale = 1.0 / (X.shape[1] * X.var())

cases = {
    "linear": pw.linear_kernel(X),
    "polynomial(degree=3, gamma=0.4, constant=1.5)": pw.polynomial_kernel(X, degree=3, gamma=0.4, coef0=1.5),
    "gaussian(gamma=0.3)": pw.rbf_kernel(X, gamma=0.3),
    "gaussian": pw.rbf_kernel(X, gamma=scale),
    "gaussian(gamma=auto)": pw.rbf_kernel(X),
    "gaussian(length_scale=1.7)": gp.RBF(1.7)(X),
    "gaussian(length_scale=[0.5, 1, 2], amplitude=2.5)": (gp.ConstantKernel(2.5) * gp.RBF([0.5, 1.0, 2.0]))(X),
    "laplacian(gamma=0.3)": pw.laplacian_kernel(X, gamma=0.3),
    "laplacian": pw.laplacian_kernel(X),
    "exponential(length_scale=1.3)": gp.Matern(1.3, nu=0.5)(X),
    "matern(nu=0.5, length_scale=1.3)": gp.Matern(1.3, nu=0.5)(X),
    "matern(nu=1.5, length_scale=1.3)": gp.Matern(1.3, nu=1.5)(X),
    "matern(nu=2.5, length_scale=1.3)": gp.Matern(1.3, nu=2.5)(X),
    "rational_quadratic(alpha=0.7, length_scale=1.3)": gp.RationalQuadratic(length_scale=1.3, alpha=0.7)(X),
    "columns([0], periodic(period=1.5, length_scale=0.8))": gp.ExpSineSquared(length_scale=0.8, periodicity=1.5)(T),
    "sigmoid(gamma=0.2, constant=-0.5)": pw.sigmoid_kernel(X, gamma=0.2, coef0=-0.5),
    "cosine": pw.cosine_similarity(X),
    "chi2(gamma=0.4)": pw.chi2_kernel(X, gamma=0.4),
    # scikit-learn's additive χ² is the negative distance: 2xz/(x+z) = ((x+z) - (x-z)²/(x+z))/2
    "additive_chi2": (X.sum(1)[:, None] + X.sum(1)[None, :] + pw.additive_chi2_kernel(X)) / 2,
    "linear + white(0.3)": gp.DotProduct(sigma_0=0.0)(X) + gp.WhiteKernel(0.3)(X),
    "0.5 * gaussian(length_scale=2) * linear ^ 2": 0.5 * gp.RBF(2.0)(X) * pw.linear_kernel(X) ** 2,
    "centre(gaussian(gamma=0.3))": KernelCenterer().fit_transform(pw.rbf_kernel(X, gamma=0.3)),
    "columns(1:3, gaussian(gamma=0.3))": pw.rbf_kernel(X[:, 1:3], gamma=0.3),
}

print(
    json.dumps(
        {
            "made_with": {
                "numpy": np.__version__,
                "scipy": scipy.__version__,
                "scikit-learn": sklearn.__version__,
            },
            "rows": X.tolist(),
            "cases": [{"kernel": k, "values": np.asarray(v).tolist()} for k, v in cases.items()],
        },
        indent=1,
    )
)
