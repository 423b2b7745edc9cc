//! Gram matrices of kernel expressions over numeric rows.

mod builder;
mod layout;

use std::borrow::Cow;

use crate::data::{Items, Vectors};
use crate::error::{Error, Result};
use crate::gram::{BulkKernel, Gram, Plan, Room, Sums, SymmetricGram, WithLayout};
use crate::kernel::{Definiteness, Expression};
pub(super) use builder::CHEAP_STORED;
use builder::{Builder, Sides};
pub use layout::VectorLayout;

impl WithLayout for Expression {
    type Layout = VectorLayout;
}

/// A kernel without combinators (and multiples of one, on whatever columns) is computed by its own fused
/// verbs; all others are put together tile by tile in double precision. Rows are kept where they are
/// expensive: more than 64 columns, more than 32 numbers per sparse row, or two kernels and more.
///
/// New rows must have as many columns as the training rows; sparse ones may have fewer.
impl<'v> BulkKernel<Vectors<'v>> for Expression {
    fn resolve(&self, items: &Vectors<'v>, weights: Option<&[f64]>) -> Result<Self> {
        self.resolve_weighted(items, weights)
    }

    fn layout(&self, items: &Vectors<'v>, plan: &Plan) -> Result<VectorLayout> {
        if !self.is_resolved() {
            let what = format!("{self} waits for training data: resolve it first");
            return Err(Error::Unsupported { what });
        }
        VectorLayout::decide(self, items, plan)
    }

    fn symmetric<'a>(
        &'a self,
        items: &'a Vectors<'v>,
        layout: &VectorLayout,
        plan: &Plan,
    ) -> Result<Box<dyn SymmetricGram + 'a>> {
        plan.check()?;
        let items = fit(items, layout.columns())?;
        self.check(&items)?;
        Builder::new(layout.precision(), plan).symmetric(self, layout.root(), &items)
    }

    fn cross<'a>(
        &'a self,
        rows: &'a Vectors<'static>,
        columns: &'a Vectors<'v>,
        layout: &VectorLayout,
        plan: &Plan,
    ) -> Result<Box<dyn Gram + 'a>> {
        plan.check()?;
        let rows = fit(rows, layout.columns())?;
        let columns = fit(columns, layout.columns())?;
        self.check(&columns)?;
        Builder::new(layout.precision(), plan).cross(self, layout.root(), Sides::Two(&rows, &columns))
    }

    fn add_sums(&self, items: &Vectors<'v>, plan: &Plan, sums: &mut Sums) -> Result<bool> {
        self.check(items)?;
        sums.add(self, items, plan)
    }

    fn of_sums<'r>(
        &self,
        sums: &Sums,
        rows: &[usize],
        columns: &[usize],
        plan: &Plan,
        room: &'r mut Room,
    ) -> Result<Box<dyn SymmetricGram + 'r>> {
        sums.values(self, (rows, columns), plan, room)
    }

    fn definiteness(&self) -> Definiteness {
        Expression::definiteness(self)
    }
}

/// Items with as many columns as the training items had.
fn fit<'i, 'v>(items: &'i Vectors<'v>, columns: usize) -> Result<Cow<'i, Vectors<'v>>> {
    let found = items.columns();
    match items {
        _ if found == columns => Ok(Cow::Borrowed(items)),
        Vectors::Sparse(sparse) if found < columns => {
            Ok(Cow::Owned(Vectors::Sparse(sparse.clone().with_columns(columns)?)))
        }
        // An empty batch has no columns to speak of.
        _ if items.is_empty() => Ok(Cow::Owned(Vectors::Sparse(crate::data::Sparse::from_parts(
            vec![0],
            Vec::new(),
            Vec::new(),
            columns,
        )?))),
        _ => Err(Error::Shape { what: "columns (as in training)", expected: columns, found }),
    }
}
