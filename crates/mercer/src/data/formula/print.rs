//! Formulae as text, with the fewest parentheses that parse back to an equal value.

use std::fmt::{Display, Formatter, Result};

use super::{Formula, Step};

/// What is left to write.
enum Piece {
    /// The formula that ends with this step.
    Formula(usize),
    Text(&'static str),
}

impl Display for Formula {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let first = self.beginnings();
        // The next piece is the last.
        let mut left: Vec<Piece> = self.steps.len().checked_sub(1).map(Piece::Formula).into_iter().collect();
        while let Some(piece) = left.pop() {
            let at = match piece {
                Piece::Text(text) => {
                    f.write_str(text)?;
                    continue;
                }
                Piece::Formula(at) => at,
            };
            let step = self.steps[at];
            let operand = |left: &mut Vec<Piece>, at: usize, least: u8| {
                let bare = self.steps[at].strength() >= least;
                if !bare {
                    left.push(Piece::Text(")"));
                }
                left.push(Piece::Formula(at));
                if !bare {
                    left.push(Piece::Text("("));
                }
            };
            let strength = step.strength();
            let word = match step {
                Step::Variable(k) => {
                    f.write_str(&self.variables[k as usize])?;
                    continue;
                }
                Step::True => "true",
                Step::False => "false",
                Step::Not => "not ",
                Step::And => " and ",
                Step::Or => " or ",
                Step::Implies => " implies ",
                Step::Iff => " iff ",
            };
            match step {
                Step::True | Step::False => f.write_str(word)?,
                Step::Not => {
                    f.write_str(word)?;
                    operand(&mut left, at - 1, strength);
                }
                _ => {
                    // On the side to which it does not group, an equal needs parentheses.
                    let (on_left, on_right) = if step == Step::Implies {
                        (strength + 1, strength)
                    } else {
                        (strength, strength + 1)
                    };
                    operand(&mut left, at - 1, on_right);
                    left.push(Piece::Text(word));
                    operand(&mut left, first[at - 1] - 1, on_left);
                }
            }
        }
        Ok(())
    }
}

impl Formula {
    /// For each step, the first step of the formula that ends with it.
    fn beginnings(&self) -> Vec<usize> {
        let mut first: Vec<usize> = Vec::with_capacity(self.steps.len());
        for (at, step) in self.steps.iter().enumerate() {
            let begin = match step {
                Step::Variable(_) | Step::True | Step::False => at,
                Step::Not => first[at - 1],
                _ => first[first[at - 1] - 1],
            };
            first.push(begin);
        }
        first
    }
}
