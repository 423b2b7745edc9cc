//! Values of every kernel at points where they are known in closed form.

use mercer::data::Row;
use mercer::kernel::Kernel;

use super::kernel;

const X: [f64; 3] = [1.0, 2.0, 0.0];
const Z: [f64; 3] = [3.0, 1.0, 2.0];
// ⟨x,z⟩ = 5, |x|² = 5, |z|² = 14, |x−z|² = 9, |x−z|₁ = 5, χ² = 4/4 + 1/3 + 4/2 = 10/3

#[test]
fn closed_forms() {
    let cases: &[(&str, f64)] = &[
        ("linear", 5.0),
        ("polynomial", 216.0),
        ("polynomial(degree=2, gamma=0.5, constant=1.5)", 16.0),
        ("polynomial(degree=3, constant=0)", 125.0),
        ("gaussian(gamma=0.1)", 0.406_569_659_740_599_1),
        ("gaussian(sigma=3)", 0.606_530_659_712_633_4),
        ("gaussian(length_scale=3)", 0.606_530_659_712_633_4),
        ("gaussian(length_scale=3, amplitude=2)", 1.213_061_319_425_266_8),
        // (2/2)² + (1/1)² + (2/4)² = 2.25
        ("gaussian(length_scale=[2, 1, 4])", 0.324_652_467_358_349_73),
        ("laplacian(gamma=0.2)", 0.367_879_441_171_442_33),
        ("exponential(length_scale=3)", 0.367_879_441_171_442_33),
        ("matern(nu=0.5, length_scale=3)", 0.367_879_441_171_442_33),
        // r = √3: (1 + √3) e^−√3
        ("matern(nu=1.5, length_scale=3)", 0.483_357_724_596_507_7),
        // r = √5: (1 + √5 + 5/3) e^−√5
        ("matern(nu=2.5, length_scale=3)", 0.523_994_108_831_820_3),
        // (1 + 9/(2·2·9/4))^−2 = 2^−2
        ("rational_quadratic(alpha=2, length_scale=1.5)", 0.25),
        // sin²(π/4·{2,1,2}) = 1, ½, 1: exp(−2·2.5/5)
        ("periodic(period=4, length_scale=2.23606797749979)", 0.367_879_441_171_442_33),
        ("sigmoid(gamma=0.1, constant=-1.5)", -0.761_594_155_955_764_9),
        ("cosine", 0.597_614_304_667_196_8),
        ("chi2(gamma=0.3)", 0.367_879_441_171_442_33),
        // 2·3/4 + 2·2/3 + 0
        ("additive_chi2", 17.0 / 6.0),
        ("intersection", 2.0),
        ("constant(2.5)", 2.5),
        ("white(3)", 0.0),
        ("linear + 2 * intersection", 9.0),
        ("linear * intersection", 10.0),
        ("-0.5 * linear", -2.5),
        ("(linear + 1) ^ 2", 36.0),
        ("linear ^ 0", 1.0),
        ("normalise(linear)", 0.597_614_304_667_196_8),
        ("columns(0:2, linear)", 5.0),
        ("columns([2, 0], linear)", 3.0),
        ("columns([2, 0], gaussian(length_scale=[1, 2]))", 0.082_084_998_623_898_8),
    ];
    for &(text, expected) in cases {
        let found = kernel(text).eval(&Row::Dense64(&X), &Row::Dense64(&Z));
        assert!((found - expected).abs() <= 1e-14 * expected.abs().max(1.0), "{text}: {found} ≠ {expected}");
    }
}

#[test]
fn zero_rows() {
    let (zero, z) = (Row::Dense64(&[0.0; 3]), Row::Dense64(&Z));
    let empty = Row::Sparse { indices: &[], values: &[] };
    for (text, expected) in [
        ("cosine", 0.0),
        ("normalise(linear)", 0.0),
        ("chi2(gamma=1)", (-6.0f64).exp()),
        ("additive_chi2", 0.0),
        ("intersection", 0.0),
    ] {
        assert_eq!(kernel(text).eval(&zero, &z), expected, "{text}");
        assert_eq!(kernel(text).eval(&empty, &z), expected, "{text}");
    }
    for (text, expected) in [("cosine", 0.0), ("normalise(linear)", 0.0), ("chi2(gamma=1)", 1.0)] {
        assert_eq!(kernel(text).eval_diagonal(&zero), expected, "{text}");
    }
}

#[test]
fn white_noise_is_on_the_diagonal_only() {
    let x = Row::Dense64(&X);
    let noisy = kernel("linear + white(0.5)");
    assert_eq!((noisy.eval(&x, &x), noisy.eval_diagonal(&x)), (5.0, 5.5));
    assert_eq!(kernel("linear * white(0.5)").eval_diagonal(&x), 2.5);
    assert_eq!(kernel("white(0.5) ^ 2").eval_diagonal(&x), 0.25);
    assert_eq!(kernel("3 * white(0.5)").eval_diagonal(&x), 1.5);
    let normalised = kernel("normalise(linear + white(11))");
    assert_eq!((normalised.eval(&x, &x), normalised.eval_diagonal(&x)), (5.0 / 16.0, 1.0));
}

#[test]
fn rows_longer_than_the_length_scales_show_themselves() {
    let ard = kernel("gaussian(length_scale=[1, 2])");
    assert!(ard.eval(&Row::Dense64(&X), &Row::Dense64(&Z)).is_nan());
}

#[test]
fn columns_that_a_row_has_not_count_as_zero() {
    let x = Row::Dense64(&[1.0, 2.0]);
    assert_eq!(kernel("columns(1:9, linear)").eval(&x, &x), 4.0);
    assert_eq!(kernel("columns(5:9, linear)").eval(&x, &x), 0.0);
    assert_eq!(kernel("columns([7, 1], linear)").eval(&x, &x), 4.0);
}
