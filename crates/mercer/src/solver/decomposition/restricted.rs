//! The problem restricted to a working set: slot k of every array belongs to the k-th member.

use super::block::{BlockValue, Square};
use super::inner::{Inner, LEAST_CURVATURE, Scratch, Summary};
use super::scan::Work;

use crate::gram::SymmetricGram;
use crate::linalg::Matrix;
use crate::solver::Groups;
use crate::solver::interior::{Equations, Improved, InteriorPoint};
use crate::solver::variables::Variables;

/// By how much a tolerance must exceed the last digit of the gradients for single precision to do.
const DIGITS_LEFT: f64 = 64.0;

/// Steps in single precision, per member of the working set, after which gradients begin anew from double precision: what
/// rounding adds to them may otherwise keep them from ever meeting the tolerance.
const SINGLE_STEPS: u64 = 8;

/// Arrays of the inner method in both precisions, reused from one working set to the next.
#[derive(Default)]
pub(super) struct Arrays {
    single: Scratch<f32>,
    double: Scratch<f64>,
}

pub(super) struct Restricted {
    /// Kₖₖ + dₖ
    curvature: Vec<f64>,
    /// Kₖₖ
    self_values: Vec<f64>,
    /// A pair is taken to have no less curvature than this.
    least_curvature: f64,
    /// dₖ
    diagonal: Vec<f64>,
    lower: Vec<f64>,
    upper: Vec<f64>,
    insensitivity: Vec<f64>,
    group: Vec<u8>,
    groups: usize,
    gradient: Vec<f64>,
    beta: Vec<f64>,
    /// Members, without the variable that stands for a missing equality constraint.
    members: usize,
}

impl Restricted {
    pub fn new(
        gram: &dyn SymmetricGram,
        variables: &Variables<'_>,
        members: &[usize],
        items: &[usize],
    ) -> Self {
        let problem = variables.problem;
        let take = |f: &dyn Fn(usize) -> f64, last: f64| -> Vec<f64> {
            // Without an equality constraint one more variable, which nothing touches, takes part in every pair.
            let last = matches!(problem.groups, Groups::None).then_some(last);
            members.iter().map(|&i| f(i)).chain(last).collect()
        };
        let diagonal = take(&|i| problem.diagonal(i), 0.0);
        let mut self_values: Vec<f64> = items.iter().map(|&item| gram.diagonal()[item]).collect();
        self_values.resize(diagonal.len(), 0.0);
        let curvature: Vec<f64> = self_values.iter().zip(&diagonal).map(|(k, d)| k + d).collect();
        let largest = curvature.iter().fold(0.0f64, |most, c| most.max(c.abs()));
        Restricted {
            curvature,
            self_values,
            least_curvature: match largest > 0.0 {
                true => (LEAST_CURVATURE * largest.min(1.0)).max(f64::from(f32::MIN_POSITIVE)),
                false => LEAST_CURVATURE,
            },
            diagonal,
            lower: take(&|i| problem.lower[i], f64::NEG_INFINITY),
            upper: take(&|i| problem.upper[i], f64::INFINITY),
            insensitivity: take(&|i| problem.insensitivity(i), 0.0),
            group: members.iter().map(|&i| problem.groups.of(i) as u8).collect(),
            groups: problem.groups.count(),
            gradient: take(&|i| variables.f[i], 0.0),
            beta: take(&|i| variables.beta[i], 0.0),
            members: members.len(),
        }
    }

    /// β of the members.
    pub fn beta(&self) -> &[f64] {
        &self.beta[..self.members]
    }

    /// Conjugate SMO until the gap is at most `tolerance`, `limit` steps are done, or `stop` says so.
    pub fn step_by_pairs<T: BlockValue>(
        &mut self,
        block: Square<'_, T>,
        arrays: &mut Arrays,
        tolerance: f64,
        limit: u64,
        stop: &mut dyn FnMut() -> bool,
    ) -> Summary {
        match self.single_suffices::<T>(tolerance) {
            true => {
                let limit = limit.min((SINGLE_STEPS * self.members as u64).max(10_000));
                self.step_in(block, &mut arrays.single, tolerance, limit, stop)
            }
            false => self.step_in(block, &mut arrays.double, tolerance, limit, stop),
        }
    }

    /// Whether gradients in single precision can tell such a gap, where K is in single precision anyway.
    fn single_suffices<T: BlockValue>(&self, tolerance: f64) -> bool {
        let largest = self.gradient.iter().fold(0.0f64, |most, g| most.max(g.abs()));
        T::EPSILON == f64::from(f32::EPSILON) && tolerance >= DIGITS_LEFT * T::EPSILON * largest
    }

    fn step_in<T: BlockValue, R: Work>(
        &mut self,
        block: Square<'_, T>,
        scratch: &mut Scratch<R>,
        tolerance: f64,
        limit: u64,
        stop: &mut dyn FnMut() -> bool,
    ) -> Summary {
        Inner {
            kernel: block.values,
            stride: block.stride,
            curvature: &self.curvature,
            self_values: &self.self_values,
            least_curvature: self.least_curvature,
            diagonal: &self.diagonal,
            lower: &self.lower,
            upper: &self.upper,
            insensitivity: &self.insensitivity,
            group: &self.group,
            groups: self.groups,
            beta: &mut self.beta,
            gradient: &self.gradient,
            scratch,
        }
        .solve(tolerance, limit, stop)
    }

    /// Tries the interior-point method; returns by how much the objective fell before `stop` said so.
    pub fn endgame<T: BlockValue>(
        &mut self,
        block: Square<'_, T>,
        tolerance: f64,
        stop: &mut dyn FnMut() -> bool,
    ) -> f64 {
        let q = self.members;
        let quadratic = Matrix::from_fn(q, q, |i, j| match i == j {
            true => self.curvature[i],
            false => block.values[i * block.stride + j].to_f64(),
        });
        let endgame = InteriorPoint {
            quadratic: &quadratic,
            gradient: &self.gradient[..q],
            beta: &self.beta[..q],
            lower: &self.lower[..q],
            upper: &self.upper[..q],
            insensitivity: &self.insensitivity[..q],
            diagonal: &self.diagonal[..q],
            equations: &Equations::groups(self.groups, &self.group),
            tolerance,
        };
        match endgame.solve(&mut |_| stop()) {
            Some(Improved { beta, gradient, decrease, .. }) => {
                self.beta[..q].copy_from_slice(&beta);
                self.gradient[..q].copy_from_slice(&gradient);
                decrease
            }
            None => 0.0,
        }
    }
}
