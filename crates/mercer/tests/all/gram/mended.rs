//! Kernels on structured items that are shifted or clipped, against the mending of their matrices.

use std::sync::Arc;

use mercer::Error;
use mercer::data::{Collection, Items, Labels, Series};
use mercer::gram::{BulkKernel, CollectionKernel, Columns, Gram, Plan, Precision, PrecomputedGram};
use mercer::kernel::{Definiteness, StructureExpression};
use mercer::linalg::{Matrix, Mended, Mending};
use mercer::machine::Svc;
use mercer::resources::{Interrupt, Workers};
use mercer::solver::Control;
use mercer_testkit::random::Random;
use mercer_testkit::structures::target;

use super::{assert_same_bits, block, whole};

/// Series of many lengths, on which dynamic time warping is far from positive semi-definite.
fn series(count: usize) -> Collection<'static> {
    let mut random = Random::new(3);
    let one = |_| {
        let length = 2 + random.below(7);
        Series::new((0..length).map(|_| random.normal()).collect(), 1).unwrap()
    };
    Collection::Series((0..count).map(one).collect())
}

const PLAIN: &str = "dtw(gamma=0.02)";
const BOTH: [(&str, Mending); 2] = [("shifted", Mending::Shift), ("clipped", Mending::Clip)];

fn plan() -> Plan {
    Plan { precision: Precision::F64, ..Plan::new().unwrap() }
}

fn kernel(text: &str) -> CollectionKernel {
    text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn resolved(text: &str, items: &Collection) -> CollectionKernel {
    kernel(text).resolve(items, None).unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn symmetric(kernel: &CollectionKernel, items: &Collection) -> Vec<f64> {
    let layout = kernel.layout(items, &plan()).unwrap();
    let gram = kernel.symmetric(items, &layout, &plan()).unwrap();
    let values = whole(&*gram);
    let n = items.len();
    assert_same_bits(gram.diagonal(), &(0..n).map(|i| values[i * n + i]).collect::<Vec<_>>(), kernel);
    values
}

fn cross(kernel: &CollectionKernel, rows: &Collection<'static>, columns: &Collection) -> Vec<f64> {
    let layout = kernel.layout(rows, &plan()).unwrap();
    whole(&*kernel.cross(rows, columns, &layout, &plan()).unwrap())
}

fn assert_near(found: &[f64], expected: &[f64], what: &str) {
    assert_eq!(found.len(), expected.len(), "{what}");
    for (at, (f, e)) in found.iter().zip(expected).enumerate() {
        assert!((f - e).abs() <= 1e-11, "{what}, entry {at}: {f} and {e}");
    }
}

#[test]
fn they_are_the_mended_matrix_and_its_rows() {
    let (old, all) = (series(24), series(31));
    let new = all.select(&(24..31).collect::<Vec<_>>());
    let unmended = Matrix::new(symmetric(&kernel(PLAIN), &old), 24, 24).unwrap();
    for (name, mending) in BOTH {
        let expected = Mended::new(&unmended, mending).unwrap();
        assert!(expected.negative() >= 2 && expected.smallest_eigenvalue() < -1e-3, "{expected}");
        let found = resolved(&format!("{name}({PLAIN})"), &old);
        let learned = found.learned_mending().unwrap();
        assert_eq!((learned.items(), learned.mending()), (24, mending));
        assert_eq!(learned.negative(), expected.negative());
        assert!((learned.smallest_eigenvalue() - expected.smallest_eigenvalue()).abs() < 1e-12);
        assert_near(&symmetric(&found, &old), expected.matrix().values(), name);
        // A column for each new item there, a row for each here.
        let plain = cross(&kernel(PLAIN), &old, &new);
        for (column, values) in cross(&found, &new, &old).chunks(24).enumerate() {
            let mut row: Vec<f64> = (0..24).map(|i| plain[i * 7 + column]).collect();
            expected.row(&mut row).unwrap();
            assert_near(values, &row, name);
        }
    }
}

/// The same bits in any block, and after any restriction.
fn assert_any_block(gram: &dyn Gram, what: &str) {
    let (all, width) = (whole(gram), gram.shape().1);
    let (rows, columns) = ([3, 0, 19, 7], [11, 2, 19, 3]);
    let expected: Vec<f64> = rows.iter().flat_map(|&r| columns.map(|c| all[r * width + c])).collect();
    assert_same_bits(&block(gram, &rows, Columns::List(&columns)), &expected, &what);
    let restricted = gram.restrict(&columns).unwrap();
    assert_same_bits(&block(&*restricted, &rows, Columns::Range(0..4)), &expected, &what);
}

#[test]
fn a_value_depends_on_the_two_items_alone() {
    let (old, all) = (series(20), series(28));
    for (name, _) in BOTH {
        let found = resolved(&format!("{name}({PLAIN})"), &old);
        let layout = found.layout(&old, &plan()).unwrap();
        let gram = found.symmetric(&old, &layout, &plan()).unwrap();
        assert_any_block(&*gram, name);
        let between = found.cross(&old, &all, &layout, &plan()).unwrap();
        assert_any_block(&*between, name);
        // Training items among new ones have the values that they were trained with, but for their own.
        let (square, wide) = (whole(&*gram), whole(&*between));
        for i in 0..20 {
            for j in (0..20).filter(|&j| j != i) {
                assert_eq!(square[i * 20 + j].to_bits(), wide[i * 28 + j].to_bits(), "{name} {i} {j}");
            }
        }
        // To resolve twice is to resolve once, on whatever items.
        assert_eq!(found.resolve(&all, None).unwrap(), found);
        let threads = Plan { workers: Arc::new(Workers::new(3)), ..plan() };
        let again = kernel(&format!("{name}({PLAIN})")).resolve_by(&old, None, &threads).unwrap();
        assert_eq!(again, found);
        let layout = again.layout(&all, &threads).unwrap();
        let found = found.symmetric(&all, &layout, &plan()).unwrap();
        let again = again.symmetric(&all, &layout, &threads).unwrap();
        assert_same_bits(&whole(&*again), &whole(&*found), &name);
    }
}

#[test]
fn machines_claim_a_duality_gap() {
    let items = series(30);
    let labels = Labels::from_text((0..30).map(|i| target(i).0));
    let fit = |text: &str| Svc::params(kernel(text)).cost(2.0).check().unwrap().fit(&items, &labels).unwrap();
    assert_eq!(kernel(PLAIN).definiteness(), Definiteness::NotGuaranteed);
    assert!(fit(PLAIN).pairs().reports[0].relative_gap().is_none());
    let unmended = Matrix::new(symmetric(&kernel(PLAIN), &items), 30, 30).unwrap();
    for (name, mending) in BOTH {
        let model = fit(&format!("{name}({PLAIN})"));
        assert!(model.pairs().reports[0].relative_gap().unwrap() < 1e-2, "{name}");
        // The machine of the mended matrix.
        let values = Mended::new(&unmended, mending).unwrap().matrix().values().to_vec();
        let gram = PrecomputedGram::symmetric(values, 30).unwrap();
        let machine = Svc::params(kernel(PLAIN)).cost(2.0).check().unwrap();
        let other = machine.fit_gram(&gram, &labels, None, true, &|_| Control::Continue).unwrap();
        let (found, expected) =
            (model.pairs().reports[0].certificate.dual, other.pairs.reports[0].certificate.dual);
        assert!((found - expected).abs() <= 1e-4 * expected.abs(), "{name}: {found} and {expected}");
    }
}

#[test]
fn what_was_done_is_told() {
    let items = series(24);
    let told = |text: &str| resolved(text, &items).learned_mending().map(ToString::to_string);
    assert_eq!(told(PLAIN), None);
    assert_eq!(
        told("shifted(global_alignment(sigma=1))").unwrap(),
        "no eigenvalue of 24 below 0: nothing to mend"
    );
    assert_eq!(
        told("clipped(global_alignment(sigma=1))").unwrap(),
        "no eigenvalue of 24 below 0: nothing to mend"
    );
    let shifted = told(&format!("shifted({PLAIN})")).unwrap();
    assert!(shifted.starts_with("shifted by 0.") && shifted.contains(": least eigenvalue -0."), "{shifted}");
    let clipped = told(&format!("clipped({PLAIN})")).unwrap();
    assert!(clipped.contains(" of 24 eigenvalues, most negative -0."), "{clipped}");
    // A kernel that is positive semi-definite stays what it is.
    for (name, _) in BOTH {
        let plain = resolved("global_alignment(sigma=1)", &items);
        let mended = resolved(&format!("{name}(global_alignment(sigma=1))"), &items);
        assert_near(&symmetric(&mended, &items), &symmetric(&plain, &items), name);
    }
}

#[test]
fn they_stand_around_the_whole_kernel() {
    for text in [
        "shifted(dtw(gamma=1))",
        "clipped(0.5 * dtw(gamma=median) + autocorrelation(lags=2))",
        "shifted(sigmoid(gamma=1, constant=-1))",
        "clipped(0.5 * sigmoid(gamma=scale, constant=0) + linear)",
    ] {
        let kernel: StructureExpression = text.parse().unwrap();
        assert_eq!(kernel.to_string(), text);
        let stored = serde_json::to_string(&kernel).unwrap();
        assert_eq!(serde_json::from_str::<StructureExpression>(&stored).unwrap(), kernel);
    }
    let around = "they stand around the whole kernel";
    for (text, part) in [
        ("normalised(shifted(dtw))", around),
        ("2 * clipped(dtw)", around),
        ("shifted(dtw) + dtw", around),
        ("shifted(clipped(dtw))", around),
        ("shifted()", "shifted needs a kernel: shifted(sigmoid)"),
        ("clipped(dtw, 3)", "clipped"),
        ("normalise(shifted(sigmoid))", around),
        ("2 * clipped(sigmoid)", around),
        ("shifted(sigmoid) + linear", around),
        ("shifted(clipped(sigmoid))", around),
        ("clipped(sigmoid, 3)", "clipped"),
    ] {
        let error = text.parse::<StructureExpression>().unwrap_err().to_string();
        assert!(error.contains(part), "{text}: {error}");
    }
    let kernel: StructureExpression = "clipped(dtw(gamma=1))".parse().unwrap();
    assert!(kernel.clone().scaled(2.0).is_err());
    assert!(CollectionKernel::new(kernel.clone().normalised()).is_err());
    let items = series(2);
    let error = kernel.eval(items.get(0), items.get(1)).unwrap_err().to_string();
    assert!(error.contains("not by two items alone"), "{error}");
    let kernel = CollectionKernel::new(kernel).unwrap();
    let layout = kernel.layout(&items, &plan()).unwrap();
    let error = kernel.symmetric(&items, &layout, &plan()).err().unwrap().to_string();
    assert!(error.contains("clipped(dtw(gamma=1)) waits for training items"), "{error}");
}

#[test]
fn memory_is_asked_for_and_work_can_be_ended() {
    let items = series(24);
    let kernel = kernel(&format!("clipped({PLAIN})"));
    let little = Plan { cache_bytes: 10_000, ..plan() };
    let error = kernel.resolve_by(&items, None, &little).unwrap_err();
    assert!(matches!(error, Error::Budget { needed: 18_432, allowed: 10_000, .. }), "{error}");
    let interrupt = Interrupt::new();
    interrupt.raise();
    let ended = Plan { interrupt: Some(interrupt), ..plan() };
    assert!(matches!(kernel.resolve_by(&items, None, &ended), Err(Error::Interrupted)));
}
