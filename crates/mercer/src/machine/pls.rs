//! Kernel partial least squares: regression on the few directions of feature space that vary most together with the targets.
//!
//! ```text
//! t = P K̃ P u / ‖·‖,   c = Yᵀt,   u = Yc / ‖·‖,   P = I − TTᵀ,   until nothing changes;   then Y ← Y − ttᵀY
//! f(x) = mean of y + k̃(x)ᵀU(TᵀK̃U)⁻¹TᵀY
//! ```
//!
//! K̃ is K about the mean of the items. It is seen through products alone, and deflated by the projection P, so that it need not be held.
//! (R. Rosipal, L. Trejo: Kernel partial least squares regression in reproducing kernel Hilbert space, JMLR 2 (2001).)

use serde::{Deserialize, Serialize};

use super::centred::Centred;
use super::whole::{MatrixOptions, bytes, matrix_options, trained};
use super::{FunctionModel, Functions};
use crate::data::{Items, Random};
use crate::error::{Error, Result};
use crate::gram::{BulkKernel, SymmetricGram};
use crate::linalg::{Matrix, extreme_quotients};
use crate::resources::{InstructionSet, Interrupt, Workers};

/// What is left of a direction or of the targets below this share is nothing but rounding.
const NOTHING: f64 = 1e-12;
/// A direction is found when it changes by less than this, or after so many rounds.
const STILL: f64 = 1e-10;
const MOST_ROUNDS: usize = 500;
/// Dimensions of the Krylov space in which a K that is not positive semi-definite is looked for.
const KRYLOV: usize = 8;

/// How partial least squares went.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlsReport {
    /// Directions that were found: what was asked for, or fewer if nothing was left to be explained.
    pub components: usize,
    /// The share of the sum of squares of the targets that the first so many directions explain.
    pub explained: Vec<f64>,
    /// The functions whose values are the scores t of items, one per direction; of models from before they were kept `None`.
    #[serde(default)]
    pub scores: Option<Functions>,
}

/// One function per output.
pub type PlsModel<K, I> = FunctionModel<K, I, PlsReport>;

/// Parameters of kernel PLS, not yet checked.
#[derive(Clone, Debug)]
pub struct KernelPlsParams<K> {
    kernel: K,
    components: usize,
    options: MatrixOptions,
}

/// Kernel PLS with checked parameters, ready to be trained.
///
/// ```
/// use mercer::data::Vectors;
/// use mercer::kernel::Expression;
/// use mercer::linalg::Matrix;
/// use mercer::machine::KernelPls;
/// // The target is the second column, which hardly varies; the first direction is along it all the same.
/// let rows = Vectors::from_rows(&[[9.0, 0.1], [-9.0, 0.1], [9.0, -0.1], [-9.0, -0.1]])?;
/// let targets = Matrix::new(vec![1.0, 1.0, -1.0, -1.0], 4, 1)?;
/// let machine = KernelPls::params("linear".parse::<Expression>()?).components(1).check()?;
/// let model = machine.fit(&rows, &targets)?;
/// assert!((model.predict(&rows)?[0] - 1.0).abs() < 1e-9);
/// assert!((model.report().explained[0] - 1.0).abs() < 1e-9);
/// # Ok::<(), mercer::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct KernelPls<K> {
    kernel: K,
    components: usize,
    options: MatrixOptions,
}

impl<K> KernelPls<K> {
    /// Parameters with their defaults: two components.
    pub fn params(kernel: K) -> KernelPlsParams<K> {
        KernelPlsParams { kernel, components: 2, options: MatrixOptions::default() }
    }

    /// Trains on items and targets, one row per item and one column per output. A product with K per component and round, of which
    /// one output needs one; 8n² bytes where the memory allows it, else K is computed anew for each product.
    ///
    /// # Errors
    /// No rows, targets of another number or not finite, a kernel that is not defined on the items, [`Error::Indefinite`].
    pub fn fit<I: Items>(&self, items: &I, targets: &Matrix) -> Result<PlsModel<K, I::Owned>>
    where
        K: BulkKernel<I> + BulkKernel<I::Owned>,
    {
        let n = items.len();
        self.check_data(n, targets)?;
        let plan = self.options.plan(if self.holds(n) { 0 } else { self.options.memory })?;
        let (kept, (functions, report)) = trained(&self.kernel, (items, None), &plan, |gram| {
            Ok(((0..n).collect(), self.directions(gram, targets, &plan.workers)?))
        })?;
        Ok(FunctionModel::new(kept, functions, report))
    }

    /// Trains on a Gram matrix.
    ///
    /// ```
    /// use mercer::gram::PrecomputedGram;
    /// use mercer::linalg::Matrix;
    /// use mercer::machine::KernelPls;
    /// let gram = PrecomputedGram::symmetric(vec![1.0, -1.0, -1.0, 1.0], 2)?;
    /// let machine = KernelPls::params(()).components(1).check()?;
    /// let (functions, _) = machine.fit_gram(&gram, &Matrix::new(vec![3.0, 1.0], 2, 1)?)?;
    /// assert!((functions.offsets[0] - 2.0).abs() < 1e-12);
    /// # Ok::<(), mercer::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`KernelPls::fit`].
    pub fn fit_gram(&self, gram: &dyn SymmetricGram, targets: &Matrix) -> Result<(Functions, PlsReport)> {
        self.check_data(gram.shape().0, targets)?;
        self.directions(gram, targets, &self.options.workers()?)
    }

    fn holds(&self, n: usize) -> bool {
        bytes(1, n) <= self.options.memory
    }

    fn check_data(&self, n: usize, targets: &Matrix) -> Result<()> {
        if n == 0 {
            return Err(Error::Empty { what: "rows" });
        }
        if targets.rows() != n {
            return Err(Error::Shape { what: "targets (one per row)", expected: n, found: targets.rows() });
        }
        let m = targets.columns();
        if m == 0 {
            return Err(Error::Empty { what: "outputs" });
        }
        match targets.values().iter().position(|y| !y.is_finite()) {
            None => Ok(()),
            Some(at) => {
                let (what, expected) = ("target", "a finite number");
                Err(Error::Entry { what, index: at / m, value: targets.values()[at], expected })
            }
        }
    }

    fn directions(
        &self,
        gram: &dyn SymmetricGram,
        targets: &Matrix,
        workers: &Workers,
    ) -> Result<(Functions, PlsReport)> {
        let (n, m) = (targets.rows(), targets.columns());
        let centred = Centred::new(gram, self.holds(n))?;
        let mean = |o: usize| (0..n).map(|i| targets[(i, o)]).sum::<f64>() / n as f64;
        let means: Vec<f64> = (0..m).map(mean).collect();
        // One row per output.
        let mut left = Matrix::from_fn(m, n, |o, i| targets[(i, o)] - means[o]);
        let whole = square(left.values());
        check_definite(&centred, &left, workers)?;
        let mut found = Found::default();
        let mut explained = Vec::new();
        for _ in 0..self.components.min(n) {
            if square(left.values()) <= NOTHING * whole {
                break;
            }
            let Some((t, u)) = direction(&centred, &left, &found.t, workers)? else { break };
            for row in left.values_mut().chunks_mut(n) {
                let share = dot(row, &t);
                row.iter_mut().zip(&t).for_each(|(y, t)| *y -= share * t);
            }
            explained.push(1.0 - square(left.values()) / whole);
            found.t.push(t);
            found.u.push(u);
        }
        let of_target = |o: usize| -> Vec<f64> {
            found.t.iter().map(|t| (0..n).map(|i| t[i] * targets[(i, o)]).sum()).collect()
        };
        let a = found.t.len();
        let unit = |k: usize| -> Vec<f64> { (0..a).map(|j| f64::from(u8::from(j == k))).collect() };
        let (along, units): (Vec<_>, Vec<_>) = ((0..m).map(of_target).collect(), (0..a).map(unit).collect());
        let inner = found.inner(&centred, n, workers)?;
        let functions = found.functions(&centred, &inner, &along, &means)?;
        let scores = found.functions(&centred, &inner, &units, &vec![0.0; a])?;
        Ok((functions, PlsReport { components: explained.len(), explained, scores: Some(scores) }))
    }
}

/// Refuses a K that has a negative quotient vᵀK̃v/vᵀv in the Krylov space of a target and a random vector: directions come from the former, and
/// targets may be orthogonal to all that is negative.
fn check_definite(centred: &Centred<'_>, targets: &Matrix, workers: &Workers) -> Result<()> {
    let n = targets.columns();
    let multiply = |v: &[f64]| Ok(centred.times(&Matrix::new(v.to_vec(), 1, n)?, workers)?.into_values());
    for target in targets.values().chunks(n).filter(|target| square(target) > 0.0).take(1) {
        let mut random = Random::new(0);
        let size = (square(target) / n as f64).sqrt().max(f64::MIN_POSITIVE);
        let start: Vec<f64> = target.iter().map(|y| y / size + random.normal()).collect();
        let (least, largest) = extreme_quotients(&start, KRYLOV, &multiply)?;
        centred.check_quotients(least, largest)?;
    }
    Ok(())
}

/// The directions so far: scores t, orthonormal, and what they were made of.
#[derive(Default)]
struct Found {
    t: Vec<Vec<f64>>,
    u: Vec<Vec<f64>>,
}

impl Found {
    /// TᵀK̃U
    fn inner(&self, centred: &Centred<'_>, n: usize, workers: &Workers) -> Result<Matrix> {
        let a = self.t.len();
        if a == 0 {
            return Ok(Matrix::zeros(0, 0));
        }
        let block = |rows: &[Vec<f64>]| Matrix::new(rows.concat(), a, n);
        let images = centred.times(&block(&self.u)?, workers)?;
        block(&self.t)?.times_transposed(&images, workers)
    }

    /// The functions whose values at the items are T times each of some vectors c, and a mean: β = HU(TᵀK̃U)⁻¹c and
    /// b = mean − mean of K β.
    fn functions(
        &self,
        centred: &Centred<'_>,
        inner: &Matrix,
        along: &[Vec<f64>],
        means: &[f64],
    ) -> Result<Functions> {
        let (n, m) = (centred.means.len(), means.len());
        let mut functions = Functions { coefficients: vec![0.0; n * m], offsets: means.to_vec() };
        for (o, along) in along.iter().enumerate() {
            let shares = eliminate(inner.clone(), along.clone())?;
            let mut beta = vec![0.0; n];
            for (share, u) in shares.iter().zip(&self.u) {
                beta.iter_mut().zip(u).for_each(|(b, u)| *b += share * u);
            }
            let centre = beta.iter().sum::<f64>() / n as f64;
            beta.iter_mut().for_each(|b| *b -= centre);
            functions.offsets[o] -= dot(&beta, &centred.means);
            beta.iter().enumerate().for_each(|(i, b)| functions.coefficients[i * m + o] = *b);
        }
        Ok(functions)
    }
}

/// The next t and u, if anything is left.
fn direction(
    centred: &Centred<'_>,
    left: &Matrix,
    earlier: &[Vec<f64>],
    workers: &Workers,
) -> Result<Option<(Vec<f64>, Vec<f64>)>> {
    let (m, n) = (left.rows(), left.columns());
    // The output that is least explained so far is a good start.
    let start = (0..m).fold(0, |best, o| if square(left.row(o)) > square(left.row(best)) { o } else { best });
    let mut u = left.row(start).to_vec();
    if !normalise(&mut u, 0.0) {
        return Ok(None);
    }
    let mut t: Vec<f64> = Vec::new();
    for _ in 0..MOST_ROUNDS {
        let mut v = u.clone();
        project(&mut v, earlier);
        let mut next = centred.times(&Matrix::new(v, 1, n)?, workers)?.values().to_vec();
        project(&mut next, earlier);
        if !normalise(&mut next, NOTHING * centred.trace) {
            return Ok(None);
        }
        let moved = match t.is_empty() {
            true => f64::INFINITY,
            false => t.iter().zip(&next).map(|(a, b)| (a - b) * (a - b)).sum::<f64>().sqrt(),
        };
        t = next;
        if m == 1 || moved < STILL {
            break;
        }
        let mut turned = vec![0.0; n];
        for o in 0..m {
            let share = dot(left.row(o), &t);
            turned.iter_mut().zip(left.row(o)).for_each(|(u, y)| *u += share * y);
        }
        if !normalise(&mut turned, 0.0) {
            return Ok(None);
        }
        u = turned;
    }
    project(&mut u, earlier);
    Ok(Some((t, u)))
}

/// Takes all that is along earlier directions; twice, since once leaves rounding.
fn project(v: &mut [f64], earlier: &[Vec<f64>]) {
    for _ in 0..2 {
        for t in earlier {
            let share = dot(v, t);
            v.iter_mut().zip(t).for_each(|(v, t)| *v -= share * t);
        }
    }
}

/// The solution of Ax = b, by elimination with pivots: A is not symmetric, and as small as there are components.
fn eliminate(mut a: Matrix, mut b: Vec<f64>) -> Result<Vec<f64>> {
    let n = b.len();
    for k in 0..n {
        let pivot = (k..n).fold(k, |best, i| if a[(i, k)].abs() > a[(best, k)].abs() { i } else { best });
        if a[(pivot, k)] == 0.0 {
            return Err(Error::Pivot { index: k });
        }
        for j in 0..n {
            let held = a[(k, j)];
            a[(k, j)] = a[(pivot, j)];
            a[(pivot, j)] = held;
        }
        b.swap(k, pivot);
        for i in k + 1..n {
            let share = a[(i, k)] / a[(k, k)];
            for j in k..n {
                let taken = share * a[(k, j)];
                a[(i, j)] -= taken;
            }
            b[i] -= share * b[k];
        }
    }
    for k in (0..n).rev() {
        let known: f64 = (k + 1..n).map(|j| a[(k, j)] * b[j]).sum();
        b[k] = (b[k] - known) / a[(k, k)];
    }
    Ok(b)
}

/// Brings a vector to length 1, unless it is no longer than this.
fn normalise(v: &mut [f64], nothing: f64) -> bool {
    let size = square(v).sqrt();
    let is_something = size > nothing && size.is_finite();
    if is_something {
        v.iter_mut().for_each(|v| *v /= size);
    }
    is_something
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn square(a: &[f64]) -> f64 {
    dot(a, a)
}

impl<K> KernelPlsParams<K> {
    /// Number of directions; default 2.
    pub fn components(mut self, count: usize) -> Self {
        self.components = count;
        self
    }

    matrix_options!(options);

    /// Checks the parameters.
    ///
    /// # Errors
    /// [`Error::Parameter`] with the name and value of the first that makes no sense.
    pub fn check(self) -> Result<KernelPls<K>> {
        let KernelPlsParams { kernel, components, options } = self;
        if components == 0 {
            return Err(Error::Parameter { name: "components", value: 0.0, expected: "at least 1" });
        }
        Workers::checked(options.threads)?;
        Ok(KernelPls { kernel, components, options })
    }
}
