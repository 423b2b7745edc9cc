//! `svm-train`

use std::collections::HashSet;
use std::path::PathBuf;

use mercer::Error;
use mercer::data::{Contents, Examples, Items, Labels, Split, Table, read_file, write_atomically};
use mercer::evaluation::Recipe;
use mercer::gram::Precision;
use mercer::io::{AnyModel, LABEL_ORDER, ModelCard, SavedModel, check_libsvm_model, write_libsvm_model};
use mercer::kernel::Expression;
use mercer::machine::{ClassWeights, PairMachines, Probability, Slack, Svc, SvcParams};
use mercer::solver::Control;

use super::number::general;
use super::one_function;
use super::{number, split, switch, usage};
use crate::failure::Failure;
use crate::output;
use crate::print::{note, to_stdout};

const USAGE: &str = "Usage: svm-train [options] training_set_file [model_file]
options:
-s svm_type : 0 C-SVC, 1 nu-SVC, 2 one-class SVM, 3 epsilon-SVR, 4 nu-SVR (default 0)
-t kernel_type : 0 linear, 1 polynomial, 2 radial basis function, 3 sigmoid (default 2)
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
-wi weight : the cost of class i is weight*C (default 1)
-v n : n-fold cross-validation
-q : print nothing";

/// Rows up to which that is affordable.
const DOUBLE_ROWS: usize = 20_000;

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
    let table = match read_file(&options.data, &Default::default())? {
        Contents::Table(table) => table,
        Contents::Precomputed(_) => {
            let what = "the file holds kernel values: use mercer train --kernel precomputed".to_string();
            return Err(Error::Unsupported { what }.in_file(&options.data).into());
        }
    };
    if !matches!(options.machine, Machine::Classifier | Machine::NuClassifier) {
        if options.probabilities {
            return Err(usage("-b 1 is for C-SVC and nu-SVC", USAGE));
        }
        return one_function::run(&options, &table);
    }
    let labels = table.targets.labels()?;
    for (class, _) in &options.weights {
        if !labels.classes().contains(class) {
            note(format!("WARNING: class label {class} specified in weight is not found"));
        }
    }
    let machine = options.machine(&table, &labels).map_err(Failure::Usage)?;
    if options.folds.is_none() {
        check_libsvm_model(labels.classes(), None, &options.kernel(&table)?)
            .map_err(|e| e.in_file(&options.data))?;
    }
    match options.folds {
        Some(folds) => cross_validate(machine, folds, &table, &labels),
        None => train(&options, machine, table, &labels),
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
        Ok(options)
    }

    pub fn kernel(&self, table: &Table<'_>) -> mercer::Result<Expression> {
        let (degree, constant) = (self.degree, self.constant);
        let gamma = if self.gamma == 0.0 { 1.0 / table.vectors.columns().max(1) as f64 } else { self.gamma };
        let kernel = match self.kernel {
            0 => "linear".to_string(),
            1 => format!("polynomial(degree={degree}, gamma={gamma}, constant={constant})"),
            2 => format!("gaussian(gamma={gamma})"),
            3 => format!("sigmoid(gamma={gamma}, constant={constant})"),
            other => {
                let what = format!("-t {other}: 0 linear, 1 polynomial, 2 radial basis function, 3 sigmoid");
                return Err(Error::Unsupported { what });
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

    fn machine(&self, table: &Table<'_>, labels: &Labels) -> mercer::Result<SvcParams<Expression>> {
        let weights: Vec<(String, f64)> =
            self.weights.iter().filter(|(class, _)| labels.classes().contains(class)).cloned().collect();
        let params = Svc::params(self.kernel(table)?)
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

fn train(
    options: &Options,
    machine: SvcParams<Expression>,
    table: Table<'static>,
    labels: &Labels,
) -> Result<(), Failure> {
    let model = machine.check()?.fit(&table.vectors, labels).map_err(|error| error.in_file(&options.data))?;
    if !options.quiet {
        let lines = lines(model.pairs(), labels, options);
        to_stdout(|out| Ok(out.write_all(lines.as_bytes())?))?;
    }
    let mut card = ModelCard::of(&table.vectors);
    let order = order(model.pairs(), labels).into_iter().map(|class| model.classes()[class].as_str());
    card.notes.insert(LABEL_ORDER.into(), order.collect::<Vec<_>>().join(" "));
    if options.machine == Machine::NuClassifier {
        card.notes.insert("formulation".into(), format!("slack nu = {}", options.nu));
    }
    let saved = SavedModel::new(AnyModel::Svc(model), None, card);
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

/// What LIBSVM prints about each pair of classes, in its order.
fn lines(pairs: &PairMachines, labels: &Labels, options: &Options) -> String {
    let order = order(pairs, labels);
    let weight =
        |class: &str| options.weights.iter().rev().find(|(name, _)| name == class).map_or(1.0, |w| w.1);
    let mut text = String::new();
    for (at, &i) in order.iter().enumerate() {
        for &j in &order[at + 1..] {
            let (a, b) = (i.min(j), i.max(j));
            let number = mercer::machine::one_against_one::pairs(pairs.class_count())
                .position(|pair| pair == (a, b))
                .unwrap_or(0);
            let report = &pairs.reports[number];
            text.push_str(&format!("*\noptimization finished, #iter = {}\n", report.iterations));
            let (first, second) = (weight(&pairs.classes[i]), weight(&pairs.classes[j]));
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
    let splits = Split::stratified(labels, folds.min(n), 1)?;
    let recipe = Recipe::new(machine);
    let test = recipe.assess(Examples::new(&table.vectors, labels), &splits, &|_| Control::Continue)?;
    let accuracy = general(100.0 * test.outcome.accuracy(), 6);
    Ok(to_stdout(|out| Ok(writeln!(out, "Cross Validation Accuracy = {accuracy}%")?))?)
}
