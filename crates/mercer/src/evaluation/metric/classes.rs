//! Predicted classes beside true ones.

use std::cell::OnceCell;

use super::comparison::{finite, misplaced, undefined};
use super::confusion::{Confusion, Rate};
use super::one_against::Ranked;
use super::probability::places;
use super::ranking::{area_under_recall, area_under_roc};
use super::top_k::top_k;
use super::{Average, Metric, brier, log_loss};
use crate::data::Labels;
use crate::error::{Error, Result};

/// By how much rounding may move a probability out of [0, 1].
const ROUNDING: f64 = 1e-9;

/// What was predicted, what is true, and the table that several metrics are made of.
#[derive(Debug)]
pub(super) struct Classes<'a> {
    truth: &'a Labels,
    classes: &'a [String],
    scores: &'a [f64],
    probabilities: Option<&'a [f64]>,
    /// Places of the predicted classes, if they are not those of the highest scores.
    predicted: Option<&'a [usize]>,
    weights: Option<&'a [f64]>,
    /// Where the classes of the truth stand among those of the model.
    places: Vec<Option<usize>>,
    confusion: OnceCell<Confusion<f64>>,
}

impl<'a> Classes<'a> {
    pub fn new(
        truth: &'a Labels,
        classes: &'a [String],
        scores: &'a [f64],
        probabilities: Option<&'a [f64]>,
        weights: Option<&'a [f64]>,
    ) -> Result<Self> {
        if classes.is_empty() {
            return Err(Error::Empty { what: "classes" });
        }
        let expected = truth.len().saturating_mul(classes.len());
        let one_each = |what, found| match found == expected {
            true => Ok(()),
            false => Err(Error::Shape { what, expected, found }),
        };
        one_each("scores (one per row and class)", scores.len())?;
        finite("score", scores)?;
        if let Some(probabilities) = probabilities {
            one_each("probabilities (one per row and class)", probabilities.len())?;
            let is_one = |p: &f64| (-ROUNDING..=1.0 + ROUNDING).contains(p);
            if let Some(index) = probabilities.iter().position(|p| !is_one(p)) {
                let (what, expected) = ("probability", "a number from 0 to 1");
                return Err(Error::Entry { what, index, value: probabilities[index], expected });
            }
        }
        let (places, confusion) = (places(truth, classes), OnceCell::new());
        Ok(Classes { truth, classes, scores, probabilities, predicted: None, weights, places, confusion })
    }

    pub fn with_predicted(self, predicted: &'a [usize]) -> Result<Self> {
        if predicted.len() != self.truth.len() {
            let (what, expected) = ("predicted classes (one per row)", self.truth.len());
            return Err(Error::Shape { what, expected, found: predicted.len() });
        }
        if let Some(index) = predicted.iter().position(|&place| place >= self.classes.len()) {
            let (what, expected) = ("predicted class", "the place of a class of the model");
            return Err(Error::Entry { what, index, value: predicted[index] as f64, expected });
        }
        Ok(Classes { predicted: Some(predicted), confusion: OnceCell::new(), ..self })
    }

    pub fn value(&self, metric: &Metric) -> Result<f64> {
        match *metric {
            Metric::Accuracy => Ok(self.confusion().accuracy()),
            Metric::BalancedAccuracy => Ok(self.confusion().balanced_accuracy()),
            Metric::Matthews => Ok(self.confusion().matthews()),
            Metric::CohenKappa => {
                let why = "all rows are of one class, and predicted to be";
                self.confusion().kappa().ok_or_else(|| undefined(metric, why))
            }
            Metric::Precision(average) => self.rate(metric, Rate::Precision, average),
            Metric::Recall(average) => self.rate(metric, Rate::Recall, average),
            Metric::F1(average) => self.rate(metric, Rate::F1, average),
            Metric::TopK(k) => Ok(top_k(k, self.scores, &self.codes(), self.classes.len(), self.weights)),
            Metric::RocAuc => {
                self.check_two(metric, "roc_auc_ovr or roc_auc_ovo")?;
                let (scores, positive) = self.of_later();
                area_under_roc(&scores, &positive, self.weights)
                    .ok_or_else(|| undefined(metric, "all rows are of one class"))
            }
            Metric::RocAucOneAgainstRest { weighted } => {
                self.over_classes(metric, |ranked| ranked.one_against_rest(area_under_roc, weighted))
            }
            Metric::RocAucOneAgainstOne { weighted } => {
                self.over_classes(metric, |ranked| ranked.one_against_one(weighted))
            }
            Metric::AveragePrecision if self.classes.len() == 2 => {
                self.check_two(metric, "a model that knows all classes")?;
                let (scores, positive) = self.of_later();
                area_under_recall(&scores, &positive, self.weights)
                    .ok_or_else(|| self.without_rows(metric, 1))
            }
            Metric::AveragePrecision => {
                self.over_classes(metric, |ranked| ranked.one_against_rest(area_under_recall, false))
            }
            Metric::LogLoss => log_loss(self.truth, self.classes, self.probabilities(metric)?, self.weights),
            Metric::Brier => brier(self.truth, self.classes, self.probabilities(metric)?, self.weights),
            _ => Err(misplaced(metric, "a class")),
        }
    }

    fn probabilities(&self, metric: &Metric) -> Result<&'a [f64]> {
        self.probabilities.ok_or_else(|| Error::Unsupported {
            what: format!("{metric} judges probabilities, and none were predicted"),
        })
    }

    fn confusion(&self) -> &Confusion<f64> {
        let weight = |row: usize| self.weights.map_or(1.0, |weights| weights[row]);
        self.confusion.get_or_init(|| match self.predicted {
            Some(predicted) => {
                Confusion::of_places(self.truth, self.classes, predicted.iter().copied(), weight)
            }
            None => Confusion::of_scores(self.truth, self.classes, self.scores, weight),
        })
    }

    fn rate(&self, metric: &Metric, rate: Rate, average: Average) -> Result<f64> {
        let table = self.confusion();
        match average {
            Average::Macro => Ok(table.macro_average(rate)),
            Average::Micro => Ok(table.micro_average(rate)),
            Average::Weighted => Ok(table.weighted_average(rate)),
            Average::Later => {
                self.check_two(metric, &format!("{metric}_macro, {metric}_micro or {metric}_weighted"))?;
                let later = table.classes().iter().position(|class| *class == self.classes[1]).unwrap_or(1);
                match table.rate(rate, later) {
                    // Nothing was predicted to be of the class.
                    None if rate == Rate::Precision => Ok(0.0),
                    rate => rate.ok_or_else(|| self.without_rows(metric, 1)),
                }
            }
        }
    }

    /// There are two classes, and the model knows them.
    fn check_two(&self, metric: &Metric, instead: &str) -> Result<()> {
        let strangers = self.strangers().count();
        if self.classes.len() == 2 && strangers == 0 {
            return Ok(());
        }
        let classes = self.classes.len() + strangers;
        Err(undefined(metric, format!("it is for two classes, and there are {classes}; take {instead}")))
    }

    /// Classes of rows that the model does not know.
    fn strangers(&self) -> impl Iterator<Item = &String> {
        let occurs = |class: usize| {
            let counts = |row: usize| self.weights.is_none_or(|weights| weights[row] > 0.0);
            let mut codes = self.truth.codes().iter().enumerate();
            codes.any(|(row, &code)| code as usize == class && counts(row))
        };
        let strange = move |(class, _): &(usize, &String)| self.places[*class].is_none() && occurs(*class);
        self.truth.classes().iter().enumerate().filter(strange).map(|(_, name)| name)
    }

    /// The scores of the later of two classes, and which rows are of it.
    fn of_later(&self) -> (Vec<f64>, Vec<bool>) {
        let scores = self.scores.chunks_exact(2).map(|of_row| of_row[1]).collect();
        (scores, self.codes().iter().map(|&class| class == 1).collect())
    }

    /// For each row the place of its class among those of the model; one behind the last if it has none.
    fn codes(&self) -> Vec<usize> {
        let place = |code: &u32| self.places[*code as usize].unwrap_or(self.classes.len());
        self.truth.codes().iter().map(place).collect()
    }

    /// An average over all classes, by their probabilities where there are any.
    fn over_classes(&self, metric: &Metric, average: impl Fn(&Ranked<'_>) -> Option<f64>) -> Result<f64> {
        if let Some(stranger) = self.strangers().next() {
            return Err(undefined(metric, format!("nothing is predicted for class {stranger}")));
        }
        if self.classes.len() < 2 {
            return Err(undefined(metric, "there is one class only"));
        }
        let (classes, weights) = (self.classes.len(), self.weights);
        let scores = self.probabilities.unwrap_or(self.scores);
        let ranked = Ranked { scores, truth: &self.codes(), classes, weights };
        average(&ranked).ok_or_else(|| self.without_rows(metric, ranked.without_rows().unwrap_or(0)))
    }

    fn without_rows(&self, metric: &Metric, class: usize) -> Error {
        undefined(metric, format!("class {} has no rows", self.classes[class]))
    }
}
