//! Numbers: how far predictions are from them.

use mercer::data::Vectors;
use mercer::evaluation::{Assessment, Errors, RESIDUAL_SHARES, Regression, RegressionTest};
use mercer::io::TrainedMachine;
use mercer::kernel::Expression;
use mercer::machine::{Loss, SvrModel};
use serde_json::{Value, json};

use super::{Telling, how};
use crate::print::{Page, number, rounded};

/// Digits of errors, and of what they may be off by.
const DIGITS: usize = 4;
const DIGITS_OF_CHANCE: usize = 2;

impl Telling for Regression<Expression> {
    fn any(model: SvrModel<Expression, Vectors<'static>>) -> TrainedMachine {
        model.into()
    }

    fn of_any(model: TrainedMachine) -> Option<Self::Model> {
        match model {
            TrainedMachine::Svr(model) => model.try_into().ok(),
            _ => None,
        }
    }

    fn targets(page: &mut Page, targets: &Vec<f64>) {
        page.line("targets", describe(targets));
    }

    fn targets_json(targets: &Vec<f64>) -> (&'static str, Value) {
        let Summary { mean, deviation, least, greatest } = Summary::of(targets);
        ("targets", json!({ "mean": mean, "deviation": deviation, "least": least, "greatest": greatest }))
    }

    fn tried(&self, outcome: f64) -> String {
        match self.machine.clone().check().map(|machine| machine.loss()) {
            Ok(Loss::Quantile { .. } | Loss::Huber { .. }) => {
                format!("a mean loss of {}", rounded(outcome, DIGITS))
            }
            _ => format!("an RMSE of {}", rounded(outcome.sqrt(), DIGITS)),
        }
    }

    fn in_words(test: &Assessment<RegressionTest>) -> String {
        let (outcome, how) = (&test.outcome, how(test.method));
        if let Loss::Quantile { level } = outcome.loss {
            return format!(
                "{:.1} % of the targets not to be above ({} % is the aim) and a mean loss of {} ({how})",
                100.0 * outcome.errors.below,
                number(100.0 * level),
                rounded(outcome.mean_loss, DIGITS)
            );
        }
        let root = rounded(outcome.errors.root_mean_squared, DIGITS);
        let chance = rounded(outcome.standard_error_of_root(), DIGITS_OF_CHANCE);
        format!("an RMSE of {root} ± {chance} ({how})")
    }

    fn details(page: &mut Page, test: &Assessment<RegressionTest>) {
        let outcome = &test.outcome;
        let mean = rounded(outcome.errors.mean_absolute, DIGITS);
        let mut more = Vec::new();
        if let Loss::Quantile { .. } = outcome.loss {
            more.push(format!("RMSE {}", rounded(outcome.errors.root_mean_squared, DIGITS)));
        }
        more.push(format!("MAE {mean}{}", chance(outcome, |fold| fold.mean_absolute)));
        if let Some(r_squared) = outcome.errors.r_squared {
            let chance = chance(outcome, |fold| fold.r_squared.unwrap_or(f64::NAN));
            more.push(format!("R² {r_squared:.4}{chance}"));
        }
        // The pinball loss is told already.
        if !matches!(outcome.loss, Loss::Quantile { .. }) {
            more.push(format!("mean loss {}", rounded(outcome.mean_loss, DIGITS)));
        }
        page.line("", more.join(", "));
        residuals(page, &outcome.errors);
    }

    fn folds(page: &mut Page, test: &Assessment<RegressionTest>) {
        let each: Vec<String> =
            test.outcome.folds.iter().map(|fold| rounded(fold.root_mean_squared, DIGITS)).collect();
        page.line("folds", format!("RMSE {}", each.join(", ")));
    }

    fn advice(test: &Assessment<RegressionTest>) -> Option<&'static str> {
        (test.outcome.errors.r_squared <= Some(0.0)).then_some(
            "on new rows the model is no better than always saying the mean of the targets: \
             another --kernel may do better",
        )
    }
}

/// What a number may be off by, from the spread of the folds.
fn chance(test: &RegressionTest, number: fn(&Errors) -> f64) -> String {
    let error = test.standard_error(number);
    error.map_or(String::new(), |error| format!(" ± {}", rounded(error, DIGITS_OF_CHANCE)))
}

struct Summary {
    mean: f64,
    deviation: f64,
    least: f64,
    greatest: f64,
}

impl Summary {
    fn of(targets: &[f64]) -> Self {
        let n = targets.len() as f64;
        let mean = targets.iter().sum::<f64>() / n;
        Summary {
            mean,
            deviation: (targets.iter().map(|y| (y - mean).powi(2)).sum::<f64>() / n).sqrt(),
            least: targets.iter().copied().fold(f64::INFINITY, f64::min),
            greatest: targets.iter().copied().fold(f64::NEG_INFINITY, f64::max),
        }
    }
}

/// Targets in a line.
pub fn describe(targets: &[f64]) -> String {
    let Summary { mean, deviation, least, greatest } = Summary::of(targets);
    format!(
        "mean {}, standard deviation {}, from {} to {}",
        number(mean),
        number(deviation),
        number(least),
        number(greatest)
    )
}

/// All that is told about errors on one set of rows.
pub fn errors(page: &mut Page, errors: &Errors) {
    page.line("RMSE", rounded(errors.root_mean_squared, DIGITS));
    page.line("MAE", rounded(errors.mean_absolute, DIGITS));
    page.line("median error", rounded(errors.median_absolute, DIGITS));
    page.line("largest error", rounded(errors.largest, DIGITS));
    match errors.r_squared {
        Some(r_squared) => page.line("R²", format!("{r_squared:.4}")),
        None => page.line("R²", "not defined: all targets are the same"),
    }
    page.line("bias", format!("{} (target less prediction, on average)", rounded(errors.bias, DIGITS)));
    residuals(page, errors);
}

fn residuals(page: &mut Page, errors: &Errors) {
    let each: Vec<String> = RESIDUAL_SHARES
        .iter()
        .zip(errors.quantiles)
        .map(|(share, value)| format!("{:.0} % {}", 100.0 * share, rounded(value, DIGITS)))
        .collect();
    page.line("residuals", format!("quantiles {}", each.join(", ")));
    page.line("", format!("{:.1} % of the targets are not above their prediction", 100.0 * errors.below));
}
