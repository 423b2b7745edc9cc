//! Every machine meets every kind of item: strings, trees, graphs, series, records, sparse and dense rows.

use mercer::data::{Collection, Graph, ItemKind, Items, Labels, Series, Sparse, Vectors};
use mercer::gram::{BulkKernel, CollectionKernel};
use mercer::kernel::{Expression, Kernel as _};
use mercer::machine::{
    FitOptions, Joint, JointSvc, Loss, Novelty, Region, Slack, Softness, Svc, SvcParams, Svr,
};
use mercer::solver::Status;
use mercer_testkit::structures::{items_for, target};

use super::other_machines::{learn_on_line, matrix_machines};

/// What a machine says about new items, to the bit; that it is solved has been checked.
pub type Told = Vec<u64>;

pub fn bits(values: Vec<f64>) -> Told {
    assert!(values.iter().all(|value| value.is_finite()), "{values:?}");
    values.into_iter().map(f64::to_bits).collect()
}

/// All machines, by name, trained on the same items.
fn all_machines<K, I>(kernel: &K, old: &I, new: &I, threads: usize) -> Vec<(&'static str, Told)>
where
    I: Items<Owned = I>,
    K: BulkKernel<I>,
{
    let labels = Labels::from_text((0..old.len()).map(|i| target(i).0));
    let numbers: Vec<f64> = (0..old.len()).map(|i| target(i).1).collect();
    let options = FitOptions { threads, ..FitOptions::default() };
    let svc = |change: fn(SvcParams<K>) -> SvcParams<K>| {
        let machine = change(Svc::params(kernel.clone()).cost(2.0).options(options.clone()));
        let model = machine.check().unwrap().fit(old, &labels).unwrap();
        assert_eq!(model.status(), Some(Status::Converged));
        bits(model.decision_values(new).unwrap())
    };
    let rest = {
        let machine = Svc::params(kernel.clone()).options(options.clone()).check().unwrap();
        let watch = |_: &_| mercer::solver::Control::Continue;
        let model = machine.fit_one_against_rest(old, &labels, None, None, &watch).unwrap();
        assert_eq!(model.status(), Some(Status::Converged));
        bits(model.scores(new).unwrap())
    };
    let joint = |joint: Joint| {
        let machine = JointSvc::params(kernel.clone()).machine(joint).options(options.clone());
        let model = machine.check().unwrap().fit(old, &labels).unwrap();
        assert_eq!(model.status(), Some(Status::Converged));
        bits(model.scores(new).unwrap())
    };
    let svr = |loss: Loss| {
        let machine = Svr::params(kernel.clone()).loss(loss).options(options.clone()).check().unwrap();
        let model = machine.fit(old, &numbers).unwrap();
        assert_eq!(model.report().unwrap().status, Status::Converged);
        bits(model.predict(new).unwrap())
    };
    let region = |region: Region| {
        let machine = Novelty::params(kernel.clone()).region(region).softness(Softness::Nu(0.3));
        let model = machine.options(options.clone()).check().unwrap().fit(old).unwrap();
        bits(model.scores(new).unwrap())
    };
    let mut told = vec![
        ("linear slack", svc(|machine| machine)),
        ("quadratic slack", svc(|machine| machine.slack(Slack::Quadratic))),
        ("nu", svc(|machine| machine.slack(Slack::Nu { nu: 0.3 }))),
        ("one against rest", rest),
        ("Weston & Watkins", joint(Joint::WestonWatkins)),
        ("Crammer & Singer", joint(Joint::CrammerSinger)),
        ("tube", svr(Loss::Linear { tube: 0.05 })),
        ("Huber", svr(Loss::Huber { width: 0.1 })),
        ("nu-regression", svr(Loss::Nu { nu: 0.4 })),
        ("half-space", region(Region::Hyperplane)),
        ("sphere", region(Region::Sphere)),
        ("mean", region(Region::Centre)),
    ];
    told.extend(matrix_machines(kernel, old, new, threads));
    told
}

#[test]
fn every_machine_meets_every_kind_of_item_with_any_number_of_threads() {
    for (kind, kernel) in [
        (ItemKind::Rows, "gaussian(gamma=scale) + centre(linear)"),
        (ItemKind::Rows, "clipped(sigmoid(gamma=0.5))"),
        (ItemKind::Strings, "normalised(spectrum(k=2))"),
        (ItemKind::Strings, "normalised(bag_of_words(tfidf=true, n=3, unit=characters))"),
        (ItemKind::Trees, "normalised(subset_tree(decay=0.4))"),
        (ItemKind::Graphs, "normalised(wl(h=2)) + normalised(shortest_path)"),
        (ItemKind::Series, "global_alignment(sigma=median)"),
        (ItemKind::Records, "column(\"age\", gaussian) + column(\"job\", equality)"),
    ] {
        let kernel: CollectionKernel = kernel.parse().unwrap();
        let all = items_for(kernel.expression(), 26);
        assert_eq!(all.kind(), kind);
        let (old, new) = (all.select(&(0..20).collect::<Vec<_>>()), all.select(&[20, 21, 22, 23, 24, 25]));
        let one = all_machines(&kernel, &old, &new, 1);
        assert_eq!(one.len(), 28);
        for ((name, first), (_, second)) in one.iter().zip(all_machines(&kernel, &old, &new, 3)) {
            assert_eq!(*first, second, "{kernel}, {name}");
        }
        let learned = kernel.expression().learn(&old, None).unwrap();
        let n = all.len();
        // Two items alone do not decide a value of a kernel that is clipped.
        if learned.mending().is_none() {
            learn_on_line(move |a, b| learned.eval(all.get(a), all.get(b)).unwrap(), (20, n));
        }
    }
}

#[test]
fn the_same_machines_meet_dense_and_sparse_rows() {
    let rows: Vec<[f64; 2]> =
        (0..26).map(|i| [target(i).1, if i % 2 == 0 { 0.0 } else { 1.0 + i as f64 / 30.0 }]).collect();
    let dense = Vectors::from_rows(&rows).unwrap();
    let (mut ends, mut columns, mut values) = (vec![0], Vec::new(), Vec::new());
    for row in &rows {
        for (column, &value) in row.iter().enumerate().filter(|(_, value)| **value != 0.0) {
            columns.push(column as u32);
            values.push(value);
        }
        ends.push(values.len());
    }
    let sparse = Vectors::from(Sparse::from_parts(ends, columns, values, 2).unwrap());
    let kernel: Expression = "gaussian(gamma=0.5)".parse().unwrap();
    for all in [dense, sparse] {
        let (old, new) = (all.select(&(0..20).collect::<Vec<_>>()), all.select(&[20, 21, 22, 23, 24, 25]));
        for ((name, first), (_, second)) in
            all_machines(&kernel, &old, &new, 1).iter().zip(all_machines(&kernel, &old, &new, 3))
        {
            assert_eq!(*first, second, "{name}");
        }
        let kernel = kernel.clone();
        learn_on_line(move |a, b| kernel.eval(&all.get(a), &all.get(b)), (20, 26));
    }
}

#[test]
fn odd_items_have_a_value_or_a_clear_error() {
    let labels = Labels::from_text(["a", "b", "a", "b"]);
    let machine = |kernel: &str| Svc::params(kernel.parse::<CollectionKernel>().unwrap()).check().unwrap();
    let strings = |all: [&str; 4]| Collection::Strings(all.map(String::from).to_vec());
    // Empty strings have no parts in common with any; symbols that training has not seen count nothing.
    let model =
        machine("normalised(mismatch(k=2, m=1))").fit(&strings(["abab", "", "aab", "bbb"]), &labels).unwrap();
    let said = model.decision_values(&strings(["", "xyz", "ab", "é"])).unwrap();
    assert_eq!(said[0], said[1]);
    assert!(said.iter().all(|value| value.is_finite()));
    // One node, no labels, no nodes at all.
    let graph = |nodes: usize, edges: &[(usize, usize)]| Graph::undirected(nodes, edges).unwrap();
    let graphs =
        Collection::Graphs(vec![graph(1, &[]), graph(3, &[(0, 1)]), graph(0, &[]), graph(2, &[(0, 1)])]);
    for kernel in [
        "normalised(wl(h=2))",
        "normalised(shortest_path)",
        "normalised(graphlets(k=3))",
        "wl_assignment(h=1)",
    ] {
        let model = machine(kernel).fit(&graphs, &labels).unwrap_or_else(|error| panic!("{kernel}: {error}"));
        assert!(model.decision_values(&graphs).unwrap().iter().all(|value| value.is_finite()), "{kernel}");
    }
    // Series of any lengths, but of as many channels.
    let series = |channels: usize, length: usize| {
        Series::new((0..channels * length).map(|i| (i as f64).sin()).collect(), channels).unwrap()
    };
    let ragged = Collection::Series(vec![series(2, 1), series(2, 9), series(2, 4), series(2, 30)]);
    let model = machine("global_alignment(sigma=1)").fit(&ragged, &labels).unwrap();
    assert!(model.decision_values(&ragged).unwrap().iter().all(|value| value.is_finite()));
    let error = model.decision_values(&Collection::Series(vec![series(2, 3), series(3, 3)])).unwrap_err();
    assert!(error.to_string().contains("item 1") && error.to_string().contains("channels"), "{error}");
    let error = model.decision_values(&strings(["a", "b", "c", "d"])).unwrap_err();
    assert_eq!(error.to_string(), "the kernel compares time series, and the items are strings");
}
