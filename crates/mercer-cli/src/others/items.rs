//! What the machines of this folder learn from: items of any kind, read as their kernel wants them, and saved with what belongs to them.

use std::path::Path;
use std::sync::Arc;

use mercer::data::{
    Collection, Contents, ItemKind, Items, KernelRow, Labels, Precomputed, ReadOptions, Remarks, Scaling,
    Table, Targets, Vectors,
};
use mercer::gram::CollectionKernel;
use mercer::io::{MatrixModel, Model, ModelCard};
use mercer::kernel::{Expression, White};
use mercer::linalg::Matrix;
use mercer::machine::{
    GaussianProcess, GaussianProcessModel, GaussianProcessParams, LaplaceClassifier, LaplaceModel,
    LaplaceParams, Learning, MatrixOptions, RbfNetwork,
};
use mercer::resources::InstructionSet;
use mercer::{Error, Result};

use crate::arguments::{ReadingArguments, ScaleArgument, TableArguments};
use crate::failure::Failure;
use crate::print::{count, shape};
use crate::{precomputed, remarks, source, structures};

/// The noise that learning begins with, for targets of variance 1.
const NOISE: f64 = 0.1;
/// What a Gaussian process learns of a kernel that knows no derivatives.
const LEARNED: &str = "the factor of the kernel and the noise; other parameters are as they were said";

/// What a file is read with.
pub struct Source<'a> {
    pub path: &'a Path,
    pub reading: &'a ReadingArguments,
    pub table: Option<&'a TableArguments>,
    /// Labels are not needed, and left out where there are any.
    pub unlabelled: bool,
    pub scale: ScaleArgument,
    pub quiet: bool,
}

/// Items that were read, and scaled where that is done.
pub struct Prepared {
    pub items: Collection<'static>,
    pub targets: Targets,
    pub target_name: Option<String>,
    pub groups: Option<Vec<u64>>,
    pub weights: Option<Vec<f64>>,
    pub remarks: Remarks,
    /// In words.
    pub shape: String,
    origin: Origin,
}

/// What a model file says of the items beside what the model keeps.
enum Origin {
    /// Of rows, with their scaling.
    Table(Box<Table<'static>>, Option<Scaling>),
    /// The columns of labels and items.
    Columns(structures::Named),
    /// Of kernel values, about the rows that they stand in.
    Values(Box<ModelCard>),
}

/// Items to compare, with a score to be found for each.
pub struct Test {
    pub items: Collection<'static>,
    pub targets: Targets,
    pub groups: Option<Vec<u64>>,
    /// Rows that were left out.
    pub dropped: Vec<usize>,
}

/// How a Gaussian process is trained.
pub struct Process {
    /// Points that the learning of parameters begins at.
    pub starts: usize,
    pub rank: Option<usize>,
    pub seed: u64,
    pub options: MatrixOptions,
}

impl Process {
    /// For numbers, whatever their unit.
    pub fn numbers<K>(&self, kernel: K) -> GaussianProcessParams<K> {
        let machine = GaussianProcess::params(kernel).normalise_targets(true);
        let machine = machine.learning(self.learning()).options(self.options.clone());
        match self.rank {
            Some(rank) => machine.rank(rank),
            None => machine,
        }
    }

    fn classes<K>(&self, kernel: K) -> LaplaceParams<K> {
        let machine =
            LaplaceClassifier::params(kernel).learning(self.learning()).options(self.options.clone());
        match self.rank {
            Some(rank) => machine.rank(rank),
            None => machine,
        }
    }

    fn learning(&self) -> Learning {
        Learning { restarts: self.starts - 1, seed: self.seed, ..Learning::default() }
    }
}

/// Reads items as the kernel wants them.
pub fn read(kernel: &CollectionKernel, from: &Source<'_>) -> std::result::Result<Prepared, Failure> {
    match kernel.expression().kind() {
        ItemKind::Rows => read_rows(kernel, from),
        ItemKind::KernelValues => read_values(from),
        _ => read_items(kernel, from),
    }
}

fn read_rows(kernel: &CollectionKernel, from: &Source<'_>) -> std::result::Result<Prepared, Failure> {
    let named = |error: Error| error.in_file(source::name(from.path));
    let options = options(from);
    let Contents::Table(table) = source::read(from.path, &options)? else {
        return Err(precomputed::kernel_values(&source::name(from.path)).into());
    };
    if !from.quiet {
        remarks::tell(&table.remarks);
    }
    if table.rows() == 0 {
        return Err(named(Error::Empty { what: "rows" }).into());
    }
    let is_sparse = matches!(table.vectors, Vectors::Sparse(_));
    let non_negative = kernel.expression().on_rows().and_then(Expression::needs_non_negative);
    let kind = from.scale.kind(is_sparse, non_negative).map_err(Failure::Usage)?;
    let scaling = kind
        .map(|kind| Scaling::fit_weighted(kind, &table.vectors, table.weights.as_deref()))
        .transpose()
        .map_err(named)?;
    let items = match &scaling {
        Some(scaling) => scaling.apply(&table.vectors).map_err(named)?,
        None => table.vectors.clone(),
    };
    Ok(Prepared {
        shape: shape(&items),
        items: items.into(),
        targets: table.targets.clone(),
        target_name: table.target_name.clone(),
        groups: table.groups.clone(),
        weights: table.weights.clone(),
        remarks: table.remarks.clone(),
        origin: Origin::Table(Box::new(table), scaling),
    })
}

fn read_items(kernel: &CollectionKernel, from: &Source<'_>) -> std::result::Result<Prepared, Failure> {
    let scale = !matches!(from.scale, ScaleArgument::Auto | ScaleArgument::None);
    structures::check_reading(from.reading, scale, kernel)?;
    let mut reading = from.reading.clone();
    if from.unlabelled && reading.text.is_some() {
        // The column that would be the label may be that of another view.
        reading.label.get_or_insert_with(|| "none".into());
    }
    let table = structures::file(from.path, &reading, from.table, kernel)?;
    if table.items.is_empty() {
        return Err(Error::Empty { what: "items" }.in_file(from.path).into());
    }
    let named = structures::named_columns(&reading, &table);
    Ok(Prepared {
        shape: format!("{} {}", count(table.items.len() as u64), kernel.expression().kind()),
        items: table.items,
        targets: table.targets,
        target_name: reading.label.clone(),
        groups: table.groups,
        weights: table.weights,
        remarks: Remarks::default(),
        origin: Origin::Columns(named),
    })
}

fn read_values(from: &Source<'_>) -> std::result::Result<Prepared, Failure> {
    if !matches!(from.scale, ScaleArgument::Auto | ScaleArgument::None) {
        let what = "--scale is for features: kernel values are taken as they are".into();
        return Err(Failure::Usage(Error::Unsupported { what }));
    }
    let name = source::name(from.path);
    let values = values_of(from)?;
    let (columns, gram) = precomputed::checked(&values).map_err(|error| error.in_file(&name))?;
    let items = KernelRow::training(gram.values().to_vec(), &columns)?;
    let Precomputed { matrix, targets, groups, .. } = values;
    let mut card = ModelCard::of(&Vectors::from(matrix));
    card.notes.insert(precomputed::NAME.into(), precomputed::NOTE.into());
    Ok(Prepared {
        shape: format!("kernel values of {} items", count(items.len() as u64)),
        items: items.into(),
        targets,
        target_name: None,
        groups,
        weights: None,
        remarks: Remarks::default(),
        origin: Origin::Values(Box::new(card)),
    })
}

fn values_of(from: &Source<'_>) -> Result<Precomputed> {
    match source::read(from.path, &options(from))? {
        Contents::Precomputed(values) => Ok(values),
        Contents::Table(_) => Err(precomputed::no_kernel_values(&source::name(from.path))),
    }
}

impl Prepared {
    /// The model with what belongs to it.
    pub fn saved(&self, machine: MatrixModel, seed: u64) -> Result<Model> {
        let mut saved = match &self.origin {
            Origin::Table(table, scaling) => {
                let mut card = ModelCard::of(&table.vectors);
                card.feature_names = table.feature_names.clone();
                card.target_name = table.target_name.clone();
                let saved = Model::new(machine, scaling.clone(), card);
                saved.with_schema(table.schema.as_deref().cloned())
            }
            Origin::Columns(named) => {
                let mut card = ModelCard::of_items(&self.items);
                structures::note_columns(&mut card, named.clone());
                if let Some(learned) = machine.kept().kernel.learned_mending() {
                    card.notes.insert(structures::MENDED.into(), learned.to_string());
                }
                Model::new(machine, None, card)
            }
            Origin::Values(card) => Model::new(machine, None, (**card).clone()),
        };
        noted(&mut saved.card, seed)?;
        Ok(saved)
    }
}

/// Items of another file, as the model wants them.
pub fn test(saved: &Model, from: &Source<'_>) -> Result<Test> {
    let named = |error: Error| error.in_file(source::name(from.path));
    let of_values = |values: Precomputed| -> Result<Test> {
        let (width, expected) = (values.matrix.columns(), saved.card.columns as usize);
        if width != expected {
            let what = "kernel values of a row (one per training item)";
            return Err(named(Error::Shape { what, expected, found: width }));
        }
        let rows = values.matrix.rows();
        let all = (0..rows).flat_map(|row| values.matrix.row(row).to_vec()).collect();
        let items = KernelRow::new(all, width)?.into();
        Ok(Test { items, targets: values.targets, groups: values.groups, dropped: Vec::new() })
    };
    match saved.machine.item_kind() {
        ItemKind::KernelValues => of_values(values_of(from)?),
        ItemKind::Rows => {
            let columns = usize::try_from(saved.card.columns).unwrap_or(usize::MAX);
            let schema = saved.schema.clone().map(Arc::new);
            let options = ReadOptions { schema, ..options(from).columns(columns) };
            let contents = source::read(from.path, &options)?;
            let table = precomputed::rows_for(saved, contents, &source::name(from.path))?;
            if !from.quiet {
                remarks::tell(&table.remarks);
            }
            let items = Collection::from(table.vectors);
            let items = saved.prepare(&items).map_err(named)?.into_owned();
            Ok(Test { items, targets: table.targets, groups: table.groups, dropped: table.remarks.dropped })
        }
        _ => {
            let table = structures::new_items(saved, from.path, from.reading, from.table)?;
            Ok(Test { items: table.items, targets: table.targets, groups: table.groups, dropped: Vec::new() })
        }
    }
}

/// What a Gaussian process learns of its kernel, where that is not all of it.
pub fn learned_of(kernel: &CollectionKernel) -> Option<&'static str> {
    kernel.expression().on_rows().is_none().then_some(LEARNED)
}

/// The kernel on rows of numbers with all that it takes from them; none for other items.
fn resolved_on_rows(
    kernel: &CollectionKernel,
    items: &Collection<'static>,
    weights: Option<&[f64]>,
) -> Result<Option<Expression>> {
    match (kernel.expression().on_rows(), kernel.expression().mending()) {
        // A width that the data are to say is one to begin with.
        (Some(kernel), None) => kernel.resolve_weighted(items.rows()?, weights).map(Some),
        _ => Ok(None),
    }
}

/// A Gaussian process that finds its noise and the parameters of its kernel, or their common factor where it has no derivatives.
pub fn process(
    kernel: &CollectionKernel,
    items: &Collection<'static>,
    targets: &[f64],
    weights: Option<&[f64]>,
    how: &Process,
) -> Result<GaussianProcessModel<CollectionKernel, Collection<'static>>> {
    let targets = Matrix::new(targets.to_vec(), targets.len(), 1)?;
    match resolved_on_rows(kernel, items, weights)? {
        Some(begun) => {
            let noisy = CollectionKernel::from(1.0 * begun + White::new(NOISE)?);
            how.numbers(noisy).check()?.fit_learned(items, &targets, weights)
        }
        None => {
            check_factor(kernel)?;
            how.numbers(kernel.clone()).check()?.fit_scaled(items, &targets, weights, &scaled)
        }
    }
}

/// The same for classes, of items with weights if there are any.
pub fn process_classes(
    kernel: &CollectionKernel,
    items: &Collection<'static>,
    (labels, weights): (&Labels, Option<&[f64]>),
    learn: bool,
    how: &Process,
) -> Result<LaplaceModel<CollectionKernel, Collection<'static>>> {
    match (resolved_on_rows(kernel, items, weights)?, learn) {
        (Some(begun), learn) => {
            let machine = how.classes(CollectionKernel::from(1.0 * begun)).check()?;
            match learn {
                true => machine.fit_learned(items, labels, weights),
                false => machine.fit_weighted(items, labels, weights),
            }
        }
        (None, true) => {
            check_factor(kernel)?;
            how.classes(kernel.clone()).check()?.fit_scaled(items, labels, weights, &scaled)
        }
        (None, false) => how.classes(kernel.clone()).check()?.fit_weighted(items, labels, weights),
    }
}

/// The network of radial basis functions, of labels or of targets.
pub fn network(
    machine: &RbfNetwork,
    items: &Collection<'static>,
    labels: std::result::Result<&Labels, &[f64]>,
    weights: Option<&[f64]>,
) -> Result<MatrixModel> {
    let Collection::Rows(rows) = items else {
        let kind = items.kind();
        let what = format!("a network of radial basis functions needs rows of numbers: {kind} have no mean");
        return Err(Error::Unsupported { what });
    };
    Ok(match labels {
        Ok(labels) => machine.fit_classes(rows, labels, weights)?.into(),
        Err(targets) => machine.fit(rows, &Matrix::new(targets.to_vec(), targets.len(), 1)?, weights)?.into(),
    })
}

/// A machine that asks for k(x, x) of new items, or for the items themselves.
pub fn needs_items() -> Error {
    let what =
        "--kernel precomputed: this machine needs more of an item than its values with the training items";
    Error::Unsupported { what: what.into() }
}

/// A multiple of a kernel.
fn scaled(kernel: &CollectionKernel, by: f64) -> Result<CollectionKernel> {
    CollectionKernel::new(kernel.expression().clone().scaled(by)?)
}

/// How a file of rows is read.
pub fn options(from: &Source<'_>) -> ReadOptions {
    let options = ReadOptions { unlabelled: from.unlabelled, ..from.reading.options() };
    from.table.map_or(options.clone(), |table| table.add_to(options))
}

/// What is mended is found from the items, so that there is no factor to be learned outside of it.
fn check_factor(kernel: &CollectionKernel) -> Result<()> {
    if kernel.expression().kind() == ItemKind::KernelValues {
        return Err(needs_items());
    }
    match kernel.expression().mending() {
        Some(_) => Err(Error::Unsupported {
            what: "the factor of a kernel that is shifted or clipped is not learned: --cost says the noise, and the kernel stands as it is"
                .into(),
        }),
        None => Ok(()),
    }
}

/// Writes down how the values were computed, and what was drawn from.
pub fn noted(card: &mut ModelCard, seed: u64) -> Result<()> {
    card.instruction_set = InstructionSet::from_environment()?.name().to_string();
    card.notes.insert("seed".into(), seed.to_string());
    Ok(())
}
