//! What happens to the numbers of an item before it is packed.

use crate::data::Row;
use crate::error::{Error, Result};
use crate::gram::Evaluation;
use crate::kernel::vector::{Epilogue, Measure};

/// Selection of columns, scales, origin and period, applied in double precision.
#[derive(Clone, Debug)]
pub(in crate::gram) struct Preparation {
    subset: Option<Vec<usize>>,
    scales: Option<Vec<f64>>,
    /// Empty: none.
    centre: Vec<f64>,
    /// sin²(π t) has the period 1: only the fraction of t is kept, in which rounding does less harm.
    period: Option<f64>,
    /// Multiply each item by a power of two that brings its norm near 1; the kernel does not notice.
    unit: bool,
    depth: usize,
    columns: usize,
}

impl Preparation {
    pub fn new(evaluation: &Evaluation<'_>, centre: &[f64], columns: usize, depth: usize) -> Result<Self> {
        let form = evaluation.form;
        let unit = form.epilogue == Epilogue::Cosine;
        if unit && form.measure != Measure::Dot {
            let what = "a cosine of anything but inner products".to_string();
            return Err(Error::Unsupported { what });
        }
        if !centre.is_empty() && centre.len() != depth {
            let what = "columns seen by the kernel";
            return Err(Error::Shape { what, expected: centre.len(), found: depth });
        }
        let period = match form.measure {
            Measure::SineSquared { period } => Some(period),
            _ => None,
        };
        Ok(Preparation {
            subset: evaluation.subset.map(<[usize]>::to_vec),
            scales: form.scales.clone(),
            centre: centre.to_vec(),
            period,
            unit,
            depth,
            columns,
        })
    }

    /// The same for items of more columns, none of which is selected.
    pub fn with_columns(&self, columns: usize) -> Self {
        Preparation { columns, depth: columns, ..self.clone() }
    }

    /// Whether the numbers of an item stay as they are.
    pub fn changes_nothing(&self) -> bool {
        self.subset.is_none()
            && self.scales.is_none()
            && self.centre.is_empty()
            && self.period.is_none()
            && !self.unit
    }

    /// Number of columns that are left.
    pub fn depth(&self) -> usize {
        self.depth
    }

    /// The prepared numbers of one item; `whole` is room for the columns of the data.
    pub fn dense(&self, row: &Row<'_>, whole: &mut Vec<f64>, out: &mut Vec<f64>) {
        out.clear();
        match (&self.subset, row) {
            (None, Row::Dense64(values)) => out.extend_from_slice(values),
            (None, Row::Dense32(values)) => out.extend(values.iter().map(|&v| f64::from(v))),
            (None, Row::Strided64(values)) => out.extend(values.iter()),
            (None, Row::Strided32(values)) => out.extend(values.iter().map(f64::from)),
            (subset, Row::Sparse { .. }) => {
                whole.clear();
                whole.resize(self.columns, 0.0);
                row.for_each(|k, v| whole[k] = v);
                match subset {
                    Some(subset) => out.extend(subset.iter().map(|&k| whole[k])),
                    None => out.extend_from_slice(whole),
                }
            }
            (Some(subset), dense) => {
                out.extend(subset.iter().map(|&k| dense.value(k).expect("checked columns")))
            }
        }
        if let Some(scales) = &self.scales {
            out.iter_mut().zip(scales).for_each(|(v, s)| *v *= s);
        }
        out.iter_mut().zip(&self.centre).for_each(|(v, c)| *v -= c);
        self.adjust(out);
    }

    /// The prepared entries of one item in ascending order of the columns left; those that are 0 are dropped.
    pub fn sparse(&self, row: &Row<'_>, entries: &mut Vec<(u32, f64)>) {
        entries.clear();
        match &self.subset {
            None => row.for_each(|k, v| entries.push((k as u32, v))),
            Some(subset) => {
                // Selections are short or nearly everything: either way a search per selected column is cheap.
                for (position, &k) in subset.iter().enumerate() {
                    entries.push((position as u32, row.value(k).expect("checked columns")));
                }
            }
        }
        if let Some(scales) = &self.scales {
            entries.iter_mut().for_each(|(k, v)| *v *= scales[*k as usize]);
        }
        let mut values: Vec<f64> = entries.iter().map(|e| e.1).collect();
        self.adjust(&mut values);
        entries.iter_mut().zip(values).for_each(|(e, v)| e.1 = v);
        entries.retain(|e| e.1 != 0.0);
    }

    fn adjust(&self, values: &mut [f64]) {
        if let Some(period) = self.period {
            values.iter_mut().for_each(|v| *v = (*v / period) - (*v / period).round());
        }
        if self.unit {
            let largest = values.iter().fold(0.0f64, |m, v| m.max(v.abs()));
            if largest > 0.0 {
                // In two steps: the factor itself may be out of range.
                let half = (-largest.log2().floor() / 2.0).clamp(-511.0, 511.0);
                let (a, b) = (half.floor().exp2(), half.ceil().exp2());
                values.iter_mut().for_each(|v| *v = *v * a * b);
            }
        }
    }
}
