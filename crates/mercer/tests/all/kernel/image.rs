//! Distorted images and the kernel that moves them.

use mercer::Error;
use mercer::data::{Distortion, Items, Row, Vectors, VirtualExamples};
use mercer::kernel::image::Jittered;
use mercer::kernel::vector::Linear;
use mercer::kernel::{Definiteness, DigestKernel, Kernel};
use mercer_testkit::laws;
use mercer_testkit::random::Random;

use super::kernel;

const IMAGE: [f64; 9] = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0];

fn distorted(distortion: Distortion) -> Vec<f64> {
    let copies = VirtualExamples::new(3, 3).unwrap().with(distortion).unwrap();
    copies.of(&Row::Dense64(&IMAGE)).unwrap().remove(1)
}

fn assert_image(found: &[f64], expected: &[f64]) {
    assert!(
        found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-12),
        "{found:?} instead of {expected:?}"
    );
    assert_eq!(found.len(), expected.len());
}

#[test]
fn distortions_move_pixels_to_where_they_should_be() {
    assert_eq!(
        distorted(Distortion::Shift { down: 1, right: 0 }),
        [0.0, 0.0, 0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0]
    );
    assert_eq!(
        distorted(Distortion::Shift { down: 0, right: -2 }),
        [3.0, 0.0, 0.0, 6.0, 0.0, 0.0, 9.0, 0.0, 0.0]
    );
    assert_eq!(distorted(Distortion::Shift { down: 9, right: 9 }), [0.0; 9]);
    // Anticlockwise: the right column becomes the top row.
    let turned = [3.0, 6.0, 9.0, 2.0, 5.0, 8.0, 1.0, 4.0, 7.0];
    assert_image(&distorted(Distortion::Rotation { degrees: 90.0 }), &turned);
    assert_image(&distorted(Distortion::Rotation { degrees: -270.0 }), &turned);
    assert_eq!(distorted(Distortion::Rotation { degrees: 0.0 }), IMAGE);
    assert_eq!(distorted(Distortion::Zoom { factor: 1.0 }), IMAGE);
    // Twice as large: half the distance from the centre, between pixels.
    assert_image(
        &distorted(Distortion::Zoom { factor: 2.0 }),
        &[3.0, 3.5, 4.0, 4.5, 5.0, 5.5, 6.0, 6.5, 7.0],
    );
    // Half as large: all but the centre comes from outside.
    assert_eq!(distorted(Distortion::Zoom { factor: 0.5 }), [0.0, 0.0, 0.0, 0.0, 5.0, 0.0, 0.0, 0.0, 0.0]);
}

#[test]
fn the_background_comes_in() {
    let copies = VirtualExamples::new(1, 2).unwrap().on_background(-1.0).unwrap();
    let copies = copies.with(Distortion::Shift { down: 0, right: 1 }).unwrap();
    assert_eq!(copies.of(&Row::Dense32(&[5.0, 6.0])).unwrap(), [[5.0, 6.0], [-1.0, 5.0]]);
    assert_eq!(copies.of(&Row::Sparse { indices: &[1], values: &[6.0] }).unwrap(), [[0.0, 6.0], [-1.0, 0.0]]);
}

#[test]
fn virtual_examples_keep_their_origin() {
    let copies = VirtualExamples::new(2, 2).unwrap().with_shifts(1).unwrap();
    assert_eq!(copies.distortions().len(), 8);
    let images = Vectors::from_rows(&[[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0]]).unwrap();
    let (all, origin) = copies.extend(&images).unwrap();
    assert_eq!((all.len(), all.columns()), (18, 4));
    assert_eq!(origin, [vec![0; 9], vec![1; 9]].concat());
    assert_eq!((all.get(0), all.get(9)), (images.get(0), images.get(1)));
}

#[test]
fn wrong_images_and_distortions_are_refused() {
    assert!(matches!(VirtualExamples::new(0, 3), Err(Error::Empty { .. })));
    assert!(VirtualExamples::new(usize::MAX, 3).is_err());
    let images = VirtualExamples::new(2, 2).unwrap();
    assert!(images.clone().with(Distortion::Zoom { factor: 0.0 }).is_err());
    assert!(images.clone().with(Distortion::Rotation { degrees: f64::NAN }).is_err());
    assert!(images.clone().with_shifts(3).is_err());
    assert!(images.clone().on_background(f64::INFINITY).is_err());
    let error = images.of(&Row::Dense64(&[1.0; 5])).unwrap_err().to_string();
    assert_eq!(error, "pixels of the image: expected 4, found 5");
    assert!(images.of(&Row::Sparse { indices: &[4], values: &[1.0] }).is_err());
    let json = serde_json::to_string(&images.clone().with_shifts(1).unwrap()).unwrap();
    assert_eq!(serde_json::from_str::<VirtualExamples>(&json).unwrap(), images.with_shifts(1).unwrap());
    for bad in [
        r#"{"height":0,"width":1,"background":0.0,"distortions":[]}"#,
        r#"{"height":1,"width":1,"background":0.0,"distortions":[{"zoom":{"factor":-1.0}}]}"#,
    ] {
        assert!(serde_json::from_str::<VirtualExamples>(bad).is_err(), "{bad}");
    }
}

fn images(seed: u64, count: usize) -> Vectors<'static> {
    let mut random = Random::new(seed);
    let rows: Vec<Vec<f64>> = (0..count).map(|_| (0..12).map(|_| random.below(3) as f64).collect()).collect();
    Vectors::from_rows(&rows).unwrap()
}

#[test]
fn the_closest_copy_counts() {
    let copies = VirtualExamples::new(3, 4).unwrap().with_shifts(1).unwrap();
    let copies = copies.with(Distortion::Rotation { degrees: 10.0 }).unwrap();
    let all = images(2, 12);
    for text in ["gaussian(gamma=0.1)", "polynomial(degree=2)"] {
        let base = kernel(text);
        let jittered = Jittered::new(base.clone(), copies.clone()).unwrap();
        for i in 0..all.len() {
            for j in 0..all.len() {
                let (of_x, of_z) = (copies.of(&all.get(i)).unwrap(), copies.of(&all.get(j)).unwrap());
                let mut pairs: Vec<(&[f64], &[f64])> =
                    of_x.iter().map(|copy| (&copy[..], &of_z[0][..])).collect();
                pairs.extend(of_z.iter().map(|copy| (&of_x[0][..], &copy[..])));
                let mut best = (f64::INFINITY, 0.0);
                for (a, b) in pairs {
                    let (a, b) = (Row::Dense64(a), Row::Dense64(b));
                    let value = base.eval(&a, &b);
                    let distance = (base.eval(&a, &a) + base.eval(&b, &b) - 2.0 * value).max(0.0);
                    if distance < best.0 || (distance == best.0 && value > best.1) {
                        best = (distance, value);
                    }
                }
                assert_eq!(jittered.eval(&all.get(i), &all.get(j)), best.1, "{text} {i} {j}");
            }
        }
        laws::symmetry(text, &jittered, &all);
        laws::diagonal(text, &jittered, &all);
        assert_eq!(DigestKernel::<Row<'_>>::definiteness(&jittered), Definiteness::NotGuaranteed);
    }
}

#[test]
fn without_distortions_it_is_the_kernel_itself() {
    let all = images(4, 8);
    let jittered = Jittered::new(Linear, VirtualExamples::new(3, 4).unwrap()).unwrap();
    for i in 0..all.len() {
        assert_eq!(jittered.eval(&all.get(0), &all.get(i)), Linear.eval(&all.get(0), &all.get(i)));
    }
    laws::all("not jittered", &jittered, &all);
    let error = jittered.try_eval(&all.get(0), &Row::Dense64(&[1.0])).unwrap_err().to_string();
    assert_eq!(error, "pixels of the image: expected 12, found 1");
}

#[test]
fn widths_are_learned_from_the_images() {
    let all = images(4, 8);
    let waiting =
        Jittered::new(kernel("gaussian"), VirtualExamples::new(3, 4).unwrap().with_shifts(1).unwrap())
            .unwrap();
    assert!(waiting.try_eval(&all.get(0), &all.get(1)).is_err());
    let rows: Vec<Row<'_>> = (0..all.len()).map(|i| all.get(i)).collect();
    let learned = DigestKernel::learn(&waiting, &rows.iter().collect::<Vec<_>>(), None).unwrap();
    assert_eq!(*learned.kernel(), kernel("gaussian").resolve(&all).unwrap());
    let read: Jittered = serde_json::from_str(&serde_json::to_string(&learned).unwrap()).unwrap();
    assert_eq!(read.eval(&rows[0], &rows[1]), learned.eval(&rows[0], &rows[1]));
}
