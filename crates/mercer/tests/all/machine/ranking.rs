//! Ranking and levels: against sums over pairs that are written down, and against their own conditions of optimality.

use mercer::Error;
use mercer::data::{Random, Vectors};
use mercer::evaluation::{kendall_tau, mean_average_precision, ndcg};
use mercer::gram::PrecomputedGram;
use mercer::kernel::{Expression, Kernel};
use mercer::machine::{OrdinalSvm, Preferences, RankSvm, RankSvmParams};

fn machine(kernel: &str) -> RankSvmParams<Expression> {
    RankSvm::params(kernel.parse().unwrap())
}

/// Rows of some queries, whose relevance is a curved function of them and of the query.
fn queries(seed: u64, n: usize) -> (Vectors<'static>, Vec<f64>, Vec<u64>) {
    let mut random = Random::new(seed);
    let points: Vec<[f64; 2]> = (0..n).map(|_| [random.normal(), random.normal()]).collect();
    let queries: Vec<u64> = (0..n).map(|i| (i % 4) as u64).collect();
    let relevance = points
        .iter()
        .zip(&queries)
        .map(|(p, q)| (2.0 + p[0] * p[0] - p[1] + 3.0 * *q as f64 + 0.2 * random.normal()).floor());
    (Vectors::from_rows(&points).unwrap(), relevance.collect(), queries)
}

/// ½‖w‖² + C Σ over pairs, with every pair written down.
fn objective(gram: &[f64], beta: &[f64], cost: f64, y: &[f64], q: &[u64]) -> f64 {
    let n = y.len();
    let f: Vec<f64> = (0..n).map(|i| (0..n).map(|j| gram[i * n + j] * beta[j]).sum()).collect();
    let size: f64 = f.iter().zip(beta).map(|(f, b)| f * b).sum();
    let mut loss = 0.0;
    for i in 0..n {
        for j in (0..n).filter(|&j| q[i] == q[j] && y[i] > y[j]) {
            loss += (1.0 - f[i] + f[j]).max(0.0).powi(2);
        }
    }
    0.5 * size + cost * loss
}

#[test]
fn no_other_function_has_a_lower_objective() {
    let (rows, relevance, queries) = queries(3, 60);
    let kernel: Expression = "gaussian(gamma=0.5)".parse().unwrap();
    let model = machine("gaussian(gamma=0.5)").cost(0.7).tolerance(1e-9).check().unwrap();
    let model = model.fit(&rows, &relevance, Some(&queries)).unwrap();
    let report = model.report();
    assert!(report.converged && report.left_out < 1e-11);
    let n = 60;
    use mercer::data::Items;
    let gram: Vec<f64> = (0..n * n).map(|at| kernel.eval(&rows.get(at / n), &rows.get(at % n))).collect();
    // The model keeps its pivots: coefficients of all items, about the mean of the items as the machine has them.
    let mut beta = vec![0.0; n];
    let f = model.predict(&rows).unwrap();
    let gram_again = PrecomputedGram::symmetric(gram.clone(), n).unwrap();
    let again = machine("linear").cost(0.7).tolerance(1e-9).check().unwrap();
    let (pivots, functions, by_gram) = again.fit_gram(&gram_again, &relevance, Some(&queries), None).unwrap();
    pivots.iter().zip(&functions.coefficients).for_each(|(&p, b)| beta[p] = *b);
    assert!((by_gram.objective - report.objective).abs() < 1e-9 * report.objective);
    // Against the mean: ‖w‖ is measured about it, so that Σ β = 0 can be had at no cost; f differs by a constant only.
    let shift = beta.iter().sum::<f64>() / n as f64;
    beta.iter_mut().for_each(|b| *b -= shift);
    let centred: Vec<f64> = {
        let mean: Vec<f64> = (0..n).map(|i| gram[i * n..][..n].iter().sum::<f64>() / n as f64).collect();
        let all = mean.iter().sum::<f64>() / n as f64;
        (0..n * n).map(|at| gram[at] - mean[at / n] - mean[at % n] + all).collect()
    };
    let expected = objective(&centred, &beta, 0.7, &relevance, &queries);
    assert!((expected - report.objective).abs() < 1e-6 * expected, "{expected} {}", report.objective);
    let mut random = Random::new(1);
    for size in [1e-3, 1e-2, 0.1, 1.0] {
        for _ in 0..20 {
            let other: Vec<f64> = beta.iter().map(|b| b + size * random.normal()).collect();
            let found = objective(&centred, &other, 0.7, &relevance, &queries);
            assert!(found > report.objective - report.gap - 1e-9, "{size}");
        }
    }
    // Pairs counted one by one.
    let (mut pairs, mut swapped) = (0, 0);
    for i in 0..n {
        for j in (0..n).filter(|&j| queries[i] == queries[j] && relevance[i] > relevance[j]) {
            pairs += 1;
            swapped += u64::from(f[i] <= f[j]);
        }
    }
    assert_eq!((report.pairs, report.swapped), (pairs, swapped));
    assert!(swapped * 5 < pairs, "{swapped} of {pairs}");
}

#[test]
fn pairs_are_counted_without_being_written_down() {
    let mut random = Random::new(4);
    for n in [1usize, 2, 7, 40] {
        // Few different values, so that there are ties in both.
        let targets: Vec<f64> = (0..n).map(|_| random.below(4) as f64).collect();
        let values: Vec<f64> = (0..n).map(|_| random.below(5) as f64 * 0.5).collect();
        let queries: Vec<u64> = (0..n).map(|_| random.below(3) as u64).collect();
        let (mut pairs, mut swapped) = (0, 0);
        for i in 0..n {
            for j in (0..n).filter(|&j| queries[i] == queries[j] && targets[i] > targets[j]) {
                pairs += 1;
                swapped += u64::from(values[i] <= values[j]);
            }
        }
        match Preferences::new(&targets, Some(&queries)) {
            Ok(found) => assert_eq!((found.pairs(), found.swapped(&values)), (pairs, swapped)),
            Err(Error::Undefined { .. }) => assert_eq!(pairs, 0),
            Err(error) => panic!("{error}"),
        }
    }
}

#[test]
fn levels_are_told_apart_by_thresholds_that_do_not_fall() {
    let mut random = Random::new(9);
    let points: Vec<[f64; 2]> = (0..120).map(|_| [random.normal(), random.normal()]).collect();
    let level = |p: &[f64; 2]| (1.5 * (p[0] * p[0] + p[1])).floor().clamp(-1.0, 3.0);
    let levels: Vec<f64> = points.iter().map(level).collect();
    let rows = Vectors::from_rows(&points).unwrap();
    let kernel: Expression = "gaussian(gamma=0.3)".parse().unwrap();
    let machine = OrdinalSvm::params(kernel).cost(20.0).tolerance(1e-8).check().unwrap();
    let model = machine.fit(&rows, &levels).unwrap();
    let report = model.report();
    assert!(report.converged);
    assert!(report.thresholds.windows(2).all(|pair| pair[0] <= pair[1]), "{:?}", report.thresholds);
    let found = model.levels(&rows).unwrap();
    let right = found.iter().zip(&levels).filter(|(a, b)| a == b).count();
    assert!(right > 100, "{right}");
    // Each threshold is where the squared slacks of both sides pull alike.
    let f = model.predict(&rows).unwrap();
    for (k, b) in report.thresholds.iter().enumerate() {
        let pull: f64 = f
            .iter()
            .zip(&levels)
            .map(|(f, y)| match *y <= report.levels[k] {
                true => (1.0 - (b - f)).max(0.0),
                false => -(1.0 - (f - b)).max(0.0),
            })
            .sum();
        assert!(pull.abs() < 1e-4, "{k}: {pull}");
    }
}

#[test]
fn metrics_of_orders_follow_their_definitions() {
    // Two queries, cut after one place.
    let scores = [0.9, 0.1, 0.5, 0.3];
    let relevance = [0.0, 1.0, 2.0, 3.0];
    let queries = [1, 1, 2, 2];
    assert_eq!(ndcg(&scores, &relevance, Some(&queries), Some(1)).unwrap(), Some(0.5 * (0.0 + 3.0 / 7.0)));
    // Two items share two places: each has the mean gain.
    let tied = ndcg(&[1.0, 1.0], &[1.0, 0.0], None, None).unwrap().unwrap();
    assert!((tied - 0.5 * (1.0 + 1.0 / 3f64.log2())).abs() < 1e-12);
    assert_eq!(ndcg(&[1.0], &[0.0], None, None).unwrap(), None);
    let both = mean_average_precision(&scores, &[0.0, 1.0, 1.0, 0.0], Some(&queries)).unwrap();
    assert_eq!(both, Some(0.75));
    // Against pairs counted one by one, with ties.
    let mut random = Random::new(2);
    for n in [2usize, 9, 50] {
        let a: Vec<f64> = (0..n).map(|_| random.below(6) as f64).collect();
        let b: Vec<f64> = (0..n).map(|_| random.below(6) as f64).collect();
        let (mut sum, mut of_a, mut of_b) = (0.0, 0.0f64, 0.0f64);
        for i in 0..n {
            for j in 0..i {
                let (x, y) = (a[i] - a[j], b[i] - b[j]);
                sum += if x * y == 0.0 { 0.0 } else { (x * y).signum() };
                of_a += f64::from(u8::from(x != 0.0));
                of_b += f64::from(u8::from(y != 0.0));
            }
        }
        let found = kendall_tau(&a, &b, None).unwrap();
        match of_a * of_b > 0.0 {
            true => assert!((found.unwrap() - sum / (of_a * of_b).sqrt()).abs() < 1e-12),
            false => assert_eq!(found, None),
        }
    }
    assert!(matches!(ndcg(&[1.0], &[-1.0], None, None), Err(Error::Entry { what: "relevance", .. })));
    assert!(matches!(ndcg(&[1.0], &[1.0, 2.0], None, None), Err(Error::Shape { .. })));
    assert!(matches!(kendall_tau(&[f64::NAN], &[0.0], None), Err(Error::Entry { what: "score", .. })));
}

#[test]
fn bad_input_is_refused_by_name() {
    let rows = Vectors::from_rows(&[[0.0], [1.0]]).unwrap();
    let fit = |y: &[f64], q: Option<&[u64]>| machine("linear").check().unwrap().fit(&rows, y, q).map(|_| ());
    assert!(matches!(fit(&[1.0, 1.0], None), Err(Error::Undefined { .. })));
    assert!(matches!(fit(&[1.0, 2.0], Some(&[1, 2])), Err(Error::Undefined { .. })));
    assert!(matches!(fit(&[1.0, f64::NAN], None), Err(Error::Entry { what: "target", index: 1, .. })));
    assert!(matches!(fit(&[1.0, 2.0, 3.0], None), Err(Error::Shape { .. })));
    assert!(matches!(fit(&[1.0, 2.0], Some(&[1])), Err(Error::Shape { .. })));
    assert!(matches!(machine("linear").cost(0.0).check(), Err(Error::Parameter { name: "cost", .. })));
    assert!(matches!(machine("linear").rank(0).check(), Err(Error::Parameter { name: "rank", .. })));
    let tight = machine("linear").memory(10).check().unwrap().fit(&rows, &[0.0, 1.0], None);
    assert!(matches!(tight, Err(Error::Budget { .. })));
    let levels = OrdinalSvm::params("linear".parse::<Expression>().unwrap()).check().unwrap();
    assert!(matches!(levels.fit(&rows, &[1.0, 1.0]), Err(Error::OneClass { .. })));
    assert!(matches!(levels.fit(&rows, &[1.0]), Err(Error::Shape { .. })));
}

#[test]
fn levels_ask_the_memory_for_their_slacks() {
    let rows = Vectors::from_rows(&(0..200).map(|i| [f64::from(i)]).collect::<Vec<_>>()).unwrap();
    let fit = |levels: usize, memory: u64| {
        let machine = OrdinalSvm::params("linear".parse::<Expression>().unwrap()).max_steps(2).memory(memory);
        let levels: Vec<f64> = (0..200).map(|i| (i % levels) as f64).collect();
        machine.check().unwrap().fit(&rows, &levels).map(|_| ())
    };
    // Coordinates of 200 dimensions; and for each of 199 thresholds but one two slacks of every item.
    let (coordinates, slacks) = (24 * 200 * 200, 2 * 8 * 200 * 198);
    assert!(fit(2, coordinates).is_ok());
    assert!(fit(200, coordinates + slacks).is_ok());
    for memory in [slacks - 1, coordinates + slacks - 1] {
        assert!(matches!(fit(200, memory), Err(Error::Budget { .. })), "{memory}");
    }
}

#[test]
fn the_duality_gap_of_levels_is_a_bound_and_small_at_the_end() {
    let (rows, relevance, _) = queries(6, 150);
    for (kernel, cost) in
        [("linear", 1.0), ("linear", 1e4), ("gaussian(gamma=0.3)", 1.0), ("gaussian(gamma=0.3)", 1e4)]
    {
        let kernel: Expression = kernel.parse().unwrap();
        let fit = |tolerance: f64, steps: usize| {
            let machine = OrdinalSvm::params(kernel.clone()).cost(cost).tolerance(tolerance).max_steps(steps);
            machine.check().unwrap().fit(&rows, &relevance).unwrap()
        };
        let (usual, exact) = (fit(1e-6, 200), fit(1e-10, 2000));
        let (usual, exact) = (usual.report(), exact.report());
        let gap = usual.gap.unwrap();
        assert!(usual.converged && gap <= 1e-6 * usual.objective, "{kernel} {cost}: {usual:?}");
        assert!(usual.objective - exact.objective <= gap + 1e-12 * usual.objective, "{usual:?} {exact:?}");
        // What is not finished says by how much at most.
        let early = fit(1e-6, 1);
        let early = early.report();
        assert!(!early.converged && early.objective - exact.objective <= early.gap.unwrap(), "{early:?}");
    }
}
