//! `mercer bound`

use mercer::Error;
use mercer::evaluation::bounds::{Applicable, Bound, Quantity, Wishes};
use mercer::io::ModelCard;
use mercer::machine::MARGIN_SHARES;
use serde_json::{Value, json};

use crate::arguments::BoundArguments;
use crate::failure::Failure;
use crate::load::load;
use crate::model;
use crate::print::{Page, count, number, show_json};
use crate::train::SETTINGS_TRIED;

/// Pairs of classes that are told, unless all are asked for.
const TOLD: usize = 10;

pub fn run(arguments: &BoundArguments, json: bool) -> Result<(), Failure> {
    let usual = Wishes::default();
    let wishes = Wishes {
        delta: arguments.delta,
        choices: arguments.choices.unwrap_or(usual.choices),
        constant: arguments.constant,
        gamma: arguments.gamma,
        share: arguments.share.unwrap_or(usual.share),
    };
    wishes.check().map_err(Failure::Usage)?;
    // What is not said is what the model was chosen from.
    let for_model = |card: &ModelCard| {
        let tried = card.notes.get(SETTINGS_TRIED).and_then(|count| count.parse().ok());
        Wishes { choices: arguments.choices.or(tried).unwrap_or(usual.choices), ..wishes }
    };
    let saved = load(&arguments.model)?;
    refuse_tolerance(arguments, model::task(&saved.machine))?;
    let wishes = for_model(&saved.card);
    let (kind, all) = (model::kind(&saved.machine), saved.machine.bounds(&wishes)?);
    if json {
        let told: Vec<Value> = all.iter().map(of_json).collect();
        return Ok(show_json(&json!({
            "model": arguments.model,
            "delta": wishes.delta,
            "choices": wishes.choices,
            "constant": wishes.constant,
            "margin_shares": MARGIN_SHARES,
            "bounds_of": told,
        }))?);
    }
    let mut page = Page::default();
    page.line("model", format!("{kind}, {}", arguments.model.display()));
    let chosen = match wishes.choices {
        1 => String::new(),
        k => format!(", for the best of {} choices", count(k as u64)),
    };
    page.line(
        "confidence",
        format!("{} %{chosen}, if rows are drawn independently", percent(1.0 - wishes.delta)),
    );
    let told = if arguments.all { all.len() } else { TOLD.min(all.len()) };
    for of in &all[..told] {
        tell(&mut page, of);
    }
    if told < all.len() {
        page.line(
            "",
            format!("and {} more pairs of classes: --all tells them too", count((all.len() - told) as u64)),
        );
    }
    Ok(page.show()?)
}

/// Classes are right or wrong: nothing is missed by more or less.
fn refuse_tolerance(arguments: &BoundArguments, task: &str) -> Result<(), Failure> {
    let given = [("--gamma", arguments.gamma), ("--share", arguments.share)];
    match given.iter().find(|(_, value)| value.is_some()) {
        Some((name, _)) if task == "classify" => {
            let what = format!("{name} is for regressions and spheres, and the model is a classifier");
            Err(Failure::Usage(Error::Unsupported { what }))
        }
        _ => Ok(()),
    }
}

/// A list for programs: every bound with what follows from it.
fn of_json(all: &Applicable) -> Value {
    let mut told = json!(all);
    for (value, bound) in told["bounds"].as_array_mut().into_iter().flatten().zip(&all.bounds) {
        value["vacuous"] = json!(bound.is_vacuous());
        value["advice"] = json!(bound.advice());
    }
    told["best"] = json!(all.best().map(|bound| bound.name));
    told
}

fn tell(page: &mut Page, all: &Applicable) {
    page.line("of", &all.of);
    let facts: Vec<String> =
        all.facts.iter().map(|fact| format!("{} {}", fact.name, number(fact.value))).collect();
    if !facts.is_empty() {
        page.line("known", facts.join(", "));
    }
    if !all.margins.is_empty() {
        let of = |(share, margin): (&f64, &f64)| format!("{} at {} %", number(*margin), percent(*share));
        let margins: Vec<String> = MARGIN_SHARES.iter().zip(&all.margins).map(of).collect();
        page.line("margins", margins.join(", "));
    }
    // What several bounds have to be told is told once.
    let mut notes: Vec<&str> = Vec::new();
    for bound in &all.bounds {
        tell_bound(page, bound, &mut notes);
    }
    for refusal in &all.refused {
        page.line("not applicable", format!("{}: {}", refusal.theorem, refusal.because));
    }
    for (at, note) in notes.iter().enumerate() {
        page.line(if at == 0 { "notes" } else { "" }, format!("({}) {note}", at + 1));
    }
    match all.best() {
        Some(best) => page.line("best", format!("{}, {}", best.name, number(best.value))),
        None if all.bounds.is_empty() => {}
        None => page.line("best", "none of the bounds says anything"),
    }
}

fn tell_bound<'a>(page: &mut Page, bound: &'a Bound, notes: &mut Vec<&'a str>) {
    page.line("bound", format!("{}: {}", bound.name, in_words(bound)));
    let terms: Vec<String> =
        bound.terms.iter().map(|term| format!("{} {}", term.name, number(term.value))).collect();
    page.line("", format!("= {}", terms.join(" + ")));
    let mut numbered = String::new();
    for note in &bound.notes {
        let at = notes.iter().position(|known| *known == note).unwrap_or_else(|| {
            notes.push(note);
            notes.len() - 1
        });
        numbered += &format!(" ({})", at + 1);
    }
    page.line("", format!("by {}{numbered}", bound.theorem));
    page.line("", format!("smaller by {}", bound.advice()));
}

/// What is bounded by how much, and whether that says anything.
fn in_words(bound: &Bound) -> String {
    let value = number(bound.value);
    let what = match bound.quantity {
        Quantity::Error => format!("a new row is wrong with a probability of at most {value}"),
        Quantity::ExpectedError => format!("on average over training sets, an error of at most {value}"),
        Quantity::PerceptronError => {
            format!(
                "of the perceptron on these rows, a new row is wrong with a probability of at most {value}"
            )
        }
        Quantity::PerceptronUpdates => format!("at most {value} updates of the perceptron on these rows"),
        Quantity::FalsePositives { gamma } => format!(
            "a row like these lies beyond a squared radius larger by {} with a probability of at most {value}",
            number(gamma)
        ),
        Quantity::Miss { gamma } => {
            format!(
                "a new target is missed by more than {} with a probability of at most {value}",
                number(gamma)
            )
        }
        Quantity::SquaredError => format!("an expected squared error of at most {value}"),
    };
    match (bound.constant, bound.is_vacuous()) {
        (Some(c), _) => format!("{what} if the constant were {}", number(c)),
        (None, true) => format!("{what}, which says nothing"),
        (None, false) => what,
    }
}

fn percent(share: f64) -> String {
    number(100.0 * share)
}
