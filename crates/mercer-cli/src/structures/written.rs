//! Items as the command line has them.

use mercer::data::{Collection, ItemKind, Series};
use mercer::gram::CollectionKernel;
use mercer::{Error, Result};

/// Strings, trees in brackets, or series with commas between times and colons between channels.
pub fn written(texts: &[&str], kernel: &CollectionKernel) -> Result<Collection<'static>> {
    Ok(match kernel.expression().kind() {
        ItemKind::Strings => Collection::Strings(texts.iter().map(ToString::to_string).collect()),
        ItemKind::Trees => Collection::Trees(texts.iter().map(|text| text.parse()).collect::<Result<_>>()?),
        ItemKind::Series => Collection::Series(texts.iter().map(|text| series(text)).collect::<Result<_>>()?),
        kind => {
            let what = format!("{kind} cannot be written on the command line: --data names a file of them");
            return Err(Error::Unsupported { what });
        }
    })
}

fn series(text: &str) -> Result<Series> {
    let channels: Vec<Vec<f64>> = text.split(':').map(numbers).collect::<Result<_>>()?;
    let times = channels[0].len();
    if let Some(other) = channels.iter().find(|channel| channel.len() != times) {
        return Err(Error::Shape { what: "values of a channel", expected: times, found: other.len() });
    }
    let values = (0..times).flat_map(|time| channels.iter().map(move |channel| channel[time]));
    Series::new(values.collect(), channels.len())
}

fn numbers(text: &str) -> Result<Vec<f64>> {
    let number = |(at, text): (usize, &str)| {
        let problem =
            || Error::Parse { line: 1, column: at as u64 + 1, problem: format!("`{text}` is not a number") };
        text.trim().parse::<f64>().map_err(|_| problem())
    };
    text.split(',').enumerate().map(number).collect()
}
