//! Scaling against closed forms.

use mercer::Error;
use mercer::data::{Dense, Items, Random, Scaling, ScalingKind, Sparse, Vectors};

fn random_rows(seed: u64, rows: usize, columns: usize) -> Vec<f64> {
    let mut random = Random::new(seed);
    (0..rows * columns).map(|at| 1e3 * (at % columns) as f64 + random.normal()).collect()
}

fn column(rows: &Vectors, column: usize) -> Vec<f64> {
    (0..rows.len()).map(|i| rows.get(i).to_dense(rows.columns())[column]).collect()
}

fn mean_and_variance(values: &[f64]) -> (f64, f64) {
    let mean = values.iter().sum::<f64>() / values.len() as f64;
    (mean, values.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / values.len() as f64)
}

#[test]
fn standardised_columns_have_mean_0_and_variance_1() {
    let rows: Vectors = Dense::new(random_rows(1, 200, 5), 200, 5).unwrap().into();
    let scaled = Scaling::fit(ScalingKind::Standardise, &rows).unwrap().apply(&rows).unwrap();
    for k in 0..5 {
        let (mean, variance) = mean_and_variance(&column(&scaled, k));
        assert!(mean.abs() < 1e-12 && (variance - 1.0).abs() < 1e-12, "column {k}: {mean} {variance}");
    }
}

#[test]
fn known_means_and_deviations_come_out() {
    // 1e9 + (4, 7, 13, 16): the textbook case in which one pass over squares loses all digits.
    let rows = Vectors::from_rows(&[[1e9 + 4.0], [1e9 + 7.0], [1e9 + 13.0], [1e9 + 16.0]]).unwrap();
    let scaling = Scaling::fit(ScalingKind::Standardise, &rows).unwrap();
    assert_eq!(scaling.centre(), [1e9 + 10.0]);
    assert!((scaling.width()[0] - 22.5f64.sqrt()).abs() < 1e-13);
}

#[test]
fn columns_of_extreme_size_are_scaled_as_well() {
    for size in [1e300, 1e-300, 5e-324] {
        let rows = Vectors::from_rows(&[[-size], [size], [-size], [size]]).unwrap();
        let scaled = Scaling::fit(ScalingKind::Standardise, &rows).unwrap().apply(&rows).unwrap();
        assert_eq!(column(&scaled, 0), [-1.0, 1.0, -1.0, 1.0], "{size}");
        let unit = Scaling::fit(ScalingKind::UnitNorm, &rows).unwrap().apply(&rows).unwrap();
        assert_eq!(column(&unit, 0), [-1.0, 1.0, -1.0, 1.0], "{size}");
    }
    let rows = Vectors::from_rows(&[[-f64::MAX], [f64::MAX]]).unwrap();
    assert!(matches!(Scaling::fit(ScalingKind::UNIT_RANGE, &rows), Err(Error::Entry { index: 0, .. })));
}

#[test]
fn ranges_are_met_exactly() {
    let rows: Vectors = Dense::new(random_rows(2, 100, 7), 100, 7).unwrap().into();
    let odd = ScalingKind::MinMax { low: 2.0, high: 5.0 };
    for kind in [ScalingKind::UNIT_RANGE, ScalingKind::SYMMETRIC_RANGE, odd] {
        let ScalingKind::MinMax { low, high } = kind else { unreachable!() };
        let scaled = Scaling::fit(kind, &rows).unwrap().apply(&rows).unwrap();
        for k in 0..7 {
            let values = column(&scaled, k);
            assert_eq!(values.iter().copied().fold(f64::INFINITY, f64::min), low);
            assert_eq!(values.iter().copied().fold(f64::NEG_INFINITY, f64::max), high);
        }
    }
    for (low, high) in [(1.0, 1.0), (2.0, 1.0), (f64::NAN, 1.0), (0.0, f64::INFINITY)] {
        let kind = ScalingKind::MinMax { low, high };
        assert!(matches!(Scaling::fit(kind, &rows), Err(Error::Parameter { .. })), "{kind:?}");
    }
}

#[test]
fn constant_columns_are_shifted_but_not_stretched() {
    let rows = Vectors::from_rows(&[[0.1, 1.0], [0.1, 2.0], [0.1, 3.0]]).unwrap();
    for (kind, expected) in [
        (ScalingKind::Standardise, 0.0),
        (ScalingKind::SYMMETRIC_RANGE, -1.0),
        (ScalingKind::Deviation, 0.1),
        (ScalingKind::MaxAbs, 1.0),
    ] {
        let scaled = Scaling::fit(kind, &rows).unwrap().apply(&rows).unwrap();
        assert_eq!(column(&scaled, 0), [expected; 3], "{kind:?}");
    }
}

#[test]
fn rows_get_norm_1_and_zero_rows_stay() {
    let rows = Vectors::from_rows(&[[3.0, -4.0], [0.0, 0.0], [0.0, 2.0]]).unwrap();
    let scaled = Scaling::fit(ScalingKind::UnitNorm, &rows).unwrap().apply(&rows).unwrap();
    let expected = Vectors::from_rows(&[[0.6, -0.8], [0.0, 0.0], [0.0, 1.0]]).unwrap();
    for k in 0..2 {
        for (found, expected) in column(&scaled, k).iter().zip(column(&expected, k)) {
            assert!((found - expected).abs() < 1e-15);
        }
    }
}

#[test]
fn sparse_rows_scale_as_their_dense_form_and_keep_their_zeros() {
    let sparse: Vectors =
        Sparse::new(&[0i64, 2, 3, 3], &[0i64, 2, 2], vec![3.0, -4.0, 2.0], 4).unwrap().into();
    let dense = sparse.to_dense().unwrap();
    for kind in [ScalingKind::Deviation, ScalingKind::MaxAbs, ScalingKind::UnitNorm] {
        let of_sparse = Scaling::fit(kind, &sparse).unwrap();
        let of_dense = Scaling::fit(kind, &dense).unwrap();
        assert_eq!(of_sparse.width().len(), of_dense.width().len());
        for (a, b) in of_sparse.width().iter().zip(of_dense.width()) {
            assert!((a - b).abs() <= 1e-15 * b, "{kind:?}: {a} {b}");
        }
        let scaled = of_sparse.apply(&sparse).unwrap();
        assert!(matches!(scaled, Vectors::Sparse(_)));
        assert_eq!(scaled.to_dense().unwrap(), of_sparse.apply(&dense).unwrap());
    }
    for (kind, instead) in [(ScalingKind::Standardise, "deviation"), (ScalingKind::UNIT_RANGE, "max-abs")] {
        let error = Scaling::fit(kind, &sparse).unwrap_err();
        assert!(error.to_string().contains(instead), "{error}");
        let learned = Scaling::fit(kind, &dense).unwrap();
        assert!(matches!(learned.apply(&sparse), Err(Error::Unsupported { .. })));
    }
}

#[test]
fn single_precision_stays_single() {
    let rows: Vectors = Dense::new(vec![1.0f32, 3.0], 2, 1).unwrap().into();
    let scaled = Scaling::fit(ScalingKind::Standardise, &rows).unwrap().apply(&rows).unwrap();
    assert_eq!(scaled, Vectors::Dense32(Dense::new(vec![-1.0f32, 1.0], 2, 1).unwrap()));
}

#[test]
fn shapes_are_checked() {
    let rows = Vectors::from_rows(&[[1.0, 2.0]]).unwrap();
    let scaling = Scaling::fit(ScalingKind::UnitNorm, &rows).unwrap();
    let wide = Vectors::from_rows(&[[1.0, 2.0, 3.0]]).unwrap();
    assert!(matches!(scaling.apply(&wide), Err(Error::Shape { expected: 2, found: 3, .. })));
    let none: Vectors = Dense::new(Vec::<f64>::new(), 0, 2).unwrap().into();
    assert!(matches!(Scaling::fit(ScalingKind::MaxAbs, &none), Err(Error::Empty { .. })));
    // Rows that follow may be none, and may lie anywhere.
    assert_eq!(scaling.apply(&none).unwrap().len(), 0);
}

#[test]
fn a_reloaded_scaling_does_the_same() {
    let rows: Vectors = Dense::new(random_rows(4, 50, 3), 50, 3).unwrap().into();
    let kinds = [
        ScalingKind::Standardise,
        ScalingKind::SYMMETRIC_RANGE,
        ScalingKind::Deviation,
        ScalingKind::MaxAbs,
        ScalingKind::UnitNorm,
    ];
    for kind in kinds {
        let scaling = Scaling::fit(kind, &rows).unwrap();
        let text = serde_json::to_string(&scaling).unwrap();
        let loaded: Scaling = serde_json::from_str(&text).unwrap();
        assert_eq!(loaded.apply(&rows).unwrap(), scaling.apply(&rows).unwrap(), "{kind:?}");
    }
}

#[test]
fn a_damaged_scaling_is_refused() {
    for text in [
        r#"{"kind":"Standardise","columns":2,"centre":[0.0],"width":[1.0,1.0]}"#,
        r#"{"kind":"Standardise","columns":1,"centre":[0.0],"width":[0.0]}"#,
        r#"{"kind":"MaxAbs","columns":2,"centre":[],"width":[1.0]}"#,
        r#"{"kind":"MaxAbs","columns":1,"centre":[],"width":[-1.0]}"#,
        r#"{"kind":"UnitNorm","columns":1,"centre":[],"width":[1.0]}"#,
        r#"{"kind":{"MinMax":{"low":1.0,"high":0.0}},"columns":0,"centre":[],"width":[]}"#,
    ] {
        assert!(serde_json::from_str::<Scaling>(text).is_err(), "{text}");
    }
}

/// Rows of a few values in a billion columns, and the same rows with the empty columns left out.
fn far_out() -> (Vectors<'static>, Vectors<'static>) {
    let values = vec![2.0, -8.0, 1.0, 4.0];
    let far = Sparse::new(&[0, 2, 3, 4], &[7u32, 999_999_999, 7, 500], values.clone(), 1_000_000_000);
    let near = Sparse::new(&[0, 2, 3, 4], &[0u32, 2, 0, 1], values, 3);
    (far.unwrap().into(), near.unwrap().into())
}

#[test]
fn empty_columns_cost_nothing() {
    let (far, near) = far_out();
    for kind in [ScalingKind::MaxAbs, ScalingKind::Deviation] {
        let (of_far, of_near) = (Scaling::fit(kind, &far).unwrap(), Scaling::fit(kind, &near).unwrap());
        assert_eq!(of_far.stored_columns(), Some(&[7, 500, 999_999_999][..]));
        assert_eq!((of_far.columns(), of_far.width()), (1_000_000_000, of_near.width()));
        let values = |rows: Vectors| match rows {
            Vectors::Sparse(rows) => rows.parts().2.to_vec(),
            other => panic!("{other:?}"),
        };
        assert_eq!(values(of_far.apply(&far).unwrap()), values(of_near.apply(&near).unwrap()));
        // A column that the training rows had nothing in keeps its values, as in `or_one`.
        let new = Sparse::new(&[0, 1], &[501u32], vec![3.0], 1_000_000_000).unwrap().into();
        assert_eq!(values(of_far.apply(&new).unwrap()), [3.0]);
        // It is saved as small as it is.
        let text = serde_json::to_string(&of_far).unwrap();
        assert!(text.len() < 300, "{text}");
        assert_eq!(serde_json::from_str::<Scaling>(&text).unwrap(), of_far);
        for (from, to) in
            [("[7,500,", "[500,7,"), ("[7,500,", "[7,7,"), ("[7,500,", "[7,"), ("999999999]", "4294967295]")]
        {
            assert!(serde_json::from_str::<Scaling>(&text.replace(from, to)).is_err(), "{from} {to}");
        }
    }
}

#[test]
fn refusals_are_in_plain_words() {
    let (rows, _) = far_out();
    for (kind, words) in [
        (ScalingKind::Standardise, ["standardise (mean 0, variance 1) shifts", "use deviation"]),
        (ScalingKind::UNIT_RANGE, ["min-max (0 to 1) shifts", "use max-abs"]),
    ] {
        let message = Scaling::fit(kind, &rows).unwrap_err().to_string();
        assert!(words.iter().all(|word| message.contains(word)), "{message}");
        assert!(!message.contains("::") && !message.contains('{'), "{message}");
    }
}

#[test]
fn weights_count_as_repeated_rows() {
    let values = random_rows(5, 40, 3);
    let weights: Vec<f64> = (0..40).map(|i| f64::from(i % 3)).collect();
    let repeated: Vec<f64> =
        (0..40).flat_map(|i| values[3 * i..3 * i + 3].repeat(weights[i] as usize)).collect();
    let rows: Vectors = Dense::new(values, 40, 3).unwrap().into();
    let repeated: Vectors = Dense::new(repeated.clone(), repeated.len() / 3, 3).unwrap().into();
    for kind in [
        ScalingKind::Standardise,
        ScalingKind::Deviation,
        ScalingKind::MaxAbs,
        ScalingKind::UNIT_RANGE,
        ScalingKind::UnitNorm,
    ] {
        let weighted = Scaling::fit_weighted(kind, &rows, Some(&weights)).unwrap();
        let plain = Scaling::fit(kind, &repeated).unwrap();
        for (a, b) in
            weighted.width().iter().chain(weighted.centre()).zip(plain.width().iter().chain(plain.centre()))
        {
            assert!((a - b).abs() <= 1e-12 * b.abs(), "{kind}: {a} {b}");
        }
        assert_eq!(weighted.width().len(), plain.width().len());
    }
    // Absent zeros count by weight, too.
    let sparse: Vectors = Sparse::new(&[0, 1, 1, 2], &[0, 0], vec![2.0, 4.0], 1).unwrap().into();
    let dense = Vectors::from_rows(&[[2.0], [0.0], [0.0], [0.0], [4.0]]).unwrap();
    let weighted = Scaling::fit_weighted(ScalingKind::Deviation, &sparse, Some(&[1.0, 3.0, 1.0])).unwrap();
    let plain = Scaling::fit(ScalingKind::Deviation, &dense).unwrap();
    assert!((weighted.width()[0] - plain.width()[0]).abs() < 1e-12);
    assert!(matches!(
        Scaling::fit_weighted(ScalingKind::MaxAbs, &dense, Some(&[1.0, 1.0, -1.0, 1.0, 1.0])),
        Err(Error::Entry { .. })
    ));
}
