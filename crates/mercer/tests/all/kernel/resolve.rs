//! What waits for data, and data that are refused.

use mercer::Error;
use mercer::data::{Row, Vectors};
use mercer::kernel::Kernel;

use super::{kernel, three_forms};

fn rows() -> Vectors<'static> {
    Vectors::from_rows(&[[0.0, 0.0, 0.0], [2.0, 0.0, 4.0]]).unwrap()
}

#[test]
fn rules_become_numbers() {
    // Entries 0 0 0 2 0 4: mean 1, variance (4·1 + 1 + 9)/6 = 7/3; distances √20, 6, χ² = 6.
    for (text, resolved) in [
        ("gaussian", format!("gaussian(gamma={})", 1.0 / (3.0 * (7.0 / 3.0)))),
        ("gaussian(gamma=auto)", format!("gaussian(gamma={})", 1.0 / 3.0)),
        (
            "gaussian(gamma=median, amplitude=2)",
            format!("gaussian(gamma={}, amplitude=2)", 0.5 / (20f64.sqrt() * 20f64.sqrt())),
        ),
        ("laplacian", format!("laplacian(gamma={})", 1.0 / 3.0)),
        ("laplacian(gamma=median)", format!("laplacian(gamma={})", 1.0 / 6.0)),
        ("chi2(gamma=median)", format!("chi2(gamma={})", 1.0 / 6.0)),
        ("polynomial(gamma=auto)", format!("polynomial(degree=3, gamma={}, constant=1)", 1.0 / 3.0)),
        ("sigmoid", format!("sigmoid(gamma={}, constant=0)", 1.0 / (3.0 * (7.0 / 3.0)))),
        // The selected columns alone: 0 0 2 4 has mean 1.5 and variance 2.75.
        (
            "1 + columns([0, 2], gaussian)",
            format!("constant(1) + columns([0, 2], gaussian(gamma={}))", 1.0 / 5.5),
        ),
    ] {
        let waiting = kernel(text);
        assert!(!waiting.is_resolved(), "{text}");
        assert!(
            waiting.eval(&Row::Dense64(&[1.0, 2.0, 3.0]), &Row::Dense64(&[0.0, 0.0, 0.0])).is_nan(),
            "{text}"
        );
        let found = waiting.resolve(&rows()).unwrap();
        assert!(found.is_resolved(), "{text}");
        assert_eq!(found.to_string(), resolved);
        let other = Vectors::from_rows(&[[9.0, 9.0, 9.0]]).unwrap();
        assert_eq!(found.resolve(&other).unwrap(), found, "to resolve twice is to resolve once");
    }
}

#[test]
fn rules_do_not_depend_on_how_rows_are_stored() {
    let data = super::histograms();
    for text in ["gaussian", "gaussian(gamma=median)", "laplacian(gamma=median)", "chi2(gamma=scale)"] {
        let [dense, _, sparse] = three_forms(&data).map(|rows| kernel(text).resolve(&rows).unwrap());
        let (a, b) = (dense.parameters()[0].value, sparse.parameters()[0].value);
        assert!((a - b).abs() <= 1e-14 * a, "{text}: {a} {b}");
    }
}

#[test]
fn rules_on_data_without_spread() {
    let constant = Vectors::from_rows(&[[3.0, 3.0], [3.0, 3.0]]).unwrap();
    let one = Vectors::from_rows(&[[1.0, 3.0]]).unwrap();
    for rule in ["scale", "auto", "median"] {
        let text = format!("gaussian(gamma={rule})");
        assert_eq!(kernel(&text).resolve(&constant).unwrap().to_string(), "gaussian(gamma=0.5)");
        assert_eq!(kernel(&text).resolve(&one).unwrap().to_string(), "gaussian(gamma=0.5)");
    }
    let none = Vectors::from_rows::<[f64; 2]>(&[]).unwrap();
    assert!(matches!(kernel("gaussian").resolve(&none), Err(Error::Empty { .. })));
    assert!(matches!(kernel("centre(linear)").resolve(&none), Err(Error::Empty { .. })));
    assert!(kernel("linear").resolve(&none).is_ok());
    let huge = Vectors::from_rows(&[[1e200], [-1e200]]).unwrap();
    assert!(matches!(kernel("gaussian").resolve(&huge), Err(Error::Parameter { name: "gamma", .. })));
}

#[test]
fn median_of_an_even_number_of_pairs_and_of_many_rows() {
    // Distances 1 1 2 2 3 3 … of four points on a line: 1, 1, 1, 2, 2, 3 → median 1.5
    let line = Vectors::from_rows(&[[0.0], [1.0], [2.0], [3.0]]).unwrap();
    let found = kernel("gaussian(gamma=median)").resolve(&line).unwrap().parameters()[0].value;
    assert_eq!(found, 0.5 / (1.5 * 1.5));
    // 3000 rows: every third is looked at, the rest has no say.
    let many: Vec<[f64; 1]> = (0..3000).map(|i| [if i % 3 == 0 { f64::from(i % 2) } else { 1e6 }]).collect();
    let found = kernel("laplacian(gamma=median)").resolve(&Vectors::from_rows(&many).unwrap()).unwrap();
    assert_eq!(found.to_string(), "laplacian(gamma=1)");
}

#[test]
fn histograms_have_no_negative_values() {
    let bad = Vectors::from_rows(&[[1.0, 2.0, 0.0], [0.0, 3.0, -0.5], [-1.0, 0.0, 0.0]]).unwrap();
    for text in ["chi2", "additive_chi2", "linear + 2 * intersection ^ 2", "normalise(centre(chi2))"] {
        match kernel(text).check(&bad) {
            Err(Error::Negative { row: 1, column: 2, value: -0.5, .. }) => {}
            other => panic!("{text}: {other:?}"),
        }
        assert!(matches!(kernel(text).resolve(&bad), Err(Error::Negative { .. })));
    }
    assert!(kernel("columns(1:2, chi2)").check(&bad).is_ok());
    assert!(matches!(kernel("columns(0:2, chi2)").check(&bad), Err(Error::Negative { row: 2, .. })));
    assert!(kernel("gaussian").check(&bad).is_ok());
}

#[test]
fn columns_must_fit() {
    let shape = |text: &str| matches!(kernel(text).resolve(&rows()), Err(Error::Shape { .. }));
    assert!(shape("gaussian(length_scale=[1, 2])"));
    assert!(shape("gaussian(length_scale=[1, 2, 3, 4])"));
    assert!(!shape("gaussian(length_scale=[1, 2, 3])"));
    assert!(shape("columns(0:4, linear)"));
    assert!(shape("columns([3], linear)"));
    assert!(shape("columns(0:18446744073709551615, linear)"));
    assert!(!shape("columns(0:3, linear)"));
    assert!(shape("columns(0:2, gaussian(length_scale=[1, 2, 3]))"));
    let centred = kernel("centre(linear)").resolve(&rows()).unwrap();
    assert!(matches!(centred.check(&Vectors::from_rows(&[[1.0]]).unwrap()), Err(Error::Shape { .. })));
}

#[test]
fn a_selection_of_all_columns_refuses_what_its_kernel_refuses() {
    use mercer::kernel::Expression;
    use mercer::kernel::combine::{Columns, Selection};
    let negative = Vectors::from_rows(&[[-1.0, 2.0, -3.0, 4.0]]).unwrap();
    for example in Expression::examples() {
        let selected: Expression = Columns::new(Selection::range(0, 4).unwrap(), example.clone()).into();
        assert_eq!(selected.check(&negative).is_err(), example.check(&negative).is_err(), "{example}");
    }
}

#[test]
fn weights_count_as_repeated_rows() {
    let mut random = mercer::data::Random::new(11);
    let points: Vec<[f64; 3]> =
        (0..60).map(|_| [random.normal(), random.normal(), random.normal()]).collect();
    let weights: Vec<f64> = (0..60).map(|i| f64::from(i % 4)).collect();
    let repeated: Vec<[f64; 3]> =
        points.iter().zip(&weights).flat_map(|(&point, &weight)| vec![point; weight as usize]).collect();
    let (rows, repeated) = (Vectors::from_rows(&points).unwrap(), Vectors::from_rows(&repeated).unwrap());
    for text in ["gaussian", "gaussian(gamma=median)", "laplacian(gamma=median)", "columns([0, 2], gaussian)"]
    {
        let weighted = kernel(text).resolve_weighted(&rows, Some(&weights)).unwrap().parameters()[0].value;
        let plain = kernel(text).resolve(&repeated).unwrap().parameters()[0].value;
        assert!((weighted - plain).abs() <= 1e-12 * plain, "{text}: {weighted} {plain}");
        let equal = kernel(text).resolve_weighted(&rows, Some(&[1.0; 60])).unwrap();
        assert_eq!(equal, kernel(text).resolve(&rows).unwrap());
        // The unit of the weights says nothing.
        let half: Vec<f64> = weights.iter().map(|w| 0.5 * w).collect();
        let halved = kernel(text).resolve_weighted(&rows, Some(&half)).unwrap().parameters()[0].value;
        assert!((halved - weighted).abs() <= 1e-12 * weighted, "{text}: {halved} {weighted}");
    }
    assert!(kernel("gaussian").resolve_weighted(&rows, Some(&[1.0])).is_err());
    assert!(kernel("gaussian").resolve_weighted(&rows, Some(&[0.0; 60])).is_err());
}

#[test]
fn of_many_weighted_rows_those_that_hold_the_weight_are_looked_at() {
    // The first 1500 of 3000 rows have no weight: their values must not count.
    let many: Vec<[f64; 1]> = (0..3000).map(|i| [if i < 1500 { 1e6 } else { f64::from(i % 2) }]).collect();
    let weights: Vec<f64> = (0..3000).map(|i| if i < 1500 { 0.0 } else { 2.0 }).collect();
    let rows = Vectors::from_rows(&many).unwrap();
    let found = kernel("laplacian(gamma=median)").resolve_weighted(&rows, Some(&weights)).unwrap();
    assert_eq!(found.to_string(), "laplacian(gamma=1)");
}
