//! Values against others that were worked out by hand or by another formula, and every refusal.

use std::f64::consts::{LN_2, LN_10};

use mercer::evaluation::bounds::*;
use mercer::{Error, Result};

/// Digits to which values worked out by hand are known.
const CLOSE: f64 = 5e-7;

#[test]
fn values_are_those_worked_out_by_hand() {
    // All with δ = 0.1, and ln 20 = 2.995732, ln 10 = 2.302585, ln 40 = 3.688879, ln 1000 = 6.907755.
    let (rows, trace, squared_radius, margin) = (1000, 4000.0, 4.0, 1.0);
    // 3 √(2.995732/2000) = 3 · 0.0387023
    let luck = 0.116_107;
    // 4 √4000/1000 = 4 · 63.245553/1000
    let complexity = 0.252_982_2;
    let (slack_sum, slack_squares) = (50.0, 80.0);
    let cases: Vec<(&str, Box<dyn Theorem>, f64)> = vec![
        ("7.22", Box::new(HardMargin { rows, trace, margin }), complexity + luck),
        ("7.8", Box::new(SoftMargin { rows, trace, margin, slack_sum }), 0.05 + complexity + luck),
        (
            "7.13",
            Box::new(SquaredSlack { rows, trace, margin: 2.0, slack_squares }),
            // 80/(1000·4) + 8·63.245553/(1000·2)
            0.02 + complexity + luck,
        ),
        (
            "7.30",
            // (1 − 0.75)/(0.005·1000)
            Box::new(BoxConstraint { rows, trace, cost: 0.005, root: 0.75, margin }),
            0.05 + complexity + luck,
        ),
        (
            "7.33",
            // 0.2·(1 − 0.75), the same as above: C = 1/(νℓ)
            Box::new(NuShare { rows, trace, nu: 0.2, root: 0.75, margin }),
            0.05 + complexity + luck,
        ),
        (
            "7.38, first",
            // 25·0.02/1000 + 8·63.245553/1000, and 3 √(3.688879/2000) = 3 · 0.0429469
            Box::new(Diagonal { rows, trace, mu: 25.0, squares: 0.02, margin }),
            0.000_5 * 25.0 + 2.0 * complexity + 0.128_841,
        ),
        (
            "7.38, second",
            // 4 √(4000 + 1000)/1000 = 4 · 70.710678/1000
            Box::new(Diagonal { rows, trace, mu: 1.0, squares: 0.02, margin }),
            0.282_842_7 + 0.128_841,
        ),
        (
            "7.9",
            // 50/(2·1000) + 6·4/(2·31.622777)
            Box::new(FalsePositives { items: 1000.0, squared_radius, slack_sum, gamma: 2.0 }),
            0.025 + 0.379_473_3 + luck,
        ),
        (
            "7.49",
            // 50/(1000·2) + 4·3·63.245553/(1000·2)
            Box::new(Tolerance { rows, trace, norm: 3.0, tube: 0.5, gamma: 2.5, slack_sum }),
            0.025 + 0.379_473_3 + luck,
        ),
        (
            "7.39",
            // RB = 6: 80/1000 + 16·6·(3·63.245553 + 30)/1000 + 4·36·0.116107
            Box::new(SquaredLoss {
                rows,
                trace,
                squared_radius,
                norm: 3.0,
                residual_squares: 80.0,
                target_squares: 900.0,
                largest_target: 5.0,
            }),
            0.08 + 0.096 * 219.736_659 + 144.0 * luck,
        ),
        (
            "5.2",
            // d = 256 of a million rows; log₂(e·10⁶/8) = 18.374267, log₂(128·4·10⁶) = 28.931569, log₂ 40 = 5.321928
            Box::new(FatShattering { rows: 1_000_000, squared_radius, margin, width: 4.0 }),
            2e-6 * (256.0 * 18.374_263 * 28.931_569 + 5.321_928),
        ),
        (
            "5.2 as printed, in a unit in which values lie in an interval of length 1",
            // R = ½: d = 64·0.25/0.0625 = 256; log₂(e·10⁶·0.25/2) and log₂(32·10⁶/0.0625), the same numbers
            Box::new(FatShattering { rows: 1_000_000, squared_radius: 0.25, margin: 0.25, width: 1.0 }),
            2e-6 * (256.0 * 18.374_263 * 28.931_569 + 5.321_928),
        ),
        (
            "5.3",
            // 0.002·((4 + 80)·6.907755² + 2.302585)
            Box::new(SquaredSlackOrder { rows, squared_radius, margin, slack_squares, constant: 2.0 }),
            0.002 * (84.0 * 47.717_083 + LN_10),
        ),
        (
            "5.4",
            Box::new(SlackOrder { rows, squared_radius, margin, slack_sum, constant: 2.0 }),
            0.002 * (4.0 * 47.717_083 + 50.0 * 6.907_755 + LN_10),
        ),
        (
            "Campbell 2",
            // In units of R: γ = ½, Σξ = 25, log(1/γ) = 0.693147
            Box::new(SlackSumSquaredOrder { rows, squared_radius, margin, slack_sum, constant: 2.0 }),
            0.002 * ((1.0 + 625.0 * LN_2) / 0.25 * 47.717_083 + LN_10),
        ),
        (
            "Campbell 4",
            // θ − γ = 0.5, γ = 2: (9·4 + 80)/4 = 29
            Box::new(ToleranceOrder {
                rows,
                squared_radius,
                norm: 3.0,
                tube: 0.5,
                tolerance: 2.5,
                slack_squares,
                constant: 2.0,
            }),
            0.002 * (29.0 * 47.717_083 + LN_10),
        ),
        (
            "7.54",
            // (10·6.907755 + ln 5000)/990
            Box::new(Mistakes { rows, updates: 10 }),
            (69.077_553 + 8.517_193) / 990.0,
        ),
        (
            "7.55",
            Box::new(PerceptronMargin { rows, squared_radius, margin }),
            0.002 * (27.631_021 + 8.517_193),
        ),
        (
            "7.56",
            // (10·(1 + ln 100) + ln 10 000)/990
            Box::new(Compression { rows, support: 10 }),
            (56.051_702 + 9.210_340) / 990.0,
        ),
    ];
    for (name, theorem, expected) in cases {
        let bound = theorem.bound(0.1).unwrap();
        let size = expected.max(1.0);
        assert!((bound.value - expected).abs() < 4.0 * CLOSE * size, "{name}: {} {expected}", bound.value);
        let sum: f64 = bound.terms.iter().map(|term| term.value).sum();
        assert_eq!(bound.value, sum, "{name}");
        assert!(bound.terms.iter().all(|term| term.value >= 0.0), "{name}");
        assert_eq!(bound.confidence, Some(0.9), "{name}");
        assert!(!bound.advice().is_empty() && !bound.theorem.is_empty(), "{name}");
        // More choices, or more confidence, cost.
        assert!(theorem.bound(0.05).unwrap().value > bound.value, "{name}");
        let among = theorem.among(20, 0.1).unwrap();
        let divided = theorem.bound(0.005).unwrap();
        assert!(
            (among.value - divided.value).abs() < 1e-12 * size && among.confidence == Some(0.9),
            "{name}"
        );
        let sum: f64 = among.terms.iter().map(|term| term.value).sum();
        assert!((among.value - sum).abs() < 1e-12 * size, "{name}");
        assert_eq!(theorem.among(1, 0.1).unwrap(), bound, "{name}");
        assert!(theorem.among(0, 0.1).is_err(), "{name}");
        for delta in [0.0, 1.0, -0.1, 2.0, f64::NAN, f64::INFINITY] {
            let refused = theorem.bound(delta).unwrap_err();
            assert!(matches!(refused, Error::Parameter { name: "delta", .. }), "{name}: {refused}");
        }
    }
    assert_eq!(Updates { squared_radius, margin: 0.5, bias: false }.bound().unwrap().value, 16.0);
    assert_eq!(LeaveOneOut { rows, support: 10 }.bound().unwrap().value, 0.01);
}

#[test]
fn more_choices_add_the_logarithm_of_their_number_under_the_root() {
    let theorem = HardMargin { rows: 500, trace: 500.0, margin: 0.5 };
    let (delta, k, l) = (0.05f64, 40, 500.0f64);
    let root = 3.0 * ((2.0 / delta).ln() / (2.0 * l) + f64::from(k).ln() / (2.0 * l)).sqrt();
    let bound = theorem.among(k as usize, delta).unwrap();
    assert!((bound.value - (4.0 * l.sqrt() / (l * 0.5) + root)).abs() < 1e-12);
}

#[test]
fn dual_forms_are_the_general_one() {
    // α′ of the functional margin 1, C′ = 2, ‖w‖ = 1.25: CΣξ = Σα′ − ‖w‖² without a duality gap.
    let (rows, trace, norm, sum, cost) = (600, 900.0, 1.25f64, 30.0, 2.0);
    let margin = 1.0 / norm;
    let slack_sum = (sum - norm * norm) / cost * margin;
    let general = SoftMargin { rows, trace, margin, slack_sum }.bound(0.05).unwrap().value;
    let root = norm / sum;
    let boxed = BoxConstraint { rows, trace, cost: cost / sum, root, margin }.bound(0.05).unwrap().value;
    let nu = sum / (rows as f64 * cost);
    let share = NuShare { rows, trace, nu, root, margin }.bound(0.05).unwrap().value;
    assert!((general - boxed).abs() < 1e-12 && (general - share).abs() < 1e-12, "{general} {boxed} {share}");
}

#[test]
fn an_offset_is_one_more_weight() {
    // Margins of points on a line with w = 1, b = −2, R = 3, against those of (x, R) with (1, b/R) scaled to length 1.
    let points = [-3.0f64, -1.0, 2.5, 3.0];
    let (b, radius) = (-2.0, 3.0);
    let trace: f64 = points.iter().map(|x| x * x).sum();
    let least = points.iter().map(|x| (x + b).abs()).fold(f64::INFINITY, f64::min);
    let folded =
        Hyperplane { rows: 4, trace, squared_radius: radius * radius, margin: least, offset: Some(b) }
            .folded();
    let length = 1f64.hypot(b / radius);
    let margin =
        points.iter().map(|x| ((x + b / radius * radius) / length).abs()).fold(f64::INFINITY, f64::min);
    let (longer, farthest) = points.iter().fold((0.0, 0.0f64), |(sum, most), x| {
        let square = x * x + radius * radius;
        (sum + square, most.max(square))
    });
    assert!((folded.margin - margin).abs() < 1e-12);
    assert!((folded.trace - longer).abs() < 1e-12 && (folded.squared_radius - farthest).abs() < 1e-12);
    assert_eq!(folded.folded(), folded);
}

#[test]
fn grids_hold_what_they_promise() {
    for count in [1usize, 2, 7, 100, 1_000_000_000_000] {
        let grid = Grid::new(2.0, count).unwrap();
        for value in [2.0, 1.9, 0.3, 0.002_001, 0.002, 1e-9, 5.0] {
            let (below, above) = (grid.at_most(value), grid.at_least(value));
            assert!(below.is_none_or(|own| own <= value) && above.is_none_or(|own| own >= value));
            // Between neighbours there is nothing.
            if let (Some(below), Some(above), true) = (below, above, (2..1000).contains(&count)) {
                let step = 1e3f64.powf(1.0 / (count - 1) as f64);
                assert!(above <= below * step * (1.0 + 1e-9), "{count} {value}: {below} {above}");
            }
        }
        assert_eq!((grid.at_most(5.0), grid.at_least(5.0)), (Some(2.0), None));
        assert!(grid.at_most(f64::NAN).is_none() && grid.at_most(0.0).is_none());
    }
    assert!(Grid::new(0.0, 5).is_err() && Grid::new(1.0, 0).is_err() && Grid::new(f64::NAN, 5).is_err());
}

#[test]
fn what_a_theorem_has_no_place_for_is_refused() {
    let soft = SoftMargin { rows: 100, trace: 100.0, margin: 0.5, slack_sum: 1.0 };
    let fat = FatShattering { rows: 1_000_000, squared_radius: 1.0, margin: 0.5, width: 2.0 };
    let squared = SquaredLoss {
        rows: 100,
        trace: 100.0,
        squared_radius: 1.0,
        norm: 2.0,
        residual_squares: 1.0,
        target_squares: 1.0,
        largest_target: 1.0,
    };
    let miss = Tolerance { rows: 100, trace: 100.0, norm: 1.0, tube: 0.1, gamma: 1.0, slack_sum: 1.0 };
    let sphere = FalsePositives { items: 100.0, squared_radius: 1.0, slack_sum: 1.0, gamma: 1.0 };
    let campbell =
        SlackSumSquaredOrder { rows: 100, squared_radius: 1.0, margin: 0.5, slack_sum: 1.0, constant: 1.0 };
    let cases: Vec<(Result<Bound>, &str)> = vec![
        (SoftMargin { rows: 0, ..soft }.bound(0.05), "no rows"),
        (SoftMargin { margin: 0.0, ..soft }.bound(0.05), "margin = 0"),
        (SoftMargin { margin: f64::NAN, ..soft }.bound(0.05), "margin = NaN"),
        (SoftMargin { trace: -1.0, ..soft }.bound(0.05), "trace = -1"),
        (SoftMargin { slack_sum: f64::INFINITY, ..soft }.bound(0.05), "slack = inf"),
        (FatShattering { rows: 256, ..fat }.bound(0.05), "64R²/γ² = 256"),
        (FatShattering { width: 1e-6, ..fat }.bound(0.05), "width = 1e-6"),
        (FatShattering { squared_radius: -1.0, ..fat }.bound(0.05), "squared radius = -1"),
        (SquaredLoss { largest_target: 2.5, ..squared }.bound(0.05), "largest target = 2.5"),
        (
            Tolerance { gamma: 0.1, ..miss }.bound(0.05),
            "gamma = 0.1: expected a finite number, larger than the tube",
        ),
        (Tolerance { tube: -0.1, ..miss }.bound(0.05), "tube = -0.1"),
        (FalsePositives { gamma: 0.0, ..sphere }.bound(0.05), "gamma = 0"),
        (FalsePositives { items: 0.0, ..sphere }.bound(0.05), "items = 0"),
        (SlackSumSquaredOrder { margin: 1.5, ..campbell }.bound(0.05), "margin = 1.5"),
        (SlackSumSquaredOrder { constant: 0.0, ..campbell }.bound(0.05), "constant = 0"),
        (Mistakes { rows: 100, updates: 0 }.bound(0.05), "updates = 0"),
        (Mistakes { rows: 100, updates: 51 }.bound(0.05), "updates = 51"),
        (PerceptronMargin { rows: 100, squared_radius: 4.0, margin: 0.25 }.bound(0.05), "R²/γ² = 64"),
        (Compression { rows: 100, support: 0 }.bound(0.05), "support vectors = 0"),
        (Compression { rows: 100, support: 100 }.bound(0.05), "support vectors = 100"),
        (LeaveOneOut { rows: 100, support: 101 }.bound(), "support vectors = 101"),
        (Updates { squared_radius: 1.0, margin: -1.0, bias: true }.bound(), "margin = -1"),
        (
            BoxConstraint { rows: 100, trace: 1.0, cost: 0.009, root: 1.0, margin: 1.0 }.bound(0.05),
            "cost = 0.009: expected at least 1/ℓ",
        ),
        (NuShare { rows: 100, trace: 1.0, nu: 1.1, root: 1.0, margin: 1.0 }.bound(0.05), "nu = 1.1"),
        (Diagonal { rows: 100, trace: 1.0, mu: 0.0, squares: 1.0, margin: 1.0 }.bound(0.05), "mu = 0"),
    ];
    for (found, part) in cases {
        let error = found.expect_err(part).to_string();
        assert!(error.contains(part), "{part} is missing in {error}");
    }
    for wishes in [
        Wishes { delta: 0.0, ..Wishes::default() },
        Wishes { choices: 0, ..Wishes::default() },
        Wishes { constant: -1.0, ..Wishes::default() },
        Wishes { gamma: Some(0.0), ..Wishes::default() },
        Wishes { share: 1.5, ..Wishes::default() },
        Wishes { share: f64::NAN, ..Wishes::default() },
    ] {
        assert!(wishes.check().is_err(), "{wishes:?}");
    }
}

#[test]
fn advice_follows_the_largest_term() {
    let advice = |rows: usize, margin: f64, slack_sum: f64| {
        let bound = SoftMargin { rows, trace: rows as f64, margin, slack_sum }.bound(0.05).unwrap();
        (bound.dominant().unwrap().name, bound.advice())
    };
    assert_eq!(advice(100, 0.1, 0.0).0, "complexity");
    assert_eq!(advice(100, 1.0, 90.0).0, "slack");
    assert_eq!(advice(100, 1000.0, 0.0).0, "confidence");
    assert!(advice(100, 0.1, 0.0).1.contains("larger margin"));
    assert!(advice(100, 1.0, 90.0).1.contains("less slack"));
    assert!(advice(100, 1000.0, 0.0).1.contains("more rows"));
    // One that is exactly 1 says nothing; the number of updates always says something.
    let one = LeaveOneOut { rows: 5, support: 5 }.bound().unwrap();
    assert!(one.value == 1.0 && one.is_vacuous());
    assert!(!Updates { squared_radius: 1.0, margin: 1e-3, bias: false }.bound().unwrap().is_vacuous());
}
