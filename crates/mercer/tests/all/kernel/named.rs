//! Kernels on sets, images, logic and generative models by their names: the same values as the kernels they stand for.

use mercer::data::{Collection, Distortion, Formula, Item, ItemKind, Row, Series, Vectors, VirtualExamples};
use mercer::gram::{BulkKernel, CollectionKernel, Plan, whole};
use mercer::kernel::generative::{
    Alphabet, Fisher, FisherForm, GaussianMixture, HiddenMarkovTraining, MixtureTraining, PairHiddenMarkov,
    PairParameters, StringMarkov,
};
use mercer::kernel::image::Jittered;
use mercer::kernel::logic::{CommonModels, Conjunctions, Dnf, MonotoneConjunctions};
use mercer::kernel::set::{BestMatch, SetSum};
use mercer::kernel::{DigestKernel, Expression, Kernel, StructureExpression};
use mercer_testkit::random::Random;
use mercer_testkit::structures::items;

fn named(text: &str) -> StructureExpression {
    text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// All values of a kernel that has learned from the items.
fn values(text: &str, items: &Collection) -> Vec<f64> {
    let kernel = CollectionKernel::new(named(text)).unwrap().resolve(items, None).unwrap();
    let plan = Plan::new().unwrap();
    let layout = kernel.layout(items, &plan).unwrap();
    whole(&*kernel.symmetric(items, &layout, &plan).unwrap()).unwrap().into_values()
}

fn close(found: &[f64], expected: &[f64], what: &str) {
    assert_eq!(found.len(), expected.len(), "{what}");
    for (a, b) in found.iter().zip(expected) {
        assert!((a - b).abs() <= 1e-12 * (1.0 + b.abs()), "{what}: {a} instead of {b}");
    }
}

/// k of all pairs, one by one.
fn one_by_one<X: ?Sized, T: std::borrow::Borrow<X>>(kernel: &impl Kernel<X>, all: &[T]) -> Vec<f64> {
    let row = |x: &T| all.iter().map(|z| kernel.eval(x.borrow(), z.borrow())).collect::<Vec<_>>();
    all.iter().flat_map(row).collect()
}

#[test]
fn assignments_as_strings_are_those_as_rows() {
    let mut random = Random::new(5);
    let bits: Vec<Vec<f64>> = (0..9).map(|_| (0..7).map(|_| random.below(2) as f64).collect()).collect();
    let text = |row: &Vec<f64>| row.iter().map(|&bit| if bit == 1.0 { '1' } else { '0' }).collect();
    let items = Collection::Strings(bits.iter().map(text).collect());
    let rows: Vec<Row<'_>> = bits.iter().map(|row| Row::Dense64(row)).collect();
    let sized = MonotoneConjunctions::new().up_to(2).unwrap();
    close(&values("conjunctions(monotone=true, size=2)", &items), &one_by_one(&sized, &rows), "monotone");
    close(&values("conjunctions", &items), &one_by_one(&Conjunctions::of(7), &rows), "conjunctions");
    close(&values("dnf(variables=7)", &items), &one_by_one(&Dnf::of(7), &rows), "dnf");
    close(&values("dnf(monotone=true)", &items), &one_by_one(&Dnf::monotone(), &rows), "monotone dnf");

    let learned = named("dnf(size=3)").learn(&items, None).unwrap();
    assert_eq!(learned.to_string(), "dnf(variables=7, size=3)");
    let error = learned.eval(Item::String("0101"), Item::String("0")).unwrap_err().to_string();
    assert_eq!(error, "variables: expected 7, found 4");
    let error = learned.eval(Item::String("01010x1"), Item::String("0")).unwrap_err().to_string();
    assert!(error.contains("character 6 is 'x': an assignment is written with 0 and 1"), "{error}");
    let error = named("dnf").eval(Item::String("1"), Item::String("1")).unwrap_err().to_string();
    assert!(error.contains("how many variables there are is not known"), "{error}");
    assert!("dnf(monotone=true, variables=3)".parse::<StructureExpression>().is_err());
}

#[test]
fn formulae_as_strings_are_those_that_were_parsed() {
    let texts = ["p -> q", "p and not r", "q or r", "not (p and q)", "p", "r and not r"];
    let formulae: Vec<Formula> = texts.iter().map(|text| text.parse().unwrap()).collect();
    let items = Collection::Strings(texts.map(String::from).to_vec());
    let known = CommonModels::over(["p", "q", "r"]).unwrap();
    close(&values("common_models", &items), &one_by_one(&known, &formulae), "counts");
    let share = known.share();
    let found = values("common_models(variables=\"p q r\", share=true)", &items);
    close(&found, &one_by_one(&share, &formulae), "shares");

    let bad = Collection::Strings(vec!["p".into(), "p and".into()]);
    let error = named("common_models").learn(&bad, None).unwrap_err().to_string();
    assert!(error.starts_with("item 1: "), "{error}");
    let learned = named("common_models").learn(&items, None).unwrap();
    assert_eq!(learned.to_string(), "common_models(variables=\"p q r\")");
    let error = learned.eval(Item::String("s"), Item::String("p")).unwrap_err().to_string();
    assert_eq!(error, "the variable `s` is not among p, q, r");
}

#[test]
fn sets_of_rows_are_series_without_an_order() {
    let Collection::Series(series) = items(ItemKind::Series, 8) else { panic!("series") };
    let sets: Vec<Vectors<'static>> =
        series.iter().map(|one| Vectors::from_rows(&one.times().collect::<Vec<_>>()).unwrap()).collect();
    let base: Expression = "gaussian(gamma=0.5)".parse().unwrap();
    let all = Collection::Series(series.clone());
    let sum = SetSum::new(base.clone()).unwrap();
    close(&values("set_sum(gaussian(gamma=0.5))", &all), &one_by_one(&sum, &sets), "sum");
    let mean = values("set_sum(gaussian(gamma=0.5), mean=true)", &all);
    close(&mean, &one_by_one(&sum.mean(), &sets), "mean");
    let best = BestMatch::new(base).unwrap();
    close(&values("best_match(gaussian(gamma=0.5))", &all), &one_by_one(&best, &sets), "best match");

    // Another order of the times is the same set.
    let turned = |one: &Series| {
        let rows: Vec<f64> = one.times().rev().flatten().copied().collect();
        Series::new(rows, one.channels()).unwrap()
    };
    let backwards = Collection::Series(series.iter().map(turned).collect());
    close(&values("set_sum(linear)", &all), &values("set_sum(linear)", &backwards), "backwards");
    // A width that waits for data is that of all points.
    let waiting = named("set_sum(gaussian(gamma=scale))").learn(&all, None).unwrap();
    assert!(!waiting.to_string().contains("scale"), "{waiting}");
    let ragged = Collection::Series(vec![
        Series::univariate(vec![1.0]).unwrap(),
        Series::new(vec![1.0, 2.0], 2).unwrap(),
    ]);
    assert!(named("set_sum(linear)").learn(&ragged, None).is_err());
}

#[test]
fn pictures_line_by_line_are_rows_of_pixels() {
    let mut random = Random::new(3);
    let images: Vec<Vec<f64>> = (0..6).map(|_| (0..12).map(|_| random.uniform()).collect()).collect();
    let copies = VirtualExamples::new(3, 4).unwrap().on_background(-1.0).unwrap().with_shifts(1).unwrap();
    let copies = copies.with(Distortion::Rotation { degrees: 10.0 }).unwrap();
    let copies = copies.with(Distortion::Zoom { factor: 0.9 }).unwrap();
    let kernel = Jittered::new("gaussian(gamma=0.5)".parse::<Expression>().unwrap(), copies).unwrap();
    let rows: Vec<Row<'_>> = images.iter().map(|image| Row::Dense64(image)).collect();
    let expected = one_by_one(&kernel, &rows);
    let of_width =
        |width| Collection::Series(images.iter().map(|i| Series::new(i.clone(), width).unwrap()).collect());
    let text = "jittered(gaussian(gamma=0.5), shifts=1, rotations=[10], zooms=[0.9], background=-1)";
    close(&values(text, &of_width(4)), &expected, "lines");
    let text = "jittered(gaussian(gamma=0.5), width=4, shifts=1, rotations=10, zooms=0.9, background=-1)";
    close(&values(text, &of_width(1)), &expected, "one row of pixels");

    let text = "jittered(linear, width=5, shifts=1)";
    let error = named(text).learn(&of_width(1), None).unwrap_err().to_string();
    assert!(error.contains("has no whole lines of width = "), "{error}");
    let mut sizes = images.iter().map(|i| Series::new(i.clone(), 4).unwrap()).collect::<Vec<_>>();
    sizes[2] = Series::new(vec![1.0; 8], 4).unwrap();
    let error = named("jittered(linear)").learn(&Collection::Series(sizes), None).unwrap_err().to_string();
    assert!(error.starts_with("item 2: "), "{error}");
    for wrong in ["jittered(linear, width=0)", "jittered(linear, zooms=[0])", "jittered(linear + white(1))"] {
        assert!(wrong.parse::<StructureExpression>().is_err(), "{wrong}");
    }
}

#[test]
fn multisets_count_the_fewer_copies() {
    let items =
        Collection::Strings(["milk bread milk", "milk milk milk salt", ""].map(String::from).to_vec());
    assert_eq!(values("multiset", &items), [3.0, 2.0, 0.0, 2.0, 4.0, 0.0, 0.0, 0.0, 0.0]);
}

#[test]
fn generative_models_are_trained_on_the_items() {
    let words = ["abab", "ababab", "baba", "ccc", "cccc", "abc"];
    let items = Collection::Strings(words.map(String::from).to_vec());
    let training = HiddenMarkovTraining::new(2).unwrap().with_seed(3);
    let fisher = Fisher::<StringMarkov>::train(training, FisherForm::Whitened).learn(&words, None).unwrap();
    close(
        &values("fisher_hmm(states=2, form=whitened, seed=3)", &items),
        &one_by_one(&fisher, &words),
        "hmm",
    );
    let pair = PairHiddenMarkov::new(0.2, 0.1).unwrap().learn(&words, None).unwrap();
    close(&values("pair_hmm(gap=0.2, mutation=0.1)", &items), &one_by_one(&pair, &words), "pair");
    let Collection::Series(series) = mercer_testkit::structures::items(ItemKind::Series, 8) else {
        panic!("series")
    };
    let training = MixtureTraining::new(2).unwrap();
    let mixture = Fisher::<GaussianMixture>::train(training, FisherForm::Practical);
    let refs: Vec<&Series> = series.iter().collect();
    let mixture = DigestKernel::<Series>::learn(&mixture, &refs, None).unwrap();
    let expected = one_by_one::<Series, _>(&mixture, &series);
    close(&values("fisher_mixture(components=2)", &Collection::Series(series)), &expected, "mixture");

    // What was learned is stored with the kernel, and says the same.
    let learned = named("fisher_hmm(states=2)").learn(&items, None).unwrap();
    assert_eq!(learned.to_string(), "fisher_hmm(states=2)");
    let stored: StructureExpression =
        serde_json::from_str(&serde_json::to_string(&learned).unwrap()).unwrap();
    let (x, z) = (Item::String("abab"), Item::String("cc"));
    assert_eq!(stored.eval(x, z).unwrap().to_bits(), learned.eval(x, z).unwrap().to_bits());
    assert!(named("fisher_hmm(states=2)").eval(x, z).is_err());
}

#[test]
fn models_that_were_given_cannot_be_written_but_stored() {
    let parameters = PairParameters::new(Alphabet::of(["a"]).unwrap(), vec![1.0], vec![1.0], 0.25, 0.5);
    let kernel = StructureExpression::from(PairHiddenMarkov::of(parameters.unwrap()));
    assert_eq!(kernel.to_string(), "pair_hmm(given=true)");
    let error = kernel.to_string().parse::<StructureExpression>().unwrap_err().to_string();
    assert!(error.contains("stored with the kernel, and cannot be written"), "{error}");
    let stored: StructureExpression = serde_json::from_str(&serde_json::to_string(&kernel).unwrap()).unwrap();
    assert_eq!(stored, kernel);
    // Known words alone, so that nothing is learned.
    let one = Collection::Strings(vec!["aa".into(), "a".into()]);
    assert_eq!(kernel.learn(&one, None).unwrap(), kernel);
}
