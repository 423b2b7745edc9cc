//! Kernels on time series: how they are written.

use super::leaf::{Leaf, Named};
use super::registry::Entry;
use crate::data::ItemKind::Series;
use crate::error::Result;
use crate::kernel::series::{Autocorrelation, Comparison, DynamicTimeWarping, GlobalAlignment, Width};
use crate::kernel::syntax::Number;
use crate::kernel::syntax::arguments::Arguments;

pub(super) const KERNELS: &[Entry] = &[
    Entry {
        name: "global_alignment",
        kind: Series,
        formula: "the sum over all alignments of products of similarities of width sigma (or a multiple of their median), at unit length",
        aliases: &["gak"],
        parameters: &["sigma", "median", "band", "unit"],
        examples: &[
            "global_alignment(sigma=1)",
            "global_alignment(sigma=median, band=4)",
            "global_alignment(median=0.5, unit=false)",
        ],
        build: |a| {
            let kernel = match width(a, "sigma")?.unwrap_or(Width::Median(1.0)) {
                Width::Value(sigma) => GlobalAlignment::sigma(sigma)?,
                Width::Median(multiple) => GlobalAlignment::median(multiple)?,
            };
            let kernel = kernel.normalised(a.flag("unit", true)?);
            Ok(Leaf::GlobalAlignment(match a.optional("band")? {
                Some(band) => kernel.band(band)?,
                None => kernel,
            }))
        },
    },
    Entry {
        name: "dtw",
        kind: Series,
        formula: "exp(−gamma DTW²), gamma a number or from the median; not positive semi-definite, but clipped(dtw) is",
        aliases: &["dynamic_time_warping"],
        parameters: &["gamma", "median", "radius"],
        examples: &["dtw(gamma=0.5)", "dtw(gamma=median, radius=3)"],
        build: |a| {
            let kernel = match width(a, "gamma")?.unwrap_or(Width::Median(1.0)) {
                Width::Value(gamma) => DynamicTimeWarping::gamma(gamma)?,
                Width::Median(multiple) => DynamicTimeWarping::median(multiple)?,
            };
            Ok(Leaf::DynamicTimeWarping(match a.has("radius") {
                true => kernel.radius(a.whole("radius", 0)? as usize),
                false => kernel,
            }))
        },
    },
    Entry {
        name: "autocorrelation",
        kind: Series,
        formula: "correlations at lags 0 to lags, compared by their inner product, or by a Gaussian of width sigma",
        aliases: &[],
        parameters: &["lags", "sigma", "median"],
        examples: &["autocorrelation(lags=2)", "autocorrelation(lags=3, sigma=0.5)"],
        build: |a| {
            let kernel = Autocorrelation::new(a.whole("lags", 10)? as usize)?;
            Ok(Leaf::Autocorrelation(match width(a, "sigma")? {
                Some(width) => kernel.comparison(Comparison::Gaussian(width))?,
                None => kernel,
            }))
        },
    },
];

/// A width: `sigma=2`, `sigma=median`, or a multiple of the median, `median=0.5`.
fn width(a: &mut Arguments, name: &'static str) -> Result<Option<Width>> {
    a.one_of(&[name, "median"])?;
    if let Some(multiple) = a.optional("median")? {
        return Ok(Some(Width::Median(multiple)));
    }
    match a.has_word(name) {
        true => a.word(name, &[("median", Some(Width::Median(1.0)))]),
        false => Ok(a.optional(name)?.map(Width::Value)),
    }
}

fn written(width: Width, name: &'static str) -> (&'static str, String) {
    match width {
        Width::Value(value) => (name, Number(value).to_string()),
        Width::Median(1.0) => (name, "median".into()),
        Width::Median(multiple) => ("median", Number(multiple).to_string()),
    }
}

impl Named for GlobalAlignment {
    fn call(&self) -> (&'static str, Vec<(&'static str, String)>) {
        let mut given = vec![written(self.width(), "sigma")];
        given.extend(self.band_width().map(|band| ("band", Number(band).to_string())));
        if !self.is_normalised() {
            given.push(("unit", "false".into()));
        }
        ("global_alignment", given)
    }
}

impl Named for DynamicTimeWarping {
    fn call(&self) -> (&'static str, Vec<(&'static str, String)>) {
        let mut given = vec![written(self.rate(), "gamma")];
        given.extend(self.band_radius().map(|radius| ("radius", radius.to_string())));
        ("dtw", given)
    }
}

impl Named for Autocorrelation {
    fn call(&self) -> (&'static str, Vec<(&'static str, String)>) {
        let mut given = vec![("lags", self.lags().to_string())];
        if let Comparison::Gaussian(width) = self.compared_by() {
            given.push(written(width, "sigma"));
        }
        ("autocorrelation", given)
    }
}
