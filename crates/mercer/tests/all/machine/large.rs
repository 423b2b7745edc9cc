//! Wide and sparse data, and memory that stays within bounds.

use std::fs;

use mercer::data::{Items, Labels, ReadOptions, Sparse, Vectors, read_file};
use mercer::kernel::Expression;
use mercer::machine::Svc;
use mercer_testkit::fixture::large_data;

#[test]
fn far_more_columns_than_rows() {
    let Some(path) = large_data("colon_cancer/colon-cancer_scaled.gz") else { return };
    let table = read_file(path, &ReadOptions::default()).unwrap().table().unwrap();
    assert_eq!((table.vectors.len(), table.vectors.columns()), (62, 2000));
    let labels = table.targets.labels().unwrap();
    let machine =
        Svc::params("linear".parse::<Expression>().unwrap()).cost(1.0).tolerance(1e-9).check().unwrap();
    let model = machine.fit(&table.vectors, &labels).unwrap();
    let predicted = model.predict_labels(&table.vectors).unwrap();
    assert!((0..62).all(|i| predicted[i] == labels.text(i)), "2000 columns separate 62 rows");
    assert!(model.pairs().reports[0].relative_gap().unwrap() < 1e-5);
}

#[test]
fn a_bag_of_words_with_more_than_ten_thousand_columns() {
    let Some(path) = large_data("reuters_grain_corn/reuters_train.tsv.gz") else { return };
    let mut text = String::new();
    use std::io::Read;
    flate2::read::GzDecoder::new(fs::File::open(path).unwrap()).read_to_string(&mut text).unwrap();
    let (rows, labels) = bag_of_words(&text);
    assert!(rows.columns() > 10_000, "{} columns", rows.columns());
    let before = resident_peak();
    let machine = Svc::params("cosine".parse::<Expression>().unwrap()).cost(10.0).check().unwrap();
    let model = machine.fit(&rows, &labels).unwrap();
    if let (Some(before), Some(after)) = (before, resident_peak()) {
        // Dense, the rows alone would be 1554 × 10 000 × 8 bytes; other tests run beside this one.
        assert!(after - before < 600 << 20, "{} bytes more", after - before);
    }
    let predicted = model.predict_labels(&rows).unwrap();
    let right = (0..rows.len()).filter(|&i| predicted[i] == labels.text(i)).count();
    assert!(right as f64 > 0.99 * rows.len() as f64, "{right} of {}", rows.len());
}

/// Word counts of the third column, labelled by the first.
fn bag_of_words(text: &str) -> (Vectors<'static>, Labels) {
    let mut vocabulary = std::collections::HashMap::new();
    let (mut offsets, mut indices, mut values, mut labels) = (vec![0u64], Vec::new(), Vec::new(), Vec::new());
    for line in text.lines().skip(1) {
        let mut fields = line.splitn(3, '\t');
        labels.push(fields.next().unwrap().to_string());
        let mut counts = std::collections::BTreeMap::new();
        for word in
            fields.nth(1).unwrap_or("").split(|c: char| !c.is_alphanumeric()).filter(|w| !w.is_empty())
        {
            let next = vocabulary.len() as u64;
            let column = *vocabulary.entry(word.to_lowercase()).or_insert(next);
            *counts.entry(column).or_insert(0.0) += 1.0;
        }
        for (column, count) in counts {
            indices.push(column);
            values.push(count);
        }
        offsets.push(indices.len() as u64);
    }
    (Sparse::new(&offsets, &indices, values, vocabulary.len()).unwrap().into(), Labels::from_text(&labels))
}

/// Peak resident size of this process, where the system tells it.
fn resident_peak() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    line.split_whitespace().nth(1)?.parse::<u64>().ok().map(|kib| kib << 10)
}
