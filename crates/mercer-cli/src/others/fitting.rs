//! How the machines of `mercer train --machine` are trained, and tested on items that were set aside.

use mercer::data::{Labels, Random};
use mercer::evaluation::Errors;
use mercer::io::MatrixModel;
use mercer::linalg::Matrix;
use mercer::machine::one_against_one::winner;
use mercer::machine::{
    BayesPointMachine, FisherDiscriminant, GaussianProcess, KernelPls, LeastSquaresSvc, MatrixOptions,
    OrdinalSvm, RelevanceMachine, Ridge, SphereAndSlab,
};
use mercer::{Error, Result};
use serde_json::{Map, Value, json};

use super::choice::{self, Choice};
use super::kind::Kind;
use crate::arguments::OtherMachine;
use crate::print::{Page, number};
use crate::task::Aim;
use crate::tasks;

/// The share of the items that a test sets aside: one of so many.
const ASIDE: usize = 5;
/// Bumps of a network: as many as items allow, up to so many.
const UNITS: usize = 20;

type Model<I> = MatrixModel<<I as Kind>::Kernel, I>;

/// What is trained, once on some of the items and once on all.
pub struct Fitting<I: Kind> {
    pub machine: OtherMachine,
    pub kernel: I::Kernel,
    pub cost: Option<f64>,
    pub seed: u64,
    pub options: MatrixOptions,
}

impl<I: Kind> Fitting<I> {
    /// The cost, if it was not said and the machine tells it in closed form.
    pub fn choice(&self, items: &I, aim: &Aim) -> Result<Option<Choice>> {
        let (kernel, seed, options) = (&self.kernel, self.seed, &self.options);
        match (self.cost, self.machine, aim) {
            (None, OtherMachine::Ridge, Aim::Numbers(targets)) => {
                choice::for_numbers(kernel, items, targets, seed, options).map(Some)
            }
            (None, OtherMachine::Lssvm, Aim::Classes(labels)) => {
                choice::for_classes(kernel, items, labels, seed, options).map(Some)
            }
            _ => Ok(None),
        }
    }

    /// Trains on all items; the cost is the one that was said, or this.
    pub fn fit(&self, items: &I, aim: &Aim, chosen: Option<f64>) -> Result<Model<I>> {
        let cost = self.cost.or(chosen).unwrap_or(1.0);
        match aim {
            Aim::Classes(labels) => self.classes(items, labels, cost),
            Aim::Numbers(targets) => self.numbers(items, targets, cost),
            Aim::Novelty(_) => {
                let machine = SphereAndSlab::params(self.kernel.clone()).options(self.options.clone());
                Ok(MatrixModel::Slab(machine.check()?.fit(items)?))
            }
        }
    }

    fn numbers(&self, items: &I, targets: &[f64], cost: f64) -> Result<Model<I>> {
        let (kernel, options) = (self.kernel.clone(), self.options.clone());
        Ok(match self.machine {
            OtherMachine::Ridge => {
                let machine = Ridge::params(kernel).lambda(1.0 / cost).offset(true).options(options);
                MatrixModel::Ridge(machine.check()?.fit(items, targets)?)
            }
            OtherMachine::Gp => MatrixModel::GaussianProcess(match self.cost {
                Some(cost) => {
                    let machine = GaussianProcess::params(kernel).noise(1.0 / cost).normalise_targets(true);
                    machine.options(options).check()?.fit(items, targets)?
                }
                None => I::process(&kernel, items, targets, &options)?,
            }),
            OtherMachine::Rvm => {
                let machine = RelevanceMachine::params(kernel).options(options).check()?;
                MatrixModel::Relevance(machine.fit(items, targets)?)
            }
            OtherMachine::Ordinal => {
                let machine = OrdinalSvm::params(kernel).cost(cost).options(options).check()?;
                MatrixModel::Ordinal(machine.fit(items, targets)?)
            }
            OtherMachine::RbfNetwork => I::network(items, UNITS, Err(targets), self.seed, &options)?,
            _ => {
                let machine = KernelPls::params(kernel).components(5).options(options).check()?;
                MatrixModel::Pls(machine.fit(items, &Matrix::new(targets.to_vec(), targets.len(), 1)?)?)
            }
        })
    }

    fn classes(&self, items: &I, labels: &Labels, cost: f64) -> Result<Model<I>> {
        let (kernel, options) = (self.kernel.clone(), self.options.clone());
        Ok(match self.machine {
            OtherMachine::Lssvm => {
                let machine = LeastSquaresSvc::params(kernel).cost(cost).options(options).check()?;
                MatrixModel::LeastSquares(machine.fit(items, labels)?)
            }
            OtherMachine::Fisher => {
                let machine = FisherDiscriminant::params(kernel).options(options).check()?;
                MatrixModel::Fisher(machine.fit(items, labels)?)
            }
            OtherMachine::Gp => {
                let learn = self.cost.is_none();
                MatrixModel::Laplace(I::process_classes(&kernel, items, labels, learn, &options)?)
            }
            OtherMachine::Rvm => {
                let machine = RelevanceMachine::params(kernel).options(options).check()?;
                MatrixModel::Relevance(machine.fit_classes(items, labels)?)
            }
            OtherMachine::RbfNetwork => I::network(items, UNITS, Ok(labels), self.seed, &options)?,
            _ => {
                // Labels with noise are told apart too.
                let machine = BayesPointMachine::params(kernel).softness(1.0 / cost).seed(self.seed);
                MatrixModel::BayesPoint(machine.options(options).check()?.fit(items, labels)?)
            }
        })
    }

    /// Learns without a fifth of the items, the choice of the cost included, and asks about them.
    pub fn test(&self, items: &I, aim: &Aim, page: &mut Page, told: &mut Map<String, Value>) -> Result<()> {
        let n = items.len();
        let mut order: Vec<usize> = (0..n).collect();
        Random::new(self.seed).shuffle(&mut order);
        let (aside, others) = order.split_at(n / ASIDE);
        let (known, new) = (items.select(others), items.select(aside));
        let how = format!("learned from {} rows, tested on {} others", others.len(), aside.len());
        let part = match aim {
            Aim::Classes(labels) => Aim::Classes(labels.select(others)),
            Aim::Numbers(targets) => Aim::Numbers(others.iter().map(|&row| targets[row]).collect()),
            Aim::Novelty(_) => Aim::Novelty(None),
        };
        let chosen = self.choice(&known, &part)?.map(|choice| choice.cost);
        let model = self.fit(&known, &part, chosen)?;
        let values = model.values(&new)?;
        match aim {
            Aim::Classes(labels) => {
                let classes = model.classes().unwrap_or_default();
                let right = values
                    .chunks(classes.len().max(1))
                    .zip(aside)
                    .filter(|(scores, row)| classes[winner(scores)] == labels.text(**row))
                    .count();
                let share = 100.0 * right as f64 / aside.len() as f64;
                page.line("on new rows", format!("expect {share:.1} % right ({how})"));
                told.insert("accuracy".into(), json!(share / 100.0));
            }
            Aim::Numbers(targets) => {
                let of_aside: Vec<f64> = aside.iter().map(|&row| targets[row]).collect();
                if values.len() != of_aside.len() {
                    let what = "values (one per row)";
                    return Err(Error::Shape { what, expected: of_aside.len(), found: values.len() });
                }
                let errors = Errors::new(&of_aside, &values, None)?;
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
