//! A new learner: what its first examples decide.

use mercer::data::{Items, Labels, Scaling, ScalingKind, Sparse, Vectors};
use mercer::io::SavedLearner;
use mercer::kernel::Expression;
use mercer::machine::Slack;
use mercer::machine::online::{Budget, Online, RowMemory, Rule, Several};
use mercer::{Error, Result};

use super::stream::{Example, Values};
use crate::arguments::{
    LearnTaskArgument, LearnerArguments, RuleArgument, StreamArgument, StreamScaleArgument,
};

/// Labels that are numbers with more different values than this are numbers to be predicted, unless it is said otherwise.
const MOST_CLASSES: usize = 20;

pub fn learner(
    arguments: &LearnerArguments,
    format: StreamArgument,
    first: &[Example],
    names: Option<&[String]>,
    label_name: Option<&str>,
) -> Result<SavedLearner> {
    let rows = vectors(first)?;
    let scaled = match arguments.scale {
        Some(StreamScaleArgument::None) => false,
        Some(StreamScaleArgument::Standardise) if matches!(rows, Vectors::Sparse(_)) => {
            let what = "--scale standardise: LIBSVM's rows have no place for what 0 would become".into();
            return Err(Error::Unsupported { what });
        }
        Some(StreamScaleArgument::Standardise) => true,
        None => format != StreamArgument::Libsvm,
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
    let task = arguments.task.unwrap_or_else(|| told_by(&labels, arguments));
    let (slack, cost) = (Slack::Linear, arguments.cost);
    let machine = |rule: Rule| {
        let memory = RowMemory::new(kernel.clone())?;
        Online::params(memory, rule).homogeneous().budget(budget).check()
    };
    let learner = match task {
        LearnTaskArgument::Classes => {
            let all = labels.iter().copied().chain(arguments.classes.iter().map(String::as_str));
            let classes = Labels::from_text(all).classes().to_vec();
            if classes.is_empty() {
                return Err(Error::Empty { what: "labels among the first examples" });
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
    let feature_names = names.map(<[String]>::to_vec);
    Ok(SavedLearner { learner, scaling, feature_names, label_name: label_name.map(str::to_string) })
}

fn told_by(labels: &[&str], arguments: &LearnerArguments) -> LearnTaskArgument {
    if arguments.levels.is_some() {
        return LearnTaskArgument::Levels;
    }
    let numbers = labels.iter().all(|label| label.parse::<f64>().is_ok());
    let mut different = labels.to_vec();
    different.sort_unstable();
    different.dedup();
    match numbers && different.len() > MOST_CLASSES && arguments.classes.is_empty() {
        true => LearnTaskArgument::Numbers,
        false => LearnTaskArgument::Classes,
    }
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
