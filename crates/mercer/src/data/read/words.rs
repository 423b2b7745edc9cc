//! A column of words: each distinct one is kept once, its cells hold the number of theirs.

use std::collections::HashMap;

use super::problem::excerpt;
use super::target_column::spelled;
use crate::data::targets::order_of_names;
use crate::error::Remedy;

/// Different words up to which a column is taken as it is.
const MANY_LEVELS: usize = 100;

/// The words of one column as they come.
#[derive(Default)]
pub(super) struct WordColumn {
    seen: HashMap<String, u32>,
    levels: Vec<String>,
    /// Cells that could be read as numbers.
    pub numbers: usize,
    /// Where the first one stands that could not, and what it is.
    pub first: Option<(u64, String)>,
    /// It was said that the column holds words.
    pub asked: bool,
}

impl WordColumn {
    /// Words that are known beforehand.
    pub fn of(levels: &[String]) -> Self {
        let mut column = WordColumn { asked: true, ..WordColumn::default() };
        levels.iter().for_each(|level| {
            column.add(level);
        });
        column
    }

    /// The number of a word that may be new.
    pub fn add(&mut self, word: &str) -> f64 {
        if let Some(&code) = self.seen.get(word) {
            return f64::from(code);
        }
        let code = self.levels.len() as u32;
        self.seen.insert(word.to_string(), code);
        self.levels.push(word.to_string());
        f64::from(code)
    }

    /// The number of a number that stands among words.
    pub fn add_number(&mut self, value: f64) -> f64 {
        self.numbers += 1;
        self.add(&spelled(value))
    }

    /// The number of a word, if it is known.
    pub fn find(&self, word: &str) -> Option<f64> {
        self.seen.get(word).map(|&code| f64::from(code))
    }

    pub fn count(&self) -> usize {
        self.levels.len()
    }

    /// Whether the column is numbers rather than words, but for a few.
    pub fn is_mostly_numbers(&self, rows: usize) -> bool {
        !self.asked && 2 * self.numbers >= rows
    }

    /// Whether there are so many different words that they say nothing in common about rows.
    pub fn is_too_varied(&self, rows: usize) -> bool {
        self.levels.len() > MANY_LEVELS && 2 * self.levels.len() > rows
    }

    /// Whether all words are numbers but for a comma where the point should be.
    pub fn has_decimal_commas(&self) -> bool {
        let is_one = |word: &String| {
            word.matches(',').count() == 1 && word.replace(',', ".").parse::<f64>().is_ok_and(f64::is_finite)
        };
        !self.asked
            && self.levels.iter().any(is_one)
            && self.levels.iter().all(|word| is_one(word) || word.parse::<f64>().is_ok())
    }

    /// Why the column is neither numbers nor words that rows have in common, on which line (none for its first), and what settles it.
    pub fn problem(&self, rows: usize) -> Option<(Option<u64>, String, Option<Remedy>)> {
        let first = self.first.as_ref().map(|(line, _)| *line);
        if let (Some((_, word)), true) = (&self.first, self.is_mostly_numbers(rows)) {
            let problem =
                format!("`{}` is not a number, but most of its column are", excerpt(word.as_bytes()));
            return Some((first, problem, Some(Remedy::Categorical)));
        }
        if self.has_decimal_commas() {
            let problem = "numbers with a decimal comma: they must be written with a point".into();
            return Some((Some(first.unwrap_or(1)), problem, None));
        }
        self.is_too_varied(rows).then(|| {
            let count = self.count();
            let problem =
                format!("{count} different words in {rows} rows: too many categories to learn from");
            (None, problem, Some(Remedy::Ignore))
        })
    }

    /// The words in their fixed order, and the place of each number in it.
    pub fn finish(self) -> (Vec<String>, Vec<u32>) {
        let order = order_of_names(&self.levels);
        let mut place = vec![0u32; order.len()];
        for (position, &level) in order.iter().enumerate() {
            place[level] = position as u32;
        }
        (order.iter().map(|&level| self.levels[level].clone()).collect(), place)
    }
}
