//! Numbers: how far predictions are from them.

use mercer::data::Vectors;
use mercer::evaluation::{Assessment, Errors, RESIDUAL_SHARES, Regression, RegressionTest};
use mercer::io::AnyModel;
use mercer::kernel::Expression;
use mercer::machine::{Loss, SvrModel};
use serde_json::{Value, json};

use super::{Telling, how};
use crate::print::{Page, number};

impl Telling for Regression<Expression> {
    fn any(model: SvrModel<Expression, Vectors<'static>>) -> AnyModel {
        AnyModel::Svr(model)
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
            Ok(Loss::Quantile { .. } | Loss::Huber { .. }) => format!("a mean loss of {}", number(outcome)),
            _ => format!("an RMSE of {}", number(outcome.sqrt())),
        }
    }

    fn in_words(test: &Assessment<RegressionTest>) -> String {
        let outcome = &test.outcome;
        let errors = &outcome.errors;
        format!(
            "an RMSE of {}{} ({})",
            number(errors.root_mean_squared),
            outcome
                .standard_error(|fold| fold.root_mean_squared)
                .map_or(String::new(), |error| format!(" ± {}", number(error))),
            how(test.method)
        )
    }

    fn details(page: &mut Page, test: &Assessment<RegressionTest>) {
        let outcome = &test.outcome;
        let spread = |number_of: fn(&Errors) -> f64| {
            outcome.standard_error(number_of).map_or(String::new(), |error| format!(" ± {}", number(error)))
        };
        let mean = number(outcome.errors.mean_absolute) + &spread(|fold| fold.mean_absolute);
        let mut more = vec![format!("MAE {mean}")];
        if let Some(r_squared) = outcome.errors.r_squared {
            let error = spread(|fold| fold.r_squared.unwrap_or(f64::NAN));
            more.push(format!("R² {r_squared:.4}{error}"));
        }
        more.push(format!("mean loss {}", number(outcome.loss)));
        page.line("", more.join(", "));
        residuals(page, &outcome.errors);
    }

    fn folds(page: &mut Page, test: &Assessment<RegressionTest>) {
        let each: Vec<String> =
            test.outcome.folds.iter().map(|fold| number(fold.root_mean_squared)).collect();
        page.line("folds", format!("RMSE {}", each.join(", ")));
    }

    fn advice(test: &Assessment<RegressionTest>) -> Option<&'static str> {
        (test.outcome.errors.r_squared <= Some(0.0)).then_some(
            "on new rows the model is no better than always saying the mean of the targets: \
             another --kernel may do better",
        )
    }
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
    page.line("RMSE", number(errors.root_mean_squared));
    page.line("MAE", number(errors.mean_absolute));
    page.line("median error", number(errors.median_absolute));
    page.line("largest error", number(errors.largest));
    match errors.r_squared {
        Some(r_squared) => page.line("R²", format!("{r_squared:.4}")),
        None => page.line("R²", "not defined: all targets are the same"),
    }
    page.line("bias", format!("{} (target less prediction, on average)", number(errors.bias)));
    residuals(page, errors);
}

fn residuals(page: &mut Page, errors: &Errors) {
    let each: Vec<String> = RESIDUAL_SHARES
        .iter()
        .zip(errors.quantiles)
        .map(|(share, value)| format!("{:.0} % {}", 100.0 * share, number(value)))
        .collect();
    let below = 100.0 * errors.below;
    page.line("residuals", format!("{}; {below:.1} % of the targets are not above", each.join(", ")));
}
