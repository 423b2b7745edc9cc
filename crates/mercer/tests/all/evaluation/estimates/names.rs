//! Any estimate by its name: machines of many classes, threads, memory and what is refused.

use mercer::data::{Items, Labels, Vectors};
use mercer::error::Error;
use mercer::evaluation::estimates::{
    Estimate, alignment, centred_alignment, estimate, estimates, estimates_of_gram,
};
use mercer::kernel::Expression;
use mercer::machine::{Scale, Slack, Svc, SvcParams};

use super::{gram_of, standardised, two_of};
use crate::evaluation::overlapping;

const KERNEL: &str = "gaussian(gamma=0.05)";

fn machine() -> SvcParams<Expression> {
    Svc::params(KERNEL.parse().unwrap()).cost(2.0).tolerance(1e-8)
}

#[test]
fn names_are_read_back() {
    for one in Estimate::ALL {
        assert_eq!(one.to_string().parse::<Estimate>().unwrap(), one);
    }
    for name in [
        "span",
        "xi-alpha",
        "jaakkola-haussler",
        "support-vectors",
        "radius-margin",
        "leave-one-out",
        "alignment",
    ] {
        assert_eq!(name.parse::<Estimate>().unwrap().name(), name);
    }
    let error = "loo".parse::<Estimate>().unwrap_err().to_string();
    assert!(error.contains("no estimate is called loo") && error.contains("radius-margin"), "{error}");
}

#[test]
fn many_classes_are_the_mean_of_their_pairs_by_rows() {
    let wine = standardised("wine.csv");
    let found = estimates(&Estimate::ALL, &machine(), &wine.0, &wine.1, None).unwrap();
    let mut expected = vec![0.0; found.len()];
    let mut all = 0.0;
    for pair in [["class_0", "class_1"], ["class_0", "class_2"], ["class_1", "class_2"]] {
        let (rows, labels) = two_of(&wine, pair);
        let values = estimates(&Estimate::ALL, &machine(), &rows, &labels, None).unwrap();
        expected.iter_mut().zip(values).for_each(|(sum, value)| *sum += rows.len() as f64 * value);
        all += rows.len() as f64;
    }
    for ((one, found), expected) in Estimate::ALL.iter().zip(found).zip(expected) {
        assert!((found - expected / all).abs() < 1e-6, "{one}: {found} {}", expected / all);
    }
}

#[test]
fn each_by_itself_is_each_among_others_for_any_number_of_threads() {
    let (rows, labels) = overlapping(150, 1);
    let together = estimates(&Estimate::ALL, &machine().threads(1), &rows, &labels, None).unwrap();
    assert_eq!(together, estimates(&Estimate::ALL, &machine().threads(2), &rows, &labels, None).unwrap());
    let gram = gram_of(&rows, KERNEL);
    let of_gram =
        estimates_of_gram(&Estimate::ALL, &machine().check().unwrap(), &gram, &labels, None).unwrap();
    for ((one, value), of_gram) in Estimate::ALL.into_iter().zip(together).zip(of_gram) {
        let alone = estimate(one, &machine(), &rows, &labels, None).unwrap();
        assert!(
            (alone - value).abs() < 1e-9 && (of_gram - value).abs() < 1e-6,
            "{one}: {alone} {value} {of_gram}"
        );
    }
}

#[test]
fn alignment_needs_no_machine() {
    let (rows, labels) = overlapping(150, 2);
    let gram = gram_of(&rows, KERNEL);
    let signs: Vec<f64> = labels.codes().iter().map(|&code| 2.0 * f64::from(code) - 1.0).collect();
    let wanted = [Estimate::Alignment, Estimate::CentredAlignment];
    // A share ν has no other estimates.
    let machine = machine().slack(Slack::Nu { nu: 0.3 });
    let found = estimates(&wanted, &machine, &rows, &labels, None).unwrap();
    assert!((found[0] - 1.0 + alignment(&gram, &signs).unwrap()).abs() < 1e-12);
    assert!((found[1] - 1.0 + centred_alignment(&gram, &signs).unwrap()).abs() < 1e-12);
}

#[test]
fn alignment_is_what_its_definition_says() {
    let (rows, labels) = overlapping(70, 2);
    let n = rows.len();
    let gram = gram_of(&rows, KERNEL);
    let signs: Vec<f64> = labels.codes().iter().map(|&code| 2.0 * f64::from(code) - 1.0).collect();
    let cosine = |k: &dyn Fn(usize, usize) -> f64, y: &[f64]| {
        let (mut product, mut squares, mut ideal) = (0.0, 0.0, 0.0);
        for i in 0..n {
            for j in 0..n {
                product += k(i, j) * y[i] * y[j];
                squares += k(i, j).powi(2);
                ideal += (y[i] * y[j]).powi(2);
            }
        }
        product / f64::sqrt(squares * ideal)
    };
    let k = |i: usize, j: usize| gram.values()[i * n + j];
    assert!((alignment(&gram, &signs).unwrap() - cosine(&k, &signs)).abs() < 1e-12);
    let mean = |values: &mut dyn Iterator<Item = f64>| values.sum::<f64>() / n as f64;
    let rows: Vec<f64> = (0..n).map(|i| mean(&mut (0..n).map(|j| k(i, j)))).collect();
    let all = mean(&mut rows.iter().copied());
    let y_mean = mean(&mut signs.iter().copied());
    let centred: Vec<f64> = signs.iter().map(|y| y - y_mean).collect();
    let expected = cosine(&|i, j| k(i, j) - rows[i] - rows[j] + all, &centred);
    assert!((centred_alignment(&gram, &signs).unwrap() - expected).abs() < 1e-10);
    assert_eq!(centred_alignment(&gram, &vec![1.0; n]).unwrap(), 0.0);
    assert!(matches!(alignment(&gram, &[1.0]), Err(Error::Shape { .. })));
    assert!(matches!(alignment(&gram, &vec![f64::NAN; n]), Err(Error::Entry { index: 0, .. })));
}

#[test]
fn memory_that_is_not_enough_is_told_in_bytes() {
    let (rows, labels) = overlapping(100, 3);
    let small = machine().memory(1000);
    let refused = estimate(Estimate::LeaveOneOut, &small, &rows, &labels, None).unwrap_err();
    assert!(matches!(refused, Error::Budget { needed: 80_000, allowed: 1000, .. }), "{refused}");
    assert!(refused.to_string().contains("80000 bytes"), "{refused}");
    let refused = estimate(Estimate::Span, &small, &rows, &labels, None).unwrap_err();
    assert!(matches!(refused, Error::Budget { allowed: 1000, .. }), "{refused}");
    for one in [Estimate::SupportVectors, Estimate::XiAlpha, Estimate::JaakkolaHaussler, Estimate::Alignment]
    {
        assert!(estimate(one, &small, &rows, &labels, None).is_ok());
    }
}

#[test]
fn what_has_no_estimate_is_refused() {
    let (rows, labels) = overlapping(40, 4);
    let try_it = |machine: &SvcParams<Expression>, labels: &Labels, weights: Option<&[f64]>| {
        estimates(&Estimate::ALL, machine, &rows, labels, weights).unwrap_err()
    };
    let nu = machine().slack(Slack::Nu { nu: 0.2 });
    assert!(matches!(try_it(&nu, &labels, None), Error::Unsupported { .. }));
    let geometric = machine().scale(Scale::Geometric);
    assert!(matches!(try_it(&geometric, &labels, None), Error::Unsupported { .. }));
    let hard = Svc::params("linear".parse::<Expression>().unwrap()).slack(Slack::None);
    assert!(matches!(try_it(&hard, &labels, None), Error::NotSeparable { .. }));
    let one = Labels::from_text((0..40).map(|_| "a"));
    assert!(matches!(try_it(&machine(), &one, None), Error::OneClass { .. }));
    assert!(matches!(try_it(&machine(), &labels.select(&[0, 1]), None), Error::Shape { .. }));
    assert!(matches!(try_it(&machine(), &labels, Some(&[f64::NAN; 40])), Error::Entry { .. }));
    assert!(matches!(try_it(&machine().cost(-1.0), &labels, None), Error::Parameter { .. }));
    let none = Vectors::from_rows::<[f64; 1]>(&[]);
    if let Ok(none) = none {
        let empty = labels.select(&[]);
        assert!(estimates(&Estimate::ALL, &machine(), &none, &empty, None).is_err());
    }
}

#[test]
fn no_estimates_are_no_trouble() {
    let (rows, labels) = overlapping(40, 4);
    assert_eq!(estimates(&[], &machine(), &rows, &labels, None).unwrap(), Vec::<f64>::new());
}
