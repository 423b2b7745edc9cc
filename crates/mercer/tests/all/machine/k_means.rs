//! Kernel k-means: against k-means on the rows themselves, and what it promises.

use mercer::Error;
use mercer::data::{Items, Random, Vectors};
use mercer::gram::{Pairwise, PrecomputedGram};
use mercer::kernel::Expression;
use mercer::machine::{KernelKMeans, KernelKMeansParams, RowKMeans};
use mercer::resources::Workers;

fn machine(kernel: &str, clusters: usize) -> KernelKMeansParams<Expression> {
    KernelKMeans::params(kernel.parse().unwrap(), clusters)
}

fn cloud(n: usize) -> Vec<[f64; 2]> {
    let mut random = Random::new(8);
    (0..n).map(|i| [random.normal() + 4.0 * (i % 3) as f64, random.normal()]).collect()
}

/// Σ of squared distances from the means of clusters, by the definition.
fn sum_of_squares(rows: &[[f64; 2]], clusters: &[usize], k: usize) -> f64 {
    (0..k)
        .map(|c| {
            let members: Vec<&[f64; 2]> =
                rows.iter().zip(clusters).filter(|(_, d)| **d == c).map(|(r, _)| r).collect();
            let size = members.len() as f64;
            let mean = [0, 1].map(|j| members.iter().map(|m| m[j]).sum::<f64>() / size);
            members.iter().map(|m| (m[0] - mean[0]).powi(2) + (m[1] - mean[1]).powi(2)).sum::<f64>()
        })
        .sum()
}

#[test]
fn with_a_linear_kernel_it_is_k_means() {
    let points = cloud(90);
    let rows = Vectors::from_rows(&points).unwrap();
    let model = machine("linear", 3).check().unwrap().fit(&rows).unwrap();
    let fit = model.fit();
    assert!((fit.inertia - sum_of_squares(&points, &fit.clusters, 3)).abs() < 1e-8);
    assert!(fit.converged && fit.sizes.iter().sum::<usize>() == 90);
    // The sum of squares never grows, and at the end every item is with the nearest mean.
    assert!(fit.history.windows(2).all(|pair| pair[1] <= pair[0] + 1e-9), "{:?}", fit.history);
    assert_eq!(model.predict(&rows).unwrap(), fit.clusters);
    // No single move makes it better.
    for i in 0..90 {
        for c in 0..3 {
            let mut moved = fit.clusters.clone();
            moved[i] = c;
            assert!(sum_of_squares(&points, &moved, 3) > fit.inertia - 1e-6, "{i} {c}");
        }
    }
    // Clusters are numbered by their first items, so that the seed cannot be seen in the answer.
    let other = machine("linear", 3).seed(77).check().unwrap().fit(&rows).unwrap();
    assert_eq!(other.fit().clusters, fit.clusters);
    // Without the memory for K the answer is the same.
    let small = machine("linear", 3).memory(1000).check().unwrap().fit(&rows).unwrap();
    assert_eq!(small.fit().clusters, fit.clusters);
}

#[test]
fn rings_are_told_apart_where_lines_cannot() {
    let ring = |i: usize| if i.is_multiple_of(2) { 1.0 } else { 4.0 };
    let points: Vec<[f64; 2]> = (0..120)
        .map(|i| (i as f64 * 0.41).sin_cos())
        .enumerate()
        .map(|(i, (s, c))| [ring(i) * s, ring(i) * c])
        .collect();
    let rows = Vectors::from_rows(&points).unwrap();
    let expected: Vec<usize> = (0..120).map(|i| i % 2).collect();
    // The squared radius is a feature of this kernel.
    let radius = Pairwise::<_, [f64; 2]>::new(|x: &[f64; 2], z: &[f64; 2]| {
        (x[0] * x[0] + x[1] * x[1]) * (z[0] * z[0] + z[1] * z[1])
    });
    let model = KernelKMeans::params(radius, 2).check().unwrap().fit(&points).unwrap();
    assert_eq!(model.fit().clusters, expected);
    assert_eq!(model.predict(&vec![[0.5, 0.0], [9.0, 0.0]]).unwrap(), [0, 1]);
    assert_ne!(machine("linear", 2).check().unwrap().fit(&rows).unwrap().fit().clusters, expected);
}

#[test]
fn no_cluster_is_empty() {
    // Four different rows, most of them many times, and as many clusters: the start often puts two centres on one.
    let points: Vec<[f64; 2]> = (0..40).map(|i| if i < 37 { [0.0, 0.0] } else { [i as f64, 1.0] }).collect();
    for seed in 0..20 {
        let machine = machine("linear", 4).restarts(0).seed(seed).check().unwrap();
        let fit = machine.fit(&Vectors::from_rows(&points).unwrap()).unwrap().fit().clone();
        assert!(fit.sizes.iter().all(|size| *size > 0), "{seed}: {:?}", fit.sizes);
    }
    // All rows the same: they are divided somehow, and nothing is left over.
    let same = Vectors::from_rows(&[[1.0, 1.0]; 5]).unwrap();
    let fit = machine("gaussian(gamma=1)", 3).check().unwrap().fit(&same).unwrap().fit().clone();
    assert!(fit.inertia < 1e-12 && fit.sizes.iter().all(|size| *size > 0));
}

#[test]
fn the_same_bits_for_any_number_of_threads() {
    let rows = Vectors::from_rows(&cloud(700)).unwrap();
    let fit = |threads| {
        machine("gaussian(gamma=0.2)", 4).threads(threads).check().unwrap().fit(&rows).unwrap().fit().clone()
    };
    assert!(fit(1) == fit(3));
}

#[test]
fn bad_input_is_refused_by_name() {
    let rows = Vectors::from_rows(&cloud(3)).unwrap();
    assert!(matches!(machine("linear", 0).check(), Err(Error::Parameter { name: "clusters", .. })));
    assert!(matches!(
        machine("linear", 2).max_rounds(0).check(),
        Err(Error::Parameter { name: "max_rounds", .. })
    ));
    let few = machine("linear", 4).check().unwrap().fit(&rows);
    assert!(matches!(few, Err(Error::Shape { expected: 4, found: 3, .. })));
    let none = machine("linear", 1).check().unwrap().fit(&rows.select(&[]));
    assert!(matches!(none, Err(Error::Shape { expected: 1, found: 0, .. })));
    let gram = PrecomputedGram::symmetric(vec![1.0, 0.0, 0.0, 1.0], 2).unwrap();
    let fit = KernelKMeans::params((), 2).check().unwrap().fit_gram(&gram, None).unwrap();
    assert_eq!((fit.clusters, fit.inertia), (vec![0, 1], 0.0));
}

#[test]
fn rows_in_their_own_space_are_clustered_as_by_the_linear_kernel() {
    let points = cloud(300);
    let dense = Vectors::from_rows(&points).unwrap();
    for clusters in [1, 3, 7, 20] {
        let by_kernel = machine("linear", clusters).seed(5).check().unwrap().fit(&dense).unwrap();
        let k_means = RowKMeans { clusters, restarts: 9, max_rounds: 300, tolerance: 0.0, seed: 5 };
        let found = k_means.fit(&dense, None, &Workers::serial()).unwrap();
        assert_eq!(found.clusters, by_kernel.fit().clusters, "{clusters}");
        assert_eq!(found.sizes, by_kernel.fit().sizes);
        assert!((found.inertia - sum_of_squares(&points, &found.clusters, clusters)).abs() < 1e-8);
        assert_eq!(found, k_means.fit(&dense, None, &Workers::new(3)).unwrap());
    }
    let few = RowKMeans { clusters: 4, restarts: 0, max_rounds: 10, tolerance: 0.0, seed: 0 };
    // Equal rows: no cluster is empty all the same.
    let equal = Vectors::from_rows(&[[1.0], [1.0], [1.0], [1.0]]).unwrap();
    let found = few.fit(&equal, None, &Workers::serial()).unwrap();
    assert_eq!((found.sizes, found.inertia), (vec![1; 4], 0.0));
    let three = Vectors::from_rows(&[[1.0], [2.0], [3.0]]).unwrap();
    assert!(matches!(
        few.fit(&three, None, &Workers::serial()),
        Err(Error::Shape { expected: 4, found: 3, .. })
    ));
}

#[test]
fn a_tolerance_ends_the_rounds_of_many_rows_with_means_that_are_nearly_as_good() {
    let mut random = Random::new(2);
    let rows: Vec<Vec<f64>> = (0..6000).map(|_| (0..6).map(|_| random.normal()).collect()).collect();
    let rows = Vectors::from_rows(&rows).unwrap();
    let fit = |tolerance, max_rounds| {
        let k_means = RowKMeans { clusters: 20, restarts: 0, max_rounds, tolerance, seed: 3 };
        k_means.fit(&rows, None, &Workers::new(2)).unwrap()
    };
    let (exact, near) = (fit(0.0, 1000), fit(3e-4, 1000));
    assert!(exact.converged && near.converged);
    assert!(near.inertia < 1.02 * exact.inertia, "{} and {}", near.inertia, exact.inertia);
    // Until nothing moves it takes more than twice the rounds.
    let few = (1..).find(|&rounds| fit(3e-4, rounds).converged).unwrap();
    assert!(!fit(0.0, 2 * few).converged, "{few}");
    // In other units: the same rounds.
    let dense: Vec<Vec<f64>> =
        (0..rows.len()).map(|i| rows.get(i).to_dense(6).iter().map(|v| 1024.0 * v).collect()).collect();
    let k_means = RowKMeans { clusters: 20, restarts: 0, max_rounds: few, tolerance: 3e-4, seed: 3 };
    let scaled = k_means.fit(&Vectors::from_rows(&dense).unwrap(), None, &Workers::new(2)).unwrap();
    assert!(scaled.converged && scaled.clusters == near.clusters);
}
