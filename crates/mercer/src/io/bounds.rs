//! What the theorems say about a model of any kind.

use super::AnyModel;
use crate::error::Result;
use crate::evaluation::bounds::{Applicable, Wishes, of_detector, of_pairs, of_regression};
use crate::gram::WithLayout;

impl<K: WithLayout, I> AnyModel<K, I> {
    /// All generalisation bounds that apply, one list for each pair of classes, for a regression or for a region; where none
    /// does, the reason. O(k²) for k classes.
    ///
    /// ```
    /// use mercer::evaluation::bounds::Wishes;
    /// use mercer::io::read_libsvm_model;
    /// let text = "svm_type c_svc\nkernel_type linear\nnr_class 2\ntotal_sv 2\nrho 0\nlabel 1 -1\nnr_sv 1 1\nSV\n\
    ///             0.5 1:1\n-0.5 1:-1\n";
    /// let told = read_libsvm_model(text.as_bytes())?.model.bounds(&Wishes::default())?;
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
            AnyModel::Svc(model) => of_pairs(model.pairs(), wishes),
            AnyModel::Svr(model) => Ok(vec![of_regression(model, wishes)?]),
            AnyModel::Novelty(model) => Ok(vec![of_detector(model, wishes)?]),
            AnyModel::Classes(_) => none(
                "classes",
                "the theorems are about machines of two classes, and this one has a function for each class: train \
                 one against one",
            ),
            AnyModel::Matrix(model) => none(
                model.name(),
                "the theorems are about margins, tubes and regions, of which this machine has none",
            ),
            AnyModel::Linear(_) | AnyModel::LinearRegression(_) => none(
                "linear machine",
                "a linear machine keeps weights and nothing of its training rows: train one with the linear kernel",
            ),
        }
    }
}
