//! Kernels on logic against lists of conjunctions and of models.

use mercer::Error;
use mercer::data::{Formula, Row, Sparse, Vectors};
use mercer::kernel::logic::{CommonModels, Conjunctions, Dnf, MonotoneConjunctions};
use mercer::kernel::{DigestKernel, Kernel};
use mercer_testkit::laws;
use mercer_testkit::logic::{Sentence, VARIABLES, conjunctions};
use mercer_testkit::random::Random;

fn assignments(seed: u64, count: usize, variables: usize) -> Vec<Vec<bool>> {
    let mut random = Random::new(seed);
    (0..count).map(|_| (0..variables).map(|_| random.below(2) == 1).collect()).collect()
}

fn numbers(assignment: &[bool]) -> Vec<f64> {
    assignment.iter().map(|&value| f64::from(value)).collect()
}

fn rows(all: &[Vec<bool>]) -> Vectors<'static> {
    Vectors::from_rows(&all.iter().map(|assignment| numbers(assignment)).collect::<Vec<_>>()).unwrap()
}

#[test]
fn conjunctions_are_counted() {
    for variables in [0, 1, 5, 8] {
        let all = assignments(7, 12, variables);
        for size in [None, Some(1), Some(2), Some(3), Some(20)] {
            let most = size.map_or(usize::MAX, |size| size as usize);
            let mut plain = MonotoneConjunctions::new();
            let (mut full, mut dnf, mut monotone) =
                (Conjunctions::of(variables), Dnf::of(variables), Dnf::monotone());
            if let Some(size) = size {
                plain = plain.up_to(size).unwrap();
                full = full.up_to(size).unwrap();
                dnf = dnf.up_to(size).unwrap();
                monotone = monotone.up_to(size).unwrap();
            }
            for x in &all {
                for z in &all {
                    let (a, b) = (numbers(x), numbers(z));
                    let (a, b) = (Row::Dense64(&a), Row::Dense64(&b));
                    assert_eq!(plain.eval(&a, &b), conjunctions(x, z, 0, most, false));
                    assert_eq!(full.eval(&a, &b), conjunctions(x, z, 0, most, true));
                    assert_eq!(dnf.eval(&a, &b), conjunctions(x, z, 1, most, true));
                    assert_eq!(monotone.eval(&a, &b), conjunctions(x, z, 1, most, false));
                }
            }
            if variables > 0 {
                laws::all("monotone conjunctions", &plain, &rows(&all));
                laws::all("conjunctions", &full, &rows(&all));
                laws::all("dnf", &dnf, &rows(&all));
                laws::all("monotone dnf", &monotone, &rows(&all));
            }
        }
    }
}

#[test]
fn many_variables() {
    // 100 variables, 70 of them true in both, 10 false in both.
    let x: Vec<f64> = (0..100).map(|k| f64::from(k < 80)).collect();
    let z: Vec<f64> = (0..100).map(|k| f64::from(k < 70 || (80..90).contains(&k))).collect();
    let (x, z) = (Row::Dense64(&x), Row::Dense64(&z));
    assert_eq!(MonotoneConjunctions::new().eval(&x, &z), 2f64.powi(70));
    assert_eq!(Conjunctions::of(100).eval(&x, &z), 2f64.powi(80));
    assert_eq!(Conjunctions::of(100).up_to(2).unwrap().eval(&x, &z), 1.0 + 80.0 + 80.0 * 79.0 / 2.0);
    let many = vec![1.0; 2000];
    assert!(MonotoneConjunctions::new().eval(&Row::Dense64(&many), &Row::Dense64(&many)).is_infinite());
    let limited = MonotoneConjunctions::new().up_to(1).unwrap();
    assert_eq!(limited.eval(&Row::Dense64(&many), &Row::Dense64(&many)), 2001.0);
}

#[test]
fn sparse_rows_are_false_where_they_have_nothing() {
    let sparse: Vectors = Sparse::from_parts(vec![0, 2, 2], vec![1, 70], vec![1.0, 1.0], 80).unwrap().into();
    let (x, z) = (mercer::data::Items::get(&sparse, 0), mercer::data::Items::get(&sparse, 1));
    assert_eq!(Conjunctions::of(80).eval(&x, &z), 2f64.powi(78));
    assert_eq!(MonotoneConjunctions::new().eval(&x, &x), 4.0);
    assert_eq!(MonotoneConjunctions::new().eval(&x, &z), 1.0);
    let error = Conjunctions::of(70).try_eval(&x, &z).unwrap_err().to_string();
    assert_eq!(error, "variables: expected 70, found 71");
}

#[test]
fn what_is_no_assignment_is_refused() {
    let (x, wrong) = (Row::Dense64(&[0.0, 1.0]), Row::Dense64(&[0.0, 0.5]));
    let error = MonotoneConjunctions::new().try_eval(&x, &wrong).unwrap_err().to_string();
    assert_eq!(error, "truth value of variable 1: 0.5, expected 0 or 1");
    assert!(MonotoneConjunctions::new().eval(&x, &wrong).is_nan());
    let error = Dnf::of(3).try_eval(&x, &x).unwrap_err().to_string();
    assert_eq!(error, "variables: expected 3, found 2");
    assert!(matches!(Dnf::monotone().up_to(0), Err(Error::Parameter { name: "size", .. })));
    assert!(MonotoneConjunctions::new().up_to(0).is_err() && Conjunctions::of(2).up_to(0).is_err());
    assert!(serde_json::from_str::<Conjunctions>(r#"{"variables":3,"size":0}"#).is_err());
    let kernel = Conjunctions::of(2).up_to(2).unwrap();
    let read: Conjunctions = serde_json::from_str(&serde_json::to_string(&kernel).unwrap()).unwrap();
    assert_eq!((read.eval(&x, &x), &read), (4.0, &kernel));
}

fn sentences(seed: u64, count: usize, operators: usize) -> Vec<(Sentence, Formula)> {
    let mut random = Random::new(seed);
    (0..count)
        .map(|i| {
            let sentence = Sentence::random(&mut random, operators, VARIABLES.len());
            let formula = sentence.text(i % 2 == 0).parse().unwrap();
            (sentence, formula)
        })
        .collect()
}

#[test]
fn models_are_counted() {
    let all = sentences(21, 40, 60);
    let kernel = CommonModels::over(VARIABLES).unwrap();
    for (x, of_x) in &all {
        for (z, of_z) in &all {
            let expected = (0..256).filter(|&a| x.value(a) && z.value(a)).count() as f64;
            assert_eq!(kernel.eval(of_x, of_z), expected, "{of_x} and {of_z}");
            assert_eq!(kernel.clone().share().eval(of_x, of_z), expected / 256.0);
        }
    }
    let formulae: Vec<Formula> = all.into_iter().map(|(_, formula)| formula).collect();
    laws::all_on_items("models", &kernel, &formulae);
    laws::all_on_items("share of models", &kernel.share(), &formulae);
}

#[test]
fn formulae_over_few_and_many_variables() {
    let formula = |text: &str| text.parse::<Formula>().unwrap();
    let none = CommonModels::over::<String>([]).unwrap();
    assert_eq!(none.eval(&formula("true"), &formula("not false")), 1.0);
    assert_eq!(none.eval(&formula("true"), &formula("false")), 0.0);
    let names: Vec<String> = (0..20).map(|k| format!("x{k}")).collect();
    let twenty = CommonModels::over(names.clone()).unwrap();
    // All true but one of four.
    assert_eq!(twenty.eval(&formula("x0 and x7"), &formula("x19 or x0")), f64::from(1 << 18));
    assert_eq!(twenty.eval(&formula("x0 and x7"), &formula("x19 or x5")), f64::from(3 << 16));
    assert_eq!(twenty.clone().share().eval(&formula("x3"), &formula("x18")), 0.25);
    let error = CommonModels::over((0..21).map(|k| format!("x{k}"))).unwrap_err().to_string();
    assert_eq!(error, "formulae over 21 variables: models are counted for 20 at most");
    let error = CommonModels::over(["p", "q", "p"]).unwrap_err().to_string();
    assert_eq!(error, "the variable `p` is named twice");
    let error = twenty.try_eval(&formula("x0"), &formula("y")).unwrap_err().to_string();
    assert!(error.starts_with("the variable `y` is not among x0, x1"), "{error}");
}

#[test]
fn variables_are_learned() {
    let formula = |text: &str| text.parse::<Formula>().unwrap();
    let (a, b) = (formula("q -> p"), formula("r"));
    let kernel = CommonModels::new().share();
    let error = kernel.try_eval(&a, &b).unwrap_err().to_string();
    assert!(error.contains("let the kernel learn first"), "{error}");
    let learned = kernel.learn(&[&a, &b], None).unwrap();
    assert_eq!(learned.vocabulary().unwrap(), ["p", "q", "r"]);
    assert_eq!(learned.eval(&a, &b), 3.0 / 8.0);
    assert_eq!(learned.learn(&[&formula("s")], None).unwrap(), learned);
    assert!(learned.try_eval(&a, &formula("s")).is_err());
    let many = (0..21).map(|k| formula(&format!("y{k}"))).collect::<Vec<_>>();
    assert!(kernel.learn(&many.iter().collect::<Vec<_>>(), None).is_err());
    let read: CommonModels = serde_json::from_str(&serde_json::to_string(&learned).unwrap()).unwrap();
    assert_eq!(read.eval(&a, &b), 3.0 / 8.0);
    assert!(serde_json::from_str::<CommonModels>(r#"{"vocabulary":["p","p"],"share":false}"#).is_err());
}
