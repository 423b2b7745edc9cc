//! `svm-train -t 4`: rows are `label 0:number 1:value … n:value`, kernel values in place of features.

use mercer::Error;
use mercer::data::{Precomputed, Targets, Vectors};
use mercer::io::{KERNEL_VALUES, ModelCard};
use mercer::machine::{Kept, NoveltyModel, Region, Softness, SvcModel, SvrModel};
use mercer::solver::Control;

use super::one_function::{self, detector, regression};
use super::train::{self, Machine, Options};
use crate::failure::Failure;
use crate::precomputed::{NOTE, checked};

pub fn run(options: &Options, values: Precomputed) -> Result<(), Failure> {
    let named = |error: Error| Failure::from(error.in_file(&options.data));
    if options.folds.is_some() {
        let what = "-v is for features: from kernel values (-t 4) a model can be trained";
        return Err(Failure::Usage(Error::Unsupported { what: what.into() }));
    }
    let (positions, gram) = checked(&values).map_err(named)?;
    let (columns, rows) = (values.matrix.columns(), positions.len());
    let kept = |support: &[usize]| {
        Kept::of_kernel_values(&support.iter().map(|&i| positions[i]).collect::<Vec<_>>(), columns)
    };
    let mut card = ModelCard::of(&Vectors::from(values.matrix.clone()));
    card.notes.insert(KERNEL_VALUES.into(), NOTE.into());
    let watch = |_: &_| Control::Continue;
    // Nobody has said that the matrix is positive semi-definite.
    let convex = false;
    let kernel = options.kernel(columns)?;
    match options.machine {
        Machine::Classifier | Machine::NuClassifier => {
            let labels = values.targets.labels()?;
            options.note_unknown_weights(&labels);
            let machine = options.machine(kernel, &labels).map_err(Failure::Usage)?.check()?;
            let fit = machine.fit_gram(&gram, &labels, None, convex, &watch).map_err(named)?;
            let model = SvcModel::from_parts(kept(&fit.pairs.support)?, fit.pairs);
            train::finish(options, model, &labels, card)
        }
        Machine::OneClass => {
            let machine = detector(options, kernel, rows).check().map_err(Failure::Usage)?;
            let fit = machine.fit_gram(&gram, None, convex, &watch).map_err(named)?;
            let (kept, softness) = (kept(&fit.expansion.support)?, Softness::Nu(options.nu));
            let model = NoveltyModel::from_parts(
                kept,
                Region::Hyperplane,
                softness,
                fit.expansion,
                Some(fit.report),
                fit.found,
            );
            one_function::finish(options, model.into(), rows, card)
        }
        Machine::EpsilonRegression | Machine::NuRegression => {
            let Targets::Numbers(targets) = &values.targets else {
                return Err(named(Error::Unsupported { what: "regression needs numbers for labels".into() }));
            };
            let machine = regression(options, kernel, rows).check().map_err(Failure::Usage)?;
            let fit = machine.fit_gram(&gram, targets, None, convex, &watch).map_err(named)?;
            let kept = kept(&fit.expansion.support)?;
            let model = SvrModel::from_parts(kept, machine.loss(), fit.tube, fit.expansion, Some(fit.report));
            one_function::finish(options, model.into(), rows, card)
        }
    }
}
