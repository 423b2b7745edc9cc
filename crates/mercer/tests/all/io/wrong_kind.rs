//! Items of one kind given to a kernel or a model of another: the error names both.

use mercer::data::{Collection, ItemKind, Items, Labels, Vectors};
use mercer::gram::{BulkKernel, CollectionKernel, Plan};
use mercer::io::{MatrixModel, Model, ModelCard, ModelFormat, TrainedMachine};
use mercer::kernel::StructureExpression;
use mercer::linalg::Matrix;
use mercer::machine::{LinearSvc, LinearSvr, Novelty, RbfNetwork, Ridge, Svc, Svr};
use mercer_testkit::structures::{items, target};

fn labels(count: usize) -> Labels {
    Labels::from_text((0..count).map(|i| target(i).0))
}

/// A kernel on each kind of item.
const KERNELS: [(ItemKind, &str); 7] = [
    (ItemKind::Rows, "gaussian(gamma=0.5)"),
    (ItemKind::Rows, "clipped(sigmoid(gamma=0.5))"),
    (ItemKind::Strings, "spectrum(k=2)"),
    (ItemKind::Trees, "subset_tree(decay=0.4)"),
    (ItemKind::Graphs, "wl(h=1)"),
    (ItemKind::Series, "clipped(dtw(gamma=0.1))"),
    (
        ItemKind::Records,
        "column(\"age\", gaussian) + column(\"job\", equality) + column(\"note\", bag_of_words)",
    ),
];

fn refusal<T>(result: mercer::Result<T>) -> String {
    result.err().expect("items of another kind").to_string()
}

#[test]
fn a_kernel_and_the_items_are_named() {
    let plan = Plan::new().unwrap();
    for (kind, text) in KERNELS {
        let expression: StructureExpression = text.parse().unwrap();
        let own = items(kind, 8);
        let kernel = CollectionKernel::new(expression).unwrap().resolve(&own, None).unwrap();
        let layout = kernel.layout(&own, &plan).unwrap();
        for other in ItemKind::ALL.into_iter().filter(|other| *other != kind) {
            let expected = format!("the kernel compares {kind}, and the items are {other}");
            let others = items(other, 8);
            assert_eq!(kernel.expression().kind(), kind);
            assert_eq!(refusal(text.parse::<CollectionKernel>().unwrap().resolve(&others, None)), expected);
            assert_eq!(refusal(kernel.resolve(&others, None)), expected);
            assert_eq!(refusal(kernel.layout(&others, &plan)), expected);
            assert_eq!(refusal(kernel.symmetric(&others, &layout, &plan)), expected);
            assert_eq!(refusal(kernel.cross(&own, &others, &layout, &plan)), expected);
            assert_eq!(refusal(kernel.cross(&others, &own, &layout, &plan)), expected);
            let expression = kernel.expression();
            assert_eq!(refusal(expression.learn(&others, None)), expected);
            assert_eq!(refusal(expression.eval(own.get(0), others.get(1))), expected);
            assert_eq!(refusal(expression.eval(others.get(0), own.get(1))), expected);
            assert_eq!(refusal(expression.eval_diagonal(others.get(0))), expected);
            let machine = Svc::params(text.parse::<CollectionKernel>().unwrap()).check().unwrap();
            assert_eq!(refusal(machine.fit(&others, &labels(8))), expected);
            let error = refusal(own.clone().followed_by(others));
            assert_eq!(error, format!("{kind} and {other} are items of different kinds"));
        }
    }
}

/// Machines of every kind with this kernel.
fn machines(text: &str, own: &Collection<'static>) -> Vec<TrainedMachine> {
    let kernel = || text.parse::<CollectionKernel>().unwrap();
    let numbers: Vec<f64> = (0..own.len()).map(|i| target(i).1).collect();
    let ridge = Ridge::params(kernel()).check().unwrap().fit(own, &numbers).unwrap();
    vec![
        Svc::params(kernel()).check().unwrap().fit(own, &labels(own.len())).unwrap().into(),
        Svr::params(kernel()).check().unwrap().fit(own, &numbers).unwrap().into(),
        Novelty::params(kernel()).check().unwrap().fit(own).unwrap().into(),
        MatrixModel::from(ridge).into(),
    ]
}

fn asked(machine: &TrainedMachine, items: &Collection<'_>) -> mercer::Result<Vec<f64>> {
    match machine {
        TrainedMachine::Svc(model) => model.decision_values(items),
        TrainedMachine::Svr(model) => model.predict(items),
        TrainedMachine::Novelty(model) => model.scores(items),
        TrainedMachine::Matrix(model) => model.values(items),
        other => other.class_scores(items),
    }
}

#[test]
fn a_model_and_the_items_are_named() {
    for (kind, text) in KERNELS {
        let own = items(kind, 8);
        for machine in machines(text, &own) {
            let saved = Model::new(machine, None, ModelCard::of_items(&own));
            let loaded = Model::from_bytes(&saved.to_bytes(ModelFormat::Binary)).unwrap();
            for model in [saved, loaded] {
                assert_eq!(model.machine.item_kind(), kind);
                assert!(asked(&model.machine, &model.prepare(&own).unwrap()).is_ok());
                for other in ItemKind::ALL.into_iter().filter(|other| *other != kind) {
                    let others = items(other, 1);
                    let expected = format!("the model is one of {kind}, and the items are {other}");
                    assert_eq!(refusal(model.prepare(&others)), expected);
                    // Who does not ask whether they fit is told by the kernel.
                    let expected = format!("the kernel compares {kind}, and the items are {other}");
                    assert_eq!(refusal(asked(&model.machine, &others)), expected, "{text}");
                    if !matches!(model.machine, TrainedMachine::Matrix(_)) {
                        assert_eq!(refusal(model.machine.explain(&others)), expected, "{text}");
                    }
                }
            }
        }
    }
}

#[test]
fn a_machine_of_rows_alone_says_what_it_needs() {
    let own = items(ItemKind::Rows, 12);
    let rows: &Vectors<'_> = own.rows().unwrap();
    let numbers: Vec<f64> = (0..12).map(|i| target(i).1).collect();
    let linear = LinearSvc::params().check().unwrap().fit(rows, &labels(12)).unwrap();
    let regression = LinearSvr::params().check().unwrap().fit(rows, &numbers).unwrap();
    let column = Matrix::new(numbers, 12, 1).unwrap();
    let network = RbfNetwork::params(3).check().unwrap().fit(rows, &column, None).unwrap();
    let words = items(ItemKind::Strings, 3);
    let told = "needs rows of numbers, and the items are strings";
    assert_eq!(refusal(TrainedMachine::from(linear.clone()).class_scores(&words)), told);
    assert_eq!(refusal(words.rows()), told);
    assert_eq!(refusal(words.clone().into_rows()), told);
    let network: TrainedMachine = MatrixModel::from(network).into();
    assert_eq!(
        refusal(asked(&network, &words)),
        "the kernel compares rows of numbers, and the items are strings"
    );
    for machine in [linear.into(), regression.into(), network] {
        let model = Model::new(machine, None, ModelCard::of_items(&own));
        let error = refusal(model.prepare(&words));
        assert_eq!(error, "the model is one of rows of numbers, and the items are strings");
        assert!(model.prepare(&own).is_ok());
    }
}
