//! The machines that the command line asks for, and what cannot be asked of them.

use mercer::evaluation::{Detector, PerClass, Regression};
use mercer::kernel::Expression;
use mercer::machine::{
    Decision, FitOptions, Joint, JointSvc, Loss, Novelty, NoveltyParams, Probability, Region, Scale, Slack,
    Softness, Svc, SvcParams, Svr,
};
use mercer::resources::default_budget;
use mercer::solver::{Method, Settings, Stop};
use mercer::{Error, Result};

use crate::arguments::{
    LossArgument, MulticlassArgument, RecipeArguments, RegionArgument, SlackArgument, SolverArgument,
    TaskArgument,
};
use crate::progress::left;
use crate::recipe::{LEARNING_SHARE, class_weights, time_limit};
use crate::task::Task;

/// The tube and the width of losses that are not told, in spreads of the targets.
const TUBE: f64 = 0.1;
const WIDTH: f64 = 0.5;
/// The quantile, and the shares of rows that miss a margin, are outside a tube and outside a region, that are not told.
const LEVEL: f64 = 0.5;
pub const MISS_MARGIN: f64 = 0.2;
const OUTSIDE_TUBE: f64 = 0.5;
const OUTSIDE_REGION: f64 = 0.1;

/// Notes on the card of a model, see [`notes`].
pub const FORMULATION: &str = "formulation";
pub const SCALE: &str = "scale";
pub const OFFSET: &str = "offset";
pub const CLASS_WEIGHTS: &str = "class weights";
pub const CONTAMINATION: &str = "contamination";

/// Refuses what makes no sense whatever the data are.
pub fn check(arguments: &RecipeArguments) -> Result<()> {
    match asked(arguments) {
        Some(task) => check_for(arguments, task),
        // What the data decide is told once they are read; they never ask for a detector.
        None => {
            classifier(arguments, ())?.check()?;
            regression(arguments, ()).and_then(|machine| machine.machine.check()).map(|_| ())
        }
    }
}

/// Refuses parameters that do not belong to a task, or to its loss, and values that make no sense.
pub fn check_for(arguments: &RecipeArguments, task: Task) -> Result<()> {
    use LossArgument::{Huber, Linear, Nu, Quadratic, Quantile};
    let machine = &arguments.machine;
    let (loss, region) = (loss(arguments), machine.region.unwrap_or(RegionArgument::Hyperplane));
    let slack = slack(arguments, task);
    let learns = |losses: &[LossArgument]| task == Task::Regress && losses.contains(&loss);
    let here = here(arguments, task);
    let softens = task == Task::Novelty && region != RegionArgument::Centre;
    let costs = matches!(slack, SlackArgument::Linear | SlackArgument::Quadratic);
    let classifies = task == Task::Classify;
    let divides = slack == SlackArgument::Nu && (classifies || softens);
    let has_offset = matches!(task, Task::Classify | Task::Regress);
    for (name, given, belongs, home) in [
        (
            "--slack",
            machine.slack.is_some(),
            classifies || softens,
            "--task classify, --region sphere and hyperplane",
        ),
        ("--multiclass", machine.multiclass.is_some(), classifies, "--task classify"),
        ("--probabilities", machine.probabilities.is_some(), classifies, "--task classify"),
        ("--unit-length", machine.unit_length, classifies, "--task classify"),
        ("--no-offset", machine.no_offset, has_offset, "--task classify and regress"),
        ("--loss", machine.loss.is_some(), task == Task::Regress, "--task regress"),
        ("--tube", machine.tube.is_some(), learns(&[Linear, Quadratic]), "--loss linear and quadratic"),
        ("--width", machine.width.is_some(), learns(&[Huber]), "--loss huber"),
        ("--level", machine.level.is_some(), learns(&[Quantile]), "--loss quantile"),
        (
            "--nu",
            machine.nu.is_some(),
            learns(&[Nu]) || divides,
            "--slack nu, --loss nu, --region sphere and hyperplane",
        ),
        ("--region", machine.region.is_some(), task == Task::Novelty, "--task novelty"),
        ("--contamination", machine.contamination.is_some(), task == Task::Novelty, "--task novelty"),
        ("--class-weight", !arguments.class_weight.is_empty(), task == Task::Classify, "--task classify"),
        (
            "--cost",
            arguments.cost.is_some(),
            task != Task::Novelty || softens && costs,
            "--task classify and regress, --slack linear and quadratic",
        ),
    ] {
        refuse(name, given && !belongs, &here, home)?;
    }
    if softens && costs && arguments.cost.is_none() {
        let what =
            format!("--slack {} needs a --cost: nothing tells a good region from a bad one", slack.name());
        return Err(Error::Unsupported { what });
    }
    let joint = classifies && machine.multiclass.is_some_and(is_per_class);
    let sums = !has_offset || !machine.no_offset || divides || machine.unit_length || learns(&[Nu]);
    let without = "machines without offset (--no-offset), --slack linear and quadratic";
    let adatron = arguments.solver == SolverArgument::Adatron && !joint && sums;
    refuse("--solver adatron", adatron, "an offset, nu, --unit-length or novelty detection", without)?;
    if joint {
        return match per_class(arguments, ())? {
            PerClass::Rest(machine) => machine.check().map(|_| ()),
            PerClass::Joint(machine) => machine.check().map(|_| ()),
        };
    }
    match task {
        Task::Classify => classifier(arguments, ())?.check().map(|_| ()),
        Task::Regress => regression(arguments, ())?.machine.check().map(|_| ()),
        Task::Novelty => detector(arguments, "linear".parse()?)?.machine.check().map(|_| ()),
    }
}

/// What a parameter of another task or loss does not go with, as it was said; what the data decide has no option.
fn here(arguments: &RecipeArguments, task: Task) -> String {
    let machine = &arguments.machine;
    let (option, word) = match task {
        Task::Classify => match machine.slack {
            Some(slack) if slack != SlackArgument::Linear => return format!("--slack {}", slack.name()),
            _ => ("--task classify", "classification, which the labels ask for"),
        },
        Task::Regress => match machine.loss {
            Some(loss) => return format!("--loss {}", loss.name()),
            None if machine.level.is_some() => return "--level".into(),
            None if machine.width.is_some() => return "--width".into(),
            None if machine.tube.is_some() => return "--tube".into(),
            None => ("--task regress", "regression, which the labels ask for"),
        },
        Task::Novelty if machine.region == Some(RegionArgument::Centre) => return "--region centre".into(),
        Task::Novelty if machine.slack.is_some() => {
            return format!("--slack {}", slack(arguments, task).name());
        }
        Task::Novelty => ("--task novelty", "novelty detection"),
    };
    if arguments.task == TaskArgument::Auto { word } else { option }.into()
}

fn refuse(name: &str, refused: bool, here: &str, home: &str) -> Result<()> {
    match refused {
        true => Err(Error::Unsupported { what: format!("{name} does not go with {here}: it is for {home}") }),
        false => Ok(()),
    }
}

/// The slack that is meant.
/// The slack that is meant.
pub fn slack(arguments: &RecipeArguments, task: Task) -> SlackArgument {
    let usual = if task == Task::Novelty { SlackArgument::Nu } else { SlackArgument::Linear };
    arguments.machine.slack.unwrap_or(usual)
}

/// The loss that is meant: the one that is named, or that has the parameter which is given.
fn loss(arguments: &RecipeArguments) -> LossArgument {
    let machine = &arguments.machine;
    match machine.loss {
        Some(loss) => loss,
        None if machine.level.is_some() => LossArgument::Quantile,
        None if machine.width.is_some() => LossArgument::Huber,
        None => LossArgument::Linear,
    }
}

/// Whether each class has a function of its own.
pub fn is_per_class(multiclass: MulticlassArgument) -> bool {
    use MulticlassArgument::{CrammerSinger, OneAgainstRest, WestonWatkins};
    matches!(multiclass, OneAgainstRest | WestonWatkins | CrammerSinger)
}

/// The classifier with a function for each class that is asked for.
pub fn per_class<K: Clone>(arguments: &RecipeArguments, kernel: K) -> Result<PerClass<K>> {
    let machine = &arguments.machine;
    let multiclass = machine.multiclass.unwrap_or(MulticlassArgument::OneAgainstRest);
    let here = format!("--multiclass {}", multiclass.name());
    let pairs = "--multiclass one-against-one and graph";
    refuse("--probabilities", machine.probabilities.is_some(), &here, pairs)?;
    let joint = match multiclass {
        MulticlassArgument::WestonWatkins => Joint::WestonWatkins,
        MulticlassArgument::CrammerSinger => Joint::CrammerSinger,
        _ => return Ok(PerClass::Rest(classifier(arguments, kernel)?)),
    };
    let apart = "machines that are trained apart, for pairs or against the rest";
    let other = machine.slack.is_some_and(|slack| slack != SlackArgument::Linear);
    refuse("--slack", other, &here, apart)?;
    refuse("--unit-length", machine.unit_length, &here, apart)?;
    let mut params = JointSvc::params(kernel)
        .machine(joint)
        .cost(arguments.cost.unwrap_or(1.0))
        .class_weights(class_weights(&arguments.class_weight)?)
        .options(options(arguments)?);
    if machine.no_offset {
        params = params.offset(false);
    }
    Ok(PerClass::Joint(params))
}

/// The classifier, its cost 1 unless another is given.
pub fn classifier<K: Clone>(arguments: &RecipeArguments, kernel: K) -> Result<SvcParams<K>> {
    let machine = &arguments.machine;
    let slack = match slack(arguments, Task::Classify) {
        SlackArgument::Linear => Slack::Linear,
        SlackArgument::Quadratic => Slack::Quadratic,
        SlackArgument::Nu => Slack::Nu { nu: machine.nu.unwrap_or(MISS_MARGIN) },
        SlackArgument::None => Slack::None,
    };
    if matches!(slack, Slack::Nu { .. } | Slack::None) {
        let name = machine.slack.map_or("", SlackArgument::name);
        refuse(
            "--cost",
            arguments.cost.is_some(),
            &format!("--slack {name}"),
            "--slack linear and quadratic",
        )?;
    }
    refuse(
        "--unit-length",
        machine.unit_length && slack == Slack::Linear,
        "--slack linear",
        "--slack quadratic, nu and none",
    )?;
    Ok(Svc::params(kernel)
        .slack(slack)
        .scale(if machine.unit_length { Scale::Geometric } else { Scale::Functional })
        .offset(!machine.no_offset)
        .decision(match machine.multiclass {
            Some(MulticlassArgument::Graph) => Decision::Graph,
            _ => Decision::Votes,
        })
        .probability(machine.probabilities.map(Probability::from))
        .cost(arguments.cost.unwrap_or(1.0))
        .options(options(arguments)?)
        .class_weights(class_weights(&arguments.class_weight)?))
}

/// The regression, its cost 1 unless another is given.
pub fn regression<K>(arguments: &RecipeArguments, kernel: K) -> Result<Regression<K>> {
    let machine = &arguments.machine;
    let (loss, is_told) = match loss(arguments) {
        LossArgument::Linear => (Loss::Linear { tube: machine.tube.unwrap_or(TUBE) }, machine.tube.is_some()),
        LossArgument::Quadratic => {
            (Loss::Quadratic { tube: machine.tube.unwrap_or(TUBE) }, machine.tube.is_some())
        }
        LossArgument::Huber => {
            (Loss::Huber { width: machine.width.unwrap_or(WIDTH) }, machine.width.is_some())
        }
        LossArgument::Quantile => (Loss::Quantile { level: machine.level.unwrap_or(LEVEL) }, true),
        LossArgument::Nu => (Loss::Nu { nu: machine.nu.unwrap_or(OUTSIDE_TUBE) }, true),
    };
    let machine = Svr::params(kernel)
        .cost(arguments.cost.unwrap_or(1.0))
        .loss(loss)
        .offset(!arguments.machine.no_offset)
        .options(options(arguments)?);
    Ok(Regression { machine, loss_in_spreads: !is_told })
}

/// The novelty detector.
pub fn detector(arguments: &RecipeArguments, kernel: Expression) -> Result<Detector> {
    let contamination = arguments.machine.contamination;
    Ok(Detector { machine: region(arguments, kernel)?, contamination })
}

/// The machine of a novelty detector.
pub fn region<K>(arguments: &RecipeArguments, kernel: K) -> Result<NoveltyParams<K>> {
    let machine = &arguments.machine;
    if let Some(value) = machine.contamination.filter(|share| !(0.0..1.0).contains(share)) {
        let expected = "a share, at least 0 and below 1";
        return Err(Error::Parameter { name: "contamination", value, expected });
    }
    let cost = arguments.cost.unwrap_or(1.0);
    Ok(Novelty::params(kernel)
        .region(machine.region.map_or(Region::Hyperplane, Region::from))
        .softness(match slack(arguments, Task::Novelty) {
            SlackArgument::Linear => Softness::Cost(cost),
            SlackArgument::Quadratic => Softness::Quadratic(cost),
            SlackArgument::Nu => Softness::Nu(machine.nu.unwrap_or(OUTSIDE_REGION)),
            SlackArgument::None => Softness::Hard,
        })
        .options(options(arguments)?))
}

/// What a model does not tell by itself about how it was made, for its card.
pub fn notes(arguments: &RecipeArguments, task: &str) -> Vec<(&'static str, String)> {
    let machine = &arguments.machine;
    let mut notes = Vec::new();
    if let Some(slack) = machine.slack.filter(|_| task == "classify") {
        let nu = machine.nu.unwrap_or(MISS_MARGIN);
        let share = if slack == SlackArgument::Nu { format!(" = {nu}") } else { String::new() };
        notes.push((FORMULATION, format!("slack {}{share}", slack.name())));
    }
    if machine.unit_length {
        notes.push((SCALE, "decision values are distances in feature space".into()));
    }
    if machine.no_offset {
        notes.push((OFFSET, "none".into()));
    }
    if !arguments.class_weight.is_empty() {
        notes.push((CLASS_WEIGHTS, serde_json::json!(arguments.class_weight).to_string()));
    }
    if let Some(share) = machine.contamination {
        notes.push((CONTAMINATION, share.to_string()));
    }
    let method = Method::from(arguments.solver);
    if method != Method::default() {
        notes.push(("solver", method.to_string()));
    }
    notes
}

/// Whether the machine that is asked for by name has a cost.
pub fn has_cost(arguments: &RecipeArguments) -> bool {
    use SlackArgument::{Linear, Quadratic};
    asked(arguments).is_some_and(|task| match task {
        Task::Regress => true,
        task => matches!(slack(arguments, task), Linear | Quadratic),
    })
}

/// How any of them is trained.
pub fn options(arguments: &RecipeArguments) -> Result<FitOptions> {
    let unlimited = Settings::default();
    Ok(FitOptions {
        solver: Settings {
            stop: arguments.duality_gap.map_or(Stop::KktGap(arguments.tolerance), Stop::DualityGap),
            max_iterations: arguments.max_iterations.unwrap_or(unlimited.max_iterations),
            method: arguments.solver.into(),
            max_time: left(time_limit(arguments)?).map(|left| left.mul_f64(LEARNING_SHARE)),
            ..unlimited
        },
        precision: arguments.precision.into(),
        threads: arguments.threads,
        memory: arguments.memory.map_or_else(default_budget, |megabytes| megabytes.saturating_mul(1 << 20)),
        instruction_set: None,
    })
}

/// The task that is asked for, by name or by what belongs to it alone; `None` if the data decide.
///
/// Nothing asks for classes but its name: measurements are not taken for them by the way.
pub fn asked(arguments: &RecipeArguments) -> Option<Task> {
    let machine = &arguments.machine;
    let parts = [machine.tube, machine.width, machine.level];
    let regresses = machine.loss.is_some() || parts.iter().any(Option::is_some);
    let detects = machine.region.is_some() || machine.contamination.is_some();
    match arguments.task {
        TaskArgument::Classify => Some(Task::Classify),
        TaskArgument::Regress => Some(Task::Regress),
        TaskArgument::Novelty => Some(Task::Novelty),
        TaskArgument::Auto if regresses => Some(Task::Regress),
        TaskArgument::Auto if detects => Some(Task::Novelty),
        TaskArgument::Auto => None,
    }
}
