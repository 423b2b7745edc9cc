//! Kernels on records and on pairs.

use mercer::data::{Cell, CellKind, Record, RecordSchema};
use mercer::gram::Pairwise;
use mercer::kernel::record::{Category, Multiple, Number, Plus, Text};
use mercer::kernel::tree::{SubsetTree, Subtree};
use mercer::kernel::vector::{Gaussian, Linear};
use mercer::kernel::{
    Definiteness, DigestKernel, FeatureMap, Kernel, TensorProduct, eval_digests, eval_features,
};
use mercer::machine::Svc;
use mercer::{Error, Result};
use mercer_testkit::laws;
use mercer_testkit::random::Random;

use super::kernel;

#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
struct Letters {
    /// Learned: the weight of all features.
    weight: Option<f64>,
}

impl FeatureMap<str> for Letters {
    type Feature = char;

    fn features(&self, text: &str) -> Result<Vec<(char, f64)>> {
        Ok(text.chars().map(|letter| (letter, self.weight.unwrap_or(1.0))).collect())
    }

    fn learn(&self, texts: &[&str], _: Option<&[f64]>) -> Result<Self> {
        Ok(Letters { weight: Some(texts.len() as f64) })
    }
}

fn schema() -> RecordSchema {
    RecordSchema::new([("age", CellKind::Number), ("job", CellKind::Category), ("remark", CellKind::Text)])
        .unwrap()
}

fn record(age: f64, job: &str, remark: &str) -> Record {
    schema().record(vec![Cell::Number(age), Cell::Category(job.into()), Cell::Text(remark.into())]).unwrap()
}

fn records(count: usize) -> Vec<Record> {
    let mut random = Random::new(8);
    (0..count)
        .map(|_| {
            let (age, job) = (20.0 + random.below(40) as f64, ["baker", "smith", "clerk"][random.below(3)]);
            record(age, job, ["abba", "cab", "", "bc"][random.below(4)])
        })
        .collect()
}

#[test]
fn columns_are_joined_as_they_are_written() {
    let schema = schema();
    let age = Number::new(&schema, "age", Gaussian::gamma(0.01).unwrap()).unwrap();
    let job = Category::new(&schema, "job").unwrap();
    let remark = Text::new(&schema, "remark", Letters { weight: None }).unwrap();
    let joined = age.clone() * job.clone() + Multiple::new(0.5, remark.clone()).unwrap();
    let (x, z) = (record(30.0, "baker", "abba"), record(20.0, "baker", "cab"));
    // a twice and once, b twice and once
    assert_eq!(joined.eval(&x, &z), (-1.0f64).exp() * 1.0 + 0.5 * 4.0);
    let other = record(20.0, "smith", "");
    assert_eq!(joined.eval(&x, &other), 0.0);
    assert_eq!(joined.definiteness(), Definiteness::Guaranteed);
    let all = records(25);
    laws::all_on_items("age", &age, &all);
    laws::all_on_items("job", &job, &all);
    laws::all_on_items("remark", &remark, &all);
    laws::all_on_items("joined", &joined, &all);
    for x in &all {
        for z in &all {
            let parts = age.eval(x, z) * job.eval(x, z) + 0.5 * remark.eval(x, z);
            assert_eq!(joined.eval(x, z), parts);
            assert_eq!(eval_digests(&joined, x, z).unwrap(), parts);
        }
    }
    let sum = age + job.clone() + remark * job;
    laws::all_on_items("sum", &sum, &all);
}

#[test]
fn what_waits_for_data_is_learned_column_by_column() {
    let schema = schema();
    let age = Number::new(&schema, "age", kernel("gaussian")).unwrap();
    let remark = Text::new(&schema, "remark", Letters { weight: None }).unwrap();
    let all = records(10);
    let learned = (age + remark).learn(&all.iter().collect::<Vec<_>>(), None).unwrap();
    assert_eq!(learned.second().kernel().weight, Some(10.0));
    assert!(learned.first().kernel().is_resolved());
    let json = serde_json::to_string(&learned).unwrap();
    let read: Plus<Number, Text<Letters>> = serde_json::from_str(&json).unwrap();
    assert_eq!(read.eval(&all[0], &all[1]), learned.eval(&all[0], &all[1]));
}

#[test]
fn records_are_learned_from() {
    let schema = schema();
    let job = Category::new(&schema, "job").unwrap();
    let joined = Number::new(&schema, "age", Gaussian::gamma(0.01).unwrap()).unwrap() + job;
    let all = records(40);
    let labels = mercer::data::Labels::from_text(all.iter().map(|record| match &record.cells()[1] {
        Cell::Category(job) if job == "baker" => "yes",
        _ => "no",
    }));
    let model = Svc::params(Pairwise::<_, Record>::new(joined))
        .cost(100.0)
        .check()
        .unwrap()
        .fit(&all, &labels)
        .unwrap();
    let found = model.predict_labels(&vec![record(33.0, "baker", ""), record(33.0, "smith", "")]).unwrap();
    assert_eq!(found, ["yes", "no"]);
}

#[test]
fn wrong_records_and_columns_are_refused() {
    let schema = schema();
    let said = |error: Error| error.to_string();
    assert_eq!(
        said(Category::new(&schema, "town").unwrap_err()),
        "no column is called `town`: there are age, job, remark"
    );
    assert_eq!(
        said(Category::new(&schema, "age").unwrap_err()),
        "column `age` holds numbers, not categories"
    );
    assert!(RecordSchema::new([("a", CellKind::Number), ("a", CellKind::Text)]).is_err());
    assert!(matches!(RecordSchema::new::<String>([]), Err(Error::Empty { .. })));
    assert!(matches!(
        schema.record(vec![Cell::Number(1.0)]),
        Err(Error::Shape { expected: 3, found: 1, .. })
    ));
    let cells = vec![Cell::Number(f64::NAN), Cell::Category("a".into()), Cell::Text("b".into())];
    assert!(matches!(schema.record(cells), Err(Error::Entry { index: 0, .. })));
    // A record of another schema.
    let other = RecordSchema::new([("town", CellKind::Category)]).unwrap();
    let foreign = other.record(vec![Cell::Category("Ulm".into())]).unwrap();
    let age = Number::new(&schema, "age", Linear).unwrap();
    let error = age.try_eval(&foreign, &foreign).unwrap_err();
    assert_eq!(said(error), "column `age` holds numbers, but the record has categories there");
    let job = Category::new(&schema, "job").unwrap();
    assert_eq!(said(job.try_eval(&foreign, &foreign).unwrap_err()), "the record ends before column `job`");
    assert!(Multiple::new(-1.0, job).is_err());
    let negative = Number::new(&schema, "age", kernel("intersection")).unwrap();
    let low = record(-3.0, "baker", "");
    assert!(matches!(negative.try_eval(&low, &low), Err(Error::Negative { .. })));
    let json = serde_json::to_string(&schema).unwrap();
    assert_eq!(serde_json::from_str::<RecordSchema>(&json).unwrap(), schema);
    assert!(serde_json::from_str::<RecordSchema>(r#"[["a","number"],["a","text"]]"#).is_err());
}

#[test]
fn pairs_of_items() {
    let trees: Vec<mercer::data::Tree> =
        ["(a b)", "(a b c)", "(a (b c))", "(b c)"].iter().map(|text| text.parse().unwrap()).collect();
    let pairs: Vec<(mercer::data::Tree, mercer::data::Tree)> =
        trees.iter().flat_map(|x| trees.iter().map(move |z| (x.clone(), z.clone()))).collect();
    let subset = SubsetTree::new(0.5).unwrap();
    let by_digests = TensorProduct::new(subset.clone(), subset.clone());
    let subtree = Subtree::new(0.5).unwrap();
    let by_features = TensorProduct::new(subtree.clone(), subtree.clone());
    laws::all_on_items("pairs by digests", &by_digests, &pairs);
    laws::all_on_items("pairs by features", &by_features, &pairs);
    for x in &pairs {
        for z in &pairs {
            let expected = subset.eval(&x.0, &z.0) * subset.eval(&x.1, &z.1);
            assert_eq!(by_digests.eval(x, z), expected);
            assert_eq!(eval_digests(&by_digests, x, z).unwrap(), expected);
            let expected = subtree.eval(&x.0, &z.0) * subtree.eval(&x.1, &z.1);
            assert_eq!(by_features.eval(x, z), expected);
            assert!((eval_features(&by_features, x, z).unwrap() - expected).abs() < 1e-12);
        }
    }
    let json = serde_json::to_string(&by_digests).unwrap();
    assert_eq!(serde_json::from_str::<TensorProduct<SubsetTree, SubsetTree>>(&json).unwrap(), by_digests);
}
