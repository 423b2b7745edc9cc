//! `mercer inspect`

use mercer::Result;
use mercer::data::ItemKind;
use mercer::io::{LearnerOrModel, Model, SavedLearner, TrainedMachine};
use mercer::machine::{Expansion, PairMachines};
use serde_json::json;

use crate::arguments::InspectArguments;
use crate::learn::told;
use crate::load::load_learner_or_model;
use crate::model;
use crate::precomputed::kernel_of;
use crate::print::{Page, count, number, show_json, some_of};

pub fn run(arguments: &InspectArguments, json: bool) -> Result<()> {
    let loaded = match load_learner_or_model(&arguments.model)? {
        LearnerOrModel::Learner(saved) => return tell_learner(&saved, arguments, json),
        LearnerOrModel::Model(loaded) => *loaded,
    };
    let kind = loaded.machine.item_kind();
    tell(&loaded, &kernel_of(&loaded), (kind != ItemKind::Rows).then_some(kind), arguments, json)
}

fn tell_learner(saved: &SavedLearner, arguments: &InspectArguments, json: bool) -> Result<()> {
    if json {
        return show_json(&told::values(saved, &arguments.model));
    }
    let mut page = Page::default();
    page.line("model", format!("on-line learner, {}", arguments.model.display()));
    if let Some(name) = &saved.label_name {
        page.line("target", name);
    }
    if let Some(names) = &saved.feature_names {
        page.line("features", some_of(names));
    }
    let scaling = saved.scaling.as_ref().map_or("none".to_string(), |scaling| scaling.kind().to_string());
    page.line("scaling", scaling);
    told::lines(&mut page, saved);
    page.show()
}

fn tell(
    saved: &Model,
    kernel: &str,
    structures: Option<ItemKind>,
    arguments: &InspectArguments,
    json: bool,
) -> Result<()> {
    let model = &saved.machine;
    let card = &saved.card;
    if json {
        let mut told = json!({
            "model": arguments.model,
            "card": card,
            "task": model::task(model),
            "kernel": kernel,
            "items": structures,
            "scaling": saved.scaling.as_ref().map(|scaling| scaling.kind().to_string()),
            "precision": model.precision(),
            "support_vectors": model::support_vectors(model),
            "status": model.status(),
            "reports": model::reports(model),
        });
        if let Some(told) = told.as_object_mut() {
            told.extend(model::own_json(model));
            told.extend(model::kernels_json(model));
            if let Ok(classes) = model.classes() {
                told.insert("classes".into(), json!(classes));
            }
        }
        return show_json(&told);
    }
    let mut page = Page::default();
    page.line("model", format!("{}, {}", model::kind(model), arguments.model.display()));
    page.line(
        "made by",
        if card.mercer == "LIBSVM" {
            "LIBSVM, or a program that writes its format".to_string()
        } else {
            format!("mercer {}", card.mercer)
        },
    );
    if let Some(kind) = structures {
        let checksum = &card.data_checksum;
        page.line("trained on", format!("{} {kind}, checksum {checksum}", count(card.rows)));
    } else if card.rows > 0 {
        let checksum = &card.data_checksum;
        page.line(
            "trained on",
            format!("{} rows x {} columns, checksum {checksum}", count(card.rows), count(card.columns)),
        );
    } else {
        page.line("trained on", format!("rows of {} columns", count(card.columns)));
    }
    if let Some(target) = &card.target_name {
        page.line("target", target);
    }
    if let Some(names) = &card.feature_names {
        page.line(if structures.is_some() { "columns" } else { "features" }, some_of(names));
    }
    if let Ok(classes) = model.classes() {
        page.line("classes", some_of(classes));
    }
    if structures.is_none() {
        page.line("scaling", saved.scaling.as_ref().map_or("none".to_string(), |s| s.kind().to_string()));
    }
    model::kernel_lines(&mut page, model, kernel);
    model::own_lines(&mut page, model);
    if model.status().is_some() {
        // A share or no slack at all has no cost.
        let formulation = card.notes.get("formulation").map_or("", String::as_str);
        let costs = !formulation.starts_with("slack nu") && formulation != "slack none";
        if !matches!(model, TrainedMachine::Novelty(_)) && costs {
            page.line("cost", number(card.cost));
        }
        page.line("asked for", &card.stop);
        page.line("computed in", format!("{:?}, {}", model.precision(), card.instruction_set));
    }
    model::support(&mut page, model);
    model::certificate(&mut page, model);
    match model {
        TrainedMachine::Svc(model) => informative(&mut page, model.pairs()),
        // A model of another program does not know its rows; for a mean they are all the same.
        TrainedMachine::Svr(model) if model.report().is_some() => leans_on(&mut page, model.expansion()),
        TrainedMachine::Novelty(model) if model.report().is_some() => leans_on(&mut page, model.expansion()),
        TrainedMachine::Svr(_) | TrainedMachine::Novelty(_) | TrainedMachine::Classes(_) => {}
        TrainedMachine::Linear(_) | TrainedMachine::LinearRegression(_) | TrainedMachine::Matrix(_) => {}
    }
    for (name, value) in &card.notes {
        page.line(name, value);
    }
    page.show()
}

/// Support items that are named.
const NAMED: usize = 5;

/// The rows that the model leans on most, and those that it cannot get on the right side of the margin.
fn informative(page: &mut Page, pairs: &PairMachines) {
    if pairs.reports.is_empty() {
        return;
    }
    let (k, width) = (pairs.class_count(), pairs.class_count() - 1);
    let strength =
        |i: usize| pairs.coefficients[i * width..(i + 1) * width].iter().map(|b| b.abs()).sum::<f64>();
    let class = |i: usize| &pairs.classes[(0..k).find(|&c| i < pairs.starts[c + 1]).unwrap_or(0)];
    let named = |rows: &[usize]| {
        let some: Vec<String> =
            rows.iter().take(NAMED).map(|&i| format!("{} ({})", pairs.support[i] + 1, class(i))).collect();
        let more = rows.len().saturating_sub(NAMED);
        if more > 0 {
            format!("{} and {} more", some.join(", "), count(more as u64))
        } else {
            some.join(", ")
        }
    };
    let mut order: Vec<usize> = (0..pairs.support.len()).collect();
    order.sort_by(|&a, &b| strength(b).total_cmp(&strength(a)).then(a.cmp(&b)));
    let strongest = order.iter().map(|&i| strength(i)).next().unwrap_or(0.0);
    // At the bound in all its pairs: no machine gets it right by a margin.
    let bounded: Vec<usize> =
        order.iter().copied().filter(|&i| strength(i) >= strongest * (1.0 - 1e-9)).collect();
    page.line("leans on", format!("rows {}", named(&order)));
    if bounded.len() > 1 {
        page.line(
            "outliers?",
            format!("rows {}: their coefficients are as large as can be", named(&bounded)),
        );
    }
}

/// The rows with the largest coefficients.
fn leans_on(page: &mut Page, expansion: &Expansion) {
    let mut order: Vec<usize> = (0..expansion.support.len()).collect();
    let size = |i: usize| expansion.coefficients[i].abs();
    order.sort_by(|&a, &b| size(b).total_cmp(&size(a)).then(a.cmp(&b)));
    let some: Vec<String> =
        order.iter().take(NAMED).map(|&i| (expansion.support[i] + 1).to_string()).collect();
    let more = match order.len().saturating_sub(NAMED) {
        0 => String::new(),
        more => format!(" and {} more", count(more as u64)),
    };
    page.line("leans on", format!("rows {}{more}", some.join(", ")));
}
