//! The one error of the library.
//!
//! A variant carries the numbers that say *where* (line, row, column, parameter) and *what was found*;
//! the sentences are made here and nowhere else.

use std::path::{Path, PathBuf};

/// What every fallible function of Mercer returns.
///
/// ```
/// use mercer::{Error, Result};
/// fn half(count: usize) -> Result<usize> {
///     if count == 0 { Err(Error::Empty { what: "rows" }) } else { Ok(count / 2) }
/// }
/// assert_eq!(half(0).unwrap_err().to_string(), "no rows");
/// ```
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Everything that can be wrong with data, parameters, files or a user's kernel.
///
/// Reaching a limit of iterations or time is not an error but a
/// [`Status`](crate::solver::Status) of the solution.
///
/// ```
/// use mercer::Error;
/// let error = Error::Parameter { name: "cost", value: -1.0, expected: "a finite number above 0" };
/// assert_eq!(error.to_string(), "cost = -1: expected a finite number above 0");
/// ```
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A collection that must not be empty has no elements.
    #[error("no {what}")]
    Empty {
        /// What there is none of, for example `"rows"`.
        what: &'static str,
    },

    /// Two lengths or dimensions that must agree do not.
    #[error("{what}: expected {expected}, found {found}")]
    Shape {
        /// What was counted, for example `"labels (one per row)"`.
        what: &'static str,
        /// The count that was needed.
        expected: usize,
        /// The count that was given.
        found: usize,
    },

    /// A value of the data is NaN or infinite (rows and columns counted from 0).
    #[error("row {row}, column {column}: {value} is not a finite number")]
    NonFinite {
        /// Row of the value, from 0.
        row: usize,
        /// Column of the value, from 0.
        column: usize,
        /// The value itself.
        value: f64,
    },

    /// An item that a kernel is not defined on.
    #[error("item {index}: {source}")]
    Item {
        /// Position of the item, from 0.
        index: usize,
        /// What is wrong with it.
        source: Box<Error>,
    },

    /// A value of the data lies outside what a kernel is defined on.
    #[error("row {row}, column {column}: {value}, but {kernel} needs values of at least 0")]
    Negative {
        /// Row of the value, from 0.
        row: usize,
        /// Column of the value, from 0.
        column: usize,
        /// The value itself.
        value: f64,
        /// The kernel that refuses it.
        kernel: &'static str,
    },

    /// An entry of a vector with one value per row (targets, weights, …) is not usable.
    #[error("{what} {index}: {}, expected {expected}", short(*value))]
    Entry {
        /// Which vector, for example `"weight"`.
        what: &'static str,
        /// Position in it, from 0.
        index: usize,
        /// The value found.
        value: f64,
        /// What would have been right.
        expected: &'static str,
    },

    /// A parameter has no sensible meaning.
    #[error("{name} = {}: expected {expected}", short(*value))]
    Parameter {
        /// The parameter's name as the user writes it.
        name: &'static str,
        /// The value given.
        value: f64,
        /// What would have been right.
        expected: &'static str,
    },

    /// A parameter is outside of what the data allow.
    #[error(
        "{name} = {value}: these data allow {}",
        match high.is_finite() {
            true => format!("a number above {low}, at most {high}"),
            false => format!("no number below {low}"),
        }
    )]
    Interval {
        /// The parameter's name as the user writes it.
        name: &'static str,
        /// The value given.
        value: f64,
        /// What it must be above; where there is no upper end, what it must be at least.
        low: f64,
        /// What it may be at most.
        high: f64,
    },

    /// A hard margin was asked for between classes that have none.
    #[error(
        "{classes} cannot be separated {}; allow slack, scale the features, or use a richer kernel",
        if *gap > 0.0 {
            format!(
                "by a margin above {bound:.1e} in the feature space: they reach {gap:.3e} across the best hyperplane found"
            )
        } else {
            "in the feature space: their convex hulls meet".into()
        }
    )]
    NotSeparable {
        /// Which ones.
        classes: String,
        /// By how much the classes reach across the hyperplane that was found, in distances of the feature space.
        gap: f64,
        /// No margin can be larger.
        bound: f64,
    },

    /// The nu of a classifier leaves no margin.
    #[error(
        "nu = {}: the reduced convex hulls of two classes meet, so there is no margin; use a larger nu, if these data allow one",
        short(*nu)
    )]
    NoMargin {
        /// The parameter nu.
        nu: f64,
    },

    /// No point satisfies the bounds and the equality constraint of a dual problem.
    #[error("group {group}: the variables must sum to {sum}, but their bounds allow {low} to {high}")]
    Infeasible {
        /// The group of variables.
        group: usize,
        /// What they should sum to.
        sum: f64,
        /// The least sum that the bounds allow.
        low: f64,
        /// The greatest.
        high: f64,
    },

    /// Classification needs two classes or more.
    #[error("all rows have the one label {label}: classification needs two classes or more")]
    OneClass {
        /// The only label there is.
        label: String,
    },

    /// A class has too few rows to be learned from some and tested on others.
    #[error(
        "class {label} has {rows} row{} that count{}: two are needed at least, to learn from one and test the other",
        if *rows == 1 { "" } else { "s" },
        if *rows == 1 { "s" } else { "" }
    )]
    FewRows {
        /// The class.
        label: String,
        /// How many it has.
        rows: usize,
    },

    /// A part of the rows cannot be learned from, whatever can be said of all of them.
    #[error("without {rows}: {source}")]
    Without {
        /// The rows that were left out, for example `"fold 3 of 5"`.
        rows: String,
        /// What is wrong with the others.
        source: Box<Error>,
    },

    /// Regression needs targets that differ.
    #[error("all targets are {}: regression needs two different ones at least", short(*value))]
    OneTarget {
        /// The only target there is.
        value: f64,
    },

    /// Regression needs numbers.
    #[error("target of row {}: `{word}` is not a number", row + 1)]
    WordTarget {
        /// The row, from 0.
        row: usize,
        /// What stands there.
        word: String,
    },

    /// The weights leave a class without any mass.
    #[error("class {label} has no weight: all weights of its rows are 0")]
    ClassWithoutWeight {
        /// The class.
        label: String,
    },

    /// Two weights were given for one class.
    #[error("class {label} has two class weights")]
    TwiceWeighted {
        /// The class.
        label: String,
    },

    /// A weight was given for a class that the data do not have.
    #[error("no row has the label {label}, for which a class weight is given")]
    UnknownClass {
        /// The class.
        label: String,
    },

    /// A sparse structure is malformed.
    #[error("row {row}: {problem}")]
    SparseRow {
        /// The row, from 0.
        row: usize,
        /// What is wrong with it.
        problem: &'static str,
    },

    /// A text file could not be understood (lines and columns counted from 1).
    #[error("line {line}, column {column}: {problem}")]
    Parse {
        /// Line, from 1.
        line: u64,
        /// Column: of bytes in free text, of fields in tables; from 1.
        column: u64,
        /// What is wrong there.
        problem: String,
    },

    /// An error that one option or parameter of a face would settle.
    #[error("{source}")]
    Settled {
        /// What is wrong.
        source: Box<Error>,
        /// What would settle it; each face has its own name for that.
        remedy: Remedy,
    },

    /// A kernel expression could not be understood.
    #[error("kernel expression, character {position}: {problem}")]
    Expression {
        /// Position in the text, from 1.
        position: usize,
        /// What is wrong there.
        problem: String,
    },

    /// A file could not be read or written.
    #[error("{}: {source}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },

    /// The content of a named file could not be used.
    #[error("{}", place_in_file(path, source))]
    InFile {
        /// The file.
        path: PathBuf,
        /// What is wrong with its content.
        source: Box<Error>,
    },

    /// Reading or writing failed on something that is not a named file.
    #[error(transparent)]
    Io(#[from] std::io::Error),

    /// A model file is damaged, hostile or of another kind.
    #[error("model file, byte {offset}: {problem}")]
    ModelFile {
        /// Where the trouble was noticed.
        offset: u64,
        /// What is wrong there.
        problem: String,
    },

    /// The work was ended by an [`Interrupt`](crate::resources::Interrupt).
    #[error("interrupted")]
    Interrupted,

    /// More memory would be needed than the budget allows.
    #[error("{what} needs {needed} bytes and the budget allows {allowed}: {instead}")]
    Budget {
        /// What would be allocated.
        what: &'static str,
        /// Bytes it needs.
        needed: u64,
        /// Bytes that may be used.
        allowed: u64,
        /// What to use instead.
        instead: &'static str,
    },

    /// The processor has not the instruction set that was asked for.
    #[error("MERCER_SIMD={asked}: {problem}")]
    InstructionSet {
        /// What was asked for.
        asked: String,
        /// Why it cannot be had.
        problem: &'static str,
    },

    /// A combination that has no meaning or is not offered.
    #[error("{what}")]
    Unsupported {
        /// What cannot be done and what can.
        what: String,
    },

    /// A number that these rows do not define.
    #[error("{what} is undefined: {why}")]
    Undefined {
        /// Which number, for example `"roc_auc"`.
        what: String,
        /// What is missing.
        why: String,
    },

    /// A kernel returned a value that is not a finite number.
    #[error("kernel value of items {row} and {column} is {value}")]
    KernelValue {
        /// First item.
        row: usize,
        /// Second item.
        column: usize,
        /// The value.
        value: f64,
    },

    /// A kernel value is too large for a number.
    #[error("kernel value of items {row} and {column} is beyond what a number can hold: {instead}")]
    KernelOverflow {
        /// First item.
        row: usize,
        /// Second item.
        column: usize,
        /// What to do about it.
        instead: &'static str,
    },

    /// A kernel matrix that must be symmetric is not.
    #[error("not symmetric: entry ({row}, {column}) is {value} and entry ({column}, {row}) is {mirrored}")]
    Asymmetric {
        /// Row of the entry, from 0.
        row: usize,
        /// Column of the entry, from 0.
        column: usize,
        /// The entry.
        value: f64,
        /// The entry on the other side of the diagonal.
        mirrored: f64,
    },

    /// A matrix that must be positive definite is not.
    #[error(
        "the matrix is not positive definite: pivot {index} is not above 0, so that the kernel is not positive semi-definite on these items; \
         a larger diagonal (a larger lambda, a smaller cost, more noise) or another kernel would do"
    )]
    Pivot {
        /// The pivot that failed, from 0.
        index: usize,
    },

    /// A kernel matrix that must be positive semi-definite is not.
    #[error(
        "the kernel matrix is not positive semi-definite: it has an eigenvalue of {smallest:e} or less beside {largest:e}. Take a positive \
         semi-definite kernel, or correct this one with shifted(k) or clipped(k)"
    )]
    Indefinite {
        /// A Rayleigh quotient that the smallest eigenvalue is not above.
        smallest: f64,
        /// The largest eigenvalue, or a quotient that it is not below.
        largest: f64,
    },

    /// A training problem has no least value: its coefficients have no bound, and the kernel matrix has a direction along which the
    /// objective falls for ever.
    #[error(
        "the training problem has no least value: its coefficients have no upper bound, and the kernel matrix is not positive \
         semi-definite (curvature {curvature:e}). Take a positive semi-definite kernel, a smaller C, or a loss with a bound, such as \
         the hinge or the epsilon-insensitive loss"
    )]
    Unbounded {
        /// βᵀQβ/βᵀβ below 0 along a direction β in which all coefficients can grow.
        curvature: f64,
    },

    /// A decomposition did not converge.
    #[error("{what} did not converge")]
    NoConvergence {
        /// Which one.
        what: &'static str,
    },

    /// A kernel supplied by the user failed.
    #[error("the kernel failed: {0}")]
    Callable(#[source] Box<dyn std::error::Error + Send + Sync>),
}

/// What settles an error that a user can decide about, such as what a missing value stands for.
///
/// ```
/// use mercer::error::Remedy;
/// use mercer::{Error, data::{ReadOptions, read_from}};
/// let error = read_from("a,b,kind\n1,,x\n2,3,y\n".as_bytes(), &ReadOptions::default()).unwrap_err();
/// assert_eq!(error.remedy(), Some(Remedy::Missing));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Remedy {
    /// Say what missing values stand for.
    Missing,
    /// Say that the column is categorical.
    Categorical,
    /// Leave the column out.
    Ignore,
    /// Say whether the first line is a header.
    Header,
}

impl Error {
    /// A name of the kind of error that stays the same from version to version: of the cause, where this is an error in a file or in an item.
    ///
    /// ```
    /// use mercer::Error;
    /// let error = Error::Parse { line: 3, column: 7, problem: "`x` is not a number".into() };
    /// assert_eq!(error.in_file("a.csv").code(), "parse");
    /// ```
    pub fn code(&self) -> &'static str {
        match self {
            Error::Empty { .. } => "empty",
            Error::Shape { .. } => "shape",
            Error::NonFinite { .. } => "non-finite",
            Error::Negative { .. } => "negative",
            Error::Entry { .. } => "entry",
            Error::Parameter { .. } => "parameter",
            Error::Interval { .. } => "interval",
            Error::NotSeparable { .. } => "not-separable",
            Error::NoMargin { .. } => "no-margin",
            Error::Infeasible { .. } => "infeasible",
            Error::OneClass { .. } => "one-class",
            Error::FewRows { .. } => "few-rows",
            Error::OneTarget { .. } => "one-target",
            Error::WordTarget { .. } => "word-target",
            Error::ClassWithoutWeight { .. } => "class-without-weight",
            Error::TwiceWeighted { .. } => "twice-weighted",
            Error::UnknownClass { .. } => "unknown-class",
            Error::SparseRow { .. } => "sparse-row",
            Error::Parse { .. } => "parse",
            Error::Expression { .. } => "expression",
            Error::File { .. } | Error::Io(_) => "io",
            Error::ModelFile { .. } => "model-file",
            Error::Interrupted => "interrupted",
            Error::Budget { .. } => "budget",
            Error::InstructionSet { .. } => "instruction-set",
            Error::Unsupported { .. } => "unsupported",
            Error::Undefined { .. } => "undefined",
            Error::KernelValue { .. } => "kernel-value",
            Error::KernelOverflow { .. } => "kernel-overflow",
            Error::Asymmetric { .. } => "asymmetric",
            Error::Pivot { .. } => "not-positive-definite",
            Error::Indefinite { .. } => "indefinite",
            Error::Unbounded { .. } => "unbounded",
            Error::NoConvergence { .. } => "no-convergence",
            Error::Callable(_) => "callable",
            Error::Item { source, .. }
            | Error::Without { source, .. }
            | Error::Settled { source, .. }
            | Error::InFile { source, .. } => source.code(),
        }
    }

    /// What would settle the error, if one option or parameter does.
    ///
    /// ```
    /// assert_eq!(mercer::Error::Interrupted.remedy(), None);
    /// ```
    pub fn remedy(&self) -> Option<Remedy> {
        match self {
            Error::Settled { remedy, .. } => Some(*remedy),
            Error::Item { source, .. } | Error::Without { source, .. } | Error::InFile { source, .. } => {
                source.remedy()
            }
            _ => None,
        }
    }

    /// The same error, with what would settle it.
    pub(crate) fn settled_by(self, remedy: Remedy) -> Self {
        Error::Settled { source: Box::new(self), remedy }
    }

    /// Attaches the name of the file to an input/output error.
    ///
    /// ```
    /// use mercer::Error;
    /// let source = std::io::Error::other("no such luck");
    /// assert_eq!(Error::file("a.csv", source).to_string(), "a.csv: no such luck");
    /// ```
    pub fn file(path: impl Into<PathBuf>, source: std::io::Error) -> Self {
        Error::File { path: path.into(), source }
    }

    /// Says what rows were left out when the others could not be learned from.
    ///
    /// ```
    /// use mercer::Error;
    /// let error = Error::OneTarget { value: 0.5 }.without("fold 2 of 5");
    /// let text = "without fold 2 of 5: all targets are 0.5: regression needs two different ones at least";
    /// assert_eq!(error.to_string(), text);
    /// ```
    pub fn without(self, rows: impl Into<String>) -> Self {
        Error::Without { rows: rows.into(), source: Box::new(self) }
    }

    /// Attaches the name of the file that the trouble is in; an error that names its file stays as it is.
    ///
    /// ```
    /// use mercer::Error;
    /// let error = Error::Parse { line: 3, column: 7, problem: "`x` is not a number".into() };
    /// assert_eq!(error.in_file("a.csv").to_string(), "a.csv:3:7: `x` is not a number");
    /// ```
    pub fn in_file(self, path: impl Into<PathBuf>) -> Self {
        match self {
            Error::Io(source) => Error::File { path: path.into(), source },
            named @ (Error::File { .. } | Error::InFile { .. }) => named,
            other => Error::InFile { path: path.into(), source: Box::new(other) },
        }
    }
}

/// A number in the notation in which it has fewer digits.
fn short(value: f64) -> String {
    let size = value.abs();
    if size == 0.0 || !size.is_finite() || (1e-5..1e15).contains(&size) {
        value.to_string()
    } else {
        format!("{value:e}")
    }
}

/// `path:line:column: problem` where there is a line, so that editors can jump there.
fn place_in_file(path: &Path, source: &Error) -> String {
    match source {
        Error::Parse { line, column, problem } => format!("{}:{line}:{column}: {problem}", path.display()),
        Error::Settled { source, .. } => place_in_file(path, source),
        other => format!("{}: {other}", path.display()),
    }
}
