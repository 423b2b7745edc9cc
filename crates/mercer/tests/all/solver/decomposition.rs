//! Working sets and shrinking change the road, not the goal.

use mercer::solver::{Settings, Status, Stop};

use super::{cloud, run};

#[test]
fn shrinking_reaches_the_same_optimum_on_all_variables() {
    let cloud = cloud(5000, 1.0, 0.5, 8);
    let problem = cloud.classifier(1.0);
    let gram = cloud.gram();
    let solve = |shrinking| {
        run(&gram, &problem, &Settings { stop: Stop::KktGap(1e-5), shrinking, ..Settings::default() })
    };
    let (with, without) = (solve(true), solve(false));
    for solution in [&with, &without] {
        assert_eq!(solution.status, Status::Converged);
        // The gradient that the certificate rests on is the true one, for variables that were put aside too.
        for i in (0..5000).step_by(97) {
            let row = &cloud.kernel[i * 5000..][..5000];
            let f: f64 =
                row.iter().zip(&solution.coefficients).map(|(k, b)| k * b).sum::<f64>() + problem.linear[i];
            assert!((f - solution.gradient[i]).abs() < 1e-7, "{i}: {f} {}", solution.gradient[i]);
        }
    }
    let off = (with.certificate.dual - without.certificate.dual).abs() / without.certificate.dual;
    assert!(off < 1e-7, "{off:e}");
}

#[test]
fn rows_are_asked_for_lazily() {
    let cloud = cloud(5000, 1.0, 0.5, 9);
    let solution = run(&cloud.gram(), &cloud.classifier(1.0), &Settings::default());
    let support = solution.support().count() as u64;
    assert!(
        solution.rows_computed < 4 * support,
        "{} rows for {support} support vectors",
        solution.rows_computed
    );
}
