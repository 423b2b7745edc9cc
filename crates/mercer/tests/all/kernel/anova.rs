//! The ANOVA kernel against sums over all sets of columns.

use mercer::data::{Items, Row, Sparse, Vectors};
use mercer::gram::{Block, BulkKernel, Columns, Plan, Precision};
use mercer::kernel::vector::Anova;
use mercer::kernel::{Expression, Kernel};
use mercer_testkit::oracle::interactions;
use mercer_testkit::random::Random;

use super::kernel;

fn rows(count: usize, columns: usize) -> Vec<Vec<f64>> {
    let mut random = Random::new(17);
    let value = |random: &mut Random| if random.below(4) == 0 { 0.0 } else { random.normal() };
    (0..count).map(|_| (0..columns).map(|_| value(&mut random)).collect()).collect()
}

#[test]
fn interactions_of_all_sets_of_columns() {
    for columns in [1, 2, 6] {
        let all = rows(6, columns);
        for degree in 1..8 {
            let (product, gaussian) =
                (Anova::new(degree).unwrap(), Anova::new(degree).unwrap().gaussian(0.7).unwrap());
            for x in &all {
                for z in &all {
                    let products: Vec<f64> = x.iter().zip(z).map(|(a, b)| a * b).collect();
                    let values: Vec<f64> =
                        x.iter().zip(z).map(|(a, b)| (-0.7 * (a - b) * (a - b)).exp()).collect();
                    let (a, b) = (Row::Dense64(x), Row::Dense64(z));
                    for (kernel, terms) in [(&product, products), (&gaussian, values)] {
                        let (found, expected) = (kernel.eval(&a, &b), interactions(&terms, degree));
                        assert!(
                            (found - expected).abs() <= 1e-12 * expected.abs().max(1.0),
                            "{found} {expected}"
                        );
                    }
                }
            }
        }
    }
}

#[test]
fn all_degrees_together_are_a_product() {
    // Π (1 + k₁(xₖ, zₖ)) = 1 + anova(1) + anova(2) + …
    let all = rows(5, 4);
    let sum = kernel("1 + anova(degree=1) + anova(degree=2) + anova(degree=3) + anova(degree=4)");
    for x in &all {
        for z in &all {
            let expected: f64 = x.iter().zip(z).map(|(a, b)| 1.0 + a * b).product();
            assert!((sum.eval(&Row::Dense64(x), &Row::Dense64(z)) - expected).abs() < 1e-12);
        }
    }
}

#[test]
fn texts() {
    for (text, printed) in [
        ("anova", "anova(degree=2)"),
        ("anova(degree=3)", "anova(degree=3)"),
        ("ANOVA(degree=3, gamma=0.5)", "anova(degree=3, gamma=0.5)"),
        ("anova(degree=3, columns=5)", "anova(degree=3)"),
        ("2 * anova(gamma=1, columns=4)", "2 * anova(degree=2, gamma=1, columns=4)"),
    ] {
        assert_eq!(kernel(text).to_string(), printed);
        assert_eq!(kernel(printed), kernel(text));
    }
    for (text, words) in [
        ("anova(degree=0)", "degree = 0: expected a whole number of at least 1"),
        ("anova(degree=1.5)", "expected a whole number"),
        ("anova(gamma=-1)", "gamma = -1: expected a finite number above 0"),
        ("anova(sigma=1)", "sigma"),
    ] {
        let error = text.parse::<Expression>().unwrap_err().to_string();
        assert!(error.contains(words), "{text}: {error}");
    }
    assert!(
        serde_json::from_str::<Expression>(r#"{"type":"anova","degree":0,"gamma":null,"columns":null}"#)
            .is_err()
    );
    assert!(
        serde_json::from_str::<Expression>(r#"{"type":"anova","degree":1,"gamma":-1.0,"columns":null}"#)
            .is_err()
    );
}

#[test]
fn the_number_of_columns_is_found_out() {
    let rows = Vectors::from_rows(&rows(4, 3)).unwrap();
    let waiting = kernel("anova(degree=2, gamma=0.5)");
    assert!(!waiting.is_resolved() && kernel("anova").is_resolved());
    let resolved = waiting.resolve(&rows).unwrap();
    assert_eq!(resolved.to_string(), "anova(degree=2, gamma=0.5, columns=3)");
    assert_eq!(
        kernel("columns(1:3, anova(gamma=2))").resolve(&rows).unwrap().to_string(),
        "columns(1:3, anova(degree=2, gamma=2, columns=2))"
    );
    let error = resolved.check(&Vectors::from_rows(&[[1.0, 2.0]]).unwrap()).unwrap_err().to_string();
    assert!(error.contains("expected 3, found 2"), "{error}");
    let names: Vec<String> = resolved.parameters().into_iter().map(|p| p.name).collect();
    assert_eq!(names, ["gamma"]);
    assert_eq!(resolved.with_parameters(&[4.0]).unwrap().to_string(), "anova(degree=2, gamma=4, columns=3)");
    // Two sparse rows do not tell how many columns there are.
    let empty = Row::Sparse { indices: &[], values: &[] };
    assert!(waiting.eval(&empty, &empty).is_nan());
    assert_eq!(resolved.eval(&empty, &empty), 3.0);
}

#[test]
fn gram_matrices_have_the_values_of_pairs() {
    let dense = rows(9, 5);
    let (mut offsets, mut indices, mut values) = (vec![0usize], Vec::new(), Vec::new());
    for row in &dense {
        for (k, &value) in row.iter().enumerate().filter(|(_, value)| **value != 0.0) {
            indices.push(k as u32);
            values.push(value);
        }
        offsets.push(values.len());
    }
    let sparse: Vectors = Sparse::from_parts(offsets, indices, values, 5).unwrap().into();
    let plan = Plan { precision: Precision::F64, ..Plan::new().unwrap() };
    for rows in [Vectors::from_rows(&dense).unwrap(), sparse] {
        for text in [
            "anova(degree=3)",
            "anova(degree=2, gamma=0.5)",
            "columns(1:4, anova(degree=2, gamma=0.5)) + 0.5 * linear",
            "normalise(anova(degree=2) + 1)",
            "centre(anova(degree=2, gamma=0.5))",
        ] {
            let resolved = kernel(text).resolve(&rows).unwrap();
            let layout = resolved.layout(&rows, &plan).unwrap();
            let gram = resolved.symmetric(&rows, &layout, &plan).unwrap();
            let cross = resolved.cross(&rows, &rows, &layout, &plan).unwrap();
            let n = rows.len();
            let all: Vec<usize> = (0..n).collect();
            let (mut own, mut other) = (vec![0.0; n * n], vec![0.0; n * n]);
            gram.fill(&all, Columns::Range(0..n), Block::F64 { values: &mut own, stride: n }).unwrap();
            cross.fill(&all, Columns::Range(0..n), Block::F64 { values: &mut other, stride: n }).unwrap();
            for i in 0..n {
                for j in 0..n {
                    let expected = resolved.eval(&rows.get(i), &rows.get(j));
                    let near = |found: f64| (found - expected).abs() <= 1e-12 * expected.abs().max(1.0);
                    assert!(near(own[i * n + j]) && near(other[i * n + j]), "{text} {i} {j}");
                }
            }
        }
    }
}
