//! Models in common.

use serde::{Deserialize, Serialize};

use crate::data::Formula;
use crate::error::{Error, Result};
use crate::kernel::{DigestKernel, kernel_by_digests};

/// The number of models that two formulae have in common.
///
/// k(φ, ψ) = |{a : a makes φ and ψ true}| over all assignments a to a fixed list of n variables, 20 at most; with
/// [`share`](CommonModels::share) divided by 2ⁿ, so that variables which no formula names do not matter. Exact. Equivalent
/// formulae are the same item, and a contradiction has length 0. A formula that names a variable which is not on the list is an
/// error.
///
/// O(length · 2ⁿ / 64) per formula, O(2ⁿ / 64) per pair.
///
/// ```
/// use mercer::data::Formula;
/// use mercer::kernel::{Kernel, logic::CommonModels};
/// let kernel = CommonModels::over(["p", "q", "r"])?;
/// let (x, z): (Formula, Formula) = ("p -> q".parse()?, "p and not r".parse()?);
/// // p and q are true, r is false.
/// assert_eq!(kernel.eval(&x, &z), 1.0);
/// assert_eq!(kernel.eval("p -> q", "p and not r"), 1.0);
/// assert_eq!(kernel.share().eval(&x, &z), 0.125);
/// # Ok::<(), mercer::Error>(())
/// ```
///
/// # References
/// The intersection kernel on sets of models; see T. Gärtner, *A survey of kernels for structured data*, SIGKDD Explorations 5,
/// 2003.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Parts")]
pub struct CommonModels {
    vocabulary: Option<Vec<String>>,
    share: bool,
}

/// What files hold.
#[derive(Deserialize)]
struct Parts {
    vocabulary: Option<Vec<String>>,
    share: bool,
}

impl TryFrom<Parts> for CommonModels {
    type Error = Error;

    fn try_from(parts: Parts) -> Result<Self> {
        let kernel = match parts.vocabulary {
            Some(vocabulary) => CommonModels::over(vocabulary)?,
            None => CommonModels::new(),
        };
        Ok(CommonModels { share: parts.share, ..kernel })
    }
}

impl CommonModels {
    /// Over the variables of the training formulae, which [`learn`](DigestKernel::learn) finds.
    pub fn new() -> Self {
        Self::default()
    }

    /// Over these variables.
    ///
    /// # Errors
    /// [`Error::Unsupported`] for more than 20, or for one that stands twice.
    pub fn over<S: Into<String>>(variables: impl IntoIterator<Item = S>) -> Result<Self> {
        let vocabulary: Vec<String> = variables.into_iter().map(Into::into).collect();
        Formula::check_vocabulary(&vocabulary)?;
        Ok(CommonModels { vocabulary: Some(vocabulary), share: false })
    }

    /// The share of all assignments in place of their number.
    pub fn share(self) -> Self {
        CommonModels { share: true, ..self }
    }

    /// The variables, once they are known.
    pub fn vocabulary(&self) -> Option<&[String]> {
        self.vocabulary.as_deref()
    }

    /// Whether values are shares.
    pub fn is_share(&self) -> bool {
        self.share
    }
}

impl DigestKernel<Formula> for CommonModels {
    /// The models, one bit per assignment.
    type Digest = Vec<u64>;

    fn digest(&self, formula: &Formula) -> Result<Vec<u64>> {
        match &self.vocabulary {
            Some(vocabulary) => formula.models(vocabulary),
            None => Err(Error::Unsupported {
                what: "which variables there are is not known: name them, or let the kernel learn first"
                    .into(),
            }),
        }
    }

    fn compare(&self, x: &Vec<u64>, z: &Vec<u64>) -> f64 {
        let common: u64 = x.iter().zip(z).map(|(a, b)| u64::from((a & b).count_ones())).sum();
        let variables = self.vocabulary.as_ref().map_or(0, Vec::len);
        if self.share { common as f64 / (1u64 << variables) as f64 } else { common as f64 }
    }

    /// Variables that were named stay as they are; otherwise they are those of the formulae, in the order of the alphabet.
    fn learn(&self, items: &[&Formula], _weights: Option<&[f64]>) -> Result<Self> {
        if self.vocabulary.is_some() {
            return Ok(self.clone());
        }
        let mut vocabulary: Vec<String> =
            items.iter().flat_map(|formula| formula.variables().iter().cloned()).collect();
        vocabulary.sort_unstable();
        vocabulary.dedup();
        Ok(CommonModels { share: self.share, ..CommonModels::over(vocabulary)? })
    }
}

/// Formulae that are still text.
impl DigestKernel<str> for CommonModels {
    type Digest = Vec<u64>;

    fn digest(&self, text: &str) -> Result<Vec<u64>> {
        DigestKernel::<Formula>::digest(self, &text.parse()?)
    }

    fn compare(&self, x: &Vec<u64>, z: &Vec<u64>) -> f64 {
        DigestKernel::<Formula>::compare(self, x, z)
    }

    fn learn(&self, texts: &[&str], weights: Option<&[f64]>) -> Result<Self> {
        let parse = |(index, text): (usize, &&str)| {
            text.parse::<Formula>().map_err(|error| Error::Item { index, source: Box::new(error) })
        };
        let formulae: Vec<Formula> = texts.iter().enumerate().map(parse).collect::<Result<_>>()?;
        DigestKernel::<Formula>::learn(self, &formulae.iter().collect::<Vec<_>>(), weights)
    }
}

kernel_by_digests!(CommonModels, Formula);
kernel_by_digests!(CommonModels, str);
