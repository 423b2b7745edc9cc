//! Conjunctions and models, one by one: what kernels on logic count without listing them.

use crate::random::Random;

/// How many conjunctions of at least `least` and at most `most` literals are true of both assignments, by trying them all: 3ⁿ,
/// or 2ⁿ without negations.
pub fn conjunctions(x: &[bool], z: &[bool], least: usize, most: usize, negations: bool) -> f64 {
    /// The rest of a conjunction, variable by variable: not in it, in it, or in it negated.
    fn rest(x: &[bool], z: &[bool], size: usize, limits: (usize, usize), negations: bool) -> u64 {
        let (Some((&a, x)), Some((&b, z))) = (x.split_first(), z.split_first()) else {
            return u64::from(limits.0 <= size && size <= limits.1);
        };
        let mut count = rest(x, z, size, limits, negations);
        if a && b {
            count += rest(x, z, size + 1, limits, negations);
        }
        if negations && !a && !b {
            count += rest(x, z, size + 1, limits, negations);
        }
        count
    }
    rest(x, z, 0, (least, most), negations) as f64
}

/// A formula as a tree, evaluated by recursion.
#[derive(Clone, Debug)]
pub enum Sentence {
    /// A variable by its number.
    Variable(usize),
    /// A constant.
    Constant(bool),
    /// Not.
    Not(Box<Sentence>),
    /// And, or, implies, iff, by the position in that list.
    Joined(usize, Box<Sentence>, Box<Sentence>),
}

/// The names of variables by their numbers.
pub const VARIABLES: [&str; 8] = ["p", "q", "r", "s", "t", "u", "v", "w"];

impl Sentence {
    /// One of up to so many operators over so many variables.
    pub fn random(random: &mut Random, operators: usize, variables: usize) -> Sentence {
        let deeper = |random: &mut Random| Box::new(Sentence::random(random, operators / 2, variables));
        match random.below(if operators == 0 { 1 } else { 5 }) {
            0 if random.below(10) == 0 => Sentence::Constant(random.below(2) == 0),
            0 => Sentence::Variable(random.below(variables)),
            1 => Sentence::Not(deeper(random)),
            _ => Sentence::Joined(random.below(4), deeper(random), deeper(random)),
        }
    }

    /// With parentheses everywhere, in words or in signs.
    pub fn text(&self, signs: bool) -> String {
        match self {
            Sentence::Variable(k) => VARIABLES[*k].into(),
            Sentence::Constant(value) => value.to_string(),
            Sentence::Not(inside) => format!("{}({})", if signs { "!" } else { "not " }, inside.text(signs)),
            Sentence::Joined(operator, left, right) => {
                let words = ["and", "or", "implies", "iff"];
                let word = if signs { ["&", "|", "->", "<->"][*operator] } else { words[*operator] };
                format!("({}) {word} ({})", left.text(signs), right.text(signs))
            }
        }
    }

    /// Its value where variable k has the k-th bit.
    pub fn value(&self, assignment: usize) -> bool {
        match self {
            Sentence::Variable(k) => assignment >> k & 1 == 1,
            Sentence::Constant(value) => *value,
            Sentence::Not(inside) => !inside.value(assignment),
            Sentence::Joined(operator, left, right) => {
                let (left, right) = (left.value(assignment), right.value(assignment));
                match operator {
                    0 => left && right,
                    1 => left || right,
                    2 => !left || right,
                    _ => left == right,
                }
            }
        }
    }
}
