//! Kernels on structured items as expressions: text, storage, and the same values in bulk as one by one.

use mercer::Error;
use mercer::data::{Collection, ItemKind, Items};
use mercer::gram::{Block, BulkKernel, CollectionKernel, Columns, Plan, Precision};
use mercer::kernel::{Definiteness, Expression, StructureExpression};
use mercer::linalg::Matrix;
use mercer::linalg::symmetric_eigenvalues;
use mercer_testkit::structures::{items, items_for};
use proptest::prelude::*;

fn kernel(text: &str) -> StructureExpression {
    text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// The expression that the items have been shown to.
fn learned(kernel: &StructureExpression, items: &Collection) -> StructureExpression {
    kernel.learn(items, None).unwrap_or_else(|error| panic!("{kernel}: {error}"))
}

#[test]
fn gram_matrices_are_the_values_of_pairs() {
    for example in StructureExpression::examples() {
        let (old, new) = (items_for(&example, 12), items_for(&example, 17).select(&[12, 13, 14, 15, 16]));
        let plan = Plan { precision: Precision::F64, ..Plan::new().unwrap() };
        let kernel = CollectionKernel::new(example.clone()).unwrap().resolve(&old, None).unwrap();
        let single = learned(&example, &old);
        assert_eq!(kernel.expression(), &single);
        let layout = kernel.layout(&old, &plan).unwrap();
        let gram = kernel.symmetric(&old, &layout, &plan).unwrap_or_else(|e| panic!("{example}: {e}"));
        let values = gram.diagonal().to_vec();
        let cross = kernel.cross(&old, &new, &layout, &plan).unwrap();
        for i in 0..old.len() {
            let own = single.eval_diagonal(old.get(i)).unwrap();
            assert!(
                (values[i] - own).abs() <= 1e-9 * (1.0 + own.abs()),
                "{example}: {} and {own}",
                values[i]
            );
            let mut row = vec![0.0; new.len()];
            cross.accumulate(&[i], &[1.0], Columns::Range(0..new.len()), &mut row).unwrap();
            for (j, value) in row.iter().enumerate() {
                let pair = single.eval(old.get(i), new.get(j)).unwrap();
                assert!((value - pair).abs() <= 1e-9 * (1.0 + pair.abs()), "{example}: {value} and {pair}");
            }
        }
        if kernel.definiteness() == Definiteness::Guaranteed {
            let n = old.len();
            let mut held = vec![0.0; n * n];
            let all: Vec<usize> = (0..n).collect();
            let block = Block::F64 { values: &mut held, stride: n };
            gram.fill(&all, Columns::Range(0..n), block).unwrap();
            let matrix = Matrix::from_fn(n, n, |i, j| held[i * n + j]);
            let eigenvalues = symmetric_eigenvalues(&matrix).unwrap();
            let least = -1e-10 * eigenvalues[n - 1].max(1.0);
            assert!(eigenvalues[0] >= least, "{example}: {eigenvalues:?}");
        }
    }
}

/// Kinds with kernels that can be combined.
const COMBINED: [ItemKind; 6] = [
    ItemKind::Rows,
    ItemKind::Strings,
    ItemKind::Trees,
    ItemKind::Graphs,
    ItemKind::Series,
    ItemKind::Records,
];

/// Kernels on items of one kind.
fn examples(kind: ItemKind) -> Vec<StructureExpression> {
    match kind {
        ItemKind::Rows => Expression::examples().into_iter().map(StructureExpression::from).collect(),
        ItemKind::KernelValues => vec![kernel("precomputed")],
        _ => StructureExpression::examples().into_iter().filter(|k| k.kind() == kind).collect(),
    }
}

#[test]
fn every_kind_has_kernels_and_all_are_stored() {
    for kind in ItemKind::ALL {
        let all = examples(kind);
        assert!(all.len() >= 2 || kind == ItemKind::KernelValues && all.len() == 1, "{kind}");
        for example in all {
            assert_eq!(example.kind(), kind, "{example}");
            let learned = match kind {
                // Some are for rows without negative numbers, or of many columns.
                ItemKind::Rows => example.clone(),
                _ => learned(&example, &items_for(&example, 9)),
            };
            for kernel in [learned, example] {
                let text = serde_json::to_string(&kernel).unwrap();
                assert_eq!(serde_json::from_str::<StructureExpression>(&text).unwrap(), kernel, "{text}");
            }
        }
    }
}

#[test]
fn what_was_learned_is_printed_where_it_can_be() {
    let strings = Collection::Strings(vec!["acca".into(), "tt".into()]);
    let mismatch = learned(&kernel("mismatch(k=2, m=1)"), &strings);
    assert_eq!(mismatch.to_string(), "mismatch(k=2, m=1, alphabet=\"act\")");
    assert_eq!(kernel(&mismatch.to_string()), mismatch);
    let alignment = learned(&kernel("global_alignment(sigma=median)"), &items(ItemKind::Series, 8));
    assert!(!alignment.to_string().contains("median"), "{alignment}");
    let odd = kernel("mismatch(k=2, m=1, alphabet=\"a\\\"\\\\é\")");
    assert_eq!(kernel(&odd.to_string()), odd);
}

#[test]
fn texts_that_make_no_sense_are_refused_with_their_place() {
    for (text, place, part) in [
        ("spektrum(k=3)", 1, "did you mean spectrum?"),
        ("spectrum(k=0)", 1, "k = 0"),
        ("spectrum(kk=3)", 10, "unknown parameter kk (did you mean k?)"),
        ("spectrum(k=2.5)", 12, "k = 2.5: expected a whole number"),
        ("spectrum(k=3) + wl(h=1)", 17, "wl compares graphs, and what stands before it strings"),
        ("spectrum(k=3) + gaussian", 17, "gaussian is a kernel on rows of numbers"),
        ("spectrum(k=3) - blended(k=2)", 17, "the factor -1 is negative"),
        ("spectrum(k=3) ^ 2", 1, "powers are for kernels on rows"),
        ("spectrum(k=3) + 1", 17, "1 alone is no kernel"),
        ("normalised()", 1, "normalise needs a kernel"),
        ("bag_of_words(tfidf=perhaps)", 20, "expected one of false, true"),
        ("bag_of_words(sublinear=true)", 1, "it goes with tfidf=true"),
        ("bag_of_words(n=1, shortest=2)", 1, "n = 1"),
        ("local_alignment(table=blosum61)", 23, "expected one of blosum62, blosum50, pam250"),
        ("graphlets(k=6)", 1, "3, 4 or 5"),
        ("global_alignment(sigma=1, median=2)", 27, "median besides sigma"),
        ("mismatch(alphabet=\"ac", 19, "this quote is never closed"),
        ("mismatch(alphabet=acgt)", 19, "alphabet is text in quotes"),
        ("column(gaussian)", 1, "first the name of a column in quotes"),
        ("column(\"age\")", 1, "column needs a kernel"),
        ("column(\"age\", wl(h=1))", 15, "wl compares graphs: a column holds numbers, words or text"),
        ("column(\"age\", subsequence(k=2))", 1, "lists its features"),
        ("column(\"age\", linear) + column(\"age\", equality)", 1, "two columns are called `age`"),
        ("column(\"age\", centre(linear))", 1, "centre needs all rows"),
        ("equality", 1, "equality compares the words of a column"),
    ] {
        match text.parse::<StructureExpression>() {
            Err(Error::Expression { position, problem }) => {
                assert!(position == place && problem.contains(part), "{text}: {position}, {problem}");
            }
            other => panic!("{text}: {other:?}"),
        }
    }
}

#[test]
fn names_decide_what_a_kernel_is_on() {
    for (text, structured) in [
        ("gaussian", false),
        ("normalise(linear + 2)", false),
        ("linear-cosine", false),
        ("normalise(weighted-degree(degree=3))", true),
        ("2 * bag-of-words", true),
        ("column(\"a\", gaussian)", true),
    ] {
        let kernel = text.parse::<StructureExpression>().unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(kernel.on_rows().is_none(), structured, "{text}");
        assert_eq!(kernel.kind() != ItemKind::Rows, structured, "{text}");
    }
    let error = "linear + spectrum(k=2)".parse::<Expression>().unwrap_err().to_string();
    assert!(error.contains("spectrum is a kernel on strings, not on rows of numbers"), "{error}");
}

#[test]
fn items_of_another_kind_are_refused() {
    let kernel: CollectionKernel = "spectrum(k=2)".parse().unwrap();
    let graphs = items(ItemKind::Graphs, 3);
    let error = BulkKernel::resolve(&kernel, &graphs, None).unwrap_err();
    assert_eq!(error.to_string(), "the kernel compares strings, and the items are graphs");
    let plan = Plan::new().unwrap();
    let layout = kernel.layout(&items(ItemKind::Strings, 3), &plan).unwrap();
    assert!(kernel.symmetric(&graphs, &layout, &plan).is_err());
    assert!(kernel.cross(&items(ItemKind::Strings, 3), &graphs, &layout, &plan).is_err());
}

/// Expressions of one kind, put together at random.
fn combined(kind: ItemKind) -> impl Strategy<Value = StructureExpression> {
    proptest::sample::select(examples(kind)).prop_recursive(4, 12, 2, |inner| {
        prop_oneof![
            (inner.clone(), inner.clone()).prop_map(|(a, b)| a.plus(b).unwrap()),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| a.times(b).unwrap()),
            (inner.clone(), 0.0..1e6f64).prop_map(|(a, factor)| a.scaled(factor).unwrap()),
            inner.prop_map(StructureExpression::normalised),
        ]
    })
}

proptest! {
    #[test]
    fn printing_evaluates_back(
        kernel in proptest::sample::select(COMBINED.to_vec()).prop_flat_map(combined)
    ) {
        let text = kernel.to_string();
        prop_assert_eq!(text.parse::<StructureExpression>().unwrap(), kernel);
    }

    #[test]
    fn no_text_makes_the_parser_panic(text in "[a-z_(),=\"\\\\*+0-9. -]{0,60}") {
        let _ = text.parse::<StructureExpression>();
    }
}
