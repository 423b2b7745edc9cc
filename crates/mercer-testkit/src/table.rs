//! Reading data sets the naive way, independently of the library's own readers.

use std::path::Path;

/// Dense rows and labels as they are spelled in the file.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    /// Rows of equal length.
    pub rows: Vec<Vec<f64>>,
    /// The label of each row.
    pub labels: Vec<String>,
}

impl Table {
    /// Reads an uncompressed file: CSV (header row, numbers, label last) if its name ends in `.csv`, otherwise
    /// LIBSVM's format. Meant for well-formed files: anything else panics.
    pub fn read(path: &Path) -> Self {
        let text = std::fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        if path.extension().is_some_and(|e| e == "csv") { Self::csv(&text) } else { Self::libsvm(&text) }
    }

    /// The position of each row's label in the sorted list of `classes`.
    ///
    /// Labels that are numbers are compared as numbers, so that `+1` is `1`.
    pub fn codes(&self, classes: &[String]) -> Vec<usize> {
        let same = |a: &str, b: &str| match (a.parse::<f64>(), b.parse::<f64>()) {
            (Ok(a), Ok(b)) => a == b,
            _ => a == b,
        };
        self.labels
            .iter()
            .map(|label| classes.iter().position(|c| same(c, label)).expect("a label of the list"))
            .collect()
    }

    fn csv(text: &str) -> Self {
        let (mut rows, mut labels) = (Vec::new(), Vec::new());
        for line in text.lines().skip(1) {
            let (numbers, label) = line.rsplit_once(',').expect("a label");
            rows.push(numbers.split(',').map(|v| v.parse().expect("a number")).collect());
            labels.push(label.to_string());
        }
        Table { rows, labels }
    }

    fn libsvm(text: &str) -> Self {
        let (mut rows, mut labels) = (Vec::new(), Vec::new());
        for line in text.lines() {
            let mut fields = line.split_whitespace();
            labels.push(fields.next().expect("a label").to_string());
            let mut row: Vec<f64> = Vec::new();
            for field in fields {
                let (index, value) = field.split_once(':').expect("index:value");
                let index: usize = index.parse().expect("an index");
                row.resize(row.len().max(index), 0.0);
                row[index - 1] = value.parse().expect("a number");
            }
            rows.push(row);
        }
        let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
        rows.iter_mut().for_each(|row| row.resize(columns, 0.0));
        Table { rows, labels }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_formats_give_dense_rows() {
        let table = Table::csv("a,b,label\n1,2.5,x\n-1,0,y\n");
        assert_eq!(
            table,
            Table { rows: vec![vec![1.0, 2.5], vec![-1.0, 0.0]], labels: vec!["x".into(), "y".into()] }
        );
        let table = Table::libsvm("+1 1:2 3:4\n-1 2:1 \n");
        assert_eq!(table.rows, [[2.0, 0.0, 4.0], [0.0, 1.0, 0.0]]);
        assert_eq!(table.codes(&["-1".into(), "1".into()]), [1, 0]);
    }
}
