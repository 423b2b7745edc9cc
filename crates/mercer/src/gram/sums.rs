//! Sums over columns that several kernels are functions of.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::data::{Items, Vectors};
use crate::error::{Error, Result};
use crate::gram::held::runs;
use crate::gram::simd::{Element, Ending, Unit, finish_all};
use crate::gram::{
    Columns, Evaluation, Gram as _, Held, Plan, Precision, PrecomputedGram, Room, SymmetricGram, Value,
    VectorGram,
};
use crate::kernel::Expression;
use crate::kernel::vector::{Epilogue, Form, Measure, power};

/// Numbers that are turned from sums into values at a time, so that they stay in the cache.
const AT_A_TIME: usize = 1 << 14;

/// For all pairs of some items the inner products, distances and other sums that kernels are functions of: what Gaussian kernels of all
/// widths, and sums and products of them with others, have in common.
///
/// They are computed in double precision and kept in that of the plan: n² numbers for each kind of sum, as long as they do not take
/// more bytes than was said.
///
/// ```
/// use mercer::data::Vectors;
/// use mercer::gram::{BulkKernel, Gram, Plan, Room, Sums};
/// use mercer::kernel::Expression;
/// let (rows, plan) = (Vectors::from_rows(&[[0.0], [1.0]])?, Plan::new()?);
/// let mut sums = Sums::new(1 << 20);
/// for kernel in ["gaussian(gamma=0.1)", "gaussian(gamma=9)", "2 * gaussian(gamma=1) + rational_quadratic(alpha=1, length_scale=1)"] {
///     let kernel: Expression = kernel.parse()?;
///     assert!(kernel.add_sums(&rows, &plan, &mut sums)?);
///     let mut room = Room::default();
///     assert_eq!(kernel.of_sums(&sums, &[0, 1], &[0], &plan, &mut room)?.shape(), (2, 1));
/// }
/// // Squared distances serve all of them.
/// assert_eq!(sums.len(), 1);
/// # Ok::<(), mercer::Error>(())
/// ```
#[derive(Debug)]
pub struct Sums {
    kinds: Vec<(Kind, Numbers)>,
    /// Number of items.
    n: usize,
    /// Bytes that may still be taken.
    left: u64,
}

/// Which sum it is.
#[derive(Clone, Debug, PartialEq)]
struct Kind {
    measure: Measure,
    scales: Option<Vec<f64>>,
    /// The columns of the data that it goes over; all if there are none.
    subset: Option<Vec<usize>>,
}

#[derive(Debug)]
enum Numbers {
    F32(Vec<f32>),
    F64(Vec<f64>),
}

impl Sums {
    /// None yet, and no more than so many bytes of them.
    pub fn new(most: u64) -> Self {
        Sums { kinds: Vec::new(), n: 0, left: most }
    }

    /// Number of kinds of sums.
    pub fn len(&self) -> usize {
        self.kinds.len()
    }

    /// Bytes that may still be taken.
    pub fn left(&self) -> u64 {
        self.left
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.kinds.is_empty()
    }

    fn of<T: Value>(&self, kind: &Kind) -> Option<&[T]> {
        self.kinds.iter().find(|(other, _)| other == kind).and_then(|(_, numbers)| {
            T::of(match numbers {
                Numbers::F32(numbers) => Held::F32(numbers),
                Numbers::F64(numbers) => Held::F64(numbers),
            })
        })
    }

    /// Adds the sums of a kernel; `false` if it is not a function of sums, or if there is not the memory for them.
    pub(super) fn add(&mut self, kernel: &Expression, items: &Vectors<'_>, plan: &Plan) -> Result<bool> {
        let mut wanted = Vec::new();
        if !kinds(kernel, None, &mut wanted) {
            return Ok(false);
        }
        let n = items.len();
        if !self.is_empty() && n != self.n {
            return Err(Error::Shape { what: "items that sums are shared by", expected: self.n, found: n });
        }
        let single = plan.precision.resolve(n) == Precision::F32;
        let bytes = (n as u64).saturating_mul(n as u64).saturating_mul(if single { 4 } else { 8 });
        for kind in wanted {
            if self.kinds.iter().any(|(other, _)| *other == kind) {
                continue;
            }
            if self.left < bytes {
                return Ok(false);
            }
            let numbers = match single {
                true => Numbers::F32(computed(&kind, items, plan)?),
                false => Numbers::F64(computed(&kind, items, plan)?),
            };
            (self.n, self.left) = (n, self.left - bytes);
            self.kinds.push((kind, numbers));
        }
        Ok(true)
    }

    /// The values of some rows and columns of a kernel whose sums are there.
    pub(super) fn values<'r>(
        &self,
        kernel: &Expression,
        part: (&[usize], &[usize]),
        plan: &Plan,
        room: &'r mut Room,
    ) -> Result<Box<dyn SymmetricGram + 'r>> {
        match plan.precision.resolve(self.n) {
            Precision::F32 => self.filled::<f32>(kernel, part, plan, room),
            _ => self.filled::<f64>(kernel, part, plan, room),
        }
    }

    fn filled<'r, T: Value + Element>(
        &self,
        kernel: &Expression,
        (rows, columns): (&[usize], &[usize]),
        plan: &Plan,
        room: &'r mut Room,
    ) -> Result<Box<dyn SymmetricGram + 'r>> {
        plan.check()?;
        let unsupported =
            || Error::Unsupported { what: format!("the sums that {kernel} is made of are not there") };
        let unit = Unit::new(plan.level).ok_or_else(unsupported)?;
        if !self.evaluate::<T>(kernel, None, unit, &Line { row: 0, runs: &[] }, &mut []) {
            return Err(unsupported());
        }
        if let Some(&row) = rows.iter().chain(columns).find(|&&row| row >= self.n) {
            return Err(Error::Shape {
                what: "items that sums are shared by",
                expected: self.n,
                found: row + 1,
            });
        }
        let runs = runs(columns);
        let (width, values) = (columns.len(), T::place(room));
        values.resize(PrecomputedGram::<T>::room_for(rows.len(), width), T::default());
        let (is_finite, used) = (AtomicBool::new(true), rows.len() * width);
        let at_a_time = (AT_A_TIME / width.max(1)).max(1) * width;
        plan.workers.for_each_chunk(&mut values[..used], at_a_time, true, |start, out| {
            for (&row, out) in rows[start / width..].iter().zip(out.chunks_mut(width)) {
                self.evaluate(kernel, None, unit, &Line { row, runs: &runs }, out);
                is_finite.fetch_and(out.iter().all(|value| value.to_f64().is_finite()), Ordering::Relaxed);
            }
        });
        if !is_finite.into_inner()
            && let Some(at) = values[..used].iter().position(|value| !value.to_f64().is_finite())
        {
            let (row, column) = (rows[at / width], columns[at % width]);
            return Err(Error::KernelValue { row, column, value: values[at].to_f64() });
        }
        let diagonal = match rows == columns {
            true => (0..width).map(|i| values[i * width + i].to_f64()).collect(),
            false => Vec::new(),
        };
        let gram = PrecomputedGram::trusted(&values[..], rows.len(), width, plan.level);
        Ok(Box::new(gram.with_diagonal(diagonal)))
    }

    /// The values of some columns of a row; `false` if they cannot be told.
    fn evaluate<T: Value + Element>(
        &self,
        kernel: &Expression,
        subset: Option<&[usize]>,
        unit: Unit,
        line: &Line<'_>,
        out: &mut [T],
    ) -> bool {
        if let Some((factor, form)) = kernel.form() {
            let Some(sums) = self.of::<T>(&Kind::of(&form, subset)) else { return false };
            line.copy(sums, self.n, out);
            finish_all(unit, Ending::new(form.epilogue, factor), out);
            return true;
        }
        let mut each = |join: &dyn Fn(T, T) -> T| {
            let mut other = vec![T::default(); out.len()];
            let mut children = kernel.children().iter();
            let first = children.next().is_some_and(|child| self.evaluate(child, subset, unit, line, out));
            first
                && children.all(|child| {
                    let known = self.evaluate(child, subset, unit, line, &mut other);
                    out.iter_mut().zip(&other).for_each(|(all, one)| *all = join(*all, *one));
                    known
                })
        };
        match kernel {
            Expression::Sum(_) => each(&|a, b| number(a.to_f64() + b.to_f64())),
            Expression::Product(_) => each(&|a, b| number(a.to_f64() * b.to_f64())),
            Expression::Constant(k) => {
                out.fill(number(k.value()));
                true
            }
            Expression::White(k) => {
                let noise = |column: usize| if column == line.row { k.noise() } else { 0.0 };
                let columns = line.runs.iter().flat_map(Range::clone);
                columns.zip(out).for_each(|(column, value)| *value = number(noise(column)));
                true
            }
            Expression::Scale(_) | Expression::Power(_) | Expression::Columns(_) => {
                let change = |out: &mut [T], change: &dyn Fn(f64) -> f64| {
                    out.iter_mut().for_each(|value| *value = number(change(value.to_f64())));
                };
                let selected = match kernel {
                    Expression::Columns(k) => Some(k.selection().within(subset)),
                    _ => subset.map(<[usize]>::to_vec),
                };
                let known = self.evaluate(&kernel.children()[0], selected.as_deref(), unit, line, out);
                match kernel {
                    Expression::Scale(k) => change(out, &|value| k.factor() * value),
                    Expression::Power(k) => change(out, &|value| power(value, k.exponent())),
                    _ => {}
                }
                known
            }
            _ => false,
        }
    }
}

/// Some columns of a row.
struct Line<'a> {
    row: usize,
    /// Columns that follow each other.
    runs: &'a [Range<usize>],
}

impl Line<'_> {
    /// Copies what a matrix of n columns has there.
    fn copy<T: Copy>(&self, values: &[T], n: usize, mut out: &mut [T]) {
        for run in self.runs {
            let (here, rest) = out.split_at_mut(run.len());
            here.copy_from_slice(&values[self.row * n..][run.clone()]);
            out = rest;
        }
    }
}

impl Kind {
    fn of(form: &Form, subset: Option<&[usize]>) -> Self {
        Kind { measure: form.measure, scales: form.scales.clone(), subset: subset.map(<[usize]>::to_vec) }
    }
}

/// The nearest number of a kind.
fn number<T: Value>(value: f64) -> T {
    T::from_f64(value)
}

/// Lists what a kernel is a function of; `false` if that is not sums alone.
fn kinds(kernel: &Expression, subset: Option<&[usize]>, wanted: &mut Vec<Kind>) -> bool {
    if let Some((_, form)) = kernel.form() {
        wanted.push(Kind::of(&form, subset));
        // It needs the norms as well.
        return form.epilogue != Epilogue::Cosine;
    }
    match kernel {
        Expression::Constant(_) | Expression::White(_) => true,
        Expression::Sum(_) | Expression::Product(_) | Expression::Scale(_) | Expression::Power(_) => {
            kernel.children().iter().all(|child| kinds(child, subset, wanted))
        }
        Expression::Columns(k) => kinds(k.kernel(), Some(&k.selection().within(subset)), wanted),
        _ => false,
    }
}

/// The sums of all pairs, computed in double precision.
fn computed<T: Value>(kind: &Kind, items: &Vectors<'_>, plan: &Plan) -> Result<Vec<T>> {
    let n = items.len();
    let form = Form { measure: kind.measure, epilogue: Epilogue::Identity, scales: kind.scales.clone() };
    let evaluation = Evaluation {
        form: &form,
        factor: 1.0,
        subset: kind.subset.as_deref(),
        precision: Precision::F64,
        level: plan.level,
        workers: &plan.workers,
    };
    let gram = VectorGram::symmetric(items, &evaluation)?;
    let mut values = vec![T::from_f64(0.0); n * n];
    gram.fill(&(0..n).collect::<Vec<_>>(), Columns::Range(0..n), T::block(&mut values, n))?;
    Ok(values)
}
