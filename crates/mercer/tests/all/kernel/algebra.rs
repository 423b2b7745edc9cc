//! Kernels combined by Rust's operators.

use mercer::data::{Row, Vectors};
use mercer::kernel::combine::{Centre, Columns, Normalise, Selection};
use mercer::kernel::vector::{Cosine, Gaussian, Linear};
use mercer::kernel::{Constant, Definiteness, Expression, Kernel, White};

use super::kernel;

#[test]
fn operators_build_what_the_text_says() {
    let gaussian = || Gaussian::gamma(0.1).unwrap();
    let cases: Vec<(Expression, &str)> = vec![
        (0.5 * gaussian() + Linear, "0.5 * gaussian(gamma=0.1) + linear"),
        (Linear + Cosine + Linear, "linear + cosine + linear"),
        (Linear + (Cosine + Linear), "linear + (cosine + linear)"),
        (Linear * Cosine * Linear, "linear * cosine * linear"),
        ((Linear + Cosine) * Linear, "(linear + cosine) * linear"),
        ((Linear * Cosine).powi(2), "(linear * cosine) ^ 2"),
        (Linear.powi(2).powi(3), "(linear ^ 2) ^ 3"),
        (2.0 * (Linear * Cosine), "2 * linear * cosine"),
        ((2.0 * Linear) * Cosine, "(2 * linear) * cosine"),
        (2.0 * (3.0 * Linear), "2 * (3 * linear)"),
        (Linear + -2.0 * Cosine, "linear - 2 * cosine"),
        (-2.0 * Linear + Cosine, "-2 * linear + cosine"),
        (
            Linear + White::new(0.1).unwrap() + Constant::new(1.0).unwrap(),
            "linear + white(0.1) + constant(1)",
        ),
        (
            Normalise::new(Linear) * Columns::new(Selection::range(0, 3).unwrap(), Centre::new(Cosine)),
            "normalise(linear) * columns(0:3, centre(cosine))",
        ),
    ];
    for (built, text) in cases {
        assert_eq!(built.to_string(), text);
        assert_eq!(built, kernel(text));
    }
}

#[test]
fn definiteness_follows_the_parts() {
    for (text, guaranteed) in [
        ("linear + gaussian(gamma=1)", true),
        ("linear + sigmoid(gamma=1)", false),
        ("sigmoid(gamma=1) ^ 2", false),
        ("-1 * linear", false),
        ("0 * linear", true),
        ("linear - 0.5 * cosine", false),
        ("constant(-1)", false),
        ("polynomial(constant=-1)", false),
        ("normalise(centre(columns(0:1, intersection)))", true),
        ("white(1) * cosine", true),
    ] {
        assert_eq!(kernel(text).definiteness(), Definiteness::when(guaranteed), "{text}");
    }
}

#[test]
fn centring_moves_the_origin_to_the_mean() {
    // In input space itself: the linear kernel centred is the linear kernel of centred rows.
    let rows = Vectors::from_rows(&[[1.0, 0.0], [3.0, 1.0], [2.0, 5.0]]).unwrap();
    let centred = kernel("centre(linear)").resolve(&rows).unwrap();
    let (x, z) = (Row::Dense64(&[4.0, 3.0]), Row::Dense64(&[0.0, 1.0]));
    assert!((centred.eval(&x, &z) - (2.0 * -2.0 - 1.0)).abs() < 1e-14);
    assert!((centred.eval_diagonal(&x) - 5.0).abs() < 1e-14);

    let noisy = kernel("centre(linear + white(2))").resolve(&rows).unwrap();
    assert!((noisy.eval(&x, &x) - 5.0).abs() < 1e-14);
    assert!((noisy.eval_diagonal(&x) - 7.0).abs() < 1e-14);
    assert!(kernel("centre(linear)").eval(&x, &z).is_nan());
}

#[test]
fn multiples_of_a_kernel_have_a_form() {
    let (factor, form) = kernel("2 * (3 * gaussian(sigma=1, amplitude=5))").form().unwrap();
    assert_eq!(factor, 30.0);
    let (x, z) = (Row::Dense64(&[1.0]), Row::Dense64(&[2.0]));
    assert_eq!(form.eval(&x, &z), (-0.5f64).exp());
    for text in ["linear + linear", "constant(1)", "white(1)", "normalise(linear)", "linear ^ 2"] {
        assert!(kernel(text).form().is_none(), "{text}");
    }
}

#[test]
fn constructors_refuse_what_has_no_meaning() {
    use mercer::kernel::vector::*;
    for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert!(Gaussian::gamma(bad).is_err());
        assert!(Gaussian::sigma(bad).is_err());
        assert!(Gaussian::length_scale(bad).is_err());
        assert!(Gaussian::length_scales(vec![1.0, bad]).is_err());
        assert!(Gaussian::default().amplitude(bad).is_err());
        assert!(Laplacian::new(bad).is_err());
        assert!(Exponential::new(bad).is_err());
        assert!(Matern::new(Smoothness::Half, bad).is_err());
        assert!(RationalQuadratic::new(bad, 1.0).is_err());
        assert!(RationalQuadratic::new(1.0, bad).is_err());
        assert!(Periodic::new(bad, 1.0).is_err());
        assert!(Periodic::new(1.0, bad).is_err());
        assert!(Sigmoid::new(bad, 0.0).is_err());
        assert!(Polynomial::new(2, bad, 0.0).is_err());
        assert!(Chi2::new(bad).is_err());
    }
    assert!(Gaussian::sigma(1e-200).is_err());
    assert!(Gaussian::length_scales(vec![]).is_err());
    assert!(Polynomial::homogeneous(0).is_err());
    assert!(Polynomial::new(2, Gamma::Median, 0.0).is_err());
    assert!(Sigmoid::new(Gamma::Median, 0.0).is_err());
    assert!(Sigmoid::new(1.0, f64::NAN).is_err());
    assert!(Smoothness::from_nu(1.0).is_err());
    assert!(Constant::new(f64::NAN).is_err());
    assert!(White::new(-1.0).is_err());
    assert!(Selection::range(3, 3).is_err());
    assert!(Selection::list(vec![]).is_err());
    assert!(Selection::list(vec![1, 2, 1]).is_err());
    // An operator cannot refuse; the first data do.
    let rows = Vectors::from_rows(&[[1.0]]).unwrap();
    assert!((f64::NAN * Linear).resolve(&rows).is_err());
    assert_eq!(
        Polynomial::inhomogeneous(2).unwrap().to_string(),
        "polynomial(degree=2, gamma=1, constant=1)"
    );
}
