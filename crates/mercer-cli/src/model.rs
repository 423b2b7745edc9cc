//! A trained model in words: what it is, its support vectors, its certificate.

use mercer::data::Collection;
use mercer::gram::CollectionKernel;
use mercer::io::TrainedMachine;
use mercer::machine::{
    Decision, FalsePositiveBound, LinearFunctions, Loss, Multiclass, NoveltyModel, PairMachines, PairReport,
    Region, Report, Softness, SvrModel,
};
use mercer::solver::Status;
use serde_json::{Map, Value, json};

use crate::matrix;
use crate::print::{Page, count, number, some_of};

/// The confidence that the false-positive bound is told with.
const DELTA: f64 = 0.05;
/// The share of false positives that it is told for where no share was asked for.
const FALSE_POSITIVES: f64 = 0.1;

/// What kind of machine it is.
pub fn kind(model: &TrainedMachine) -> &'static str {
    match model {
        TrainedMachine::Svc(_) | TrainedMachine::Classes(_) => "support vector classifier",
        TrainedMachine::Svr(_) => "support vector regression",
        TrainedMachine::Novelty(_) => "novelty detector",
        TrainedMachine::Linear(_) => "linear classifier",
        TrainedMachine::LinearRegression(_) => "linear regression",
        TrainedMachine::Matrix(model) => model.name(),
    }
}

/// The same with an article.
pub fn a_kind(model: &TrainedMachine) -> String {
    match kind(model) {
        name if name.starts_with("a ") => name.into(),
        name if name.starts_with(['a', 'e', 'i', 'o', 'u']) => format!("an {name}"),
        name => format!("a {name}"),
    }
}

/// What it learned to do, as the command line calls it.
pub fn task(model: &TrainedMachine) -> &'static str {
    match model {
        TrainedMachine::Svc(_) | TrainedMachine::Classes(_) | TrainedMachine::Linear(_) => "classify",
        TrainedMachine::Svr(_) | TrainedMachine::LinearRegression(_) => "regress",
        TrainedMachine::Novelty(_) => "novelty",
        TrainedMachine::Matrix(model) => matrix::task(model),
    }
}

/// How many support vectors there are.
pub fn support_vectors(model: &TrainedMachine) -> usize {
    model.support_rows().len()
}

/// The kernel as it is shown, or that of each class.
pub fn kernel_lines(page: &mut Page, model: &TrainedMachine, shown: &str) {
    let of_classes = matrix::kernels(model);
    if of_classes.is_empty() {
        return page.line("kernel", shown);
    }
    for (at, (class, kernel)) in of_classes.iter().enumerate() {
        page.line(if at == 0 { "kernels" } else { "" }, format!("{class}: {kernel}"));
    }
}

/// The same for programs.
pub fn kernels_json(model: &TrainedMachine) -> Map<String, Value> {
    let of_classes = matrix::kernels(model);
    let kernels: Map<String, Value> = of_classes.into_iter().map(|(class, k)| (class, json!(k))).collect();
    match kernels.is_empty() {
        true => Map::new(),
        false => Map::from_iter([("kernels".to_string(), Value::Object(kernels))]),
    }
}

/// What only this kind of machine has.
pub fn own_lines(page: &mut Page, model: &TrainedMachine) {
    match model {
        TrainedMachine::Svc(model) => {
            if model.classes().len() > 2 && model.pairs().decision == Decision::Graph {
                page.line("classes by", "a graph of pairs: the loser of each leaves");
            }
            if let Some(calibration) = &model.pairs().calibration {
                page.line("probabilities", calibration.kind);
            }
        }
        TrainedMachine::Classes(model) => page.line("classes by", multiclass(model.machine())),
        TrainedMachine::Svr(model) => page.line("loss", loss(model)),
        TrainedMachine::Novelty(model) => region(page, model),
        TrainedMachine::Linear(model) => page.line("minimises", model.objective()),
        TrainedMachine::LinearRegression(model) => page.line("loss", model.loss()),
        TrainedMachine::Matrix(model) => matrix::own_lines(page, model),
    }
}

/// The same for programs.
pub fn own_json(model: &TrainedMachine) -> Map<String, Value> {
    let value = match model {
        TrainedMachine::Svc(model) => json!({
            "decision": model.pairs().decision,
            "probabilities": model.pairs().calibration.as_ref().map(|calibration| calibration.kind),
        }),
        TrainedMachine::Classes(model) => json!({ "multiclass": model.machine() }),
        TrainedMachine::Svr(model) => json!({ "loss": model.loss(), "tube": tube(model) }),
        TrainedMachine::Linear(model) => json!({ "objective": model.objective() }),
        TrainedMachine::LinearRegression(model) => json!({ "loss": model.loss() }),
        TrainedMachine::Matrix(model) => matrix::own_json(model),
        TrainedMachine::Novelty(model) => json!({
            "region": model.region(),
            "softness": (model.region() != Region::Centre).then(|| model.softness()),
            "radius": model.radius(),
            "squared_radius": model.radius().map(|_| model.found().threshold),
            "threshold": model.found().threshold,
            "moved_by": model.slack(),
            "false_positive_bound": bound(model).map(|(gamma, bound)| json!({
                "gamma": gamma,
                "delta": DELTA,
                "slack": bound.slack,
                "complexity": bound.complexity,
                "confidence": bound.confidence,
                "total": bound.total(),
            })),
        }),
    };
    match value {
        Value::Object(map) => map,
        _ => Map::new(),
    }
}

/// How each problem of the training went, for programs.
pub fn reports(model: &TrainedMachine) -> Value {
    match model {
        TrainedMachine::Svc(model) => json!(model.pairs().reports),
        TrainedMachine::Classes(model) => json!(model.reports()),
        TrainedMachine::Svr(model) => json!(model.report().into_iter().collect::<Vec<_>>()),
        TrainedMachine::Novelty(model) => json!(model.report().into_iter().collect::<Vec<_>>()),
        TrainedMachine::Linear(model) => json!(model.reports()),
        TrainedMachine::LinearRegression(model) => json!(model.report().into_iter().collect::<Vec<_>>()),
        TrainedMachine::Matrix(_) => json!([]),
    }
}

/// The largest violation of the optimality conditions, and the largest relative duality gap that is claimed.
pub fn gaps(model: &TrainedMachine) -> (f64, Option<f64>) {
    let one = |report: Option<&Report>| {
        (report.map_or(0.0, |report| report.certificate.kkt_gap), report.and_then(Report::relative_gap))
    };
    let worst = |reports: &[Report]| {
        let gap = largest(reports.iter().map(|report| report.certificate.kkt_gap));
        (gap, reports.iter().filter_map(Report::relative_gap).reduce(f64::max))
    };
    match model {
        TrainedMachine::Svc(model) => {
            let reports = &model.pairs().reports;
            let gap = largest(reports.iter().map(|report| report.certificate.kkt_gap));
            (gap, reports.iter().filter_map(PairReport::relative_gap).reduce(f64::max))
        }
        TrainedMachine::Svr(model) => one(model.report()),
        TrainedMachine::Novelty(model) => one(model.report()),
        TrainedMachine::LinearRegression(model) => one(model.report()),
        TrainedMachine::Classes(model) => worst(model.reports()),
        TrainedMachine::Linear(model) => worst(model.reports()),
        TrainedMachine::Matrix(_) => (0.0, None),
    }
}

/// Seconds that each problem took.
pub fn seconds(model: &TrainedMachine) -> Vec<f64> {
    match model {
        TrainedMachine::Svc(model) => model.pairs().reports.iter().map(|report| report.seconds).collect(),
        TrainedMachine::Svr(model) => model.report().iter().map(|report| report.seconds).collect(),
        TrainedMachine::Novelty(model) => model.report().iter().map(|report| report.seconds).collect(),
        TrainedMachine::Classes(model) => model.reports().iter().map(|report| report.seconds).collect(),
        TrainedMachine::Linear(model) => model.reports().iter().map(|report| report.seconds).collect(),
        TrainedMachine::LinearRegression(model) => {
            model.report().iter().map(|report| report.seconds).collect()
        }
        TrainedMachine::Matrix(_) => Vec::new(),
    }
}

/// Support vectors.
pub fn support(page: &mut Page, model: &TrainedMachine) {
    let one = |page: &mut Page, all: usize, report: Option<&Report>| {
        let bounded = match report {
            Some(report) if report.bounded > 0 => {
                format!(", {} of them with the largest weight", count(report.bounded as u64))
            }
            _ => String::new(),
        };
        page.line("support vectors", count(all as u64) + &bounded);
    };
    let weights = |page: &mut Page, functions: &LinearFunctions| {
        let used = functions.weights.iter().filter(|weight| **weight != 0.0).count();
        let all = count(functions.weights.len() as u64);
        page.line("weights", format!("{all}, {} of them not 0", count(used as u64)));
    };
    match model {
        TrainedMachine::Svc(model) => support_of_pairs(page, model.pairs()),
        TrainedMachine::Classes(model) => {
            page.line("support vectors", count(model.functions().support.len() as u64))
        }
        TrainedMachine::Svr(model) => one(page, model.expansion().support.len(), model.report()),
        TrainedMachine::Novelty(model) => one(page, model.expansion().support.len(), model.report()),
        TrainedMachine::Linear(model) => weights(page, model.functions()),
        TrainedMachine::LinearRegression(model) => weights(page, model.functions()),
        TrainedMachine::Matrix(_) => {}
    }
}

/// The certificate in a few lines.
pub fn certificate(page: &mut Page, model: &TrainedMachine) {
    match model {
        TrainedMachine::Svc(model) => certificate_of_pairs(page, model.pairs()),
        TrainedMachine::Novelty(model) if model.region() == Region::Centre => {
            page.line("certificate", "none is needed: the centre is the mean of all rows")
        }
        TrainedMachine::Classes(model) => certificate_of_some(page, model.reports()),
        TrainedMachine::Linear(model) => certificate_of_some(page, model.reports()),
        TrainedMachine::LinearRegression(model) => certificate_of_one(page, model.report()),
        TrainedMachine::Svr(model) => certificate_of_one(page, model.report()),
        TrainedMachine::Novelty(model) => certificate_of_one(page, model.report()),
        TrainedMachine::Matrix(model) => matrix::certificate(page, model),
    }
}

fn certificate_of_some(page: &mut Page, reports: &[Report]) {
    match reports {
        [report] => certificate_of_one(page, Some(report)),
        reports => certificate_of_classes(page, reports),
    }
}

fn certificate_of_one(page: &mut Page, report: Option<&Report>) {
    let Some(report) = report else { return none(page) };
    page.line("status", report.status);
    page.line("KKT gap", number(report.certificate.kkt_gap));
    duality_gap(page, report.relative_gap());
    page.line("objective", format!("{} (dual)", number(report.certificate.dual)));
}

/// The worst of one problem per class.
fn certificate_of_classes(page: &mut Page, reports: &[Report]) {
    let unfinished = reports.iter().map(|report| report.status).find(|&status| status != Status::Converged);
    let converged = reports.iter().filter(|report| report.status == Status::Converged).count();
    let status = unfinished.unwrap_or(Status::Converged);
    page.line("status", format!("{status} ({converged} of {} classes converged)", reports.len()));
    page.line("KKT gap", number(largest(reports.iter().map(|report| report.certificate.kkt_gap))));
    let gaps: Option<Vec<f64>> = reports.iter().map(Report::relative_gap).collect();
    duality_gap(page, gaps.map(|gaps| largest(gaps.into_iter())));
}

/// How many classes are told apart.
fn multiclass(machine: Multiclass) -> &'static str {
    match machine {
        Multiclass::OneAgainstRest => "one machine each, against all others",
        Multiclass::WestonWatkins => "one machine for all, as Weston & Watkins have it",
        Multiclass::CrammerSinger => "one machine for all, as Crammer & Singer have it",
    }
}

fn none(page: &mut Page) {
    page.line("certificate", "none (a model of another program, or one that was compressed)");
}

fn duality_gap(page: &mut Page, gap: Option<f64>) {
    match gap {
        Some(gap) => page.line("duality gap", format!("{} of the objective at most", number(gap))),
        None => page.line("duality gap", "not claimed: the kernel is not known to be positive semi-definite"),
    }
}

/// ε, for losses that have one.
fn tube(model: &SvrModel<CollectionKernel, Collection<'static>>) -> Option<f64> {
    match model.loss() {
        Loss::Huber { .. } | Loss::Quantile { .. } => None,
        Loss::Linear { .. } | Loss::Quadratic { .. } | Loss::Nu { .. } => Some(model.tube()),
    }
}

/// The loss with the tube that was given or found.
fn loss(model: &SvrModel<CollectionKernel, Collection<'static>>) -> String {
    match model.loss() {
        // Nothing is known about the tube of a model of another program.
        Loss::Linear { .. } if model.report().is_none() => "linear outside a tube".into(),
        Loss::Linear { tube } => format!("linear outside a tube of {}", number(tube)),
        Loss::Quadratic { tube } => format!("quadratic outside a tube of {}", number(tube)),
        Loss::Huber { width } => format!("Huber, quadratic up to {}", number(width)),
        Loss::Quantile { level } => format!("pinball, for the quantile {}", number(level)),
        Loss::Nu { nu } => {
            format!("linear outside a tube of {}, which nu = {} has found", number(model.tube()), number(nu))
        }
    }
}

fn region(page: &mut Page, model: &NoveltyModel<CollectionKernel, Collection<'static>>) {
    let softness = match model.softness() {
        _ if model.region() == Region::Centre => String::new(),
        // A model of another program does not tell.
        _ if model.report().is_none() => String::new(),
        Softness::Nu(nu) => format!(", at most a share nu = {} of the rows outside", number(nu)),
        Softness::Hard => ", no row outside".into(),
        Softness::Cost(cost) => format!(", a unit of slack costs {}", number(cost)),
        Softness::Quadratic(cost) => format!(", the square of slack costs {}", number(cost)),
    };
    let shape = match model.region() {
        Region::Centre => "a sphere about the mean of the rows, as large as it takes",
        Region::Sphere => "the smallest sphere",
        Region::Hyperplane => "the half-space farthest from the origin",
    };
    page.line("region", format!("{shape}{softness}"));
    // The region is larger by this.
    let slack = model.slack();
    let moved = |what: &str, by: f64| match by {
        0.0 => String::new(),
        by if by > 0.0 => format!(", {what} raised by {}", number(by)),
        by => format!(", {what} lowered by {}", number(-by)),
    };
    match model.radius() {
        Some(_) if model.found().threshold < 0.0 => {
            let square = format!("{}{}", number(model.found().threshold), moved("which is", slack));
            page.line("radius", format!("none: its square is {square}, so cheap is slack"));
        }
        Some(radius) => {
            page.line("radius", format!("{} in feature space{}", number(radius), moved("its square", slack)))
        }
        None => page
            .line("threshold", format!("{}{}", number(model.found().threshold), moved("which is", -slack))),
    }
    let Some((gamma, bound)) = bound(model) else {
        page.line("false alarms", "no bound is known for half-spaces (--region sphere has one)");
        return;
    };
    let found = model.found();
    // No row is farther from the centre than this: R from the origin, and the centre in between.
    let farthest = (found.largest_squared_norm.sqrt() + found.squared_norm.sqrt()).powi(2);
    let total = 100.0 * bound.total();
    let vacuous = found.threshold + gamma >= farthest || total >= 100.0;
    page.line(
        "false alarms",
        format!(
            "at most {total:.1} % of rows like these lie beyond a squared radius larger by {}{}",
            number(gamma),
            if slack == 0.0 { "" } else { " than before it was moved" }
        ),
    );
    page.line(
        "",
        format!(
            "with a confidence of 95 %{} (slack {} + complexity {} + confidence {})",
            if vacuous { ", which says nothing for so few rows" } else { "" },
            number(bound.slack),
            number(bound.complexity),
            number(bound.confidence)
        ),
    );
}

/// The false-positive bound of a sphere, enlarged so that its first two terms are the share that was asked for.
fn bound(model: &NoveltyModel<CollectionKernel, Collection<'static>>) -> Option<(f64, FalsePositiveBound)> {
    let found = model.found();
    let share = match model.softness() {
        Softness::Nu(nu) if model.region() != Region::Centre => nu,
        _ => FALSE_POSITIVES,
    };
    let gamma =
        FalsePositiveBound::gamma_for(share, found.slack_sum, found.largest_squared_norm, found.items);
    model.false_positive_bound(gamma, DELTA).map(|bound| (gamma, bound))
}

/// The certificate of a model in a few lines.
fn certificate_of_pairs(page: &mut Page, pairwise: &PairMachines) {
    let Some(status) = pairwise.status() else { return none(page) };
    let worst = |value: fn(&PairReport) -> f64| largest(pairwise.reports.iter().map(value));
    let converged = pairwise.reports.iter().filter(|r| r.status == Status::Converged).count();
    let of_all = if pairwise.reports.len() > 1 {
        format!(" ({converged} of {} pairs of classes converged)", pairwise.reports.len())
    } else {
        String::new()
    };
    page.line("status", format!("{status}{of_all}"));
    page.line("KKT gap", number(worst(|report| report.certificate.kkt_gap)));
    let convex = pairwise.reports.iter().all(|report| report.convex);
    duality_gap(page, convex.then(|| worst(|report| report.certificate.relative_gap())));
    if let [report] = &pairwise.reports[..] {
        page.line("objective", format!("{} (dual)", number(report.certificate.dual)));
        let own = match report.gamma {
            // Where it is another number, as in the 2-norm machine of unit length, whose γ takes the diagonal in.
            Some(gamma) if (gamma - report.margin).abs() > 0.01 * report.margin => {
                format!(", {} by the formula of the algorithm", number(gamma))
            }
            _ => String::new(),
        };
        page.line(
            "margin",
            match report.margin.is_finite() {
                true => format!("{} in feature space{own}", number(report.margin)),
                false => "none: the function is the same everywhere".into(),
            },
        );
        page.line(
            "slack",
            format!(
                "{} in all, {} the margin",
                number(report.slack_sum),
                match report.margin_errors {
                    1 => "1 row misses".to_string(),
                    rows => format!("{} rows miss", count(rows as u64)),
                }
            ),
        );
    }
}

/// The largest of some numbers that are not negative; NaN, which `f64::max` passes over, if there is one.
fn largest(numbers: impl Iterator<Item = f64>) -> f64 {
    numbers.fold(0.0, |most, number| if number > most || number.is_nan() { number } else { most })
}

/// Support vectors per class.
fn support_of_pairs(page: &mut Page, pairwise: &PairMachines) {
    let per_class: Vec<String> = (0..pairwise.class_count())
        .map(|c| {
            format!("{} {}", pairwise.classes[c], count((pairwise.starts[c + 1] - pairwise.starts[c]) as u64))
        })
        .collect();
    page.line(
        "support vectors",
        format!("{} ({})", count(pairwise.support.len() as u64), some_of(&per_class)),
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_nan_is_not_passed_over() {
        assert_eq!(largest([1.0, 3.0, 2.0].into_iter()), 3.0);
        assert!(largest([1.0, f64::NAN, 2.0].into_iter()).is_nan());
        assert_eq!(number(largest([f64::NAN, 2.0].into_iter())), "NaN");
    }
}
