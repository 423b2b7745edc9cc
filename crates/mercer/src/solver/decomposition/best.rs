//! The iterate that is proved to be the best: where rounding spoils the later ones, it is the answer.

use super::shrinking::ActiveSet;
use crate::error::Result;
use crate::solver::variables::{Extremes, Variables, largest_gap};

/// Most variables for which the best multipliers are searched for at every iterate.
const WORTH_SEARCHING: usize = 4096;
/// The part of the gap of the last iterate that an earlier one must have to be taken in its place.
const BETTER: f64 = 0.5;

/// The part of the least gap by which it must fall for an iterate to count as progress.
const PROGRESS: f64 = 0.01;

/// The iterate with the smallest duality gap so far.
#[derive(Default)]
pub(super) struct Best {
    /// Of the iterates whose gradient is true, and of those in whose gradient rounding has gathered, which tell a smaller gap than they have.
    kept: [Option<Kept>; 2],
    /// The gap when it last fell by as much as counts, and the iterates since then.
    noted: f64,
    since: u32,
}

struct Kept {
    gap: f64,
    beta: Vec<f64>,
    f: Vec<f64>,
}

/// P − D at the present β, as far as the gradient is true.
fn gap_of(variables: &Variables<'_>, extremes: &[Extremes]) -> f64 {
    let multipliers = match variables.beta.len() <= WORTH_SEARCHING {
        true => variables.surest_multipliers(extremes),
        false => variables.multipliers(extremes),
    };
    let certificate = variables.evidence(&multipliers, largest_gap(extremes)).certify();
    match certificate.duality_gap() {
        gap if gap.is_nan() => f64::INFINITY,
        gap => gap,
    }
}

impl Best {
    /// Looks at an iterate whose gradient is known for all variables; `is_adrift` says whether rounding has gathered in it. O(n)
    pub fn notice(&mut self, variables: &Variables<'_>, extremes: &[Extremes], is_adrift: bool) {
        let gap = gap_of(variables, extremes);
        self.since += 1;
        if self.kept.iter().all(Option::is_none) || gap < (1.0 - PROGRESS) * self.noted {
            (self.noted, self.since) = (gap, 0);
        }
        let kept = &mut self.kept[usize::from(is_adrift)];
        if kept.as_ref().is_none_or(|kept| gap < kept.gap) {
            *kept = Some(Kept { gap, beta: variables.beta.clone(), f: variables.f.clone() });
        }
    }

    /// Iterates since the gap fell by as much as counts.
    pub fn since(&self) -> u32 {
        self.since
    }

    /// Puts the best iterate in the place of the last one if it is much better. Gradients in which rounding has gathered are computed
    /// from nothing first, so that what is compared is true. O(n), and a row of K per coefficient for each of them.
    pub fn restore(
        self,
        active: &mut ActiveSet<'_>,
        variables: &mut Variables<'_>,
        is_adrift: bool,
    ) -> Result<()> {
        if is_adrift {
            active.recompute(variables)?;
        }
        let gap = |variables: &Variables<'_>| gap_of(variables, &variables.extremes(0..variables.beta.len()));
        let last = gap(variables);
        let mut least = BETTER * last;
        for (at, kept) in self.kept.into_iter().enumerate() {
            let Some(kept) = kept.filter(|kept| kept.gap < least) else { continue };
            let before = (
                std::mem::replace(&mut variables.beta, kept.beta),
                std::mem::replace(&mut variables.f, kept.f),
            );
            if at == 1 {
                active.recompute(variables)?;
            }
            match gap(variables) {
                found if found < least => least = found,
                _ => (variables.beta, variables.f) = before,
            }
        }
        Ok(())
    }
}
