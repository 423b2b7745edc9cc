//! Named parameters of whole expressions.

use std::collections::HashSet;

use mercer::Error;
use mercer::kernel::Expression;

use super::kernel;

#[test]
fn names_say_where_a_parameter_stands() {
    let names = |text: &str| kernel(text).parameters().into_iter().map(|p| p.name).collect::<Vec<_>>();
    assert_eq!(names("linear"), Vec::<String>::new());
    assert_eq!(names("gaussian"), ["gamma"]);
    assert_eq!(
        names("gaussian(length_scale=[1, 2], amplitude=3)"),
        ["length_scale[0]", "length_scale[1]", "amplitude"]
    );
    assert_eq!(
        names("2 * normalise(polynomial) + white(1) * laplacian"),
        [
            "terms[0].factor",
            "terms[0].kernel.kernel.gamma",
            "terms[0].kernel.kernel.constant",
            "terms[1].factors[0].noise",
            "terms[1].factors[1].gamma",
        ]
    );
}

#[test]
fn every_example_takes_its_own_values_and_others() {
    for example in Expression::examples() {
        let parameters = example.parameters();
        let names: HashSet<&str> = parameters.iter().map(|p| p.name.as_str()).collect();
        assert_eq!(names.len(), parameters.len(), "{example}: names are unique");
        for p in &parameters {
            assert!(p.lower < p.upper && (!p.log_scale || p.lower > 0.0), "{example}: {p:?}");
        }
        let values: Vec<f64> = parameters.iter().map(|p| p.value).collect();
        assert_eq!(example.with_parameters(&values).unwrap(), example);
        assert_eq!(example.with_parameters(&vec![f64::NAN; values.len()]).unwrap(), example);

        let others: Vec<f64> = (0..values.len()).map(|i| 1.25 + i as f64).collect();
        let changed = example.with_parameters(&others).unwrap();
        assert_eq!(changed.parameters().iter().map(|p| p.value).collect::<Vec<_>>(), others);

        let one_more = vec![1.0; values.len() + 1];
        assert!(matches!(example.with_parameters(&one_more), Err(Error::Shape { .. })));
    }
}

#[test]
fn values_out_of_range_are_refused() {
    assert!(matches!(
        kernel("linear + gaussian(gamma=1)").with_parameters(&[-1.0]),
        Err(Error::Parameter { name: "gamma", .. })
    ));
    assert!(kernel("2 * linear").with_parameters(&[f64::INFINITY]).is_err());
}

#[test]
fn a_rule_keeps_waiting_until_it_gets_a_number() {
    let waiting = kernel("gaussian");
    assert!(waiting.parameters()[0].value.is_nan());
    assert_eq!(waiting.with_parameters(&[f64::NAN]).unwrap(), waiting);
    assert_eq!(waiting.with_parameters(&[0.5]).unwrap(), kernel("gaussian(gamma=0.5)"));
}
