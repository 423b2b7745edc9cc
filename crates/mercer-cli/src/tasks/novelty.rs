//! Novelty: how many rows lie outside.

use std::collections::BTreeMap;

use mercer::Result;
use mercer::data::{Items, Vectors};
use mercer::evaluation::{Aside, Assessment, Detector, KindTested, Learned, NoveltyTest};
use mercer::io::TrainedMachine;
use mercer::kernel::Expression;
use mercer::machine::NoveltyModel;
use serde_json::{Map, Value, json};

use super::{Telling, how};
use crate::print::{self, Page, count};

impl Telling for Detector {
    fn any(model: NoveltyModel<Expression, Vectors<'static>>) -> TrainedMachine {
        model.into()
    }

    fn of_any(model: TrainedMachine) -> Option<Self::Model> {
        match model {
            TrainedMachine::Novelty(model) => model.try_into().ok(),
            _ => None,
        }
    }

    fn targets(page: &mut Page, kinds: &Aside) {
        let labels = &kinds.0;
        page.line(
            "labels",
            match labels.classes().len() {
                0 | 1 => "none to compare with".to_string(),
                _ => {
                    let classes = print::classes(labels.classes(), &labels.counts());
                    format!("{classes}: not learned, only compared with")
                }
            },
        );
    }

    fn targets_json(kinds: &Aside) -> (&'static str, Value) {
        let labels = &kinds.0;
        let counts: BTreeMap<_, _> = labels.classes().iter().cloned().zip(labels.counts()).collect();
        ("labels", if counts.len() < 2 { Value::Null } else { json!(counts) })
    }

    fn tried(&self, _: f64) -> String {
        String::new()
    }

    fn in_words(test: &Assessment<NoveltyTest>) -> String {
        let (share, error) = (100.0 * test.outcome.share(), 100.0 * test.outcome.standard_error());
        format!("{share:.1} % of rows like these to be called novel, ± {error:.1} ({})", how(test.method))
    }

    fn details(page: &mut Page, test: &Assessment<NoveltyTest>) {
        kinds(page, &test.outcome);
    }

    fn folds(page: &mut Page, test: &Assessment<NoveltyTest>) {
        let each: Vec<String> =
            test.outcome.folds.iter().map(|fold| format!("{:.1}", 100.0 * fold)).collect();
        page.line("folds", format!("{} % novel", each.join(", ")));
    }

    fn own_rows(
        learned: &Learned<Self>,
        rows: &Vectors<'_>,
        weights: Option<&[f64]>,
        page: &mut Page,
        json: &mut Map<String, Value>,
    ) -> Result<()> {
        let scores = learned.model.scores(&learned.prepare(rows)?)?;
        let all = Aside::unknown(rows.len());
        let found = NoveltyTest::new(&all.0, &scores, weights, |score| learned.model.is_outside(score));
        let (some, all, share) =
            (count(found.novel() as u64), count(found.rows() as u64), 100.0 * found.share());
        page.line(
            "outside",
            match weights {
                None => format!("{some} of the {all} rows given ({share:.1} %)"),
                Some(_) => format!("{some} of the {all} rows with a weight ({share:.1} % of the weight)"),
            },
        );
        json.insert("outside".into(), json!(found.novel()));
        json.insert("outside_share".into(), json!(found.share()));
        Ok(())
    }
}

/// How often rows of each label were called novel.
pub fn kinds(page: &mut Page, test: &NoveltyTest) {
    if test.kinds.len() < 2 {
        return;
    }
    let share = |kind: &KindTested| {
        format!("{} {:.1} % of {}", kind.label, 100.0 * kind.share(), count(kind.rows as u64))
    };
    let each: Vec<String> = test.kinds.iter().map(share).collect();
    page.line("called novel", print::some_of(&each));
    if let (Some(auc), [first, second]) = (test.auc, &test.kinds[..]) {
        let (auc, more, less) = if auc >= 0.5 { (auc, first, second) } else { (1.0 - auc, second, first) };
        page.line("AUC", format!("{auc:.4}, {} looking more novel than {}", more.label, less.label));
    }
}

/// The same for programs.
pub fn kinds_json(test: &NoveltyTest) -> Value {
    json!({ "rows": test.rows(), "novel": test.novel(), "share": test.share(), "kinds": test.kinds, "auc": test.auc })
}
