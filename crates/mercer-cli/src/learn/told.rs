//! What is told about an on-line learner.

use std::path::Path;

use mercer::io::SavedLearner;
use mercer::machine::Slack;
use mercer::machine::online::{Budget, Rule};
use serde_json::{Value, json};

use crate::print::{Page, count, number, rounded, some_of};

/// All but the name of the file.
pub fn lines(page: &mut Page, saved: &SavedLearner) {
    let (learner, tally) = (&saved.learner, saved.learner.tally());
    let machine = &learner.machines()[0];
    let averaged = if machine.function().state().averaging { ", averaged over all examples" } else { "" };
    page.line("learned by", format!("{}{averaged}", rule(machine.rule())));
    page.line("kernel", machine.function().memory().kernel());
    if !learner.classes().is_empty() {
        page.line("classes", some_of(learner.classes()));
    }
    page.line("examples", count(tally.examples));
    if !matches!(machine.rule(), Rule::Regression { .. }) {
        let share = 100.0 * tally.mistakes as f64 / tally.examples.max(1) as f64;
        page.line("mistakes", format!("{} ({share:.2} %), before each was learned", count(tally.mistakes)));
    }
    let mean = tally.loss / tally.examples.max(1) as f64;
    page.line("loss", format!("{} in all, {} an example", rounded(tally.loss, 6), rounded(mean, 4)));
    page.line("updates", count(tally.updates));
    if let Some(margin) = largest_margin(saved) {
        page.line(
            "Novikoff",
            format!(
                "so many updates within the radius {} leave no function a margin above {}",
                rounded(tally.squared_radius.sqrt(), 4),
                rounded(margin, 4)
            ),
        );
    }
    let budget = match machine.function().state().budget {
        Budget::Unlimited => "no budget".to_string(),
        Budget::Remove { items } => format!("at most {}, others are forgotten", count(items as u64)),
        Budget::Project { items } => format!("at most {}, others are projected", count(items as u64)),
    };
    let each = if learner.machines().len() > 1 { " in each machine" } else { "" };
    page.line("remembered", format!("{} examples ({budget}{each})", count(remembered(saved) as u64)));
}

/// The same for programs.
pub fn values(saved: &SavedLearner, path: &Path) -> Value {
    let (learner, tally) = (&saved.learner, saved.learner.tally());
    let machine = &learner.machines()[0];
    json!({
        "model": path.display().to_string(),
        "rule": machine.rule(),
        "average": machine.function().state().averaging,
        "kernel": machine.function().memory().kernel().to_string(),
        "classes": learner.classes(),
        "feature_names": saved.feature_names,
        "label": saved.label_name,
        "scaling": saved.scaling.as_ref().map(|scaling| scaling.kind().to_string()),
        "budget": machine.function().state().budget.items(),
        "examples": tally.examples,
        "mistakes": tally.mistakes,
        "updates": tally.updates,
        "loss": tally.loss,
        "squared_radius": tally.squared_radius,
        "largest_margin": largest_margin(saved),
        "remembered": remembered(saved),
    })
}

/// Novikoff's bound knows perceptrons that forget nothing, and two classes.
fn largest_margin(saved: &SavedLearner) -> Option<f64> {
    let [machine] = saved.learner.machines() else { return None };
    let is_bounded =
        *machine.rule() == Rule::Perceptron && machine.function().state().budget == Budget::Unlimited;
    if is_bounded { machine.tally().largest_margin() } else { None }
}

fn remembered(saved: &SavedLearner) -> usize {
    saved.learner.machines().iter().map(|machine| machine.function().coefficients().len()).sum()
}

fn rule(rule: &Rule) -> String {
    let of_slack = |slack: &Slack, cost: &f64| match slack {
        Slack::None => "no slack".to_string(),
        Slack::Quadratic => format!("cost {} of squared slack", number(*cost)),
        _ => format!("cost {}", number(*cost)),
    };
    match rule {
        Rule::Perceptron => "the perceptron's rule".into(),
        Rule::PassiveAggressive { slack, cost } => {
            format!("passive-aggressive steps, {}", of_slack(slack, cost))
        }
        Rule::Regression { tube, slack, cost } => {
            format!("on-line regression, tube {}, {}", number(*tube), of_slack(slack, cost))
        }
        Rule::Ranking { thresholds } => format!("PRank, {} levels", thresholds.len() + 1),
    }
}
