//! Kernels on time series: against all alignments one by one, closed forms, the laws, and their refusals.

use mercer::Error;
use mercer::data::{Labels, Series};
use mercer::gram::Pairwise;
use mercer::kernel::series::{Autocorrelation, Comparison, DynamicTimeWarping, GlobalAlignment, Width};
use mercer::kernel::{Definiteness, DigestKernel, Kernel, Verdict, check_mercer};
use mercer::linalg::{Matrix, Mended, Mending, symmetric_eigenvalues};
use mercer::machine::Svc;
use mercer_testkit::alignments;
use mercer_testkit::laws;
use mercer_testkit::random::Random;

/// Random walks of the given lengths.
fn walks(lengths: &[usize], channels: usize, seed: u64) -> Vec<Series> {
    let mut random = Random::new(seed);
    lengths
        .iter()
        .map(|&length| {
            let mut point = vec![0.0; channels];
            let mut values = Vec::new();
            for _ in 0..length {
                point.iter_mut().for_each(|v| *v += random.normal());
                values.extend_from_slice(&point);
            }
            Series::new(values, channels).unwrap()
        })
        .collect()
}

fn univariate(values: &[f64]) -> Series {
    Series::univariate(values.to_vec()).unwrap()
}

/// Views of items for the laws, which see kernels on `&Series`.
fn by_reference<K: Kernel<Series>>(kernel: &K) -> impl Kernel<&Series> {
    move |x: &&Series, z: &&Series| kernel.eval(x, z)
}

const LENGTHS: [usize; 12] = [1, 1, 2, 3, 3, 4, 5, 5, 6, 7, 7, 4];

#[test]
fn global_alignment_sums_over_all_alignments() {
    for channels in [1, 3] {
        let series = walks(&LENGTHS, channels, 5);
        for band in [None, Some(0.5), Some(1.0), Some(1.5), Some(2.0), Some(3.7), Some(50.0)] {
            let mut kernel = GlobalAlignment::sigma(1.3).unwrap();
            if let Some(band) = band {
                kernel = kernel.band(band).unwrap();
            }
            let plain = kernel.clone().normalised(false);
            for x in &series {
                for z in &series {
                    let expected = alignments::global_alignment(x, z, 1.3, band);
                    let found = plain.eval(x, z);
                    assert!((found - expected).abs() <= 1e-13 * expected, "{band:?}: {found} {expected}");
                    let norm = alignments::global_alignment(x, x, 1.3, band)
                        * alignments::global_alignment(z, z, 1.3, band);
                    let (found, expected) = (kernel.eval(x, z), expected / norm.sqrt());
                    assert!((found - expected).abs() <= 1e-13 * expected, "{band:?}: {found} {expected}");
                    let log = kernel.log(x, z).unwrap();
                    assert!(log == plain.eval(x, z).ln() || (log - plain.eval(x, z).ln()).abs() < 1e-12);
                }
            }
        }
    }
}

#[test]
fn global_alignment_has_values_worked_by_hand() {
    // κ(0) = 1: the Delannoy numbers count alignments.
    let kernel = GlobalAlignment::sigma(1.0).unwrap().normalised(false);
    for (n, paths) in [(1, 1.0), (2, 3.0), (3, 13.0), (4, 63.0), (5, 321.0)] {
        let x = univariate(&vec![2.0; n]);
        assert!((kernel.eval(&x, &x) - paths).abs() < 1e-12 * paths, "{n}");
        assert!((kernel.eval_diagonal(&x) - paths).abs() < 1e-12 * paths, "{n}");
    }
    // tslearn's documentation: gak([1, 2, 3], [1, 2, 2, 3], sigma=2) = 0.839…
    let (x, z) = (univariate(&[1.0, 2.0, 3.0]), univariate(&[1.0, 2.0, 2.0, 3.0]));
    let value = GlobalAlignment::sigma(2.0).unwrap().eval(&x, &z);
    assert!((value - 0.839).abs() < 1e-3, "{value}");
    let value = GlobalAlignment::sigma(2.0).unwrap().normalised(false).eval(&x, &z);
    assert!((value - 15.358).abs() < 1e-3, "{value}");
}

#[test]
fn dynamic_time_warping_is_the_best_of_all_alignments() {
    for channels in [1, 2] {
        let series = walks(&LENGTHS, channels, 6);
        for radius in [None, Some(0), Some(1), Some(2), Some(30)] {
            let mut kernel = DynamicTimeWarping::gamma(0.2).unwrap();
            if let Some(radius) = radius {
                kernel = kernel.radius(radius);
            }
            for x in &series {
                for z in &series {
                    let expected = alignments::dynamic_time_warping(x, z, radius);
                    let found = kernel.distance(x, z).unwrap().powi(2);
                    assert!((found - expected).abs() <= 1e-12 * expected.max(1.0), "{found} {expected}");
                    assert!((kernel.eval(x, z) - (-0.2 * expected).exp()).abs() < 1e-12);
                }
            }
        }
    }
}

#[test]
fn laws_hold() {
    for channels in [1, 2] {
        let mut series = walks(&[1, 1, 2, 5, 9, 9, 17, 30, 30, 31], channels, 7);
        series.push(series[4].clone());
        let alignment = GlobalAlignment::median(0.5).unwrap();
        let gaussian =
            |width| Autocorrelation::new(3).unwrap().comparison(Comparison::Gaussian(width)).unwrap();
        let items: Vec<&Series> = series.iter().collect();
        for kernel in [
            alignment.clone(),
            alignment.clone().band(3.0).unwrap(),
            alignment.clone().band(12.5).unwrap(),
            GlobalAlignment::sigma(0.3).unwrap(),
            GlobalAlignment::sigma(1.0).unwrap().normalised(false).band(4.0).unwrap(),
        ] {
            let learned = kernel.learn(&items, None).unwrap();
            assert_eq!(learned.definiteness(), Definiteness::Guaranteed);
            laws::all(&format!("{kernel:?}"), &by_reference(&learned), &series);
        }
        for kernel in
            [Autocorrelation::new(4).unwrap(), gaussian(Width::Value(0.7)), gaussian(Width::Median(1.0))]
        {
            let learned = kernel.learn(&items, None).unwrap();
            laws::all(&format!("{kernel:?}"), &by_reference(&learned), &series);
        }
        let warping = DynamicTimeWarping::median(1.0).unwrap().learn(&items, None).unwrap();
        assert_eq!(warping.definiteness(), Definiteness::NotGuaranteed);
        laws::finite("dtw", &by_reference(&warping), &series);
        laws::symmetry("dtw", &by_reference(&warping), &series);
        laws::diagonal("dtw", &by_reference(&warping), &series);
    }
}

#[test]
fn long_series_stay_finite() {
    let series = walks(&[2000, 1990, 2000], 1, 3);
    let kernel = GlobalAlignment::sigma(200.0).unwrap();
    for x in &series {
        for z in &series {
            let (value, log) = (kernel.eval(x, z), kernel.log(x, z).unwrap());
            assert!((0.0..=1.0 + 1e-9).contains(&value) && log.is_finite() && log > 700.0, "{value} {log}");
            let norms = 0.5 * (kernel.log(x, x).unwrap() + kernel.log(z, z).unwrap());
            assert!((value.ln() - (log - norms)).abs() < 1e-9);
        }
    }
    // The same by logarithms, entry by entry.
    let expected = log_table(&series[0], &series[1], 200.0);
    let found = kernel.log(&series[0], &series[1]).unwrap();
    assert!((found - expected).abs() < 1e-9 * expected.abs(), "{found} {expected}");
}

/// ln k(x, z) of the global alignment kernel with a logarithm per entry of the table.
fn log_table(x: &Series, z: &Series, sigma: f64) -> f64 {
    let sum = |terms: [f64; 3]| {
        let largest = terms.into_iter().fold(f64::NEG_INFINITY, f64::max);
        if largest == f64::NEG_INFINITY {
            return largest;
        }
        largest + terms.iter().map(|t| (t - largest).exp()).sum::<f64>().ln()
    };
    let mut row = vec![f64::NEG_INFINITY; z.len() + 1];
    row[0] = 0.0;
    for i in 0..x.len() {
        let mut next = vec![f64::NEG_INFINITY; z.len() + 1];
        for j in 0..z.len() {
            let s: f64 = x.at(i).iter().zip(z.at(j)).map(|(a, b)| (a - b).powi(2)).sum();
            let g = -s / (2.0 * sigma * sigma);
            next[j + 1] = g - (2.0 - g.exp()).ln() + sum([row[j], row[j + 1], next[j]]);
        }
        row = next;
    }
    row[z.len()]
}

#[test]
fn far_series_have_the_value_of_the_logarithms_down_to_the_smallest_number() {
    let x = univariate(&(0..60).map(|t| (f64::from(t) * 0.3).sin()).collect::<Vec<_>>());
    for shift in [0.5, 1.0, 2.0, 3.0, 4.0] {
        let z = univariate(&(0..70).map(|t| (f64::from(t) * 0.3).sin() + shift).collect::<Vec<_>>());
        let expected = log_table(&x, &z, 1.0) - 0.5 * (log_table(&x, &x, 1.0) + log_table(&z, &z, 1.0));
        let found = GlobalAlignment::sigma(1.0).unwrap().eval(&x, &z);
        assert!(expected > -700.0 && (found.ln() - expected).abs() < 1e-9, "{shift}: {found:e} {expected}");
    }
}

#[test]
fn the_median_heuristic_is_the_one_that_is_documented() {
    let series = [univariate(&[0.0, 1.0]), univariate(&[3.0, 3.0, 3.0]), univariate(&[0.0; 4])];
    let items: Vec<&Series> = series.iter().collect();
    // Times 0 1 3 3 3 0 0 0 0: distances above 0 are 1 (5), 2 (3), 3 (15); the median is 3. The median length is 3.
    let sigma = GlobalAlignment::median(2.0).unwrap().learn(&items, None).unwrap().width();
    assert_eq!(sigma, Width::Value(2.0 * 3.0 * 3f64.sqrt()));
    // The first series alone: one distance; its length.
    let sigma = GlobalAlignment::median(1.0).unwrap().learn(&items, Some(&[2.0, 0.0, 0.0])).unwrap().width();
    assert_eq!(sigma, Width::Value(2f64.sqrt()));
    // A weight of 2 is the series twice.
    let twice = [items[0], items[0], items[1], items[2]];
    let kernel = GlobalAlignment::median(1.0).unwrap();
    assert_eq!(
        kernel.learn(&items, Some(&[2.0, 1.0, 1.0])).unwrap().width(),
        kernel.learn(&twice, None).unwrap().width()
    );
    // Nothing differs: 1, times the root of the length.
    let sigma = kernel.learn(&[&series[2]], None).unwrap().width();
    assert_eq!(sigma, Width::Value(2.0));
    // Dynamic time warping: distances √(9 + 4 + 4), 1, √36 between the three.
    let rate = DynamicTimeWarping::median(1.0).unwrap().learn(&items, None).unwrap().rate();
    assert!(matches!(rate, Width::Value(gamma) if (gamma - 0.5 / 17.0).abs() < 1e-15), "{rate:?}");
    // What waits for data says so.
    let error = GlobalAlignment::median(1.0).unwrap().try_eval(&series[0], &series[1]).unwrap_err();
    assert!(error.to_string().contains("has to learn from training series first"), "{error}");
    assert!(GlobalAlignment::median(1.0).unwrap().eval(&series[0], &series[1]).is_nan());
}

#[test]
fn autocorrelation_follows_its_definition() {
    let series = walks(&[1, 2, 9, 20], 3, 11);
    for x in &series {
        let (length, channels) = (x.len() as f64, x.channels());
        let features = Autocorrelation::new(12).unwrap().features(x);
        let mean: Vec<f64> = (0..channels).map(|c| x.channel(c).sum::<f64>() / length).collect();
        let deviation: Vec<f64> = (0..channels)
            .map(|c| (x.channel(c).map(|v| (v - mean[c]).powi(2)).sum::<f64>() / length).sqrt())
            .collect();
        for lag in 0..=12 {
            for a in 0..channels {
                for b in 0..channels {
                    let mut expected = 0.0;
                    for t in 0..x.len().saturating_sub(lag) {
                        let (u, v) = (x.at(t)[a] - mean[a], x.at(t + lag)[b] - mean[b]);
                        expected += u * v / (length * deviation[a] * deviation[b]);
                    }
                    let expected = if x.len() == 1 { 0.0 } else { expected };
                    let found = features[(lag * channels + a) * channels + b];
                    assert!((found - expected).abs() < 1e-12, "{lag} {a} {b}: {found} {expected}");
                }
            }
        }
    }
    // Neither offset nor scale matters; a constant channel has no correlations.
    let kernel = Autocorrelation::new(2).unwrap();
    let wave: Vec<f64> = (0..9).map(|t| f64::from(t * t % 5)).collect();
    let other: Vec<f64> = wave.iter().map(|v| 1e200 * (3.0 + 7.0 * v)).collect();
    let difference: f64 = kernel
        .features(&univariate(&wave))
        .iter()
        .zip(kernel.features(&univariate(&other)))
        .map(|(a, b)| (a - b).abs())
        .sum();
    assert!(difference < 1e-12);
    assert_eq!(kernel.features(&univariate(&[4.2; 5])), [0.0; 3]);
}

#[test]
fn an_indefinite_gram_matrix_is_mended() {
    // Steps that are reached at once by warping: a triangle inequality that fails.
    let series: Vec<Series> = [
        &[0.0, 0.0, 0.0, 1.0][..],
        &[0.0, 1.0, 1.0, 1.0],
        &[0.0, 1.0, 2.0, 1.0],
        &[0.0, 2.0, 2.0, 2.0],
        &[0.0, 0.0, 2.0, 2.0],
        &[1.0, 2.0],
        &[0.0, 1.0, 2.0],
        &[0.0, 2.0],
        &[0.5, 1.5, 0.5, 1.5],
    ]
    .iter()
    .map(|values| univariate(values))
    .collect();
    let kernel = DynamicTimeWarping::gamma(0.05).unwrap();
    let report = check_mercer(&by_reference(&kernel), &series, 100, 0).unwrap();
    assert!(matches!(report.verdict, Verdict::Indefinite { .. }), "{report}");
    let n = series.len();
    let gram = Matrix::from_fn(n, n, |i, j| kernel.eval(&series[i], &series[j]));
    let smallest = symmetric_eigenvalues(&gram).unwrap()[0];

    let shifted = Mended::new(&gram, Mending::Shift).unwrap();
    assert!((shifted.largest_change() + smallest).abs() < 1e-14 && shifted.negative() > 0);
    assert_eq!(shifted.matrix()[(3, 1)], gram[(3, 1)]);
    assert!(symmetric_eigenvalues(shifted.matrix()).unwrap()[0] > -1e-13);
    assert!(shifted.to_string().contains("to the diagonal"), "{shifted}");

    let clipped = Mended::new(&gram, Mending::Clip).unwrap();
    assert!(symmetric_eigenvalues(clipped.matrix()).unwrap()[0] > -1e-13);
    assert!(clipped.largest_change() > 0.0 && clipped.largest_change() <= -smallest * n as f64);
    // New values are treated like those of the matrix: a row of it becomes the row of the mended one.
    for i in 0..n {
        let mut row = gram.row(i).to_vec();
        clipped.row(&mut row).unwrap();
        for j in 0..n {
            assert!((row[j] - clipped.matrix()[(i, j)]).abs() < 1e-13, "{i} {j}");
        }
    }
    assert!(clipped.row(&mut [0.0]).is_err());

    // Nothing to mend: the same bits.
    let fine = Matrix::new(vec![2.0, 1.0, 1.0, 2.0], 2, 2).unwrap();
    let same = Mended::new(&fine, Mending::Clip).unwrap();
    assert_eq!((same.matrix(), same.negative()), (&fine, 0));
    assert_eq!(same.to_string(), "no eigenvalue below 0 among 2; nothing changed");
}

#[test]
fn refusals_name_what_is_wrong() {
    let (one, two) = (univariate(&[1.0, 2.0]), Series::new(vec![1.0, 2.0], 2).unwrap());
    let gak = GlobalAlignment::sigma(1.0).unwrap();
    let text = "channels of a time series: expected 1, found 2";
    assert_eq!(gak.try_eval(&one, &two).unwrap_err().to_string(), text);
    assert!(gak.eval(&one, &two).is_nan());
    assert!(gak.compare(&gak.digest(&one).unwrap(), &gak.digest(&two).unwrap()).is_nan());
    assert_eq!(gak.learn(&[&one, &two], None).unwrap_err().to_string(), text);
    assert_eq!(gak.learn(&[&one], None).unwrap().digest(&two).unwrap_err().to_string(), text);
    assert!(matches!(gak.learn(&[], None), Err(Error::Empty { .. })));
    assert!(matches!(gak.learn(&[&one], Some(&[-1.0])), Err(Error::Entry { .. })));
    assert!(DynamicTimeWarping::gamma(1.0).unwrap().try_eval(&one, &two).is_err());
    assert!(Autocorrelation::new(1).unwrap().try_eval(&one, &two).is_err());
    for bad in [0.0, -1.0, f64::NAN, f64::INFINITY, 1e-200] {
        assert!(GlobalAlignment::sigma(bad).is_err() && DynamicTimeWarping::gamma(bad).is_err());
        assert!(
            Autocorrelation::new(1).unwrap().comparison(Comparison::Gaussian(Width::Value(bad))).is_err()
        );
    }
    assert!(GlobalAlignment::sigma(1.0).unwrap().band(0.0).is_err());
    assert!(Autocorrelation::new(usize::MAX).is_err());
}

#[test]
fn kernels_are_stored_and_read_back() {
    let series = walks(&[4, 6], 2, 1);
    let kernel = GlobalAlignment::median(0.7)
        .unwrap()
        .band(3.0)
        .unwrap()
        .learn(&[&series[0], &series[1]], None)
        .unwrap();
    let stored = serde_json::to_string(&kernel).unwrap();
    let loaded: GlobalAlignment = serde_json::from_str(&stored).unwrap();
    assert_eq!(loaded, kernel);
    assert_eq!(loaded.eval(&series[0], &series[1]).to_bits(), kernel.eval(&series[0], &series[1]).to_bits());
    assert!(
        serde_json::from_str::<GlobalAlignment>(&stored.replace("\"band\":3.0", "\"band\":-3.0")).is_err()
    );
    let kernel = DynamicTimeWarping::gamma(0.5).unwrap().radius(2);
    let loaded: DynamicTimeWarping = serde_json::from_str(&serde_json::to_string(&kernel).unwrap()).unwrap();
    assert_eq!(loaded, kernel);
    let kernel =
        Autocorrelation::new(2).unwrap().comparison(Comparison::Gaussian(Width::Median(1.0))).unwrap();
    let loaded: Autocorrelation = serde_json::from_str(&serde_json::to_string(&kernel).unwrap()).unwrap();
    assert_eq!(loaded, kernel);
    let loaded: Series = serde_json::from_str(&serde_json::to_string(&series[0]).unwrap()).unwrap();
    assert_eq!(loaded, series[0]);
    assert!(serde_json::from_str::<Series>(r#"{"channels":2,"values":[1.0]}"#).is_err());
}

#[test]
fn a_machine_learns_from_series() {
    let mut random = Random::new(2);
    let series: Vec<Series> = (0..40)
        .map(|i| {
            let (length, phase) = (20 + random.below(10), random.uniform());
            let speed = if i % 2 == 0 { 0.3 } else { 0.7 };
            let value = |t: usize| (speed * t as f64 + phase).sin();
            univariate(&(0..length).map(value).collect::<Vec<_>>())
        })
        .collect();
    let labels = Labels::from_text((0..40).map(|i| if i % 2 == 0 { "slow" } else { "fast" }));
    let kernel = GlobalAlignment::median(1.0).unwrap();
    let kernel = kernel.learn(&series.iter().collect::<Vec<_>>(), None).unwrap();
    let train: Vec<Series> = series[..30].to_vec();
    let model = Svc::params(Pairwise::<_, Series>::new(kernel))
        .check()
        .unwrap()
        .fit(&train, &labels.select(&(0..30).collect::<Vec<_>>()))
        .unwrap();
    let predicted = model.predict_labels(&series[30..].to_vec()).unwrap();
    let correct = predicted.iter().enumerate().filter(|(i, label)| **label == labels.text(30 + i)).count();
    assert_eq!(correct, 10);
}
