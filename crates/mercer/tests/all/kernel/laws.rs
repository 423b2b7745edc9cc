//! Every kernel and combination that there is, against the laws of kernels.

use mercer::data::{Items, Vectors};
use mercer::kernel::{Definiteness, Expression, Kernel};
use mercer_testkit::laws;

use super::{histograms, kernel, three_forms};

#[test]
fn every_example_obeys_the_laws() {
    for rows in three_forms(&histograms()) {
        for kernel in Expression::examples() {
            let kernel = kernel.resolve(&rows).unwrap();
            let name = kernel.to_string();
            laws::finite(&name, &kernel, &rows);
            laws::symmetry(&name, &kernel, &rows);
            if !kernel.has_white_noise() {
                laws::diagonal(&name, &kernel, &rows);
            }
            if kernel.definiteness() == Definiteness::Guaranteed {
                laws::cauchy_schwarz(&name, &kernel, &rows);
                laws::positive_semi_definite(&name, &kernel, &rows);
            }
        }
    }
}

#[test]
fn every_name_has_an_example() {
    let texts: Vec<String> = Expression::examples().iter().map(Expression::to_string).collect();
    for name in Expression::names() {
        assert!(texts.iter().any(|text| text.contains(name)), "{name}");
    }
}

#[test]
fn every_variant_has_an_example() {
    // The refusal of an unknown variant lists the known ones: `a`, `b`, …
    let refusal = serde_json::from_str::<Expression>(r#"{"type":"?"}"#).unwrap_err().to_string();
    let known: Vec<&str> = refusal.split('`').skip(3).step_by(2).collect();
    assert!(known.len() >= 22, "{refusal}");
    let stored = serde_json::to_string(&Expression::examples()).unwrap();
    for variant in known {
        assert!(stored.contains(&format!(r#"{{"type":"{variant}""#)), "{variant}");
    }
}

#[test]
fn values_do_not_depend_on_how_rows_are_stored() {
    let [dense, _, sparse] = three_forms(&histograms());
    for example in Expression::examples() {
        let (on_dense, on_sparse) = (example.resolve(&dense).unwrap(), example.resolve(&sparse).unwrap());
        for i in 0..dense.len() {
            for j in 0..dense.len() {
                let expected = on_dense.eval(&dense.get(i), &dense.get(j));
                let mixed = on_dense.eval(&dense.get(i), &sparse.get(j));
                let found = on_sparse.eval(&sparse.get(i), &sparse.get(j));
                assert!((expected - found).abs() <= 1e-12 * expected.abs().max(1.0), "{example} {i} {j}");
                assert!((expected - mixed).abs() <= 1e-12 * expected.abs().max(1.0), "{example} {i} {j}");
            }
        }
    }
}

#[test]
fn bulk_law_takes_a_block_and_notices_a_wrong_one() {
    let rows = Vectors::from_rows(&histograms()).unwrap();
    let gaussian = kernel("gaussian(gamma=0.5)");
    let block = |wrong: f64| {
        let (gaussian, rows) = (&gaussian, &rows);
        move |is: &[usize], js: &[usize]| {
            is.iter()
                .flat_map(|&i| js.iter().map(move |&j| gaussian.eval(&rows.get(i), &rows.get(j)) + wrong))
                .collect()
        }
    };
    laws::bulk_equals_single("gaussian", &gaussian, &rows, 1e-14, block(0.0));
    let wrong = std::panic::catch_unwind(|| {
        laws::bulk_equals_single("gaussian", &gaussian, &rows, 1e-14, block(1e-6));
    });
    assert!(wrong.is_err());
}

#[test]
fn laws_notice_what_is_no_kernel() {
    let rows = Vectors::from_rows(&histograms()).unwrap();
    let refuted = |law: fn(&str, &Expression, &Vectors<'static>), text: &str| {
        let kernel = kernel(text).resolve(&rows).unwrap();
        std::panic::catch_unwind(|| law(text, &kernel, &rows)).is_err()
    };
    assert!(refuted(|n, k, r| laws::positive_semi_definite(n, k, r), "-1 * linear"));
    assert!(refuted(|n, k, r| laws::cauchy_schwarz(n, k, r), "linear - 1 * gaussian(gamma=1)"));
    assert!(refuted(|n, k, r| laws::diagonal(n, k, r), "linear + white(1)"));
}
