//! An offset is one more weight.

/// A hyperplane ⟨w, φ(x)⟩ + b = 0 with ‖w‖ = 1, and what bounds ask about the rows that it divides.
///
/// ```
/// use mercer::evaluation::bounds::Hyperplane;
/// let plane = Hyperplane { rows: 10, trace: 40.0, squared_radius: 4.0, margin: 0.5, offset: Some(2.0) };
/// let folded = plane.folded();
/// // b = R makes w longer by √2, and so the margin shorter.
/// assert!((folded.margin - 0.5 / 2f64.sqrt()).abs() < 1e-12);
/// assert_eq!((folded.trace, folded.squared_radius, folded.offset), (80.0, 8.0, None));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hyperplane {
    /// ℓ
    pub rows: usize,
    /// tr(K)
    pub trace: f64,
    /// R², about the origin.
    pub squared_radius: f64,
    /// γ, a distance.
    pub margin: f64,
    /// b, a distance; none where there is no offset to be chosen.
    pub offset: Option<f64>,
}

impl Hyperplane {
    /// The same hyperplane without an offset, in a feature space of one more dimension.
    ///
    /// Every row gets one more feature, R, and w one more weight, b/R: the kernel becomes k + R². So tr(K) becomes tr(K) + ℓR²,
    /// R² becomes 2R², and at ‖w‖ = 1 the margin becomes γ/√(1 + b²/R²). Slacks keep their proportion to the margin. Theorems
    /// about functions without an offset hold for it as they stand, where the texts leave the offset out of account
    /// (Shawe-Taylor & Cristianini, Remark 7.17). Without an offset nothing changes;
    /// one that was chosen to be 0 counts.
    pub fn folded(&self) -> Hyperplane {
        let Some(offset) = self.offset else { return *self };
        let longer = (1.0 + offset * offset / self.squared_radius).sqrt();
        Hyperplane {
            trace: self.trace + self.rows as f64 * self.squared_radius,
            squared_radius: 2.0 * self.squared_radius,
            margin: self.margin / longer,
            offset: None,
            ..*self
        }
    }
}
