//! Kernel canonical correlations: against the correlations of statisticians, and what they promise on new items.

use mercer::Error;
use mercer::data::{Items, Random, Vectors};
use mercer::gram::{Pairwise, PrecomputedGram, SymmetricGram};
use mercer::kernel::Expression;
use mercer::linalg::{Cholesky, Matrix, SymmetricEigen};
use mercer::machine::KernelCca;
use mercer::resources::Workers;

/// What twenty men can do in a gymnasium (chin-ups, sit-ups, jumps), and their weight, waist and pulse (Linnerud).
const EXERCISES: [[f64; 3]; 20] = [
    [5.0, 162.0, 60.0],
    [2.0, 110.0, 60.0],
    [12.0, 101.0, 101.0],
    [12.0, 105.0, 37.0],
    [13.0, 155.0, 58.0],
    [4.0, 101.0, 42.0],
    [8.0, 101.0, 38.0],
    [6.0, 125.0, 40.0],
    [15.0, 200.0, 40.0],
    [17.0, 251.0, 250.0],
    [17.0, 120.0, 38.0],
    [13.0, 210.0, 115.0],
    [14.0, 215.0, 105.0],
    [1.0, 50.0, 50.0],
    [6.0, 70.0, 31.0],
    [12.0, 210.0, 120.0],
    [4.0, 60.0, 25.0],
    [11.0, 230.0, 80.0],
    [15.0, 225.0, 73.0],
    [2.0, 110.0, 43.0],
];
const BODIES: [[f64; 3]; 20] = [
    [191.0, 36.0, 50.0],
    [189.0, 37.0, 52.0],
    [193.0, 38.0, 58.0],
    [162.0, 35.0, 62.0],
    [189.0, 35.0, 46.0],
    [182.0, 36.0, 56.0],
    [211.0, 38.0, 56.0],
    [167.0, 34.0, 60.0],
    [176.0, 31.0, 74.0],
    [154.0, 33.0, 56.0],
    [169.0, 34.0, 50.0],
    [166.0, 33.0, 52.0],
    [154.0, 34.0, 64.0],
    [247.0, 46.0, 50.0],
    [193.0, 36.0, 46.0],
    [202.0, 37.0, 62.0],
    [176.0, 37.0, 54.0],
    [157.0, 32.0, 52.0],
    [156.0, 33.0, 54.0],
    [138.0, 33.0, 68.0],
];

fn kernel(text: &str) -> Expression {
    text.parse().unwrap()
}

fn gram(rows: &[[f64; 3]]) -> PrecomputedGram<'static, f64> {
    let product = |x: &[f64; 3], z: &[f64; 3]| x.iter().zip(z).map(|(a, b)| a * b).sum::<f64>();
    let values: Vec<f64> = rows.iter().flat_map(|x| rows.iter().map(move |z| product(x, z))).collect();
    PrecomputedGram::symmetric(values, rows.len()).unwrap()
}

/// Squared correlations of two sets of columns: the eigenvalues of Cxx⁻¹ Cxy Cyy⁻¹ Cyx.
fn classical(x: &[[f64; 3]], y: &[[f64; 3]]) -> Vec<f64> {
    let n = x.len() as f64;
    let centred = |rows: &[[f64; 3]]| {
        let mean: Vec<f64> = (0..3).map(|c| rows.iter().map(|r| r[c]).sum::<f64>() / n).collect();
        Matrix::from_fn(3, rows.len(), |c, i| rows[i][c] - mean[c])
    };
    let (x, y, workers) = (centred(x), centred(y), Workers::serial());
    let (xx, yy) = (x.times_transposed(&x, &workers).unwrap(), y.times_transposed(&y, &workers).unwrap());
    // Lx⁻¹ Cxy Cyy⁻¹ Cyx Lx⁻ᵀ has the same eigenvalues and is symmetric.
    let yx = y.times_transposed(&x, &workers).unwrap();
    let mut half = yx.transposed();
    Cholesky::new(&yy).unwrap().forward_rows(&mut half, &workers).unwrap();
    let mut inner = half.times_transposed(&half, &workers).unwrap();
    let factor = Cholesky::new(&xx).unwrap();
    factor.forward_rows(&mut inner, &workers).unwrap();
    let mut inner = inner.transposed();
    factor.forward_rows(&mut inner, &workers).unwrap();
    let eigen = SymmetricEigen::new(&inner).unwrap();
    eigen.values().iter().rev().map(|v| v.sqrt()).collect()
}

#[test]
fn linear_kernels_without_regularisation_find_the_classical_correlations() {
    let machine = KernelCca::params().components(3).regularisation(0.0).check().unwrap();
    let (x, y) = (Vectors::from_rows(&EXERCISES).unwrap(), Vectors::from_rows(&BODIES).unwrap());
    let linear = kernel("linear");
    let (fit, (first, second)) = machine.fit_two((&linear, &x), (&linear, &y)).unwrap();
    let expected = classical(&EXERCISES, &BODIES);
    for (found, expected) in fit.correlations.iter().zip(&expected) {
        assert!((found - expected).abs() < 1e-9, "{found} {expected}");
    }
    assert!((fit.correlations[0] - 0.7956).abs() < 1e-4);
    // The functions have mean 0 and variance 1, and different ones nothing in common.
    let (a, b) = (first.transform(&x).unwrap(), second.transform(&y).unwrap());
    for (view, other) in [(&a, &b), (&b, &a)] {
        for k in 0..3 {
            let mean = (0..20).map(|i| view[(i, k)]).sum::<f64>() / 20.0;
            assert!(mean.abs() < 1e-9, "{mean}");
            for l in 0..3 {
                let own = (0..20).map(|i| view[(i, k)] * view[(i, l)]).sum::<f64>() / 20.0;
                let across = (0..20).map(|i| view[(i, k)] * other[(i, l)]).sum::<f64>() / 20.0;
                let (one, rho) = if k == l { (1.0, expected[k]) } else { (0.0, 0.0) };
                assert!((own - one).abs() < 1e-8 && (across - rho).abs() < 1e-8, "{k} {l}: {own} {across}");
            }
        }
    }
}

#[test]
fn regularised_directions_are_those_of_the_dual_problem() {
    // One component by the textbook: K̃xK̃yβ = ρ((1 − τ)K̃x²/n + τK̃x)α·n, with alternating projections in place of an eigenvalue.
    let tau = 0.3;
    let machine = KernelCca::params().components(1).regularisation(tau).check().unwrap();
    let (x, y) = (Vectors::from_rows(&EXERCISES).unwrap(), Vectors::from_rows(&BODIES).unwrap());
    let (kx, ky) = (kernel("gaussian(gamma=0.001)"), kernel("gaussian(gamma=0.01)"));
    let (_, (first, second)) = machine.fit_two((&kx, &x), (&ky, &y)).unwrap();
    let (a, b) = (first.transform(&x).unwrap(), second.transform(&y).unwrap());
    let centred = |rows: &[[f64; 3]], gamma: f64| {
        let squared =
            |x: &[f64; 3], z: &[f64; 3]| x.iter().zip(z).map(|(a, b)| (a - b) * (a - b)).sum::<f64>();
        let k = Matrix::from_fn(20, 20, |i, j| (-gamma * squared(&rows[i], &rows[j])).exp());
        let means: Vec<f64> = (0..20).map(|i| k.row(i).iter().sum::<f64>() / 20.0).collect();
        let mean = means.iter().sum::<f64>() / 20.0;
        Matrix::from_fn(20, 20, |i, j| k[(i, j)] - means[i] - means[j] + mean)
    };
    let (kx, ky) = (centred(&EXERCISES, 0.001), centred(&BODIES, 0.01));
    // For given scores v of the other view, the best of this one is K̃((1 − τ)K̃/n + τI)⁻¹v up to its length.
    let best = |k: &Matrix, v: &[f64]| -> Vec<f64> {
        let system =
            Matrix::from_fn(20, 20, |i, j| (1.0 - tau) * k[(i, j)] / 20.0 + if i == j { tau } else { 0.0 });
        let mut solved = v.to_vec();
        Cholesky::new(&system).unwrap().solve(&mut solved).unwrap();
        (0..20).map(|i| k.row(i).iter().zip(&solved).map(|(k, s)| k * s).sum()).collect()
    };
    let cosine = |u: &[f64], v: &[f64]| {
        let product = |u: &[f64], v: &[f64]| u.iter().zip(v).map(|(a, b)| a * b).sum::<f64>();
        product(u, v) / (product(u, u) * product(v, v)).sqrt()
    };
    let (a, b): (Vec<f64>, Vec<f64>) =
        ((0..20).map(|i| a[(i, 0)]).collect(), (0..20).map(|i| b[(i, 0)]).collect());
    assert!((cosine(&a, &best(&kx, &b)) - 1.0).abs() < 1e-9, "{}", cosine(&a, &best(&kx, &b)));
    assert!((cosine(&b, &best(&ky, &a)) - 1.0).abs() < 1e-9);
}

#[test]
fn several_views_of_one_thing_are_recognised_on_new_items() {
    let mut random = Random::new(4);
    let hidden: Vec<f64> = (0..300).map(|_| random.normal()).collect();
    let mut view = |strength: f64| -> Vec<[f64; 3]> {
        hidden
            .iter()
            .map(|h| [strength * h + 0.3 * random.normal(), random.normal(), random.normal()])
            .collect()
    };
    let views = [view(1.0), view(-2.0), view(0.5)];
    let grams: Vec<_> = views.iter().map(|rows| gram(&rows[..200])).collect();
    let given: Vec<&dyn SymmetricGram> = grams.iter().map(|gram| gram as &dyn SymmetricGram).collect();
    let machine = KernelCca::params().components(1).regularisation(0.01).check().unwrap();
    let fit = machine.fit_grams(&given).unwrap();
    assert!(fit.correlations[0] > 0.85, "{:?}", fit.correlations);
    assert!(fit.views.iter().all(|view| view.pivots.len() == 3 && view.left_out < 1e-9));
    // The functions of two views are those of new items, too.
    let rows = |v: usize, from: usize| Vectors::from_rows(&views[v][from..from + 100]).unwrap();
    let linear = kernel("linear");
    let (_, (first, second)) = machine.fit_two((&linear, &rows(0, 0)), (&linear, &rows(1, 0))).unwrap();
    let (a, b) = (first.transform(&rows(0, 200)).unwrap(), second.transform(&rows(1, 200)).unwrap());
    let mean = |m: &Matrix| m.values().iter().sum::<f64>() / 100.0;
    let (p, q) = (mean(&a), mean(&b));
    let product = |x: &Matrix, m: f64, y: &Matrix, k: f64| -> f64 {
        x.values().iter().zip(y.values()).map(|(x, y)| (x - m) * (y - k)).sum()
    };
    let correlation = product(&a, p, &b, q) / (product(&a, p, &a, p) * product(&b, q, &b, q)).sqrt();
    assert!(correlation > 0.8, "{correlation}");
}

#[test]
fn strain_and_bad_input() {
    let (x, y) = (Vectors::from_rows(&EXERCISES).unwrap(), Vectors::from_rows(&BODIES).unwrap());
    let machine = KernelCca::params().check().unwrap();
    let linear = kernel("linear");
    let short = machine.fit_two((&linear, &x), (&linear, &y.select(&[0, 1])));
    assert!(matches!(short, Err(Error::Shape { expected: 20, found: 2, .. })));
    let same = machine.fit_two((&kernel("constant(1)"), &x), (&linear, &y));
    assert!(matches!(same, Err(Error::Undefined { .. })));
    let none = machine.fit_two((&linear, &x.select(&[])), (&linear, &y.select(&[])));
    assert!(matches!(none, Err(Error::Empty { .. })));
    assert!(matches!(machine.fit_grams(&[&gram(&BODIES)]), Err(Error::Shape { expected: 2, found: 1, .. })));
    assert!(matches!(
        KernelCca::params().components(0).check(),
        Err(Error::Parameter { name: "components", .. })
    ));
    assert!(matches!(
        KernelCca::params().regularisation(2.0).check(),
        Err(Error::Parameter { name: "regularisation", .. })
    ));
    // More components than dimensions are no more than dimensions; every row twice makes no difference to them.
    let twice: Vec<usize> = (0..40).map(|i| i / 2).collect();
    let many = KernelCca::params().components(9).regularisation(0.0).check().unwrap();
    let (fit, _) = many.fit_two((&linear, &x.select(&twice)), (&linear, &y.select(&twice))).unwrap();
    assert_eq!(fit.correlations.len(), 3);
    assert!((fit.correlations[0] - 0.7956).abs() < 1e-4);
    // Views of different kinds: words and rows.
    let words: Vec<String> = (0..20).map(|i| "x".repeat(EXERCISES[i][0] as usize)).collect();
    let lengths = Pairwise::<_, str>::new(|a: &str, b: &str| (a.len() * b.len()) as f64);
    let machine = KernelCca::params().components(1).regularisation(0.0).check().unwrap();
    let (fit, (first, _)) = machine.fit_two((&lengths, &words), (&linear, &x)).unwrap();
    assert!((fit.correlations[0] - 1.0).abs() < 1e-9);
    assert_eq!(first.transform(&words).unwrap().rows(), 20);
}
