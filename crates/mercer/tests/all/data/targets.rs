//! Which targets are classes and which are numbers to be met.

use mercer::data::{Labels, ReadOptions, TargetReason, Targets, read_file};

/// So many rows of each whole number, beginning with one.
fn numbers(first: i32, counts: &[usize]) -> Targets {
    let each = counts.iter().zip(first..);
    Targets::Numbers(each.flat_map(|(&count, number)| vec![f64::from(number); count]).collect())
}

#[test]
fn few_numbers_are_classes_and_many_are_regression_targets() {
    use TargetReason::{Counts, FewNumbers, HardlyRepeated, ManyNumbers, Words};
    let halves =
        |different: usize| Targets::Numbers((0..600).map(|i| (i % different) as f64 / 2.0).collect());
    let cases = [
        (numbers(0, &[10; 2]), FewNumbers),
        (numbers(0, &[180; 10]), FewNumbers),
        (numbers(1, &[48; 11]), FewNumbers),
        (numbers(1, &[30; 20]), FewNumbers),
        (numbers(1, &[30; 21]), ManyNumbers),
        (numbers(1, &[30; 28]), ManyNumbers),
        (halves(5), FewNumbers),
        (halves(20), FewNumbers),
        (halves(21), ManyNumbers),
        (numbers(40, &[1; 11]), HardlyRepeated),
        (numbers(40, &[1; 10]), FewNumbers),
        // As drawn from Poisson's distribution, and the same of numbers that are no counts.
        (numbers(0, &[20, 90, 180, 240, 250, 200, 130, 75, 40, 16, 7, 3]), Counts),
        (numbers(-3, &[20, 90, 180, 240, 250, 200, 130, 75, 40, 16, 7, 3]), FewNumbers),
        // Classes of very different sizes, in no order.
        (numbers(0, &[500, 20, 300, 4, 80, 7, 250, 90, 3, 400, 60, 5]), FewNumbers),
        (Targets::Words(Labels::from_text((0..26).map(|i| format!("letter {i}")))), Words),
        (Targets::Missing, Words),
    ];
    for (targets, reason) in cases {
        let guess = targets.guess();
        assert_eq!(guess.reason, reason, "{targets:?}");
        assert_eq!(guess.is_regression, !matches!(reason, Words | FewNumbers), "{targets:?}");
    }
    // -0 and 0 are one number.
    let zeros = Targets::Numbers((0..22).map(|i| if i == 21 { -0.0 } else { f64::from(i % 20) }).collect());
    assert_eq!(zeros.guess().different, 20);
}

/// File, whether its targets are numbers to be met.
const FILES: [(&str, bool); 10] = [
    ("abalone/abalone.csv.gz", true),
    ("auto_mpg/auto_mpg.csv", true),
    ("diabetes_regression/diabetes_regression.csv", true),
    ("letter/letter.csv.gz", false),
    ("shuttle/shuttle_test.csv.gz", false),
    ("digits8x8/digits8x8.csv.gz", false),
    ("usps/usps_test.csv.gz", false),
    ("vowel/vowel_train.csv", false),
    ("satimage/satimage_test.csv.gz", false),
    ("iris/iris.csv", false),
];

#[test]
fn real_targets_are_what_they_are() {
    let Some(folder) = std::env::var_os("MERCER_DATA").map(std::path::PathBuf::from) else {
        println!("skipped: MERCER_DATA does not name a folder with data sets");
        return;
    };
    for (file, is_regression) in FILES {
        let table = read_file(folder.join(file), &ReadOptions::default()).unwrap().table().unwrap();
        assert_eq!(table.targets.guess().is_regression, is_regression, "{file}");
    }
}
