//! `mercer inspect`

use mercer::Result;
use mercer::io::AnyModel;

use crate::arguments::InspectArguments;
use crate::load::load;
use crate::precomputed::kernel_of;
use crate::print::{Page, certificate, count, number, support};

pub fn run(arguments: &InspectArguments) -> Result<()> {
    let saved = load(&arguments.model)?;
    let AnyModel::Svc(model) = &saved.model;
    let card = &saved.card;
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
    page.line("classes", model.classes().join(", "));
    page.line("scaling", saved.scaling.as_ref().map_or("none".to_string(), |s| s.kind().to_string()));
    page.line("kernel", kernel_of(&saved));
    if model.status().is_some() {
        page.line("cost", number(card.cost));
        page.line("asked for", &card.stop);
        page.line("computed in", format!("{:?}, {}", model.precision(), card.instruction_set));
    }
    support(&mut page, model.pairs());
    certificate(&mut page, model.pairs());
    for (name, value) in &card.notes {
        page.line(name, value);
    }
    page.show()
}
