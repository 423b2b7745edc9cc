//! Kernels from generative models: how two items came about, as a model of all items sees it.
//!
//! A model p(x | θ) gives a kernel in two ways. The Fisher kernel compares the gradients ∂ ln p(x | θ) / ∂θ: in which direction each
//! item would change the model. The pair hidden Markov kernel is the probability that a model emits two strings together.
//!
//! ```
//! use mercer::kernel::generative::{Fisher, FisherForm, HiddenMarkovTraining, StringMarkov};
//! use mercer::kernel::{DigestKernel, Kernel};
//! let words = ["abab", "ababab", "baba", "ccc", "cccc"];
//! let kernel = Fisher::<StringMarkov>::train(HiddenMarkovTraining::new(2)?, FisherForm::Practical);
//! let kernel = kernel.learn(&words, None)?;
//! assert!(kernel.eval("abab", "baba") > kernel.eval("abab", "cccc"));
//! # Ok::<(), mercer::Error>(())
//! ```

mod alphabet;
mod baum_welch;
mod emission;
mod fisher;
mod gaussian_mixture;
mod hidden_markov;
mod mixture_training;
mod model;
mod pair_hidden_markov;
mod points;

pub use alphabet::Alphabet;
pub use baum_welch::HiddenMarkovTraining;
pub use emission::{Emission, EmissionPrior, GaussianEmission, SymbolEmission};
pub use fisher::{Fisher, FisherForm, MixtureFisher, SeriesFisher, StringFisher};
pub use gaussian_mixture::{Covariances, GaussianMixture};
pub use hidden_markov::{HiddenMarkov, SeriesMarkov, StringMarkov};
pub use mixture_training::{CovarianceKind, MixtureTraining};
pub use model::{Generative, Trainable};
pub use pair_hidden_markov::{PairDigest, PairHiddenMarkov, PairParameters};
