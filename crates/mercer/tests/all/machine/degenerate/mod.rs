//! Every machine on data with nothing to learn from, or numbers at the ends of their range: no panic, no hang, nothing that is not
//! finite, and no status that contradicts the certificate beside it.

mod machines;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use mercer::Error;
use mercer::data::{Dense, Labels, Vectors};
use mercer::kernel::Expression;
use mercer::machine::{JointSvc, LinearSvc, LinearSvr, Novelty, Svc, Svr};
use mercer::solver::Status;

use machines::{Trial, machines};

const KERNELS: [&str; 4] =
    ["linear", "gaussian(gamma=1)", "polynomial(degree=2, gamma=1, constant=1)", "laplacian(gamma=0.5)"];

/// No fit of a few rows takes longer, on a machine that does other things too.
const LONGEST: Duration = Duration::from_secs(10);

/// Rows, classes and targets.
#[derive(Clone)]
struct Data {
    name: &'static str,
    rows: Vectors<'static>,
    labels: Labels,
    targets: Vec<f64>,
    /// Errors that say what is wrong with them.
    allowed: fn(&Error) -> bool,
}

fn data(
    name: &'static str,
    rows: &[[f64; 2]],
    targets: impl Fn(usize) -> f64,
    allowed: fn(&Error) -> bool,
) -> Data {
    let n = rows.len();
    let labels = Labels::from_text((0..n).map(|i| if i % 3 == 0 { "a" } else { "b" }));
    let flat: Vec<f64> = rows.concat();
    let rows = Vectors::from(Dense::new(flat, n, 2).unwrap());
    Data { name, rows, labels, targets: (0..n).map(targets).collect(), allowed }
}

fn all_data() -> Vec<Data> {
    let usual: Vec<[f64; 2]> = (0..9).map(|i| [(i % 4) as f64 - 1.5, (i * i % 7) as f64]).collect();
    let times = |by: f64| usual.iter().map(|row| row.map(|x| x * by)).collect::<Vec<_>>();
    let count = |i: usize| i as f64;
    let none = Vectors::from(Dense::new(Vec::<f64>::new(), 6, 0).unwrap());
    vec![
        data("no rows", &[], count, |e| matches!(e, Error::Empty { .. } | Error::Shape { .. })),
        data("one row", &usual[..1], count, |e| {
            matches!(e, Error::OneClass { .. } | Error::Undefined { .. } | Error::Shape { .. })
        }),
        data("all rows equal", &[[1.0, 2.0]; 6], count, |e| {
            has_no_margin(e) || matches!(e, Error::Undefined { .. })
        }),
        data("zeros", &[[0.0; 2]; 6], |_| 0.0, |e| is_of_zeros(e) || matches!(e, Error::OneClass { .. })),
        data("rows of 1e300", &times(1e300), count, |e| {
            let is_width = matches!(e, Error::Entry { what: "width of bump", .. });
            is_width || matches!(e, Error::Unsupported { .. } | Error::KernelValue { .. })
        }),
        data("rows of 1e-300", &times(1e-300), count, is_of_zeros),
        data(
            "targets of 1e300",
            &usual,
            |i| i as f64 * 1e300,
            |e| {
                // Partial least squares has no direction whose square is a number.
                has_no_margin(e) || matches!(e, Error::Entry { .. } | Error::Empty { .. })
            },
        ),
        data("targets of 1e-300", &usual, |i| i as f64 * 1e-300, |e| has_no_margin(e) || has_no_degree(e)),
        data(
            "one target",
            &usual,
            |_| 3.0,
            |e| {
                let is_one = matches!(e, Error::Undefined { .. } | Error::OneClass { .. });
                is_one || has_no_margin(e) || has_no_degree(e)
            },
        ),
        Data { rows: none, ..data("no columns", &[[0.0; 2]; 6], count, is_of_zeros) },
        Data {
            labels: Labels::from_text(["a"; 9]),
            ..data("one class", &usual, count, |e| matches!(e, Error::OneClass { .. }) || has_no_degree(e))
        },
    ]
}

/// The classes of these data are not separable by the linear kernel, and the share of some machines is too small for a margin.
fn has_no_margin(error: &Error) -> bool {
    matches!(error, Error::Parameter { name: "nu", .. } | Error::NoMargin { .. } | Error::NotSeparable { .. })
}

/// Spectral clusters divide by sums of kernel values, which are above 0 for few kernels.
fn has_no_degree(error: &Error) -> bool {
    matches!(error, Error::Entry { what: "the sum of the kernel values of item", .. })
}

/// Nothing tells rows apart, and all values of some kernels are 0.
fn is_of_zeros(error: &Error) -> bool {
    let nothing = matches!(error, Error::Undefined { .. } | Error::Pivot { .. });
    nothing || has_no_margin(error) || has_no_degree(error)
}

/// What absurd parameters may be refused with.
fn is_of_parameters(error: &Error) -> bool {
    matches!(error, Error::Parameter { .. } | Error::NoMargin { .. } | Error::NotSeparable { .. })
        || has_no_degree(error)
}

/// What is behind the place of an error.
fn cause(error: &Error) -> &Error {
    match error {
        Error::Item { source, .. } | Error::Without { source, .. } => cause(source),
        other => other,
    }
}

/// What is wrong with a fit, if anything is.
fn fault(
    trial: Trial,
    data: &Data,
    kernel: &str,
    parameter: f64,
    allowed: fn(&Error) -> bool,
) -> Option<String> {
    let begun = Instant::now();
    let kernel: Expression = kernel.parse().unwrap();
    let Ok(found) = catch_unwind(AssertUnwindSafe(|| trial(data, kernel, parameter))) else {
        return Some("panics".into());
    };
    if begun.elapsed() > LONGEST {
        return Some(format!("takes {:?}", begun.elapsed()));
    }
    let found = match found {
        Ok(found) => found,
        Err(error) if allowed(cause(&error)) => return None,
        Err(error) => return Some(format!("is refused with {error:?}")),
    };
    if let Some(value) = found.values.iter().find(|value| !value.is_finite()) {
        return Some(format!("predicts {value}"));
    }
    // The tolerance is 1e-3.
    let contradicts = |(status, gap): &&(Status, Option<f64>)| {
        *status == Status::Converged && gap.is_some_and(|gap| gap.is_nan() || gap > 0.01 + 1e-12)
    };
    found.reports.iter().find(contradicts).map(|report| format!("contradicts itself: {report:?}"))
}

#[test]
fn every_machine_survives_degenerate_data() {
    let mut faults = Vec::new();
    let machines = machines();
    for data in all_data() {
        for &(name, usual, trial) in &machines {
            for kernel in KERNELS {
                if let Some(fault) = fault(trial, &data, kernel, usual, data.allowed) {
                    faults.push(format!("{name}, {}, {kernel}: {fault}", data.name));
                }
            }
        }
    }
    assert!(faults.is_empty(), "{} faults\n{}", faults.len(), faults.join("\n"));
}

#[test]
fn every_machine_survives_absurd_parameters() {
    let mut faults = Vec::new();
    let rows: Vec<[f64; 2]> = (0..9).map(|i| [(i % 4) as f64 - 1.5, (i * i % 7) as f64]).collect();
    let data = data("usual", &rows, |i| (i as f64).sin(), |_| false);
    for (name, _, trial) in machines() {
        for parameter in
            [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, -1.0, 0.0, 1e-300, 1e12, 1e15, 1e20, 1e100, 1e300]
        {
            for kernel in KERNELS {
                if let Some(fault) = fault(trial, &data, kernel, parameter, is_of_parameters) {
                    faults.push(format!("{name}, {parameter:e}, {kernel}: {fault}"));
                }
            }
        }
    }
    assert!(faults.is_empty(), "{} faults\n{}", faults.len(), faults.join("\n"));
}

#[test]
fn a_limit_beyond_all_clocks_is_none() {
    let rows: Vec<[f64; 2]> = (0..9).map(|i| [f64::from(i), f64::from(i * i % 7)]).collect();
    let data = data("usual", &rows, |i| i as f64, |_| false);
    let three = Labels::from_text((0..9).map(|i| ["a", "b", "c"][i % 3]));
    let kernel = || "gaussian(gamma=1)".parse::<Expression>().unwrap();
    let machine = Svc::params(kernel()).max_time(Duration::MAX).check().unwrap();
    assert_eq!(machine.fit(&data.rows, &three).unwrap().status(), Some(Status::Converged));
    let probable = Svc::params(kernel()).probability(mercer::machine::Probability::Platt);
    assert!(probable.max_time(Duration::MAX).check().unwrap().fit(&data.rows, &data.labels).is_ok());
    let machine = LinearSvc::params().max_time(Duration::MAX).check().unwrap();
    assert!(machine.fit(&data.rows, &three).is_ok());
    let machine = LinearSvr::params().max_time(Duration::MAX).check().unwrap();
    assert!(machine.fit(&data.rows, &data.targets).is_ok());
    let machine = Svr::params(kernel()).max_time(Duration::MAX).check().unwrap();
    assert!(machine.fit(&data.rows, &data.targets).is_ok());
    let machine = JointSvc::params(kernel()).max_time(Duration::MAX).check().unwrap();
    assert!(machine.fit(&data.rows, &three).is_ok());
    let machine = Novelty::params(kernel()).max_time(Duration::MAX).check().unwrap();
    assert!(machine.fit(&data.rows).is_ok());
}
