//! LIBSVM's model files, read; [`write_libsvm_model`](super::write_libsvm_model) writes them.
//!
//! LIBSVM's decision value for the labels i < j (in the order of its `label` line) is Σ coef·k − rho and speaks
//! for i where it is positive; Mercer's speaks for the later of its sorted classes. Both orders are translated,
//! so that decision values agree but for the sign that this rule asks for. Numbers are written with as many
//! digits as give the same bits back (LIBSVM itself writes 17 for coefficients and 8 for features).

use std::io::{BufRead, Read};

use super::card::LABEL_ORDER;
use super::{Model, ModelCard, TrainedMachine};
use crate::data::{Items, Labels, Sparse, Vectors};
use crate::error::{Error, Result};
use crate::gram::{BulkKernel, Plan, Precision};
use crate::kernel::Expression;
use crate::kernel::vector::{Gaussian, Linear, Polynomial, Sigmoid};
use crate::machine::one_against_one::pairs;
use crate::machine::probability::{self, Calibration, Map};
use crate::machine::{
    Decision, Expansion, Found, Kept, Loss, NoveltyModel, PairMachines, Probability, Region, Softness,
    SvcModel, SvrModel,
};

/// Longest line that is read.
const LONGEST_LINE: u64 = 256 << 20;

/// Reads a LIBSVM model file of any type with a linear, polynomial, Gaussian or sigmoid kernel.
///
/// What Mercer has no place for (`probA`, `probB`, `prob_density_marks`) is kept in the notes of the card.
///
/// ```
/// use mercer::data::{Collection, Vectors};
/// use mercer::io::{TrainedMachine, read_libsvm_model};
/// let text = "svm_type c_svc\nkernel_type linear\nnr_class 2\ntotal_sv 2\nrho 0\nlabel 1 -1\nnr_sv 1 1\nSV\n\
///             0.5 1:1\n-0.5 1:-1\n";
/// let saved = read_libsvm_model(text.as_bytes())?;
/// let model = saved.machine.classifier()?;
/// let rows = Collection::from(Vectors::from_rows(&[[3.0], [-2.0]])?);
/// assert_eq!(model.decision_values(&rows)?, [3.0, -2.0]);
/// assert_eq!(model.predict_labels(&rows)?, ["1", "-1"]);
/// # Ok::<(), mercer::Error>(())
/// ```
///
/// # Errors
/// [`Error::Parse`] with line and column, [`Error::Unsupported`] for types of machine or kernel that are not known.
pub fn read_libsvm_model(source: impl BufRead) -> Result<Model> {
    let mut reader = Lines { source, number: 0, text: String::new() };
    let head = Head::read(&mut reader)?;
    let (rows, coefficients) = read_support(&mut reader, &head)?;
    let kernel = head.kernel()?;
    let columns = rows.columns();
    let mut card = ModelCard::of(&Vectors::Sparse(Sparse::from_parts(vec![0], vec![], vec![], columns)?));
    card.mercer = String::from("LIBSVM");
    card.data_checksum = String::new();
    card.notes = head.notes.iter().cloned().collect();
    if head.is_classifier() {
        card.notes.insert(LABEL_ORDER.into(), head.labels.join(" "));
    }
    if head.machine == "nu_svc" {
        card.notes.insert("formulation".into(), "slack nu".into());
    }
    let plan = Plan { precision: Precision::F64, ..Plan::new()? };
    let keep = |items: Vectors<'static>| -> Result<_> {
        let layout = kernel.layout(&items, &plan)?;
        Ok(Kept { kernel: kernel.clone(), layout, precision: Precision::F64, items, threads: 0 })
    };
    let model: TrainedMachine = match head.machine.as_str() {
        "c_svc" | "nu_svc" => {
            let pairwise = head.pairwise(&rows, &coefficients)?;
            // Support items follow the order of Mercer's classes.
            let order = pairwise.support.clone();
            let kept = keep(Vectors::from(rows).select(&order))?;
            pairwise.check(&kept.items)?;
            SvcModel::from_parts(kept, pairwise).into()
        }
        "one_class" => head.detector(keep(rows.into())?, coefficients)?.into(),
        _ => {
            let support = (0..rows.rows()).collect();
            let expansion = Expansion { support, coefficients, offset: 0.0 - head.rho[0] };
            card.notes.insert("tube".into(), "not known: it is no part of LIBSVM's file".into());
            let loss = Loss::Linear { tube: 0.0 };
            SvrModel::from_parts(keep(rows.into())?, loss, 0.0, expansion, None).into()
        }
    };
    Ok(Model::new(model, None, card))
}

pub(super) fn unsupported<T>(what: &str) -> Result<T> {
    Err(Error::Unsupported { what: what.to_string() })
}

/// Everything before the line `SV`.
#[derive(Default)]
struct Head {
    machine: String,
    kernel_type: String,
    degree: u32,
    gamma: f64,
    constant: f64,
    classes: usize,
    total: usize,
    rho: Vec<f64>,
    labels: Vec<String>,
    counts: Vec<usize>,
    notes: Vec<(String, String)>,
    /// probA and probB of the pairs of a classifier.
    sigmoids: [Vec<f64>; 2],
}

impl Head {
    fn read(lines: &mut Lines<impl BufRead>) -> Result<Self> {
        let mut head = Head { degree: 3, ..Head::default() };
        while lines.next()? {
            let line = lines.text.trim_end();
            let (key, rest) = line.split_once(' ').unwrap_or((line, ""));
            let rest = rest.trim();
            match key {
                // Before the support vectors, which are no rows of features then.
                "SV" if head.kernel_type == "precomputed" => {
                    return unsupported(
                        "a LIBSVM model of kernel values (kernel_type precomputed): it names the training items by number \
                         alone; train on the kernel values again",
                    );
                }
                "SV" => return head.check(lines),
                "svm_type" => head.machine = rest.to_string(),
                "kernel_type" => head.kernel_type = rest.to_string(),
                "degree" => head.degree = lines.number(rest)?,
                "gamma" => head.gamma = lines.number(rest)?,
                "coef0" => head.constant = lines.number(rest)?,
                "nr_class" => head.classes = lines.number(rest)?,
                "total_sv" => head.total = lines.number(rest)?,
                "rho" => head.rho = lines.numbers(rest)?,
                "label" => head.labels = rest.split_whitespace().map(str::to_string).collect(),
                "nr_sv" => head.counts = lines.numbers(rest)?,
                "probA" if head.is_classifier() => head.sigmoids[0] = lines.numbers(rest)?,
                "probB" if head.is_classifier() => head.sigmoids[1] = lines.numbers(rest)?,
                "probA" | "probB" | "prob_density_marks" => {
                    head.notes.push((key.to_string(), rest.to_string()))
                }
                _ => return lines.problem(1, format!("{key:?} is not a line of a LIBSVM model")),
            }
        }
        lines.problem(1, "the file ends before its line \"SV\": cut short?".to_string())
    }

    fn is_classifier(&self) -> bool {
        matches!(self.machine.as_str(), "c_svc" | "nu_svc")
    }

    fn check(self, lines: &Lines<impl BufRead>) -> Result<Self> {
        let k = self.classes;
        if self.rho.iter().any(|r| !r.is_finite()) {
            return lines.problem(1, "rho is not a finite number".to_string());
        }
        match self.machine.as_str() {
            "c_svc" | "nu_svc" => {}
            "epsilon_svr" | "nu_svr" | "one_class" if k == 2 && self.rho.len() == 1 => return Ok(self),
            "epsilon_svr" | "nu_svr" | "one_class" => {
                return lines.problem(1, "nr_class is not 2, or there is not one rho".to_string());
            }
            other => return unsupported(&format!("a LIBSVM model of type {other:?} is not known")),
        }
        // More classes than labels fit in a file of any sensible size are refused before they are squared.
        let fits = (2..1 << 20).contains(&k)
            && self.labels.len() == k
            && self.counts.len() == k
            && self.rho.len() == k * (k - 1) / 2
            && self.counts.iter().try_fold(0usize, |sum, &c| sum.checked_add(c)) == Some(self.total);
        if !fits {
            return lines
                .problem(1, "nr_class, label, nr_sv, rho and total_sv do not fit together".to_string());
        }
        let [slopes, shifts] = [0, 1].map(|at| self.sigmoids[at].len());
        if slopes != shifts || !(slopes == 0 || slopes == self.rho.len()) {
            return lines.problem(1, "probA and probB have not one number for each rho".to_string());
        }
        let distinct: std::collections::BTreeSet<&String> = self.labels.iter().collect();
        if distinct.len() != k {
            return lines.problem(1, "a label stands twice".to_string());
        }
        Ok(self)
    }

    /// A one-class machine, whose coefficients sum up to νℓ there and to 1 here.
    fn detector(
        &self,
        kept: Kept<Expression, Vectors<'static>>,
        coefficients: Vec<f64>,
    ) -> Result<NoveltyModel<Expression, Vectors<'static>>> {
        let sum: f64 = coefficients.iter().sum();
        if !(sum > 0.0 && sum.is_finite()) {
            return unsupported(&format!("a one-class model whose coefficients sum up to {sum}"));
        }
        let found = Found {
            squared_norm: 0.0,
            threshold: self.rho[0] / sum,
            slack_sum: 0.0,
            largest_squared_norm: 0.0,
            items: sum,
        };
        let expansion = Expansion {
            support: (0..coefficients.len()).collect(),
            coefficients: coefficients.iter().map(|alpha| alpha / sum).collect(),
            offset: 0.0,
        };
        let (region, softness) = (Region::Hyperplane, Softness::Nu(1.0));
        Ok(NoveltyModel::from_parts(kept, region, softness, expansion, None, found))
    }

    fn kernel(&self) -> Result<Expression> {
        Ok(match self.kernel_type.as_str() {
            "linear" => Linear.into(),
            "polynomial" => Polynomial::new(self.degree, self.gamma, self.constant)?.into(),
            "rbf" => Gaussian::gamma(self.gamma)?.into(),
            "sigmoid" => Sigmoid::new(self.gamma, self.constant)?.into(),
            other => {
                let known = "linear, polynomial, rbf and sigmoid can be read";
                return unsupported(&format!("a LIBSVM model with kernel {other:?}: {known}"));
            }
        })
    }

    /// Translates labels, coefficients and rho into the order and sign of Mercer; `support` are positions in the file.
    fn pairwise(&self, rows: &Sparse<'_>, coefficients: &[f64]) -> Result<PairMachines> {
        let k = self.classes;
        let classes = Labels::from_text(&self.labels).classes().to_vec();
        let place: Vec<usize> =
            classes.iter().map(|c| self.labels.iter().position(|l| l == c).unwrap_or(0)).collect();
        let mut file_starts = vec![0; k + 1];
        for (i, &count) in self.counts.iter().enumerate() {
            file_starts[i + 1] = file_starts[i] + count;
        }
        // +1 where LIBSVM's earlier label is Mercer's later class.
        let sign = |a: usize, b: usize| if (place[a] < place[b]) == (a < b) { -1.0 } else { 1.0 };
        let mut starts = vec![0];
        let mut support = Vec::with_capacity(rows.rows());
        let mut translated = Vec::with_capacity(coefficients.len());
        for own in 0..k {
            for row in file_starts[place[own]]..file_starts[place[own] + 1] {
                support.push(row);
                for other in (0..k).filter(|&other| other != own) {
                    let column = place[other] - usize::from(place[other] > place[own]);
                    translated.push(sign(own, other) * coefficients[row * (k - 1) + column]);
                }
            }
            starts.push(support.len());
        }
        let number = |i: usize, j: usize| i * (2 * k - i - 1) / 2 + (j - i - 1);
        let offsets = pairs(k)
            .map(|(a, b)| {
                let (i, j) = (place[a].min(place[b]), place[a].max(place[b]));
                0.0 - sign(a, b) * self.rho[number(i, j)]
            })
            .collect();
        let calibration = self.calibration(|a, b| {
            let (i, j) = (place[a].min(place[b]), place[a].max(place[b]));
            (number(i, j), sign(a, b))
        });
        Ok(PairMachines {
            classes,
            support,
            starts,
            coefficients: translated,
            offsets,
            decision: Decision::Votes,
            calibration,
            reports: Vec::new(),
        })
    }
}

impl Head {
    /// The sigmoids, if there are any; `place` is where those of a pair stand, and the sign of its decision values.
    fn calibration(&self, place: impl Fn(usize, usize) -> (usize, f64)) -> Option<Calibration> {
        let [slopes, shifts] = &self.sigmoids;
        if slopes.is_empty() {
            return None;
        }
        let map = |(a, b)| {
            let (number, sign) = place(a, b);
            Map::Sigmoid(probability::Sigmoid { slope: slopes[number], shift: sign * shifts[number] })
        };
        Some(Calibration { kind: Probability::Platt, maps: pairs(self.classes).map(map).collect() })
    }
}

/// The support vectors in the order of the file and their k − 1 coefficients each.
fn read_support(lines: &mut Lines<impl BufRead>, head: &Head) -> Result<(Sparse<'static>, Vec<f64>)> {
    let width = head.classes - 1;
    let (mut offsets, mut indices, mut values) = (vec![0usize], Vec::<u32>::new(), Vec::new());
    let mut coefficients = Vec::new();
    for _ in 0..head.total {
        if !lines.next()? {
            let found = offsets.len() - 1;
            return lines
                .problem(1, format!("{} support vectors are announced, {found} are there", head.total));
        }
        let mut last = 0;
        for (at, token) in lines.text.split_whitespace().enumerate() {
            let column = token.as_ptr() as usize - lines.text.as_ptr() as usize + 1;
            if at < width {
                match token.parse::<f64>() {
                    Ok(value) if value.is_finite() => coefficients.push(value),
                    _ => return lines.problem(column, format!("{token:?} is not a coefficient")),
                }
                continue;
            }
            let entry = token
                .split_once(':')
                .and_then(|(i, v)| Some((i.parse::<u32>().ok()?, v.parse::<f64>().ok()?)));
            match entry {
                Some((index, value)) if index > last && value.is_finite() => {
                    last = index;
                    indices.push(index - 1);
                    values.push(value);
                }
                Some((index, value)) if value.is_finite() => {
                    return lines.problem(column, format!("index {index} does not follow {last}"));
                }
                _ => return lines.problem(column, format!("{token:?} is not index:value")),
            }
        }
        if coefficients.len() != width * offsets.len() {
            return lines.problem(1, format!("fewer than {width} coefficients"));
        }
        offsets.push(indices.len());
    }
    while lines.next()? {
        if !lines.text.trim().is_empty() {
            return lines.problem(1, "more support vectors than announced".to_string());
        }
    }
    let columns = indices.iter().max().map_or(0, |&i| i as usize + 1);
    Ok((Sparse::from_parts(offsets, indices, values, columns)?, coefficients))
}

/// Lines with their numbers.
struct Lines<R> {
    source: R,
    number: u64,
    text: String,
}

impl<R: BufRead> Lines<R> {
    /// Reads the next line into `text`; false at the end.
    fn next(&mut self) -> Result<bool> {
        self.text.clear();
        self.number += 1;
        let mut bytes = std::mem::take(&mut self.text).into_bytes();
        let length = (&mut self.source).take(LONGEST_LINE).read_until(b'\n', &mut bytes)?;
        if length as u64 == LONGEST_LINE {
            return self.problem(1, format!("a line of more than {LONGEST_LINE} bytes"));
        }
        match String::from_utf8(bytes) {
            Ok(text) => self.text = text,
            Err(error) => return self.problem(error.utf8_error().valid_up_to() + 1, "not UTF-8".to_string()),
        }
        Ok(length > 0)
    }

    fn number<T: std::str::FromStr>(&self, text: &str) -> Result<T> {
        text.parse().or_else(|_| self.problem(1, format!("{text:?} is not a number that fits here")))
    }

    fn numbers<T: std::str::FromStr>(&self, text: &str) -> Result<Vec<T>> {
        text.split_whitespace().map(|word| self.number(word)).collect()
    }

    fn problem<T>(&self, column: usize, problem: String) -> Result<T> {
        Err(Error::Parse { line: self.number, column: column as u64, problem })
    }
}
