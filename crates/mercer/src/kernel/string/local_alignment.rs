//! All local alignments of two strings at once.

use serde::{Deserialize, Serialize};

use crate::error::{Error, Result};
use crate::kernel::string::{Sequence, Substitution, ordered};
use crate::kernel::{Definiteness, DigestKernel, check, kernel_by_digests};
use crate::linalg::{Matrix, symmetric_eigenvalues};

/// The local alignment kernel: a soft maximum of the scores of all local alignments.
///
/// With K(x, z) = Σ_π exp(β s(π)) over all local alignments π of x and z (the empty one included), whose score s adds up the
/// table's scores of aligned symbols and subtracts `open` for the first and `extend` for each further symbol of a gap,
/// the value is one of
///
/// * (1/β) ln K(x, z), which tends to the score of Smith and Waterman as β grows: [`new`](LocalAlignment::new). **Not** a
///   positive semi-definite kernel in general, though near to one on real proteins;
/// * K(x, z) / √(K(x, x) K(z, z)): [`exponential`](LocalAlignment::exponential). Positive semi-definite if the matrix
///   exp(β s(a, b)) of the table is, which is looked up for the β that is given; often nearly diagonal.
///
/// O(|x| |z|) per pair. Values of K beyond the range of numbers are kept with an exponent of their own.
///
/// ```
/// use mercer::kernel::{Definiteness, DigestKernel, Kernel};
/// use mercer::kernel::string::{LocalAlignment, Substitution};
/// let table = Substitution::identity("ACGT", 2.0, -1.0)?;
/// let kernel = LocalAlignment::new(table.clone(), 3.0, 1.0, 1.0)?;
/// // The empty alignment, and A with A.
/// assert!((kernel.eval("A", "A") - (1.0 + 2.0f64.exp()).ln()).abs() < 1e-15);
/// // Sharper, it is the score of the best alignment: ACG with ACG.
/// let sharp = LocalAlignment::new(table.clone(), 3.0, 1.0, 40.0)?;
/// assert!((sharp.eval("TACG", "ACGC") - 6.0).abs() < 1e-12);
/// let kernel = LocalAlignment::exponential(table, 3.0, 1.0, 1.0)?;
/// assert_eq!(DigestKernel::<str>::definiteness(&kernel), Definiteness::Guaranteed);
/// # Ok::<(), mercer::Error>(())
/// ```
///
/// Saigo, Vert, Ueda, Akutsu: Protein homology detection using string alignment kernels, 2004 (there β = 0.5 with
/// BLOSUM62, open = 11 and extend = 1).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Raw")]
pub struct LocalAlignment {
    table: Substitution,
    open: f64,
    extend: f64,
    beta: f64,
    exponential: bool,
    #[serde(skip_serializing)]
    definite: bool,
}

#[derive(Deserialize)]
struct Raw {
    table: Substitution,
    open: f64,
    extend: f64,
    beta: f64,
    exponential: bool,
}

impl TryFrom<Raw> for LocalAlignment {
    type Error = Error;

    fn try_from(raw: Raw) -> Result<Self> {
        LocalAlignment::build(raw.table, raw.open, raw.extend, raw.beta, raw.exponential)
    }
}

/// β s(a, b) at most, in size: one step must not leave the range that a [`Large`] number is brought back to.
const STEEPEST: f64 = 150.0;

impl LocalAlignment {
    /// The logarithm (1/β) ln K, with these penalties of gaps.
    ///
    /// # Errors
    /// [`Error::Parameter`] for a negative penalty, a β that is not above 0, or one that makes β · score larger than 150.
    pub fn new(table: Substitution, open: f64, extend: f64, beta: f64) -> Result<Self> {
        Self::build(table, open, extend, beta, false)
    }

    /// K itself at unit length.
    ///
    /// # Errors
    /// As [`LocalAlignment::new`].
    pub fn exponential(table: Substitution, open: f64, extend: f64, beta: f64) -> Result<Self> {
        Self::build(table, open, extend, beta, true)
    }

    fn build(table: Substitution, open: f64, extend: f64, beta: f64, exponential: bool) -> Result<Self> {
        let (open, extend) = (check::non_negative("open", open)?, check::non_negative("extend", extend)?);
        let steepest = table.scores().iter().fold(0.0f64, |most, score| most.max(score.abs()));
        if check::positive("beta", beta)? * steepest > STEEPEST {
            let expected = "a number whose product with each score is at most 150";
            return Err(Error::Parameter { name: "beta", value: beta, expected });
        }
        let n = table.letters().len();
        let definite = exponential && {
            let steps = Matrix::from_fn(n, n, |i, j| (beta * table.scores()[i * n + j]).exp());
            let eigenvalues = symmetric_eigenvalues(&steps)?;
            eigenvalues[0] >= -1e-12 * eigenvalues[n - 1]
        };
        Ok(LocalAlignment { table, open, extend, beta, exponential, definite })
    }

    /// The scores of symbols.
    pub fn table(&self) -> &Substitution {
        &self.table
    }

    /// What the first symbol of a gap costs.
    pub fn open(&self) -> f64 {
        self.open
    }

    /// What each further symbol of a gap costs.
    pub fn extend(&self) -> f64 {
        self.extend
    }

    /// β
    pub fn beta(&self) -> f64 {
        self.beta
    }

    /// Whether the value is K at unit length, not its logarithm.
    pub fn is_exponential(&self) -> bool {
        self.exponential
    }

    /// ln K(x, z) of positions in the table.
    fn logarithm(&self, x: &[u32], z: &[u32]) -> f64 {
        let (x, z) = ordered(x, z);
        let n = self.table.letters().len();
        let steps: Vec<f64> = self.table.scores().iter().map(|score| (self.beta * score).exp()).collect();
        let (open, extend) = ((-self.beta * self.open).exp(), (-self.beta * self.extend).exp());
        // Sums over the alignments of a prefix of x and one of z that end in a pair of symbols, in a gap of z and in a gap
        // of x. A gap of z may come before one of x but not after it, so that each alignment is met once.
        let mut cells = vec![Cell::default(); z.len() + 1];
        let mut all = Large::new(1.0);
        for &a in x {
            let mut corner = cells[0];
            cells[0] = Cell::default();
            let mut left = Cell::default();
            for (cell, &b) in cells[1..].iter_mut().zip(z) {
                let above = *cell;
                let before = Large::new(1.0).plus(corner.pair).plus(corner.gap_z).plus(corner.gap_x);
                cell.pair = before.times(steps[a as usize * n + b as usize]);
                cell.gap_z = above.pair.times(open).plus(above.gap_z.times(extend));
                cell.gap_x = left.pair.plus(left.gap_z).times(open).plus(left.gap_x.times(extend));
                all = all.plus(cell.pair);
                (corner, left) = (above, *cell);
            }
        }
        all.ln()
    }
}

/// What is kept of a string: its symbols as positions in the table, and ln K(x, x).
#[derive(Clone, Debug)]
pub struct Aligned {
    positions: Vec<u32>,
    own: f64,
}

impl<S: Sequence + ?Sized> DigestKernel<S> for LocalAlignment {
    type Digest = Aligned;

    fn digest(&self, item: &S) -> Result<Aligned> {
        let find = |(at, symbol): (usize, u32)| {
            let letter = char::from_u32(symbol);
            letter.and_then(|letter| self.table.position(letter)).map(|position| position as u32).ok_or_else(
                || {
                    let name = letter.map_or_else(|| symbol.to_string(), |letter| format!("{letter:?}"));
                    Error::Unsupported { what: format!("symbol {} is {name}, which has no scores", at + 1) }
                },
            )
        };
        let positions: Vec<u32> = item.symbols().into_iter().enumerate().map(find).collect::<Result<_>>()?;
        let own = self.logarithm(&positions, &positions);
        Ok(Aligned { positions, own })
    }

    fn compare(&self, x: &Aligned, z: &Aligned) -> f64 {
        let logarithm = self.logarithm(&x.positions, &z.positions);
        if self.exponential { (logarithm - 0.5 * (x.own + z.own)).exp() } else { logarithm / self.beta }
    }

    fn compare_self(&self, x: &Aligned) -> f64 {
        if self.exponential { 1.0 } else { x.own / self.beta }
    }

    fn definiteness(&self) -> Definiteness {
        Definiteness::when(self.definite)
    }
}

kernel_by_digests!([S: Sequence + ?Sized] LocalAlignment, S);

#[derive(Clone, Copy, Default)]
struct Cell {
    pair: Large,
    gap_z: Large,
    gap_x: Large,
}

/// A number of at least 0: mantissa · 2^(512 · exponent), the mantissa below 2²⁵⁶ and at least 2⁻²⁵⁶ unless the exponent
/// is the least.
#[derive(Clone, Copy, Default)]
struct Large {
    mantissa: f64,
    exponent: i32,
}

/// 2²⁵⁶, and the step of exponents 2⁵¹².
const HIGH: f64 = f64::from_bits((1023 + 256) << 52);
const STEP: f64 = f64::from_bits((1023 + 512) << 52);

impl Large {
    fn new(value: f64) -> Self {
        Large { mantissa: value, exponent: 0 }
    }

    fn plus(self, other: Large) -> Large {
        let (more, less) = if self.exponent >= other.exponent { (self, other) } else { (other, self) };
        let sum = match more.exponent - less.exponent {
            0 => more.mantissa + less.mantissa,
            1 => more.mantissa + less.mantissa / STEP,
            // Less than the last digit, unless the mantissa is 0.
            _ if more.mantissa > 0.0 => more.mantissa,
            _ => return less,
        };
        Large { mantissa: sum, exponent: more.exponent }.settled()
    }

    fn times(self, factor: f64) -> Large {
        Large { mantissa: self.mantissa * factor, ..self }.settled()
    }

    fn settled(self) -> Large {
        if self.mantissa >= HIGH {
            return Large { mantissa: self.mantissa / STEP, exponent: self.exponent + 1 };
        }
        if self.mantissa < 1.0 / HIGH && self.mantissa > 0.0 {
            return Large { mantissa: self.mantissa * STEP, exponent: self.exponent - 1 };
        }
        self
    }

    fn ln(self) -> f64 {
        self.mantissa.ln() + f64::from(self.exponent) * 512.0 * std::f64::consts::LN_2
    }
}
