//! Joint machines at costs where the bounds hardly bind: the interior-point method finishes what steps example by example cannot.

use mercer::data::{Labels, Random, Vectors};
use mercer::machine::Joint;
use mercer::solver::Status;

use super::joint::{MACHINES, gaussian, gram, linear, params};

/// Points in the plane, in clouds that overlap or with classes that have nothing to do with them.
fn points(n: usize, classes: usize, clouds: bool) -> (Vectors<'static>, Labels) {
    let mut random = Random::new(7);
    let shift = if clouds { 1.5 } else { 0.0 };
    let mut point = |i: usize| {
        let angle = (i % classes) as f64 * 2.4;
        [shift * angle.cos() + random.normal(), shift * angle.sin() + random.normal()]
    };
    let rows: Vec<[f64; 2]> = (0..n).map(&mut point).collect();
    (Vectors::from_rows(&rows).unwrap(), Labels::from_text((0..n).map(|i| format!("c{}", i % classes))))
}

fn matrix(kernel: &str, rows: &Vectors<'_>) -> Vec<f64> {
    match kernel {
        "linear" => gram(linear, rows),
        "gaussian(gamma=0.5)" => gram(gaussian(0.5), rows),
        _ => gram(gaussian(10.0), rows),
    }
}

/// The primal and the dual objective by their definitions, from the coefficients and offsets alone.
fn objectives(
    gram: &[f64],
    class: &[usize],
    tau: &[f64],
    offsets: &[f64],
    cost: f64,
    machine: Joint,
) -> (f64, f64) {
    let (n, k) = (class.len(), offsets.len());
    let (mut quadratic, mut loss, mut own) = (0.0, 0.0, 0.0);
    for i in 0..n {
        let f: Vec<f64> = (0..k).map(|c| (0..n).map(|j| tau[j * k + c] * gram[i * n + j]).sum()).collect();
        quadratic += (0..k).map(|c| tau[i * k + c] * f[c]).sum::<f64>();
        own += tau[i * k + class[i]];
        let score = |c: usize| f[c] + offsets[c];
        let missed = (0..k)
            .filter(|&c| c != class[i])
            .map(|c| (machine.margin() - (score(class[i]) - score(c))).max(0.0));
        loss += match machine {
            Joint::WestonWatkins => missed.sum::<f64>(),
            Joint::CrammerSinger => missed.fold(0.0, f64::max),
        };
    }
    (0.5 * quadratic + cost * loss, machine.margin() * own - 0.5 * quadratic)
}

#[test]
fn large_costs_are_solved_after_few_steps() {
    for kernel in ["gaussian(gamma=0.5)", "gaussian(gamma=10)", "linear"] {
        for cost in [1e4, 1e6, 1e8] {
            for (n, k, clouds) in
                [(22, 3, true), (40, 4, false), (60, 5, true), (78, 3, false), (78, 5, true)]
            {
                let (rows, labels) = points(n, k, clouds);
                let gram = matrix(kernel, &rows);
                let class: Vec<usize> = labels.codes().iter().map(|&code| code as usize).collect();
                for machine in MACHINES {
                    let what = format!("{kernel}, C = {cost:e}, {n} rows, {k} classes, {machine:?}");
                    let model =
                        params(kernel, machine).cost(cost).check().unwrap().fit(&rows, &labels).unwrap();
                    let report = &model.reports()[0];
                    let certificate = report.certificate;
                    println!(
                        "{what}: {:?} {certificate:?} {} steps, {:.2} s",
                        report.status, report.iterations, report.seconds
                    );
                    // Steps alone are not done after millions.
                    assert!(report.iterations < 500_000, "{what}: {} steps", report.iterations);
                    // A slope of the size of 1e8 has no digits for a KKT gap of 1e-3, but the objective has.
                    let is_solved = report.status == Status::Converged
                        || (cost == 1e8 && report.status == Status::NumericalLimit);
                    assert!(is_solved, "{what}: {:?} {certificate:?}", report.status);
                    assert!(certificate.relative_gap() < 0.0101, "{what}: {certificate:?}");
                    // The certificate is that of the coefficients.
                    let functions = model.functions();
                    let mut tau = vec![0.0; n * k];
                    for (&row, of_row) in functions.support.iter().zip(functions.coefficients.chunks_exact(k))
                    {
                        tau[row * k..][..k].copy_from_slice(of_row);
                        assert!(of_row.iter().sum::<f64>().abs() <= 1e-9 * cost);
                    }
                    let (primal, dual) = objectives(&gram, &class, &tau, &functions.offsets, cost, machine.0);
                    assert!((primal - dual).abs() < 0.02 * primal, "{what}: {primal} and {dual}");
                    assert!(
                        (primal / certificate.primal - 1.0).abs() < 0.01,
                        "{what}: {primal}, {certificate:?}"
                    );
                }
            }
        }
    }
}
