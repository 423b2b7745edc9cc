//! Images in rows, and what they look like when they are moved a little.
//!
//! What is in an image does not change if it is shifted by a pixel, turned by a few degrees or seen from nearer. A learner
//! can be told so by *virtual examples*, distorted copies of the training images.

use serde::{Deserialize, Serialize};

use crate::data::{Dense, Items, Row, Vectors};
use crate::error::{Error, Result};

/// A way to distort an image. The centre of the image stays where it is, except in a shift.
///
/// Values between pixels are interpolated (bilinear); what comes from outside of the image has the value of the background.
///
/// ```
/// use mercer::data::{Distortion, VirtualExamples};
/// let copies = VirtualExamples::new(2, 3)?.with(Distortion::Shift { down: 0, right: 1 })?;
/// let image = mercer::data::Row::Dense64(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
/// assert_eq!(copies.of(&image)?[1], [0.0, 1.0, 2.0, 0.0, 4.0, 5.0]);
/// # Ok::<(), mercer::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Distortion {
    /// By whole pixels.
    Shift {
        /// Negative upwards.
        down: i32,
        /// Negative to the left.
        right: i32,
    },
    /// By an angle, anticlockwise.
    Rotation {
        /// The angle.
        degrees: f64,
    },
    /// By a factor: above 1 what is in the image becomes larger.
    Zoom {
        /// Above 0.
        factor: f64,
    },
}

impl Distortion {
    fn check(&self) -> Result<()> {
        match *self {
            Distortion::Rotation { degrees } if !degrees.is_finite() => {
                Err(Error::Parameter { name: "degrees", value: degrees, expected: "a finite number" })
            }
            Distortion::Zoom { factor } if !(factor.is_finite() && factor > 0.0) => {
                Err(Error::Parameter { name: "factor", value: factor, expected: "a finite number above 0" })
            }
            _ => Ok(()),
        }
    }

    /// Where what is seen at a place (from the centre: down, right) was before.
    fn source(&self) -> impl Fn(f64, f64) -> (f64, f64) {
        let (a, b, down, right) = match *self {
            Distortion::Shift { down, right } => (1.0, 0.0, f64::from(down), f64::from(right)),
            Distortion::Rotation { degrees } => {
                (degrees.to_radians().cos(), degrees.to_radians().sin(), 0.0, 0.0)
            }
            Distortion::Zoom { factor } => (1.0 / factor, 0.0, 0.0, 0.0),
        };
        move |y, x| (a * (y - down) + b * (x - right), a * (x - right) - b * (y - down))
    }
}

/// Images of one shape in rows, pixel after pixel from the top left, and the distorted copies that are made of them.
///
/// O(pixels × distortions) per image.
///
/// ```
/// use mercer::data::{Distortion, Items, Vectors, VirtualExamples};
/// let copies = VirtualExamples::new(2, 2)?.with_shifts(1)?.with(Distortion::Rotation { degrees: 10.0 })?;
/// let images = Vectors::from_rows(&[[1.0, 2.0, 3.0, 4.0], [0.0, 0.0, 0.0, 9.0]])?;
/// let (all, origin) = copies.extend(&images)?;
/// // Each image, its 8 shifts and its rotation; the labels of all are those of `origin`.
/// assert_eq!((all.len(), origin[9], origin[10]), (20, 0, 1));
/// # Ok::<(), mercer::Error>(())
/// ```
///
/// # References
/// B. Schölkopf, C. Burges & V. Vapnik, *Incorporating invariances in support vector learning machines*, ICANN 1996.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Parts")]
pub struct VirtualExamples {
    height: usize,
    width: usize,
    background: f64,
    distortions: Vec<Distortion>,
}

/// What files hold.
#[derive(Deserialize)]
struct Parts {
    height: usize,
    width: usize,
    background: f64,
    distortions: Vec<Distortion>,
}

impl TryFrom<Parts> for VirtualExamples {
    type Error = Error;

    fn try_from(parts: Parts) -> Result<Self> {
        let empty = VirtualExamples::new(parts.height, parts.width)?.on_background(parts.background)?;
        parts.distortions.into_iter().try_fold(empty, VirtualExamples::with)
    }
}

impl VirtualExamples {
    /// Images of this height and width, on a background of 0, without distortions so far.
    ///
    /// # Errors
    /// [`Error::Empty`] if there are no pixels, [`Error::Unsupported`] if they cannot be counted.
    pub fn new(height: usize, width: usize) -> Result<Self> {
        match height.checked_mul(width) {
            Some(0) => Err(Error::Empty { what: "pixels in the image" }),
            None => Err(Error::Unsupported { what: format!("an image of {height} × {width} pixels") }),
            Some(_) => Ok(VirtualExamples { height, width, background: 0.0, distortions: Vec::new() }),
        }
    }

    /// The same on a background of another value: −1 where that is white, for example.
    ///
    /// # Errors
    /// [`Error::Parameter`] if it is not finite.
    pub fn on_background(self, value: f64) -> Result<Self> {
        if !value.is_finite() {
            return Err(Error::Parameter { name: "background", value, expected: "a finite number" });
        }
        Ok(VirtualExamples { background: value, ..self })
    }

    /// The same with one more distortion.
    ///
    /// # Errors
    /// [`Error::Parameter`] for an angle or a factor that is none.
    pub fn with(mut self, distortion: Distortion) -> Result<Self> {
        distortion.check()?;
        self.distortions.push(distortion);
        Ok(self)
    }

    /// The same with all shifts by up to so many pixels in either direction: (2n + 1)² − 1 more distortions.
    ///
    /// # Errors
    /// [`Error::Parameter`] for more pixels than the image has.
    pub fn with_shifts(mut self, pixels: usize) -> Result<Self> {
        if pixels > self.height.max(self.width) || pixels > 1000 {
            let expected = "no more pixels than the image has in one direction, and 1000 at most";
            return Err(Error::Parameter { name: "pixels", value: pixels as f64, expected });
        }
        let most = pixels as i32;
        for down in -most..=most {
            let shifts = (-most..=most).map(|right| Distortion::Shift { down, right });
            self.distortions.extend(shifts.filter(|shift| *shift != Distortion::Shift { down: 0, right: 0 }));
        }
        Ok(self)
    }

    /// Height and width of the images.
    pub fn shape(&self) -> (usize, usize) {
        (self.height, self.width)
    }

    /// The value of what is outside of the image.
    pub fn background(&self) -> f64 {
        self.background
    }

    /// The distortions.
    pub fn distortions(&self) -> &[Distortion] {
        &self.distortions
    }

    /// An image, then its distorted copies.
    ///
    /// # Errors
    /// [`Error::Shape`] if it has another number of pixels.
    pub fn of(&self, image: &Row<'_>) -> Result<Vec<Vec<f64>>> {
        let expected = self.height * self.width;
        let found = match *image {
            Row::Sparse { indices, .. } => indices.last().map_or(0, |&last| last as usize + 1).max(expected),
            dense => dense.columns().unwrap_or(0),
        };
        if found != expected {
            return Err(Error::Shape { what: "pixels of the image", expected, found });
        }
        let original = image.to_dense(expected);
        let copies: Vec<Vec<f64>> =
            self.distortions.iter().map(|distortion| self.copy(&original, distortion)).collect();
        Ok(std::iter::once(original).chain(copies).collect())
    }

    /// All images, each followed by its distorted copies, and for each row the image that it was made of.
    ///
    /// # Errors
    /// As [`VirtualExamples::of`].
    pub fn extend(&self, images: &Vectors<'_>) -> Result<(Vectors<'static>, Vec<usize>)> {
        let (mut values, mut origin) = (Vec::new(), Vec::new());
        for i in 0..images.len() {
            for copy in self.of(&images.get(i))? {
                values.extend(copy);
                origin.push(i);
            }
        }
        Ok((Dense::new(values, origin.len(), self.height * self.width)?.into(), origin))
    }

    fn copy(&self, image: &[f64], distortion: &Distortion) -> Vec<f64> {
        let source = distortion.source();
        let (middle_y, middle_x) = ((self.height - 1) as f64 / 2.0, (self.width - 1) as f64 / 2.0);
        let mut copy = Vec::with_capacity(image.len());
        for y in 0..self.height {
            for x in 0..self.width {
                let (from_y, from_x) = source(y as f64 - middle_y, x as f64 - middle_x);
                copy.push(self.between(image, from_y + middle_y, from_x + middle_x));
            }
        }
        copy
    }

    /// The value at a place between pixels.
    fn between(&self, image: &[f64], y: f64, x: f64) -> f64 {
        let (top, left) = (y.floor(), x.floor());
        let (below, beside) = (y - top, x - left);
        let corners = [
            (top, left, (1.0 - below) * (1.0 - beside)),
            (top, left + 1.0, (1.0 - below) * beside),
            (top + 1.0, left, below * (1.0 - beside)),
            (top + 1.0, left + 1.0, below * beside),
        ];
        let value = |y: f64, x: f64| {
            let inside = y >= 0.0 && x >= 0.0 && y < self.height as f64 && x < self.width as f64;
            if inside { image[y as usize * self.width + x as usize] } else { self.background }
        };
        corners.iter().filter(|corner| corner.2 > 0.0).map(|&(y, x, weight)| weight * value(y, x)).sum()
    }
}
