//! Machines that learn from one example after the other.
//!
//! The protocol is always the same: an example comes, the machine predicts, the truth is told, a loss is suffered and recorded, and the
//! machine may learn (Shawe-Taylor and Cristianini, section 7.4). [`Online`] is that protocol, a [`Rule`] says what is suffered and learned,
//! a [`Memory`] what is remembered and by which kernel it is compared, a [`Budget`] how much of it.
//!
//! [`Online::fit`] goes over a set again and again: that is how the perceptron's tables, the kernel adatron and on-line support vector
//! regression are written. [`adatron_with_offset`] adds an offset that is not penalised. [`IncrementalSvc`] is no approximation: after every example that is added
//! or removed it is the support vector machine of those that are there.
//!
//! ```
//! use mercer::machine::Slack;
//! use mercer::machine::online::{Budget, Online, Remembered, Rule};
//! // Words, by the letters that they share; two are remembered at most.
//! let kernel = |a: &str, b: &str| ('a'..='z').filter(|&l| a.contains(l) && b.contains(l)).count() as f64;
//! let memory = Remembered::<_, String, str>::new(kernel);
//! let rule = Rule::PassiveAggressive { slack: Slack::Linear, cost: 1.0 };
//! let mut machine = Online::params(memory, rule).homogeneous().budget(Budget::Remove { items: 2 }).check()?;
//! for (word, class) in [("kernel", 1.0), ("margin", -1.0), ("kettle", 1.0), ("gamma", -1.0), ("letter", 1.0)] {
//!     machine.learn(&word.to_string(), class)?;
//! }
//! assert_eq!(machine.tally().examples, 5);
//! assert_eq!(machine.function().coefficients().len(), 2);
//! # Ok::<(), mercer::Error>(())
//! ```

mod active;
mod adatron;
mod budget;
mod function;
mod incremental;
mod learner;
mod memory;
mod passes;
mod passive_aggressive;
mod perceptron;
mod primal;
mod query;
mod ranking;
mod regression;
mod rows;
mod rule;
mod several;
#[cfg(test)]
mod tests;
mod values;
mod votes;

pub use active::ActiveLearner;
pub use adatron::{AdatronSolution, adatron_with_offset};
pub use budget::Budget;
pub use function::{FunctionState, GrowingFunction};
pub use incremental::IncrementalSvc;
pub use learner::{Online, OnlineParams, OnlineState, Outcome, Tally};
pub use memory::{Memory, Remembered};
pub use passes::{PassLimits, Passes};
pub use primal::PrimalPerceptron;
pub use query::Query;
pub use rows::RowMemory;
pub use rule::{Judgement, Rule};
pub use several::{Answer, Several};
pub use values::{ValueItem, ValueMemory};
pub use votes::Votes;
