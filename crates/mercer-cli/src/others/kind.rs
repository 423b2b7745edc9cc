//! What these machines learn from: rows of numbers, or structured items. Machines are the same for both; how items are read, scaled and
//! saved is not.

use std::fmt::Display;
use std::path::Path;
use std::sync::Arc;

use mercer::data::{
    Collection, Contents, Items, Labels, ReadOptions, Remarks, Scaling, Table, Targets, Vectors,
};
use mercer::gram::{BulkKernel, CollectionKernel};
use mercer::io::{MatrixModel, Model, ModelCard, TrainedMachine};
use mercer::kernel::Expression;
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
use crate::{output, precomputed, remarks, source, structures};

/// The noise that learning begins with, for targets of variance 1.
const NOISE: &str = " + white(0.1)";

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
pub struct Prepared<I: Kind> {
    pub items: I,
    pub targets: Targets,
    pub target_name: Option<String>,
    pub groups: Option<Vec<u64>>,
    pub weights: Option<Vec<f64>>,
    pub remarks: Remarks,
    /// In words.
    pub shape: String,
    pub beside: I::Beside,
}

/// Items to compare, with a score to be found for each.
pub struct Test<I> {
    pub items: I,
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

/// A kind of items that machines learn from.
pub trait Kind: Items<Owned = Self> + Sized {
    type Kernel: BulkKernel<Self> + Display;
    /// What a model file has beside items and model.
    type Beside;

    fn read(kernel: &Self::Kernel, from: &Source<'_>) -> std::result::Result<Prepared<Self>, Failure>;

    /// The model with what belongs to it.
    fn saved(
        read: &Prepared<Self>,
        model: MatrixModel<Self::Kernel, Self>,
        seed: u64,
    ) -> Result<Model<Self::Kernel, Self>>;

    fn write(saved: &Model<Self::Kernel, Self>, path: &Path) -> Result<()>;

    /// Items of another file, as the model wants them.
    fn test(saved: &Model<Self::Kernel, Self>, from: &Source<'_>) -> Result<Test<Self>>;

    /// What a Gaussian process learns of its kernel, where that is not all of it.
    const LEARNED: Option<&'static str>;

    /// A Gaussian process that finds its noise and the parameters of its kernel, or their common factor where it has no derivatives.
    fn process(
        kernel: &Self::Kernel,
        items: &Self,
        targets: &[f64],
        weights: Option<&[f64]>,
        how: &Process,
    ) -> Result<GaussianProcessModel<Self::Kernel, Self>>;

    /// The same for classes, of items with weights if there are any.
    fn process_classes(
        kernel: &Self::Kernel,
        items: &Self,
        labels: (&Labels, Option<&[f64]>),
        learn: bool,
        how: &Process,
    ) -> Result<LaplaceModel<Self::Kernel, Self>>;

    /// The network of radial basis functions, of labels or of targets.
    fn network(
        machine: &RbfNetwork,
        items: &Self,
        labels: std::result::Result<&Labels, &[f64]>,
        weights: Option<&[f64]>,
    ) -> Result<MatrixModel<Self::Kernel, Self>>;
}

impl Kind for Vectors<'static> {
    type Kernel = Expression;
    type Beside = (Table<'static>, Option<Scaling>);

    const LEARNED: Option<&'static str> = None;

    fn read(kernel: &Expression, from: &Source<'_>) -> std::result::Result<Prepared<Self>, Failure> {
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
        let kind = from.scale.kind(is_sparse, kernel.needs_non_negative()).map_err(Failure::Usage)?;
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
            items,
            targets: table.targets.clone(),
            target_name: table.target_name.clone(),
            groups: table.groups.clone(),
            weights: table.weights.clone(),
            remarks: table.remarks.clone(),
            beside: (table, scaling),
        })
    }

    fn saved(read: &Prepared<Self>, model: MatrixModel, seed: u64) -> Result<Model> {
        let (table, scaling) = &read.beside;
        let mut card = ModelCard::of(&table.vectors);
        card.feature_names = table.feature_names.clone();
        card.target_name = table.target_name.clone();
        noted(&mut card, seed)?;
        let saved = Model::new(TrainedMachine::Matrix(model), scaling.clone(), card);
        Ok(saved.with_schema(table.schema.as_deref().cloned()))
    }

    fn write(saved: &Model, path: &Path) -> Result<()> {
        output::save(saved, path)
    }

    fn test(saved: &Model, from: &Source<'_>) -> Result<Test<Self>> {
        let named = |error: Error| error.in_file(source::name(from.path));
        let columns = usize::try_from(saved.card.columns).unwrap_or(usize::MAX);
        let schema = saved.schema.clone().map(Arc::new);
        let options = ReadOptions { schema, ..options(from).columns(columns) };
        let table: Table<'_> = source::read(from.path, &options)?.table().map_err(named)?;
        if !from.quiet {
            remarks::tell(&table.remarks);
        }
        let items = saved.prepare(&table.vectors).map_err(named)?;
        Ok(Test { items, targets: table.targets, groups: table.groups, dropped: table.remarks.dropped })
    }

    fn process(
        kernel: &Expression,
        items: &Self,
        targets: &[f64],
        weights: Option<&[f64]>,
        how: &Process,
    ) -> Result<GaussianProcessModel<Expression, Self>> {
        // A width that the data are to say is one to begin with.
        let begun = BulkKernel::<Self>::resolve(kernel, items, weights)?;
        let noisy: Expression = format!("1 * ({begun}){NOISE}").parse()?;
        let targets = Matrix::new(targets.to_vec(), targets.len(), 1)?;
        how.numbers(noisy).check()?.fit_learned(items, &targets, weights)
    }

    fn process_classes(
        kernel: &Expression,
        items: &Self,
        (labels, weights): (&Labels, Option<&[f64]>),
        learn: bool,
        how: &Process,
    ) -> Result<LaplaceModel<Expression, Self>> {
        let begun = BulkKernel::<Self>::resolve(kernel, items, weights)?;
        let scaled: Expression = format!("1 * ({begun})").parse()?;
        let machine = how.classes(scaled).check()?;
        if learn {
            machine.fit_learned(items, labels, weights)
        } else {
            machine.fit_weighted(items, labels, weights)
        }
    }

    fn network(
        machine: &RbfNetwork,
        items: &Self,
        labels: std::result::Result<&Labels, &[f64]>,
        weights: Option<&[f64]>,
    ) -> Result<MatrixModel> {
        Ok(MatrixModel::Network(match labels {
            Ok(labels) => machine.fit_classes(items, labels, weights)?,
            Err(targets) => machine.fit(items, &Matrix::new(targets.to_vec(), targets.len(), 1)?, weights)?,
        }))
    }
}

impl Kind for Collection {
    type Kernel = CollectionKernel;
    /// The columns of the label and of the items.
    type Beside = structures::Named;

    const LEARNED: Option<&'static str> =
        Some("the factor of the kernel and the noise; other parameters are as they were said");

    fn read(kernel: &CollectionKernel, from: &Source<'_>) -> std::result::Result<Prepared<Self>, Failure> {
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
            beside: named,
        })
    }

    fn saved(
        read: &Prepared<Self>,
        model: MatrixModel<CollectionKernel, Self>,
        seed: u64,
    ) -> Result<Model<CollectionKernel, Self>> {
        let mut card = ModelCard::of_structures(&read.items);
        structures::note_columns(&mut card, read.beside.clone());
        noted(&mut card, seed)?;
        let model = TrainedMachine::Matrix(model);
        if let Some(learned) = model.kept().and_then(|kept| kept.kernel.learned_mending()) {
            card.notes.insert(structures::MENDED.into(), learned.to_string());
        }
        Ok(Model::of_structures(model, card))
    }

    fn write(saved: &Model<CollectionKernel, Self>, path: &Path) -> Result<()> {
        output::save_structures(saved, path)
    }

    fn test(saved: &Model<CollectionKernel, Self>, from: &Source<'_>) -> Result<Test<Self>> {
        let table = structures::new_items(saved, from.path, from.reading, from.table)?;
        Ok(Test { items: table.items, targets: table.targets, groups: table.groups, dropped: Vec::new() })
    }

    fn process(
        kernel: &CollectionKernel,
        items: &Self,
        targets: &[f64],
        weights: Option<&[f64]>,
        how: &Process,
    ) -> Result<GaussianProcessModel<CollectionKernel, Self>> {
        check_factor(kernel)?;
        let targets = Matrix::new(targets.to_vec(), targets.len(), 1)?;
        how.numbers(kernel.clone()).check()?.fit_scaled(items, &targets, weights, &scaled)
    }

    fn process_classes(
        kernel: &CollectionKernel,
        items: &Self,
        (labels, weights): (&Labels, Option<&[f64]>),
        learn: bool,
        how: &Process,
    ) -> Result<LaplaceModel<CollectionKernel, Self>> {
        let machine = how.classes(kernel.clone()).check()?;
        if learn {
            check_factor(kernel)?;
        }
        if learn {
            machine.fit_scaled(items, labels, weights, &scaled)
        } else {
            machine.fit_weighted(items, labels, weights)
        }
    }

    fn network(
        _machine: &RbfNetwork,
        items: &Self,
        _labels: std::result::Result<&Labels, &[f64]>,
        _weights: Option<&[f64]>,
    ) -> Result<MatrixModel<CollectionKernel, Self>> {
        let what = format!(
            "a network of radial basis functions needs rows of numbers: {} have no mean",
            items.kind()
        );
        Err(Error::Unsupported { what })
    }
}

/// A multiple of a kernel.
fn scaled(kernel: &CollectionKernel, by: f64) -> Result<CollectionKernel> {
    format!("{by} * ({kernel})").parse()
}

/// How a file of rows is read.
pub fn options(from: &Source<'_>) -> ReadOptions {
    let options = ReadOptions { unlabelled: from.unlabelled, ..from.reading.options() };
    from.table.map_or(options.clone(), |table| table.add_to(options))
}

/// What is mended is found from the items, so that there is no factor to be learned outside of it.
fn check_factor(kernel: &CollectionKernel) -> Result<()> {
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
