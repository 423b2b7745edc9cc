//! Expressions in files.

use mercer::data::{Items, Vectors};
use mercer::kernel::{Expression, Kernel};

use super::{histograms, kernel};

#[test]
fn every_example_survives_json() {
    for example in Expression::examples() {
        let json = serde_json::to_string(&example).unwrap();
        assert_eq!(serde_json::from_str::<Expression>(&json).unwrap(), example, "{json}");
    }
    for waiting in ["gaussian", "laplacian(gamma=auto)", "chi2(gamma=median)"] {
        let json = serde_json::to_string(&kernel(waiting)).unwrap();
        assert_eq!(serde_json::from_str::<Expression>(&json).unwrap(), kernel(waiting), "{json}");
    }
}

#[test]
fn the_tag_is_explicit_and_stable() {
    assert_eq!(serde_json::to_string(&kernel("linear")).unwrap(), r#"{"type":"linear"}"#);
    assert_eq!(
        serde_json::to_string(&kernel("0.5 * gaussian(sigma=2) + columns(0:2, cosine)")).unwrap(),
        concat!(
            r#"{"type":"sum","terms":[{"type":"scale","factor":0.5,"kernel":"#,
            r#"{"type":"gaussian","width":{"sigma":2.0},"amplitude":null}},"#,
            r#"{"type":"columns","selection":{"range":{"start":0,"end":2}},"kernel":{"type":"cosine"}}]}"#
        )
    );
}

#[test]
fn files_cannot_hold_what_constructors_refuse() {
    for json in [
        r#"{"type":"unknown"}"#,
        r#"{"type":"gaussian","width":{"gamma":{"value":-1.0}}}"#,
        r#"{"type":"gaussian","width":{"sigma":0.0}}"#,
        r#"{"type":"gaussian","width":{"length_scales":[]}}"#,
        r#"{"type":"gaussian","width":{"sigma":1.0},"amplitude":-1.0}"#,
        r#"{"type":"polynomial","degree":0,"gamma":{"value":1.0},"constant":0.0}"#,
        r#"{"type":"polynomial","degree":2,"gamma":"median","constant":0.0}"#,
        r#"{"type":"sigmoid","gamma":"median","constant":0.0}"#,
        r#"{"type":"white","noise":-1.0}"#,
        r#"{"type":"constant","value":1e999}"#,
        r#"{"type":"sum","terms":[{"type":"linear"}]}"#,
        r#"{"type":"product","factors":[]}"#,
        r#"{"type":"columns","selection":{"range":{"start":2,"end":2}},"kernel":{"type":"cosine"}}"#,
        r#"{"type":"columns","selection":{"list":[1,1]},"kernel":{"type":"cosine"}}"#,
    ] {
        assert!(serde_json::from_str::<Expression>(json).is_err(), "{json}");
    }
    let deep = r#"{"type":"normalise","kernel":"#.repeat(100_000);
    assert!(serde_json::from_str::<Expression>(&deep).is_err());
}

#[test]
fn references_are_taken_out_and_put_back() {
    let rows = Vectors::from_rows(&histograms()).unwrap();
    let kernel = kernel("centre(linear * centre(cosine)) + columns(0:2, centre(gaussian))");
    assert_eq!(kernel.references(), [None, None, None]);
    let resolved = kernel.resolve(&rows).unwrap();
    let references = resolved.references();
    let columns: Vec<usize> = references.iter().map(|r| r.as_ref().unwrap().columns()).collect();
    assert_eq!(columns, [3, 3, 2]);

    let json = serde_json::to_string(&resolved).unwrap();
    let bare: Expression = serde_json::from_str(&json).unwrap();
    assert!(!bare.is_resolved());
    let loaded = bare.with_references(references.clone()).unwrap();
    assert_eq!(loaded, resolved);
    assert!(bare.with_references(references[..2].to_vec()).is_err());
    let (x, z) = (rows.get(2), rows.get(5));
    assert_eq!(loaded.eval(&x, &z).to_bits(), resolved.eval(&x, &z).to_bits());
}
