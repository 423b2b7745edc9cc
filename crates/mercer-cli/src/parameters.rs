//! The parameters of a machine as its model file keeps them: by the names of scikit-learn, so that an untrained machine can be made of a model.

use std::collections::BTreeMap;

use mercer::Result;
use mercer::io::TrainedMachine;
use mercer::machine::{ClassWeights, Decision, Loss, Region, Softness};
use serde_json::{Value, json};

use crate::arguments::{OtherArguments, OtherMachine, RecipeArguments, SlackArgument};
use crate::machines::{MISS_MARGIN, slack};
use crate::others::{BUMPS, DIRECTIONS};
use crate::recipe::class_weights;
use crate::task::Task;

pub type Parameters = BTreeMap<String, Value>;

pub fn named_values<const N: usize>(values: [(&str, Value); N]) -> Parameters {
    values.into_iter().map(|(name, value)| (name.to_string(), value)).collect()
}

/// Those of a support vector machine that was trained at this cost.
pub fn of_support_vectors(
    arguments: &RecipeArguments,
    model: &TrainedMachine,
    cost: f64,
) -> Result<Parameters> {
    let mut parameters = Parameters::new();
    let mut set = |name: &str, value: Value| parameters.insert(name.into(), value);
    match model {
        TrainedMachine::Svc(_) | TrainedMachine::Classes(_) => {
            match slack(arguments, Task::Classify) {
                SlackArgument::Nu => set("nu", json!(arguments.machine.nu.unwrap_or(MISS_MARGIN))),
                SlackArgument::None => set("C", json!("inf")),
                SlackArgument::Linear => set("C", json!(cost)),
                SlackArgument::Quadratic => {
                    set("loss", json!("squared_hinge"));
                    set("C", json!(cost))
                }
            };
            if let Some(weights) = class_weight(&arguments.class_weight)? {
                set("class_weight", weights);
            }
            // Of pairs that give several classes as many votes the scores decide, on the command line.
            if matches!(model, TrainedMachine::Svc(model) if model.pairs().decision == Decision::Votes && model.classes().len() > 2)
            {
                set("break_ties", json!(true));
            }
            if arguments.duality_gap.is_none() {
                set("tol", json!(arguments.tolerance));
            }
        }
        TrainedMachine::Svr(model) => {
            set("C", json!(cost));
            let (loss, parameter, value) = match model.loss() {
                Loss::Linear { tube } => ("epsilon_insensitive", "epsilon", tube),
                Loss::Quadratic { tube } => ("squared_epsilon_insensitive", "epsilon", tube),
                Loss::Huber { width } => ("huber", "epsilon", width),
                Loss::Quantile { level } => ("pinball", "quantile", level),
                Loss::Nu { nu } => ("epsilon_insensitive", "nu", nu),
            };
            set("loss", json!(loss));
            set(parameter, json!(value));
        }
        TrainedMachine::Novelty(model) => {
            match (model.softness(), model.region()) {
                (Softness::Nu(nu), _) => drop(set("nu", json!(nu))),
                (Softness::Cost(cost), Region::Sphere) => drop(set("C", json!(cost))),
                (Softness::Quadratic(cost), Region::Sphere) => {
                    set("C", json!(cost));
                    set("loss", json!("squared_hinge"));
                }
                _ => {}
            }
            if arguments.duality_gap.is_none() {
                set("tol", json!(arguments.tolerance));
            }
        }
        TrainedMachine::Linear(_) | TrainedMachine::LinearRegression(_) | TrainedMachine::Matrix(_) => {}
    }
    Ok(parameters)
}

/// `balanced`, or the factor of each class that was given one.
fn class_weight(words: &[String]) -> Result<Option<Value>> {
    Ok(match class_weights(words)? {
        ClassWeights::Equal => None,
        ClassWeights::Balanced => Some(json!("balanced")),
        ClassWeights::Given(factors) => {
            Some(Value::Object(factors.into_iter().map(|(class, factor)| (class, json!(factor))).collect()))
        }
    })
}

/// What is given beside the options of one machine alone.
pub struct Given {
    /// The cost that was given or chosen.
    pub cost: Option<f64>,
    pub no_offset: bool,
    pub nu: Option<f64>,
    pub seed: u64,
    /// Items that were trained on.
    pub items: usize,
}

/// Those of another machine.
pub fn of_other(machine: OtherMachine, own: &OtherArguments, given: &Given) -> Parameters {
    let count = |count: Option<usize>| count.map(|count| json!(count));
    let penalty = given.cost.map(|cost| json!(1.0 / cost));
    let (offset, seed) = (json!(!given.no_offset), json!(given.seed));
    let all = match machine {
        OtherMachine::Ridge => vec![("alpha", penalty.or(Some(json!(1.0)))), ("fit_intercept", Some(offset))],
        OtherMachine::Gp => vec![
            ("normalize_y", Some(json!(true))),
            // At a given cost the kernel is taken as it is.
            ("optimizer", given.cost.map(|_| Value::Null)),
            ("alpha", penalty),
            ("rank", count(own.rank)),
            ("n_restarts_optimizer", count(own.starts.map(|starts| starts.saturating_sub(1)))),
        ],
        OtherMachine::Lssvm | OtherMachine::Ordinal => vec![("C", Some(json!(given.cost.unwrap_or(1.0))))],
        OtherMachine::Fisher => {
            vec![("rank", count(own.rank)), ("regularisation", own.regularisation.map(|share| json!(share)))]
        }
        OtherMachine::Rvm => vec![("rank", count(own.rank)), ("fit_intercept", Some(offset))],
        OtherMachine::Pls => vec![("n_components", count(own.components.or(Some(DIRECTIONS))))],
        OtherMachine::BayesPoint => vec![
            ("n_perceptrons", count(own.perceptrons)),
            ("softness", penalty),
            ("random_state", Some(seed)),
        ],
        OtherMachine::RbfNetwork => vec![
            ("n_units", count(own.bumps.or(Some(BUMPS.min(given.items))))),
            ("alpha", penalty),
            ("n_init", count(own.starts)),
            ("random_state", Some(seed)),
        ],
        OtherMachine::SphereSlab => {
            vec![("n_components", count(own.components)), ("outside", given.nu.map(|nu| json!(nu)))]
        }
    };
    all.into_iter().filter_map(|(name, value)| Some((name.to_string(), value?))).collect()
}
