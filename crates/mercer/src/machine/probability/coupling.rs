//! Probabilities of many classes from those of their pairs.

use crate::machine::one_against_one::pairs;

/// Pairs are never surer than this.
const SUREST: f64 = 1.0 - 1e-7;

/// The p that makes Σ over pairs of (r_ba·p_a − r_ab·p_b)² least, with Σp = 1 (Wu, Lin & Weng 2004, second method).
///
/// `of_pairs` are the probabilities of the later class in the order of [`pairs`]. The minimum is unique; it is found by
/// a fixed-point iteration, in O(k²) a round.
///
/// ```
/// use mercer::machine::probability::couple;
/// // The pairs of p = (0.2, 0.3, 0.5) agree with each other, so p comes back.
/// let p = couple(3, &[0.6, 5.0 / 7.0, 0.625]);
/// assert!((p[0] - 0.2).abs() < 1e-6 && (p[2] - 0.5).abs() < 1e-6);
/// ```
pub fn couple(classes: usize, of_pairs: &[f64]) -> Vec<f64> {
    let k = classes;
    let mut r = vec![0.0; k * k];
    for ((a, b), &later) in pairs(k).zip(of_pairs) {
        let later = later.clamp(1.0 - SUREST, SUREST);
        (r[b * k + a], r[a * k + b]) = (later, 1.0 - later);
    }
    let mut q = vec![0.0; k * k];
    for t in 0..k {
        for j in (0..k).filter(|&j| j != t) {
            q[t * k + t] += r[j * k + t] * r[j * k + t];
            q[t * k + j] = -r[j * k + t] * r[t * k + j];
        }
    }
    let mut p = vec![1.0 / k as f64; k];
    for _ in 0..100.max(k) {
        let mut qp: Vec<f64> = (0..k).map(|t| (0..k).map(|j| q[t * k + j] * p[j]).sum()).collect();
        let mut pqp: f64 = p.iter().zip(&qp).map(|(p, qp)| p * qp).sum();
        let error = qp.iter().map(|qp| (qp - pqp).abs()).fold(0.0, f64::max);
        if error < 1e-12 / k as f64 {
            break;
        }
        for t in 0..k {
            let step = (pqp - qp[t]) / q[t * k + t];
            p[t] += step;
            pqp = (pqp + step * (step * q[t * k + t] + 2.0 * qp[t])) / ((1.0 + step) * (1.0 + step));
            for j in 0..k {
                qp[j] = (qp[j] + step * q[t * k + j]) / (1.0 + step);
                p[j] /= 1.0 + step;
            }
        }
    }
    p
}

/// The nearest probabilities of which the predicted class has the largest: classes above it are pooled with it.
///
/// ```
/// use mercer::machine::probability::favour;
/// assert_eq!(favour(vec![0.5, 0.3, 0.2], 0), [0.5, 0.3, 0.2]);
/// let p = favour(vec![0.5, 0.3, 0.2], 1);
/// assert!(p[1] > p[0] && (p[0] - 0.4).abs() < 1e-12 && p[2] == 0.2);
/// ```
///
/// # Panics
/// If there is no such class.
pub fn favour(mut p: Vec<f64>, predicted: usize) -> Vec<f64> {
    let mut others: Vec<usize> = (0..p.len()).filter(|&class| class != predicted).collect();
    others.sort_by(|&a, &b| p[b].total_cmp(&p[a]));
    let (mut pool, mut mean) = (Vec::new(), p[predicted]);
    for class in others {
        if p[class] < mean {
            break;
        }
        mean = (mean * (pool.len() + 1) as f64 + p[class]) / (pool.len() + 2) as f64;
        pool.push(class);
    }
    for &class in &pool {
        p[class] = mean;
    }
    // Ahead of those that it is pooled with by the last digit.
    p[predicted] = if pool.is_empty() { mean } else { mean.next_up() };
    p
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn coupling_is_the_minimum_of_its_objective() {
        let of_pairs = [0.7, 0.2, 0.9, 0.4, 0.55, 0.35];
        let objective = |p: &[f64]| -> f64 {
            pairs(4).zip(of_pairs).map(|((a, b), r)| (r * p[a] - (1.0 - r) * p[b]).powi(2)).sum()
        };
        let p = couple(4, &of_pairs);
        assert!((p.iter().sum::<f64>() - 1.0).abs() < 1e-12);
        let least = objective(&p);
        for (i, j) in pairs(4) {
            for step in [1e-4, -1e-4] {
                let mut other = p.clone();
                (other[i], other[j]) = (other[i] + step, other[j] - step);
                assert!(objective(&other) > least);
            }
        }
    }

    #[test]
    fn the_predicted_class_is_ahead_of_all_it_was_behind() {
        let p = favour(vec![0.35, 0.33, 0.02, 0.3], 2);
        assert!((p.iter().sum::<f64>() - 1.0).abs() < 1e-12);
        assert!(p.iter().enumerate().all(|(class, &value)| class == 2 || p[2] > value));
        // Two classes that are equal: the one that is predicted is ahead.
        assert!(favour(vec![0.5, 0.5], 1)[1] > 0.5 - 1e-12);
    }
}
