//! Machines that factorise K under strain: rows that stand twice, a constant kernel, an indefinite matrix, more components than the rank,
//! and somebody who ends the work. Every one has an answer of finite numbers, or says what is wrong.

use mercer::data::{Labels, Random};
use mercer::gram::{PrecomputedGram, SymmetricGram};
use mercer::linalg::{Cholesky, Matrix, Mended, Mending, SymmetricEigen};
use mercer::machine::{
    BayesPointMachine, FisherDiscriminant, Functions, KernelCca, KernelKMeans, KernelPca, KernelPls,
    LaplaceClassifier, MatrixOptions, OrdinalSvm, RankSvm, RelevanceMachine, Ridge, SpectralClustering,
    TwoSampleTest,
};
use mercer::resources::{Interrupt, Workers};
use mercer::{Error, Result};

const N: usize = 24;

/// All that a machine found.
fn numbers(functions: &Functions) -> Vec<f64> {
    functions.coefficients.iter().chain(&functions.offsets).copied().collect()
}

/// What every machine makes of a matrix, with more components and clusters than many matrices have.
fn outcomes(gram: &dyn SymmetricGram, options: &MatrixOptions) -> Vec<(&'static str, Result<Vec<f64>>)> {
    let n = gram.shape().0;
    let one: Vec<f64> = (0..n).map(|i| (i as f64).sin()).collect();
    let column = Matrix::new(one.clone(), n, 1).unwrap();
    let levels: Vec<f64> = (0..n).map(|i| (i % 3) as f64).collect();
    let labels = Labels::from_text((0..n).map(|i| ["a", "b"][(i / 2) % 2]));
    let o = || options.clone();
    vec![
        (
            "ridge",
            Ridge::params(())
                .lambda(0.0)
                .options(o())
                .check()
                .and_then(|machine| Ok(numbers(&machine.fit_gram(gram, &column, None)?.functions))),
        ),
        (
            "ridge with an offset",
            Ridge::params(())
                .lambda(0.1)
                .offset(true)
                .options(o())
                .check()
                .and_then(|machine| Ok(numbers(&machine.fit_gram(gram, &column, None)?.functions))),
        ),
        (
            "path",
            Ridge::params(()).offset(true).options(o()).check().and_then(|machine| {
                let path = machine.path(gram, &column, None, &[0.01, 1.0])?;
                Ok(path.points().iter().flat_map(|point| numbers(&point.functions)).collect())
            }),
        ),
        (
            "pca",
            KernelPca::params(())
                .components(7)
                .options(o())
                .check()
                .and_then(|machine| Ok(numbers(&machine.fit_gram(gram)?.functions))),
        ),
        (
            "cca",
            KernelCca::params().components(9).options(o()).check().and_then(|machine| {
                Ok(machine
                    .fit_grams(&[gram, gram])?
                    .views
                    .iter()
                    .flat_map(|v| numbers(&v.functions))
                    .collect())
            }),
        ),
        (
            "pls",
            KernelPls::params(())
                .components(9)
                .options(o())
                .check()
                .and_then(|machine| Ok(numbers(&machine.fit_gram(gram, &column)?.0))),
        ),
        (
            "fisher",
            FisherDiscriminant::params(())
                .options(o())
                .check()
                .and_then(|machine| Ok(numbers(&machine.fit_gram(gram, &labels, None)?.2.functions))),
        ),
        (
            "k-means",
            KernelKMeans::params((), 5)
                .options(o())
                .check()
                .and_then(|machine| Ok(numbers(&machine.fit_gram(gram, None)?.functions))),
        ),
        (
            "spectral",
            SpectralClustering::params((), 5)
                .options(o())
                .check()
                .and_then(|machine| Ok(numbers(&machine.fit_gram(gram)?.functions))),
        ),
        (
            "rank",
            RankSvm::params(())
                .options(o())
                .check()
                .and_then(|machine| Ok(numbers(&machine.fit_gram(gram, &one, None, None)?.1))),
        ),
        (
            "ordinal",
            OrdinalSvm::params(())
                .options(o())
                .check()
                .and_then(|machine| Ok(numbers(&machine.fit_gram(gram, &levels, None)?.1))),
        ),
        (
            "rvm",
            RelevanceMachine::params(())
                .options(o())
                .check()
                .and_then(|machine| Ok(numbers(&machine.fit_gram(gram, &one, None)?.0))),
        ),
        (
            "rvm of classes",
            RelevanceMachine::params(())
                .options(o())
                .check()
                .and_then(|machine| Ok(numbers(&machine.fit_gram_classes(gram, &labels, None)?.0))),
        ),
        (
            "bayes point",
            BayesPointMachine::params(())
                .perceptrons(4)
                .softness(1.0)
                .options(o())
                .check()
                .and_then(|machine| Ok(numbers(&machine.fit_gram(gram, &labels)?.0))),
        ),
    ]
}

/// Inner products of rows that stand there twice, in three columns.
fn twice() -> Vec<f64> {
    let mut random = Random::new(3);
    let rows: Vec<[f64; 3]> =
        (0..N / 2).map(|_| [random.normal(), random.normal(), random.normal()]).collect();
    let of = |i: usize| rows[i / 2];
    (0..N * N).map(|at| of(at / N).iter().zip(of(at % N)).map(|(a, b)| a * b).sum()).collect()
}

/// A matrix with eigenvalues of both signs.
fn indefinite() -> Vec<f64> {
    let mut random = Random::new(4);
    let mut values = vec![0.0; N * N];
    for i in 0..N {
        for j in 0..=i {
            let value = random.normal();
            (values[i * N + j], values[j * N + i]) = (value, value);
        }
    }
    values
}

#[test]
fn singular_constant_and_indefinite_matrices_have_an_answer_or_an_error() {
    let options = MatrixOptions { threads: 1, ..MatrixOptions::default() };
    for (case, values) in [
        ("rows twice", twice()),
        ("constant", vec![1.0; N * N]),
        ("zero", vec![0.0; N * N]),
        ("indefinite", indefinite()),
    ] {
        let gram = PrecomputedGram::symmetric(values, N).unwrap();
        for (machine, outcome) in outcomes(&gram, &options) {
            match outcome {
                Ok(numbers) => assert!(numbers.iter().all(|v| v.is_finite()), "{machine}, {case}"),
                Err(
                    Error::Pivot { .. }
                    | Error::Undefined { .. }
                    | Error::Entry { .. }
                    | Error::Unsupported { .. },
                ) if case != "rows twice" || machine == "spectral" => {}
                Err(Error::Indefinite { .. }) if case == "indefinite" => {}
                Err(error) => panic!("{machine}, {case}: {error}"),
            }
        }
    }
}

#[test]
fn what_is_added_to_a_singular_matrix_is_told() {
    let gram = PrecomputedGram::symmetric(twice(), N).unwrap();
    let targets = Matrix::from_fn(N, 1, |i, _| (i / 2) as f64);
    let fit = Ridge::params(()).lambda(0.0).check().unwrap().fit_gram(&gram, &targets, None).unwrap();
    assert!(fit.report.jitter > 0.0 && fit.report.jitter < 1e-4, "{}", fit.report.jitter);
    // Three columns have three components, however many are asked for.
    let components = KernelPca::params(()).components(20).check().unwrap().fit_gram(&gram).unwrap();
    assert_eq!(components.values.len(), 3);
    let constant = PrecomputedGram::symmetric(vec![1.0; N * N], N).unwrap();
    assert_eq!(KernelPca::params(()).check().unwrap().fit_gram(&constant).unwrap().values.len(), 0);
    // All that a constant kernel can say is the mean.
    let machine = Ridge::params(()).lambda(0.1).offset(true).check().unwrap();
    let fit = machine.fit_gram(&constant, &targets, None).unwrap();
    let said = fit.functions.offsets[0] + fit.functions.coefficients.iter().sum::<f64>();
    assert!((said - 5.5).abs() < 1e-6, "{said}");
    let refused = Ridge::params(()).lambda(0.1).check().unwrap().fit_gram(
        &PrecomputedGram::symmetric(indefinite(), N).unwrap(),
        &targets,
        None,
    );
    assert!(matches!(refused, Err(Error::Pivot { .. })));
}

#[test]
fn two_samples_and_processes_of_classes_stand_equal_items() {
    let rows: Vec<[f64; 2]> = (0..20).map(|i| [f64::from(i / 4), 1.0]).collect();
    let rows = mercer::data::Vectors::from_rows(&rows).unwrap();
    let kernel: mercer::kernel::Expression = "gaussian(gamma=1)".parse().unwrap();
    let labels = Labels::from_text((0..20).map(|i| ["a", "b"][i % 2]));
    let model = LaplaceClassifier::params(kernel).check().unwrap().fit(&rows, &labels).unwrap();
    // Each point is of both classes as often.
    let found = model.probabilities(&rows).unwrap();
    assert!(found.values().iter().all(|p| (p - 0.5).abs() < 1e-6), "{:?}", found.values());
    let constant = PrecomputedGram::symmetric(vec![2.0; 36], 6).unwrap();
    let test = TwoSampleTest::of_gram(&constant, 3, 99, 0, &MatrixOptions::default()).unwrap();
    assert!(test.statistic.abs() < 1e-12 && test.p_value == 1.0, "{test:?}");
}

#[test]
fn who_ends_the_work_gets_no_model() {
    let interrupt = Interrupt::new();
    interrupt.raise();
    let options =
        MatrixOptions { threads: 2, interrupt: Some(interrupt.clone()), ..MatrixOptions::default() };
    // Large enough that the work is cut into pieces.
    let n = 600;
    let matrix = Matrix::from_fn(n, n, |i, j| if i == j { 2.0 } else { 1.0 / (1 + i.abs_diff(j)) as f64 });
    let workers = Workers::new(2).ended_by(Some(&interrupt));
    assert!(matches!(Cholesky::in_place(matrix.clone(), &workers), Err(Error::Interrupted)));
    assert!(matches!(Cholesky::with_jitter(matrix.clone(), &workers), Err(Error::Interrupted)));
    assert!(matches!(SymmetricEigen::heard(matrix.clone(), &workers), Err(Error::Interrupted)));
    assert!(matches!(matrix.times(&matrix, &workers), Err(Error::Interrupted)));
    for mending in [Mending::Clip, Mending::Shift] {
        let mended = interrupt.scope(|| Mended::new(&matrix, mending));
        assert!(matches!(mended, Err(Error::Interrupted)));
    }
    let gram = interrupt.scope(|| PrecomputedGram::symmetric(matrix.values(), n));
    assert!(matches!(gram, Err(Error::Interrupted)));
    let factor = Cholesky::new(&matrix).unwrap();
    assert!(matches!(factor.inverse(&workers), Err(Error::Interrupted)));
    assert!(matches!(factor.inverse_diagonal(&workers), Err(Error::Interrupted)));
    assert!(matches!(factor.solve_rows(&mut matrix.clone(), &workers), Err(Error::Interrupted)));
    let gram = PrecomputedGram::symmetric(matrix.into_values(), n).unwrap();
    for (machine, outcome) in outcomes(&gram, &options) {
        // The others do nothing that takes long between two looks at K.
        let factorises = ["ridge", "ridge with an offset", "path", "pca", "cca", "spectral"];
        if factorises.contains(&machine) {
            assert!(matches!(outcome, Err(Error::Interrupted)), "{machine}: {outcome:?}");
        }
    }
}
