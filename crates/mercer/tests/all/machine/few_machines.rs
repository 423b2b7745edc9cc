//! Bayes points, spectral clusters, networks, reduced sets, slabs and losses.

use super::matrix_data::wine;
use super::small_set;
use mercer::Error;
use mercer::data::{Labels, Random, Vectors};
use mercer::kernel::Expression;
use mercer::linalg::Matrix;
use mercer::machine::{
    BayesPointMachine, LossFunction, RbfNetwork, ReducedSet, Ridge, SpectralClustering, SphereAndSlab,
};

fn kernel(text: &str) -> Expression {
    text.parse().unwrap()
}

#[test]
fn the_bayes_point_is_near_the_middle_of_the_version_space() {
    let mut random = Random::new(11);
    let (mut nearer, trials) = (0, 20);
    for trial in 0..trials {
        // Points in three dimensions, told apart by a plane through the origin.
        let truth: Vec<f64> = (0..3).map(|_| random.normal()).collect();
        let points: Vec<[f64; 3]> =
            (0..15).map(|_| [random.normal(), random.normal(), random.normal()]).collect();
        let side = |w: &[f64], p: &[f64; 3]| w.iter().zip(p).map(|(w, p)| w * p).sum::<f64>() > 0.0;
        let labels: Vec<bool> = points.iter().map(|p| side(&truth, p)).collect();
        if labels.iter().all(|l| *l) || labels.iter().all(|l| !*l) {
            continue;
        }
        // The centre of mass of all directions that get every point right, by drawing directions.
        let mut centre = [0.0; 3];
        for _ in 0..40_000 {
            let w: Vec<f64> = (0..3).map(|_| random.normal()).collect();
            if points.iter().zip(&labels).all(|(p, l)| side(&w, p) == *l) {
                let size = w.iter().map(|v| v * v).sum::<f64>().sqrt();
                centre.iter_mut().zip(&w).for_each(|(c, w)| *c += w / size);
            }
        }
        if centre.iter().all(|c| *c == 0.0) {
            continue;
        }
        let rows = Vectors::from_rows(&points).unwrap();
        let named = Labels::from_text(labels.iter().map(|l| if *l { "b" } else { "a" }));
        let axes = Vectors::from_rows(&[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]).unwrap();
        let cosine = |perceptrons: usize| {
            let machine = BayesPointMachine::params(kernel("linear")).perceptrons(perceptrons).seed(trial);
            let model = machine.check().unwrap().fit(&rows, &named).unwrap();
            assert_eq!(model.report().consistent, perceptrons);
            // Of two classes the function is positive for the later, and "b" may be the later only.
            let w = model.predict(&axes).unwrap();
            let f = model.predict(&rows).unwrap();
            assert!(f.iter().zip(&labels).all(|(f, l)| (*f > 0.0) == *l));
            let size = |v: &[f64]| v.iter().map(|v| v * v).sum::<f64>().sqrt();
            w.iter().zip(&centre).map(|(a, b)| a * b).sum::<f64>() / (size(&w) * size(&centre))
        };
        let (many, one) = (cosine(100), cosine(1));
        assert!(many > 0.9, "{many}");
        nearer += u64::from(many > one);
    }
    assert!(nearer * 10 >= trials * 6, "{nearer}");
}

#[test]
fn bayes_points_take_noise_and_many_classes() {
    let (rows, labels) = small_set("iris.csv");
    let soft = BayesPointMachine::params(kernel("gaussian(gamma=0.5) + constant(1)")).softness(0.5);
    let model = soft.clone().check().unwrap().fit(&rows, &labels).unwrap();
    assert_eq!(model.report().ended, Some(150));
    let f = model.predict(&rows).unwrap();
    let best = |row: &[f64]| (0..3).fold(0, |best, c| if row[c] > row[best] { c } else { best });
    let right = f.chunks(3).zip(labels.codes()).filter(|(row, c)| best(row) == **c as usize).count();
    assert!(right >= 143, "{right}");
    let serial = soft.clone().threads(1).check().unwrap().fit(&rows, &labels).unwrap();
    assert_eq!(serial.predict(&rows).unwrap(), f);
    // Without the memory for all of K its rows are computed when they are needed.
    let small = soft.clone().memory(150 * 80).check().unwrap().fit(&rows, &labels).unwrap();
    assert_eq!(small.functions(), model.functions());
    // Labels that contradict each other are told apart by λ alone, and nobody gets them right.
    let same = Vectors::from_rows(&[[1.0]; 6]).unwrap();
    let mixed = Labels::from_text(["x", "y", "x", "y", "x", "y"]);
    let report = soft.check().unwrap().fit(&same, &mixed).unwrap().report().clone();
    assert_eq!((report.ended, report.consistent), (Some(50), 0));
    let machine = BayesPointMachine::params(kernel("linear"));
    let one = machine.clone().check().unwrap().fit(&rows, &Labels::from_text(["a"; 150]));
    assert!(matches!(one, Err(Error::OneClass { .. })));
    assert!(matches!(machine.perceptrons(0).check(), Err(Error::Parameter { name: "perceptrons", .. })));
}

#[test]
fn spectral_clusters_find_parts_that_are_not_connected() {
    let stored: serde_json::Value = mercer_testkit::fixture::read("other_machines.json");
    let rows = wine();
    let machine = SpectralClustering::params(kernel("gaussian(gamma=0.1)"), 3);
    let model = machine.clone().check().unwrap().fit(&rows).unwrap();
    // Eigenvalues of N as scipy has them, and the clusters that scikit-learn finds, by other names.
    let case = &stored["spectral"];
    for (found, expected) in model.fit().values.iter().zip(case["values"].as_array().unwrap()) {
        assert!((found - expected.as_f64().unwrap()).abs() < 1e-9);
    }
    let expected: Vec<usize> =
        case["clusters"].as_array().unwrap().iter().map(|c| c.as_u64().unwrap() as usize).collect();
    let same = model.clusters().iter().zip(&expected).filter(|(a, b)| a == b).count();
    assert!(same >= 170, "{same} of {}", expected.len());
    // A training item goes on as itself.
    assert_eq!(model.predict(&rows).unwrap(), model.clusters());
    let again = model.transform(&rows).unwrap();
    assert!(again.values().iter().zip(model.fit().embedding.values()).all(|(a, b)| (a - b).abs() < 1e-9));
    // More directions begin with the same ones.
    let more = machine.clone().components(5).check().unwrap().fit(&rows).unwrap();
    assert_eq!((more.fit().values.len(), more.fit().k_means.sizes.len()), (5, 3));
    assert!(more.fit().values.iter().zip(&model.fit().values).all(|(a, b)| (a - b).abs() < 1e-12));
    assert_eq!(more.predict(&rows).unwrap(), more.clusters());
    let none = machine.clone().components(0).check();
    assert!(matches!(none, Err(Error::Parameter { name: "components", .. })));
    // Without the memory for K, and with other threads.
    let other = machine.clone().memory(200_000).threads(2).check().unwrap().fit(&rows).unwrap();
    assert_eq!(other.clusters(), model.clusters());
    let far = Vectors::from_rows(&[[0.0], [0.1], [90.0], [90.1]]).unwrap();
    let apart =
        SpectralClustering::params(kernel("gaussian(gamma=1)"), 2).check().unwrap().fit(&far).unwrap();
    assert_eq!(apart.clusters(), [0, 0, 1, 1]);
    assert!(apart.fit().values.iter().all(|value| (value - 1.0).abs() < 1e-12));
    let few = SpectralClustering::params(kernel("linear"), 5).check().unwrap().fit(&far);
    assert!(matches!(few, Err(Error::Shape { expected: 5, found: 4, .. })));
    let negative = Vectors::from_rows(&[[1.0], [-5.0]]).unwrap();
    let refused = SpectralClustering::params(kernel("linear"), 1).check().unwrap().fit(&negative);
    assert!(matches!(refused, Err(Error::Entry { index: 0, .. })));
}

#[test]
fn a_network_of_one_bump_per_row_is_ridge_regression() {
    // As many bumps as rows, all of them equally wide: the network is Σ wᵢ exp(…) + b by other means.
    let points: Vec<[f64; 1]> = (0..8).map(|i| [f64::from(i)]).collect();
    let rows = Vectors::from_rows(&points).unwrap();
    let targets = Matrix::from_fn(8, 1, |i, _| (i as f64).sin());
    let model = RbfNetwork::params(8).lambda(1e-9).check().unwrap().fit(&rows, &targets, None).unwrap();
    assert_eq!(model.widths(), [1.0; 8]);
    let found = model.predict(&rows).unwrap();
    assert!(found.iter().zip(targets.values()).all(|(a, b)| (a - b).abs() < 1e-5));
    // Fewer: the normal equations hold, residuals are orthogonal to all bumps and to the constant.
    let model = RbfNetwork::params(3).lambda(0.0).check().unwrap().fit(&rows, &targets, None).unwrap();
    let (found, bumps) = (model.predict(&rows).unwrap(), model.bumps(&rows).unwrap());
    let left: Vec<f64> = found.iter().zip(targets.values()).map(|(a, b)| b - a).collect();
    assert!(left.iter().sum::<f64>().abs() < 1e-9);
    for c in 0..3 {
        assert!((0..8).map(|i| left[i] * bumps[(i, c)]).sum::<f64>().abs() < 1e-9);
    }
    // Each width is the spread of a cluster about its mean.
    let (rows, labels) = small_set("iris.csv");
    let model = RbfNetwork::params(12).check().unwrap().fit_classes(&rows, &labels, None).unwrap();
    let right = model.predict_labels(&rows).unwrap();
    let right = (0..150).filter(|&i| right[i] == labels.text(i)).count();
    assert!(right >= 130, "{right}");
    assert!(model.predict(&Vectors::from_rows(&[[0.0]]).unwrap()).is_err());
    assert!(matches!(RbfNetwork::params(0).check(), Err(Error::Parameter { name: "units", .. })));
    let wrong = RbfNetwork::params(2).check().unwrap().fit(&rows, &Matrix::zeros(3, 1), None);
    assert!(matches!(wrong, Err(Error::Shape { expected: 150, found: 3, .. })));
}

#[test]
fn the_error_of_a_reduced_set_is_the_one_that_is_stated() {
    let (rows, labels) = small_set("iris.csv");
    let targets =
        Matrix::from_fn(150, 2, |i, o| f64::from(labels.codes()[i]) * (o as f64 + 1.0) + (i % 3) as f64);
    let machine = Ridge::params(kernel("gaussian(gamma=0.4)")).lambda(0.1).offset(true).check().unwrap();
    let model = machine.fit_many(&rows, &targets, None).unwrap();
    let mut before = [f64::INFINITY; 2];
    for count in [1, 5, 20, 60, 150] {
        let small = ReducedSet::of(model.kept(), model.functions(), count).unwrap();
        assert!(small.chosen.len() <= count);
        let (exact, about) = (model.predict(&rows).unwrap(), small.predict(&rows).unwrap());
        for o in 0..2 {
            // k(x, x) = 1.
            let worst = (0..150).map(|i| (exact[2 * i + o] - about[2 * i + o]).abs()).fold(0.0, f64::max);
            assert!(worst <= small.errors[o] + 1e-7, "{count}: {worst} {}", small.errors[o]);
            assert!(small.errors[o] <= before[o] + 1e-9 && small.errors[o] <= small.norms[o] + 1e-9);
            before[o] = small.errors[o];
        }
    }
    // All of them: nothing is lost.
    assert!(before[0] < 1e-4 * 10.0, "{before:?}");
    // Against one choice after another by hand: the first item is the one whose projection takes most.
    let small = ReducedSet::of(model.kept(), model.functions(), 1).unwrap();
    let offsets = model.functions().offsets.clone();
    let exact = model.predict(&rows).unwrap();
    let gain = |i: usize| (0..2).map(|o| (exact[2 * i + o] - offsets[o]).powi(2)).sum::<f64>();
    assert!((0..150).all(|i| gain(i) <= gain(small.chosen[0]) + 1e-9));
    assert!(matches!(
        ReducedSet::of(model.kept(), model.functions(), 0),
        Err(Error::Parameter { name: "count", .. })
    ));
}

#[test]
fn the_slab_takes_what_is_beside_the_plane() {
    let mut random = Random::new(6);
    let points: Vec<[f64; 3]> =
        (0..200).map(|_| [random.normal(), random.normal(), 0.05 * random.normal()]).collect();
    let rows = Vectors::from_rows(&points).unwrap();
    let model = SphereAndSlab::params(kernel("linear")).components(2).outside(0.1).check().unwrap();
    let model = model.fit(&rows).unwrap();
    let outside = model.is_novel(&rows).unwrap().iter().filter(|novel| **novel).count();
    assert!((5..=22).contains(&outside), "{outside}");
    // The thickness is the quantile of squared distances from the plane, of which 5 % are beyond.
    let errors = model.plane().reconstruction_errors(&rows).unwrap();
    assert_eq!(errors.iter().filter(|e| **e > model.thickness()).count(), 10);
    let beside = Vectors::from_rows(&[[0.0, 0.0, 0.5], [0.1, 0.1, 0.0], [9.0, 0.0, 0.0]]).unwrap();
    assert_eq!(model.is_novel(&beside).unwrap(), [true, false, true]);
    // The sphere alone takes the first for known.
    assert_eq!(model.sphere().is_novel(&beside).unwrap(), [false, false, true]);
    assert!(matches!(
        SphereAndSlab::params(kernel("linear")).outside(1.0).check(),
        Err(Error::Parameter { name: "outside", .. })
    ));
}

#[test]
fn losses_have_the_derivatives_and_conjugates_that_they_say() {
    let grid: Vec<f64> = (-4000..=4000).map(|i| f64::from(i) / 200.0).collect();
    for loss in LossFunction::ALL {
        loss.check().unwrap();
        for &z in grid.iter().step_by(37) {
            let h = 1e-6;
            let (left, right) =
                ((loss.value(z) - loss.value(z - h)) / h, (loss.value(z + h) - loss.value(z)) / h);
            let d = loss.derivative(z);
            // Where both sides agree there is no corner and no step.
            if (left - right).abs() < 1e-4 * left.abs().max(1.0) {
                assert!((d - right).abs() < 1e-4 * d.abs().max(1.0), "{} at {z}", loss.name());
            }
        }
        for s in [-3.0, -1.0, -0.7, -0.5, -0.2, 0.0, 0.3, 0.5, 0.9, 1.0, 2.0] {
            let sup = grid.iter().map(|z| s * z - loss.value(*z)).fold(f64::NEG_INFINITY, f64::max);
            let found = loss.conjugate(s);
            match found.is_finite() {
                // The grid is fine enough, and wide enough but for what only the far ends reach.
                true => {
                    assert!(sup <= found + 1e-9 && found - sup < 0.01, "{} {s}: {found} {sup}", loss.name())
                }
                // Larger where the grid is wider: at its end.
                false => {
                    let end = |z: f64| s * z - loss.value(z);
                    let most = end(-20.0).max(end(20.0));
                    assert!(sup == most || end(-40.0).max(end(40.0)) > sup, "{} {s}", loss.name());
                }
            }
        }
    }
    for (wrong, name) in [
        (LossFunction::Insensitive { tube: -1.0 }, "tube"),
        (LossFunction::Huber { width: 0.0 }, "width"),
        (LossFunction::Pinball { level: 1.0 }, "level"),
    ] {
        assert!(matches!(wrong.check(), Err(Error::Parameter { name: found, .. }) if found == name));
    }
}

#[test]
fn spectral_clusters_of_a_narrow_kernel_are_found() {
    // Each item is like itself alone: all eigenvalues are near 1, and no search tells them apart.
    let mut random = Random::new(8);
    let rows: Vec<[f64; 8]> = (0..260).map(|_| std::array::from_fn(|_| random.normal())).collect();
    let rows = Vectors::from_rows(&rows).unwrap();
    let params = SpectralClustering::params("gaussian(gamma=1)".parse::<Expression>().unwrap(), 8);
    let model = params.check().unwrap().fit(&rows).unwrap();
    let values = &model.fit().values;
    assert!((values[0] - 1.0).abs() < 1e-9 && values.windows(2).all(|pair| pair[0] >= pair[1]), "{values:?}");
}
