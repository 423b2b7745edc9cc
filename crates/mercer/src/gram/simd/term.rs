//! φ: the sums over columns, one step per column.

use crate::gram::simd::functions::sine_squared;
use crate::gram::simd::vector::Vector;
use crate::kernel::vector::Measure;

/// Which sum is formed over the columns of two packed items.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::gram) enum Term {
    Dot,
    SquaredDifference,
    /// ⟨x, z⟩, from which |x|² + |z|² − 2⟨x, z⟩ is formed afterwards.
    DistanceByDot,
    AbsoluteDifference,
    ChiSquareDistance,
    ChiSquareSimilarity,
    Minimum,
    /// sin²(π(x − z)) of items that are already divided by the period.
    SineSquared,
}

impl Term {
    /// The sum of a measure; distances by inner products where that is said.
    pub fn of(measure: Measure, inner_products: bool) -> Self {
        match measure {
            Measure::Dot => Term::Dot,
            Measure::SquaredDistance if inner_products => Term::DistanceByDot,
            Measure::SquaredDistance => Term::SquaredDifference,
            Measure::Manhattan => Term::AbsoluteDifference,
            Measure::ChiSquareDistance => Term::ChiSquareDistance,
            Measure::ChiSquareSimilarity => Term::ChiSquareSimilarity,
            Measure::Minimum => Term::Minimum,
            Measure::SineSquared { .. } => Term::SineSquared,
        }
    }
}

/// A [`Term`] known at compile time.
pub(super) trait Step: Copy {
    /// Whether the sum is an inner product that becomes a distance afterwards.
    const DISTANCE_BY_DOT: bool = false;
    /// sum + φ(x, z); symmetric in x and z to the bit.
    fn step<V: Vector>(x: V, z: V, sum: V) -> V;
}

macro_rules! step {
    ($name:ident, |$x:ident, $z:ident, $sum:ident| $body:expr $(, $constant:ident)?) => {
        #[derive(Clone, Copy)]
        pub(super) struct $name;
        impl Step for $name {
            $(const $constant: bool = true;)?
            #[inline(always)]
            fn step<V: Vector>($x: V, $z: V, $sum: V) -> V {
                $body
            }
        }
    };
}

step!(Dot, |x, z, sum| x.fma(z, sum));
step!(DistanceByDot, |x, z, sum| x.fma(z, sum), DISTANCE_BY_DOT);
step!(SquaredDifference, |x, z, sum| {
    let difference = x.sub(z);
    difference.fma(difference, sum)
});
step!(AbsoluteDifference, |x, z, sum| sum.add(x.sub(z).abs()));
step!(ChiSquareDistance, |x, z, sum| {
    let (difference, total) = (x.sub(z), x.add(z));
    let zero = V::constant(0.0);
    let term = difference.mul(difference).div(total);
    sum.add(V::select(total.equal(zero), zero, term))
});
step!(ChiSquareSimilarity, |x, z, sum| {
    let (product, total) = (x.mul(z), x.add(z));
    let zero = V::constant(0.0);
    let term = product.add(product).div(total);
    sum.add(V::select(total.equal(zero), zero, term))
});
step!(Minimum, |x, z, sum| sum.add(x.min(z)));
step!(SineSquared, |x, z, sum| sum.add(sine_squared(x.sub(z))));
