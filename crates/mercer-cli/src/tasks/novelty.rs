//! Novelty: how many rows lie outside.

use std::collections::BTreeMap;

use mercer::Result;
use mercer::data::{Items, Vectors};
use mercer::evaluation::{Aside, Assessment, Detector, KindTested, Learned, NoveltyTest};
use mercer::io::AnyModel;
use mercer::kernel::Expression;
use mercer::machine::NoveltyModel;
use serde_json::{Map, Value, json};

use super::{Telling, how};
use crate::print::{self, Page, count};

impl Telling for Detector {
    fn any(model: NoveltyModel<Expression, Vectors<'static>>) -> AnyModel {
        AnyModel::Novelty(model)
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
        page: &mut Page,
        json: &mut Map<String, Value>,
    ) -> Result<()> {
        let outside = learned.model.is_novel(&learned.prepare(rows)?)?.iter().filter(|&&novel| novel).count();
        let share = 100.0 * outside as f64 / rows.len() as f64;
        let (some, all) = (count(outside as u64), count(rows.len() as u64));
        page.line("outside", format!("{some} of the {all} rows given ({share:.1} %)"));
        json.insert("outside".into(), json!(outside));
        Ok(())
    }
}

/// How often rows of each label were called novel.
pub fn kinds(page: &mut Page, test: &NoveltyTest) {
    if test.kinds.len() < 2 {
        return;
    }
    let share = |kind: &KindTested| {
        let share = 100.0 * kind.novel as f64 / kind.rows.max(1) as f64;
        format!("{} {share:.1} % of {}", kind.label, count(kind.rows as u64))
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
