//! `mercer losses`: what every loss makes of a margin.

use mercer::Error;
use mercer::machine::LossFunction;
use serde_json::{Map, json};

use crate::arguments::LossesArguments;
use crate::failure::Failure;
use crate::print::{number, show_json, to_stdout};

/// Most margins of a table.
const MOST: f64 = 10_000.0;

pub fn run(arguments: &LossesArguments, json: bool) -> Result<(), Failure> {
    let LossesArguments { from, to, step, tube, width, level } = *arguments;
    let parameter = |name, value, expected| Err(Failure::Usage(Error::Parameter { name, value, expected }));
    if !(step > 0.0 && step.is_finite()) {
        return parameter("step", step, "a finite number above 0");
    }
    if !(from.is_finite() && to >= from && (to - from) / step <= MOST) {
        return parameter("to", to, "a number of at least --from, and at most 10000 steps from it");
    }
    let losses = LossFunction::ALL.map(|loss| match loss {
        LossFunction::Insensitive { .. } => LossFunction::Insensitive { tube },
        LossFunction::Huber { .. } => LossFunction::Huber { width },
        LossFunction::Pinball { .. } => LossFunction::Pinball { level },
        loss => loss,
    });
    for loss in losses {
        loss.check().map_err(Failure::Usage)?;
    }
    let margins: Vec<f64> =
        (0..=((to - from) / step + 1e-9) as usize).map(|k| from + step * k as f64).collect();
    if json {
        let rows: Map<String, _> =
            losses.iter().map(|loss| (loss.name().into(), json!(loss.against_margin(&margins)))).collect();
        return Ok(show_json(&json!({ "margins": margins, "losses": rows }))?);
    }
    let columns: Vec<(&str, Vec<f64>)> =
        losses.iter().map(|loss| (loss.name(), loss.against_margin(&margins))).collect();
    Ok(to_stdout(|out| {
        write!(out, "{:>8}", "margin")?;
        columns.iter().try_for_each(|(name, _)| write!(out, "{name:>15}"))?;
        writeln!(out)?;
        for (at, margin) in margins.iter().enumerate() {
            write!(out, "{:>8}", number(*margin))?;
            columns.iter().try_for_each(|(_, values)| write!(out, "{:>15}", number(values[at])))?;
            writeln!(out)?;
        }
        Ok(())
    })?)
}
