//! The pair hidden Markov kernel: the probability that one model emits two strings together.
//!
//! The model goes through n events, n with probability τ(1 − τ)ⁿ. At each event it emits a pair (a, b) with probability p(a, b), one letter for each
//! string; before, between and after the events each string gets, independently, a run of letters of its own: ℓ letters with probability
//! (1 − δ)δ^ℓ, each drawn from q. If p is positive semi-definite, p(a, b) = Σ_c π(c) e(a | c) e(b | c), the two strings are independent and alike given
//! n and the hidden c's, so that p(x, z) = Σ_h p(h) p(x | h) p(z | h) is a kernel (Watkins: conditionally symmetrically independent).
//!
//! With P(i, j) the sum over all ways to emit the prefixes of i and j letters (the factors of the ends left out) and X(i, j) those of them that do not end in
//! a letter of z's own:
//!
//! X(i, j) = (1 − τ)(1 − δ)² p(xᵢ, zⱼ) P(i−1, j−1) + δ q(xᵢ) X(i−1, j),   P(i, j) = X(i, j) + δ q(zⱼ) P(i, j−1),   p(x, z) = τ(1 − δ)² P(T, T').
//!
//! P is a kernel on prefixes, so P(i, j) ≤ √(Pₓₓ(i, i) P_zz(j, j)): the table is kept divided by that bound, as that of the global alignment
//! kernel is, and lies in [0, 1].

use serde::{Deserialize, Serialize};

use super::Alphabet;
use super::model::{probabilities, weights_of};
use crate::error::{Error, Result};
use crate::kernel::{DigestKernel, Kernel};
use crate::linalg::{Matrix, symmetric_eigenvalues};

/// The pair hidden Markov kernel of two strings (a dynamic alignment kernel): their joint probability p(x, z), or normalised (the default)
/// p(x, z) / √(p(x, x) p(z, z)).
///
/// Either of known [`PairParameters`], or of those that [`learn`](DigestKernel::learn) takes from training strings: q the shares of the letters (with one
/// more letter spread over the alphabet), p(a, b) = (1 − μ) q(a) [a = b] + μ q(a) q(b) with a share μ of events at which the letters differ by chance, δ as
/// given, and τ such that a string has the mean length of the training strings (but at least one event on average).
///
/// O(T T') per pair. A letter that is not in the alphabet is an error.
///
/// ```
/// use mercer::kernel::{DigestKernel, Kernel, generative::PairHiddenMarkov};
/// let strings = ["gattaca", "gatttaca", "ccccgg"];
/// let kernel = PairHiddenMarkov::new(0.1, 0.2)?.learn(&strings, None)?;
/// assert!(kernel.eval("gattaca", "gatttaca") > kernel.eval("gattaca", "ccccgg"));
/// # Ok::<(), mercer::Error>(())
/// ```
///
/// # References
/// C. Watkins: Dynamic alignment kernels, Technical report CSD-TR-98-11, Royal Holloway, University of London, 1999.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PairHiddenMarkov {
    source: Source,
    normalised: bool,
    parameters: Option<PairParameters>,
}

/// Where the parameters come from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Source {
    Given,
    Strings { gap: f64, mutation: f64 },
}

/// The numbers of a pair hidden Markov model.
///
/// ```
/// use mercer::kernel::generative::{Alphabet, PairParameters};
/// let alphabet = Alphabet::of(["ab"])?;
/// let pairs = vec![0.4, 0.1, 0.1, 0.4];
/// let parameters = PairParameters::new(alphabet.clone(), pairs, vec![0.5, 0.5], 0.1, 0.2)?;
/// assert_eq!((parameters.gap(), parameters.end()), (0.1, 0.2));
/// // Symmetric and a distribution, but not positive semi-definite.
/// assert!(PairParameters::new(alphabet, vec![0.1, 0.4, 0.4, 0.1], vec![0.5, 0.5], 0.1, 0.2).is_err());
/// # Ok::<(), mercer::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "StoredParameters", into = "StoredParameters")]
pub struct PairParameters {
    alphabet: Alphabet,
    pairs: Vec<f64>,
    background: Vec<f64>,
    gap: f64,
    end: f64,
}

#[derive(Serialize, Deserialize)]
struct StoredParameters {
    alphabet: Alphabet,
    pairs: Vec<f64>,
    background: Vec<f64>,
    gap: f64,
    end: f64,
}

/// What [`PairHiddenMarkov`] keeps of a string.
#[derive(Clone, Debug)]
pub struct PairDigest {
    codes: Vec<usize>,
    /// √(P(i−1, i−1) / P(i, i)) of the string with itself.
    ratios: Vec<f64>,
    /// ln P(T, T)
    log_norm: f64,
}

impl PairParameters {
    /// Takes p(a, b) (row after row), q, δ and τ.
    ///
    /// # Errors
    /// [`Error::Shape`]; [`Error::Entry`] or [`Error::Parameter`] for what are no probabilities, a letter with q = 0, δ or τ outside of
    /// (0, 1), and an eigenvalue of p below 0; [`Error::Asymmetric`].
    pub fn new(
        alphabet: Alphabet,
        mut pairs: Vec<f64>,
        mut background: Vec<f64>,
        gap: f64,
        end: f64,
    ) -> Result<Self> {
        let size = alphabet.size();
        for (what, expected, found) in [
            ("probabilities of pairs (symbols × symbols)", size * size, pairs.len()),
            ("probabilities of symbols", size, background.len()),
        ] {
            if expected != found {
                return Err(Error::Shape { what, expected, found });
            }
        }
        probabilities("probability of a pair", &mut pairs)?;
        probabilities("probability of a symbol", &mut background)?;
        if let Some(index) = background.iter().position(|&q| q == 0.0) {
            let what = "probability of a symbol";
            return Err(Error::Entry { what, index, value: 0.0, expected: "a number above 0" });
        }
        share("gap", gap)?;
        share("end", end)?;
        let matrix = Matrix::new(pairs.clone(), size, size)?;
        for row in 0..size {
            for column in 0..row {
                let (value, mirrored) = (matrix[(row, column)], matrix[(column, row)]);
                if value != mirrored {
                    return Err(Error::Asymmetric { row, column, value, mirrored });
                }
            }
        }
        let smallest = symmetric_eigenvalues(&matrix)?[0];
        if smallest < -1e-12 {
            let expected = "at least 0, for the pairs to come from independent letters";
            let name = "the smallest eigenvalue of the probabilities of pairs";
            return Err(Error::Parameter { name, value: smallest, expected });
        }
        Ok(PairParameters { alphabet, pairs, background, gap, end })
    }

    /// The letters.
    pub fn alphabet(&self) -> &Alphabet {
        &self.alphabet
    }

    /// p(a, b), row after row.
    pub fn pairs(&self) -> &[f64] {
        &self.pairs
    }

    /// q
    pub fn background(&self) -> &[f64] {
        &self.background
    }

    /// δ, the probability that a run of a string's own letters goes on.
    pub fn gap(&self) -> f64 {
        self.gap
    }

    /// τ, the probability that no event follows.
    pub fn end(&self) -> f64 {
        self.end
    }

    /// The parameters that training strings give.
    fn from_strings(gap: f64, mutation: f64, strings: &[&str], weights: Option<&[f64]>) -> Result<Self> {
        let weights = weights_of(strings.len(), weights)?;
        let alphabet = Alphabet::of(strings.iter().copied())?;
        let size = alphabet.size();
        let mut counts = vec![1.0 / size as f64; size];
        for (string, weight) in strings.iter().zip(&weights) {
            alphabet.codes(string)?.into_iter().for_each(|code| counts[code] += weight);
        }
        let letters: f64 = counts.iter().sum();
        let mean_length = (letters - 1.0) / weights.iter().sum::<f64>();
        let q: Vec<f64> = counts.iter().map(|count| count / letters).collect();
        let pair = |a: usize, b: usize| {
            let alike = if a == b { (1.0 - mutation) * q[a] } else { 0.0 };
            alike + mutation * (q[a] * q[b])
        };
        let pairs = (0..size * size).map(|at| pair(at / size, at % size)).collect();
        let run = gap / (1.0 - gap);
        let events = ((mean_length - run) / (1.0 + run)).max(1.0);
        PairParameters::new(alphabet, pairs, q, gap, 1.0 / (1.0 + events))
    }

    /// (1 − τ)(1 − δ)² p(a, b)
    fn event(&self, a: usize, b: usize) -> f64 {
        (1.0 - self.end) * self.closing() * self.pairs[a * self.alphabet.size() + b]
    }

    /// (1 − δ)²
    fn closing(&self) -> f64 {
        (1.0 - self.gap) * (1.0 - self.gap)
    }

    /// δ q(a)
    fn own(&self, a: usize) -> f64 {
        self.gap * self.background[a]
    }

    fn digest(&self, string: &str) -> Result<PairDigest> {
        let codes = self.alphabet.codes(string)?;
        let mut ratios = vec![1.0; codes.len()];
        let mut log_norm = 0.0;
        // Entries of one row, columns 0 … i, divided by their bounds.
        let (mut x, mut p) = (vec![0.0; codes.len() + 1], vec![0.0; codes.len() + 1]);
        (x[0], p[0]) = (1.0, 1.0);
        for (i, &letter) in codes.iter().enumerate() {
            let own = self.own(letter);
            let mut above_left = p[0];
            x[0] *= own;
            p[0] = x[0];
            for j in 1..=i {
                let other = codes[j - 1];
                let above = p[j];
                x[j] = self.event(letter, other) * ratios[j - 1] * above_left + own * x[j];
                p[j] = x[j] + self.own(other) * ratios[j - 1] * p[j - 1];
                above_left = above;
            }
            // P(i, i) = event · P(i−1, i−1) + δq (2 P(i, i−1) − δq P(i−1, i−1)), since P is symmetric.
            let left = p[i];
            let growth = self.event(letter, letter) + own * (2.0 * left - own);
            let ratio = 1.0 / growth.sqrt();
            for value in x[..=i].iter_mut().chain(&mut p[..=i]) {
                *value *= ratio;
            }
            x[i + 1] = (1.0 - own * left / growth).max(0.0);
            p[i + 1] = 1.0;
            ratios[i] = ratio;
            log_norm += growth.ln();
        }
        Ok(PairDigest { codes, ratios, log_norm })
    }

    /// P(T, T') divided by its bound.
    fn normalised(&self, x: &PairDigest, z: &PairDigest) -> f64 {
        // In one order, so that k(x, z) and k(z, x) have the same bits.
        let first = (x.codes.len(), &x.codes) <= (z.codes.len(), &z.codes);
        let (x, z) = if first { (x, z) } else { (z, x) };
        let columns = z.codes.len();
        let own: Vec<f64> =
            z.codes.iter().zip(&z.ratios).map(|(&letter, ratio)| self.own(letter) * ratio).collect();
        let (mut not_own, mut all) = (vec![0.0; columns + 1], vec![0.0; columns + 1]);
        (not_own[0], all[0]) = (1.0, 1.0);
        for j in 0..columns {
            all[j + 1] = own[j] * all[j];
        }
        for (&letter, ratio) in x.codes.iter().zip(&x.ratios) {
            let stay = self.own(letter) * ratio;
            let mut above_left = all[0];
            not_own[0] *= stay;
            all[0] = not_own[0];
            for j in 1..=columns {
                let event = self.event(letter, z.codes[j - 1]) * ratio * z.ratios[j - 1];
                let above = all[j];
                not_own[j] = event * above_left + stay * not_own[j];
                all[j] = not_own[j] + own[j - 1] * all[j - 1];
                above_left = above;
            }
        }
        all[columns]
    }
}

impl PairHiddenMarkov {
    /// The kernel that takes its parameters from training strings, with δ = `gap` and μ = `mutation`, both in (0, 1).
    ///
    /// # Errors
    /// [`Error::Parameter`].
    pub fn new(gap: f64, mutation: f64) -> Result<Self> {
        let source = Source::Strings { gap: share("gap", gap)?, mutation: share("mutation", mutation)? };
        Ok(PairHiddenMarkov { source, normalised: true, parameters: None })
    }

    /// The kernel of known parameters.
    pub fn of(parameters: PairParameters) -> Self {
        PairHiddenMarkov { source: Source::Given, normalised: true, parameters: Some(parameters) }
    }

    /// The same kernel, normalised or not. Probabilities of two long strings are below the smallest f64.
    pub fn normalised(mut self, normalised: bool) -> Self {
        self.normalised = normalised;
        self
    }

    /// Whether it is normalised.
    pub fn is_normalised(&self) -> bool {
        self.normalised
    }

    /// δ and μ, if the other parameters are taken from training strings.
    pub fn gap_and_mutation(&self) -> Option<(f64, f64)> {
        match self.source {
            Source::Given => None,
            Source::Strings { gap, mutation } => Some((gap, mutation)),
        }
    }

    /// The parameters, once they are known.
    pub fn parameters(&self) -> Option<&PairParameters> {
        self.parameters.as_ref()
    }

    /// ln p(x, z)
    ///
    /// ```
    /// use mercer::kernel::generative::{Alphabet, PairHiddenMarkov, PairParameters};
    /// let parameters = PairParameters::new(Alphabet::of(["a"])?, vec![1.0], vec![1.0], 0.25, 0.5)?;
    /// let kernel = PairHiddenMarkov::of(parameters);
    /// // No event, and both runs of length 0.
    /// assert!((kernel.log("", "")? - (0.5f64 * 0.75 * 0.75).ln()).abs() < 1e-15);
    /// # Ok::<(), mercer::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Undefined`] for a letter that is not in the alphabet, or before the parameters are known.
    pub fn log(&self, x: &str, z: &str) -> Result<f64> {
        let parameters = self.known()?;
        let (x, z) = (parameters.digest(x)?, parameters.digest(z)?);
        Ok(parameters.normalised(&x, &z).ln() + log_factor(parameters, &x, &z))
    }

    fn known(&self) -> Result<&PairParameters> {
        self.parameters.as_ref().ok_or_else(|| Error::Undefined {
            what: "the pair hidden Markov kernel".into(),
            why: "it has to learn from training strings first".into(),
        })
    }
}

/// ln of what the entry in the corner was divided by.
fn log_factor(parameters: &PairParameters, x: &PairDigest, z: &PairDigest) -> f64 {
    0.5 * (x.log_norm + z.log_norm) + (parameters.end * parameters.closing()).ln()
}

impl DigestKernel<str> for PairHiddenMarkov {
    type Digest = PairDigest;

    fn digest(&self, item: &str) -> Result<PairDigest> {
        self.known()?.digest(item)
    }

    fn compare(&self, x: &PairDigest, z: &PairDigest) -> f64 {
        let Ok(parameters) = self.known() else { return f64::NAN };
        let value = parameters.normalised(x, z);
        if self.normalised { value } else { value * log_factor(parameters, x, z).exp() }
    }

    fn learn(&self, items: &[&str], weights: Option<&[f64]>) -> Result<Self> {
        match self.source {
            Source::Given => Ok(self.clone()),
            Source::Strings { gap, mutation } => {
                let parameters = PairParameters::from_strings(gap, mutation, items, weights)?;
                Ok(PairHiddenMarkov { parameters: Some(parameters), ..self.clone() })
            }
        }
    }
}

impl Kernel<str> for PairHiddenMarkov {
    fn eval(&self, x: &str, z: &str) -> f64 {
        self.try_eval(x, z).unwrap_or(f64::NAN)
    }

    fn try_eval(&self, x: &str, z: &str) -> Result<f64> {
        crate::kernel::eval_digests(self, x, z)
    }

    fn try_eval_diagonal(&self, x: &str) -> Result<f64> {
        Ok(self.compare_self(&DigestKernel::digest(self, x)?))
    }
}

/// A number in (0, 1).
fn share(name: &'static str, value: f64) -> Result<f64> {
    if value > 0.0 && value < 1.0 {
        return Ok(value);
    }
    Err(Error::Parameter { name, value, expected: "a number above 0 and below 1" })
}

impl TryFrom<StoredParameters> for PairParameters {
    type Error = Error;

    fn try_from(stored: StoredParameters) -> Result<Self> {
        let StoredParameters { alphabet, pairs, background, gap, end } = stored;
        PairParameters::new(alphabet, pairs, background, gap, end)
    }
}

impl From<PairParameters> for StoredParameters {
    fn from(parameters: PairParameters) -> Self {
        let PairParameters { alphabet, pairs, background, gap, end } = parameters;
        StoredParameters { alphabet, pairs, background, gap, end }
    }
}
