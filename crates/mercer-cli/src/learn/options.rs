//! The options that a learner was begun with: the same command goes on with it, another one is refused.

use std::collections::BTreeMap;

use clap::ValueEnum;
use mercer::io::SavedLearner;
use mercer::{Error, Result};

use crate::arguments::LearnerArguments;

/// All options about a new learner and their values, those that were left at their defaults included.
pub fn of(arguments: &LearnerArguments) -> BTreeMap<String, String> {
    // Every field has its place here, or this does not compile.
    let LearnerArguments {
        task,
        rule,
        kernel,
        cost,
        tube,
        levels,
        classes,
        budget,
        project,
        average,
        scale,
        first,
    } = arguments;
    let options = [
        ("task", task.as_ref().map(name)),
        ("rule", Some(name(rule))),
        ("kernel", Some(kernel.clone())),
        ("cost", Some(cost.to_string())),
        ("tube", Some(tube.to_string())),
        ("levels", levels.map(|levels| levels.to_string())),
        ("classes", (!classes.is_empty()).then(|| classes.join(","))),
        ("budget", Some(budget.to_string())),
        ("project", Some(project.to_string())),
        ("average", Some(average.to_string())),
        ("scale", scale.as_ref().map(name)),
        ("first", Some(first.to_string())),
    ];
    let said = |(name, value): (&str, Option<String>)| value.map(|value| (name.to_string(), value));
    options.into_iter().filter_map(said).collect()
}

/// Refuses options (these were given) that a learner was not begun with.
pub fn check(arguments: &LearnerArguments, given: &[String], model: &SavedLearner) -> Result<()> {
    let refused = |what: String| Err(Error::Unsupported { what });
    let Some(begun) = &model.options else {
        return match given {
            [] => Ok(()),
            _ => refused(format!(
                "{}: the model is there already and goes on as it is; it does not know what it was begun with",
                given.join(", ")
            )),
        };
    };
    let now = of(arguments);
    for option in given {
        let name = option.trim_start_matches("--");
        if now.get(name) != begun.get(name) {
            let word = |value: Option<&String>| value.map_or("unset".to_string(), Clone::clone);
            return refused(format!(
                "{option} {}: the model is there already and was begun with {option} {}; it goes on as it is, without the option",
                word(now.get(name)),
                word(begun.get(name))
            ));
        }
    }
    Ok(())
}

fn name(value: &impl ValueEnum) -> String {
    value.to_possible_value().map_or_else(String::new, |value| value.get_name().to_string())
}
