//! String and text kernels against scikit-learn's vectorisers and kernlab (`tools/reference/strings.py`), and the laws of
//! the text kernels.

use mercer::gram::{Block, BulkKernel, Columns, Gram, Mapped, Plan};
use mercer::kernel::string::{Blended, Spectrum};
use mercer::kernel::text::{BagOfWords, Terms, TfIdf, Unit};
use mercer::kernel::{FeatureMap, Kernel, Normalised};
use mercer_testkit::{fixture, laws};
use serde::Deserialize;

#[derive(Deserialize)]
struct Answers {
    texts: Vec<String>,
    new: Vec<String>,
    vectorisers: Vec<Vectoriser>,
    strings: Vec<String>,
    kernlab: Vec<Stringdot>,
}

#[derive(Deserialize)]
struct Vectoriser {
    options: Options,
    train: Vec<Vec<f64>>,
    new: Vec<Vec<f64>>,
}

#[derive(Debug, Deserialize)]
struct Options {
    kind: String,
    analyzer: String,
    ngram_range: (usize, usize),
    #[serde(default = "yes")]
    lowercase: bool,
    #[serde(default)]
    binary: bool,
    #[serde(default)]
    sublinear_tf: bool,
    #[serde(default = "yes")]
    smooth_idf: bool,
    #[serde(default = "unit_length")]
    norm: Option<String>,
}

fn yes() -> bool {
    true
}

fn unit_length() -> Option<String> {
    Some("l2".into())
}

#[derive(Deserialize)]
struct Stringdot {
    kind: String,
    length: usize,
    decay: f64,
    values: Vec<Vec<f64>>,
}

fn values(gram: &dyn Gram) -> Vec<f64> {
    let (rows, columns) = gram.shape();
    let mut values = vec![0.0; rows * columns];
    let all: Vec<usize> = (0..rows).collect();
    let block = Block::F64 { values: &mut values, stride: columns };
    gram.fill(&all, Columns::Range(0..columns), block).unwrap();
    values
}

/// Learns from the texts, and compares both matrices.
fn check<K: FeatureMap<str>>(kernel: K, texts: &[String], new: &[String], answer: &Vectoriser) {
    let (texts, new) = (texts.to_vec(), new.to_vec());
    let plan = Plan::new().unwrap();
    let kernel = Mapped::<_, str>::new(kernel).resolve(&texts, None).unwrap();
    let layout = kernel.layout(&texts, &plan).unwrap();
    let found = [
        values(&*kernel.symmetric(&texts, &layout, &plan).unwrap()),
        values(&*kernel.cross(&texts, &new, &layout, &plan).unwrap()),
    ];
    for (found, expected) in found.iter().zip([&answer.train, &answer.new]) {
        for (at, (found, expected)) in found.iter().zip(expected.iter().flatten()).enumerate() {
            let close = (found - expected).abs() <= 1e-12 * expected.abs().max(1.0);
            assert!(close, "{:?}, entry {at}: {found} {expected}", answer.options);
        }
        assert_eq!(found.len(), expected.iter().map(Vec::len).sum::<usize>());
    }
}

#[test]
fn texts_are_counted_as_by_scikit_learn() {
    let answers: Answers = fixture::read("strings.json");
    for answer in &answers.vectorisers {
        let options = &answer.options;
        let (shortest, longest) = options.ngram_range;
        let terms = match &options.analyzer[..] {
            "word" => Terms::words(shortest, longest),
            _ => Terms::characters(shortest, longest),
        };
        let terms = if options.lowercase { terms.unwrap() } else { terms.unwrap().keep_case() };
        let (texts, new) = (&answers.texts, &answers.new);
        if options.kind == "count" {
            let kernel = BagOfWords::new(terms);
            check(if options.binary { kernel.presence() } else { kernel }, texts, new, answer);
            continue;
        }
        let mut kernel = TfIdf::new(terms);
        if options.sublinear_tf {
            kernel = kernel.sublinear();
        }
        if !options.smooth_idf {
            kernel = kernel.unsmoothed();
        }
        match options.norm {
            Some(_) => check(Normalised::new(kernel), texts, new, answer),
            None => check(kernel, texts, new, answer),
        }
    }
}

#[test]
fn substrings_are_counted_as_by_kernlab() {
    let answers: Answers = fixture::read("strings.json");
    // kernlab ends each string with a symbol that no string has.
    let ended: Vec<String> = answers.strings.iter().map(|string| format!("{string}\n")).collect();
    let longest = ended.iter().map(String::len).max().unwrap();
    for answer in &answers.kernlab {
        let kernel = match &answer.kind[..] {
            "spectrum" => {
                let mut weights = vec![0.0; answer.length];
                weights[answer.length - 1] = 1.0;
                Blended::with_weights(weights).unwrap()
            }
            "boundrange" => Blended::new(answer.length).unwrap(),
            _ => {
                let weights = (1..=longest).map(|d| answer.decay.powi(-(d as i32)));
                Blended::with_weights(weights.collect()).unwrap()
            }
        };
        for (x, row) in ended.iter().zip(&answer.values) {
            for (z, &expected) in ended.iter().zip(row) {
                let found = kernel.eval(&x[..], &z[..]);
                assert!(
                    (found - expected).abs() <= 1e-12 * expected,
                    "{}: {x} {z}: {found} {expected}",
                    answer.kind
                );
                if answer.kind == "spectrum" {
                    assert_eq!(Spectrum::new(answer.length).unwrap().eval(&x[..], &z[..]), expected);
                }
            }
        }
    }
}

#[test]
fn text_kernels_obey_the_laws() {
    let answers: Answers = fixture::read("strings.json");
    let texts = answers.texts;
    let references: Vec<&str> = texts.iter().map(String::as_str).collect();
    let terms = Terms::words(1, 2).unwrap();
    let bag = BagOfWords::new(terms.clone());
    laws::all("bag of words", &|x: &&String, z: &&String| bag.eval(x, z), &texts);
    let weighted = TfIdf::new(terms).learn(&references, None).unwrap();
    laws::all("tf-idf", &|x: &&String, z: &&String| weighted.eval(x, z), &texts);
    let unit = Normalised::new(weighted.clone());
    laws::all("tf-idf at unit length", &|x: &&String, z: &&String| unit.eval(x, z), &texts);
    assert_eq!(unit.eval_diagonal(""), 0.0);

    let read: TfIdf = serde_json::from_str(&serde_json::to_string(&weighted).unwrap()).unwrap();
    assert_eq!(read, weighted);
    assert_eq!(read.eval(&texts[0], &texts[1]), weighted.eval(&texts[0], &texts[1]));
}

#[test]
fn weights_are_learned_or_missing() {
    let kernel = TfIdf::new(Terms::words(1, 1).unwrap());
    assert!(kernel.eval("some words", "words").is_nan());
    assert!(
        kernel.try_eval("some words", "words").unwrap_err().to_string().contains("learn them from texts")
    );
    let texts = ["one two", "two three", "three four"];
    // A text of weight 2 is two texts, one of weight 0 is none.
    let weighted = kernel.learn(&texts, Some(&[2.0, 1.0, 0.0])).unwrap();
    let repeated = kernel.learn(&["one two", "one two", "two three"], None).unwrap();
    assert_eq!(weighted, repeated);
    assert_eq!(weighted.inverse_document_frequency("four"), None);
    assert_eq!(weighted.learn(&["other"], None).unwrap(), weighted);
    assert!(kernel.learn(&texts, Some(&[1.0])).is_err());
}

#[test]
fn terms_refuse_lengths_without_meaning() {
    assert!(Terms::words(0, 1).is_err() && Terms::characters(2, 1).is_err());
    let terms = Terms::characters(1, 3).unwrap();
    assert_eq!((terms.unit(), terms.shortest(), terms.longest()), (Unit::Characters, 1, 3));
    let text = serde_json::to_string(&terms).unwrap();
    assert_eq!(serde_json::from_str::<Terms>(&text).unwrap(), terms);
    assert!(serde_json::from_str::<Terms>(&text.replace("\"shortest\":1", "\"shortest\":0")).is_err());
    assert!(Terms::words(1, 9).unwrap().list("").is_empty());
}
