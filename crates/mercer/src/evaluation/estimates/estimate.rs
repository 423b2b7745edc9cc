//! All estimates by name, for any machine, kernel and items.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::alignment::alignment_of;
use super::solved::{Pair, Parts};
use super::{
    RadiusMargin, Solved, XiAlphaRadius, check_budget, jaakkola_haussler, leave_one_out_errors,
    opper_winther, span_bound, span_rule, support_vectors, xi_alpha,
};
use crate::data::{Items, Labels};
use crate::error::{Error, Result};
use crate::gram::{Block, BulkKernel, Columns, Plan, Precision, PrecomputedGram, SymmetricGram};
use crate::machine::{Svc, SvcParams};
use crate::resources::Workers;

/// An estimate of how well a support vector classifier will do, from its training set alone.
///
/// All are the smaller the better.
///
/// ```
/// use mercer::evaluation::estimates::Estimate;
/// assert_eq!("xi-alpha".parse::<Estimate>()?, Estimate::XiAlpha);
/// assert_eq!(Estimate::RadiusMargin.to_string(), "radius-margin");
/// assert!("guess".parse::<Estimate>().unwrap_err().to_string().contains("leave-one-out"));
/// # Ok::<(), mercer::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Estimate {
    /// The leave-one-out error itself: [`leave_one_out_errors`].
    LeaveOneOut,
    /// The span rule: [`span_rule`].
    Span,
    /// The span bound: [`span_bound`].
    SpanBound,
    /// The rule of Opper and Winther: [`opper_winther`].
    OpperWinther,
    /// Joachims' bound, ρ = 2, with one radius for all rows: [`xi_alpha`].
    XiAlpha,
    /// The same with the radius of each row.
    XiAlphaByRow,
    /// The estimate of Jaakkola and Haussler: [`jaakkola_haussler`].
    JaakkolaHaussler,
    /// The share of support vectors: [`support_vectors`].
    SupportVectors,
    /// R²/(ℓγ²), not a share of rows: [`RadiusMargin`].
    RadiusMargin,
    /// 1 − A, where A is the kernel–target alignment: [`alignment`](super::alignment). It knows no cost.
    Alignment,
    /// 1 − A of centred matrices: [`centred_alignment`](super::centred_alignment). It knows no cost.
    CentredAlignment,
}

impl Estimate {
    /// Every estimate.
    ///
    /// ```
    /// use mercer::evaluation::estimates::Estimate;
    /// assert!(Estimate::ALL.iter().all(|one| one.name().parse::<Estimate>().unwrap() == *one));
    /// ```
    pub const ALL: [Estimate; 11] = [
        Estimate::LeaveOneOut,
        Estimate::Span,
        Estimate::SpanBound,
        Estimate::OpperWinther,
        Estimate::XiAlpha,
        Estimate::XiAlphaByRow,
        Estimate::JaakkolaHaussler,
        Estimate::SupportVectors,
        Estimate::RadiusMargin,
        Estimate::Alignment,
        Estimate::CentredAlignment,
    ];

    /// Its name.
    ///
    /// ```
    /// assert_eq!(mercer::evaluation::estimates::Estimate::Span.name(), "span");
    /// ```
    pub fn name(self) -> &'static str {
        match self {
            Estimate::LeaveOneOut => "leave-one-out",
            Estimate::Span => "span",
            Estimate::SpanBound => "span-bound",
            Estimate::OpperWinther => "opper-winther",
            Estimate::XiAlpha => "xi-alpha",
            Estimate::XiAlphaByRow => "xi-alpha-by-row",
            Estimate::JaakkolaHaussler => "jaakkola-haussler",
            Estimate::SupportVectors => "support-vectors",
            Estimate::RadiusMargin => "radius-margin",
            Estimate::Alignment => "alignment",
            Estimate::CentredAlignment => "centred-alignment",
        }
    }

    /// The value for one trained machine, for all but the alignments.
    fn of_machine(self, solved: &Solved<'_>) -> Result<f64> {
        Ok(match self {
            Estimate::LeaveOneOut => leave_one_out_errors(solved)?.error(),
            Estimate::Span => span_rule(solved)?,
            Estimate::SpanBound => span_bound(solved)?,
            Estimate::OpperWinther => opper_winther(solved)?,
            Estimate::XiAlpha => xi_alpha(solved, 2.0, XiAlphaRadius::Common)?,
            Estimate::XiAlphaByRow => xi_alpha(solved, 2.0, XiAlphaRadius::OfRow)?,
            Estimate::JaakkolaHaussler => jaakkola_haussler(solved),
            Estimate::SupportVectors => support_vectors(solved),
            Estimate::RadiusMargin => RadiusMargin::new(solved)?.value(),
            Estimate::Alignment | Estimate::CentredAlignment => {
                let signs: Vec<f64> = (0..solved.len()).map(|i| solved.sign(i)).collect();
                self.of_kernel(solved.gram, &solved.rows(), &signs)?
            }
        })
    }

    /// Whether it is about the kernel alone, and knows no cost.
    ///
    /// ```
    /// use mercer::evaluation::estimates::Estimate;
    /// assert!(Estimate::Alignment.is_alignment() && !Estimate::Span.is_alignment());
    /// ```
    pub fn is_alignment(self) -> bool {
        matches!(self, Estimate::Alignment | Estimate::CentredAlignment)
    }

    /// 1 − A of rows with labels ±1.
    fn of_kernel(self, gram: &dyn SymmetricGram, rows: &[usize], signs: &[f64]) -> Result<f64> {
        Ok(1.0 - alignment_of(gram, rows, signs, self == Estimate::CentredAlignment)?)
    }
}

impl fmt::Display for Estimate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Estimate {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self> {
        Estimate::ALL.into_iter().find(|one| one.name() == name).ok_or_else(|| Error::Unsupported {
            what: format!(
                "no estimate is called {name}: there are {}",
                Estimate::ALL.map(Estimate::name).join(", ")
            ),
        })
    }
}

/// Estimates of a classifier on items and their labels, each with the weight that a training would give it.
///
/// The machine is trained once for all of them, in double precision. Of more than two classes every pair is a machine of its
/// own, and the estimate is the mean over the pairs, each counted by its rows; it speaks of pairs, not of what their votes
/// decide. The outcome is the same for any number of threads. Leave-one-out holds K, 8n² bytes, and the span rules 24m² bytes
/// for m support vectors on the margin, within the memory of the machine's options; the others hold O(n). Limits of iterations
/// and time hold for each training by itself.
///
/// ```
/// use mercer::data::{Labels, Random, Vectors};
/// use mercer::evaluation::estimates::{Estimate, estimates};
/// use mercer::kernel::Expression;
/// use mercer::machine::Svc;
/// let mut random = Random::new(7);
/// let rows: Vec<[f64; 1]> = (0..60).map(|i| [random.normal() + f64::from(i % 2)]).collect();
/// let (rows, labels) = (Vectors::from_rows(&rows)?, Labels::from_text((0..60).map(|i| ["a", "b"][i % 2])));
/// let machine = Svc::params("gaussian(gamma=0.5)".parse::<Expression>()?);
/// let wanted = [Estimate::LeaveOneOut, Estimate::XiAlpha, Estimate::SupportVectors];
/// let found = estimates(&wanted, &machine, &rows, &labels, None)?;
/// assert!(found[0] > 0.1 && found[0] <= found[1] && found[1] <= found[2]);
/// # Ok::<(), mercer::Error>(())
/// ```
///
/// # Errors
/// Those of [`Svc::fit_weighted`]; [`Error::Budget`] where the memory is not enough; [`Error::Unsupported`] for a share ν of
/// errors, or ‖w‖ = 1 with a 1-norm; [`Error::Pivot`] where spans are wanted of a kernel that is not positive semi-definite.
pub fn estimates<K, I>(
    wanted: &[Estimate],
    machine: &SvcParams<K>,
    items: &I,
    labels: &Labels,
    weights: Option<&[f64]>,
) -> Result<Vec<f64>>
where
    K: Clone + BulkKernel<I>,
    I: Items,
{
    let machine = machine.clone().probability(None).check()?;
    // Labels and weights are checked before the kernel looks at the items.
    machine.costs(labels, items.len(), weights)?;
    let options = machine.options();
    let plan = Plan { precision: Precision::F64, ..options.plan(items.len())? };
    let kernel = machine.kernel().resolve_by(items, weights, &plan)?;
    let layout = kernel.layout(items, &plan)?;
    let gram = kernel.symmetric(items, &layout, &plan)?;
    if !wanted.contains(&Estimate::LeaveOneOut) {
        return estimates_of_gram(wanted, &machine, &*gram, labels, weights);
    }
    let n = items.len();
    check_budget("leave-one-out", 8 * (n as u64).saturating_mul(n as u64), options.memory)?;
    let all: Vec<usize> = (0..n).collect();
    let mut values = vec![0.0; n * n];
    gram.fill(&all, Columns::Range(0..n), Block::F64 { values: &mut values, stride: n })?;
    let serial = Arc::new(Workers::serial());
    let whole = PrecomputedGram::symmetric(values, n)?.with_resources(plan.level, serial)?;
    estimates_of_gram(wanted, &machine, &whole, labels, weights)
}

/// [`estimates`], of which one is wanted.
///
/// ```
/// use mercer::data::{Labels, Vectors};
/// use mercer::evaluation::estimates::{Estimate, estimate};
/// use mercer::kernel::Expression;
/// use mercer::machine::Svc;
/// let rows = Vectors::from_rows(&[[0.0], [0.1], [1.0], [1.1]])?;
/// let labels = Labels::from_text(["low", "low", "high", "high"]);
/// let machine = Svc::params("linear".parse::<Expression>()?).cost(100.0);
/// assert_eq!(estimate(Estimate::LeaveOneOut, &machine, &rows, &labels, None)?, 0.0);
/// # Ok::<(), mercer::Error>(())
/// ```
///
/// # Errors
/// As [`estimates`].
pub fn estimate<K, I>(
    wanted: Estimate,
    machine: &SvcParams<K>,
    items: &I,
    labels: &Labels,
    weights: Option<&[f64]>,
) -> Result<f64>
where
    K: Clone + BulkKernel<I>,
    I: Items,
{
    Ok(estimates(&[wanted], machine, items, labels, weights)?[0])
}

/// As [`estimates`], for a Gram matrix: a precomputed kernel, or one that serves several machines.
///
/// ```
/// use mercer::data::Labels;
/// use mercer::evaluation::estimates::{Estimate, estimates_of_gram};
/// use mercer::gram::PrecomputedGram;
/// use mercer::machine::Svc;
/// let gram = PrecomputedGram::symmetric(vec![1.0, -1.0, -1.0, 1.0], 2)?;
/// let (machine, labels) = (Svc::params(()).check()?, Labels::from_text(["no", "yes"]));
/// let found = estimates_of_gram(&[Estimate::SupportVectors], &machine, &gram, &labels, None)?;
/// assert_eq!(found, [1.0]);
/// # Ok::<(), mercer::Error>(())
/// ```
///
/// # Errors
/// As [`estimates`].
pub fn estimates_of_gram<K>(
    wanted: &[Estimate],
    machine: &Svc<K>,
    gram: &dyn SymmetricGram,
    labels: &Labels,
    weights: Option<&[f64]>,
) -> Result<Vec<f64>> {
    estimates_of_parts(wanted, machine, gram, labels, weights, Parts::Pairs)
}

/// The same of whatever many classes are divided into.
pub(in crate::evaluation) fn estimates_of_parts<K>(
    wanted: &[Estimate],
    machine: &Svc<K>,
    gram: &dyn SymmetricGram,
    labels: &Labels,
    weights: Option<&[f64]>,
    parts: Parts,
) -> Result<Vec<f64>> {
    if wanted.iter().all(|one| one.is_alignment()) {
        let pairs = Pair::of(parts, labels, &machine.costs(labels, gram.shape().0, weights)?);
        let sign = |positive: &bool| if *positive { 1.0 } else { -1.0 };
        return means(
            wanted,
            &pairs,
            |pair| pair.rows.len(),
            |one, pair| {
                one.of_kernel(gram, &pair.rows, &pair.positive.iter().map(sign).collect::<Vec<f64>>())
            },
        );
    }
    estimates_of_solved(wanted, &Solved::after(machine, gram, (labels, weights, parts), &[], &|| false)?)
}

/// The same of machines for all pairs of classes that are trained.
pub(in crate::evaluation) fn estimates_of_solved(
    wanted: &[Estimate],
    pairs: &[Solved<'_>],
) -> Result<Vec<f64>> {
    means(wanted, pairs, Solved::len, |one, pair| one.of_machine(pair))
}

/// The mean of each estimate over pairs of classes, counted by their rows.
fn means<P>(
    wanted: &[Estimate],
    pairs: &[P],
    rows: impl Fn(&P) -> usize,
    of: impl Fn(Estimate, &P) -> Result<f64>,
) -> Result<Vec<f64>> {
    let all: usize = pairs.iter().map(&rows).sum();
    let mean = |one: &Estimate| {
        let parts: Result<Vec<f64>> =
            pairs.iter().map(|pair| Ok(rows(pair) as f64 * of(*one, pair)?)).collect();
        Ok(parts?.iter().sum::<f64>() / all as f64)
    };
    wanted.iter().map(mean).collect()
}
