//! The iterate that is proved to be the best: where rounding spoils the later ones, it is the answer.

use crate::solver::Certificate;

/// The part of the least gap to which it must fall for an interior-point solve to count as progress.
const PROGRESS: f64 = 0.5;

/// The iterate with the smallest duality gap so far.
#[derive(Default)]
pub(super) struct Best {
    kept: Option<(f64, Vec<f64>)>,
    /// The least gap at the last interior-point solve.
    noted: Option<f64>,
}

fn gap_of(certificate: &Certificate) -> f64 {
    match certificate.duality_gap() {
        gap if gap.is_nan() => f64::INFINITY,
        gap => gap,
    }
}

impl Best {
    /// Looks at an iterate whose values are known for all examples.
    pub fn notice(&mut self, certificate: &Certificate, tau: &[f64]) {
        let gap = gap_of(certificate);
        if self.kept.as_ref().is_none_or(|(least, _)| gap < *least) {
            self.kept = Some((gap, tau.to_vec()));
        }
    }

    /// Whether the least gap fell by as much as counts since this was last asked.
    pub fn has_progressed(&mut self) -> bool {
        let least = self.kept.as_ref().map_or(f64::INFINITY, |(gap, _)| *gap);
        let before = self.noted.replace(least);
        before.is_none_or(|before| least < PROGRESS * before)
    }

    /// τ of the best iterate, if its gap is smaller than that of the last one.
    pub fn better_than(self, last: &Certificate) -> Option<Vec<f64>> {
        self.kept.filter(|(gap, _)| *gap < gap_of(last)).map(|(_, tau)| tau)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn certificate(gap: f64) -> Certificate {
        Certificate { kkt_gap: 0.0, dual: 1.0, primal: 1.0 + gap, scale: 0.0 }
    }

    #[test]
    fn the_smallest_gap_is_kept() {
        let mut best = Best::default();
        best.notice(&certificate(f64::NAN), &[0.0]);
        best.notice(&certificate(0.5), &[1.0]);
        assert!(best.has_progressed());
        best.notice(&certificate(0.375), &[2.0]);
        assert!(!best.has_progressed());
        best.notice(&certificate(0.125), &[3.0]);
        best.notice(&certificate(2.0), &[4.0]);
        assert!(best.has_progressed());
        assert_eq!(best.better_than(&certificate(2.0)), Some(vec![3.0]));
        let mut best = Best::default();
        best.notice(&certificate(0.5), &[1.0]);
        assert_eq!(best.better_than(&certificate(0.5)), None);
    }
}
