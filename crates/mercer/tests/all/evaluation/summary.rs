//! Values of folds summed up, against numbers by hand.

use mercer::Error;
use mercer::evaluation::Summary;

fn near(a: Option<f64>, b: f64) {
    assert!(a.is_some_and(|a| (a - b).abs() < 1e-12), "{a:?} is not {b}");
}

#[test]
fn numbers_by_hand() {
    // Mean 5; squared distances 9, 1, 1, 1, 0, 0, 4, 16.
    let summary = Summary::new(&[2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0]).unwrap();
    assert_eq!((summary.folds, summary.mean), (8, 5.0));
    near(summary.deviation, (32.0f64 / 7.0).sqrt());
    near(summary.standard_error, (32.0f64 / 56.0).sqrt());
    let single = Summary::new(&[0.5]).unwrap();
    assert_eq!((single.mean, single.deviation, single.standard_error), (0.5, None, None));
}

#[test]
fn differences_are_of_pairs() {
    // 1, 2, 3: mean 2, deviation 1.
    let difference = Summary::of_differences(&[11.0, 22.0, 33.0], &[10.0, 20.0, 30.0]).unwrap();
    assert_eq!(difference.mean, 2.0);
    near(difference.deviation, 1.0);
    near(difference.standard_error, 1.0 / 3f64.sqrt());
    let back = Summary::of_differences(&[10.0, 20.0, 30.0], &[11.0, 22.0, 33.0]).unwrap();
    assert_eq!((back.mean, back.standard_error), (-2.0, difference.standard_error));
}

#[test]
fn what_cannot_be_summed_up_is_refused() {
    assert!(matches!(Summary::new(&[]), Err(Error::Empty { .. })));
    assert!(matches!(Summary::new(&[1.0, f64::NAN]), Err(Error::Entry { index: 1, .. })));
    assert!(matches!(Summary::of_differences(&[1.0], &[1.0, 2.0]), Err(Error::Shape { .. })));
    assert!(matches!(Summary::of_differences(&[], &[]), Err(Error::Empty { .. })));
}
