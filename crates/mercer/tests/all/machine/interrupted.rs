//! Work in the scope of an interrupt that is raised ends without a result, whatever it is.

use mercer::data::{Labels, Vectors};
use mercer::evaluation::insight::{SuspectOptions, prototypes, suspects};
use mercer::gram::PrecomputedGram;
use mercer::kernel::Expression;
use mercer::linalg::Matrix;
use mercer::machine::online::{Answer, Online, PassLimits, RowMemory, Rule, Several};
use mercer::machine::{KernelKMeans, KernelPca, LinearSvc, RbfNetwork, ReducedSet, Ridge, Svc};
use mercer::resources::{Interrupt, Workers};
use mercer::{Error, Result};

const N: usize = 60;

fn kernel() -> Expression {
    "gaussian(gamma=0.5)".parse().unwrap()
}

fn rows() -> Vectors<'static> {
    let row = |i: usize| [(i as f64 * 0.7).sin(), (i as f64 * 1.3).cos()];
    Vectors::from_rows(&(0..N).map(row).collect::<Vec<_>>()).unwrap()
}

fn labels() -> Labels {
    Labels::from_text((0..N).map(|i| if (i as f64 * 0.7).sin() > 0.0 { "above" } else { "below" }))
}

/// Whether work comes to its end outside of the scope of an interrupt and is interrupted in it, and in no scope that has ended.
fn hears<T>(what: &str, work: impl Fn() -> Result<T>) {
    let interrupt = Interrupt::new();
    assert!(work().is_ok(), "{what}");
    assert!(interrupt.scope(&work).is_ok(), "{what}");
    interrupt.raise();
    let is_interrupted = |error: &Error| match error {
        Error::Interrupted => true,
        Error::Item { source, .. } => matches!(**source, Error::Interrupted),
        _ => false,
    };
    let found = interrupt.scope(&work).err();
    assert!(found.as_ref().is_some_and(is_interrupted), "{what}: {found:?}");
    assert!(work().is_ok(), "{what}");
}

#[test]
fn every_long_loop_hears_of_the_interrupt_in_whose_scope_it_is() {
    let (rows, labels) = (rows(), labels());
    let targets = Matrix::from_fn(N, 1, |i, _| (i as f64 * 0.7).sin());
    let truths: Vec<Answer> = labels.codes().iter().map(|&code| Answer::Class(code as usize)).collect();
    let views: Vec<_> = (0..N).map(|row| mercer::data::Items::get(&rows, row)).collect();
    let perceptron = || {
        Several::of_classes(labels.classes().to_vec(), || {
            Online::params(RowMemory::new(kernel())?, Rule::Perceptron).check()
        })
    };
    let svc = Svc::params(kernel()).check().unwrap().fit(&rows, &labels).unwrap();
    let ridge = Ridge::params(kernel()).lambda(0.1).check().unwrap().fit(&rows, targets.values()).unwrap();
    let gram: Vec<f64> = (0..N * N).map(|at| if at / N == at % N { 2.0 } else { 1.0 }).collect();
    let gram = PrecomputedGram::symmetric(gram, N).unwrap();

    hears("a support vector machine", || Svc::params(kernel()).check()?.fit(&rows, &labels));
    hears("a linear machine", || LinearSvc::params().check()?.fit(&rows, &labels));
    hears("decision values", || svc.decision_values(&rows));
    hears("values of a ridge", || ridge.predict(&rows));
    hears("passes of a perceptron", || perceptron()?.fit(&views, &truths, &PassLimits::default()));
    hears("k-means", || KernelKMeans::params(kernel(), 3).check()?.fit(&rows));
    hears("k-means of a matrix", || KernelKMeans::params((), 3).check()?.fit_gram(&gram, None));
    hears("components", || KernelPca::params(kernel()).components(2).check()?.fit(&rows));
    hears("a network", || RbfNetwork::params(5).check()?.fit(&rows, &targets, None));
    hears("a reduced set", || ReducedSet::of(ridge.kept(), ridge.functions(), 10));
    hears("prototypes", || prototypes(&kernel(), &rows, 5));
    hears("suspects", || {
        suspects(&Svc::params(kernel()).check()?, &rows, &labels, &SuspectOptions::default())
    });
}

#[test]
fn scopes_are_nested_and_end_with_a_panic() {
    let (outer, inner) = (Interrupt::new(), Interrupt::new());
    assert_eq!(Interrupt::current(), None);
    outer.scope(|| {
        assert_eq!(Interrupt::current().as_ref(), Some(&outer));
        inner.scope(|| assert_eq!(Interrupt::current().as_ref(), Some(&inner)));
        let panicked = std::panic::catch_unwind(|| inner.scope::<()>(|| panic!("on purpose")));
        assert!(panicked.is_err());
        assert_eq!(Interrupt::current().as_ref(), Some(&outer));
        assert_eq!(Workers::serial().interrupt(), Some(&outer));
    });
    assert_eq!(Interrupt::current(), None);
    assert_eq!(Workers::serial().interrupt(), None);
}
