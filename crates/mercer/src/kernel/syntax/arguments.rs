//! What stands between the parentheses of a call, handed out by name and with its place.

use crate::error::Result;
use crate::kernel::combine::Selection;
use crate::kernel::syntax::lex::problem;
use crate::kernel::syntax::parse::at;
use crate::kernel::syntax::registry::nearest;
use crate::kernel::syntax::tree::Written;
use crate::kernel::vector::Gamma;
use crate::kernel::{Constant, Expression};

/// One argument as it was written.
pub(crate) struct Argument {
    pub(crate) name: Option<String>,
    pub(crate) position: usize,
    pub(crate) value: Value,
    pub(crate) value_position: usize,
}

/// The value of an argument. Numbers keep their spelling, which tells whole numbers from others.
pub(crate) enum Value {
    Number(f64, String),
    List(Vec<(f64, String)>),
    Range(usize, usize),
    Word(String),
    Text(String),
    Kernel(Written),
}

impl Argument {
    /// The kernel that it is, if it is one.
    pub(crate) fn kernel(&self) -> Option<&Written> {
        match &self.value {
            Value::Kernel(kernel) => Some(kernel),
            _ => None,
        }
    }
}

impl Value {
    fn describe(&self) -> String {
        match self {
            Value::Number(_, text) => text.clone(),
            Value::List(_) => "a list".into(),
            Value::Range(start, end) => format!("{start}:{end}"),
            Value::Word(word) => format!("{word:?}"),
            Value::Text(text) => format!("the text {text:?}"),
            Value::Kernel(_) => "a kernel".into(),
        }
    }
}

/// A parameter that is one number or one per column.
pub(crate) enum Numbers {
    One(f64),
    Many(Vec<f64>),
}

/// The arguments of one call that are not taken yet.
pub(crate) struct Arguments {
    kernel: &'static str,
    position: usize,
    rest: Vec<Argument>,
}

/// Other spellings of parameters.
const ALIASES: [(&str, &str); 6] = [
    ("coef0", "constant"),
    ("c", "constant"),
    ("lengthscale", "length_scale"),
    ("variance", "amplitude"),
    ("noise_level", "noise"),
    ("periodicity", "period"),
];

impl Arguments {
    pub(crate) fn new(kernel: &'static str, position: usize, mut rest: Vec<Argument>) -> Self {
        for argument in &mut rest {
            for (alias, name) in ALIASES {
                if argument.name.as_deref() == Some(alias) {
                    argument.name = Some(name.into());
                }
            }
        }
        Arguments { kernel, position, rest }
    }

    /// Where the call begins.
    pub(crate) fn position(&self) -> usize {
        self.position
    }

    /// Takes the argument of this name; twice the same name is refused.
    fn take(&mut self, name: &str) -> Result<Option<Argument>> {
        let mut found: Option<Argument> = None;
        let mut at = 0;
        while at < self.rest.len() {
            if self.rest[at].name.as_deref() != Some(name) {
                at += 1;
                continue;
            }
            let argument = self.rest.remove(at);
            if found.is_some() {
                return problem(argument.position, format!("{name} is given twice"));
            }
            found = Some(argument);
        }
        Ok(found)
    }

    /// Takes the first argument without a name.
    fn take_unnamed(&mut self) -> Option<Argument> {
        let at = self.rest.iter().position(|argument| argument.name.is_none())?;
        Some(self.rest.remove(at))
    }

    /// Whether an argument of this name is there.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.rest.iter().any(|argument| argument.name.as_deref() == Some(name))
    }

    /// Whether an argument of this name is there, and a word.
    pub(crate) fn has_word(&self, name: &str) -> bool {
        let is_word = |a: &Argument| a.name.as_deref() == Some(name) && matches!(a.value, Value::Word(_));
        self.rest.iter().any(is_word)
    }

    /// Refuses more than one of these names, which say the same thing in different ways.
    pub(crate) fn one_of(&self, names: &[&'static str]) -> Result<()> {
        let mut given = self.rest.iter().filter_map(|argument| {
            let name = argument.name.as_deref()?;
            names.contains(&name).then_some((name, argument.position))
        });
        let Some((first, _)) = given.next() else { return Ok(()) };
        match given.find(|(name, _)| *name != first) {
            Some((second, position)) => {
                problem(position, format!("{second} besides {first}: give one of {}", names.join(", ")))
            }
            None => Ok(()),
        }
    }

    /// A number with its place; the place of the call for the default.
    fn number_at(&mut self, name: &str) -> Result<Option<(f64, usize)>> {
        match self.take(name)? {
            None => Ok(None),
            Some(Argument { value: Value::Number(value, _), value_position, .. }) => {
                Ok(Some((value, value_position)))
            }
            Some(Argument { value, value_position, .. }) => {
                problem(value_position, format!("{name} is a number, found {}", value.describe()))
            }
        }
    }

    /// A number, or its default.
    pub(crate) fn number(&mut self, name: &str, default: f64) -> Result<f64> {
        Ok(self.number_at(name)?.map_or(default, |(value, _)| value))
    }

    /// A number that must be there, with or without its name.
    pub(crate) fn required(&mut self, name: &str) -> Result<f64> {
        if let Some((value, _)) = self.number_at(name)? {
            return Ok(value);
        }
        match self.take_unnamed() {
            Some(Argument { value: Value::Number(value, _), .. }) => Ok(value),
            Some(Argument { value, position, .. }) => {
                problem(position, format!("{name} is a number, found {}", value.describe()))
            }
            None => problem(self.position, format!("{} needs {name}: {}(0.1)", self.kernel, self.kernel)),
        }
    }

    /// A number if it is there.
    pub(crate) fn optional(&mut self, name: &str) -> Result<Option<f64>> {
        Ok(self.number_at(name)?.map(|(value, _)| value))
    }

    /// A whole number, or its default.
    pub(crate) fn whole(&mut self, name: &str, default: u32) -> Result<u32> {
        let Some(argument) = self.take(name)? else { return Ok(default) };
        match &argument.value {
            Value::Number(_, text) if text.parse::<u32>().is_ok() => Ok(text.parse().unwrap_or(default)),
            value => problem(
                argument.value_position,
                format!(
                    "{name} = {}: expected a whole number, in digits, of at most {}",
                    value.describe(),
                    u32::MAX
                ),
            ),
        }
    }

    /// γ: a number or the name of a rule.
    pub(crate) fn gamma(&mut self, name: &str, default: Gamma) -> Result<Gamma> {
        let Some(argument) = self.take(name)? else { return Ok(default) };
        match argument.value {
            Value::Number(value, _) => Ok(Gamma::Value(value)),
            Value::Word(word) if word == "scale" => Ok(Gamma::Scale),
            Value::Word(word) if word == "auto" => Ok(Gamma::Auto),
            Value::Word(word) if word == "median" => Ok(Gamma::Median),
            value => problem(
                argument.value_position,
                format!("{name} is a number, scale, auto or median, found {}", value.describe()),
            ),
        }
    }

    /// A number or a list of them, if there.
    pub(crate) fn numbers(&mut self, name: &str) -> Result<Option<Numbers>> {
        let Some(argument) = self.take(name)? else { return Ok(None) };
        match argument.value {
            Value::Number(value, _) => Ok(Some(Numbers::One(value))),
            Value::List(values) => {
                Ok(Some(Numbers::Many(values.into_iter().map(|(value, _)| value).collect())))
            }
            value => problem(
                argument.value_position,
                format!("{name} is a number or a list of numbers, found {}", value.describe()),
            ),
        }
    }

    /// The columns of `columns(…, k)`: a range or a list.
    pub(crate) fn columns(&mut self) -> Result<Selection> {
        let what = "columns: first a range such as 0:3 or a list such as [0, 2]";
        let Some(argument) = self.take_unnamed() else { return problem(self.position, what) };
        match argument.value {
            Value::Range(start, end) => at(argument.position, Selection::range(start, end)),
            Value::List(values) => {
                let mut columns = Vec::with_capacity(values.len());
                for (_, text) in values {
                    match text.parse() {
                        Ok(column) => columns.push(column),
                        Err(_) => return problem(argument.position, format!("{text} is not a column")),
                    }
                }
                at(argument.position, Selection::list(columns))
            }
            value => problem(argument.position, format!("{what}, found {}", value.describe())),
        }
    }

    /// The kernel of `normalise(k)` and its like; a plain number is a constant kernel.
    pub(crate) fn kernel(&mut self) -> Result<Expression> {
        match self.take_unnamed() {
            Some(Argument { value: Value::Number(value, _), position, .. }) => {
                at(position, Constant::new(value)).map(Expression::from)
            }
            given => Expression::read(self.is_kernel(given, "linear")?),
        }
    }

    /// The kernel of `normalise(k)`, whatever it compares.
    pub(crate) fn written(&mut self, example: &str) -> Result<Written> {
        let given = self.take_unnamed();
        self.is_kernel(given, example)
    }

    fn is_kernel(&self, given: Option<Argument>, example: &str) -> Result<Written> {
        match given {
            Some(Argument { value: Value::Kernel(kernel), .. }) => Ok(kernel),
            Some(Argument { value, position, .. }) => {
                problem(position, format!("{} needs a kernel, found {}", self.kernel, value.describe()))
            }
            None => {
                problem(self.position, format!("{} needs a kernel: {}({example})", self.kernel, self.kernel))
            }
        }
    }

    /// Text in quotes if it is there, with or without its name.
    pub(crate) fn text(&mut self, name: &str) -> Result<Option<String>> {
        let given = match self.take(name)? {
            None if self.rest.iter().any(|a| a.name.is_none() && matches!(a.value, Value::Text(_))) => {
                self.take_unnamed()
            }
            given => given,
        };
        match given {
            None => Ok(None),
            Some(Argument { value: Value::Text(text), .. }) => Ok(Some(text)),
            Some(Argument { value, value_position, .. }) => {
                problem(value_position, format!("{name} is text in quotes, found {}", value.describe()))
            }
        }
    }

    /// One of some words, or the first of them.
    pub(crate) fn word<T: Copy>(&mut self, name: &str, words: &[(&str, T)]) -> Result<T> {
        let known = || words.iter().map(|(word, _)| *word).collect::<Vec<_>>().join(", ");
        match self.take(name)? {
            None => Ok(words[0].1),
            Some(Argument { value: Value::Word(word), value_position, .. }) => {
                let word = word.to_ascii_lowercase();
                match words.iter().find(|(known, _)| *known == word) {
                    Some((_, meaning)) => Ok(*meaning),
                    None => problem(value_position, format!("{name} = {word}: expected one of {}", known())),
                }
            }
            Some(Argument { value, value_position, .. }) => {
                problem(value_position, format!("{name} is one of {}, found {}", known(), value.describe()))
            }
        }
    }

    /// true or false, or the default.
    pub(crate) fn flag(&mut self, name: &str, default: bool) -> Result<bool> {
        match default {
            true => self.word(name, &[("true", true), ("false", false)]),
            false => self.word(name, &[("false", false), ("true", true)]),
        }
    }

    /// A list of numbers if it is there.
    pub(crate) fn list(&mut self, name: &str) -> Result<Option<Vec<f64>>> {
        Ok(self.numbers(name)?.map(|numbers| match numbers {
            Numbers::One(number) => vec![number],
            Numbers::Many(numbers) => numbers,
        }))
    }

    /// A whole number of up to 64 bits, if it is there.
    pub(crate) fn large(&mut self, name: &str) -> Result<Option<u64>> {
        let Some(argument) = self.take(name)? else { return Ok(None) };
        match &argument.value {
            Value::Number(_, text) if text.parse::<u64>().is_ok() => Ok(text.parse().ok()),
            value => problem(
                argument.value_position,
                format!("{name} = {}: expected a whole number, in digits", value.describe()),
            ),
        }
    }

    /// Refuses what was not taken.
    pub(crate) fn finish(self, parameters: &[&str]) -> Result<()> {
        let Some(argument) = self.rest.into_iter().next() else { return Ok(()) };
        let known = match parameters {
            [] => format!("{} takes no parameters", self.kernel),
            names => format!("{} takes {}", self.kernel, names.join(", ")),
        };
        match argument.name {
            Some(name) if parameters.contains(&name.as_str()) => {
                problem(argument.position, format!("{name} cannot be combined with what stands before it"))
            }
            Some(name) => {
                let hint = nearest(&name, parameters.iter().copied())
                    .map_or(String::new(), |near| format!(" (did you mean {near}?)"));
                problem(argument.position, format!("unknown parameter {name}{hint}: {known}"))
            }
            None => {
                problem(argument.position, format!("{} without a name: {known}", argument.value.describe()))
            }
        }
    }
}
