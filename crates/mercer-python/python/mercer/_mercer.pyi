"""The engine. Rows are matrices of float64 or float32, or the parts (data, indices, indptr, columns) of compressed rows."""

from collections.abc import Callable, Iterable
from os import PathLike
from typing import Any, TypedDict, final

import numpy as np
from numpy.typing import NDArray

__version__: str

_Rows = (
    NDArray[np.float64] | NDArray[np.float32] | tuple[NDArray[np.float64], NDArray[Any], NDArray[Any], int] | Items
)

class _Options(TypedDict):
    tolerance: float
    max_iterations: int | None
    max_time: float | None
    memory: int
    threads: int
    precision: str
    name: str | None

class _Classifier(TypedDict):
    kernel: str | None
    cost: float
    slack: str
    nu: float
    multiclass: str
    probability: str | None

class _Regression(TypedDict):
    kernel: str | None
    cost: float
    loss: str
    parameter: float

class _Wanted(TypedDict):
    kernels: list[str]
    costs: list[float]
    splits: list[tuple[NDArray[np.int64], NDArray[np.int64]]]
    metrics: list[str]
    exhaustive: bool
    exact: bool
    halving: bool

class _Judged(TypedDict):
    kernels: list[str]
    costs: list[float]
    criterion: str
    choices: int

# The place of the kernel, the cost, values by metric and fold, seconds, and how closely it was looked at.
_Tried = tuple[int, float | None, list[list[float]], float, str, int]

class _Detector(TypedDict):
    kernel: str | None
    region: str
    softness: str
    parameter: float

class _Linear(TypedDict):
    cost: float
    objective: str
    tube: float
    intercept: float | None
    tolerance: float
    max_epochs: int
    max_time: float | None
    seed: int
    threads: int
    name: str | None

class _Graph(TypedDict):
    nodes: int
    edges: list[tuple[int, int]]
    directed: bool
    node_labels: list[int | str] | None
    edge_labels: list[int | str] | None
    edge_weights: list[float] | None
    node_attributes: list[float] | None

@final
class Items:
    @staticmethod
    def strings(strings: list[str]) -> Items: ...
    @staticmethod
    def trees(texts: list[str]) -> Items: ...
    @staticmethod
    def graphs(graphs: Iterable[Any], parts: Callable[[Any, int], _Graph]) -> Items: ...
    @staticmethod
    def series(series: list[NDArray[np.float64]]) -> Items: ...
    @staticmethod
    def records(kernel: str, columns: list[list[float] | list[str]], rows: int) -> Items: ...
    def __len__(self) -> int: ...

@final
class Model:
    @property
    def machine(self) -> str | None: ...
    @property
    def kind(self) -> str: ...
    @property
    def seconds(self) -> float | None: ...
    @property
    def takes_kernel_values(self) -> bool: ...
    @property
    def kernel(self) -> str: ...
    @property
    def mended(self) -> str | None: ...
    @property
    def is_scaled(self) -> bool: ...
    @property
    def scaling(self) -> tuple[str, tuple[float, float], list[float], list[float]] | None: ...
    @property
    def schema(self) -> str | None: ...
    @property
    def parameters(self) -> str: ...
    @property
    def columns(self) -> int: ...
    @property
    def rows(self) -> int: ...
    @property
    def multiclass(self) -> str: ...
    @property
    def classes(self) -> list[str]: ...
    @property
    def support(self) -> NDArray[np.int32]: ...
    @property
    def support_items(self) -> Any: ...
    @property
    def coefficients(self) -> NDArray[np.float64]: ...
    @property
    def offsets(self) -> list[float]: ...
    @property
    def support_per_class(self) -> list[int]: ...
    @property
    def iterations(self) -> list[int]: ...
    @property
    def status(self) -> str | None: ...
    @property
    def is_converged(self) -> bool: ...
    @property
    def kkt_gap(self) -> float | None: ...
    @property
    def gap(self) -> float | None: ...
    @property
    def objectives(self) -> list[tuple[float, float]]: ...
    @property
    def precision(self) -> str: ...
    @property
    def tube(self) -> float | None: ...
    @property
    def is_hyperplane(self) -> bool: ...
    @property
    def region(self) -> tuple[float, float, float, float] | None: ...
    @property
    def sigmoids(self) -> tuple[list[float], list[float]] | None: ...
    @property
    def has_probabilities(self) -> bool: ...
    @property
    def feature_names(self) -> list[str] | None: ...
    @property
    def note(self) -> str | None: ...
    @property
    def probability(self) -> str | None: ...
    @property
    def threads(self) -> int: ...
    def decision_values(self, rows: _Rows) -> NDArray[np.float64]: ...
    def class_scores(self, rows: _Rows) -> NDArray[np.float64]: ...
    def predict(self, rows: _Rows, ties_in_order: bool) -> NDArray[np.int64]: ...
    def probabilities(self, rows: _Rows) -> NDArray[np.float64]: ...
    def with_threads(self, threads: int) -> Model: ...
    def bounds(self, delta: float, choices: int, gamma: float | None) -> list[dict[str, Any]]: ...
    def to_bytes(self) -> bytes: ...
    @staticmethod
    def from_bytes(bytes: bytes) -> Model: ...
    def save(self, path: str | PathLike[str], cost: float, names: list[str] | None, note: str) -> None: ...

def load(path: str | PathLike[str]) -> Model | OnlineLearner: ...
def fit_classifier(
    rows: _Rows,
    codes: NDArray[np.uint32],
    classes: list[str],
    weights: NDArray[np.float64] | None,
    machine: _Classifier,
    options: _Options,
    earlier: Model | None = None,
) -> Model: ...
def search_by_criterion(
    rows: _Rows,
    codes: NDArray[np.uint32],
    classes: list[str],
    weights: NDArray[np.float64] | None,
    factors: list[float],
    machine: _Classifier,
    options: _Options,
    judged: _Judged,
) -> list[_Tried]: ...
def hopeless(scores: list[list[float]]) -> list[bool]: ...
def costs_for_classes(
    kernel: str | None,
    rows: _Rows,
    codes: NDArray[np.uint32],
    weights: NDArray[np.float64] | None,
    options: _Options,
) -> list[float]: ...
def shares_for_classes(codes: NDArray[np.uint32]) -> list[float]: ...
def costs_for_numbers(
    kernel: str | None,
    rows: _Rows,
    targets: NDArray[np.float64],
    weights: NDArray[np.float64] | None,
    options: _Options,
) -> list[float]: ...
def search_classifier(
    rows: _Rows,
    codes: NDArray[np.uint32],
    classes: list[str],
    weights: NDArray[np.float64] | None,
    factors: list[float],
    machine: _Classifier,
    options: _Options,
    wanted: _Wanted,
) -> list[_Tried]: ...
def search_regression(
    rows: _Rows,
    targets: NDArray[np.float64],
    weights: NDArray[np.float64] | None,
    machine: _Regression,
    options: _Options,
    wanted: _Wanted,
) -> list[_Tried]: ...
def judge_regression(
    rows: _Rows,
    targets: NDArray[np.float64],
    weights: NDArray[np.float64] | None,
    machine: _Regression,
    options: _Options,
    judged: _Judged,
) -> list[_Tried]: ...
def fit_regression(
    rows: _Rows,
    targets: NDArray[np.float64],
    weights: NDArray[np.float64] | None,
    machine: _Regression,
    options: _Options,
    earlier: Model | None = None,
) -> Model: ...
def fit_detector(
    rows: _Rows,
    weights: NDArray[np.float64] | None,
    machine: _Detector,
    options: _Options,
    earlier: Model | None = None,
) -> Model: ...
def fit_linear_classifier(
    rows: _Rows,
    codes: NDArray[np.uint32],
    classes: list[str],
    weights: NDArray[np.float64] | None,
    factors: list[float],
    machine: _Linear,
) -> Model: ...
def fit_linear_regression(
    rows: _Rows,
    targets: NDArray[np.float64],
    weights: NDArray[np.float64] | None,
    machine: _Linear,
) -> Model: ...
def check_kernel(kernel: str) -> str: ...
def kernel_items(kernel: str) -> str: ...
def kernel_columns(kernel: str) -> list[tuple[str, str]]: ...
@final
class Mended:
    @property
    def matrix(self) -> NDArray[np.float64]: ...
    @property
    def smallest_eigenvalue(self) -> float: ...
    @property
    def negative(self) -> int: ...
    @property
    def largest_change(self) -> float: ...
    def rows(self, values: NDArray[np.float64]) -> NDArray[np.float64]: ...

def mend(values: NDArray[np.float64], how: str) -> Mended: ...
def virtual_examples(
    images: NDArray[np.float64],
    height: int,
    width: int,
    shifts: int,
    rotations: list[float],
    zooms: list[float],
    background: float,
) -> tuple[NDArray[np.float64], NDArray[np.int64]]: ...
def mixture_scores(
    weights: list[float], means: list[float], covariances: list[float], full: bool, items: _Rows
) -> NDArray[np.float64]: ...
def series_markov_scores(
    start: list[float], transition: list[float], means: list[float], variances: list[float], items: _Rows
) -> NDArray[np.float64]: ...
def string_markov_scores(
    start: list[float], transition: list[float], alphabet: str, probabilities: list[float], items: _Rows
) -> NDArray[np.float64]: ...
def own_values(kernel: str, known: _Rows, items: _Rows) -> list[float]: ...
def gram(kernel: str, rows: _Rows, others: _Rows | None = None) -> NDArray[np.float64]: ...

class _Means(TypedDict):
    threads: int
    memory: int | None

class _Components(TypedDict):
    kernel: str | None
    values: list[float]
    vectors: NDArray[np.float64]
    coefficients: NDArray[np.float64]
    offsets: list[float]
    trace: float
    mean: float
    iterations: int

class _WantedProcess(TypedDict):
    kernel: str
    noise: float
    normalise: bool
    learn: bool
    restarts: int
    seed: int
    rank: int | None

@final
class LearnedKernel:
    def __new__(cls, kernel: str, items: _Rows) -> LearnedKernel: ...
    def values(self, rows: _Rows, others: _Rows) -> NDArray[np.float64]: ...

@final
class Process:
    @property
    def kernel(self) -> str: ...
    @property
    def likelihood(self) -> float: ...
    @property
    def rank(self) -> int | None: ...
    @property
    def jitter(self) -> float: ...
    @property
    def is_converged(self) -> bool: ...
    @property
    def alpha(self) -> NDArray[np.float64]: ...
    @property
    def factor(self) -> NDArray[np.float64]: ...
    @property
    def normalisation(self) -> tuple[list[float], list[float]]: ...
    def mean(self, rows: _Rows) -> NDArray[np.float64]: ...
    def variance(self, rows: _Rows) -> NDArray[np.float64]: ...
    def covariance(self, rows: _Rows) -> NDArray[np.float64]: ...
    def sample(self, rows: _Rows, count: int, seed: int) -> NDArray[np.float64]: ...
    @property
    def items(self) -> Any: ...
    @property
    def columns(self) -> int: ...
    @property
    def noise(self) -> float: ...
    def to_bytes(self) -> bytes: ...
    @staticmethod
    def from_bytes(bytes: bytes, threads: int) -> Process: ...
    def save(self, path: str | PathLike[str], names: list[str] | None, note: str) -> None: ...

def bounds_of_residuals(
    of: str,
    targets: NDArray[np.float64],
    residuals: NDArray[np.float64],
    diagonal: NDArray[np.float64],
    norm: float,
    tube: float,
    delta: float,
    choices: int,
    gamma: float | None,
) -> list[dict[str, Any]]: ...
class _Point(TypedDict):
    coefficients: NDArray[np.float64]
    offsets: list[float]
    left_out: NDArray[np.float64]

def ridge_path(
    rows: _Rows,
    targets: NDArray[np.float64],
    weights: NDArray[np.float64] | None,
    kernel: str | None,
    lambdas: list[float],
    offset: bool,
    means: _Means,
) -> list[_Point]: ...
def fit_ridge(
    rows: _Rows,
    targets: NDArray[np.float64],
    weights: NDArray[np.float64] | None,
    kernel: str | None,
    lambdas: list[float],
    offset: bool,
    means: _Means,
) -> tuple[str | None, NDArray[np.float64], list[float], str, float, bool]: ...
def fit_components(
    rows: _Rows,
    kernel: str | None,
    components: int | None,
    tolerance: float | None,
    max_iterations: int | None,
    seed: int,
    means: _Means,
) -> _Components: ...
def process_likelihood(
    rows: _Rows,
    targets: NDArray[np.float64],
    weights: NDArray[np.float64] | None,
    kernel: str,
    noise: float,
    gradient: bool,
    means: _Means,
) -> tuple[float, list[float] | None]: ...
def fit_process(
    rows: _Rows,
    targets: NDArray[np.float64],
    weights: NDArray[np.float64] | None,
    wanted: _WantedProcess,
    means: _Means,
) -> Process: ...
def expand(
    kernel: str,
    rows: _Rows,
    coefficients: NDArray[np.float64],
    offsets: list[float],
    new: _Rows,
    threads: int,
) -> NDArray[np.float64]: ...
def sample_prior(kernel: str, rows: _Rows, count: int, seed: int, means: _Means) -> NDArray[np.float64]: ...

@final
class Machine:
    @property
    def kind(self) -> str: ...
    @property
    def kernel(self) -> str | None: ...
    @property
    def classes(self) -> list[str] | None: ...
    @property
    def told(self) -> dict[str, list[float]]: ...
    @property
    def expansion(self) -> tuple[NDArray[np.float64], list[float]]: ...
    @property
    def items(self) -> Any: ...
    @property
    def shape(self) -> tuple[int, int]: ...
    @property
    def notes(self) -> dict[str, str]: ...
    @property
    def feature_names(self) -> list[str] | None: ...
    def variances(self, rows: _Rows) -> NDArray[np.float64]: ...
    def scores(self, rows: _Rows) -> NDArray[np.float64]: ...
    def functions(self, rows: _Rows, threads: int) -> NDArray[np.float64]: ...
    def to_bytes(self) -> bytes: ...
    @staticmethod
    def from_bytes(bytes: bytes) -> Machine: ...
    def __reduce__(self) -> tuple[Any, tuple[bytes]]: ...
    def save(self, path: str | PathLike[str], names: list[str] | None, note: str) -> None: ...
    @staticmethod
    def load(path: str | PathLike[str]) -> Machine: ...

def machine_of(
    rows: _Rows,
    kernel: str | None,
    kind: str,
    coefficients: NDArray[np.float64],
    offsets: list[float],
    told: dict[str, list[float]],
    means: _Means,
) -> Machine: ...

class _Found(TypedDict):
    kernel: str | None
    positions: list[int]
    coefficients: NDArray[np.float64]
    offsets: list[float]
    told: dict[str, list[float]]
    machine: Machine

def fit_least_squares(
    rows: _Rows,
    signs: NDArray[np.float64],
    weights: NDArray[np.float64] | None,
    classes: list[str],
    kernel: str | None,
    cost: float,
    means: _Means,
) -> _Found: ...
def fit_fisher(
    rows: _Rows,
    codes: NDArray[np.int64],
    weights: NDArray[np.float64] | None,
    classes: list[str],
    kernel: str | None,
    regularisation: float,
    rank: int,
    means: _Means,
) -> _Found: ...
def fit_pls(
    rows: _Rows, targets: NDArray[np.float64], kernel: str | None, components: int, means: _Means
) -> _Found: ...
def fit_ranking(
    rows: _Rows,
    targets: NDArray[np.float64],
    queries: NDArray[np.uint64] | None,
    weights: NDArray[np.float64] | None,
    kernel: str | None,
    cost: float,
    tolerance: float,
    max_steps: int,
    rank: int,
    means: _Means,
) -> _Found: ...
def fit_levels(
    rows: _Rows,
    levels: NDArray[np.float64],
    weights: NDArray[np.float64] | None,
    kernel: str | None,
    cost: float,
    tolerance: float,
    max_steps: int,
    rank: int,
    means: _Means,
) -> _Found: ...
def fit_relevance(
    rows: _Rows,
    targets: NDArray[np.float64],
    weights: NDArray[np.float64] | None,
    classes: list[str] | None,
    kernel: str | None,
    offset: bool,
    tolerance: float,
    max_steps: int,
    rank: int | None,
    means: _Means,
) -> _Found: ...
def fit_slab(rows: _Rows, kernel: str, components: int, outside: float, means: _Means) -> Machine: ...
def fit_bayes_point(
    rows: _Rows,
    codes: NDArray[np.int64],
    classes: list[str],
    kernel: str | None,
    perceptrons: int,
    softness: float,
    max_rounds: int,
    seed: int,
    means: _Means,
) -> _Found: ...
def fit_k_means(
    rows: _Rows,
    weights: NDArray[np.float64] | None,
    kernel: str | None,
    clusters: int,
    starts: int,
    max_rounds: int,
    seed: int,
    means: _Means,
) -> _Found: ...
def fit_spectral(
    rows: _Rows, kernel: str | None, clusters: int, components: int, starts: int, seed: int, means: _Means
) -> _Found: ...
def fit_views(
    views: list[tuple[_Rows, str | None]], components: int, regularisation: float, rank: int, means: _Means
) -> tuple[list[_Found], list[float]]: ...
def fit_network(
    rows: _Rows,
    targets: NDArray[np.float64],
    weights: NDArray[np.float64] | None,
    classes: list[str],
    units: int,
    penalty: float,
    starts: int,
    seed: int,
    means: _Means,
) -> Machine: ...

_Reduced = tuple[list[int], list[float], list[float]]

def reduce_model(model: Model, count: int) -> tuple[Model, _Reduced]: ...
def reduce_machine(machine: Machine, count: int) -> tuple[Machine, _Reduced]: ...
def two_sample_test(
    rows: _Rows, kernel: str | None, first: int, permutations: int, seed: int, means: _Means
) -> tuple[float, float, float]: ...
def ranking_score(
    what: str,
    scores: NDArray[np.float64],
    relevance: NDArray[np.float64],
    queries: NDArray[np.uint64] | None,
    most: int | None,
) -> float | None: ...
def losses() -> list[tuple[str, bool, float | None]]: ...
def loss_at(name: str, parameter: float | None, what: str, at: NDArray[np.float64]) -> NDArray[np.float64]: ...
def kernel_parameters(kernel: str) -> list[tuple[str, float, float, float, bool]]: ...
def kernel_with_parameters(kernel: str, values: list[float]) -> str: ...

@final
class ProcessClasses:
    @property
    def kernels(self) -> list[str]: ...
    @property
    def ranks(self) -> list[int]: ...
    @property
    def likelihoods(self) -> list[float]: ...
    @property
    def is_converged(self) -> bool: ...
    def probabilities(self, rows: _Rows) -> NDArray[np.float64]: ...
    def to_bytes(self) -> bytes: ...
    @staticmethod
    def from_bytes(bytes: bytes, threads: int) -> ProcessClasses: ...
    def save(self, path: str | PathLike[str], names: list[str] | None, note: str) -> None: ...
    @property
    def classes(self) -> list[str]: ...
    @property
    def columns(self) -> int: ...

def classes_likelihood(
    rows: _Rows,
    codes: list[int],
    weights: NDArray[np.float64] | None,
    kernel: str,
    gradient: bool,
    means: _Means,
) -> tuple[float, list[float] | None]: ...
def fit_process_classes(
    rows: _Rows,
    codes: NDArray[np.int64],
    weights: NDArray[np.float64] | None,
    classes: list[str],
    kernel: str,
    learn: bool,
    restarts: int,
    seed: int,
    rank: int | None,
    means: _Means,
) -> ProcessClasses: ...

def resolve_kernel(kernel: str, rows: Any) -> str: ...
def suspects(
    rows: Any,
    codes: NDArray[np.uint32],
    classes: list[str],
    kernel: str | None,
    cost: float,
    folds: int,
    times: int,
    seed: int,
) -> list[tuple[int, int, int, float, float, float]]: ...
def prototypes(rows: Any, kernel: str | None, count: int) -> list[tuple[int, float]]: ...
def explain(
    model: Model, item: Any
) -> list[tuple[tuple[str, str] | None, float, float, list[tuple[int, float, float, float]]]]: ...
def expansion_model(
    kernel: str,
    items: Any,
    support: list[int],
    earlier: int,
    coefficients: list[float],
    offset: float,
    classes: list[str],
) -> Model: ...
@final
class OnlineLearner:
    def __new__(cls, machine: dict[str, Any], classes: list[str]) -> OnlineLearner: ...
    def learn(
        self, rows: Any, targets: NDArray[np.float64], weights: NDArray[np.float64] | None
    ) -> tuple[OnlineLearner, NDArray[np.float64]]: ...
    def learn_values(
        self,
        values: NDArray[np.float64],
        ids: list[int],
        columns: list[int],
        targets: NDArray[np.float64],
        weights: NDArray[np.float64] | None,
    ) -> tuple[OnlineLearner, NDArray[np.float64]]: ...
    def fit(
        self, rows: Any, targets: NDArray[np.float64], passes: int, tolerance: float, weights: NDArray[np.float64] | None
    ) -> tuple[OnlineLearner, list[dict[str, Any]]]: ...
    def fit_values(
        self,
        values: NDArray[np.float64],
        ids: list[int],
        targets: NDArray[np.float64],
        passes: int,
        tolerance: float,
        weights: NDArray[np.float64] | None,
    ) -> tuple[OnlineLearner, list[dict[str, Any]]]: ...
    def values(self, rows: Any, averaged: bool) -> NDArray[np.float64]: ...
    def values_of_values(self, values: NDArray[np.float64], columns: list[int], averaged: bool) -> NDArray[np.float64]: ...
    def decide(self, values: NDArray[np.float64]) -> NDArray[np.float64]: ...
    @property
    def tallies(self) -> list[tuple[int, int, int, float, float, float | None]]: ...
    @property
    def told(self) -> tuple[str, int | None, bool, float, bool]: ...
    @property
    def functions(self) -> list[tuple[list[float], float]]: ...
    @property
    def ids(self) -> list[list[int]]: ...
    @property
    def items(self) -> list[int]: ...
    @property
    def thresholds(self) -> list[float]: ...
    @property
    def classes(self) -> list[str]: ...
    @property
    def kernel(self) -> str | None: ...
    @property
    def feature_names(self) -> list[str] | None: ...
    @property
    def columns(self) -> int | None: ...
    def to_bytes(self) -> bytes: ...
    @staticmethod
    def from_bytes(bytes: bytes) -> OnlineLearner: ...
    def save(self, path: str | PathLike[str], names: list[str] | None, note: str) -> None: ...
    @property
    def note(self) -> str | None: ...
    def parts(self) -> Any: ...
    @staticmethod
    def from_parts(parts: Any) -> OnlineLearner: ...

@final
class Incremental:
    def __new__(cls, kernel: str | None, cost: float) -> Incremental: ...
    def copied(self) -> Incremental: ...
    def add(self, rows: Any, labels: NDArray[np.float64], weights: NDArray[np.float64]) -> list[int]: ...
    def add_values(
        self,
        values: NDArray[np.float64],
        ids: list[int],
        columns: list[int],
        labels: NDArray[np.float64],
        weights: NDArray[np.float64],
    ) -> None: ...
    def remove(self, ids: list[int]) -> None: ...
    def values(self, rows: Any) -> NDArray[np.float64]: ...
    def left_out_values(self) -> NDArray[np.float64]: ...
    def state(self) -> tuple[list[int], NDArray[np.float64], float, float, int, str, float, float]: ...
    @property
    def ids(self) -> list[int]: ...
    def violation(self) -> float: ...

@final
class Interruption:
    def __new__(cls) -> Interruption: ...
    def scope(self, work: Callable[[Any], Any], argument: Any) -> Any: ...
    def end(self) -> None: ...

@final
class Questions:
    def __new__(
        cls, kernel: str | None, cost: float, rows: Any, classes: int, query: str, seed: int
    ) -> Questions: ...
    def ask(self, count: int, diversity: float) -> list[int]: ...
    def answer(self, item: int, code: int) -> None: ...
    def undo(self) -> int | None: ...
    def band(self) -> int: ...
    def has_settled(self, rounds: int, tolerance: float) -> bool: ...
    @property
    def has_boundary(self) -> bool: ...
    @property
    def refits(self) -> int: ...
    @property
    def asked(self) -> list[tuple[int, int]]: ...
    @property
    def objectives(self) -> NDArray[np.float64]: ...
    @property
    def kernel(self) -> str | None: ...
    def values(self, rows: Any) -> NDArray[np.float64]: ...
    def values_of_values(self, values: NDArray[np.float64]) -> NDArray[np.float64]: ...
    def predict(self, rows: Any) -> NDArray[np.int64]: ...
    def predict_values(self, values: NDArray[np.float64]) -> NDArray[np.int64]: ...
    @property
    def machines(self) -> int: ...
