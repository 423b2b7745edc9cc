//! Ordered collections of items: all that a learner knows about its data.

/// An ordered collection over any domain.
///
/// A learner never looks inside an item; it asks a kernel to compare two of them. `Vec<T>` is a
/// collection of any type, [`Vectors`](crate::data::Vectors) one of numeric rows.
///
/// ```
/// use mercer::data::Items;
/// let words = vec!["kernel".to_string(), "margin".to_string()];
/// assert_eq!(words.len(), 2);
/// assert_eq!(Items::get(&words, 1), "margin");
/// assert_eq!(words.select(&[1, 1]), ["margin", "margin"]);
/// ```
pub trait Items: Send + Sync {
    /// A view of one item.
    type Item<'a>
    where
        Self: 'a;

    /// The same collection with its items owned, as a model keeps them.
    type Owned: Items + 'static;

    /// Number of items.
    fn len(&self) -> usize;

    /// Whether there are none.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The item at position `i`.
    ///
    /// # Panics
    /// If there is none.
    fn get(&self, i: usize) -> Self::Item<'_>;

    /// The items at these positions, in this order, copied.
    ///
    /// # Panics
    /// If there is no such position.
    fn select(&self, positions: &[usize]) -> Self::Owned;
}

impl<T: Clone + Send + Sync + 'static> Items for Vec<T> {
    type Item<'a> = &'a T;
    type Owned = Vec<T>;

    fn len(&self) -> usize {
        Vec::len(self)
    }

    fn get(&self, i: usize) -> &T {
        &self[i]
    }

    fn select(&self, positions: &[usize]) -> Vec<T> {
        positions.iter().map(|&i| self[i].clone()).collect()
    }
}
