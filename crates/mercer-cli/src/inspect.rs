//! `mercer inspect`

use mercer::Result;
use mercer::io::AnyModel;

use crate::arguments::InspectArguments;
use crate::print::{certificate, count, line, number, support};
use crate::train::load;

pub fn run(arguments: &InspectArguments) -> Result<()> {
    let saved = load(&arguments.model)?;
    let AnyModel::Svc(model) = &saved.model;
    let card = &saved.card;
    line("model", format!("support vector classifier, {}", arguments.model.display()));
    line(
        "made by",
        if card.mercer == "LIBSVM" { "LIBSVM".to_string() } else { format!("mercer {}", card.mercer) },
    );
    if card.rows > 0 {
        let checksum = &card.data_checksum;
        line(
            "trained on",
            format!("{} rows x {} columns, checksum {checksum}", count(card.rows), count(card.columns)),
        );
    } else {
        line("trained on", format!("rows of {} columns", count(card.columns)));
    }
    if let Some(target) = &card.target_name {
        line("target", target);
    }
    line("classes", model.classes().join(", "));
    line("scaling", saved.scaling.as_ref().map_or("none".to_string(), |s| s.kind().to_string()));
    line("kernel", model.kernel());
    if model.status().is_some() {
        line("cost", number(card.cost));
        line("asked for", &card.stop);
        line("computed in", format!("{:?}, {}", model.precision(), card.instruction_set));
    }
    support(model.pairs());
    certificate(model.pairs());
    for (name, value) in &card.notes {
        line(name, value);
    }
    Ok(())
}
