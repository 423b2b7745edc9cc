//! Kernels on trees against lists of the pieces that they count.

use mercer::data::{Tree, TreeFormat, parse_trees};
use mercer::gram::{BulkKernel, Pairwise, Plan};
use mercer::kernel::tree::{PartialTree, SubsetTree, Subtree};
use mercer::kernel::{DigestKernel, FeatureMap, Kernel, Normalised, inner_product};
use mercer_testkit::random::Random;
use mercer_testkit::{laws, trees};

fn tree(text: &str) -> Tree {
    text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn random_trees(seed: u64, count: usize, nodes: usize) -> Vec<Tree> {
    let mut random = Random::new(seed);
    (0..count).map(|i| trees::random_tree(&mut random, nodes, 1 + i % 4)).collect()
}

fn assert_near(found: f64, expected: f64, what: impl std::fmt::Display) {
    assert!(
        (found - expected).abs() <= 1e-12 * expected.abs().max(1.0),
        "{what}: {found} instead of {expected}"
    );
}

#[test]
fn values_worked_out_by_hand() {
    let (x, z) = (tree("(S (NP (D a) (N b)) (VP v))"), tree("(S (NP (D a) (N c)) (VP v))"));
    // (NP D N), (D a), (NP (D a) N), (VP v); and (S NP VP) with 1 + 2 + … : NP in 1 + Δ = 1 + (1 + 1) = 3 ways, VP in 2.
    assert_eq!(SubsetTree::new(1.0).unwrap().eval(&x, &z), 2.0 + 1.0 + 1.0 + 6.0);
    // Collins and Duffy's recursion, bottom up: D ½, VP ½, NP ½ · 1½, S ½ · 1¾ · 1½.
    let half = SubsetTree::new(0.5).unwrap();
    assert_eq!(half.eval(&x, &z), 0.5 + 0.5 + 0.75 + 0.5 * 1.75 * 1.5);
    assert_eq!(Subtree::new(1.0).unwrap().eval(&x, &z), 4.0);
    assert_eq!(Subtree::new(1.0).unwrap().at_least(2).eval(&x, &z), 2.0);
    assert_eq!(Subtree::new(1.0).unwrap().at_least(3).eval(&x, &z), 0.0);
    // The same node twice: leaves b count μλ² each, and (a b b) with (a b) in two ways.
    let (x, z) = (tree("(a b b)"), tree("(a b)"));
    let (l, m): (f64, f64) = (0.5, 0.25);
    let leaf = m * l * l;
    let expected = 2.0 * leaf + m * (l * l + 2.0 * l * l * leaf);
    assert_near(PartialTree::new(l, m).unwrap().eval(&x, &z), expected, "(a b b)");
    // A gap: d = 3 on one side, 2 on the other.
    let (x, z) = (tree("(a b x c)"), tree("(a b c)"));
    let expected = 2.0 * leaf + m * (l * l + 2.0 * l * l * leaf + l.powi(5) * leaf * leaf);
    assert_near(PartialTree::new(l, m).unwrap().eval(&x, &z), expected, "a gap");
}

#[test]
fn trees_of_one_node() {
    let (a, also, b, more) = (tree("(a)"), tree("(a)"), tree("(b)"), tree("(c (a d))"));
    let (subtree, subset) = (Subtree::new(0.25).unwrap(), SubsetTree::new(0.5).unwrap());
    let partial = PartialTree::new(0.5, 0.5).unwrap();
    assert_eq!((subtree.eval(&a, &also), subtree.eval(&a, &b), subtree.eval(&a, &more)), (0.25, 0.0, 0.0));
    assert_eq!((subset.eval(&a, &also), subset.eval(&a, &more), subset.eval_diagonal(&a)), (0.0, 0.0, 0.0));
    assert_eq!((partial.eval(&a, &also), partial.eval(&a, &b), partial.eval(&a, &more)), (0.125, 0.0, 0.125));
    let normalised = Normalised::new(subset);
    assert_eq!(
        (normalised.eval(&a, &more), normalised.eval_diagonal(&a), normalised.eval_diagonal(&more)),
        (0.0, 0.0, 1.0)
    );
}

#[test]
fn labels_are_not_mixed_up() {
    // The same letters cut into labels in another way.
    let subset = SubsetTree::new(1.0).unwrap();
    assert_eq!(subset.eval(&tree("(a b c)"), &tree("(a bc)")), 0.0);
    assert_eq!(subset.eval(&tree("(a b\\ c)"), &tree("(a b c)")), 0.0);
    assert_eq!(subset.eval(&tree("(ab c)"), &tree("(a bc)")), 0.0);
    let subtree = Subtree::new(1.0).unwrap();
    assert_eq!(subtree.eval(&tree("(a b c)"), &tree("(a b\\ c)")), 0.0);
    // A leaf without a label, and one that stands in brackets because its parent has none.
    assert_eq!(subtree.eval(&tree("( (a) b)"), &tree("(c a b ())")), 2.0);
}

#[test]
fn kernels_count_what_a_list_holds() {
    let all = random_trees(5, 40, 9);
    for (decay, mu) in [(1.0, 1.0), (0.4, 0.7), (0.9, 0.3)] {
        let (subtree, subset) = (Subtree::new(decay).unwrap(), SubsetTree::new(decay).unwrap());
        let partial = PartialTree::new(decay, mu).unwrap();
        let lists: Vec<[trees::Pieces; 3]> = all
            .iter()
            .map(|tree| {
                [
                    trees::complete_subtrees(tree, decay),
                    trees::fragments(tree, decay),
                    trees::partial_trees(tree, decay, mu),
                ]
            })
            .collect();
        for (x, of_x) in all.iter().zip(&lists) {
            for (z, of_z) in all.iter().zip(&lists) {
                let found = [subtree.eval(x, z), subset.eval(x, z), partial.eval(x, z)];
                for (kind, found) in found.into_iter().enumerate() {
                    assert_near(
                        found,
                        trees::in_common(&of_x[kind], &of_z[kind]),
                        format!("{kind}: {x} {z}"),
                    );
                }
            }
        }
    }
}

#[test]
fn kernels_obey_the_laws() {
    let mut all = random_trees(11, 20, 40);
    all.push(tree("(a)"));
    all.push(all[3].clone());
    laws::all_on_items("subtree", &Subtree::new(0.7).unwrap(), &all);
    laws::all_on_items("subset tree", &SubsetTree::new(0.3).unwrap(), &all);
    laws::all_on_items("partial tree", &PartialTree::new(0.4, 0.3).unwrap(), &all);
    laws::all_on_items("normalised subtree", &Normalised::new(Subtree::new(0.7).unwrap()), &all);
    laws::all_on_items("normalised subset tree", &Normalised::new(SubsetTree::new(0.3).unwrap()), &all);
    laws::all_on_items(
        "normalised partial tree",
        &Normalised::new(PartialTree::new(0.4, 0.3).unwrap()),
        &all,
    );
}

#[test]
fn a_normalised_kernel_is_the_same_by_features_and_by_digests() {
    let all = random_trees(3, 12, 12);
    let by_features = Normalised::new(Subtree::new(0.7).unwrap());
    let by_digests = Normalised::new(SubsetTree::new(0.7).unwrap());
    for x in &all {
        for z in &all {
            let found = inner_product(by_features.features(x).unwrap(), by_features.features(z).unwrap());
            assert_near(found, by_features.eval(x, z), "features");
            let (a, b) = (by_digests.digest(x).unwrap(), by_digests.digest(z).unwrap());
            assert_near(by_digests.compare(&a, &b), by_digests.eval(x, z), "digests");
        }
        let own = by_digests.digest(x).unwrap();
        assert_eq!(by_digests.compare_self(&own), by_digests.eval_diagonal(x));
    }
}

#[test]
fn wrong_parameters_are_refused() {
    for wrong in [0.0, -0.5, 1.5, f64::NAN] {
        let said = "expected a number above 0, at most 1";
        for error in [
            Subtree::new(wrong).unwrap_err(),
            SubsetTree::new(wrong).unwrap_err(),
            PartialTree::new(wrong, 0.5).unwrap_err(),
        ] {
            assert!(
                error.to_string().starts_with("decay = ") && error.to_string().ends_with(said),
                "{error}"
            );
        }
        assert!(PartialTree::new(0.5, wrong).unwrap_err().to_string().starts_with("depth_decay = "));
    }
    assert!(serde_json::from_str::<SubsetTree>(r#"{"decay":2.0}"#).is_err());
    assert!(serde_json::from_str::<PartialTree>(r#"{"decay":0.5,"depth_decay":0.0}"#).is_err());
}

#[test]
fn kernels_survive_json() {
    let (x, z) = (tree("(S (NP (D a) (N b)) (VP v))"), tree("(S (NP (D a) (N c)) (VP v))"));
    let kernel = Normalised::new(PartialTree::new(0.4, 0.3).unwrap());
    let json = serde_json::to_string(&kernel).unwrap();
    let read: Normalised<PartialTree> = serde_json::from_str(&json).unwrap();
    assert_eq!(read, kernel);
    assert_eq!(read.eval(&x, &z), kernel.eval(&x, &z));
    let kernel = Subtree::new(0.4).unwrap().at_least(2);
    assert_eq!(serde_json::from_str::<Subtree>(&serde_json::to_string(&kernel).unwrap()).unwrap(), kernel);
}

#[test]
fn deep_and_wide_trees() {
    let chain =
        |productions: usize| tree(&format!("{}x{}", "(a ".repeat(productions), ")".repeat(productions)));
    let subset = SubsetTree::new(0.5).unwrap();
    // Only the last production has a word: of nodes above it Δ = ½ (1 + Δ of the next), which is 0 where one chain has
    // come to its end and the other not.
    let deltas = |n: usize, m: usize| {
        let delta = |i: usize, j: usize| {
            let common = i.min(j) as i32;
            if i == j { 1.0 - 0.5f64.powi(common) } else { 1.0 - 0.5f64.powi(common - 1) }
        };
        (1..=n).flat_map(|i| (1..=m).map(move |j| delta(i, j))).sum::<f64>()
    };
    for (n, m) in [(1, 1), (3, 5), (2_000, 1_500)] {
        assert_near(subset.eval(&chain(n), &chain(m)), deltas(n, m), format!("{n} {m}"));
    }
    let wide = tree(&format!("(a {})", "b ".repeat(3_000)));
    assert!(PartialTree::new(0.5, 0.5).unwrap().eval(&wide, &wide).is_finite());
    // Without a decay the number of fragments outgrows a double; a Gram matrix says so.
    let plain = Pairwise::<_, Tree>::new(PartialTree::new(1.0, 1.0).unwrap());
    let (items, plan) = (vec![wide], Plan::new().unwrap());
    let error = plain.symmetric(&items, &plain.layout(&items, &plan).unwrap(), &plan);
    assert_eq!(error.err().map(|e| e.to_string()).as_deref(), Some("kernel value of items 0 and 0 is inf"));
    // More pairs than memory is set aside for.
    let chain = chain(20_000);
    let error = subset.try_eval(&chain, &chain).unwrap_err().to_string();
    assert!(error.starts_with("comparing all nodes of a tree needs 3199"), "{error}");
    let error = Subtree::new(0.5).unwrap().try_eval(&chain, &chain).unwrap_err().to_string();
    assert!(error.starts_with("the list of the subtrees of a deep tree needs"), "{error}");
}

#[test]
fn movie_reviews() {
    let Some(folder) = std::env::var_os("MERCER_DATA") else {
        eprintln!("skipped: MERCER_DATA is not set");
        return;
    };
    let path = std::path::Path::new(&folder).join("sst_trees/sst_dev.ptb.gz");
    let all = mercer::data::read_trees(path, TreeFormat::Brackets).unwrap();
    assert_eq!(all.len(), 1101);
    let some: Vec<Tree> = all.into_iter().step_by(40).collect();
    // The lists of fragments of sentences would be endless, those of complete subtrees are not.
    let subtree = Subtree::new(0.8).unwrap();
    for (x, z) in some.iter().zip(&some[1..]) {
        let (of_x, of_z) = (trees::complete_subtrees(x, 0.8), trees::complete_subtrees(z, 0.8));
        assert_near(subtree.eval(x, z), trees::in_common(&of_x, &of_z), "subtree");
    }
    laws::all_on_items("subset tree", &Normalised::new(SubsetTree::new(0.4).unwrap()), &some);
    laws::all_on_items("partial tree", &Normalised::new(PartialTree::new(0.4, 0.4).unwrap()), &some);
    let again =
        parse_trees(&mercer::data::format_trees(&some, TreeFormat::Brackets), TreeFormat::Brackets).unwrap();
    assert_eq!(again, some);
}
