//! Scores of one symbol standing for another.

use serde::{Deserialize, Serialize};

use crate::error::{Error, Result};

/// A symmetric table of scores s(a, b): how well symbol b takes the place of symbol a.
///
/// Small letters count as capitals where the table has capitals only. O(log letters) to look up.
///
/// ```
/// use mercer::kernel::string::Substitution;
/// let table = Substitution::blosum62();
/// assert_eq!(table.score('W', 'W'), Some(11.0));
/// assert_eq!(table.score('w', 'a'), Some(-3.0));
/// assert_eq!(table.score('W', '5'), None);
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Raw")]
pub struct Substitution {
    /// Ascending.
    letters: Vec<char>,
    /// One row per letter.
    scores: Vec<f64>,
}

#[derive(Deserialize)]
struct Raw {
    letters: Vec<char>,
    scores: Vec<f64>,
}

impl TryFrom<Raw> for Substitution {
    type Error = Error;

    fn try_from(raw: Raw) -> Result<Self> {
        Substitution::new(&raw.letters, &raw.scores)
    }
}

impl Substitution {
    /// These letters, and their scores row after row.
    ///
    /// # Errors
    /// [`Error::Empty`] without letters, [`Error::Shape`], [`Error::NonFinite`], [`Error::Asymmetric`], or
    /// [`Error::Unsupported`] for a letter that stands twice.
    pub fn new(letters: &[char], scores: &[f64]) -> Result<Self> {
        let n = letters.len();
        if n == 0 {
            return Err(Error::Empty { what: "letters" });
        }
        if scores.len() != n * n {
            return Err(Error::Shape {
                what: "scores (letters × letters)",
                expected: n * n,
                found: scores.len(),
            });
        }
        let mut order: Vec<usize> = (0..n).collect();
        order.sort_by_key(|&i| letters[i]);
        if let Some(pair) = order.windows(2).find(|pair| letters[pair[0]] == letters[pair[1]]) {
            let what = format!("the letter {:?} stands twice in a table of scores", letters[pair[0]]);
            return Err(Error::Unsupported { what });
        }
        for row in 0..n {
            for column in 0..n {
                let (value, mirrored) = (scores[row * n + column], scores[column * n + row]);
                if !value.is_finite() {
                    return Err(Error::NonFinite { row, column, value });
                }
                if value != mirrored {
                    return Err(Error::Asymmetric { row, column, value, mirrored });
                }
            }
        }
        Ok(Substitution {
            letters: order.iter().map(|&i| letters[i]).collect(),
            scores: order.iter().flat_map(|&i| order.iter().map(move |&j| scores[i * n + j])).collect(),
        })
    }

    /// One score for equal letters, and one for all others.
    ///
    /// ```
    /// use mercer::kernel::string::Substitution;
    /// assert_eq!(Substitution::identity("ACGT", 5.0, -4.0)?.score('A', 'G'), Some(-4.0));
    /// # Ok::<(), mercer::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Substitution::new`].
    pub fn identity(letters: &str, equal: f64, other: f64) -> Result<Self> {
        let letters: Vec<char> = letters.chars().collect();
        let n = letters.len();
        let scores: Vec<f64> = (0..n * n).map(|at| if at / n == at % n { equal } else { other }).collect();
        Substitution::new(&letters, &scores)
    }

    /// BLOSUM62, in half bits (Henikoff, Henikoff 1992).
    pub fn blosum62() -> Self {
        Self::built_in(include_str!("matrices/BLOSUM62.txt"))
    }

    /// BLOSUM50, in thirds of bits (Henikoff, Henikoff 1992).
    pub fn blosum50() -> Self {
        Self::built_in(include_str!("matrices/BLOSUM50.txt"))
    }

    /// PAM250, in thirds of bits (Dayhoff, Schwartz, Orcutt 1978).
    pub fn pam250() -> Self {
        Self::built_in(include_str!("matrices/PAM250.txt"))
    }

    fn built_in(text: &str) -> Self {
        Self::parse(text).expect("the tables of the library are well-formed")
    }

    /// Reads a table in the form that BLAST reads: lines of comment begin with `#`; then a line of letters, and for each of
    /// them a line that begins with it.
    ///
    /// ```
    /// use mercer::kernel::string::Substitution;
    /// let table = Substitution::parse("# purines and pyrimidines\n  R Y\nR 1 -1\nY -1 1\n")?;
    /// assert_eq!(table.score('R', 'Y'), Some(-1.0));
    /// # Ok::<(), mercer::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Parse`] with the line, and as [`Substitution::new`].
    pub fn parse(text: &str) -> Result<Self> {
        let mut lines =
            text.lines().zip(1u64..).filter(|(line, _)| !line.trim().is_empty() && !line.starts_with('#'));
        let wrong =
            |line: u64, column: usize, problem: String| Error::Parse { line, column: column as u64, problem };
        let letter = |word: &str, line: u64, column: usize| {
            let mut letters = word.chars();
            match (letters.next(), letters.next()) {
                (Some(letter), None) => Ok(letter),
                _ => Err(wrong(line, column, format!("`{word}` is not a single letter"))),
            }
        };
        let (head, number) = lines.next().ok_or(Error::Empty { what: "letters" })?;
        let letters = head.split_whitespace().enumerate().map(|(at, word)| letter(word, number, at + 1));
        let letters: Vec<char> = letters.collect::<Result<_>>()?;
        let (mut rows, mut scores) = (Vec::new(), Vec::new());
        for (line, number) in lines {
            let mut words = line.split_whitespace();
            rows.push(letter(words.next().unwrap_or_default(), number, 1)?);
            let before = scores.len();
            for (at, word) in words.enumerate() {
                let score: f64 =
                    word.parse().map_err(|_| wrong(number, at + 2, format!("`{word}` is not a number")))?;
                scores.push(score);
            }
            let found = scores.len() - before;
            if found != letters.len() {
                let problem = format!("{found} scores, but there are {} letters", letters.len());
                return Err(wrong(number, 1, problem));
            }
            if rows.last() != letters.get(rows.len() - 1) {
                let problem =
                    format!("the row of {:?} stands where another letter's should", rows[rows.len() - 1]);
                return Err(wrong(number, 1, problem));
            }
        }
        Substitution::new(&letters, &scores)
    }

    /// The letters in ascending order.
    pub fn letters(&self) -> &[char] {
        &self.letters
    }

    /// Scores of all pairs of letters, row after row.
    pub fn scores(&self) -> &[f64] {
        &self.scores
    }

    /// s(a, b), if the table has both letters.
    pub fn score(&self, a: char, b: char) -> Option<f64> {
        Some(self.scores[self.position(a)? * self.letters.len() + self.position(b)?])
    }

    /// Position of a letter among the letters.
    pub(super) fn position(&self, letter: char) -> Option<usize> {
        let find = |letter: char| self.letters.binary_search(&letter).ok();
        find(letter).or_else(|| find(letter.to_ascii_uppercase()))
    }
}
