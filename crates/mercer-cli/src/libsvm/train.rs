//! `svm-train`

use std::collections::HashSet;
use std::path::PathBuf;

use mercer::Error;
use mercer::data::{Contents, Items, Labels, Split, Table, Vectors, read_file, write_atomically};
use mercer::gram::Precision;
use mercer::io::{LABEL_ORDER, Model, ModelCard, check_libsvm_model, write_libsvm_model};
use mercer::kernel::Expression;
use mercer::machine::{ClassWeights, PairMachines, Probability, Slack, Svc, SvcModel, SvcParams};

use super::number::general;
use super::{kernel_values, number, one_function, split, switch, usage};
use crate::failure::Failure;
use crate::output;
use crate::precomputed::no_kernel_values;
use crate::print::{note, to_stdout};

const USAGE: &str = "Usage: svm-train [options] training_set_file [model_file]
options:
-s svm_type : 0 C-SVC, 1 nu-SVC, 2 one-class SVM, 3 epsilon-SVR, 4 nu-SVR (default 0)
-t kernel_type : 0 linear, 1 polynomial, 2 radial basis function, 3 sigmoid, 4 kernel values in training_set_file (default 2)
-d degree : of the polynomial kernel (default 3)
-g gamma : of the kernel (default 1/number of features)
-r coef0 : of the kernel (default 0)
-c cost : C of C-SVC and of regression (default 1)
-n nu : of nu-SVC, one-class SVM and nu-SVR (default 0.5)
-p epsilon : the tube of epsilon-SVR (default 0.1)
-m cachesize : megabytes for kernel values (default 100)
-e epsilon : tolerance of the optimality conditions (default 0.001)
-h shrinking : 0 or 1 (default 1)
-b probability_estimates : 0 or 1, for C-SVC and nu-SVC (default 0)
-wi weight : the cost of class i is weight*C, for C-SVC (default 1)
-v n : n-fold cross-validation
-q : print nothing";

/// Rows up to which that is affordable.
const DOUBLE_ROWS: usize = 20_000;

/// The kernel_type of kernel values.
const PRECOMPUTED: u8 = 4;

/// LIBSVM's types of machine.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Machine {
    Classifier,
    NuClassifier,
    OneClass,
    EpsilonRegression,
    NuRegression,
}

pub(super) struct Options {
    pub machine: Machine,
    pub nu: f64,
    pub tube: f64,
    kernel: u8,
    degree: u32,
    gamma: f64,
    constant: f64,
    pub cost: f64,
    pub tolerance: f64,
    megabytes: f64,
    weights: Vec<(String, f64)>,
    pub folds: Option<usize>,
    pub quiet: bool,
    probabilities: bool,
    pub data: PathBuf,
    pub model: PathBuf,
}

pub fn run(words: &[String]) -> Result<(), Failure> {
    let options = Options::parse(words)?;
    // LIBSVM replaces models without asking; what is read is never written to, all the same.
    output::check(&options.model, true, &[&options.data])?;
    let is_precomputed = options.kernel == PRECOMPUTED;
    let table = match read_file(&options.data, &Default::default())? {
        Contents::Precomputed(values) if is_precomputed => return kernel_values::run(&options, values),
        Contents::Table(table) if !is_precomputed => table,
        Contents::Table(_) => return Err(no_kernel_values(&options.data).into()),
        Contents::Precomputed(_) => {
            let what = "the file holds kernel values (its rows start with 0:): -t 4 is for them".to_string();
            return Err(Error::Unsupported { what }.in_file(&options.data).into());
        }
    };
    if !matches!(options.machine, Machine::Classifier | Machine::NuClassifier) {
        return one_function::run(&options, &table);
    }
    let labels = table.targets.labels()?;
    options.note_unknown_weights(&labels);
    let kernel = options.kernel(table.vectors.columns())?;
    let machine = options.machine(kernel.clone(), &labels).map_err(Failure::Usage)?;
    match options.folds {
        Some(folds) => cross_validate(machine, folds, &table, &labels),
        None => {
            let named = |error: Error| error.in_file(&options.data);
            check_libsvm_model(labels.classes(), None, &kernel).map_err(named)?;
            let model = machine.check()?.fit(&table.vectors, &labels).map_err(named)?;
            finish(&options, model, &labels, ModelCard::of(&table.vectors))
        }
    }
}

impl Options {
    fn parse(words: &[String]) -> Result<Self, Failure> {
        let (given, files) = split(words, &["-q"], USAGE)?;
        let mut options = Options {
            machine: Machine::Classifier,
            nu: 0.5,
            tube: 0.1,
            kernel: 2,
            degree: 3,
            gamma: 0.0,
            constant: 0.0,
            cost: 1.0,
            tolerance: 1e-3,
            megabytes: 100.0,
            weights: Vec::new(),
            folds: None,
            quiet: false,
            probabilities: false,
            data: PathBuf::new(),
            model: PathBuf::new(),
        };
        for (option, value) in given {
            match option {
                "-q" => options.quiet = true,
                "-s" => {
                    options.machine = match number::<i64>(option, value, USAGE)? {
                        0 => Machine::Classifier,
                        1 => Machine::NuClassifier,
                        2 => Machine::OneClass,
                        3 => Machine::EpsilonRegression,
                        4 => Machine::NuRegression,
                        _ => return Err(usage(format!("-s {value}: there is no such machine"), USAGE)),
                    }
                }
                "-n" => options.nu = number(option, value, USAGE)?,
                "-p" => options.tube = number(option, value, USAGE)?,
                "-b" => options.probabilities = switch(option, value, USAGE)?,
                "-t" => options.kernel = number(option, value, USAGE)?,
                "-d" => options.degree = number(option, value, USAGE)?,
                "-g" => options.gamma = number(option, value, USAGE)?,
                "-r" => options.constant = number(option, value, USAGE)?,
                "-c" => options.cost = number(option, value, USAGE)?,
                "-e" => options.tolerance = number(option, value, USAGE)?,
                "-m" => options.megabytes = number(option, value, USAGE)?,
                "-v" => match number(option, value, USAGE)? {
                    folds if folds >= 2 => options.folds = Some(folds),
                    _ => return Err(usage("n-fold cross validation: n must >= 2", USAGE)),
                },
                // It changes nothing here.
                "-h" => number::<f64>(option, value, USAGE).map(|_| ())?,
                _ => match option.strip_prefix("-w").filter(|class| !class.is_empty()) {
                    Some(class) => options.weights.push((class.to_string(), number(option, value, USAGE)?)),
                    None => return Err(usage(format!("Unknown option: {option}"), USAGE)),
                },
            }
        }
        match files {
            [data] => {
                let name = PathBuf::from(data).file_name().unwrap_or_default().to_os_string();
                (options.data, options.model) = (data.into(), PathBuf::from(name));
                options.model.as_mut_os_string().push(".model");
            }
            [data, model] => (options.data, options.model) = (data.into(), model.into()),
            _ => return Err(usage("which files?", USAGE)),
        }
        if options.probabilities && !matches!(options.machine, Machine::Classifier | Machine::NuClassifier) {
            return Err(usage("-b 1 is for C-SVC and nu-SVC", USAGE));
        }
        Ok(options)
    }

    /// Says which weights are for no class.
    pub fn note_unknown_weights(&self, labels: &Labels) {
        for (class, _) in &self.weights {
            if !labels.classes().contains(class) {
                note(format!("WARNING: class label {class} specified in weight is not found"));
            }
        }
    }

    /// The kernel on rows of so many columns.
    pub fn kernel(&self, columns: usize) -> mercer::Result<Expression> {
        let (degree, constant) = (self.degree, self.constant);
        let gamma = if self.gamma == 0.0 { 1.0 / columns.max(1) as f64 } else { self.gamma };
        let kernel = match self.kernel {
            // Sums of kernel values are linear in them.
            0 | PRECOMPUTED => "linear".to_string(),
            1 => format!("polynomial(degree={degree}, gamma={gamma}, constant={constant})"),
            2 => format!("gaussian(gamma={gamma})"),
            3 => format!("sigmoid(gamma={gamma}, constant={constant})"),
            other => {
                let known = "0 linear, 1 polynomial, 2 radial basis function, 3 sigmoid, 4 kernel values";
                return Err(Error::Unsupported { what: format!("-t {other}: {known}") });
            }
        };
        kernel.parse()
    }

    /// Up to so many rows everything is computed in double precision, so that printed objectives agree in all digits.
    pub fn precision(rows: usize) -> Precision {
        if rows <= DOUBLE_ROWS { Precision::F64 } else { Precision::Auto }
    }

    pub fn bytes(&self) -> u64 {
        (self.megabytes.max(0.0) * f64::from(1 << 20)) as u64
    }

    /// The weight of a class: the last one that was given. As in LIBSVM, weights are for C-SVC.
    fn weight(&self, class: &str) -> f64 {
        let given = self.weights.iter().rev().find(|(name, _)| name == class);
        given.filter(|_| self.machine == Machine::Classifier).map_or(1.0, |given| given.1)
    }

    pub fn machine(&self, kernel: Expression, labels: &Labels) -> mercer::Result<SvcParams<Expression>> {
        let weights: Vec<(String, f64)> = match self.machine {
            Machine::Classifier => {
                self.weights.iter().filter(|(class, _)| labels.classes().contains(class)).cloned().collect()
            }
            _ => Vec::new(),
        };
        let params = Svc::params(kernel)
            .cost(self.cost)
            .slack(match self.machine {
                Machine::NuClassifier => Slack::Nu { nu: self.nu },
                _ => Slack::Linear,
            })
            .probability(self.probabilities.then_some(Probability::Platt))
            .tolerance(self.tolerance)
            .class_weights(if weights.is_empty() {
                ClassWeights::Equal
            } else {
                ClassWeights::Given(weights)
            })
            .memory(self.bytes())
            .precision(Options::precision(labels.len()));
        params.clone().check()?;
        Ok(params)
    }
}

/// Prints what LIBSVM prints, and writes the model.
pub(super) fn finish(
    options: &Options,
    model: SvcModel<Expression, Vectors<'static>>,
    labels: &Labels,
    mut card: ModelCard,
) -> Result<(), Failure> {
    if !options.quiet {
        let lines = lines(model.pairs(), labels, options);
        to_stdout(|out| Ok(out.write_all(lines.as_bytes())?))?;
    }
    let order = order(model.pairs(), labels).into_iter().map(|class| model.classes()[class].as_str());
    card.notes.insert(LABEL_ORDER.into(), order.collect::<Vec<_>>().join(" "));
    if options.machine == Machine::NuClassifier {
        card.notes.insert("formulation".into(), format!("slack nu = {}", options.nu));
    }
    let saved = Model::new(model, None, card);
    Ok(write_atomically(&options.model, |out| write_libsvm_model(&saved, out))?)
}

/// The classes in LIBSVM's order: that of the first appearance, 1 before -1.
fn order(pairs: &PairMachines, labels: &Labels) -> Vec<usize> {
    let mut seen = HashSet::new();
    let mut order: Vec<usize> = (0..labels.len())
        .map(|row| labels.codes()[row] as usize)
        .filter(|&class| seen.insert(class))
        .filter_map(|class| pairs.classes.iter().position(|name| *name == labels.classes()[class]))
        .collect();
    if let [first, second] = order[..]
        && pairs.classes[first] == "-1"
        && pairs.classes[second] == "1"
    {
        order.reverse();
    }
    order
}

/// The class with the most votes of the pairs, and of equals the first in LIBSVM's order; a value of 0 is for the later class of a pair.
fn elected(order: &[usize], values: &[f64]) -> usize {
    let k = order.len();
    let mut votes = vec![0usize; k];
    for (i, &first) in order.iter().enumerate() {
        for (j, &second) in order.iter().enumerate().skip(i + 1) {
            let (a, b) = (first.min(second), first.max(second));
            let value = values[a * (2 * k - a - 1) / 2 + (b - a - 1)];
            // Positive values speak for the later class here.
            let is_for_first = if first == b { value > 0.0 } else { value < 0.0 };
            votes[if is_for_first { i } else { j }] += 1;
        }
    }
    order[(1..k).fold(0, |best, class| if votes[class] > votes[best] { class } else { best })]
}

/// What LIBSVM prints about each pair of classes, in its order.
fn lines(pairs: &PairMachines, labels: &Labels, options: &Options) -> String {
    let order = order(pairs, labels);
    let mut text = String::new();
    for (at, &i) in order.iter().enumerate() {
        for &j in &order[at + 1..] {
            let (a, b) = (i.min(j), i.max(j));
            let number = mercer::machine::one_against_one::pairs(pairs.class_count())
                .position(|pair| pair == (a, b))
                .unwrap_or(0);
            let report = &pairs.reports[number];
            text.push_str(&format!("*\noptimization finished, #iter = {}\n", report.iterations));
            let (first, second) = (options.weight(&pairs.classes[i]), options.weight(&pairs.classes[j]));
            // The dual objective without the linear term is what LIBSVM minimises for nu-SVC.
            let sum: f64 = pairs.pair(a, b).map(|(_, beta)| beta.abs()).sum();
            let objective = match options.machine {
                Machine::NuClassifier => sum - report.certificate.dual,
                _ => -report.certificate.dual,
            };
            if first == second {
                let counts = labels.counts();
                let rows: usize = [a, b]
                    .iter()
                    .filter_map(|&c| labels.classes().iter().position(|name| *name == pairs.classes[c]))
                    .map(|class| counts[class])
                    .sum();
                text.push_str(&match options.machine {
                    Machine::NuClassifier => format!("C = {:.6}\n", sum / (options.nu * rows as f64)),
                    _ => format!("nu = {:.6}\n", sum / (options.cost * first * rows as f64)),
                });
            }
            // Positive values speak for the later class here, for the first there.
            let rho = if i == b { -pairs.offsets[number] } else { pairs.offsets[number] };
            text.push_str(&format!("obj = {objective:.6}, rho = {:.6}\n", rho + 0.0));
            text.push_str(&format!("nSV = {}, nBSV = {}\n", report.support, report.bounded));
        }
    }
    text.push_str(&format!("Total nSV = {}\n", pairs.support.len()));
    text
}

fn cross_validate(
    machine: SvcParams<Expression>,
    folds: usize,
    table: &Table<'_>,
    labels: &Labels,
) -> Result<(), Failure> {
    let n = table.vectors.len();
    if folds > n {
        note(
            "WARNING: # folds > # data. Will use # folds = # data instead (i.e., leave-one-out cross validation)",
        );
    }
    let machine = machine.check()?;
    // As in LIBSVM, folds have equal fractions of the classes unless each row is one.
    let splits = if folds < n { Split::stratified(labels, folds, 1)? } else { Split::folds(n, n, 1)? };
    let mut right = 0;
    for (fold, split) in splits.iter().enumerate() {
        let known = Labels::from_text(split.train.iter().map(|&row| labels.text(row)));
        let model = machine
            .fit(&table.vectors.select(&split.train), &known)
            .map_err(|error| error.without(format!("fold {} of {}", fold + 1, splits.len())))?;
        let (order, pairs) = (order(model.pairs(), &known), model.pairs().offsets.len());
        let values = model.decision_values(&table.vectors.select(&split.test))?;
        let predicted = values.chunks_exact(pairs).map(|values| elected(&order, values));
        let is_right = |(row, class): (&usize, usize)| labels.text(*row) == model.classes()[class];
        right += split.test.iter().zip(predicted).filter(|&pair| is_right(pair)).count();
    }
    let accuracy = general(100.0 * right as f64 / n as f64, 6);
    Ok(to_stdout(|out| Ok(writeln!(out, "Cross Validation Accuracy = {accuracy}%")?))?)
}
