//! `mercer explain`

use mercer::data::Vectors;
use mercer::evaluation::insight::Influence;
use mercer::io::{Explanation, SavedModel};
use mercer::{Error, Result};
use serde_json::json;

use crate::arguments::ExplainArguments;
use crate::failure::Failure;
use crate::load::load;
use crate::print::{rounded, show_json, to_stdout};

pub fn run(arguments: &ExplainArguments, json: bool) -> std::result::Result<(), Failure> {
    let saved = load(&arguments.model)?;
    let values: Result<Vec<f64>> = arguments
        .row
        .split(',')
        .enumerate()
        .map(|(at, text)| {
            let problem = || Error::Parse {
                line: 1,
                column: at as u64 + 1,
                problem: format!("`{text}` is not a number"),
            };
            text.trim().parse::<f64>().map_err(|_| problem())
        })
        .collect();
    let row = Vectors::from_rows(&[values.map_err(Failure::Usage)?])?;
    let explained = saved.model.explain(&saved.prepare(&row)?)?;
    match json {
        true => Ok(tell_json(arguments, &saved, &explained)?),
        false => Ok(tell(arguments, &saved, &explained)?),
    }
}

/// The terms of one sign, the largest first.
fn side(terms: &[Influence], sign: f64, top: usize) -> impl Iterator<Item = &Influence> {
    terms.iter().filter(move |term| term.contribution * sign > 0.0).take(top)
}

fn tell(arguments: &ExplainArguments, saved: &SavedModel, explained: &[Explanation]) -> Result<()> {
    let numbers = saved.model.support_rows();
    to_stdout(|out| {
        for Explanation { sides, value, offset, terms } in explained {
            let value_text = rounded(*value, 6);
            match sides {
                Some((for_above, for_below)) => {
                    let (winner, loser) =
                        if *value > 0.0 { (for_above, for_below) } else { (for_below, for_above) };
                    writeln!(out, "{winner} rather than {loser}: decision value {value_text}")?;
                }
                None => writeln!(out, "prediction {value_text}")?,
            }
            writeln!(out, "  offset {}", rounded(*offset, 6))?;
            let (above, below) = match sides {
                Some((above, below)) => (format!("for {above}"), format!("for {below}")),
                None => ("for more".into(), "for less".into()),
            };
            for (sign, words) in [(1.0, above), (-1.0, below)] {
                let all: f64 = side(terms, sign, usize::MAX).map(|term| term.contribution).sum();
                let how_many = side(terms, sign, usize::MAX).count();
                writeln!(out, "  {words}: {how_many} support vectors, {} together", rounded(all, 4))?;
                for term in side(terms, sign, arguments.top) {
                    writeln!(
                        out,
                        "    row {:<8} {:>12}   similarity {}",
                        numbers.get(term.support).map_or(term.support, |row| *row) + 1,
                        rounded(term.contribution, 4),
                        rounded(term.similarity, 4)
                    )?;
                }
            }
        }
        Ok(())
    })
}

fn tell_json(arguments: &ExplainArguments, saved: &SavedModel, explained: &[Explanation]) -> Result<()> {
    let numbers = saved.model.support_rows();
    let one = |term: &Influence| {
        json!({
            "row": numbers.get(term.support).map_or(term.support, |row| *row) + 1,
            "contribution": term.contribution,
            "similarity": term.similarity,
            "coefficient": term.coefficient,
        })
    };
    let functions: Vec<_> = explained
        .iter()
        .map(|Explanation { sides, value, offset, terms }| {
            let of = |sign: f64| side(terms, sign, arguments.top).map(one).collect::<Vec<_>>();
            json!({
                "above": sides.as_ref().map(|sides| &sides.0),
                "below": sides.as_ref().map(|sides| &sides.1),
                "value": value,
                "offset": offset,
                "for_above": of(1.0),
                "for_below": of(-1.0),
            })
        })
        .collect();
    show_json(&json!({ "functions": functions }))
}
