//! The leave-one-out error, exactly, without training as often as there are rows.

use super::Solved;
use super::left_out::{Found, LeftOut, Means};
use crate::error::{Error, Result};
use crate::gram::SymmetricGram;
use crate::machine::{Loss, Slack, Svr};
use crate::resources::Workers;
use crate::solver::{Control, Settings, Status, solve};

/// What a classifier that was trained without a row says about it.
#[derive(Clone, Debug, PartialEq)]
pub struct RowLeftOut {
    /// The row, by its position in the Gram matrix.
    pub row: usize,
    /// Whether it is taken for one of the other class, or is undecided.
    pub is_error: bool,
    /// The decision value; none where the decision was proved without it.
    pub value: Option<f64>,
    /// How it was found.
    pub means: Means,
}

/// Every row of a training set, left out.
#[derive(Clone, Debug, PartialEq)]
pub struct LeaveOneOut {
    /// One for each row that was learned from, in their order.
    pub rows: Vec<RowLeftOut>,
    /// `Converged` if the machine and all that were trained again have, otherwise the status of the first that has not.
    pub status: Status,
}

impl LeaveOneOut {
    /// The leave-one-out error: the share of rows that are errors; every row counts once, whatever its cost.
    pub fn error(&self) -> f64 {
        self.rows.iter().filter(|row| row.is_error).count() as f64 / self.rows.len() as f64
    }

    /// How many rows were decided by these means.
    pub fn count(&self, means: Means) -> usize {
        self.rows.iter().filter(|row| row.means == means).count()
    }
}

/// The decision value of every row by the machine that is trained without it.
///
/// Rows that are no support vectors change nothing. For a support vector the closed form of the span rule is tried and
/// checked, and where it does not hold the machine is trained again from where it stands; see [`Means`]. The values are those of
/// training without the row to the tolerance of the machine. A row that is the only one of its class, in a machine with an offset,
/// gets the value of the constant function that is left, −y. O(ℓm²) and a short training for each support vector whose
/// removal moves others to or from their bounds, where m support vectors lie on the margin; side by side on the threads of the
/// machine, with the same outcome for any number of them.
///
/// ```
/// use mercer::data::Labels;
/// use mercer::evaluation::estimates::{Means, Solved, leave_one_out};
/// use mercer::gram::PrecomputedGram;
/// use mercer::machine::Svc;
/// // Points at −2, −1, 1 and 2 on the line: the inner ones are support vectors.
/// let x = [-2.0, -1.0, 1.0, 2.0];
/// let values: Vec<f64> = x.iter().flat_map(|a| x.map(|b| a * b)).collect();
/// let gram = PrecomputedGram::symmetric(values, 4)?;
/// let labels = Labels::from_text(["no", "no", "yes", "yes"]);
/// let machine = Svc::params(()).cost(10.0).tolerance(1e-9).check()?;
/// let left_out = leave_one_out(&Solved::new(&machine, &gram, &labels, None)?)?;
/// assert_eq!((left_out.error(), left_out.count(Means::Unchanged)), (0.0, 2));
/// // Without 1 the hyperplane is at ½, and f(1) = (1 − ½)/1.5.
/// assert!((left_out.rows[2].value.unwrap() - 1.0 / 3.0).abs() < 1e-6);
/// # Ok::<(), mercer::Error>(())
/// ```
///
/// # Errors
/// What a kernel of the user may fail with. Where the memory does not hold the 24m² bytes of the closed form, all support vectors
/// are left out by training again.
pub fn leave_one_out(solved: &Solved<'_>) -> Result<LeaveOneOut> {
    search(solved, |_| Ok(None))
}

/// As [`leave_one_out`], but decisions that can be proved are not computed.
///
/// With ξᵢ the slack of row i and d = 1/Cᵢ on the diagonal of a 2-norm machine, a support vector is, left out,
///
/// - an error if it is one already: ξᵢ ≥ 1, since without it the slack can only grow;
/// - right if αᵢ k(xᵢ, xᵢ) < yᵢ f(xᵢ), for a machine without offset (Jaakkola & Haussler 1999);
/// - right if αᵢ maxⱼ (‖φ(xᵢ) − φ(xⱼ)‖² + dᵢ + dⱼ) < 1, for a 2-norm or hard margin with offset
///   (the argument of Joachims 2000, which for the 1-norm takes more than can be known of the machine with the row).
///
/// ```
/// use mercer::data::Labels;
/// use mercer::evaluation::estimates::{Means, Solved, leave_one_out_errors};
/// use mercer::gram::PrecomputedGram;
/// use mercer::machine::Svc;
/// let gram = PrecomputedGram::symmetric(vec![1.0, -1.0, -1.0, 1.0], 2)?;
/// let machine = Svc::params(()).cost(10.0).offset(false).check()?;
/// let solved = Solved::new(&machine, &gram, &Labels::from_text(["no", "yes"]), None)?;
/// // f(x) = x with α = ½: either point has the decision value ½ by the other alone, or more.
/// assert_eq!(leave_one_out_errors(&solved)?.count(Means::Proof), 2);
/// # Ok::<(), mercer::Error>(())
/// ```
///
/// # Errors
/// As [`leave_one_out`].
pub fn leave_one_out_errors(solved: &Solved<'_>) -> Result<LeaveOneOut> {
    search(solved, |i| {
        if !solved.is_support(i) {
            return Ok(None);
        }
        if solved.margin(i) <= 0.0 {
            return Ok(Some(true));
        }
        let is_right = match (solved.has_offset(), solved.slack) {
            (false, _) => solved.alpha(i) * solved.own_value(i) < solved.margin(i),
            (true, Slack::Quadratic | Slack::None) => solved.alpha(i) * solved.squared_reach(i)? < 1.0,
            (true, Slack::Linear | Slack::Nu { .. }) => false,
        };
        Ok(is_right.then_some(false))
    })
}

/// Leaves out every row for which nothing is proved: `proof` says whether it is an error, if that is known.
fn search(solved: &Solved<'_>, proof: impl Fn(usize) -> Result<Option<bool>>) -> Result<LeaveOneOut> {
    let n = solved.len();
    let count = |sign: f64| (0..n).filter(|&i| solved.sign(i) == sign).count();
    let (below, above) = (count(-1.0), count(1.0));
    let is_alone =
        |i: usize| solved.has_offset() && if solved.sign(i) > 0.0 { above == 1 } else { below == 1 };
    let mut rows: Vec<Option<RowLeftOut>> = Vec::with_capacity(n);
    for i in 0..n {
        let row = solved.row(i);
        rows.push(match proof(i)? {
            _ if is_alone(i) => {
                let value = Some(-solved.sign(i));
                Some(RowLeftOut { row, is_error: true, value, means: Means::Alone })
            }
            Some(is_error) => Some(RowLeftOut { row, is_error, value: None, means: Means::Proof }),
            None => None,
        });
    }
    let left_out = LeftOut::new(solved.gram, &solved.problem, &solved.solution, &solved.settings)?;
    let values = left_out.values(|i| rows[i].is_none(), &solved.workers)?;
    let refits = values.iter().flatten().filter_map(|found| found.status);
    let status = Status::of_all(std::iter::once(solved.status()).chain(refits)).unwrap_or(solved.status());
    let found = |i: usize, found: Option<Found>| {
        let Found { value, means, .. } = found?;
        let is_error = solved.sign(i) * value <= 0.0;
        Some(RowLeftOut { row: solved.row(i), is_error, value: Some(value), means })
    };
    let rows = rows.into_iter().zip(values).enumerate();
    let rows = rows.filter_map(|(i, (proved, value))| proved.or_else(|| found(i, value))).collect();
    Ok(LeaveOneOut { rows, status })
}

/// For each item what a support vector regression predicts that is trained on all the others.
///
/// Targets within the tube change nothing, and the others are left out as in [`leave_one_out`]. A row whose weight is 0 is
/// predicted as always, since nothing was learned from it.
///
/// ```
/// use mercer::evaluation::estimates::leave_one_out_regression;
/// use mercer::gram::PrecomputedGram;
/// use mercer::machine::{Loss, Svr};
/// // Three points on a line with the slope 1, and one that is off by 3: without it nothing is lost.
/// let x = [0.0, 1.0, 2.0, 3.0];
/// let values: Vec<f64> = x.iter().flat_map(|a| x.map(|b| a * b)).collect();
/// let gram = PrecomputedGram::symmetric(values, 4)?;
/// let machine = Svr::params(()).loss(Loss::Linear { tube: 0.0 }).cost(100.0).tolerance(1e-6).check()?;
/// let predictions = leave_one_out_regression(&machine, &gram, &[0.0, 1.0, 2.0, 6.0], None)?;
/// assert!((predictions[3] - 3.0).abs() < 1e-3);
/// # Ok::<(), mercer::Error>(())
/// ```
///
/// # Errors
/// Those of [`Svr::fit_gram`] and [`leave_one_out`]; [`Error::Unsupported`] for the tube that ν finds, which would be another
/// without the row.
pub fn leave_one_out_regression<K>(
    machine: &Svr<K>,
    gram: &dyn SymmetricGram,
    targets: &[f64],
    weights: Option<&[f64]>,
) -> Result<Vec<f64>> {
    if let Loss::Nu { .. } = machine.loss() {
        let what = "leave-one-out takes a tube that stays as it is: give its width instead of a share nu";
        return Err(Error::Unsupported { what: what.into() });
    }
    let (problem, centre) = machine.centred_problem(targets, gram.shape().0, weights)?;
    let options = machine.options();
    let settings = Settings { memory: options.memory, ..options.solver.clone() };
    let solution = solve(gram, &problem, &settings, &mut |_| Control::Continue)?;
    let left_out = LeftOut::new(gram, &problem, &solution, &settings)?;
    let values = left_out.values(|_| true, &Workers::checked(options.threads)?)?;
    Ok(values.into_iter().flatten().map(|found| centre + found.value).collect())
}
