//! Expressions as text: what is understood, what is refused and where, and the way back.

use mercer::Error;
use mercer::kernel::combine::{Centre, Columns, Normalise, Scale, Selection};
use mercer::kernel::vector::*;
use mercer::kernel::{Constant, Expression, White};
use proptest::prelude::*;

use super::kernel;

#[test]
fn other_spellings_mean_the_same() {
    for (written, printed) in [
        ("gaussian", "gaussian(gamma=scale)"),
        ("gaussian()", "gaussian(gamma=scale)"),
        ("RBF(gamma = .5)", "gaussian(gamma=0.5)"),
        ("  linear\t+\nlinear ", "linear + linear"),
        ("poly(degree=2,coef0=0)", "polynomial(degree=2, gamma=1, constant=0)"),
        ("tanh(gamma=1e-3, c=-1)", "sigmoid(gamma=0.001, constant=-1)"),
        ("laplacian", "laplacian(gamma=auto)"),
        ("exponential", "exponential(length_scale=1)"),
        ("matern(length_scale=2)", "matern(nu=1.5, length_scale=2)"),
        ("rq", "rational_quadratic(alpha=1, length_scale=1)"),
        ("periodic", "periodic(period=1, length_scale=1)"),
        ("chi2", "chi2(gamma=1)"),
        ("constant(value=2)", "constant(2)"),
        ("white(noise=1e-10)", "white(1e-10)"),
        ("constant(-1)", "constant(-1)"),
        ("2", "constant(2)"),
        ("linear + 2 * 3", "linear + constant(6)"),
        ("linear * 2", "2 * linear"),
        ("2 * linear * 3 * cosine", "6 * linear * cosine"),
        ("linear - cosine", "linear - 1 * cosine"),
        ("linear - 2", "linear + constant(-2)"),
        ("linear + -2 * cosine", "linear - 2 * cosine"),
        ("((linear))", "linear"),
        ("linear ^ 2 * cosine", "linear ^ 2 * cosine"),
        ("linear + cosine * linear", "linear + cosine * linear"),
        ("normalize(center(2 * linear))", "normalise(centre(2 * linear))"),
        ("normalise(2)", "normalise(constant(2))"),
        ("normalise(-2 * linear)", "normalise(-2 * linear)"),
        ("columns( 0 : 3 , linear)", "columns(0:3, linear)"),
        ("columns([0,2 ,5], linear)", "columns([0, 2, 5], linear)"),
        ("gaussian(length_scale=[1,0.5])", "gaussian(length_scale=[1, 0.5])"),
        ("gaussian(amplitude=2, sigma=1)", "gaussian(sigma=1, amplitude=2)"),
        ("gaussian(gamma=123456789.125)", "gaussian(gamma=123456789.125)"),
        ("1e300 * linear", "1e300 * linear"),
    ] {
        assert_eq!(kernel(written).to_string(), printed, "{written}");
        assert_eq!(kernel(printed), kernel(written), "{written}");
    }
}

#[test]
fn misunderstandings_are_named_with_their_place() {
    for (text, place, words) in [
        ("", 1, "expected a kernel or a number, found the end"),
        ("gausian(gamma=1)", 1, "unknown kernel \"gausian\": did you mean gaussian?"),
        ("linear + lapacian", 10, "did you mean laplacian?"),
        ("linear + xyz", 10, "known are linear, polynomial, gaussian"),
        ("gaussian(gama=1)", 10, "unknown parameter gama (did you mean gamma?): gaussian takes gamma, sigma"),
        ("linear(gamma=1)", 8, "linear takes no parameters"),
        ("gaussian(gamma=1, gamma=2)", 19, "gamma is given twice"),
        ("gaussian(gamma=1, sigma=2)", 19, "sigma besides gamma: give one of gamma, sigma, length_scale"),
        ("gaussian(sigma=2, gamma=1)", 19, "gamma besides sigma"),
        ("gaussian(length_scale=2, amplitude=1, sigma=1)", 39, "sigma besides length_scale"),
        ("gaussian(0.5)", 10, "without a name: gaussian takes gamma"),
        ("gaussian(gamma=-1)", 1, "gamma = -1: expected a finite number above 0"),
        ("gaussian(gamma=wide)", 16, "gamma is a number, scale, auto or median"),
        ("gaussian(sigma=scale)", 16, "sigma is a number"),
        ("gaussian(sigma=[1])", 16, "sigma is a number, found a list"),
        ("gaussian(gamma=)", 16, "expected a value, found \")\""),
        ("polynomial(degree=2.5)", 19, "expected a whole number"),
        ("polynomial(degree=-2)", 19, "expected a whole number"),
        (
            "polynomial(degree=1e9)",
            19,
            "degree = 1e9: expected a whole number, in digits, of at most 4294967295",
        ),
        ("polynomial(degree=0)", 1, "at least 1"),
        ("polynomial(gamma=median)", 1, "scale, auto or a number"),
        ("matern(nu=1)", 1, "0.5, 1.5 or 2.5"),
        ("constant", 1, "constant needs value"),
        ("white()", 1, "white needs noise"),
        ("normalise", 1, "normalise needs a kernel"),
        ("normalise(linear, linear)", 19, "a kernel without a name"),
        ("columns(linear)", 9, "0:3"),
        ("columns(0:3)", 1, "columns needs a kernel"),
        ("columns(3:3, linear)", 9, "no columns"),
        ("columns([1,1], linear)", 9, "not in the list yet"),
        ("columns([1.5], linear)", 9, "1.5 is not a column"),
        ("columns([-1], linear)", 9, "-1 is not a column"),
        ("columns(0:99999999999999999999, linear)", 11, "too large"),
        ("linear +", 9, "found the end"),
        ("linear linear", 8, "expected \"+\", \"-\", \"*\", \"^\" or the end, found \"linear\""),
        ("(linear", 8, "expected \")\", found the end"),
        ("linear)", 7, "found \")\""),
        ("linear ^ 2.0", 10, "an exponent (a whole number)"),
        ("linear ^ 2 ^ 2", 12, "needs parentheses"),
        ("linear ^ 99999999999", 10, "too large"),
        ("2 ^ 2", 5, "write its value"),
        ("1e999 * linear", 1, "too large"),
        ("1e200 * 1e200 * linear", 1, "too large"),
        ("1.2.3 * linear", 1, "not a number"),
        ("linear § 2", 8, "unexpected character '§'"),
        ("-linear", 2, "after \"-\""),
    ] {
        match text.parse::<Expression>() {
            Err(Error::Expression { position, problem }) => {
                assert!(problem.contains(words), "{text}: {problem}");
                assert_eq!(position, place, "{text}: {problem}");
            }
            other => panic!("{text}: {other:?}"),
        }
    }
}

#[test]
fn hostile_text_is_bounded() {
    for deep in ["(", "normalise(", "columns(0:1,", "2*(", "-", "[", "gaussian("] {
        let error = deep.repeat(50_000).parse::<Expression>().unwrap_err();
        assert!(matches!(error, Error::Expression { .. }), "{deep}");
    }
    let nested = |depth| format!("{}linear{}", "(".repeat(depth), ")".repeat(depth));
    assert!(nested(60).parse::<Expression>().is_ok());
    assert!(nested(70).parse::<Expression>().unwrap_err().to_string().contains("64 deep"));
    let long = "linear + ".repeat(200_000) + "linear";
    assert!(long.parse::<Expression>().unwrap_err().to_string().contains("longer than"));
    let wide = "linear + ".repeat(50_000) + "linear";
    assert_eq!(wide.parse::<Expression>().unwrap().children().len(), 50_001);
    let name = "x".repeat(100_000).parse::<Expression>().unwrap_err().to_string();
    // All names that are known are told, and not the one that is not.
    assert!(name.len() < 2000 && !name.contains(&"x".repeat(100)), "{name}");
}

/// Positive numbers of all sizes that kernels take.
fn size() -> impl Strategy<Value = f64> {
    prop_oneof![(-100.0..100.0f64).prop_map(|e| 10f64.powf(e)), 1e-3..1e3f64, (1..10u32).prop_map(f64::from)]
}

fn number() -> impl Strategy<Value = f64> {
    prop_oneof![size(), size().prop_map(|v| -v), Just(0.0)]
}

fn gamma() -> impl Strategy<Value = Gamma> {
    prop_oneof![size().prop_map(Gamma::Value), Just(Gamma::Scale), Just(Gamma::Auto)]
}

fn leaf() -> BoxedStrategy<Expression> {
    let nu = prop_oneof![Just(0.5), Just(1.5), Just(2.5)];
    prop_oneof![
        Just(Linear.into()),
        Just(Cosine.into()),
        Just(AdditiveChi2.into()),
        Just(Intersection.into()),
        (1..9u32, gamma(), number()).prop_map(|(d, g, c)| Polynomial::new(d, g, c).unwrap().into()),
        (gamma(), size()).prop_map(|(g, a)| Gaussian::gamma(g).unwrap().amplitude(a).unwrap().into()),
        Just(Gaussian::gamma(Gamma::Median).unwrap().into()),
        size().prop_map(|s| Gaussian::sigma(s).unwrap().into()),
        size().prop_map(|s| Gaussian::length_scale(s).unwrap().into()),
        prop::collection::vec(size(), 1..5).prop_map(|s| Gaussian::length_scales(s).unwrap().into()),
        gamma().prop_map(|g| Laplacian::new(g).unwrap().into()),
        size().prop_map(|s| Exponential::new(s).unwrap().into()),
        (nu, size()).prop_map(|(nu, s)| Matern::new(Smoothness::from_nu(nu).unwrap(), s).unwrap().into()),
        (size(), size()).prop_map(|(a, s)| RationalQuadratic::new(a, s).unwrap().into()),
        (size(), size()).prop_map(|(p, s)| Periodic::new(p, s).unwrap().into()),
        (gamma(), number()).prop_map(|(g, c)| Sigmoid::new(g, c).unwrap().into()),
        gamma().prop_map(|g| Chi2::new(g).unwrap().into()),
        number().prop_map(|v| Constant::new(v).unwrap().into()),
        size().prop_map(|v| White::new(v).unwrap().into()),
    ]
    .boxed()
}

fn selection() -> impl Strategy<Value = Selection> {
    prop_oneof![
        (0..9usize, 1..9usize).prop_map(|(start, n)| Selection::range(start, start + n).unwrap()),
        Just(vec![0, 2, 5, 7]).prop_shuffle().prop_map(|list| Selection::list(list).unwrap()),
    ]
}

fn tree() -> impl Strategy<Value = Expression> {
    leaf().prop_recursive(6, 40, 3, |inner| {
        prop_oneof![
            (inner.clone(), inner.clone()).prop_map(|(a, b)| a + b),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| a * b),
            (inner.clone(), inner.clone(), inner.clone()).prop_map(|(a, b, c)| a + (b + c)),
            (number(), inner.clone()).prop_map(|(f, k)| Scale::new(f, k).unwrap().into()),
            (inner.clone(), 0..5u32).prop_map(|(k, n)| k.powi(n)),
            inner.clone().prop_map(|k| Normalise::new(k).into()),
            inner.clone().prop_map(|k| Centre::new(k).into()),
            (selection(), inner).prop_map(|(s, k)| Columns::new(s, k).into()),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(512) })]

    #[test]
    fn printed_expressions_parse_to_an_equal_value(kernel in tree()) {
        let text = kernel.to_string();
        let parsed: Expression = text.parse().map_err(|e| TestCaseError::fail(format!("{text}: {e}")))?;
        prop_assert_eq!(&parsed, &kernel, "{}", text);
        prop_assert_eq!(parsed.to_string(), text);
    }

    #[test]
    fn stored_expressions_are_read_back(kernel in tree()) {
        let json = serde_json::to_string(&kernel).unwrap();
        prop_assert_eq!(serde_json::from_str::<Expression>(&json).unwrap(), kernel);
    }

    #[test]
    fn parameters_survive_a_round_trip(kernel in tree()) {
        let values: Vec<f64> = kernel.parameters().iter().map(|p| p.value).collect();
        prop_assert_eq!(kernel.with_parameters(&values).unwrap(), kernel);
    }

    #[test]
    fn any_text_is_understood_or_refused(text in ".{0,200}") {
        let _ = text.parse::<Expression>();
    }

    #[test]
    fn any_bytes_are_understood_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let _ = String::from_utf8_lossy(&bytes).parse::<Expression>();
        let _ = serde_json::from_slice::<Expression>(&bytes);
    }

    #[test]
    fn anything_that_looks_like_an_expression_is_understood_or_refused(
        parts in prop::collection::vec(prop::sample::select(vec![
            "linear", "gaussian", "gamma", "=", "(", ")", "[", "]", ",", ":", "+", "-", "*", "^", "2", "0.5",
            "1e9", "columns", "normalise", "constant", "scale", "degree", "polynomial", "length_scale", " ",
        ]), 0..30)
    ) {
        if let Ok(kernel) = parts.concat().parse::<Expression>() {
            prop_assert_eq!(kernel.to_string().parse::<Expression>().unwrap(), kernel);
        }
    }
}
