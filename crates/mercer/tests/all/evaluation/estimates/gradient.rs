//! Derivatives of the radius–margin quotient against finite differences.

use mercer::data::{Labels, Vectors};
use mercer::evaluation::estimates::{RadiusMargin, Solved};
use mercer::kernel::Expression;
use mercer::kernel::vector::{Gaussian, VectorKernel};
use mercer::machine::{Slack, Svc};
use mercer_testkit::random::Random;

use super::gram_of;

const STEP: f64 = 1e-5;

struct Setting {
    rows: Vectors<'static>,
    labels: Labels,
    slack: Slack,
    offset: bool,
}

impl Setting {
    fn quotient(&self, kernel: &Expression, cost: f64) -> RadiusMargin {
        let gram = gram_of(&self.rows, &kernel.to_string());
        let machine = Svc::params(()).cost(cost).slack(self.slack).offset(self.offset).tolerance(1e-11);
        let weights: Vec<f64> = (0..self.labels.len()).map(|i| 0.5 + (i % 3) as f64).collect();
        let machine = machine.check().unwrap();
        RadiusMargin::new(&Solved::new(&machine, &gram, &self.labels, Some(&weights)).unwrap()).unwrap()
    }
}

fn settings() -> Vec<Setting> {
    let mut random = Random::new(11);
    let rows: Vec<[f64; 3]> =
        (0..50).map(|i| [random.normal() + (i % 2) as f64, random.normal(), 2.0 * random.normal()]).collect();
    let labels = Labels::from_text((0..50).map(|i| ["a", "b"][i % 2]));
    let rows = Vectors::from_rows(&rows).unwrap();
    [(Slack::Quadratic, true), (Slack::Quadratic, false), (Slack::Linear, true)]
        .map(|(slack, offset)| Setting { rows: rows.clone(), labels: labels.clone(), slack, offset })
        .into()
}

fn agree(name: &str, found: f64, expected: f64) {
    assert!(
        (found - expected).abs() < 1e-4 * expected.abs().max(1e-3),
        "{name}: {found}, by differences {expected}"
    );
}

#[test]
fn of_the_kernel() {
    for setting in settings() {
        for kernel in [
            Gaussian::gamma(0.3).unwrap(),
            Gaussian::sigma(1.4).unwrap(),
            Gaussian::length_scale(0.9).unwrap().amplitude(2.0).unwrap(),
            Gaussian::length_scales(vec![0.8, 2.0, 3.0]).unwrap(),
        ] {
            let expression = Expression::from(kernel.clone());
            let parameters: Vec<f64> = expression.parameters().iter().map(|p| p.value).collect();
            let derivatives =
                setting.quotient(&expression, 1.5).gaussian_derivatives(&kernel, &setting.rows).unwrap();
            assert_eq!(derivatives.len(), parameters.len());
            for (k, found) in derivatives.iter().enumerate() {
                let at = |step: f64| {
                    let mut moved = parameters.clone();
                    moved[k] *= 1.0 + step;
                    setting.quotient(&expression.with_parameters(&moved).unwrap(), 1.5).value()
                };
                let expected = (at(STEP) - at(-STEP)) / (2.0 * STEP * parameters[k]);
                let name = format!("{kernel}, {:?}, offset {}, {k}", setting.slack, setting.offset);
                // The farthest row from the origin of a Gaussian kernel is any row: nothing but the amplitude moves it.
                agree(&name, *found, expected);
            }
        }
    }
}

#[test]
fn of_the_cost() {
    for setting in settings() {
        let kernel: Expression = "gaussian(gamma=0.3)".parse().unwrap();
        for cost in [0.3, 4.0] {
            let at = |step: f64| setting.quotient(&kernel, cost * (1.0 + step)).value();
            let expected = (at(STEP) - at(-STEP)) / (2.0 * STEP * cost);
            let found = setting.quotient(&kernel, cost).cost_derivative(cost);
            agree(&format!("{:?}, offset {}, C = {cost}", setting.slack, setting.offset), found, expected);
        }
    }
}

#[test]
fn what_it_cannot_be_taken_of_is_refused() {
    let setting = &settings()[0];
    let quotient = setting.quotient(&"gaussian(gamma=0.3)".parse().unwrap(), 1.0);
    let waiting = Gaussian::default();
    assert!(!waiting.is_resolved());
    assert!(quotient.gaussian_derivatives(&waiting, &setting.rows).is_err());
    let kernel = Gaussian::gamma(0.3).unwrap();
    let few = Vectors::from_rows(&[[0.0, 0.0, 0.0]]).unwrap();
    assert!(quotient.gaussian_derivatives(&kernel, &few).is_err());
    let other = Gaussian::length_scales(vec![1.0]).unwrap();
    assert!(quotient.gaussian_derivatives(&other, &setting.rows).is_err());
}
