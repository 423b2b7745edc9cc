//! The bounds that are said of trained models, on a distribution whose errors are known.

use mercer::data::{Items, Labels, Vectors};
use mercer::evaluation::bounds::{Bound, Wishes, of_pairs};
use mercer::kernel::Expression;
use mercer::machine::{Slack, Svc, SvcModel};
use mercer_testkit::random::Random;

use super::simulated::{Record, normal_share};

const MEAN: f64 = 2.0;
const SPREAD: f64 = 0.5;
const WRONG: f64 = 0.03;

/// Classes about (−2, 0) and (2, 0), labels wrong with a probability of 3 %.
fn draw(rows: usize, random: &mut Random) -> (Vectors<'static>, Labels) {
    let mut points = Vec::new();
    let mut labels = Vec::new();
    for _ in 0..rows {
        let y = random.sign();
        points.push([y * MEAN + SPREAD * random.normal(), SPREAD * random.normal()]);
        labels.push(if random.uniform() < WRONG { -y } else { y });
    }
    (Vectors::from_rows(&points).unwrap(), Labels::from_numbers(&labels).unwrap())
}

/// The error of a linear model on new rows.
fn error(model: &SvcModel<Expression, Vectors<'static>>) -> f64 {
    let mut w = [0.0; 2];
    for (i, beta) in model.pairs().pair(0, 1) {
        model.support_items().get(i).for_each(|column, x| w[column] += beta * x);
    }
    let (b, length) = (model.pairs().offsets[0], w[0].hypot(w[1]));
    let share = |y: f64| normal_share(-(MEAN * w[0] + y * b) / (SPREAD * length));
    let clean = 0.5 * (share(1.0) + share(-1.0));
    clean * (1.0 - WRONG) + (1.0 - clean) * WRONG
}

fn hold(draws: usize) {
    let kernel: Expression = "linear".parse().unwrap();
    let wishes = Wishes { choices: 30, ..Wishes::default() };
    let machine = |slack: Slack, cost: f64| {
        let params = Svc::params(kernel.clone()).slack(slack).cost(cost).threads(1);
        params.offset(matches!(slack, Slack::Nu { .. })).check().unwrap()
    };
    for (machine, names) in [
        (machine(Slack::Linear, 1e-3), ["1-norm soft margin", "margin and slack"]),
        (machine(Slack::Quadratic, 1e-3), ["2-norm soft margin", "margin and squared slack"]),
        (machine(Slack::Nu { nu: 0.3 }, 1.0), ["nu soft margin", "margin and slack"]),
    ] {
        let mut random = Random::new(9);
        let mut records = [Record::default(), Record::default()];
        for _ in 0..draws {
            let (rows, labels) = draw(1000, &mut random);
            let model = machine.fit(&rows, &labels).unwrap();
            let told = of_pairs(model.pairs(), &wishes).unwrap();
            let truth = error(&model);
            for (record, name) in records.iter_mut().zip(names) {
                let of_name = |bound: &&Bound| bound.name == name;
                record.add(truth, told[0].bounds.iter().find(of_name).unwrap());
            }
        }
        records.iter().zip(names).for_each(|(record, name)| record.check(name));
    }
}

#[test]
fn bounds_of_soft_margins_hold() {
    hold(40);
}

#[test]
#[ignore = "1500 trainings"]
fn bounds_of_soft_margins_hold_in_500_draws() {
    hold(500);
}
