//! `mercer inspect`

use mercer::Result;
use mercer::data::Vectors;
use mercer::kernel::Expression;
use mercer::machine::SvcModel;

use crate::arguments::InspectArguments;
use crate::load::load;
use crate::precomputed::kernel_of;
use crate::print::{Page, certificate, count, number, show_json, some_of, support};

pub fn run(arguments: &InspectArguments, json: bool) -> Result<()> {
    let saved = load(&arguments.model)?;
    let model = saved.model.classifier()?;
    let card = &saved.card;
    if json {
        return show_json(&serde_json::json!({
            "model": arguments.model,
            "card": card,
            "kernel": kernel_of(&saved),
            "scaling": saved.scaling.as_ref().map(|scaling| scaling.kind().to_string()),
            "classes": model.classes(),
            "precision": model.precision(),
            "support_vectors": model.pairs().support.len(),
            "status": model.status(),
            "reports": model.pairs().reports,
        }));
    }
    let mut page = Page::default();
    page.line("model", format!("support vector classifier, {}", arguments.model.display()));
    page.line(
        "made by",
        if card.mercer == "LIBSVM" { "LIBSVM".to_string() } else { format!("mercer {}", card.mercer) },
    );
    if card.rows > 0 {
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
        page.line("features", some_of(names));
    }
    page.line("classes", some_of(model.classes()));
    page.line("scaling", saved.scaling.as_ref().map_or("none".to_string(), |s| s.kind().to_string()));
    page.line("kernel", kernel_of(&saved));
    if model.status().is_some() {
        page.line("cost", number(card.cost));
        page.line("asked for", &card.stop);
        page.line("computed in", format!("{:?}, {}", model.precision(), card.instruction_set));
    }
    support(&mut page, model.pairs());
    certificate(&mut page, model.pairs());
    informative(&mut page, model);
    for (name, value) in &card.notes {
        page.line(name, value);
    }
    page.show()
}

/// Support items that are named.
const NAMED: usize = 5;

/// The rows that the model leans on most, and those that it cannot get on the right side of the margin.
fn informative(page: &mut Page, model: &SvcModel<Expression, Vectors<'static>>) {
    let pairs = model.pairs();
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
