//! Kernels on logic, which is read as strings: how they are written.

use super::leaf::{Leaf, Named};
use super::print::quoted;
use super::registry::Entry;
use crate::data::ItemKind::Strings;
use crate::error::Result;
use crate::kernel::logic::{CommonModels, Conjunctions, Dnf, MonotoneConjunctions};
use crate::kernel::syntax::arguments::Arguments;
use crate::kernel::syntax::lex::problem;

/// Parameters as they are printed.
type Call = (&'static str, Vec<(&'static str, String)>);

pub(super) const KERNELS: &[Entry] = &[
    Entry {
        name: "conjunctions",
        kind: Strings,
        formula: "conjunctions of literals that are true in both assignments, strings of 0 and 1; of size literals at most",
        aliases: &[],
        parameters: &["monotone", "variables", "size"],
        examples: &[
            "conjunctions",
            "conjunctions(variables=6, size=2)",
            "conjunctions(monotone=true, size=3)",
        ],
        build: |a| {
            let (monotone, variables, size) = of_terms(a)?;
            if monotone {
                let kernel = MonotoneConjunctions::new();
                return Ok(Leaf::MonotoneConjunctions(match size {
                    Some(size) => kernel.up_to(size)?,
                    None => kernel,
                }));
            }
            let kernel = variables.map_or_else(Conjunctions::new, Conjunctions::of);
            Ok(Leaf::Conjunctions(match size {
                Some(size) => kernel.up_to(size)?,
                None => kernel,
            }))
        },
    },
    Entry {
        name: "dnf",
        kind: Strings,
        formula: "terms of disjunctive normal forms that are true in both assignments, strings of 0 and 1",
        aliases: &[],
        parameters: &["monotone", "variables", "size"],
        examples: &["dnf", "dnf(variables=6)", "dnf(monotone=true, size=2)"],
        build: |a| {
            let (monotone, variables, size) = of_terms(a)?;
            let kernel = match monotone {
                true => Dnf::monotone(),
                false => variables.map_or_else(Dnf::new, Dnf::of),
            };
            Ok(Leaf::Dnf(match size {
                Some(size) => kernel.up_to(size)?,
                None => kernel,
            }))
        },
    },
    Entry {
        name: "common_models",
        kind: Strings,
        formula: "models in common of two formulae (\"p and (q or not r)\"), or their share; over at most 20 variables",
        aliases: &["models"],
        parameters: &["variables", "share"],
        examples: &["common_models", "common_models(variables=\"p q r\", share=true)"],
        build: |a| {
            let kernel = match a.text("variables")? {
                Some(names) => CommonModels::over(names.split_whitespace())?,
                None => CommonModels::new(),
            };
            Ok(Leaf::CommonModels(if a.flag("share", false)? { kernel.share() } else { kernel }))
        },
    },
];

/// Whether negations are left out, the number of variables, and the largest size of a term.
fn of_terms(a: &mut Arguments) -> Result<(bool, Option<usize>, Option<u32>)> {
    let monotone = a.flag("monotone", false)?;
    let place = a.position();
    let variables = if a.has("variables") { Some(a.whole("variables", 0)? as usize) } else { None };
    if monotone && variables.is_some() {
        return problem(place, "variables: without negations their number does not matter");
    }
    let size = if a.has("size") { Some(a.whole("size", 0)?) } else { None };
    Ok((monotone, variables, size))
}

fn terms(
    name: &'static str,
    monotone: bool,
    variables: Option<usize>,
    size: Option<u32>,
) -> (&'static str, Vec<(&'static str, String)>) {
    let mut given = Vec::new();
    if monotone {
        given.push(("monotone", "true".to_string()));
    }
    given.extend(variables.map(|variables| ("variables", variables.to_string())));
    given.extend(size.map(|size| ("size", size.to_string())));
    (name, given)
}

impl Named for MonotoneConjunctions {
    fn call(&self) -> Call {
        terms("conjunctions", true, None, self.size())
    }
}

impl Named for Conjunctions {
    fn call(&self) -> Call {
        terms("conjunctions", false, self.variables(), self.size())
    }
}

impl Named for Dnf {
    fn call(&self) -> Call {
        terms("dnf", self.is_monotone(), self.variables(), self.size())
    }
}

impl Named for CommonModels {
    fn call(&self) -> Call {
        let mut given = Vec::new();
        given.extend(self.vocabulary().map(|names| ("variables", quoted(&names.join(" ")))));
        if self.is_share() {
            given.push(("share", "true".into()));
        }
        ("common_models", given)
    }
}
