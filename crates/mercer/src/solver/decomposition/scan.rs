//! The passes over a working set that take the time of the inner method, written so that the compiler can
//! use vector instructions: fixed-width lanes, no branches, reductions in a fixed order.

/// Numbers a Gram block is kept in.
pub(super) trait Value: Copy + Default + Send + Sync {
    /// Distance from 1 to the next number.
    const EPSILON: f64;

    fn to_f64(self) -> f64;
}

impl Value for f32 {
    const EPSILON: f64 = f32::EPSILON as f64;

    #[inline(always)]
    fn to_f64(self) -> f64 {
        f64::from(self)
    }
}

impl Value for f64 {
    const EPSILON: f64 = f64::EPSILON;

    #[inline(always)]
    fn to_f64(self) -> f64 {
        self
    }
}

/// Lanes of the reductions: their order, and so the result, does not depend on the instruction set.
const LANES: usize = 8;

/// out = gradient + shift
pub(super) fn scores(gradient: &[f64], shift: &[f64], out: &mut [f64]) {
    for ((o, g), s) in out.iter_mut().zip(gradient).zip(shift) {
        *o = g + s;
    }
}

/// Position and value of the smallest score; `None` if none is finite. Ties go to the first.
pub(super) fn smallest(scores: &[f64]) -> Option<(usize, f64)> {
    let mut best = [f64::INFINITY; LANES];
    let mut chunks = scores.chunks_exact(LANES);
    for chunk in &mut chunks {
        for l in 0..LANES {
            best[l] = if chunk[l] < best[l] { chunk[l] } else { best[l] };
        }
    }
    let mut least = best.into_iter().fold(f64::INFINITY, f64::min);
    for &v in chunks.remainder() {
        least = least.min(v);
    }
    if least == f64::INFINITY {
        return None;
    }
    scores.iter().position(|&v| v == least).map(|k| (k, least))
}

/// The search for the second member of a pair.
pub(super) struct Partner<'a, T> {
    pub row: &'a [T],
    pub low: &'a [f64],
    pub curvature: &'a [f64],
    pub image: &'a [f64],
    pub own_curvature: f64,
    pub own_image: f64,
    pub inverse_delta: f64,
    pub up: f64,
    pub least_curvature: f64,
}

impl<T: Value> Partner<'_, T> {
    #[inline(always)]
    fn gain(&self, k: usize) -> f64 {
        let violation = self.low[k] - self.up;
        let overlap = self.own_image - self.image[k];
        let plain = self.own_curvature + self.curvature[k] - 2.0 * self.row[k].to_f64();
        let curvature = plain - overlap * overlap * self.inverse_delta;
        let curvature = if curvature > self.least_curvature { curvature } else { self.least_curvature };
        let gain = violation * violation / curvature;
        if violation > 0.0 { gain } else { -1.0 }
    }

    /// The best partner of all; ties go to the first.
    pub fn best(&self) -> Option<(usize, f64)> {
        let n = self.low.len();
        let mut best = [-1.0f64; LANES];
        let mut at = [0u32; LANES];
        let whole = n - n % LANES;
        for base in (0..whole).step_by(LANES) {
            for l in 0..LANES {
                let gain = self.gain(base + l);
                let better = gain > best[l];
                best[l] = if better { gain } else { best[l] };
                at[l] = if better { base as u32 } else { at[l] };
            }
        }
        let mut most: Option<(usize, f64)> = None;
        for l in 0..LANES {
            let k = at[l] as usize + l;
            let wins =
                best[l] > 0.0 && most.is_none_or(|(m, gain)| best[l] > gain || (best[l] == gain && k < m));
            if wins {
                most = Some((k, best[l]));
            }
        }
        for k in whole..n {
            let gain = self.gain(k);
            if gain > 0.0 && most.is_none_or(|(_, g)| gain > g) {
                most = Some((k, gain));
            }
        }
        most
    }

    /// The best partner among some.
    pub fn best_among(&self, among: impl Fn(usize) -> bool) -> Option<(usize, f64)> {
        let mut most: Option<(usize, f64)> = None;
        for k in (0..self.low.len()).filter(|&k| among(k)) {
            let gain = self.gain(k);
            if gain > 0.0 && most.is_none_or(|(_, g)| gain > g) {
                most = Some((k, gain));
            }
        }
        most
    }
}

/// r ← Kᵢ − Kⱼ + γr, g ← g + λr, and both scores, in one sweep.
pub(super) struct Pass<'a, T> {
    pub row_i: &'a [T],
    pub row_j: &'a [T],
    pub gamma: f64,
    pub length: f64,
}

impl<T: Value> Pass<'_, T> {
    pub fn run(
        &self,
        image: &mut [f64],
        gradient: &mut [f64],
        up_shift: &[f64],
        low_shift: &[f64],
        up: &mut [f64],
        low: &mut [f64],
    ) {
        let n = image.len();
        let (row_i, row_j) = (&self.row_i[..n], &self.row_j[..n]);
        let (gradient, up_shift, low_shift) = (&mut gradient[..n], &up_shift[..n], &low_shift[..n]);
        let (up, low) = (&mut up[..n], &mut low[..n]);
        for k in 0..n {
            let r = (row_i[k].to_f64() - row_j[k].to_f64()) + self.gamma * image[k];
            let g = gradient[k] + self.length * r;
            image[k] = r;
            gradient[k] = g;
            up[k] = g + up_shift[k];
            low[k] = g + low_shift[k];
        }
    }
}
