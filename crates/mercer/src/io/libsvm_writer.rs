//! Models for LIBSVM to read: what its format can hold, and what it cannot.

use std::io::Write;

use super::card::{KERNEL_VALUES, LIBSVM_RHO};
use super::libsvm_model::unsupported;
use super::{Model, TrainedMachine};
use crate::data::{Items, Row, Scaling, Vectors};
use crate::error::Result;
use crate::kernel::Expression;
use crate::kernel::vector::{Epilogue, Form, Measure};
use crate::machine::one_against_one::pairs;
use crate::machine::probability::{Map, Sigmoid};
use crate::machine::{Decision, Expansion, Loss, Probability, Region};

/// Whether [`write_libsvm_model`] could write a model with these classes, scaling and kernel, before it is trained.
///
/// ```
/// use mercer::io::check_libsvm_model;
/// use mercer::kernel::Expression;
/// let kernel: Expression = "gaussian(gamma=scale)".parse()?;
/// check_libsvm_model(&["-1".into(), "1".into()], None, &kernel)?;
/// assert!(check_libsvm_model(&["no".into(), "yes".into()], None, &kernel).is_err());
/// # Ok::<(), mercer::Error>(())
/// ```
///
/// # Errors
/// [`Error::Unsupported`](crate::Error::Unsupported) for what the format cannot hold.
pub fn check_libsvm_model(classes: &[String], scaling: Option<&Scaling>, kernel: &Expression) -> Result<()> {
    if scaling.is_some() {
        return unsupported(
            "a LIBSVM model file cannot hold the scaling of the features: scale the data first",
        );
    }
    // LIBSVM reads labels as whole numbers.
    if let Some(class) = classes.iter().find(|c| c.parse::<i32>().is_err()) {
        return unsupported(&format!(
            "a LIBSVM model file cannot hold the class {class:?}: whole numbers only"
        ));
    }
    kernel_lines(kernel).map(|_| ())
}

/// Writes a classifier, a regression or a one-class hyperplane as a LIBSVM model file.
///
/// # Errors
/// [`Error::Unsupported`](crate::Error::Unsupported) for a scaling, a kernel or class names that the format cannot hold;
/// [`Error::Io`](crate::Error::Io).
pub fn write_libsvm_model(saved: &Model, out: &mut impl Write) -> Result<()> {
    let model = match &saved.machine {
        TrainedMachine::Svc(model) => model,
        TrainedMachine::Svr(model) => {
            let machine = if let Loss::Nu { .. } = model.loss() { "nu_svr" } else { "epsilon_svr" };
            let (items, expansion) = (model.kept().items.rows()?, model.expansion());
            return write_expansion(saved, machine, items, expansion, 1.0, 0.0 - expansion.offset, out);
        }
        TrainedMachine::Novelty(model) if model.region() == Region::Hyperplane => {
            let (items, scale) = (model.kept().items.rows()?, model.scale());
            let edge = if saved.card.notes.contains_key(LIBSVM_RHO) { 0.0 } else { model.edge() };
            let rho = scale * (model.found().threshold - edge);
            return write_expansion(saved, "one_class", items, model.expansion(), scale, rho, out);
        }
        TrainedMachine::Novelty(_) => return unsupported("a LIBSVM model file cannot hold a sphere"),
        TrainedMachine::Matrix(_) => {
            return unsupported("a LIBSVM model file holds support vector machines, and this is none");
        }
        TrainedMachine::Linear(_) | TrainedMachine::LinearRegression(_) => {
            return unsupported(
                "a LIBSVM model file cannot hold a linear machine, which has no support vectors",
            );
        }
        TrainedMachine::Classes(_) => {
            return unsupported(
                "a LIBSVM model file cannot hold a machine with one function per class: pairs only",
            );
        }
    };
    let pairwise = model.pairs();
    check_libsvm_model(&pairwise.classes, saved.scaling.as_ref(), kernel_on_rows(saved)?)?;
    let (kernel, items) = (kernel_of(saved)?, model.support_items().rows()?);
    let k = pairwise.class_count();
    if k > 2 && pairwise.decision == Decision::Graph {
        return unsupported("a LIBSVM model file cannot hold a decision graph: its pairs vote");
    }
    // 1 stands before -1 there too, if nothing else is asked for.
    let order = saved.card.label_order(&pairwise.classes).unwrap_or_else(|| (0..k).rev().collect());
    // +1 where LIBSVM's earlier label is Mercer's later class: positive values speak for the first there.
    let place = |class: usize| order.iter().position(|&other| other == class);
    let sign = |a: usize, b: usize| if (place(a) < place(b)) == (a > b) { 1.0 } else { -1.0 };
    let number_of_pair =
        |a: usize, b: usize| pairs(k).position(|pair| pair == (a.min(b), a.max(b))).unwrap_or(0);
    let shares = saved.card.notes.get("formulation").is_some_and(|note| note.starts_with("slack nu"));
    let machine = if shares { "nu_svc" } else { "c_svc" };
    write!(out, "svm_type {machine}\n{kernel}nr_class {k}\ntotal_sv {}\nrho", pairwise.support.len())?;
    for (i, j) in pairs(k) {
        // 0 − offset, so that an offset of 0 is not written as -0.
        let offset = pairwise.offsets[number_of_pair(order[i], order[j])];
        write!(out, " {}", 0.0 - sign(order[i], order[j]) * offset)?;
    }
    write!(out, "\nlabel")?;
    for &class in &order {
        write!(out, " {}", pairwise.classes[class])?;
    }
    if let Some(calibration) = &pairwise.calibration {
        if calibration.kind == Probability::Consistent {
            return unsupported(
                "a LIBSVM model file holds Platt's probabilities, not consistent ones: train with the kind platt",
            );
        }
        let sigmoids = pairs(k).map(|(i, j)| match calibration.maps[number_of_pair(order[i], order[j])] {
            // 1 − p of the other sign of f.
            Map::Sigmoid(sigmoid) => {
                Ok(Sigmoid { shift: sign(order[i], order[j]) * sigmoid.shift + 0.0, ..sigmoid })
            }
            Map::Isotonic(_) => unsupported("a LIBSVM model file cannot hold isotonic probabilities"),
        });
        let sigmoids = sigmoids.collect::<Result<Vec<_>>>()?;
        write!(out, "\nprobA")?;
        sigmoids.iter().try_for_each(|sigmoid| write!(out, " {}", sigmoid.slope))?;
        write!(out, "\nprobB")?;
        sigmoids.iter().try_for_each(|sigmoid| write!(out, " {}", sigmoid.shift))?;
    }
    write!(out, "\nnr_sv")?;
    for &class in &order {
        write!(out, " {}", pairwise.starts[class + 1] - pairwise.starts[class])?;
    }
    writeln!(out, "\nSV")?;
    for &class in &order {
        for i in pairwise.starts[class]..pairwise.starts[class + 1] {
            let coefficients = &pairwise.coefficients[i * (k - 1)..][..k - 1];
            for other in order.iter().filter(|&&other| other != class) {
                let coefficient = coefficients[other - usize::from(*other > class)];
                write!(out, "{} ", sign(class, *other) * coefficient + 0.0)?;
            }
            write_features(saved, &items.get(i), out)?;
            writeln!(out)?;
        }
    }
    Ok(())
}

/// Writes a machine of one function, its coefficients multiplied by `scale`.
fn write_expansion(
    saved: &Model,
    machine: &str,
    items: &Vectors<'_>,
    expansion: &Expansion,
    scale: f64,
    rho: f64,
    out: &mut impl Write,
) -> Result<()> {
    check_libsvm_model(&[], saved.scaling.as_ref(), kernel_on_rows(saved)?)?;
    let kernel = kernel_of(saved)?;
    writeln!(out, "svm_type {machine}\n{kernel}nr_class 2\ntotal_sv {}\nrho {rho}\nSV", items.len())?;
    for (i, coefficient) in expansion.coefficients.iter().enumerate() {
        write!(out, "{} ", coefficient * scale)?;
        write_features(saved, &items.get(i), out)?;
        writeln!(out)?;
    }
    Ok(())
}

fn write_features(saved: &Model, row: &Row<'_>, out: &mut impl Write) -> Result<()> {
    let mut outcome = Ok(());
    if saved.card.notes.contains_key(KERNEL_VALUES) {
        // A unit vector stands for the training item of this number.
        row.for_each(|column, _| outcome = write!(out, "0:{} ", column + 1));
        return Ok(outcome?);
    }
    row.for_each(|column, value| {
        if value != 0.0 && outcome.is_ok() {
            outcome = write!(out, "{}:{value} ", column + 1);
        }
    });
    Ok(outcome?)
}

fn kernel_of(saved: &Model) -> Result<String> {
    match saved.card.notes.contains_key(KERNEL_VALUES) {
        true => Ok("kernel_type precomputed\n".into()),
        false => kernel_lines(kernel_on_rows(saved)?),
    }
}

/// The kernel, if it is one on rows of numbers as they are.
fn kernel_on_rows(saved: &Model) -> Result<&Expression> {
    let kernel = saved.machine.kernel();
    match kernel.on_rows() {
        Some(kernel) => Ok(kernel),
        None => unsupported(&format!("a LIBSVM model file cannot hold the kernel {kernel}")),
    }
}

fn kernel_lines(kernel: &Expression) -> Result<String> {
    // By form and not by name: every spelling of a width is a gamma.
    Ok(match kernel.form() {
        Some((1.0, Form { measure: Measure::Dot, epilogue, scales: None })) => match epilogue {
            Epilogue::Identity => "kernel_type linear\n".to_string(),
            Epilogue::Polynomial { gamma, constant, degree } => {
                format!("kernel_type polynomial\ndegree {degree}\ngamma {gamma}\ncoef0 {constant}\n")
            }
            Epilogue::Tanh { gamma, constant } => {
                format!("kernel_type sigmoid\ngamma {gamma}\ncoef0 {constant}\n")
            }
            _ => return no_place_for(kernel),
        },
        Some((
            1.0,
            Form {
                measure: Measure::SquaredDistance,
                epilogue: Epilogue::Exponential { rate },
                scales: None,
            },
        )) => format!("kernel_type rbf\ngamma {rate}\n"),
        _ => return no_place_for(kernel),
    })
}

fn no_place_for<T>(kernel: &Expression) -> Result<T> {
    let known = "linear, polynomial, gaussian and sigmoid only";
    unsupported(&format!("a LIBSVM model file cannot hold the kernel {kernel}: {known}"))
}
