//! What a model says about one item, term by term.

use super::TrainedMachine;
use crate::data::Collection;
use crate::error::{Error, Result};
use crate::evaluation::insight::{Influence, influences};
use crate::machine::Region;
use crate::machine::one_against_one::pairs;

/// One function of a model at an item: f(x) = Σ βᵢ k(xᵢ, x) + b.
#[derive(Clone, Debug, PartialEq)]
pub struct Explanation {
    /// The class that wins where the value is above 0, and the one where it is below ("the rest", if the function tells a class from all others);
    /// "inside" and "outside" of a region; none of a regression.
    pub sides: Option<(String, String)>,
    /// f(x)
    pub value: f64,
    /// b; for a region with a centre all that is not of support items: R² − ‖c‖² − k(x, x).
    pub offset: f64,
    /// The terms, the largest first.
    pub terms: Vec<Influence>,
}

impl TrainedMachine {
    /// Which support items speak for and against what the model says about one item: a function for each pair of classes, for each class against the
    /// rest, or one for numbers or for a region.
    ///
    /// O(support items) kernel values for each function.
    ///
    /// ```
    /// use mercer::data::{Labels, Vectors};
    /// use mercer::io::TrainedMachine;
    /// use mercer::kernel::Expression;
    /// use mercer::machine::Svc;
    /// let rows = Vectors::from_rows(&[[-1.0], [1.0]])?;
    /// let machine = Svc::params("linear".parse::<Expression>()?).cost(10.0).check()?;
    /// let model = TrainedMachine::from(machine.fit(&rows, &Labels::from_text(["no", "yes"]))?);
    /// let found = &model.explain(&Vectors::from_rows(&[[3.0]])?.into())?[0];
    /// assert_eq!(found.sides, Some(("yes".into(), "no".into())));
    /// // Both rows speak for yes: f(3) = 3, of which 1.5 is due to each.
    /// assert!(found.terms.iter().all(|term| (term.contribution - 1.5).abs() < 1e-3));
    /// # Ok::<(), mercer::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Unsupported`] for a model without support items of its own, [`Error::Shape`] for another number of items than one.
    pub fn explain(&self, item: &Collection<'_>) -> Result<Vec<Explanation>> {
        let Some(kept) = self.kept() else {
            let what = "a linear model has no support vectors: its weights say what each feature does".into();
            return Err(Error::Unsupported { what });
        };
        let one = |sides, coefficients: Vec<(usize, f64)>, offset: f64| {
            let terms = influences(kept, coefficients, item)?;
            let value = terms.iter().map(|term| term.contribution).sum::<f64>() + offset;
            Ok(Explanation { sides, value, offset, terms })
        };
        match self {
            TrainedMachine::Svc(model) => {
                let machines = model.pairs();
                let classes = &machines.classes;
                pairs(classes.len())
                    .enumerate()
                    .map(|(at, (a, b))| {
                        let sides = Some((classes[b].clone(), classes[a].clone()));
                        one(sides, machines.pair(a, b).collect(), machines.offsets[at])
                    })
                    .collect()
            }
            TrainedMachine::Classes(model) => {
                let functions = model.functions();
                let (classes, offsets) = (&functions.classes, &functions.offsets);
                let of_class = |class: usize, of_all: &[f64]| match of_all {
                    // Half of what the later class is ahead.
                    [earlier, later] => 0.5 * (later - earlier),
                    all => all[class],
                };
                let shown = if classes.len() == 2 { 1..2 } else { 0..classes.len() };
                shown
                    .map(|class| {
                        let other =
                            if classes.len() == 2 { classes[0].clone() } else { "the rest".to_string() };
                        let coefficients = functions.coefficients.chunks_exact(classes.len());
                        let coefficients =
                            coefficients.enumerate().map(|(at, tau)| (at, of_class(class, tau))).collect();
                        one(Some((classes[class].clone(), other)), coefficients, of_class(class, offsets))
                    })
                    .collect()
            }
            TrainedMachine::Svr(model) => {
                let expansion = model.expansion();
                let coefficients = expansion.coefficients.iter().copied().enumerate().collect();
                Ok(vec![one(None, coefficients, expansion.offset)?])
            }
            TrainedMachine::Novelty(model) => {
                // R² − ‖φ(x) − c‖² has 2⟨φ(x), c⟩ in it.
                let factor = if model.region() == Region::Hyperplane { 1.0 } else { 2.0 };
                let coefficients = model.expansion().coefficients.iter().map(|beta| factor * beta);
                let sides = Some(("inside".to_string(), "outside".to_string()));
                let mut found = one(sides, coefficients.enumerate().collect(), 0.0)?;
                let score = model.scores(item)?[0];
                found.offset = score - found.value;
                found.value = score;
                Ok(vec![found])
            }
            _ => {
                let what =
                    "explained are classifiers, regressions and regions that have support vectors".into();
                Err(Error::Unsupported { what })
            }
        }
    }
}
