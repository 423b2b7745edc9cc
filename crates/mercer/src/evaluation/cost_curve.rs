//! Detections against false alarms, as the costs of the two classes are shifted.
//!
//! With the costs C₊ and C₋ of slack in the two classes (for quadratic slack λ₊ = 1/C₊ and λ₋ = 1/C₋ on the diagonal of
//! K) a classifier can be made to miss fewer rows of a class, at the price of taking more others for it (Veropoulos,
//! Campbell & Cristianini 1999; Campbell 2002, section 2.3). Along the ratio r = C₊/C₋ with √(C₊C₋) = C,
//!
//! ```text
//! C₊ = C √r    C₋ = C / √r    0 ≤ αᵢ ≤ C₊ for the rows of the one class, 0 ≤ αᵢ ≤ C₋ for those of the other
//! ```
//!
//! the held-out rates are a ROC curve in which each point is a machine of its own, not one machine with another threshold.

use serde::Serialize;

use super::classification::held_out_classes;
use super::learner::{Fold, Parameters};
use super::trials::{Trials, for_trials};
use crate::data::{Examples, Items, Labels};
use crate::error::{Error, Result};
use crate::gram::{BulkKernel, PrecomputedGram};
use crate::machine::{ClassWeights, PairMachines, Slack, SvcParams};
use crate::solver::{Control, Status};

/// Ratios C₊/C₋ to try unless others are wanted: 1/64 to 64, each twice the one before.
pub const RATIOS: [f64; 13] =
    [0.015625, 0.03125, 0.0625, 0.125, 0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0];

/// A ratio of costs and what it does to rows that were held out.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CostPoint {
    /// r = C₊/C₋
    pub ratio: f64,
    /// (C₊, C₋); where a share ν takes the place of C, only their relation counts.
    pub costs: (f64, f64),
    /// The share of the rows of the class that were found, over all folds.
    pub detections: f64,
    /// The share of the other rows that were taken for it, over all folds.
    pub false_alarms: f64,
    /// `Converged` if the trainings of all folds have, otherwise the status of the first that has not.
    pub status: Status,
    /// Steps of the solver in all folds.
    pub iterations: u64,
    /// Rows of the Gram matrix asked for in all folds.
    pub rows_computed: u64,
}

/// What a curve of costs says, see [`cost_curve`].
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CostCurve {
    /// The class that is to be detected.
    pub positive: String,
    /// The other one.
    pub negative: String,
    /// In ascending order of the ratio.
    pub points: Vec<CostPoint>,
    /// Ratios at which the share ν of the machine is out of reach: it is at most twice the share of the smaller class by cost.
    pub left_out: Vec<f64>,
    /// Rows that were looked at.
    pub rows: usize,
}

/// Trains a machine for two classes along `ratios` of their costs and tests it on rows that are held out.
///
/// The class to be detected is the later of the two ([`CostCurve::reversed`] makes it the other one). C of the machine is the
/// geometric mean of both costs; the ratio takes the place of class weights, and weights of rows stay. One Gram
/// matrix serves all folds and ratios, on a random sample if there are more than 3000 rows, as in
/// [`choose_cost`](super::choose_cost). In each fold the ratios are gone through in ascending order, and each training begins
/// with the coefficients of the one before: O(m²) kernel values and bytes for m rows, and after the first training of
/// each fold only what changes from ratio to ratio.
///
/// Whoever chooses a point by its rates has chosen it on the rows that it is tested on: on others it will do a little
/// worse. If it is cancelled, the curve has the points that were finished.
///
/// ```
/// use mercer::data::{Examples, Labels, Random, Vectors};
/// use mercer::evaluation::{RATIOS, cost_curve};
/// use mercer::kernel::Expression;
/// use mercer::machine::Svc;
/// // One row in five is ill, and most of these lie among the healthy ones.
/// let mut random = Random::new(3);
/// let ill = |i: usize| i % 5 == 0;
/// let rows: Vec<[f64; 1]> = (0..200).map(|i| [random.normal() + if ill(i) { 1.5 } else { 0.0 }]).collect();
/// let labels = Labels::from_text((0..200).map(|i| if ill(i) { "ill" } else { "healthy" }));
/// let rows = Vectors::from_rows(&rows)?;
/// let machine = Svc::params("gaussian(gamma=0.5)".parse::<Expression>()?);
/// let curve = cost_curve(&machine, Examples::new(&rows, &labels), &RATIOS, 0, &|| false)?;
/// assert_eq!(curve.positive, "ill");
/// let equal = &curve.points[6];
/// assert!(equal.ratio == 1.0 && equal.detections < 0.5);
/// let wanted = curve.at_detection(0.9).unwrap();
/// assert!(wanted.ratio > 1.0 && wanted.false_alarms > equal.false_alarms);
/// // The machine that does it:
/// let model = machine.class_weights(curve.class_weights(wanted)).check()?.fit(&rows, &labels)?;
/// # assert!(model.classes().len() == 2);
/// # Ok::<(), mercer::Error>(())
/// ```
///
/// # Errors
/// Those of a fit; [`Error::Empty`] for no ratios, [`Error::Entry`] for one that is not a finite number above 0,
/// [`Error::Shape`] for more than two classes, [`Error::FewRows`] for a class that cannot be both learned and tested, and
/// [`Error::Unsupported`] for the hard margin, in which slack has no cost.
///
/// # References
/// K. Veropoulos, C. Campbell, N. Cristianini: Controlling the sensitivity of support vector machines. IJCAI 1999.
pub fn cost_curve<K, I>(
    machine: &SvcParams<K>,
    examples: Examples<'_, I, Labels>,
    ratios: &[f64],
    seed: u64,
    cancelled: &(dyn Fn() -> bool + Sync),
) -> Result<CostCurve>
where
    K: Clone + Sync + BulkKernel<I::Owned>,
    I: Items,
{
    let ratios = ascending(ratios)?;
    examples.check()?;
    let [negative, positive] = two_classes(examples.targets)?;
    let checked = machine.clone().check()?;
    if checked.slack() == Slack::None {
        let what = "a hard margin allows no slack, so there are no costs of it to shift between the classes";
        return Err(Error::Unsupported { what: what.into() });
    }
    let trials = Trials::new(machine, examples, seed)?;
    let machine = machine.clone().probability(None).with_options(for_trials(machine.fit_options()));
    let path = Path { machine, classes: [negative, positive], ratios: &ratios, cancelled };
    let folds = trials.each(|gram, fold| path.walk(gram, fold))?;

    let [negative, positive] = path.classes.map(str::to_string);
    let mut curve =
        CostCurve { positive, negative, points: Vec::new(), left_out: Vec::new(), rows: trials.rows() };
    let mut refusal = None;
    let mut folds: Vec<_> = folds.into_iter().map(Vec::into_iter).collect();
    for &ratio in &ratios {
        // A fold that was cancelled has nothing more to say.
        let Some(outcomes) = folds.iter_mut().map(Iterator::next).collect::<Option<Vec<_>>>() else { break };
        match outcomes.into_iter().collect::<Result<Vec<Held>>>() {
            Ok(held) => curve.points.push(Held::sum(held).point(
                ratio,
                checked.cost(),
                [&curve.negative, &curve.positive],
            )?),
            Err(error) => {
                refusal = refusal.or(Some(error));
                curve.left_out.push(ratio);
            }
        }
    }
    match refusal {
        Some(error) if curve.points.is_empty() => Err(error),
        _ => Ok(curve),
    }
}

impl CostCurve {
    /// The class weights that give a machine the costs of a point.
    pub fn class_weights(&self, point: &CostPoint) -> ClassWeights {
        class_weights([&self.negative, &self.positive], point.ratio)
    }

    /// The Pareto front in ascending order of false alarms: no other point detects at least as much with at most as many
    /// false alarms. Of equal points the one whose ratio is nearest to 1 stands for all.
    ///
    /// Some of its points may lie below the convex hull: they are worth having if a rate of detections is wanted, but at no
    /// price of misses and false alarms are they the cheapest. O(p log p) for p points.
    pub fn front(&self) -> Vec<&CostPoint> {
        let mut order: Vec<&CostPoint> = self.points.iter().collect();
        let unevenness = |point: &CostPoint| point.ratio.ln().abs();
        order.sort_by(|a, b| {
            let rates = a.false_alarms.total_cmp(&b.false_alarms).then(b.detections.total_cmp(&a.detections));
            rates.then(unevenness(a).total_cmp(&unevenness(b)))
        });
        let mut best = f64::NEG_INFINITY;
        order.retain(|point| {
            let is_better = point.detections > best;
            best = best.max(point.detections);
            is_better
        });
        order
    }

    /// The area under the upper convex hull of the points, (0, 0) and (1, 1): what can be had by choosing between
    /// two of these machines at random, row by row. 0.5 if they know nothing, 1 if one of them makes no mistake.
    pub fn area(&self) -> f64 {
        let ends = |at: f64| std::iter::once((at, at));
        let rates = self.front().into_iter().map(|point| (point.false_alarms, point.detections));
        let mut hull: Vec<(f64, f64)> = Vec::new();
        for next in ends(0.0).chain(rates).chain(ends(1.0)) {
            // Whoever lies on or below the line past it is not on the hull.
            while let [.., a, b] = hull[..]
                && (b.1 - a.1) * (next.0 - a.0) <= (next.1 - a.1) * (b.0 - a.0)
            {
                hull.pop();
            }
            hull.push(next);
        }
        hull.windows(2).map(|side| (side[1].0 - side[0].0) * 0.5 * (side[0].1 + side[1].1)).sum()
    }

    /// The point with the fewest false alarms among those that detect at least this share, if there are any.
    pub fn at_detection(&self, share: f64) -> Option<&CostPoint> {
        self.front().into_iter().find(|point| point.detections >= share)
    }

    /// The same curve with the other class to be detected: its detections are what are no false alarms.
    pub fn reversed(self) -> CostCurve {
        let CostCurve { positive, negative, points, left_out, rows } = self;
        let turn = |point: CostPoint| CostPoint {
            ratio: point.ratio.recip(),
            costs: (point.costs.1, point.costs.0),
            detections: 1.0 - point.false_alarms,
            false_alarms: 1.0 - point.detections,
            ..point
        };
        CostCurve {
            positive: negative,
            negative: positive,
            points: points.into_iter().rev().map(turn).collect(),
            left_out: left_out.into_iter().rev().map(f64::recip).collect(),
            rows,
        }
    }
}

/// Factors √r of the later class and 1/√r of the other.
fn class_weights([negative, positive]: [&str; 2], ratio: f64) -> ClassWeights {
    let root = ratio.sqrt();
    ClassWeights::Given(vec![(negative.to_string(), root.recip()), (positive.to_string(), root)])
}

/// The ratios in ascending order.
fn ascending(ratios: &[f64]) -> Result<Vec<f64>> {
    if ratios.is_empty() {
        return Err(Error::Empty { what: "ratios of costs" });
    }
    if let Some(index) = ratios.iter().position(|ratio| !(*ratio > 0.0 && ratio.is_finite())) {
        let (what, expected) = ("ratio of costs", "a finite number above 0");
        return Err(Error::Entry { what, index, value: ratios[index], expected });
    }
    let mut ratios = ratios.to_vec();
    ratios.sort_by(f64::total_cmp);
    Ok(ratios)
}

/// The two classes that have rows.
fn two_classes(labels: &Labels) -> Result<[&str; 2]> {
    let counts = labels.counts();
    let present: Vec<&str> = labels
        .classes()
        .iter()
        .zip(counts)
        .filter(|(_, count)| *count > 0)
        .map(|(class, _)| &class[..])
        .collect();
    match present[..] {
        [] => Err(Error::Empty { what: "rows" }),
        [label] => Err(Error::OneClass { label: label.to_string() }),
        [earlier, later] => Ok([earlier, later]),
        _ => Err(Error::Shape { what: "classes of a curve of costs", expected: 2, found: present.len() }),
    }
}

/// What is done in each fold.
struct Path<'a, K> {
    machine: SvcParams<K>,
    /// The other class and the one to be detected.
    classes: [&'a str; 2],
    /// Ascending.
    ratios: &'a [f64],
    cancelled: &'a (dyn Fn() -> bool + Sync),
}

impl<K: Clone> Path<'_, K> {
    /// From ratio to ratio, each from where the one before ended; shorter if it is cancelled. Within it are the refusals of a
    /// share ν, which another ratio may allow.
    fn walk(&self, gram: &PrecomputedGram<'_, f64>, fold: &Fold<'_, Labels>) -> Result<Vec<Result<Held>>> {
        let Fold { targets: labels, weights, test, convex, .. } = *fold;
        let control = |_: &_| if (self.cancelled)() { Control::Cancel } else { Control::Continue };
        let mut earlier: Option<PairMachines> = None;
        let mut path = Vec::new();
        for &ratio in self.ratios {
            let weighted = self.machine.clone().class_weights(class_weights(self.classes, ratio));
            let machine = weighted.check()?.with_kernel(());
            let outcome = match &earlier {
                None => machine.fit_gram(gram, labels, Some(weights), convex, &control),
                Some(earlier) => {
                    machine.fit_gram_from(gram, labels, Some(weights), convex, earlier, &control)
                }
            };
            if (self.cancelled)() {
                break;
            }
            path.push(match outcome {
                Ok(fit) => {
                    let mut held = Held::of(&fit.pairs);
                    for (&row, class) in test.iter().zip(held_out_classes(&fit.pairs, gram, test)?) {
                        held.count(labels.text(row) == self.classes[1], class == self.classes[1]);
                    }
                    earlier = Some(fit.pairs);
                    Ok(held)
                }
                Err(error @ (Error::Interval { name: "nu", .. } | Error::Parameter { name: "nu", .. })) => {
                    Err(error)
                }
                Err(error) => return Err(error),
            });
        }
        Ok(path)
    }
}

/// Held-out rows, counted: [others, rows of the class].
struct Held {
    rows: [usize; 2],
    /// Those that were taken to be of the class.
    taken: [usize; 2],
    status: Status,
    iterations: u64,
    rows_computed: u64,
}

impl Held {
    fn of(pairs: &PairMachines) -> Self {
        let sum = |of: fn(&crate::machine::PairReport) -> u64| pairs.reports.iter().map(of).sum();
        Held {
            rows: [0; 2],
            taken: [0; 2],
            status: pairs.status().unwrap_or(Status::Converged),
            iterations: sum(|report| report.iterations),
            rows_computed: sum(|report| report.rows_computed),
        }
    }

    fn count(&mut self, is_positive: bool, is_taken: bool) {
        self.rows[usize::from(is_positive)] += 1;
        self.taken[usize::from(is_positive)] += usize::from(is_taken);
    }

    fn sum(folds: Vec<Held>) -> Held {
        let nothing =
            Held { rows: [0; 2], taken: [0; 2], status: Status::Converged, iterations: 0, rows_computed: 0 };
        folds.into_iter().fold(nothing, |all, fold| Held {
            rows: [all.rows[0] + fold.rows[0], all.rows[1] + fold.rows[1]],
            taken: [all.taken[0] + fold.taken[0], all.taken[1] + fold.taken[1]],
            status: if all.status == Status::Converged { fold.status } else { all.status },
            iterations: all.iterations + fold.iterations,
            rows_computed: all.rows_computed + fold.rows_computed,
        })
    }

    fn point(self, ratio: f64, cost: f64, classes: [&str; 2]) -> Result<CostPoint> {
        // The only row of a class is learned from in every fold.
        if let Some(side) = self.rows.iter().position(|&rows| rows == 0) {
            return Err(Error::FewRows { label: classes[side].to_string(), rows: 1 });
        }
        let rate = |side: usize| self.taken[side] as f64 / self.rows[side] as f64;
        Ok(CostPoint {
            ratio,
            costs: (cost * ratio.sqrt(), cost / ratio.sqrt()),
            detections: rate(1),
            false_alarms: rate(0),
            status: self.status,
            iterations: self.iterations,
            rows_computed: self.rows_computed,
        })
    }
}
