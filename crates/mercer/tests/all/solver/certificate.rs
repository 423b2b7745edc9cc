//! The certificate says what it promises.

use mercer::solver::{Settings, Stop};

use super::{cloud, run};

#[test]
fn primal_and_dual_enclose_the_optimum_and_close_in_with_the_tolerance() {
    let cloud = cloud(200, 1.0, 0.5, 3);
    let problem = cloud.classifier(10.0);
    let solve = |tolerance| {
        run(&cloud.gram(), &problem, &Settings { stop: Stop::KktGap(tolerance), ..Settings::default() })
            .certificate
    };
    let best = solve(1e-10);
    assert!(best.relative_gap() < 1e-9, "{best:?}");
    let mut last = f64::INFINITY;
    for tolerance in [1.0, 1e-1, 1e-2, 1e-3, 1e-5] {
        let certificate = solve(tolerance);
        assert!(certificate.kkt_gap <= tolerance);
        assert!(certificate.dual <= best.dual * (1.0 + 1e-9), "{certificate:?}");
        assert!(certificate.primal >= best.primal * (1.0 - 1e-9), "{certificate:?}");
        assert!(certificate.relative_gap() < last, "{certificate:?}");
        last = certificate.relative_gap();
    }
}

#[test]
fn the_primal_value_is_that_of_the_soft_margin_problem() {
    let (n, cost) = (60, 3.0);
    let cloud = cloud(n, 1.0, 0.5, 4);
    let solution = run(&cloud.gram(), &cloud.classifier(cost), &Settings::default());
    let offset = -solution.multipliers[0];
    let (mut norm, mut slack) = (0.0, 0.0);
    for i in 0..n {
        let w_x: f64 = (0..n).map(|j| solution.coefficients[j] * cloud.kernel[i * n + j]).sum();
        norm += solution.coefficients[i] * w_x;
        slack += (1.0 - cloud.labels[i] * (w_x + offset)).max(0.0);
    }
    let primal = 0.5 * norm + cost * slack;
    assert!(
        (solution.certificate.primal - primal).abs() < 1e-9 * primal,
        "{:?} {primal}",
        solution.certificate
    );
}

#[test]
fn the_duality_gap_can_be_what_stops_the_solver() {
    let cloud = cloud(300, 1.2, 0.5, 5);
    let problem = cloud.classifier(100.0);
    for relative in [1e-1, 1e-3, 1e-6, 1e-9] {
        let settings = Settings { stop: Stop::DualityGap(relative), ..Settings::default() };
        let solution = run(&cloud.gram(), &problem, &settings);
        assert!(solution.certificate.relative_gap() <= relative, "{relative}: {:?}", solution.certificate);
    }
}
