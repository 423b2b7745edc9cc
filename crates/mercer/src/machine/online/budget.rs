//! How many items an on-line machine may remember, and what becomes of the others.

use serde::{Deserialize, Serialize};

use crate::error::{Error, Result};

/// A bound on memory that holds for ever.
///
/// When one item too many is remembered, the one that matters least goes: the smallest ‖βᵢ φ(xᵢ)‖ = |βᵢ| √k(xᵢ, xᵢ), of equal ones the
/// oldest. The newest always stays, or a machine whose coefficients are large would learn nothing more.
///
/// ```
/// use mercer::machine::online::Budget;
/// assert_eq!(Budget::Remove { items: 100 }.items(), Some(100));
/// assert_eq!(Budget::Unlimited.items(), None);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Budget {
    /// All items with a coefficient stay.
    #[default]
    Unlimited,
    /// The item is forgotten. O(items) at an update.
    Remove {
        /// Most items that are remembered.
        items: usize,
    },
    /// What the item said is said by the others as well as they can: βφ(x) is projected on their span. O(items²) kernel values and
    /// O(items³) at an update. (F. Orabona, J. Keshet, B. Caputo: The Projectron, ICML 2008; Z. Wang, K. Crammer, S. Vucetic: Breaking
    /// the curse of kernelization, JMLR 13 (2012).)
    Project {
        /// Most items that are remembered.
        items: usize,
    },
}

impl Budget {
    /// Most items that are remembered.
    pub fn items(self) -> Option<usize> {
        match self {
            Budget::Unlimited => None,
            Budget::Remove { items } | Budget::Project { items } => Some(items),
        }
    }

    pub(super) fn check(self) -> Result<()> {
        match self.items() {
            Some(items) if items < 2 => {
                let expected = "2 items or more";
                Err(Error::Parameter { name: "budget", value: items as f64, expected })
            }
            _ => Ok(()),
        }
    }
}
