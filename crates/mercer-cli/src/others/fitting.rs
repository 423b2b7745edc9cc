//! How the machines of `mercer train --machine` are trained, and tested on items that were set aside.

use std::time::Instant;

use mercer::data::{Collection, Items, Labels, Random};
use mercer::evaluation::Errors;
use mercer::gram::CollectionKernel;
use mercer::io::MatrixModel;
use mercer::linalg::Matrix;
use mercer::machine::one_against_one::winner;
use mercer::machine::{
    BayesPointMachine, FisherDiscriminant, KernelPls, LeastSquaresSvc, MatrixOptions, OrdinalSvm, RbfNetwork,
    RelevanceMachine, Ridge, SphereAndSlab,
};
use mercer::{Error, Result};
use serde_json::{Map, Value, json};

use super::choice::{Choice, Tried};
use super::in_time::{InTime, Within};
use super::items::{self, Process};
use crate::arguments::{OtherArguments, OtherMachine};
use crate::print::{Page, number};
use crate::task::Aim;
use crate::tasks;

/// The share of the items that a test sets aside: one of so many.
const ASIDE: usize = 5;
/// Bumps of a network: as many as items allow, up to so many.
pub const BUMPS: usize = 20;
/// Directions of partial least squares.
pub const DIRECTIONS: usize = 5;
/// Dimensions of the plane that a slab is about.
const PLANE: usize = 2;
/// The share of items that may be outside of sphere and slab.
const OUTSIDE: f64 = 0.1;
const PERCEPTRONS: usize = 50;

/// What is trained, once on some of the items and once on all.
pub struct Fitting {
    pub machine: OtherMachine,
    pub kernel: CollectionKernel,
    pub cost: Option<f64>,
    /// Without the offset, where a machine may be without.
    pub no_offset: bool,
    /// The share of items that may be outside of a region.
    pub nu: Option<f64>,
    /// What was said about this machine alone.
    pub own: OtherArguments,
    pub seed: u64,
    pub options: MatrixOptions,
    /// Whether nothing is said while it is trained.
    pub quiet: bool,
}

/// What is to be learned of some rows.
fn aim_of(aim: &Aim, rows: &[usize]) -> Aim {
    match aim {
        Aim::Classes(labels) => Aim::Classes(labels.select(rows)),
        Aim::Numbers(targets) => Aim::Numbers(rows.iter().map(|&row| targets[row]).collect()),
        Aim::Novelty(_) => Aim::Novelty(None),
    }
}

/// Items to learn from, and with what weights.
pub struct Weighted<'a> {
    pub items: &'a Collection<'static>,
    pub weights: Option<&'a [f64]>,
}

impl Fitting {
    /// Chooses a cost where that is done, and trains: on all items, or on as many as there is time for.
    pub fn trained(
        &self,
        from: &Weighted<'_>,
        aim: &Aim,
        deadline: Option<Instant>,
    ) -> Result<InTime<(MatrixModel, Option<Choice>)>> {
        let classes = match aim {
            Aim::Classes(labels) => Some(labels),
            _ => None,
        };
        Within { seed: self.seed, deadline, options: &self.options, quiet: self.quiet, doing: "training" }
            .fit(from.items, classes, |items, rows, options| {
                let part = aim_of(aim, rows);
                let weights = from.weights.map(|all| rows.iter().map(|&row| all[row]).collect::<Vec<f64>>());
                let from = Weighted { items, weights: weights.as_deref() };
                let fitting =
                    Fitting { options, own: self.own.clone(), kernel: self.kernel.clone(), ..*self };
                let choice = fitting.choice(&from, &part)?;
                let model = fitting.fit(&from, &part, choice.as_ref().map(|choice| choice.cost))?;
                Ok((model, choice))
            })
    }

    /// The cost, if it was not said and the machine tells it in closed form.
    fn choice(&self, from: &Weighted<'_>, aim: &Aim) -> Result<Option<Choice>> {
        let machine =
            Ridge::params(self.kernel.clone()).offset(!self.no_offset).options(self.options.clone());
        let tried = Tried { machine: machine.check()?, from, seed: self.seed };
        match (self.cost, self.machine, aim) {
            (None, OtherMachine::Ridge, Aim::Numbers(targets)) => tried.for_numbers(targets).map(Some),
            (None, OtherMachine::Lssvm, Aim::Classes(labels)) => tried.for_classes(labels).map(Some),
            _ => Ok(None),
        }
    }

    /// Trains on all items; the cost is the one that was said, or this.
    fn fit(&self, from: &Weighted<'_>, aim: &Aim, chosen: Option<f64>) -> Result<MatrixModel> {
        let cost = self.cost.or(chosen).unwrap_or(1.0);
        match aim {
            Aim::Classes(labels) => self.classes(from, labels, cost),
            Aim::Numbers(targets) => self.numbers(from, targets, cost),
            Aim::Novelty(_) => {
                let machine = SphereAndSlab::params(self.kernel.clone()).options(self.options.clone());
                let machine = machine.components(self.own.components.unwrap_or(PLANE));
                let machine = machine.outside(self.nu.unwrap_or(OUTSIDE));
                Ok(MatrixModel::Slab(machine.check()?.fit(from.items)?))
            }
        }
    }

    fn numbers(&self, from: &Weighted<'_>, targets: &[f64], cost: f64) -> Result<MatrixModel> {
        let (kernel, options, items) = (self.kernel.clone(), self.options.clone(), from.items);
        let column = || Matrix::new(targets.to_vec(), targets.len(), 1);
        Ok(match self.machine {
            OtherMachine::Ridge => {
                let machine =
                    Ridge::params(kernel).lambda(1.0 / cost).offset(!self.no_offset).options(options);
                MatrixModel::Ridge(machine.check()?.fit_many(items, &column()?, from.weights)?)
            }
            OtherMachine::Gp => MatrixModel::GaussianProcess(match self.cost {
                Some(cost) => {
                    let machine = self.process().numbers(kernel).noise(1.0 / cost).check()?;
                    machine.fit_many(items, &column()?, from.weights)?
                }
                None => items::process(&kernel, items, targets, from.weights, &self.process())?,
            }),
            OtherMachine::Rvm => {
                MatrixModel::Relevance(self.relevance()?.fit_weighted(items, targets, from.weights)?)
            }
            OtherMachine::Ordinal => {
                let machine = OrdinalSvm::params(kernel).cost(cost).options(options).check()?;
                MatrixModel::Ordinal(machine.fit_weighted(items, targets, from.weights)?)
            }
            OtherMachine::RbfNetwork => {
                items::network(&self.network(items.len())?, items, Err(targets), from.weights)?
            }
            _ => {
                let components = self.own.components.unwrap_or(DIRECTIONS);
                let machine = KernelPls::params(kernel).components(components).options(options).check()?;
                MatrixModel::Pls(machine.fit(items, &column()?)?)
            }
        })
    }

    fn process(&self) -> Process {
        let starts = self.own.starts.unwrap_or(1);
        Process { starts, rank: self.own.rank, seed: self.seed, options: self.options.clone() }
    }

    fn relevance(&self) -> Result<RelevanceMachine<CollectionKernel>> {
        let machine = RelevanceMachine::params(self.kernel.clone()).offset(!self.no_offset);
        let machine = machine.options(self.options.clone());
        match self.own.rank {
            Some(rank) => machine.rank(rank).check(),
            None => machine.check(),
        }
    }

    fn network(&self, items: usize) -> Result<RbfNetwork> {
        let mut machine = RbfNetwork::params(self.own.bumps.unwrap_or(BUMPS.min(items)));
        if let Some(cost) = self.cost {
            machine = machine.lambda(1.0 / cost);
        }
        if let Some(starts) = self.own.starts {
            machine = machine.restarts(starts - 1);
        }
        machine.seed(self.seed).options(self.options.clone()).check()
    }

    fn classes(&self, from: &Weighted<'_>, labels: &Labels, cost: f64) -> Result<MatrixModel> {
        let (kernel, options) = (self.kernel.clone(), self.options.clone());
        let Weighted { items, weights } = *from;
        Ok(match self.machine {
            OtherMachine::Lssvm => {
                let machine = LeastSquaresSvc::params(kernel).cost(cost).options(options).check()?;
                MatrixModel::LeastSquares(machine.fit_weighted(items, labels, weights)?)
            }
            OtherMachine::Fisher => {
                let mut machine = FisherDiscriminant::params(kernel).options(options);
                if let Some(share) = self.own.regularisation {
                    machine = machine.regularisation(share);
                }
                if let Some(rank) = self.own.rank {
                    machine = machine.rank(rank);
                }
                MatrixModel::Fisher(machine.check()?.fit_weighted(items, labels, weights)?)
            }
            OtherMachine::Gp => {
                let learn = self.cost.is_none();
                MatrixModel::Laplace(items::process_classes(
                    &kernel,
                    items,
                    (labels, weights),
                    learn,
                    &self.process(),
                )?)
            }
            OtherMachine::Rvm => {
                MatrixModel::Relevance(self.relevance()?.fit_classes(items, labels, weights)?)
            }
            OtherMachine::RbfNetwork => {
                items::network(&self.network(items.len())?, items, Ok(labels), weights)?
            }
            _ => {
                // Labels with noise are told apart too.
                let machine = BayesPointMachine::params(kernel).softness(1.0 / cost).seed(self.seed);
                let machine = machine.perceptrons(self.own.perceptrons.unwrap_or(PERCEPTRONS));
                MatrixModel::BayesPoint(machine.options(options).check()?.fit(items, labels)?)
            }
        })
    }

    /// Learns without a fifth of the items, the choice of the cost included, and asks about them.
    pub fn test(
        &self,
        from: &Weighted<'_>,
        aim: &Aim,
        deadline: Option<Instant>,
        page: &mut Page,
        told: &mut Map<String, Value>,
    ) -> Result<()> {
        let (items, n) = (from.items, from.items.len());
        let mut order: Vec<usize> = (0..n).collect();
        Random::new(self.seed).shuffle(&mut order);
        let (aside, others) = order.split_at(n / ASIDE);
        let (known, new) = (items.select(others), items.select(aside));
        let part = aim_of(aim, others);
        let of = |rows: &[usize]| from.weights.map(|w| rows.iter().map(|&row| w[row]).collect::<Vec<f64>>());
        let (of_known, of_new) = (of(others), of(aside));
        let from = Weighted { items: &known, weights: of_known.as_deref() };
        let ((model, _), rows) = self.trained(&from, &part, deadline)?;
        let learned = rows.map_or(others.len(), |rows| rows.len());
        let how = format!("learned from {learned} rows, tested on {} others", aside.len());
        let values = model.values(&new)?;
        match aim {
            Aim::Classes(labels) => {
                let classes = model.classes().unwrap_or_default();
                let weight = |at: usize| of_new.as_ref().map_or(1.0, |weights| weights[at]);
                let right: f64 = values
                    .chunks(classes.len().max(1))
                    .zip(aside)
                    .enumerate()
                    .filter(|(_, (scores, row))| classes[winner(scores)] == labels.text(**row))
                    .map(|(at, _)| weight(at))
                    .sum();
                let all = (0..aside.len()).map(weight).sum::<f64>();
                let share = 100.0 * right / all;
                page.line("on new rows", format!("expect {share:.1} % right ({how})"));
                told.insert("accuracy".into(), json!(share / 100.0));
            }
            Aim::Numbers(targets) => {
                let of_aside: Vec<f64> = aside.iter().map(|&row| targets[row]).collect();
                if values.len() != of_aside.len() {
                    let what = "values (one per row)";
                    return Err(Error::Shape { what, expected: of_aside.len(), found: values.len() });
                }
                let errors = Errors::new(&of_aside, &values, of_new.as_deref())?;
                let error = number(errors.root_mean_squared);
                page.line("on new rows", format!("expect an RMSE of {error} ({how})"));
                tasks::errors(page, &errors);
                told.insert("test".into(), json!(errors));
            }
            Aim::Novelty(_) => {
                let novel = values.iter().filter(|score| **score < 0.0).count();
                let share = 100.0 * novel as f64 / aside.len() as f64;
                page.line("on new rows", format!("expect {share:.1} % novel ({how})"));
                told.insert("novel".into(), json!(share / 100.0));
            }
        }
        Ok(())
    }
}
