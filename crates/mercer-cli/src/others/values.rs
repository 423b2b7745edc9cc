//! Kernel values in place of items: rows of a file in LIBSVM's format, each the values of one item with all training items.
//!
//! Machines see a kernel that looks values up. What they learn are functions Σ βᵢ K[x, i], which are linear in the row of x; so models
//! are kept as `precomputed.rs` keeps them, over unit vectors.

use std::fmt;
use std::path::Path;
use std::sync::Arc;

use mercer::data::{Contents, Labels, Precomputed, Remarks, Vectors};
use mercer::gram::{BulkKernel, Gram, Pairwise, PairwiseLayout, Plan, SymmetricGram, WithLayout};
use mercer::io::{MatrixModel, Model, ModelCard, TrainedMachine};
use mercer::kernel::{Definiteness, Expression, Kernel};
use mercer::machine::{
    CcaView, FisherModel, FunctionModel, GaussianProcessModel, Kept, KernelKMeansModel, KernelPcaModel,
    LaplaceModel, LeastSquaresModel, RbfNetwork, RidgeFit, RidgeModel, SpectralModel,
};
use mercer::{Error, Result};

use super::kind::{Kind, Prepared, Process, Source, Test, noted, options};
use crate::arguments::ScaleArgument;
use crate::failure::Failure;
use crate::print::count;
use crate::{output, precomputed, source};

/// The kernel values of one item with the training items.
#[derive(Clone, Debug)]
pub struct Valued {
    /// Of all items of its file, row after row: of training items with themselves, of others with every column.
    values: Arc<Vec<f64>>,
    width: usize,
    row: usize,
    /// Of a training item, its column in files.
    column: Option<usize>,
}

impl Valued {
    fn at(&self, place: usize) -> f64 {
        self.values[self.row * self.width + place]
    }

    /// The value of a training item with this one.
    fn with(&self, training: &Valued, column: usize) -> f64 {
        if self.column.is_some() { self.at(training.row) } else { self.at(column) }
    }
}

/// Items that are known by their kernel values.
pub type Values = Vec<Valued>;

/// The kernel that looks values up; of two items that are not of the training there is none.
#[derive(Clone, Debug)]
struct Known;

impl Kernel<Valued> for Known {
    fn eval(&self, x: &Valued, z: &Valued) -> f64 {
        match (x.column, z.column) {
            (Some(column), _) => z.with(x, column),
            (None, Some(column)) => x.with(z, column),
            (None, None) => f64::NAN,
        }
    }
}

/// The same in bulk.
#[derive(Clone, Debug)]
pub struct LookUp(Pairwise<Known, Valued>);

impl LookUp {
    pub fn new() -> Self {
        LookUp(Pairwise::new(Known))
    }
}

impl fmt::Display for LookUp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(precomputed::NAME)
    }
}

impl WithLayout for LookUp {
    type Layout = PairwiseLayout;
}

impl BulkKernel<Values> for LookUp {
    fn resolve(&self, _: &Values, _: Option<&[f64]>) -> Result<Self> {
        Ok(self.clone())
    }

    fn layout(&self, items: &Values, plan: &Plan) -> Result<PairwiseLayout> {
        self.0.layout(items, plan)
    }

    fn symmetric<'a>(
        &'a self,
        items: &'a Values,
        layout: &PairwiseLayout,
        plan: &Plan,
    ) -> Result<Box<dyn SymmetricGram + 'a>> {
        self.0.symmetric(items, layout, plan)
    }

    fn cross<'a>(
        &'a self,
        rows: &'a Values,
        columns: &'a Values,
        layout: &PairwiseLayout,
        plan: &Plan,
    ) -> Result<Box<dyn Gram + 'a>> {
        self.0.cross(rows, columns, layout, plan)
    }

    fn definiteness(&self) -> Definiteness {
        BulkKernel::<Values>::definiteness(&self.0)
    }
}

impl Kind for Values {
    type Kernel = LookUp;
    /// What the model file says about the rows.
    type Beside = ModelCard;

    const LEARNED: Option<&'static str> = None;

    fn read(_: &LookUp, from: &Source<'_>) -> std::result::Result<Prepared<Self>, Failure> {
        if !matches!(from.scale, ScaleArgument::Auto | ScaleArgument::None) {
            let what = "--scale is for features: kernel values are taken as they are".into();
            return Err(Failure::Usage(Error::Unsupported { what }));
        }
        let name = source::name(from.path);
        let (positions, square, values) = {
            let values = read(from)?;
            let (positions, gram) = precomputed::checked(&values).map_err(|error| error.in_file(&name))?;
            (positions, Arc::new(gram.values().to_vec()), values)
        };
        let width = positions.len();
        let valued = |(row, &column): (usize, &usize)| Valued {
            values: square.clone(),
            width,
            row,
            column: Some(column),
        };
        let items: Values = positions.iter().enumerate().map(valued).collect();
        let Precomputed { matrix, targets, groups, .. } = values;
        let mut card = ModelCard::of(&Vectors::from(matrix));
        card.notes.insert(precomputed::NAME.into(), precomputed::NOTE.into());
        Ok(Prepared {
            shape: format!("kernel values of {} items", count(items.len() as u64)),
            items,
            targets,
            target_name: None,
            groups,
            weights: None,
            remarks: Remarks::default(),
            beside: card,
        })
    }

    fn saved(
        read: &Prepared<Self>,
        model: MatrixModel<LookUp, Self>,
        seed: u64,
    ) -> Result<Model<LookUp, Self>> {
        let mut card = read.beside.clone();
        noted(&mut card, seed)?;
        Ok(Model { model: TrainedMachine::Matrix(model), scaling: None, card, schema: None })
    }

    fn write(saved: &Model<LookUp, Self>, path: &Path) -> Result<()> {
        let TrainedMachine::Matrix(model) = &saved.machine else {
            return Err(Error::Unsupported { what: "kernel values for a machine that has none".into() });
        };
        let columns = usize::try_from(saved.card.columns).unwrap_or(usize::MAX);
        let model = over_unit_vectors(model, columns)?;
        output::save(&Model::new(TrainedMachine::Matrix(model), None, saved.card.clone()), path)
    }

    fn test(saved: &Model<LookUp, Self>, from: &Source<'_>) -> Result<Test<Self>> {
        let values = read(from)?;
        let (width, expected) = (values.matrix.columns(), saved.card.columns as usize);
        if width != expected {
            let what = "kernel values of a row (one per training item)";
            let wrong = Error::Shape { what, expected, found: width };
            return Err(wrong.in_file(source::name(from.path)));
        }
        let rows = values.matrix.rows();
        let all = Arc::new((0..rows).flat_map(|row| values.matrix.row(row).to_vec()).collect::<Vec<f64>>());
        let items = (0..rows).map(|row| Valued { values: all.clone(), width, row, column: None }).collect();
        Ok(Test { items, targets: values.targets, groups: values.groups, dropped: Vec::new() })
    }

    fn process(
        _: &LookUp,
        _: &Self,
        _: &[f64],
        _: Option<&[f64]>,
        _: &Process,
    ) -> Result<GaussianProcessModel<LookUp, Self>> {
        Err(needs_items())
    }

    fn process_classes(
        _: &LookUp,
        _: &Self,
        _: (&Labels, Option<&[f64]>),
        _: bool,
        _: &Process,
    ) -> Result<LaplaceModel<LookUp, Self>> {
        Err(needs_items())
    }

    fn network(
        _: &RbfNetwork,
        _: &Self,
        _: std::result::Result<&Labels, &[f64]>,
        _: Option<&[f64]>,
    ) -> Result<MatrixModel<LookUp, Self>> {
        Err(needs_items())
    }
}

/// A machine that asks for k(x, x) of new items, or for the items themselves.
pub fn needs_items() -> Error {
    let what =
        "--kernel precomputed: this machine needs more of an item than its values with the training items";
    Error::Unsupported { what: what.into() }
}

fn read(from: &Source<'_>) -> Result<Precomputed> {
    match source::read(from.path, &options(from))? {
        Contents::Precomputed(values) => Ok(values),
        Contents::Table(_) => Err(precomputed::no_kernel_values(&source::name(from.path))),
    }
}

type UnitVectors = Kept<Expression, Vectors<'static>>;

/// The same functions over unit vectors, for rows of as many kernel values.
fn over_unit_vectors(model: &MatrixModel<LookUp, Values>, columns: usize) -> Result<MatrixModel> {
    let positions: Vec<usize> = model.kept().items.iter().filter_map(|item| item.column).collect();
    let kept = Kept::of_kernel_values(&positions, columns)?;
    fn again<R: Clone>(
        kept: UnitVectors,
        model: &FunctionModel<LookUp, Values, R>,
    ) -> Result<FunctionModel<Expression, Vectors<'static>, R>> {
        FunctionModel::from_parts(kept, model.functions().clone(), model.report().clone())
    }
    let ridge = |kept: UnitVectors, model: &RidgeModel<LookUp, Values>| {
        let (functions, report) = (model.functions().clone(), model.report().clone());
        RidgeModel::from_parts(kept, RidgeFit { functions, report, left_out: model.left_out().cloned() })
    };
    Ok(match model {
        MatrixModel::Ridge(model) => MatrixModel::Ridge(ridge(kept, model)?),
        MatrixModel::LeastSquares(model) => {
            let (classes, ridge) = (model.classes().to_vec(), ridge(kept, model.ridge())?);
            MatrixModel::LeastSquares(LeastSquaresModel::from_parts(classes, ridge)?)
        }
        MatrixModel::Fisher(model) => {
            let view = CcaView::from_parts(kept, model.view().view().clone())?;
            let (classes, ratios) = (model.classes().to_vec(), model.ratios().to_vec());
            MatrixModel::Fisher(FisherModel::from_parts(classes, ratios, model.means().clone(), view)?)
        }
        MatrixModel::Pca(model) => MatrixModel::Pca(KernelPcaModel::from_parts(kept, model.fit().clone())?),
        MatrixModel::KMeans(model) => {
            MatrixModel::KMeans(KernelKMeansModel::from_parts(kept, model.fit().clone())?)
        }
        MatrixModel::Spectral(model) => {
            MatrixModel::Spectral(SpectralModel::from_parts(kept, model.fit().clone())?)
        }
        MatrixModel::Pls(model) => MatrixModel::Pls(again(kept, model)?),
        MatrixModel::Rank(model) => MatrixModel::Rank(again(kept, model)?),
        MatrixModel::Ordinal(model) => MatrixModel::Ordinal(again(kept, model)?),
        MatrixModel::Relevance(model) => MatrixModel::Relevance(again(kept, model)?),
        MatrixModel::BayesPoint(model) => MatrixModel::BayesPoint(again(kept, model)?),
        MatrixModel::GaussianProcess(_) | MatrixModel::Laplace(_) | MatrixModel::View(_) => {
            return Err(needs_items());
        }
        MatrixModel::Slab(_) | MatrixModel::Network(_) => return Err(needs_items()),
    })
}
