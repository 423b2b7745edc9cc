//! Examples that stand for others.

use crate::data::Items;
use crate::error::{Error, Result};
use crate::gram::{
    Block, BulkKernel, Columns, Gram as _, Interruptible, Plan, Precision, SymmetricGram as _,
};

/// An item that was chosen to stand for the others.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Prototype {
    /// The item.
    pub item: usize,
    /// ‖mean φ(x) − mean φ(prototypes)‖², with this one and those before it.
    pub distance: f64,
}

/// The items whose mean in feature space is nearest to that of all items, found one after the other: each is the one that brings the mean
/// nearest, given those before it.
///
/// ```text
/// min over x of  ‖ (1/n) Σ φ(xᵢ) − (1/m) (φ(p₁) + … + φ(pₘ₋₁) + φ(x)) ‖²
/// ```
///
/// O(n²) kernel values, of which a row at a time is held, and O(n · count) additions. (Kernel herding on the items themselves: Y. Chen, M. Welling, A. Smola: Super-samples from
/// kernel herding, UAI 2010; B. Kim, R. Khanna, O. Koyejo: Examples are not enough, learn to criticize!, NIPS 2016.)
///
/// ```
/// use mercer::data::Vectors;
/// use mercer::evaluation::insight::prototypes;
/// use mercer::kernel::Expression;
/// // Two heaps: one prototype from each, the middle ones.
/// let rows = Vectors::from_rows(&[[0.0], [0.1], [0.2], [5.0], [5.1], [5.2]])?;
/// let found = prototypes(&"gaussian(gamma=1)".parse::<Expression>()?, &rows, 2)?;
/// let mut items: Vec<usize> = found.iter().map(|one| one.item).collect();
/// items.sort();
/// assert_eq!(items, [1, 4]);
/// assert!(found[1].distance < 0.01 && found[1].distance < found[0].distance);
/// # Ok::<(), mercer::Error>(())
/// ```
///
/// # Errors
/// [`Error::Empty`] for no items, [`Error::Interval`] for more prototypes than items, a kernel that is not defined on them.
pub fn prototypes<K, I>(kernel: &K, items: &I, count: usize) -> Result<Vec<Prototype>>
where
    I: Items,
    K: BulkKernel<I>,
{
    let mut found = Vec::new();
    prototypes_each(kernel, items, count, &mut |prototype| found.push(prototype))?;
    Ok(found)
}

/// The same, handed over one by one: those that were found before an interrupt are worth having.
///
/// ```
/// use mercer::data::Vectors;
/// use mercer::evaluation::insight::prototypes_each;
/// use mercer::kernel::Expression;
/// use mercer::resources::Interrupt;
/// let rows = Vectors::from_rows(&[[0.0], [0.1], [0.2], [5.0], [5.1], [5.2]])?;
/// let (interrupt, kernel) = (Interrupt::new(), "gaussian(gamma=1)".parse::<Expression>()?);
/// let mut found = Vec::new();
/// let mut take = |prototype| {
///     found.push(prototype);
///     interrupt.raise();
/// };
/// let ended = interrupt.scope(|| prototypes_each(&kernel, &rows, 5, &mut take));
/// assert!(matches!(ended, Err(mercer::Error::Interrupted)));
/// assert_eq!(found.len(), 1);
/// # Ok::<(), mercer::Error>(())
/// ```
///
/// # Errors
/// As [`prototypes`], and [`Error::Interrupted`].
pub fn prototypes_each<K, I>(
    kernel: &K,
    items: &I,
    count: usize,
    found: &mut dyn FnMut(Prototype),
) -> Result<()>
where
    I: Items,
    K: BulkKernel<I>,
{
    let n = items.len();
    if n == 0 {
        return Err(Error::Empty { what: "items" });
    }
    if count == 0 || count > n {
        return Err(Error::Interval { name: "prototypes", value: count as f64, low: 0.0, high: n as f64 });
    }
    let plan = Plan { precision: Precision::F64, ..Plan::new()? };
    let kernel = kernel.resolve_by(items, None, &plan)?;
    let layout = kernel.layout(items, &plan)?;
    let gram = Interruptible::new(kernel.symmetric(items, &layout, &plan)?, plan.interrupt.clone());
    let all: Vec<usize> = (0..n).collect();
    let mut means = vec![0.0; n];
    gram.accumulate(&all, &vec![1.0 / n as f64; n], Columns::Range(0..n), &mut means)?;
    let grand: f64 = means.iter().sum::<f64>() / n as f64;
    // Of the prototypes so far: Σ k(p, ·), Σ means, Σ k(p, p′).
    let (mut sums, mut of_means, mut among) = (vec![0.0; n], 0.0, 0.0);
    let mut chosen = vec![false; n];
    let mut row = vec![0.0; n];
    for m in 1..=count {
        let share = 1.0 / m as f64;
        let distance = |i: usize| {
            let inside = among + 2.0 * sums[i] + gram.diagonal()[i];
            grand - 2.0 * share * (of_means + means[i]) + share * share * inside
        };
        let best = (0..n).filter(|&i| !chosen[i]).min_by(|&a, &b| distance(a).total_cmp(&distance(b)));
        let Some(item) = best else { break };
        found(Prototype { item, distance: distance(item).max(0.0) });
        chosen[item] = true;
        of_means += means[item];
        among += 2.0 * sums[item] + gram.diagonal()[item];
        gram.fill(&[item], Columns::Range(0..n), Block::F64 { values: &mut row, stride: n })?;
        sums.iter_mut().zip(&row).for_each(|(sum, k)| *sum += k);
    }
    Ok(())
}
