//! The jittered kernel on pictures whose size the training items tell.

use std::num::NonZeroUsize;

use serde::{Deserialize, Serialize};

use crate::data::{Distortion, Row, Series, VirtualExamples};
use crate::error::{Error, Result};
use crate::kernel::image::{Jittered, JitteredImage};
use crate::kernel::set::RowKernel;
use crate::kernel::{Definiteness, DigestKernel, Expression, check, kernel_by_digests};

/// The [`Jittered`] kernel on pictures that are given line by line.
///
/// An item is a [`Series`] that is not one in time: a time is a line of the picture, and a channel a column. Where pictures come as
/// one long row of pixels, [`width`](JitteredPictures::width) says how many pixels are a line. How large the pictures are
/// is learned from the training items; all must be of one size. O(m) values of k₁ per pair with m distortions, O(m × pixels) per
/// picture.
///
/// ```
/// use mercer::data::Series;
/// use mercer::kernel::{DigestKernel, Kernel, image::JitteredPictures, vector::Linear};
/// let x = Series::new(vec![0.0, 0.0, 2.0, 1.0], 2)?;
/// let z = Series::new(vec![2.0, 1.0, 0.0, 0.0], 2)?;
/// let kernel = JitteredPictures::new(Linear)?.shifts(1).learn(&[&x, &z], None)?;
/// // z is x, moved up by one line.
/// assert_eq!(kernel.eval(&x, &z), 5.0);
/// # Ok::<(), mercer::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct JitteredPictures {
    rows: RowKernel,
    width: Option<NonZeroUsize>,
    shifts: usize,
    rotations: Vec<f64>,
    zooms: Vec<f64>,
    background: f64,
    /// With the size of the pictures, once it is known.
    sized: Option<Box<Jittered>>,
}

impl JitteredPictures {
    /// Pictures compared by this kernel, not moved so far.
    ///
    /// # Errors
    /// [`Error::Unsupported`] for a kernel with white noise, which no copy of a picture has.
    pub fn new(kernel: impl Into<Expression>) -> Result<Self> {
        let rows = RowKernel::new(kernel)?;
        let (rotations, zooms) = (Vec::new(), Vec::new());
        Ok(JitteredPictures { rows, width: None, shifts: 0, rotations, zooms, background: 0.0, sized: None })
    }

    /// So many pixels are a line, in pictures that come as one row of pixels.
    ///
    /// # Errors
    /// [`Error::Parameter`] if that is 0.
    pub fn width(self, pixels: usize) -> Result<Self> {
        match NonZeroUsize::new(pixels) {
            Some(pixels) => Ok(JitteredPictures { width: Some(pixels), ..self }),
            None => {
                let expected = "a whole number of at least 1";
                Err(Error::Parameter { name: "width", value: 0.0, expected })
            }
        }
    }

    /// Moved by up to so many pixels in either direction.
    pub fn shifts(self, pixels: usize) -> Self {
        JitteredPictures { shifts: pixels, ..self }
    }

    /// Turned by each of these angles, in degrees anticlockwise.
    ///
    /// # Errors
    /// [`Error::Parameter`] for one that is not finite.
    pub fn rotations(self, degrees: Vec<f64>) -> Result<Self> {
        if let Some(&value) = degrees.iter().find(|angle| !angle.is_finite()) {
            return Err(Error::Parameter { name: "rotations", value, expected: "finite numbers" });
        }
        Ok(JitteredPictures { rotations: degrees, ..self })
    }

    /// Enlarged by each of these factors.
    ///
    /// # Errors
    /// [`Error::Parameter`] for one that is not above 0.
    pub fn zooms(self, factors: Vec<f64>) -> Result<Self> {
        factors.iter().try_for_each(|&factor| check::positive("zooms", factor).map(|_| ()))?;
        Ok(JitteredPictures { zooms: factors, ..self })
    }

    /// What is seen outside of a picture (0).
    ///
    /// # Errors
    /// [`Error::Parameter`] if it is not finite.
    pub fn background(self, value: f64) -> Result<Self> {
        if !value.is_finite() {
            return Err(Error::Parameter { name: "background", value, expected: "a finite number" });
        }
        Ok(JitteredPictures { background: value, ..self })
    }

    /// The kernel that compares, as it was given.
    pub fn kernel(&self) -> &Expression {
        self.rows.kernel()
    }

    /// The pixels of a line, where they were told.
    pub fn line(&self) -> Option<usize> {
        self.width.map(NonZeroUsize::get)
    }

    /// By how many pixels pictures are moved, the angles and the factors, and what is seen outside of them.
    pub fn movements(&self) -> (usize, &[f64], &[f64], f64) {
        (self.shifts, &self.rotations, &self.zooms, self.background)
    }

    /// Height and width.
    fn size(&self, picture: &Series) -> Result<(usize, usize)> {
        match self.line() {
            None => Ok((picture.len(), picture.channels())),
            Some(width) => {
                let found = picture.values().len();
                if !found.is_multiple_of(width) {
                    let what = format!("a picture of {found} pixels has no whole lines of width = {width}");
                    return Err(Error::Unsupported { what });
                }
                Ok((found / width, width))
            }
        }
    }

    fn with_size(&self, (height, width): (usize, usize)) -> Result<Jittered> {
        let mut copies = VirtualExamples::new(height, width)?.on_background(self.background)?;
        if self.shifts > 0 {
            copies = copies.with_shifts(self.shifts)?;
        }
        let rotations = self.rotations.iter().map(|&degrees| Distortion::Rotation { degrees });
        let zooms = self.zooms.iter().map(|&factor| Distortion::Zoom { factor });
        let copies = rotations.chain(zooms).try_fold(copies, VirtualExamples::with)?;
        Jittered::new(self.rows.kernel().clone(), copies)
    }

    fn known(&self) -> Result<&Jittered> {
        self.sized.as_deref().ok_or_else(|| Error::Undefined {
            what: "the jittered kernel".into(),
            why: "it has to learn from training pictures first".into(),
        })
    }
}

impl DigestKernel<Series> for JitteredPictures {
    type Digest = JitteredImage;

    fn digest(&self, picture: &Series) -> Result<JitteredImage> {
        let jittered = self.known()?;
        let (expected, found) = (jittered.copies().shape(), self.size(picture)?);
        if found != expected {
            let what = if found.0 == expected.0 { "pixels of a line" } else { "lines of a picture" };
            let (expected, found) =
                if found.0 == expected.0 { (expected.1, found.1) } else { (expected.0, found.0) };
            return Err(Error::Shape { what, expected, found });
        }
        jittered.digest(&Row::Dense64(picture.values()))
    }

    fn compare(&self, x: &JitteredImage, z: &JitteredImage) -> f64 {
        self.known().map_or(f64::NAN, |jittered| jittered.compare(x, z))
    }

    /// The size of the pictures is that of the first one.
    fn learn(&self, pictures: &[&Series], weights: Option<&[f64]>) -> Result<Self> {
        let first = pictures.first().ok_or(Error::Empty { what: "pictures" })?;
        let size = self.size(first)?;
        for (index, picture) in pictures.iter().enumerate() {
            if self.size(picture)? != size {
                let (expected, found) = (first.values().len(), picture.values().len());
                let source = Box::new(Error::Shape { what: "pixels of a picture", expected, found });
                return Err(Error::Item { index, source });
            }
        }
        let rows: Vec<Row<'_>> = pictures.iter().map(|picture| Row::Dense64(picture.values())).collect();
        let sized = self.with_size(size)?.learn(&rows.iter().collect::<Vec<_>>(), weights)?;
        Ok(JitteredPictures { sized: Some(Box::new(sized)), ..self.clone() })
    }

    fn definiteness(&self) -> Definiteness {
        Definiteness::NotGuaranteed
    }
}

kernel_by_digests!(JitteredPictures, Series);
