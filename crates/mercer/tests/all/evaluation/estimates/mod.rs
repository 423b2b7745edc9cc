//! Estimates of the error against leaving rows out one after the other, and against finite differences.

mod bounds;
mod gradient;
mod leave_one_out;
mod names;
mod regression;
mod span;

use mercer::data::{Items, Labels, Scaling, ScalingKind, Vectors};
use mercer::gram::PrecomputedGram;
use mercer::kernel::{Expression, Kernel};
use mercer::machine::{Slack, Svc, SvcParams};

use crate::machine::small_set;

/// A set in `data/`, standardised.
fn standardised(name: &str) -> (Vectors<'static>, Labels) {
    let (rows, labels) = small_set(name);
    (Scaling::fit(ScalingKind::Standardise, &rows).unwrap().apply(&rows).unwrap(), labels)
}

/// The rows of two classes of a set.
fn two_of((rows, labels): &(Vectors<'static>, Labels), classes: [&str; 2]) -> (Vectors<'static>, Labels) {
    let wanted: Vec<usize> = (0..labels.len()).filter(|&i| classes.contains(&labels.text(i))).collect();
    let names: Vec<&str> = wanted.iter().map(|&i| labels.text(i)).collect();
    (rows.select(&wanted), Labels::from_text(names))
}

/// K by its definition.
fn gram_of(rows: &Vectors<'_>, kernel: &str) -> PrecomputedGram<'static> {
    let kernel: Expression = kernel.parse().unwrap();
    let n = rows.len();
    let values = (0..n * n).map(|at| kernel.eval(&rows.get(at / n), &rows.get(at % n)));
    PrecomputedGram::symmetric(values.collect::<Vec<f64>>(), n).unwrap()
}

/// A machine and the set that it is tried on.
struct Case {
    set: &'static str,
    kernel: &'static str,
    cost: f64,
    slack: Slack,
    offset: bool,
}

impl Case {
    fn set(&self) -> (Vectors<'static>, Labels) {
        match self.set {
            "wine" => two_of(&standardised("wine.csv"), ["class_0", "class_1"]),
            "other wine" => two_of(&standardised("wine.csv"), ["class_1", "class_2"]),
            name => standardised(name),
        }
    }

    fn machine(&self) -> SvcParams<Expression> {
        let machine = Svc::params(self.kernel.parse().unwrap()).cost(self.cost).slack(self.slack);
        machine.offset(self.offset).tolerance(1e-9)
    }

    fn name(&self) -> String {
        let Case { set, kernel, cost, slack, offset } = self;
        format!("{set}, {kernel}, C = {cost}, {slack:?}, offset {offset}")
    }
}

/// Several costs and widths of both norms, with and without offset.
fn cases() -> Vec<Case> {
    let case = |set, kernel, cost, slack, offset| Case { set, kernel, cost, slack, offset };
    vec![
        case("ionosphere.csv", "gaussian(gamma=0.03)", 1.0, Slack::Linear, true),
        case("ionosphere.csv", "gaussian(gamma=0.1)", 30.0, Slack::Quadratic, true),
        case("sonar.csv", "gaussian(gamma=0.02)", 0.3, Slack::Linear, true),
        case("sonar.csv", "gaussian(gamma=0.02)", 10.0, Slack::Linear, true),
        case("sonar.csv", "gaussian(gamma=0.005)", 3.0, Slack::Linear, false),
        case("sonar.csv", "gaussian(gamma=0.01)", 1.0, Slack::Quadratic, true),
        case("sonar.csv", "gaussian(gamma=0.01)", 5.0, Slack::Quadratic, false),
        case("sonar.csv", "gaussian(gamma=0.02)", 1.0, Slack::None, true),
        case("wine", "gaussian(gamma=0.02)", 0.1, Slack::Linear, true),
        case("wine", "gaussian(gamma=0.3)", 10.0, Slack::Linear, false),
        case("other wine", "gaussian(gamma=0.05)", 2.0, Slack::Linear, true),
        case("other wine", "linear", 0.1, Slack::Quadratic, true),
    ]
}
