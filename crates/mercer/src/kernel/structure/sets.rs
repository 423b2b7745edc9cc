//! Kernels on sets and images: how they are written.
//!
//! A set of rows of numbers is read as a time series of which the order does not matter, a picture as one whose times are its lines.

use super::leaf::{Leaf, Named};
use super::registry::Entry;
use super::strings::{terms, unusual};
use crate::data::ItemKind::{Series, Strings};
use crate::kernel::image::JitteredPictures;
use crate::kernel::set::{BestMatch, SetSum};
use crate::kernel::syntax::{Number, list};
use crate::kernel::text::CommonTerms;

/// Parameters as they are printed; one without a name stands as it is.
type Call = (&'static str, Vec<(&'static str, String)>);

pub(super) const KERNELS: &[Entry] = &[
    Entry {
        name: "multiset",
        kind: Strings,
        formula: "n-grams of words, or of characters, in common, each as often as both texts have it",
        aliases: &["common_terms"],
        parameters: &["n", "shortest", "unit", "keep_case", "shortest_word"],
        examples: &["multiset", "multiset(n=2, unit=characters, keep_case=true)"],
        build: |a| Ok(Leaf::CommonTerms(CommonTerms::new(terms(a)?))),
    },
    Entry {
        name: "set_sum",
        kind: Series,
        formula: "Σ k(a, b), or its mean, over all points a of one series and b of the other, whatever their order",
        aliases: &[],
        parameters: &["mean"],
        examples: &["set_sum(gaussian(gamma=0.5))", "set_sum(linear, mean=true)"],
        build: |a| {
            let kernel = SetSum::new(a.kernel()?)?;
            Ok(Leaf::SetSum(if a.flag("mean", false)? { kernel.mean() } else { kernel }))
        },
    },
    Entry {
        name: "best_match",
        kind: Series,
        formula: "the mean over all points of k with the best match in the other series; not positive semi-definite",
        aliases: &[],
        parameters: &[],
        examples: &["best_match(gaussian(gamma=0.5))"],
        build: |a| Ok(Leaf::BestMatch(BestMatch::new(a.kernel()?)?)),
    },
    Entry {
        name: "jittered",
        kind: Series,
        formula: "k of two pictures, one of them shifted, turned or zoomed to be as close as it gets; not positive semi-definite",
        aliases: &[],
        parameters: &["width", "shifts", "rotations", "zooms", "background"],
        examples: &[
            "jittered(gaussian(gamma=0.5), shifts=1)",
            "jittered(linear, width=2, shifts=1, rotations=[-5, 5], zooms=[0.9], background=-1)",
        ],
        build: |a| {
            let mut kernel = JitteredPictures::new(a.kernel()?)?;
            if a.has("width") {
                kernel = kernel.width(a.whole("width", 1)? as usize)?;
            }
            kernel = kernel.shifts(a.whole("shifts", 0)? as usize);
            if let Some(degrees) = a.list("rotations")? {
                kernel = kernel.rotations(degrees)?;
            }
            if let Some(factors) = a.list("zooms")? {
                kernel = kernel.zooms(factors)?;
            }
            Ok(Leaf::JitteredPictures(kernel.background(a.number("background", 0.0)?)?))
        },
    },
];

impl Named for CommonTerms {
    fn call(&self) -> Call {
        let mut given = Vec::new();
        unusual(self.terms(), &mut given, &[]);
        ("multiset", given)
    }
}

impl Named for SetSum {
    fn call(&self) -> Call {
        let mut given = vec![("", self.kernel().to_string())];
        if self.is_mean() {
            given.push(("mean", "true".into()));
        }
        ("set_sum", given)
    }
}

impl Named for BestMatch {
    fn call(&self) -> Call {
        ("best_match", vec![("", self.kernel().to_string())])
    }
}

impl Named for JitteredPictures {
    fn call(&self) -> Call {
        let numbers = |values: &[f64]| list(values.iter().map(|&value| Number(value)));
        let (shifts, rotations, zooms, background) = self.movements();
        let mut given = vec![("", self.kernel().to_string())];
        given.extend(self.line().map(|width| ("width", width.to_string())));
        if shifts > 0 {
            given.push(("shifts", shifts.to_string()));
        }
        if !rotations.is_empty() {
            given.push(("rotations", numbers(rotations)));
        }
        if !zooms.is_empty() {
            given.push(("zooms", numbers(zooms)));
        }
        if background != 0.0 {
            given.push(("background", Number(background).to_string()));
        }
        ("jittered", given)
    }
}
