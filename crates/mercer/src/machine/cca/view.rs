//! One view: its coordinates, and the functions that were found.

use crate::data::Items;
use crate::error::{Error, Result};
use crate::gram::{BulkKernel, Columns, SymmetricGram, WithLayout};
use crate::linalg::{Matrix, PivotedCholesky};
use crate::machine::Functions;
use crate::machine::kept::Kept;

/// The functions of one view: Σ βᵢ k(xᵢ, x) + b over the pivots of its factorisation.
#[derive(Clone, Debug)]
pub struct View {
    /// The items that the functions are made of.
    pub pivots: Vec<usize>,
    /// One function per component; over all training items they have mean 0.
    pub functions: Functions,
    /// tr(K − GᵀG)/tr K: what the coordinates leave out.
    pub left_out: f64,
}

/// A view with the items that it is made of.
#[derive(Clone, Debug)]
pub struct CcaView<K: WithLayout, I> {
    kept: Kept<K, I>,
    view: View,
}

impl<K: WithLayout, I> CcaView<K, I> {
    /// The same model with something else in place of what it keeps.
    pub(crate) fn map_kept<L: WithLayout, J>(
        self,
        change: &impl Fn(Kept<K, I>) -> Result<Kept<L, J>>,
    ) -> Result<CcaView<L, J>> {
        Ok(CcaView { kept: change(self.kept)?, view: self.view })
    }

    pub(in crate::machine) fn new(kept: Kept<K, I>, view: View) -> Self {
        CcaView { kept, view }
    }

    /// Joins the functions with the items that they are made of, for example from a file.
    ///
    /// # Errors
    /// Parts that do not fit together.
    pub fn from_parts(kept: Kept<K, I>, view: View) -> Result<Self>
    where
        I: Items,
    {
        view.functions.check(&kept.items)?;
        if view.pivots.len() != kept.items.len() {
            let (expected, found) = (kept.items.len(), view.pivots.len());
            return Err(Error::Shape { what: "pivots (one per item)", expected, found });
        }
        Ok(CcaView { kept, view })
    }

    /// Threads for new items; 0, the default, means as many as there are.
    pub fn with_threads(mut self, threads: usize) -> Self {
        self.kept.threads = threads;
        self
    }

    /// Kernel, layout, precision and items.
    pub fn kept(&self) -> &Kept<K, I> {
        &self.kept
    }

    /// The functions.
    pub fn view(&self) -> &View {
        &self.view
    }

    /// The components of items, one row each. As many kernel values per item as the view has pivots.
    ///
    /// # Errors
    /// Items that the kernel is not defined on, such as rows with another number of columns.
    pub fn transform<J: Items<Owned = I>>(&self, items: &J) -> Result<Matrix>
    where
        K: BulkKernel<J>,
        I: Items,
    {
        let width = self.view.functions.outputs();
        if items.is_empty() {
            return Ok(Matrix::zeros(0, width));
        }
        let values = self.kept.compare(items, |gram, workers| self.view.functions.values(gram, workers))?;
        Matrix::new(values, items.len(), width)
    }
}

/// Coordinates of the items of a view: K ≈ GᵀG.
pub(in crate::machine) struct Coordinates {
    pivots: Vec<usize>,
    /// G at the pivots, one row for each: an upper triangle.
    corner: Matrix,
    /// G with the mean of each row taken away.
    centred: Matrix,
    means: Vec<f64>,
    /// The fraction of the trace that is left out.
    left_out: f64,
}

impl Coordinates {
    /// About the mean by weight, if there are weights; items of weight 0 are no pivots.
    pub fn new(
        gram: &dyn SymmetricGram,
        weights: Option<&[f64]>,
        rank: usize,
        precision: f64,
    ) -> Result<Self> {
        let n = gram.shape().0;
        let mut diagonal = gram.diagonal().to_vec();
        for (own, weight) in diagonal.iter_mut().zip(weights.unwrap_or_default()) {
            *own = if *weight > 0.0 { *own } else { 0.0 };
        }
        let weight = |i: usize| weights.map_or(1.0, |weights| weights[i]);
        let mass = weights.map_or(n as f64, |weights| weights.iter().sum());
        let root = PivotedCholesky::new(&diagonal, rank, precision, |j, column| {
            gram.accumulate(&[j], &[1.0], Columns::Range(0..n), column)
        })?;
        let (mut centred, pivots, left) = root.into_parts();
        let corner = Matrix::from_fn(pivots.len(), pivots.len(), |j, i| centred[(j, pivots[i])]);
        let mut means = Vec::with_capacity(centred.rows());
        for row in centred.values_mut().chunks_mut(n) {
            let mean = row.iter().enumerate().map(|(i, v)| weight(i) * v).sum::<f64>() / mass;
            row.iter_mut().for_each(|v| *v -= mean);
            means.push(mean);
        }
        let of_row = |row: &[f64]| -> f64 {
            row.iter().enumerate().filter(|(i, _)| weight(*i) > 0.0).map(|(_, v)| v * v).sum()
        };
        let size: f64 = centred.values().chunks(n).map(of_row).sum();
        let trace: f64 = diagonal.iter().sum();
        if size <= 1e-14 * trace {
            return Err(Error::Undefined {
                what: "a direction of feature space".into(),
                why: "all items are the same in feature space".into(),
            });
        }
        Ok(Coordinates { pivots, corner, centred, means, left_out: left / trace })
    }

    pub fn rank(&self) -> usize {
        self.means.len()
    }

    /// One row per coordinate, to be worked on.
    pub fn centred_mut(&mut self) -> &mut Matrix {
        &mut self.centred
    }

    /// One row per coordinate.
    pub fn centred(&self) -> &Matrix {
        &self.centred
    }

    /// The functions ⟨w, g(x) − mean⟩ for the rows w of a matrix. As g(x) = P⁻¹k(pivots, x) with P = Gᵀ at the pivots, a lower triangle,
    /// the coefficients are P⁻ᵀw.
    pub fn view(&self, directions: &Matrix) -> View {
        let (rank, count) = (self.rank(), directions.rows());
        let lower = |i: usize, j: usize| self.corner[(j, i)];
        let mut functions = Functions { coefficients: vec![0.0; rank * count], offsets: vec![0.0; count] };
        for k in 0..count {
            let mut beta = directions.row(k).to_vec();
            functions.offsets[k] = -beta.iter().zip(&self.means).map(|(w, m)| w * m).sum::<f64>();
            for i in (0..rank).rev() {
                let known: f64 = (i + 1..rank).map(|j| lower(j, i) * beta[j]).sum();
                beta[i] = (beta[i] - known) / lower(i, i);
            }
            beta.iter().enumerate().for_each(|(i, b)| functions.coefficients[i * count + k] = *b);
        }
        View { pivots: self.pivots.clone(), functions, left_out: self.left_out }
    }
}
