//! A new learner: what its first examples decide.

use mercer::data::{Items, Labels, Scaling, ScalingKind, Sparse, Targets, Vectors};
use mercer::io::SavedLearner;
use mercer::kernel::Expression;
use mercer::machine::Slack;
use mercer::machine::online::{Budget, Online, RowMemory, Rule, Several};
use mercer::{Error, Result};

use super::options;
use super::stream::{Example, Stream, Values};
use crate::arguments::{
    LearnTaskArgument, LearnerArguments, RuleArgument, StreamArgument, StreamScaleArgument,
};

/// What the first examples of a stream make of what was asked for; these options were said.
pub fn learner(
    arguments: &LearnerArguments,
    given: &[String],
    stream: &Stream,
    first: &[Example],
) -> Result<SavedLearner> {
    let rows = vectors(first)?;
    let scaled = match arguments.scale {
        Some(StreamScaleArgument::None) => false,
        Some(StreamScaleArgument::Standardise) if matches!(rows, Vectors::Sparse(_)) => {
            let what = "--scale standardise: LIBSVM's rows have no place for what 0 would become".into();
            return Err(Error::Unsupported { what });
        }
        Some(StreamScaleArgument::Standardise) => true,
        None => stream.format() != StreamArgument::Libsvm,
    };
    let scaling = if scaled { Some(Scaling::fit(ScalingKind::Standardise, &rows)?) } else { None };
    let rows = match &scaling {
        Some(scaling) => scaling.apply(&rows)?,
        None => rows,
    };
    let kernel = arguments.kernel.parse::<Expression>()?.resolve(&rows)?;
    let budget = match (arguments.budget, arguments.project) {
        (0, _) => Budget::Unlimited,
        (items, false) => Budget::Remove { items },
        (items, true) => Budget::Project { items },
    };
    let labels: Vec<&str> = first.iter().filter_map(|example| example.label.as_deref()).collect();
    let labels: Vec<String> = alike(labels.into_iter().chain(arguments.classes.iter().map(String::as_str)));
    let task = match arguments.task {
        Some(task) => task,
        None => told_by(&labels, arguments)?,
    };
    refuse_useless(arguments, given, task)?;
    let (slack, cost) = (Slack::Linear, arguments.cost);
    let machine = |rule: Rule| {
        let memory = RowMemory::new(kernel.clone())?;
        Online::params(memory, rule).homogeneous().budget(budget).averaged(arguments.average).check()
    };
    let learner = match task {
        LearnTaskArgument::Classes => {
            let classes = Labels::from_text(&labels).classes().to_vec();
            if let [] | [_] = &classes[..] {
                let found =
                    classes.first().map_or("no label".to_string(), |class| format!("the one label {class}"));
                let what = format!(
                    "{found} among the first {} examples: --classes names all of them, or --first waits for more",
                    first.len()
                );
                return Err(Error::Unsupported { what });
            }
            Several::of_classes(classes, || {
                machine(match arguments.rule {
                    RuleArgument::Perceptron => Rule::Perceptron,
                    RuleArgument::PassiveAggressive => Rule::PassiveAggressive { slack, cost },
                })
            })?
        }
        LearnTaskArgument::Numbers => {
            Several::of_numbers(machine(Rule::Regression { tube: arguments.tube, slack, cost })?)?
        }
        LearnTaskArgument::Levels => {
            let Some(levels) = arguments.levels else {
                return Err(Error::Unsupported {
                    what: "--task levels needs their number: --levels 5, say".into(),
                });
            };
            Several::of_numbers(machine(Rule::ranking(levels))?)?
        }
    };
    let feature_names = stream.names().map(<[String]>::to_vec);
    let label_name = stream.label_name().map(str::to_string);
    Ok(SavedLearner {
        scaling,
        feature_names,
        label_name,
        label_at: stream.label_at(),
        options: Some(options::of(arguments)),
        ..SavedLearner::new(learner)
    })
}

/// A number as it is written in a model; None for a word.
pub fn plain(label: &str) -> Option<String> {
    label.parse::<f64>().ok().filter(|number| number.is_finite()).map(|number| number.to_string())
}

/// Where all labels are numbers, +1, 1 and 1.0 are one of them.
fn alike<'a>(labels: impl Iterator<Item = &'a str>) -> Vec<String> {
    let labels: Vec<&str> = labels.collect();
    let numbers: Option<Vec<String>> = labels.iter().map(|label| plain(label)).collect();
    numbers.unwrap_or_else(|| labels.into_iter().map(str::to_string).collect())
}

/// Refuses what the machine would not look at.
fn refuse_useless(arguments: &LearnerArguments, given: &[String], task: LearnTaskArgument) -> Result<()> {
    let is_given = |name: &str| given.iter().any(|one| one == name);
    let refused = |what: &str| Err(Error::Unsupported { what: what.into() });
    let is_perceptron = arguments.rule == RuleArgument::Perceptron;
    match task {
        LearnTaskArgument::Classes if is_given("--tube") => {
            refused("--tube: it is for numbers, not for classes")
        }
        LearnTaskArgument::Classes if is_given("--levels") => refused("--levels: they are for --task levels"),
        LearnTaskArgument::Classes if is_given("--cost") && is_perceptron => {
            refused("--cost: the perceptron has none")
        }
        LearnTaskArgument::Numbers | LearnTaskArgument::Levels if is_given("--rule") => {
            refused("--rule: it is for classes")
        }
        LearnTaskArgument::Numbers | LearnTaskArgument::Levels if is_given("--classes") => {
            refused("--classes: numbers are learned, not classes")
        }
        LearnTaskArgument::Levels if is_given("--cost") || is_given("--tube") => {
            refused("--cost and --tube: levels have neither")
        }
        LearnTaskArgument::Numbers if is_given("--levels") => refused("--levels: they are for --task levels"),
        _ => Ok(()),
    }
}

/// Refuses what makes no sense, whatever the stream brings.
pub fn check(arguments: &LearnerArguments, given: &[String]) -> Result<()> {
    let refused = |what: &str| Err(Error::Unsupported { what: what.into() });
    let classes = &arguments.classes;
    let twice = classes.iter().enumerate().find(|(at, class)| classes[..*at].contains(class));
    match (arguments.budget, twice) {
        (1.., _) if arguments.average && !arguments.project => refused(
            "--average: what leaves the budget would leave the average; --project keeps it there, and --budget 0 keeps everything",
        ),
        (0, _) if arguments.project => refused("--project: nothing leaves without a budget"),
        (_, Some((_, class))) => refused(&format!("--classes has {class} twice")),
        _ if classes.len() == 1 => refused("--classes: there must be two at least"),
        _ => match arguments.task {
            Some(LearnTaskArgument::Levels) if arguments.levels.is_none() => {
                refused("--task levels needs their number: --levels 5, say")
            }
            Some(task) => refuse_useless(arguments, given, task),
            None => Ok(()),
        },
    }
}

/// Whether so few examples say what is learned. Numbers may be measured, and classes may be missing.
pub fn is_clear(arguments: &LearnerArguments, first: &[Example]) -> bool {
    let mut labels: Vec<&str> = first.iter().filter_map(|example| example.label.as_deref()).collect();
    labels.sort_unstable();
    labels.dedup();
    let numbers = labels.iter().any(|label| plain(label).is_some());
    arguments.task.is_some() || !arguments.classes.is_empty() || labels.len() == 2 || !numbers
}

fn told_by(labels: &[String], arguments: &LearnerArguments) -> Result<LearnTaskArgument> {
    if arguments.levels.is_some() {
        return Ok(LearnTaskArgument::Levels);
    }
    let numbers: Option<Vec<f64>> = labels.iter().map(|label| label.parse().ok()).collect();
    let are_measured = match numbers {
        // A class with a fraction would be a strange name, and a new one would end the stream.
        Some(numbers) if arguments.classes.is_empty() => {
            numbers.iter().any(|number| number.fract() != 0.0)
                || Targets::Numbers(numbers).guess().is_regression
        }
        _ => false,
    };
    Ok(if are_measured { LearnTaskArgument::Numbers } else { LearnTaskArgument::Classes })
}

fn vectors(first: &[Example]) -> Result<Vectors<'static>> {
    let (mut dense, mut offsets, mut indices, mut values) = (Vec::new(), vec![0], Vec::new(), Vec::new());
    for example in first {
        match &example.values {
            Values::Dense(row) => dense.push(row.clone()),
            Values::Sparse(of, row) => {
                indices.extend_from_slice(of);
                values.extend_from_slice(row);
                offsets.push(values.len());
            }
        }
    }
    if dense.is_empty() && offsets.len() > 1 {
        let columns = indices.iter().max().map_or(0, |&last| last as usize + 1);
        return Ok(Sparse::from_parts(offsets, indices, values, columns)?.into());
    }
    let columns = dense.first().map_or(0, Vec::len);
    if let Some(at) = dense.iter().position(|row| row.len() != columns) {
        let problem = format!("{} features, and {columns} in the lines before", dense[at].len());
        return Err(Error::Parse { line: first[at].line, column: 1, problem });
    }
    let rows = Vectors::from_rows(&dense)?;
    if rows.is_empty() { Err(Error::Empty { what: "examples" }) } else { Ok(rows) }
}
