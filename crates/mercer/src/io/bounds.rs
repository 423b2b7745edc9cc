//! What the theorems say about a model of any kind.

use super::{MatrixModel, TrainedMachine};
use crate::error::Result;
use crate::evaluation::bounds::{
    Applicable, Wishes, of_detector, of_margin_sample, of_pairs, of_regression, of_residual_sample,
};
use crate::machine::{LinearModel, LinearObjective};

const NOT_KEPT: &str = "what the training rows say about new ones is not in the file, or cannot be summed up: train the model again";

impl TrainedMachine {
    /// All generalisation bounds that apply, one list for each pair of classes, for a regression or for a region; where none
    /// does, the reason. O(k²) for k classes.
    ///
    /// ```
    /// use mercer::evaluation::bounds::Wishes;
    /// use mercer::io::read_libsvm_model;
    /// let text = "svm_type c_svc\nkernel_type linear\nnr_class 2\ntotal_sv 2\nrho 0\nlabel 1 -1\nnr_sv 1 1\nSV\n\
    ///             0.5 1:1\n-0.5 1:-1\n";
    /// let told = read_libsvm_model(text.as_bytes())?.machine.bounds(&Wishes::default())?;
    /// assert!(told[0].bounds.is_empty() && told[0].refused[0].because.contains("how it was trained is not known"));
    /// # Ok::<(), mercer::Error>(())
    /// ```
    ///
    /// # Errors
    /// Wishes that make no sense.
    pub fn bounds(&self, wishes: &Wishes) -> Result<Vec<Applicable>> {
        wishes.check()?;
        let none = |of: &str, because: &str| Ok(vec![Applicable::nothing(of, because)]);
        match self {
            TrainedMachine::Svc(model) => of_pairs(model.pairs(), wishes),
            TrainedMachine::Svr(model) => Ok(vec![of_regression(model, wishes)?]),
            TrainedMachine::Novelty(model) => Ok(vec![of_detector(model, wishes)?]),
            TrainedMachine::Classes(_) => none(
                "classes",
                "the theorems are about machines of two classes, and this one has a function for each class: train \
                 one against one",
            ),
            TrainedMachine::Matrix(MatrixModel::Ridge(model)) => match model.samples() {
                [] => none("ridge regression", NOT_KEPT),
                [sample] => Ok(vec![of_residual_sample("ridge regression", Some(sample), 0.0, wishes)?]),
                samples => {
                    let of = |at: usize| format!("output {at}");
                    let each = samples.iter().enumerate();
                    each.map(|(at, sample)| of_residual_sample(&of(at), Some(sample), 0.0, wishes)).collect()
                }
            },
            TrainedMachine::Matrix(model) => none(
                model.name(),
                "the theorems are about margins, tubes and regions, of which this machine has none",
            ),
            TrainedMachine::Linear(model) => of_linear(model, wishes),
            TrainedMachine::LinearRegression(model) => match model.sample() {
                None => none("regression", NOT_KEPT),
                sample => Ok(vec![of_residual_sample("regression", sample, model.loss().tube(), wishes)?]),
            },
        }
    }
}

/// One function for two classes, or one for each class against the rest.
fn of_linear(model: &LinearModel, wishes: &Wishes) -> Result<Vec<Applicable>> {
    let classes = model.classes();
    if model.objective() == LinearObjective::CrammerSinger && classes.len() > 2 {
        let because = "the theorems are about machines of two classes, and Crammer and Singer's learns all at once: train with \
                       another objective";
        return Ok(vec![Applicable::nothing("classes", because)]);
    }
    let names: Vec<String> = match classes {
        [first, second] => vec![format!("{first} against {second}")],
        many => many.iter().map(|class| format!("{class} against the rest")).collect(),
    };
    if model.samples().len() != names.len() {
        return Ok(vec![Applicable::nothing("linear machine", NOT_KEPT)]);
    }
    names.iter().zip(model.samples()).map(|(of, sample)| of_margin_sample(of, Some(sample), wishes)).collect()
}
