//! An on-line learner as a model that learns no more: whatever asks models can ask it.

use std::collections::BTreeMap;

use super::{Model, ModelCard, SavedLearner, TrainedMachine};
use crate::data::{Items, Vectors};
use crate::error::{Error, Result};
use crate::gram::{BulkKernel, Plan, Precision};
use crate::machine::online::{RowMemory, Rule, Several};
use crate::machine::{ClassFunctions, ClassModel, Expansion, Kept, Loss, Multiclass, Slack, SvrModel};

impl SavedLearner {
    /// What the learner believes now (on average over all examples, if it keeps averages), as a model: of classes one function per class, of numbers a regression.
    ///
    /// Two classes have the functions −f and f. Level c of a ranking with thresholds b has c·f(x) − (b₁ + … + b₍c₋₁₎), the largest of which is that of
    /// the level; so levels become classes. The positions of its support items are the numbers of the examples.
    ///
    /// ```
    /// use mercer::data::{Row, Vectors};
    /// use mercer::io::SavedLearner;
    /// use mercer::machine::online::{Answer, Online, RowMemory, Rule, Several};
    /// let machine = || Online::params(RowMemory::new("gaussian(gamma=1)".parse()?)?, Rule::Perceptron).check();
    /// let learner = Several::of_classes(vec!["no".into(), "yes".into()], machine)?;
    /// let mut saved = SavedLearner::new(learner);
    /// saved.learner.learn(Row::Dense64(&[0.0, 1.0]), Answer::Class(1))?;
    /// let model = saved.model()?;
    /// let rows = Vectors::from_rows(&[[0.0, 1.0]])?;
    /// assert_eq!(model.machine.class_scores(&*model.prepare(&rows.into())?)?, [-1.0, 1.0]);
    /// # Ok::<(), mercer::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Empty`] for a learner that remembers nothing.
    pub fn model(&self) -> Result<Model> {
        let learner = &self.learner;
        let (support, items, coefficients, offsets) = joined(learner)?;
        let machines = learner.machines();
        let columns = machines.iter().filter_map(|machine| machine.function().memory().columns()).max();
        let kernel = machines[0].function().memory().kernel().clone();
        let precision = Precision::F64;
        let layout = BulkKernel::layout(&kernel, &items, &Plan { precision, ..Plan::new()? })?;
        let mut card = ModelCard::of(&items);
        card.rows = learner.tally().examples;
        card.columns = columns.unwrap_or(items.columns()) as u64;
        card.feature_names = self.feature_names.clone();
        card.target_name = self.label_name.clone();
        card.stop = "one example after the other".into();
        let kept = Kept { kernel, layout, precision, items, threads: 0 };
        let model: TrainedMachine = match machines[0].rule() {
            Rule::Regression { tube, slack, cost } => {
                card.cost = *cost;
                let loss = match slack {
                    Slack::Quadratic => Loss::Quadratic { tube: *tube },
                    _ => Loss::Linear { tube: *tube },
                };
                let expansion = Expansion { support, coefficients, offset: offsets[0] };
                SvrModel::from_parts(kept, loss, *tube, expansion, None).into()
            }
            rule => {
                if let Rule::PassiveAggressive { cost, .. } = rule {
                    card.cost = *cost;
                }
                let functions = functions(learner, rule, support, coefficients, offsets);
                ClassModel::from_parts(kept, Multiclass::OneAgainstRest, functions, Vec::new()).into()
            }
        };
        Ok(Model::new(model, self.scaling.clone(), card))
    }
}

/// The examples that any machine remembers, by their numbers, and their coefficients and offsets in each machine.
///
/// What is believed is the mean of all functions that there were, where that is kept.
#[expect(clippy::type_complexity, reason = "a tuple that is taken apart at once")]
fn joined(learner: &Several<RowMemory>) -> Result<(Vec<usize>, Vectors<'static>, Vec<f64>, Vec<f64>)> {
    let machines = learner.machines();
    let mut offsets = Vec::with_capacity(machines.len());
    let mut places: BTreeMap<u64, Vec<(usize, f64)>> = BTreeMap::new();
    let mut rows: BTreeMap<u64, (usize, usize)> = BTreeMap::new();
    for (at, machine) in machines.iter().enumerate() {
        let function = machine.function();
        let state = function.state();
        let (betas, offset) = match state.averaging {
            true => function.averaged()?,
            false => (state.coefficients.clone(), state.offset),
        };
        offsets.push(offset);
        for (slot, (&id, &beta)) in state.ids.iter().zip(&betas).enumerate() {
            rows.entry(id).or_insert((at, slot));
            places.entry(id).or_default().push((at, beta));
        }
    }
    if rows.is_empty() {
        return Err(Error::Empty { what: "examples that the learner remembers" });
    }
    let mut coefficients = vec![0.0; rows.len() * machines.len()];
    for (of_row, betas) in coefficients.chunks_exact_mut(machines.len()).zip(places.values()) {
        betas.iter().for_each(|&(machine, beta)| of_row[machine] += beta);
    }
    let memories = machines
        .iter()
        .map(|machine| machine.function().memory().rows())
        .collect::<Result<Vec<Vectors<'static>>>>()?;
    let width = memories.iter().map(Vectors::columns).max().unwrap_or(0);
    let items = gathered(&memories, rows.values().copied(), width)?;
    let support = rows.into_keys().map(|id| usize::try_from(id).unwrap_or(usize::MAX)).collect();
    Ok((support, items, coefficients, offsets))
}

/// Rows of several sets as one set.
fn gathered(
    memories: &[Vectors<'static>],
    places: impl Iterator<Item = (usize, usize)>,
    width: usize,
) -> Result<Vectors<'static>> {
    let is_sparse = memories.iter().any(|rows| matches!(rows, Vectors::Sparse(_)) && !rows.is_empty());
    if !is_sparse {
        let rows: Vec<Vec<f64>> =
            places.map(|(machine, slot)| memories[machine].get(slot).to_dense(width)).collect();
        return Vectors::from_rows(&rows);
    }
    let (mut offsets, mut indices, mut values) = (vec![0], Vec::new(), Vec::new());
    for (machine, slot) in places {
        memories[machine].get(slot).for_each(|column, value| {
            indices.push(column as u32);
            values.push(value);
        });
        offsets.push(values.len());
    }
    Ok(crate::data::Sparse::from_parts(offsets, indices, values, width)?.into())
}

/// One function for each class or level.
fn functions(
    learner: &Several<RowMemory>,
    rule: &Rule,
    support: Vec<usize>,
    coefficients: Vec<f64>,
    offsets: Vec<f64>,
) -> ClassFunctions {
    let classes = learner.classes().to_vec();
    if let Rule::Ranking { thresholds } = rule {
        let levels = thresholds.len() + 1;
        let classes = (1..=levels).map(|level| level.to_string()).collect();
        let multiples = |value: f64| (1..=levels).map(move |level| level as f64 * value);
        let mut below = 0.0;
        let offsets = multiples(offsets[0])
            .enumerate()
            .map(|(at, offset)| {
                if at > 0 {
                    below += thresholds[at - 1];
                }
                offset - below
            })
            .collect();
        let coefficients = coefficients.iter().flat_map(|&beta| multiples(beta)).collect();
        return ClassFunctions { classes, support, coefficients, offsets };
    }
    if offsets.len() == 1 {
        let both = |value: &f64| [-value, *value];
        let (coefficients, offsets) =
            (coefficients.iter().flat_map(both).collect(), offsets.iter().flat_map(both).collect());
        return ClassFunctions { classes, support, coefficients, offsets };
    }
    ClassFunctions { classes, support, coefficients, offsets }
}
