//! The explicit feature map of polynomial kernels.

use mercer::data::Row;
use mercer::kernel::Kernel;
use mercer::kernel::vector::{Gamma, Polynomial, PolynomialFeatures};

#[test]
fn inner_products_are_kernel_values() {
    let (x, z) = ([0.5, -1.5, 2.0, 0.0], [1.0, 0.25, -0.75, 3.0]);
    for columns in 1..=4 {
        for degree in 1..=5 {
            for (gamma, constant) in [(1.0, 0.0), (1.0, 1.0), (0.3, 2.5)] {
                let kernel = Polynomial::new(degree, gamma, constant).unwrap();
                let map = PolynomialFeatures::new(&kernel, columns, 1000).unwrap();
                let (x, z) = (Row::Dense64(&x[..columns]), Row::Dense64(&z[..columns]));
                let product: f64 = map.map(&x).iter().zip(map.map(&z)).map(|(a, b)| a * b).sum();
                let value = kernel.eval(&x, &z);
                assert!((product - value).abs() < 1e-11 * value.abs().max(1.0), "{kernel} on {columns}");
                assert_eq!(PolynomialFeatures::count(&kernel, columns), Some(map.len() as u128));
            }
        }
    }
}

#[test]
fn there_are_as_many_features_as_combinations() {
    let count = |degree, constant, columns| {
        PolynomialFeatures::count(&Polynomial::new(degree, 1.0, constant).unwrap(), columns)
    };
    assert_eq!(count(2, 1.0, 2), Some(6));
    assert_eq!(count(2, 0.0, 2), Some(3));
    // 16 × 16 pixels, products of five: C(260, 5)
    assert_eq!(count(5, 0.0, 256), Some(9_525_431_552));
    assert_eq!(count(1_000_000, 1.0, 1_000_000), None);
    assert_eq!(count(3, 0.0, 0), Some(0));
    assert_eq!(count(3, 1.0, 0), Some(1));
}

#[test]
fn too_many_features_are_refused_with_their_number() {
    let kernel = Polynomial::homogeneous(5).unwrap();
    let error = PolynomialFeatures::new(&kernel, 256, 1_000_000).unwrap_err().to_string();
    assert!(error.contains("9525431552 features"), "{error}");
    assert!(PolynomialFeatures::new(&kernel, usize::MAX, usize::MAX).is_err());
    assert!(PolynomialFeatures::new(&Polynomial::homogeneous(101).unwrap(), 1, 10).is_err());
    assert!(PolynomialFeatures::new(&Polynomial::new(2, 1.0, -1.0).unwrap(), 2, 100).is_err());
    assert!(PolynomialFeatures::new(&Polynomial::new(2, Gamma::Scale, 1.0).unwrap(), 2, 100).is_err());
    assert!(PolynomialFeatures::new(&kernel, 0, 10).unwrap().is_empty());
}
