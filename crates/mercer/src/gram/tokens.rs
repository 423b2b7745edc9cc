//! Kernels on strings of tokens in bulk.

use crate::error::Result;
use crate::gram::{BulkKernel, Gram, PairwiseLayout, Plan, SymmetricGram, WithLayout};
use crate::kernel::Definiteness;
use crate::kernel::string::Numbering;

/// A kernel that looks at each item once: its Gram matrices do not borrow the items.
pub(super) trait Independent<T>: Clone + Send + Sync {
    fn gram_of<'a>(
        &'a self,
        items: &[T],
        layout: &PairwiseLayout,
        plan: &Plan,
    ) -> Result<Box<dyn SymmetricGram + 'a>>;

    fn gram_between<'a>(
        &'a self,
        rows: &[T],
        columns: &[T],
        layout: &PairwiseLayout,
        plan: &Plan,
    ) -> Result<Box<dyn Gram + 'a>>;

    fn is_definite(&self) -> Definiteness;
}

/// A kernel on strings of symbols, on texts whose symbols are their tokens.
#[derive(Clone)]
pub(super) struct Tokens<B> {
    kernel: B,
    /// Makes a symbol of the rank of a token.
    symbol: fn(u32) -> u32,
}

impl<B> Tokens<B> {
    pub(super) fn new(kernel: B, symbol: fn(u32) -> u32) -> Self {
        Tokens { kernel, symbol }
    }

    fn symbols(&self, numbering: &Numbering<'_>, texts: &[String]) -> Vec<Vec<u32>> {
        let of = |text: &String| numbering.symbols(text).into_iter().map(self.symbol).collect();
        texts.iter().map(of).collect()
    }
}

impl<B> WithLayout for Tokens<B> {
    type Layout = PairwiseLayout;
}

impl<B: Independent<Vec<u32>>> BulkKernel<Vec<String>> for Tokens<B> {
    /// None of these kernels learns from items.
    fn resolve(&self, _: &Vec<String>, _: Option<&[f64]>) -> Result<Self> {
        Ok(self.clone())
    }

    fn layout(&self, items: &Vec<String>, plan: &Plan) -> Result<PairwiseLayout> {
        Ok(PairwiseLayout::new(items.len(), plan))
    }

    fn symmetric<'a>(
        &'a self,
        items: &'a Vec<String>,
        layout: &PairwiseLayout,
        plan: &Plan,
    ) -> Result<Box<dyn SymmetricGram + 'a>> {
        let numbering = Numbering::of(items.iter().map(String::as_str));
        self.kernel.gram_of(&self.symbols(&numbering, items), layout, plan)
    }

    fn cross<'a>(
        &'a self,
        rows: &'a Vec<String>,
        columns: &'a Vec<String>,
        layout: &PairwiseLayout,
        plan: &Plan,
    ) -> Result<Box<dyn Gram + 'a>> {
        let numbering = Numbering::of(rows.iter().chain(columns).map(String::as_str));
        let (rows, columns) = (self.symbols(&numbering, rows), self.symbols(&numbering, columns));
        self.kernel.gram_between(&rows, &columns, layout, plan)
    }

    fn definiteness(&self) -> Definiteness {
        self.kernel.is_definite()
    }
}
