//! Every kernel that can be called by name: the one list that the parser, its hints and the law tests share.

use crate::error::Result;
use crate::kernel::combine::{Centre, Columns, Normalise};
use crate::kernel::syntax::arguments::{Arguments, Numbers};
use crate::kernel::syntax::lex::problem;
use crate::kernel::syntax::parse::at;
use crate::kernel::vector::{
    AdditiveChi2, Anova, Chi2, Cosine, Exponential, Gamma, Gaussian, Intersection, Laplacian, Linear, Matern,
    Periodic, Polynomial, RationalQuadratic, Sigmoid, Smoothness, Width,
};
use crate::kernel::{Constant, Expression, White, structure};

/// A kernel as the parser knows it.
pub(crate) struct Entry {
    /// The name that is printed.
    pub(crate) name: &'static str,
    /// k(x, z)
    pub(crate) formula: &'static str,
    /// Other names that are understood.
    pub(crate) aliases: &'static [&'static str],
    /// Names of its parameters.
    pub(crate) parameters: &'static [&'static str],
    /// Texts that show it, without anything that waits for data; the law tests run on them.
    pub(crate) examples: &'static [&'static str],
    /// Takes its parameters and makes the kernel.
    pub(crate) build: fn(&mut Arguments) -> Result<Expression>,
}

/// A kernel that can be called by name, in words.
///
/// ```
/// use mercer::kernel::Description;
/// let linear = Description::all().find(|kernel| kernel.name == "linear").unwrap();
/// assert_eq!((linear.formula, linear.parameters), ("⟨x, z⟩", &[][..]));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Description {
    /// Its name.
    pub name: &'static str,
    /// Other names that are understood.
    pub aliases: &'static [&'static str],
    /// k(x, z)
    pub formula: &'static str,
    /// Names of its parameters.
    pub parameters: &'static [&'static str],
    /// How it may be written.
    pub example: &'static str,
}

impl Description {
    /// All kernels, in a fixed order.
    pub fn all() -> impl Iterator<Item = Description> {
        KERNELS.iter().map(|entry| Description {
            name: entry.name,
            aliases: entry.aliases,
            formula: entry.formula,
            parameters: entry.parameters,
            example: entry.examples.first().copied().unwrap_or(entry.name),
        })
    }
}

/// Combinations that are written with operators.
const OPERATOR_EXAMPLES: [&str; 6] = [
    "linear + gaussian(gamma=0.5)",
    "polynomial(degree=2, gamma=1, constant=1) * gaussian(gamma=0.5)",
    "0.5 * gaussian(gamma=0.1) + linear",
    "(linear + constant(1)) ^ 2",
    "linear - 0.5 * gaussian(gamma=1)",
    "normalise(columns(0:2, polynomial(degree=2, gamma=1, constant=1)) + white(0.5)) * cosine",
];

pub(crate) const KERNELS: &[Entry] = &[
    Entry {
        name: "linear",
        formula: "⟨x, z⟩",
        aliases: &["dot"],
        parameters: &[],
        examples: &["linear"],
        build: |_| Ok(Linear.into()),
    },
    Entry {
        name: "polynomial",
        formula: "(gamma ⟨x, z⟩ + constant)^degree",
        aliases: &["poly"],
        parameters: &["degree", "gamma", "constant"],
        examples: &[
            "polynomial(degree=2, gamma=0.5, constant=1)",
            "polynomial(degree=3, gamma=1, constant=0)",
            "polynomial(degree=3, gamma=1, constant=-1)",
        ],
        build: |a| {
            let (degree, gamma) = (a.whole("degree", 3)?, a.gamma("gamma", Gamma::Value(1.0))?);
            let constant = a.number("constant", 1.0)?;
            at(a.position(), Polynomial::new(degree, gamma, constant)).map(Expression::from)
        },
    },
    Entry {
        name: "gaussian",
        formula: "amplitude exp(−gamma |x − z|²), gamma = 1/(2 sigma²) = 1/(2 length_scale²)",
        aliases: &["rbf", "squared_exponential"],
        parameters: &["gamma", "sigma", "length_scale", "amplitude"],
        examples: &[
            "gaussian(gamma=0.5)",
            "gaussian(sigma=1.5)",
            "gaussian(length_scale=2, amplitude=3)",
            "gaussian(length_scale=[1, 0.5, 2])",
        ],
        build: |a| {
            a.one_of(&["gamma", "sigma", "length_scale"])?;
            let width = if a.has("sigma") {
                a.optional("sigma")?.map(Width::Sigma)
            } else if a.has("length_scale") {
                a.numbers("length_scale")?.map(|length| match length {
                    Numbers::One(length) => Width::LengthScale(length),
                    Numbers::Many(lengths) => Width::LengthScales(lengths),
                })
            } else {
                Some(Width::Gamma(a.gamma("gamma", Gamma::Scale)?))
            };
            let kernel = Gaussian::new(width.unwrap_or(Width::Gamma(Gamma::Scale)));
            let kernel = match a.optional("amplitude")? {
                Some(amplitude) => kernel.and_then(|kernel| kernel.amplitude(amplitude)),
                None => kernel,
            };
            at(a.position(), kernel).map(Expression::from)
        },
    },
    Entry {
        name: "laplacian",
        formula: "exp(−gamma Σ|xₖ − zₖ|)",
        aliases: &["laplace"],
        parameters: &["gamma"],
        examples: &["laplacian(gamma=0.5)"],
        build: |a| {
            let gamma = a.gamma("gamma", Gamma::Auto)?;
            at(a.position(), Laplacian::new(gamma)).map(Expression::from)
        },
    },
    Entry {
        name: "exponential",
        formula: "exp(−|x − z| / length_scale)",
        aliases: &["ornstein_uhlenbeck"],
        parameters: &["length_scale"],
        examples: &["exponential(length_scale=1.5)"],
        build: |a| {
            let length = a.number("length_scale", 1.0)?;
            at(a.position(), Exponential::new(length)).map(Expression::from)
        },
    },
    Entry {
        name: "matern",
        formula: "Matérn of smoothness nu = 0.5, 1.5 or 2.5 in |x − z| / length_scale",
        aliases: &[],
        parameters: &["nu", "length_scale"],
        examples: &[
            "matern(nu=0.5, length_scale=1.5)",
            "matern(nu=1.5, length_scale=1.5)",
            "matern(nu=2.5, length_scale=1.5)",
        ],
        build: |a| {
            let (nu, length) = (a.number("nu", 1.5)?, a.number("length_scale", 1.0)?);
            let kernel = Smoothness::from_nu(nu).and_then(|nu| Matern::new(nu, length));
            at(a.position(), kernel).map(Expression::from)
        },
    },
    Entry {
        name: "rational_quadratic",
        formula: "(1 + |x − z|² / (2 alpha length_scale²))^(−alpha)",
        aliases: &["rq"],
        parameters: &["alpha", "length_scale"],
        examples: &["rational_quadratic(alpha=0.7, length_scale=1.5)"],
        build: |a| {
            let (alpha, length) = (a.number("alpha", 1.0)?, a.number("length_scale", 1.0)?);
            at(a.position(), RationalQuadratic::new(alpha, length)).map(Expression::from)
        },
    },
    Entry {
        name: "periodic",
        formula: "exp(−2 Σ sin²(π (xₖ − zₖ) / period) / length_scale²)",
        aliases: &["exp_sine_squared"],
        parameters: &["period", "length_scale"],
        examples: &["periodic(period=2, length_scale=1.5)"],
        build: |a| {
            let (period, length) = (a.number("period", 1.0)?, a.number("length_scale", 1.0)?);
            at(a.position(), Periodic::new(period, length)).map(Expression::from)
        },
    },
    Entry {
        name: "sigmoid",
        formula: "tanh(gamma ⟨x, z⟩ + constant), not positive semi-definite",
        aliases: &["tanh"],
        parameters: &["gamma", "constant"],
        examples: &["sigmoid(gamma=0.5, constant=-1)"],
        build: |a| {
            let (gamma, constant) = (a.gamma("gamma", Gamma::Scale)?, a.number("constant", 0.0)?);
            at(a.position(), Sigmoid::new(gamma, constant)).map(Expression::from)
        },
    },
    Entry {
        name: "cosine",
        formula: "⟨x, z⟩ / (|x| |z|)",
        aliases: &[],
        parameters: &[],
        examples: &["cosine"],
        build: |_| Ok(Cosine.into()),
    },
    Entry {
        name: "chi2",
        formula: "exp(−gamma Σ (xₖ − zₖ)² / (xₖ + zₖ)), values of at least 0",
        aliases: &["chi_squared"],
        parameters: &["gamma"],
        examples: &["chi2(gamma=0.5)"],
        build: |a| {
            let gamma = a.gamma("gamma", Gamma::Value(1.0))?;
            at(a.position(), Chi2::new(gamma)).map(Expression::from)
        },
    },
    Entry {
        name: "additive_chi2",
        formula: "Σ 2 xₖ zₖ / (xₖ + zₖ), values of at least 0",
        aliases: &[],
        parameters: &[],
        examples: &["additive_chi2"],
        build: |_| Ok(AdditiveChi2.into()),
    },
    Entry {
        name: "intersection",
        formula: "Σ min(xₖ, zₖ), values of at least 0",
        aliases: &["histogram_intersection"],
        parameters: &[],
        examples: &["intersection"],
        build: |_| Ok(Intersection.into()),
    },
    Entry {
        name: "anova",
        formula: "Σ Π k₁(xₖ, zₖ) over all sets of degree columns k; k₁ is xₖ zₖ, or exp(−gamma (xₖ − zₖ)²)",
        aliases: &[],
        parameters: &["degree", "gamma", "columns"],
        examples: &["anova(degree=2)", "anova(degree=2, gamma=0.5, columns=3)"],
        build: |a| {
            let mut kernel = Anova::new(a.whole("degree", 2)?);
            if let Some(gamma) = a.optional("gamma")? {
                kernel = kernel.and_then(|kernel| kernel.gaussian(gamma));
            }
            if a.has("columns") {
                let columns = a.whole("columns", 0)?;
                kernel = kernel.and_then(|kernel| kernel.on_columns(columns as usize));
            }
            at(a.position(), kernel).map(Expression::from)
        },
    },
    Entry {
        name: "constant",
        formula: "value",
        aliases: &["bias"],
        parameters: &["value"],
        examples: &["constant(2)"],
        build: |a| {
            let value = a.required("value")?;
            at(a.position(), Constant::new(value)).map(Expression::from)
        },
    },
    Entry {
        name: "white",
        formula: "noise if x and z are the same observation, else 0",
        aliases: &["noise"],
        parameters: &["noise"],
        examples: &["white(0.5)", "gaussian(gamma=0.5) + white(0.1)"],
        build: |a| {
            let noise = a.required("noise")?;
            at(a.position(), White::new(noise)).map(Expression::from)
        },
    },
    Entry {
        name: "normalise",
        formula: "k(x, z) / √(k(x, x) k(z, z))",
        aliases: &["normalize", "normalised", "normalized"],
        parameters: &[],
        examples: &["normalise(polynomial(degree=2, gamma=1, constant=1))"],
        build: |a| Ok(Normalise::new(a.kernel()?).into()),
    },
    Entry {
        name: "centre",
        formula: "k(x, z) with the mean of the training rows moved to the origin",
        aliases: &["center", "centred", "centered"],
        parameters: &[],
        examples: &["centre(gaussian(gamma=0.5))", "columns(0:2, centre(linear + white(0.5)))"],
        build: |a| Ok(Centre::new(a.kernel()?).into()),
    },
    Entry {
        name: "columns",
        formula: "k on some of the columns",
        aliases: &[],
        parameters: &[],
        examples: &["columns(0:2, gaussian(gamma=0.5))", "columns([2, 0], gaussian(length_scale=[1, 2]))"],
        build: |a| {
            let selection = a.columns()?;
            Ok(Columns::new(selection, a.kernel()?).into())
        },
    },
];

/// The entry of a name or alias, in any case of letters; or an error that suggests the nearest name.
pub(crate) fn find(name: &str, position: usize) -> Result<&'static Entry> {
    let lower = name.to_ascii_lowercase();
    let names = |entry: &'static Entry| [entry.name].into_iter().chain(entry.aliases.iter().copied());
    if let Some(entry) = KERNELS.iter().find(|&entry| names(entry).any(|known| known == lower)) {
        return Ok(entry);
    }
    if let Some(kind) = structure::kind_of(&lower) {
        return problem(position, format!("{lower} is a kernel on {kind}, not on rows of numbers"));
    }
    if structure::is_mending(&lower) {
        return at(position, Err(structure::within()));
    }
    if structure::is_around(&lower) {
        return problem(
            position,
            format!("{lower} is for kernels on structured items, not on rows of numbers"),
        );
    }
    let hint = match nearest(&lower, KERNELS.iter().flat_map(names).chain(structure::all_names())) {
        Some(near) => format!("did you mean {near}?"),
        None => {
            let known: Vec<&str> = KERNELS.iter().map(|entry| entry.name).collect();
            let others: Vec<&str> = structure::own_names().collect();
            format!("known are {}; on other items than rows {}", known.join(", "), others.join(", "))
        }
    };
    problem(position, format!("unknown kernel {}: {hint}", shortened(name)))
}

/// A name from hostile text, short enough for a message.
pub(crate) fn shortened(name: &str) -> String {
    match name.char_indices().nth(40) {
        Some((end, _)) => format!("{:?}…", &name[..end]),
        None => format!("{name:?}"),
    }
}

/// The candidate that takes the fewest changes of a letter, if those are few.
pub(crate) fn nearest<'a>(name: &str, candidates: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    if name.len() > 40 {
        return None;
    }
    let allowed = (name.len() / 3).clamp(1, 3);
    candidates
        .map(|candidate| (changes(name, candidate), candidate))
        .filter(|&(changes, _)| changes <= allowed)
        .min_by_key(|&(changes, _)| changes)
        .map(|(_, candidate)| candidate)
}

/// The Levenshtein distance: letters to insert, delete or replace. O(|a|·|b|).
fn changes(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, letter) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for j in 0..b.len() {
            let replaced = diagonal + usize::from(letter != b[j]);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

impl Expression {
    /// One or more instances of every kernel and combination that there is, for tests that must not forget
    /// any. They take rows of three columns with values of at least 0; `centre` waits for its reference.
    ///
    /// ```
    /// use mercer::kernel::Expression;
    /// assert!(Expression::examples().iter().any(|kernel| kernel.to_string() == "linear"));
    /// ```
    pub fn examples() -> Vec<Expression> {
        KERNELS
            .iter()
            .flat_map(|entry| entry.examples)
            .chain(&OPERATOR_EXAMPLES)
            .filter_map(|text| text.parse().ok())
            .collect()
    }

    /// The names that kernels are written with, without their aliases.
    ///
    /// ```
    /// use mercer::kernel::Expression;
    /// assert!(Expression::names().any(|name| name == "gaussian"));
    /// ```
    pub fn names() -> impl Iterator<Item = &'static str> {
        KERNELS.iter().map(|entry| entry.name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_example_parses_and_shows_its_kernel() {
        for entry in KERNELS {
            for &text in entry.examples {
                let kernel: Expression = text.parse().unwrap();
                assert_eq!(kernel.to_string(), text);
                assert!(text.contains(entry.name), "{text}");
            }
            assert!(!entry.examples.is_empty(), "{}", entry.name);
        }
        for text in OPERATOR_EXAMPLES {
            assert_eq!(text.parse::<Expression>().unwrap().to_string(), text);
        }
    }
}
