//! Real data sets, where the folder that `MERCER_DATA` names has them.

use std::path::PathBuf;

use mercer::data::{ReadOptions, read_file};

/// File, rows, columns, classes.
const FILES: [(&str, usize, usize, usize); 11] = [
    ("iris/iris.csv", 150, 4, 3),
    ("ionosphere/ionosphere.csv", 351, 34, 2),
    ("usps/usps_train.csv.gz", 7291, 256, 10),
    ("usps/usps_test.csv.gz", 2007, 256, 10),
    ("heart/heart_scale", 270, 13, 2),
    ("a9a/a9a.gz", 32561, 123, 2),
    ("a9a/a9a.t.gz", 16281, 123, 2),
    ("mushrooms/mushrooms.gz", 8124, 112, 2),
    ("letter/letter.csv.gz", 20000, 16, 26),
    ("shuttle/shuttle_train.csv.gz", 43500, 9, 7),
    ("shuttle/shuttle_test.csv.gz", 14500, 9, 7),
];

#[test]
fn known_data_sets_have_their_known_shape() {
    let Some(folder) = std::env::var_os("MERCER_DATA").map(PathBuf::from) else {
        println!("skipped: MERCER_DATA does not name a folder with data sets");
        return;
    };
    for (file, rows, columns, classes) in FILES {
        // A test file need not have an entry in the last column.
        let options = ReadOptions { min_columns: columns, ..ReadOptions::default() };
        let table = read_file(folder.join(file), &options).unwrap().table().unwrap();
        let found = (table.rows(), table.vectors.columns(), table.targets.labels().unwrap().classes().len());
        assert_eq!(found, (rows, columns, classes), "{file}");
        assert_eq!(table.feature_names.is_some(), file.contains(".csv"), "{file}");
    }
}
