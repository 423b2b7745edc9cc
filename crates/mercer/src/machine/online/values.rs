//! A memory of items that live elsewhere, known by their kernel values.

use std::collections::HashMap;

use super::memory::{Memory, finite};
use crate::error::{Error, Result};

/// A memory that holds no items: each has a number, and whoever asks brings its kernel values with those that are remembered.
///
/// So kernels that are not the library's can be used, and those that compare many items at once faster than one by one. O(n²) values are kept for n remembered
/// items.
///
/// ```
/// use std::collections::HashMap;
/// use mercer::machine::online::{Online, Rule, ValueItem, ValueMemory};
/// let points = [1.0, 2.0, -1.0, -3.0];
/// // All kernel values at once, a column for each item.
/// let table: Vec<Vec<f64>> = points.iter().map(|x| points.iter().map(|z| x * z).collect()).collect();
/// let columns: HashMap<u64, usize> = (0..4).map(|number| (number, number as usize)).collect();
/// let mut machine = Online::params(ValueMemory::default(), Rule::Perceptron).check()?;
/// for (id, values) in table.iter().enumerate() {
///     let item = ValueItem { id: id as u64, values, columns: &columns };
///     machine.learn(item, points[id].signum())?;
/// }
/// // One mistake, at first: w = 1.
/// assert_eq!(machine.function().memory().ids(), [0]);
/// assert_eq!(machine.tally().mistakes, 1);
/// # Ok::<(), mercer::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct ValueMemory {
    ids: Vec<u64>,
    /// k(xᵢ, xⱼ), a row for each slot.
    among: Vec<Vec<f64>>,
}

/// An item by its number and its kernel values.
#[derive(Clone, Copy, Debug)]
pub struct ValueItem<'a> {
    /// Its number.
    pub id: u64,
    /// k(x, ·), with itself too if it is to be learned from.
    pub values: &'a [f64],
    /// In which place of `values` the item of a number is.
    pub columns: &'a HashMap<u64, usize>,
}

impl ValueItem<'_> {
    fn with(&self, other: u64) -> Result<f64> {
        match self.columns.get(&other).and_then(|&column| self.values.get(column)) {
            Some(&value) => finite(value, self.id as usize, other as usize),
            None => {
                let expected = "an item whose kernel values are given";
                Err(Error::Entry { what: "item", index: other as usize, value: self.id as f64, expected })
            }
        }
    }
}

impl ValueMemory {
    /// A memory that holds items of these numbers, with their kernel values among each other, row after row: as [`ValueMemory::values`] gave them.
    ///
    /// # Errors
    /// [`Error::Shape`] for another number of values, [`Error::KernelValue`] for one that is not finite.
    pub fn with_items(ids: Vec<u64>, values: &[f64]) -> Result<Self> {
        let n = ids.len();
        if values.len() != n * n {
            let what = "kernel values (one for each pair of items)";
            return Err(Error::Shape { what, expected: n * n, found: values.len() });
        }
        for (at, &value) in values.iter().enumerate() {
            finite(value, at / n, at % n)?;
        }
        let among = values.chunks_exact(n.max(1)).map(<[f64]>::to_vec).collect();
        Ok(ValueMemory { ids, among })
    }

    /// The numbers of the items, slot by slot.
    pub fn ids(&self) -> &[u64] {
        &self.ids
    }

    /// Their kernel values among each other, row after row.
    pub fn values(&self) -> Vec<f64> {
        self.among.concat()
    }
}

impl Memory for ValueMemory {
    type Item<'a> = ValueItem<'a>;

    fn len(&self) -> usize {
        self.ids.len()
    }

    fn own_value(&self, item: ValueItem<'_>) -> Result<f64> {
        item.with(item.id)
    }

    fn own_value_at(&self, slot: usize) -> Result<f64> {
        Ok(self.among[slot][slot])
    }

    fn compare(&self, item: ValueItem<'_>, values: &mut Vec<f64>) -> Result<()> {
        values.clear();
        for &other in &self.ids {
            values.push(item.with(other)?);
        }
        Ok(())
    }

    fn compare_own(&self, slot: usize, values: &mut Vec<f64>) -> Result<()> {
        values.clear();
        values.extend_from_slice(&self.among[slot]);
        Ok(())
    }

    fn remember(&mut self, item: ValueItem<'_>) -> Result<()> {
        let mut row = Vec::with_capacity(self.ids.len() + 1);
        self.compare(item, &mut row)?;
        let own = self.own_value(item)?;
        for (other, &value) in self.among.iter_mut().zip(&row) {
            other.push(value);
        }
        row.push(own);
        self.among.push(row);
        self.ids.push(item.id);
        Ok(())
    }

    fn forget(&mut self, slot: usize) {
        self.ids.swap_remove(slot);
        self.among.swap_remove(slot);
        for row in &mut self.among {
            row.swap_remove(slot);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Random;
    use crate::machine::Slack;
    use crate::machine::online::{Budget, Online, Remembered, Rule};

    /// The same machine, given items and given values.
    #[test]
    fn values_serve_as_well_as_items() {
        let kernel = |x: &f64, z: &f64| (-(x - z) * (x - z)).exp();
        let mut random = Random::new(3);
        let points: Vec<f64> = (0..60).map(|_| 6.0 * random.uniform()).collect();
        let columns: HashMap<u64, usize> = (0..60).map(|id| (id, id as usize)).collect();
        let rows: Vec<Vec<f64>> =
            points.iter().map(|x| points.iter().map(|z| kernel(z, x)).collect()).collect();
        let rule = Rule::PassiveAggressive { slack: Slack::Linear, cost: 2.0 };
        for budget in [Budget::Unlimited, Budget::Remove { items: 5 }, Budget::Project { items: 5 }] {
            let mut by_items =
                Online::params(Remembered::new(kernel), rule.clone()).budget(budget).check().unwrap();
            let mut by_values =
                Online::params(ValueMemory::default(), rule.clone()).budget(budget).check().unwrap();
            for (id, x) in points.iter().enumerate() {
                let item = ValueItem { id: id as u64, values: &rows[id], columns: &columns };
                let label = (3.0 * x).sin().signum();
                assert_eq!(by_items.learn(x, label).unwrap(), by_values.learn(item, label).unwrap());
                if id == 30 {
                    let memory = by_values.function().memory();
                    let again = ValueMemory::with_items(memory.ids().to_vec(), &memory.values()).unwrap();
                    by_values = Online::resume(again, by_values.state()).unwrap();
                }
            }
            assert_eq!(by_items.state(), by_values.state());
        }
        let alone = HashMap::new();
        let item = ValueItem { id: 1, values: &[], columns: &alone };
        assert!(ValueMemory::default().own_value(item).is_err());
        assert!(ValueMemory::with_items(vec![1, 2], &[1.0]).is_err());
    }
}
