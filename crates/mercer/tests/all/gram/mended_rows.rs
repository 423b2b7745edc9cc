//! Kernels on rows of numbers that are shifted or clipped, against a naive eigenvalue decomposition of the plain matrix.

use std::sync::Arc;

use mercer::data::{Collection, ColumnMajor, Dense, Examples, Items, Labels, Scaling, ScalingKind};
use mercer::data::{Sparse, Split, Vectors};
use mercer::evaluation::Metric;
use mercer::evaluation::search::{Grid, Search, Watch};
use mercer::gram::{BulkKernel, CollectionKernel, Plan, Precision, PrecomputedGram};
use mercer::io::{Document, Model, ModelCard, ModelFormat, binary};
use mercer::kernel::{Definiteness, Expression, StructureExpression};
use mercer::linalg::Mending;
use mercer::machine::Svc;
use mercer::resources::Workers;
use mercer::solver::Control;
use mercer_testkit::random::Random;

use super::{assert_same_bits, whole};

const OLD: usize = 24;
const ALL: usize = 31;
const COLUMNS: usize = 4;
const PLAIN: &str = "sigmoid(gamma=0.4, constant=-0.3)";
const BOTH: [(&str, Mending); 2] = [("shifted", Mending::Shift), ("clipped", Mending::Clip)];

/// Numbers that single precision holds, a third of them 0.
fn points() -> Vec<[f64; COLUMNS]> {
    let mut random = Random::new(17);
    let mut one = || match random.below(3) {
        0 => 0.0,
        _ => (64.0 * random.normal()).round() / 64.0,
    };
    (0..ALL).map(|_| std::array::from_fn(|_| one())).collect()
}

/// The same rows in every form.
fn forms(points: &[[f64; COLUMNS]]) -> Vec<(&'static str, Collection<'static>)> {
    let n = points.len();
    let flat: Vec<f64> = points.iter().flatten().copied().collect();
    let single: Vec<f32> = flat.iter().map(|&value| value as f32).collect();
    let columns: Vec<f64> = (0..COLUMNS).flat_map(|k| points.iter().map(move |row| row[k])).collect();
    let (mut ends, mut indices, mut values) = (vec![0], Vec::new(), Vec::new());
    for row in points {
        for (k, &value) in row.iter().enumerate().filter(|(_, value)| **value != 0.0) {
            indices.push(k as u32);
            values.push(value);
        }
        ends.push(values.len());
    }
    let forms: [(&str, Vectors<'static>); 4] = [
        ("double", Dense::new(flat, n, COLUMNS).unwrap().into()),
        ("single", Dense::new(single, n, COLUMNS).unwrap().into()),
        ("columns", ColumnMajor::new(columns, n, COLUMNS).unwrap().into()),
        ("sparse", Sparse::from_parts(ends, indices, values, COLUMNS).unwrap().into()),
    ];
    forms.map(|(name, rows)| (name, rows.into())).to_vec()
}

/// Training rows and new ones, in double precision.
fn rows() -> (Collection<'static>, Collection<'static>) {
    let all: Collection<'static> = Vectors::from_rows(&points()).unwrap().into();
    (all.select(&(0..OLD).collect::<Vec<_>>()), all.select(&(OLD..ALL).collect::<Vec<_>>()))
}

fn plan() -> Plan {
    Plan { precision: Precision::F64, ..Plan::new().unwrap() }
}

fn kernel(text: &str) -> CollectionKernel {
    text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn symmetric(kernel: &CollectionKernel, items: &Collection<'_>, plan: &Plan) -> Vec<f64> {
    let layout = kernel.layout(items, plan).unwrap();
    whole(&*kernel.symmetric(items, &layout, plan).unwrap())
}

fn cross(kernel: &CollectionKernel, old: &Collection<'static>, new: &Collection<'_>) -> Vec<f64> {
    let layout = kernel.layout(old, &plan()).unwrap();
    whole(&*kernel.cross(old, new, &layout, &plan()).unwrap())
}

/// tanh(γ⟨x, z⟩ + c), by its definition.
fn plain(x: &[f64; COLUMNS], z: &[f64; COLUMNS]) -> f64 {
    (0.4 * x.iter().zip(z).map(|(a, b)| a * b).sum::<f64>() - 0.3).tanh()
}

/// Eigenvalues and eigenvectors (columns) of a symmetric matrix by Jacobi's rotations.
fn jacobi(matrix: &[f64], n: usize) -> (Vec<f64>, Vec<f64>) {
    let mut a = matrix.to_vec();
    let mut v: Vec<f64> = (0..n * n).map(|at| if at / n == at % n { 1.0 } else { 0.0 }).collect();
    for _ in 0..60 {
        for p in 0..n {
            for q in p + 1..n {
                let off = a[p * n + q];
                if off == 0.0 {
                    continue;
                }
                let angle = 0.5 * (2.0 * off).atan2(a[q * n + q] - a[p * n + p]);
                let (s, c) = angle.sin_cos();
                for k in 0..n {
                    let (x, y) = (a[k * n + p], a[k * n + q]);
                    (a[k * n + p], a[k * n + q]) = (c * x - s * y, s * x + c * y);
                    let (x, y) = (v[k * n + p], v[k * n + q]);
                    (v[k * n + p], v[k * n + q]) = (c * x - s * y, s * x + c * y);
                }
                for k in 0..n {
                    let (x, y) = (a[p * n + k], a[q * n + k]);
                    (a[p * n + k], a[q * n + k]) = (c * x - s * y, s * x + c * y);
                }
            }
        }
    }
    ((0..n).map(|i| a[i * n + i]).collect(), v)
}

fn smallest(values: &[f64]) -> f64 {
    values.iter().copied().fold(f64::INFINITY, f64::min)
}

/// The mended matrix of the training rows, and the rows of values of new ones with them.
fn naive(mending: Mending) -> (Vec<f64>, Vec<f64>, Vec<f64>) {
    let points = points();
    let of = |rows: &[[f64; COLUMNS]]| -> Vec<f64> {
        rows.iter().flat_map(|x| points[..OLD].iter().map(move |z| plain(x, z))).collect()
    };
    let (k, new) = (of(&points[..OLD]), of(&points[OLD..]));
    let (values, vectors) = jacobi(&k, OLD);
    let vector = |j: usize, i: usize| vectors[i * OLD + j];
    let above: Vec<usize> = (0..OLD).filter(|&j| values[j] > 1e-12).collect();
    match mending {
        Mending::Shift => {
            let shift = -smallest(&values);
            let own = |at: usize| if at / OLD == at % OLD { shift } else { 0.0 };
            (k.iter().enumerate().map(|(at, value)| value + own(at)).collect(), new, values)
        }
        Mending::Clip => {
            let mended = |at: usize| {
                above.iter().map(|&j| values[j] * vector(j, at / OLD) * vector(j, at % OLD)).sum()
            };
            // k(x, T) V₊V₊ᵀ
            let projected = |row: &[f64]| -> Vec<f64> {
                let parts: Vec<f64> =
                    above.iter().map(|&j| (0..OLD).map(|i| row[i] * vector(j, i)).sum()).collect();
                (0..OLD)
                    .map(|i| above.iter().zip(&parts).map(|(&j, part)| part * vector(j, i)).sum())
                    .collect()
            };
            ((0..OLD * OLD).map(mended).collect(), new.chunks(OLD).flat_map(projected).collect(), values)
        }
    }
}

fn assert_near(found: &[f64], expected: &[f64], within: f64, what: &str) {
    assert_eq!(found.len(), expected.len(), "{what}");
    for (at, (f, e)) in found.iter().zip(expected).enumerate() {
        assert!((f - e).abs() <= within, "{what}, entry {at}: {f} and {e}");
    }
}

#[test]
fn they_are_what_a_naive_decomposition_gives_in_every_form_of_rows() {
    let points = points();
    for (name, mending) in BOTH {
        let (matrix, between, eigenvalues) = naive(mending);
        let negative = eigenvalues.iter().filter(|&&value| value < -1e-12).count();
        assert!(negative >= 2 && smallest(&eigenvalues) < -1e-3, "{eigenvalues:?}");
        for ((form, old), (_, new)) in forms(&points[..OLD]).iter().zip(&forms(&points[OLD..])) {
            let what = format!("{name}, {form}");
            let found = kernel(&format!("{name}({PLAIN})")).resolve(old, None).unwrap();
            assert_eq!(found.definiteness(), Definiteness::Guaranteed);
            let learned = found.learned_mending().unwrap();
            assert_eq!((learned.items(), learned.mending(), learned.negative()), (OLD, mending, negative));
            assert!((learned.smallest_eigenvalue() - smallest(&eigenvalues)).abs() < 1e-11, "{what}");
            let values = symmetric(&found, old, &plan());
            assert_near(&values, &matrix, 1e-11, &what);
            assert!(smallest(&jacobi(&values, OLD).0) > -1e-12, "{what}");
            // A row for each training row there, a row for each new one here.
            let found_between = cross(&found, &old.select(&(0..OLD).collect::<Vec<_>>()), new);
            let turned: Vec<f64> = (0..ALL - OLD)
                .flat_map(|j| (0..OLD).map(move |i| (i, j)))
                .map(|(i, j)| found_between[i * (ALL - OLD) + j])
                .collect();
            assert_near(&turned, &between, 1e-11, &what);
            let single = Plan { precision: Precision::F32, ..plan() };
            assert_near(&symmetric(&found, old, &single), &matrix, 1e-5, &what);
        }
    }
}

#[test]
fn to_resolve_twice_is_to_resolve_once() {
    let (old, new) = rows();
    for (name, _) in BOTH {
        let kernel = kernel(&format!("{name}(sigmoid(gamma=scale) + 0.5 * centre(linear))"));
        let once = kernel.resolve(&old, None).unwrap();
        assert!(!once.to_string().contains("scale") && once.to_string().starts_with(name), "{once}");
        assert_eq!(once.resolve(&old, None).unwrap(), once);
        assert_eq!(once.resolve(&new, None).unwrap(), once);
        let threads = Plan { workers: Arc::new(Workers::new(3)), ..plan() };
        assert_eq!(kernel.resolve_by(&old, None, &threads).unwrap(), once);
        assert_same_bits(&symmetric(&once, &new, &threads), &symmetric(&once, &new, &plan()), &name);
    }
}

/// Bits depend on the numbers of a row, not on how it is stored.
#[test]
fn a_training_row_is_known_again_in_any_form() {
    let points = points();
    let (old, _) = rows();
    let found = kernel(&format!("clipped({PLAIN})")).resolve(&old, None).unwrap();
    let expected = symmetric(&found, &old, &plan());
    for (form, same) in forms(&points[..OLD]) {
        assert_same_bits(&cross(&found, &old, &same), &expected, &form);
    }
    let wider = Collection::from(
        Sparse::from_parts(vec![0, 0], vec![], vec![], COLUMNS + 1).map(Vectors::from).unwrap(),
    );
    let layout = found.layout(&old, &plan()).unwrap();
    let error = found.cross(&old, &wider, &layout, &plan()).err().unwrap();
    assert!(matches!(error, mercer::Error::Shape { expected: 4, found: 5, .. }), "{error}");
}

#[test]
fn they_are_printed_read_and_stored() {
    for text in [
        "shifted(sigmoid(gamma=0.4, constant=-0.3))",
        "clipped(0.5 * sigmoid(gamma=scale, constant=0) + linear * cosine)",
        "clipped(columns(0:2, sigmoid(gamma=0.4, constant=0)))",
    ] {
        let expression: StructureExpression = text.parse().unwrap();
        assert_eq!(expression.to_string(), text);
        assert_eq!(kernel(&kernel(text).to_string()), kernel(text));
        let inner = &text[8..text.len() - 1];
        assert_eq!(expression.on_rows(), Some(&inner.parse::<Expression>().unwrap()));
        let named = if text.starts_with("shifted") { Mending::Shift } else { Mending::Clip };
        assert_eq!(expression.mending(), Some(named));
        let stored = serde_json::to_string(&expression).unwrap();
        assert_eq!(serde_json::from_str::<StructureExpression>(&stored).unwrap(), expression);
    }
    // As a part of a kernel on rows they make no sense, and the error does not say that rows are the reason.
    for text in ["clipped(sigmoid)", "linear + Shifted(sigmoid)", "normalise(clipped(sigmoid))"] {
        let error = text.parse::<Expression>().unwrap_err().to_string();
        assert!(error.contains("they stand around the whole kernel"), "{text}: {error}");
    }
}

fn labels(count: usize) -> Labels {
    Labels::from_text((0..count).map(|i| if i * i % 7 < 3 { "a" } else { "b" }))
}

#[test]
fn a_machine_solves_the_problem_of_the_mended_matrix() {
    let (old, _) = rows();
    let fit = |kernel: CollectionKernel| {
        Svc::params(kernel).cost(2.0).tolerance(1e-8).check().unwrap().fit(&old, &labels(OLD)).unwrap()
    };
    // The gap of an indefinite matrix says nothing.
    assert!(fit(kernel(PLAIN)).pairs().reports[0].relative_gap().is_none());
    for (name, mending) in BOTH {
        let model = fit(kernel(&format!("{name}({PLAIN})")));
        assert!(model.pairs().reports[0].relative_gap().unwrap() < 1e-6, "{name}");
        let gram = PrecomputedGram::symmetric(naive(mending).0, OLD).unwrap();
        let machine = Svc::params(kernel(PLAIN)).cost(2.0).tolerance(1e-8).check().unwrap();
        let other = machine.fit_gram(&gram, &labels(OLD), None, true, &|_| Control::Continue).unwrap();
        let dual = |report: &mercer::machine::PairReport| report.certificate.dual;
        let (found, expected) = (dual(&model.pairs().reports[0]), dual(&other.pairs.reports[0]));
        assert!((found - expected).abs() <= 1e-6 * expected.abs(), "{name}: {found} and {expected}");
    }
}

#[test]
fn what_is_loaded_predicts_what_was_saved() {
    let points = points();
    for ((form, old), (_, new)) in forms(&points[..OLD]).into_iter().zip(forms(&points[OLD..])) {
        for (name, _) in BOTH {
            for inner in [PLAIN, "centre(sigmoid(gamma=0.4, constant=-0.3)) + 0.1 * linear"] {
                let scaling = Scaling::fit(ScalingKind::MaxAbs, old.rows().unwrap()).unwrap();
                let scaled = scaling.apply(old.rows().unwrap()).unwrap().into();
                let kernel = kernel(&format!("{name}({inner})"));
                let machine = Svc::params(kernel).cost(2.0).check().unwrap();
                let model = machine.fit(&scaled, &labels(OLD)).unwrap();
                let saved = Model::new(model, Some(scaling), ModelCard::of_items(&old));
                let said = |model: &Model, items: &Collection<'_>| {
                    let items = model.prepare(items).unwrap();
                    model.machine.classifier().unwrap().decision_values(&items).unwrap()
                };
                for format in [ModelFormat::Binary, ModelFormat::Json] {
                    let what = format!("{name}({inner}), {form}, {format:?}");
                    let bytes = saved.to_bytes(format);
                    let loaded = Model::from_bytes(&bytes).unwrap_or_else(|error| panic!("{what}: {error}"));
                    assert_same_bits(&said(&loaded, &new), &said(&saved, &new), &what);
                    assert_same_bits(&said(&loaded, &old), &said(&saved, &old), &what);
                    assert_eq!(loaded.machine.kernel(), saved.machine.kernel(), "{what}");
                    assert_eq!(loaded.to_bytes(format), bytes, "{what}");
                }
            }
        }
    }
}

/// A model with this kernel on these rows, as a document.
fn document(kernel: &str, rows: &Vectors<'static>) -> Document {
    let machine = Svc::params(self::kernel(kernel)).check().unwrap();
    let model = machine.fit(&rows.clone().into(), &labels(rows.len())).unwrap();
    let model = Model::new(model, None, ModelCard::of(rows));
    mercer::io::json::decode(&model.to_bytes(ModelFormat::Json)).unwrap()
}

#[test]
fn documents_that_make_no_sense_are_refused() {
    let points = points();
    let four = Vectors::from_rows(&points).unwrap();
    let three =
        Vectors::from_rows(&points.iter().map(|row| [row[0], row[1], row[2]]).collect::<Vec<_>>()).unwrap();
    let clipped = format!("clipped({PLAIN})");
    let refusal = |document: &Document| {
        Model::from_bytes(&binary::encode(document)).map(|_| ()).unwrap_err().to_string()
    };
    let mut without = document(&clipped, &four);
    without.header["model"].as_object_mut().unwrap().remove("mended");
    assert!(refusal(&without).contains("what was done to its values is not said"));
    // Clipped on other rows.
    let (mut mixed, other) = (document(&clipped, &four), document(&clipped, &three));
    mixed.header["model"]["mended"] = other.header["model"]["mended"].clone();
    mixed.arrays.retain(|(name, _)| !name.starts_with("mended"));
    mixed.arrays.extend(other.arrays.into_iter().filter(|(name, _)| name.starts_with("mended")));
    assert!(refusal(&mixed).contains("clipped on rows of 3 columns, for rows of 4"), "{}", refusal(&mixed));
    // The layout of a kernel that is not clipped, and the reverse.
    let plain = document(PLAIN, &four);
    let mut other = document(&clipped, &four);
    other.header["model"]["layout"] = plain.header["model"]["layout"].clone();
    assert!(refusal(&other).contains("the header"), "{}", refusal(&other));
    let mut plain = plain;
    plain.header["model"]["layout"] = document(&clipped, &four).header["model"]["layout"].clone();
    assert!(refusal(&plain).contains("the header"), "{}", refusal(&plain));
    // Reference rows are missing.
    let mut bare = document(&clipped, &four);
    bare.header["model"].as_object_mut().unwrap().remove("references");
    assert!(refusal(&bare).contains("missing field `references`"), "{}", refusal(&bare));
}

#[test]
fn a_search_tries_them_beside_kernels_that_share_sums() {
    let items: Collection<'static> = Vectors::from_rows(&points()).unwrap().into();
    let targets = labels(ALL);
    let splits = Split::stratified(&targets, 3, 5).unwrap();
    let search = Search::exact(vec![Metric::Accuracy]);
    let run = |kernels: Vec<CollectionKernel>| {
        let machine = Svc::params(kernel("linear")).tolerance(1e-6);
        let grid = Grid { kernels, costs: vec![0.5, 4.0] };
        let watch = Watch { cancelled: &|| false, seen: &|_| () };
        search.cross_validate(&machine, &grid, Examples::new(&items, &targets), &splits, watch).unwrap().cells
    };
    let texts = [
        format!("clipped({PLAIN})"),
        "gaussian(gamma=0.3)".into(),
        format!("shifted({PLAIN})"),
        "gaussian(gamma=1)".into(),
    ];
    let together = run(texts.iter().map(|text| kernel(text)).collect());
    for (at, text) in texts.iter().enumerate() {
        let alone = run(vec![kernel(text)]);
        for (one, all) in alone.iter().zip(&together[2 * at..]) {
            assert_eq!((&one.values, one.cost, all.kernel), (&all.values, all.cost, at), "{text}");
        }
    }
}
