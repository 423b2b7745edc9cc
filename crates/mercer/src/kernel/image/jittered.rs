//! Images compared in the position in which they are most alike.

use serde::{Deserialize, Serialize};

use crate::data::{Items, Row, Vectors, VirtualExamples};
use crate::error::Result;
use crate::kernel::set::RowKernel;
use crate::kernel::{Definiteness, DigestKernel, Expression, Kernel, kernel_by_digests};

/// The jittered kernel: one of two images is moved until it is as close to the other as it gets.
///
/// k(x, z) = k₁(x′, z′), where (x′, z′) is the pair with the least distance k₁(x′, x′) − 2 k₁(x′, z′) + k₁(z′, z′) among
/// the images as they are, the distorted copies of x with z, and x with the distorted copies of z; the larger value counts of
/// pairs at the same distance. DeCoste and Schölkopf distort one of the two only; both make it symmetric. It is **not
/// positive semi-definite** in general: a machine trained with it has no duality gap to show. With m
/// distortions, it asks for 2m + 1 values of k₁ where virtual examples would ask for (m + 1)², and keeps the training set
/// as small as it was.
///
/// An item is a row of pixels. O(m) values of k₁ per pair, O(m × pixels) per image.
///
/// ```
/// use mercer::data::{Row, VirtualExamples};
/// use mercer::kernel::{Kernel, image::Jittered, vector::Linear};
/// let kernel = Jittered::new(Linear, VirtualExamples::new(1, 4)?.with_shifts(1)?)?;
/// let (x, z) = (Row::Dense64(&[0.0, 2.0, 1.0, 0.0]), Row::Dense64(&[2.0, 1.0, 0.0, 0.0]));
/// assert_eq!(kernel.eval(&x, &z), 5.0);
/// # Ok::<(), mercer::Error>(())
/// ```
///
/// # References
/// D. DeCoste & B. Schölkopf, *Training invariant support vector machines*, Machine Learning 46, 2002.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Jittered {
    rows: RowKernel,
    copies: VirtualExamples,
}

/// What the jittered kernel keeps of an image: all its copies, and k₁ of each with itself.
#[derive(Clone, Debug)]
pub struct JitteredImage {
    copies: Vectors<'static>,
    squares: Vec<f64>,
}

impl Jittered {
    /// Images compared by this kernel, and moved in these ways.
    ///
    /// # Errors
    /// [`Error::Unsupported`](crate::Error::Unsupported) for a kernel with white noise, which no copy of an image has.
    pub fn new(kernel: impl Into<Expression>, copies: VirtualExamples) -> Result<Self> {
        Ok(Jittered { rows: RowKernel::new(kernel)?, copies })
    }

    /// The kernel that compares.
    pub fn kernel(&self) -> &Expression {
        self.rows.kernel()
    }

    /// The ways in which images are moved.
    pub fn copies(&self) -> &VirtualExamples {
        &self.copies
    }
}

impl<'r> DigestKernel<Row<'r>> for Jittered {
    type Digest = JitteredImage;

    fn digest(&self, image: &Row<'r>) -> Result<JitteredImage> {
        let copies = self.rows.digest(&Vectors::from_rows(&self.copies.of(image)?)?)?;
        let kernel = self.rows.kernel();
        let squares = (0..copies.len()).map(|copy| kernel.eval_diagonal(&copies.get(copy))).collect();
        Ok(JitteredImage { copies, squares })
    }

    fn compare(&self, x: &JitteredImage, z: &JitteredImage) -> f64 {
        let kernel = self.rows.kernel();
        // The squared distance of two copies, and the value.
        let pair = |a: usize, b: usize| {
            let value = kernel.eval(&x.copies.get(a), &z.copies.get(b));
            ((x.squares[a] + z.squares[b] - 2.0 * value).max(0.0), value)
        };
        let of_x = (0..x.squares.len()).map(|a| pair(a, 0));
        let of_z = (1..z.squares.len()).map(|b| pair(0, b));
        let closer = |best: (f64, f64), other: (f64, f64)| {
            if other.0 < best.0 || (other.0 == best.0 && other.1 > best.1) { other } else { best }
        };
        of_x.chain(of_z).reduce(closer).map_or(f64::NAN, |(_, value)| value)
    }

    fn learn(&self, images: &[&Row<'r>], weights: Option<&[f64]>) -> Result<Self> {
        let pixels = self.copies.shape().0 * self.copies.shape().1;
        let rows: Vec<Vec<f64>> = images.iter().map(|image| image.to_dense(pixels)).collect();
        let sets: Vec<Vectors<'_>> =
            rows.iter().map(|row| Vectors::from_rows(&[row])).collect::<Result<_>>()?;
        let rows = self.rows.learn(&sets.iter().collect::<Vec<_>>(), weights)?;
        Ok(Jittered { rows, copies: self.copies.clone() })
    }

    fn definiteness(&self) -> Definiteness {
        Definiteness::NotGuaranteed
    }
}

kernel_by_digests!(['r] Jittered, Row<'r>);
