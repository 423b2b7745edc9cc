//! Estimates of the error without held-out rows, for support vector machines.
//!
//! A support vector machine says more about itself than its errors on the training set: the coefficients tell how much it would
//! change if a row were left out. With ℓ rows, f the machine, f⁻ⁱ the one that is trained without row i, α the dual variables, ξ the
//! slacks, R the radius of the smallest ball about the rows in feature space and γ the margin:
//!
//! | name | what it is | what it is of the leave-one-out error |
//! |---|---|---|
//! | `leave-one-out` | #{yᵢ f⁻ⁱ(xᵢ) ≤ 0}/ℓ | the same, exactly |
//! | `span` | #{αᵢSᵢ² ≥ yᵢ f(xᵢ)}/ℓ | the same where no other row changes its kind |
//! | `opper-winther` | the same with the span of a machine without offset | |
//! | `span-bound` | #{αᵢSᵢ max(D, 1/√C) ≥ 1}/ℓ, S within the bounds | an upper bound |
//! | `xi-alpha` | #{2αᵢR_Δ² + ξᵢ ≥ 1}/ℓ | an upper bound |
//! | `xi-alpha-by-row` | the same with a radius for each row | an upper bound |
//! | `jaakkola-haussler` | #{αᵢk(xᵢ, xᵢ) ≥ yᵢ f(xᵢ)}/ℓ | an upper bound without an offset |
//! | `support-vectors` | #SV/ℓ | an upper bound |
//! | `radius-margin` | R²/(ℓγ²) | a quarter of an upper bound, for the 2-norm |
//! | `alignment` | 1 − ⟨K, yyᵀ⟩/(‖K‖‖yyᵀ‖) | none: no machine is trained |
//! | `centred-alignment` | the same of centred matrices | none |
//!
//! [`estimates`] computes any of them; where more is wanted than a number, train a [`Solved`] and ask it. `docs/criteria.md`
//! has a comparison of what they choose. [`leave_one_out_regression`] and [`leave_one_out_ridge`] serve regressions.
//!
//! (Campbell, section 2.6; Shawe-Taylor & Cristianini, Remarks 7.31, 7.34 and 7.57.)

mod alignment;
mod bordered;
mod estimate;
mod jaakkola_haussler;
mod leave_one_out;
mod left_out;
mod radius_margin;
mod ridge;
mod solved;
mod span;
mod span_bound;
mod support_vectors;
mod xi_alpha;

pub use alignment::{alignment, centred_alignment};
pub use estimate::{Estimate, estimate, estimates, estimates_of_gram};
pub(in crate::evaluation) use estimate::{estimates_of_parts, estimates_of_solved};
pub use jaakkola_haussler::jaakkola_haussler;
pub use leave_one_out::{
    LeaveOneOut, RowLeftOut, leave_one_out, leave_one_out_errors, leave_one_out_regression,
};
pub use left_out::Means;
pub use radius_margin::RadiusMargin;
pub use ridge::leave_one_out_ridge;
pub(in crate::evaluation) use solved::Parts;
pub use solved::Solved;
pub use span::{opper_winther, span_rule, squared_spans};
pub use span_bound::span_bound;
pub use support_vectors::support_vectors;
pub use xi_alpha::{XiAlphaRadius, xi_alpha};

use crate::error::{Error, Result};

/// Refuses what needs more bytes than there may be.
pub(in crate::evaluation) fn check_budget(what: &'static str, needed: u64, allowed: u64) -> Result<()> {
    match needed > allowed {
        true => Err(Error::Budget {
            what,
            needed,
            allowed,
            instead: "estimate from fewer rows, or allow more memory",
        }),
        false => Ok(()),
    }
}
