//! What was written, before anybody knows which kernels it is about.

use crate::kernel::syntax::arguments::Argument;

/// A part of an expression, and the position of its first character, from 1.
pub(crate) struct Written {
    pub(crate) position: usize,
    pub(crate) part: Part,
}

/// What a part is.
pub(crate) enum Part {
    /// Two or more.
    Sum(Vec<Written>),
    /// Two or more.
    Product(Vec<Written>),
    Scale(f64, Box<Written>),
    Power(Box<Written>, u32),
    /// A term of numbers alone.
    Constant(f64),
    Call(String, Vec<Argument>),
}

impl Written {
    /// The names that are called, and where, from left to right; of kernels within kernels too.
    pub(crate) fn names(&self) -> Vec<(&str, usize)> {
        match &self.part {
            Part::Sum(parts) | Part::Product(parts) => parts.iter().flat_map(Written::names).collect(),
            Part::Scale(_, part) | Part::Power(part, _) => part.names(),
            Part::Constant(_) => Vec::new(),
            Part::Call(name, arguments) => {
                let inner = arguments.iter().filter_map(Argument::kernel).flat_map(Written::names);
                [(name.as_str(), self.position)].into_iter().chain(inner).collect()
            }
        }
    }
}
