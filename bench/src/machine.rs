//! The machines that are compared, behind one interface.

use std::error::Error;
use std::io::Write;
use std::path::Path;

use mercer::data::{Labels, Vectors};
use mercer::kernel::Expression;
use mercer::machine::{
    Expansion, Loss, Novelty, NoveltyModel, Region, Report, Slack, Softness, Svc, SvcModel, Svr, SvrModel,
};
use serde::Serialize;

use crate::npy;

type Rows = Vectors<'static>;

/// A machine with its parameters.
pub enum Machine {
    Classifier(Svc<Expression>),
    Regression(Svr<Expression>),
    OneClass(Novelty<Expression>),
}

/// What a machine is to say.
pub enum Wanted {
    Labels(Labels),
    Targets(Vec<f64>),
    /// A one-class machine is told nothing.
    Nothing,
}

/// A machine, trained.
pub enum Model {
    Classifier(SvcModel<Expression, Rows>),
    Regression(SvrModel<Expression, Rows>),
    OneClass(NoveltyModel<Expression, Rows>),
}

/// What a machine says of new rows.
pub enum Predicted<'m> {
    Labels(Vec<&'m str>),
    Targets(Vec<f64>),
    Outside(Vec<bool>),
}

/// What the training took and how good it is.
#[derive(Serialize)]
pub struct Effort {
    support: usize,
    status: String,
    precision: String,
    /// The largest relative duality gap of all problems.
    gap: f64,
    steps: u64,
    rows: u64,
}

impl Machine {
    pub fn new(
        name: &str,
        parameter: f64,
        kernel: Expression,
        cost: f64,
        tolerance: f64,
        threads: usize,
    ) -> Result<Machine, Box<dyn Error>> {
        let classifier = |slack| {
            let params = Svc::params(kernel.clone()).cost(cost).slack(slack);
            params.tolerance(tolerance).threads(threads).check().map(Machine::Classifier)
        };
        let regression = |loss| {
            let params = Svr::params(kernel.clone()).cost(cost).loss(loss);
            params.tolerance(tolerance).threads(threads).check().map(Machine::Regression)
        };
        let one_class = |softness| {
            let params = Novelty::params(kernel.clone()).region(Region::Hyperplane).softness(softness);
            params.tolerance(tolerance).threads(threads).check().map(Machine::OneClass)
        };
        Ok(match name {
            "svc" => classifier(Slack::Linear)?,
            "nu-svc" => classifier(Slack::Nu { nu: parameter })?,
            "svr" => regression(Loss::Linear { tube: parameter })?,
            "nu-svr" => regression(Loss::Nu { nu: parameter })?,
            "one-class" => one_class(Softness::Nu(parameter))?,
            _ => return Err(format!("no machine {name:?}").into()),
        })
    }

    /// Reads what is to be said: labels, targets, or nothing at all.
    pub fn wanted(&self, path: &Path) -> Result<Wanted, Box<dyn Error>> {
        Ok(match self {
            Machine::Classifier(_) => {
                let (labels, _) = npy::read::<i64>(path)?;
                Wanted::Labels(Labels::from_numbers(&labels.iter().map(|&y| y as f64).collect::<Vec<_>>())?)
            }
            Machine::Regression(_) => Wanted::Targets(npy::read::<f64>(path)?.0),
            Machine::OneClass(_) => Wanted::Nothing,
        })
    }

    pub fn fit(&self, rows: &Rows, wanted: &Wanted) -> Result<Model, Box<dyn Error>> {
        Ok(match (self, wanted) {
            (Machine::Classifier(machine), Wanted::Labels(labels)) => {
                Model::Classifier(machine.fit(rows, labels)?)
            }
            (Machine::Regression(machine), Wanted::Targets(targets)) => {
                Model::Regression(machine.fit(rows, targets)?)
            }
            (Machine::OneClass(machine), _) => Model::OneClass(machine.fit(rows)?),
            _ => return Err("these are no answers for this machine".into()),
        })
    }
}

impl Model {
    pub fn with_threads(self, threads: usize) -> Model {
        match self {
            Model::Classifier(model) => Model::Classifier(model.with_threads(threads)),
            Model::Regression(model) => Model::Regression(model.with_threads(threads)),
            Model::OneClass(model) => Model::OneClass(model.with_threads(threads)),
        }
    }

    pub fn predict(&self, rows: &Rows) -> Result<Predicted<'_>, Box<dyn Error>> {
        Ok(match self {
            Model::Classifier(model) => Predicted::Labels(model.predict_labels(rows)?),
            Model::Regression(model) => Predicted::Targets(model.predict(rows)?),
            Model::OneClass(model) => Predicted::Outside(model.is_novel(rows)?),
        })
    }

    pub fn effort(&self) -> Effort {
        let of_one = |report: Option<&Report>, precision| Effort {
            support: report.map_or(0, |r| r.support),
            status: format!("{:?}", report.map(|r| r.status)),
            precision: format!("{precision:?}"),
            gap: report.map_or(0.0, |r| r.certificate.relative_gap()),
            steps: report.map_or(0, |r| r.iterations),
            rows: report.map_or(0, |r| r.rows_computed),
        };
        match self {
            Model::Classifier(model) => {
                let reports = &model.pairs().reports;
                Effort {
                    support: model.pairs().support.len(),
                    status: format!("{:?}", model.status()),
                    precision: format!("{:?}", model.precision()),
                    gap: reports.iter().map(|r| r.certificate.relative_gap()).fold(0.0, f64::max),
                    steps: reports.iter().map(|r| r.iterations).sum(),
                    rows: reports.iter().map(|r| r.rows_computed).sum(),
                }
            }
            Model::Regression(model) => of_one(model.report(), model.kept().precision),
            Model::OneClass(model) => of_one(model.report(), model.kept().precision),
        }
    }

    /// Per support vector a line: its row, its class (0 where there are none), its coefficients.
    pub fn write_coefficients(&self, path: &Path) -> Result<(), Box<dyn Error>> {
        let mut out = std::io::BufWriter::new(std::fs::File::create(path)?);
        match self {
            Model::Classifier(model) => {
                let pairs = model.pairs();
                let width = pairs.class_count() - 1;
                for class in 0..pairs.class_count() {
                    for i in pairs.starts[class]..pairs.starts[class + 1] {
                        let own = &pairs.coefficients[i * width..(i + 1) * width];
                        write_line(&mut out, pairs.support[i], class, own)?;
                    }
                }
            }
            Model::Regression(model) => write_expansion(&mut out, model.expansion())?,
            Model::OneClass(model) => write_expansion(&mut out, model.expansion())?,
        }
        Ok(out.flush()?)
    }
}

fn write_expansion(out: &mut impl Write, expansion: &Expansion) -> std::io::Result<()> {
    for (row, coefficient) in expansion.support.iter().zip(&expansion.coefficients) {
        write_line(out, *row, 0, &[*coefficient])?;
    }
    Ok(())
}

fn write_line(out: &mut impl Write, row: usize, class: usize, coefficients: &[f64]) -> std::io::Result<()> {
    write!(out, "{row} {class}")?;
    for coefficient in coefficients {
        write!(out, " {coefficient:e}")?;
    }
    writeln!(out)
}

impl Predicted<'_> {
    /// Accuracy, R² or the share outside.
    pub fn score(&self, wanted: &Wanted) -> f64 {
        let share = |count: usize, all: usize| count as f64 / all as f64;
        match (self, wanted) {
            (Predicted::Labels(found), Wanted::Labels(labels)) => {
                let right = found.iter().enumerate().filter(|(i, label)| **label == labels.text(*i)).count();
                share(right, found.len())
            }
            (Predicted::Targets(found), Wanted::Targets(targets)) => {
                let mean = targets.iter().sum::<f64>() / targets.len() as f64;
                let missed: f64 = found.iter().zip(targets).map(|(f, y)| (f - y).powi(2)).sum();
                1.0 - missed / targets.iter().map(|y| (y - mean).powi(2)).sum::<f64>()
            }
            (Predicted::Outside(found), _) => {
                share(found.iter().filter(|novel| **novel).count(), found.len())
            }
            _ => f64::NAN,
        }
    }
}
