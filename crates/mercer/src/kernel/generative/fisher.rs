//! The Fisher kernel: in which direction an item would change a generative model.

use serde::{Deserialize, Serialize};

use super::{GaussianMixture, Generative, SeriesMarkov, StringMarkov, Trainable};
use crate::error::{Error, Result};
use crate::kernel::generative::model::weights_of;
use crate::kernel::{DigestKernel, Kernel};
use crate::linalg::{Matrix, SymmetricEigen};

/// Eigenvalues of the information matrix below this part of the largest count as 0.
const LEAST_EIGENVALUE: f64 = 1e-10;

/// The Fisher kernel of a generative model.
///
/// With the Fisher score U(x) = ∂ ln p(x | θ) / ∂θ of a model that the training items gave: k(x, z) = ⟨U(x), U(z)⟩
/// ([`FisherForm::Practical`]), or U(x)ᵀ I⁺ U(z) with the empirical Fisher information I = Σ wᵢ U(xᵢ) U(xᵢ)ᵀ / Σ wᵢ of the training items
/// ([`FisherForm::Whitened`]), which does not depend on the units of the parameters. I⁺ is the pseudo-inverse: directions whose
/// eigenvalue is below 1e-10 of the largest say nothing about the training items and are left out.
///
/// The model is any [`Generative`]: [`HiddenMarkov`](super::HiddenMarkov) for strings and time series,
/// [`GaussianMixture`](super::GaussianMixture) for points and series. O(p) per pair with p parameters, after one score per item;
/// whitening takes O(n p² + p³) once.
///
/// ```
/// use mercer::kernel::generative::{Fisher, FisherForm, GaussianMixture, MixtureTraining};
/// use mercer::kernel::{DigestKernel, Kernel};
/// let points = [[0.0, 1.0], [0.2, 0.9], [5.0, 5.0], [5.2, 5.1], [0.1, 1.2]];
/// let items: Vec<&[f64]> = points.iter().map(|p| p.as_slice()).collect();
/// let kernel = Fisher::<GaussianMixture>::train(MixtureTraining::new(2)?, FisherForm::Whitened);
/// let kernel = kernel.learn(&items, None)?;
/// assert!(kernel.eval(items[2], items[2]) > 0.0);
/// assert_eq!(kernel.model().map(|model| model.components()), Some(2));
/// # Ok::<(), mercer::Error>(())
/// ```
///
/// # References
/// T. Jaakkola, D. Haussler: Exploiting generative models in discriminative classifiers, NIPS 1998.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(bound(
    serialize = "M: Serialize, M::Training: Serialize",
    deserialize = "M: Deserialize<'de>, M::Training: Deserialize<'de>"
))]
pub struct Fisher<M: Trainable> {
    training: Option<M::Training>,
    /// Boxed, since kernels of many kinds stand side by side in an expression.
    model: Option<Box<M>>,
    form: FisherForm,
    #[serde(default)]
    whitening: Option<Whitening>,
}

/// Which inner product of scores a [`Fisher`] kernel is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FisherForm {
    /// ⟨U(x), U(z)⟩
    Practical,
    /// U(x)ᵀ I⁺ U(z)
    Whitened,
}

/// The Fisher kernel of strings, from a hidden Markov model.
pub type StringFisher = Fisher<StringMarkov>;

/// The Fisher kernel of time series, from a hidden Markov model.
pub type SeriesFisher = Fisher<SeriesMarkov>;

/// The Fisher kernel of points, or of time series as sets of points, from a Gaussian mixture.
pub type MixtureFisher = Fisher<GaussianMixture>;

/// Rows v/√λ for the eigenvectors v of the information matrix that are kept.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Whitening {
    parameters: usize,
    rows: Vec<f64>,
}

impl<M: Trainable> Fisher<M> {
    /// The kernel of a model that is yet to be trained, by [`learn`](DigestKernel::learn).
    pub fn train(training: M::Training, form: FisherForm) -> Self {
        Fisher { training: Some(training), model: None, form, whitening: None }
    }

    /// The kernel of a known model; whitening still has to learn from training items.
    pub fn of(model: M, form: FisherForm) -> Self {
        Fisher { training: None, model: Some(Box::new(model)), form, whitening: None }
    }

    /// How the model is trained, if it is.
    pub fn training(&self) -> Option<&M::Training> {
        self.training.as_ref()
    }

    /// The model, once there is one.
    pub fn model(&self) -> Option<&M> {
        self.model.as_deref()
    }

    /// Which inner product it is.
    pub fn form(&self) -> FisherForm {
        self.form
    }

    /// Directions of the scores that the whitened form keeps, once it has learned.
    pub fn rank(&self) -> Option<usize> {
        self.whitening.as_ref().map(|whitening| whitening.rows.len() / whitening.parameters.max(1))
    }

    fn known(&self) -> Result<&M> {
        self.model.as_deref().ok_or_else(|| unlearned("the Fisher kernel"))
    }
}

fn unlearned(what: &str) -> Error {
    Error::Undefined { what: what.into(), why: "it has to learn from training items first".into() }
}

impl<X: ?Sized, M: Generative<X>> DigestKernel<X> for Fisher<M> {
    /// The score, whitened if the form is.
    type Digest = Vec<f64>;

    fn digest(&self, item: &X) -> Result<Vec<f64>> {
        let score = self.known()?.score(item)?;
        match (self.form, &self.whitening) {
            (FisherForm::Practical, _) => Ok(score),
            (FisherForm::Whitened, Some(whitening)) => whitening.apply(&score),
            (FisherForm::Whitened, None) => Err(unlearned("the whitened Fisher kernel")),
        }
    }

    fn compare(&self, x: &Vec<f64>, z: &Vec<f64>) -> f64 {
        if x.len() != z.len() {
            return f64::NAN;
        }
        x.iter().zip(z).map(|(a, b)| a * b).sum()
    }

    fn learn(&self, items: &[&X], weights: Option<&[f64]>) -> Result<Self> {
        let model = match &self.training {
            Some(training) => M::train(training, items, weights)?,
            None => self.known()?.clone(),
        };
        let whitening = match self.form {
            FisherForm::Practical => None,
            FisherForm::Whitened => Some(Whitening::new(&model, items, weights)?),
        };
        Ok(Fisher {
            training: self.training.clone(),
            model: Some(Box::new(model)),
            form: self.form,
            whitening,
        })
    }
}

impl<X: ?Sized, M: Generative<X>> Kernel<X> for Fisher<M> {
    fn eval(&self, x: &X, z: &X) -> f64 {
        Kernel::<X>::try_eval(self, x, z).unwrap_or(f64::NAN)
    }

    fn try_eval(&self, x: &X, z: &X) -> Result<f64> {
        crate::kernel::eval_digests(self, x, z)
    }

    fn try_eval_diagonal(&self, x: &X) -> Result<f64> {
        Ok(DigestKernel::<X>::compare_self(self, &self.digest(x)?))
    }
}

impl Whitening {
    fn new<X: ?Sized, M: Generative<X>>(model: &M, items: &[&X], weights: Option<&[f64]>) -> Result<Self> {
        let weights = weights_of(items.len(), weights)?;
        let all: f64 = weights.iter().sum();
        let mut information = Matrix::zeros(0, 0);
        for (item, weight) in items.iter().zip(&weights).filter(|(_, weight)| **weight > 0.0) {
            let score = model.score(item)?;
            if information.rows() == 0 {
                information = Matrix::zeros(score.len(), score.len());
            }
            for (a, &value) in score.iter().enumerate() {
                let scaled = weight / all * value;
                let row = &mut information.values_mut()[a * score.len()..][..=a];
                row.iter_mut().zip(&score).for_each(|(sum, other)| *sum += scaled * other);
            }
        }
        let eigen = SymmetricEigen::new(&information)?;
        let largest = eigen.values().last().copied().unwrap_or(0.0);
        let mut rows = Vec::new();
        for (k, &value) in eigen.values().iter().enumerate() {
            if value > LEAST_EIGENVALUE * largest {
                let scale = 1.0 / value.sqrt();
                rows.extend(eigen.vector(k).iter().map(|v| v * scale));
            }
        }
        Ok(Whitening { parameters: information.rows(), rows })
    }

    fn apply(&self, score: &[f64]) -> Result<Vec<f64>> {
        if score.len() != self.parameters {
            let what = "parameters of the model";
            return Err(Error::Shape { what, expected: self.parameters, found: score.len() });
        }
        let row = |row: &[f64]| row.iter().zip(score).map(|(w, u)| w * u).sum();
        Ok(self.rows.chunks(self.parameters.max(1)).map(row).collect())
    }
}
