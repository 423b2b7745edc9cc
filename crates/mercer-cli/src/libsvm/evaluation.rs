//! A LIBSVM model file evaluated in LIBSVM's own order of operations, so that decisions on the border and ties between votes fall as there.

use mercer::data::Row;
use mercer::io::read_libsvm_model;
use mercer::{Error, Result};

/// The kernel of a model file.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Kernel {
    Linear,
    Polynomial {
        degree: u32,
        gamma: f64,
        constant: f64,
    },
    Gaussian {
        gamma: f64,
    },
    Sigmoid {
        gamma: f64,
        constant: f64,
    },
    /// A support vector is the number of a training item: its column, from 1.
    Precomputed,
}

/// What the file holds, in its own order.
pub struct Evaluation {
    machine: String,
    kernel: Kernel,
    labels: Vec<String>,
    /// Where the support vectors of each class begin, and the end.
    starts: Vec<usize>,
    rho: Vec<f64>,
    /// Classes − 1 numbers for each support vector.
    coefficients: Vec<f64>,
    offsets: Vec<usize>,
    indices: Vec<u32>,
    values: Vec<f64>,
}

impl Evaluation {
    /// The model of a file's bytes; None if it is no LIBSVM model file.
    ///
    /// # Errors
    /// [`Error::Parse`] for a file whose parts do not fit together.
    pub fn of(bytes: &[u8]) -> Result<Option<Self>> {
        if !bytes.starts_with(b"svm_type ") {
            return Ok(None);
        }
        Self::parse(bytes).map(Some)
    }

    fn parse(bytes: &[u8]) -> Result<Self> {
        let text = std::str::from_utf8(bytes).map_err(|_| problem(1, "not UTF-8"))?;
        let found = Self::parts(text)?;
        if !found.is_precomputed() {
            // What `mercer predict` refuses is refused here in the same words; its order of operations is another one.
            read_libsvm_model(bytes)?;
        }
        Ok(found)
    }

    fn parts(text: &str) -> Result<Self> {
        let mut lines = text.lines().enumerate().map(|(at, line)| (at + 1, line));
        let (mut machine, mut kernel, mut labels) = (String::new(), String::new(), Vec::new());
        let (mut degree, mut gamma, mut constant) = (3, 0.0, 0.0);
        let (mut rho, mut counts, mut announced) = (Vec::new(), Vec::new(), None);
        for (at, line) in lines.by_ref() {
            let (key, rest) = line.trim_end().split_once(' ').unwrap_or((line.trim_end(), ""));
            match key {
                "SV" => break,
                "svm_type" => machine = rest.trim().to_string(),
                "kernel_type" => kernel = rest.trim().to_string(),
                "degree" => degree = one(at, rest)?,
                "gamma" => gamma = one(at, rest)?,
                "coef0" => constant = one(at, rest)?,
                "rho" => {
                    rho = rest.split_whitespace().map(|word| one(at, word)).collect::<Result<Vec<f64>>>()?
                }
                "total_sv" => announced = Some(one::<usize>(at, rest)?),
                "label" => labels = rest.split_whitespace().map(str::to_string).collect(),
                "nr_sv" => {
                    counts = rest.split_whitespace().map(|word| one(at, word)).collect::<Result<_>>()?
                }
                _ => {}
            }
        }
        let kernel = match kernel.as_str() {
            "linear" => Kernel::Linear,
            "polynomial" => Kernel::Polynomial { degree, gamma, constant },
            "rbf" => Kernel::Gaussian { gamma },
            "sigmoid" => Kernel::Sigmoid { gamma, constant },
            "precomputed" => Kernel::Precomputed,
            other => return Err(problem(1, &format!("kernel_type {other} is not known"))),
        };
        let is_classifier = matches!(machine.as_str(), "c_svc" | "nu_svc");
        let width = if is_classifier { labels.len().saturating_sub(1) } else { 1 };
        let (mut coefficients, mut offsets) = (Vec::<f64>::new(), vec![0]);
        let (mut indices, mut values) = (Vec::<u32>::new(), Vec::<f64>::new());
        for (at, line) in lines.filter(|(_, line)| !line.trim().is_empty()) {
            let mut words = line.split_whitespace();
            for word in words.by_ref().take(width) {
                coefficients.push(one(at, word)?);
            }
            for word in words {
                let (index, value) = word.split_once(':').ok_or_else(|| problem(at, "not index:value"))?;
                indices.push(one(at, index)?);
                values.push(one(at, value)?);
            }
            offsets.push(values.len());
        }
        let total = offsets.len() - 1;
        if announced != Some(total) {
            let announced = announced.map_or("an unknown number of".into(), |count| count.to_string());
            let what = format!("{announced} support vectors are announced, {total} are there: cut short?");
            return Err(problem(text.lines().count(), &what));
        }
        let mut starts = vec![0usize];
        for &count in &counts {
            let before = starts[starts.len() - 1];
            starts.push(before.saturating_add(count));
        }
        let k = labels.len();
        let fits = match is_classifier {
            true => k >= 2 && counts.len() == k && rho.len() == k * (k - 1) / 2 && starts[k] == total,
            false => rho.len() == 1,
        };
        let has_numbers = kernel != Kernel::Precomputed
            || (0..total).all(|i| {
                let row = offsets[i]..offsets[i + 1];
                indices[row.clone()] == [0] && values[row.start] >= 1.0 && values[row.start].fract() == 0.0
            });
        let is_known = is_classifier || matches!(machine.as_str(), "one_class" | "epsilon_svr" | "nu_svr");
        let are_finite = [&rho, &coefficients, &values].into_iter().flatten().all(|x: &f64| x.is_finite());
        if !is_known || !are_finite || !fits || !has_numbers || coefficients.len() != width * total {
            return Err(problem(1, "the parts of the model do not fit together"));
        }
        Ok(Evaluation { machine, kernel, labels, starts, rho, coefficients, offsets, indices, values })
    }

    /// Whether the answers are decisions, or there is no other way to them.
    pub fn decides(&self) -> bool {
        self.is_classifier() || self.is_one_class() || self.is_precomputed()
    }

    pub fn is_classifier(&self) -> bool {
        matches!(self.machine.as_str(), "c_svc" | "nu_svc")
    }

    pub fn is_one_class(&self) -> bool {
        self.machine == "one_class"
    }

    pub fn is_precomputed(&self) -> bool {
        self.kernel == Kernel::Precomputed
    }

    /// How many kernel values a row must have.
    pub fn columns(&self) -> usize {
        self.values.iter().fold(0.0f64, |most, &number| most.max(number)) as usize
    }

    /// What is predicted for a row: a label, 1 or -1, or a number.
    pub fn predict(&self, row: &Row<'_>) -> String {
        let mut features = Vec::new();
        row.for_each(|column, value| features.push((column as u32 + 1, value)));
        let kernel: Vec<f64> = (0..self.offsets.len() - 1).map(|i| self.value(&features, i)).collect();
        if !self.is_classifier() {
            let sum = self.coefficients.iter().zip(&kernel).fold(0.0, |sum, (beta, k)| sum + beta * k);
            let found = sum - self.rho[0];
            return match self.is_one_class() {
                true => if found > 0.0 { "1" } else { "-1" }.into(),
                false => found.to_string(),
            };
        }
        let (k, width) = (self.labels.len(), self.labels.len() - 1);
        let (mut votes, mut pair) = (vec![0usize; k], 0);
        for i in 0..k {
            for j in i + 1..k {
                let mut sum = 0.0;
                for v in self.starts[i]..self.starts[i + 1] {
                    sum += self.coefficients[v * width + j - 1] * kernel[v];
                }
                for v in self.starts[j]..self.starts[j + 1] {
                    sum += self.coefficients[v * width + i] * kernel[v];
                }
                votes[if sum - self.rho[pair] > 0.0 { i } else { j }] += 1;
                pair += 1;
            }
        }
        // The first of equals, in the order of the file.
        let best = (1..k).fold(0, |best, class| if votes[class] > votes[best] { class } else { best });
        self.labels[best].clone()
    }

    /// k(x, z) with the support vector of this number.
    fn value(&self, x: &[(u32, f64)], i: usize) -> f64 {
        let stored = self.offsets[i]..self.offsets[i + 1];
        let z = self.indices[stored.clone()].iter().copied().zip(self.values[stored.clone()].iter().copied());
        match self.kernel {
            Kernel::Linear => dot(x, z),
            Kernel::Polynomial { degree, gamma, constant } => power(gamma * dot(x, z) + constant, degree),
            Kernel::Sigmoid { gamma, constant } => (gamma * dot(x, z) + constant).tanh(),
            Kernel::Gaussian { gamma } => (-gamma * squared_distance(x, z)).exp(),
            Kernel::Precomputed => {
                let number = self.values[stored.start] as u32;
                x.binary_search_by_key(&number, |&(column, _)| column).map_or(0.0, |at| x[at].1)
            }
        }
    }
}

fn dot(x: &[(u32, f64)], z: impl Iterator<Item = (u32, f64)>) -> f64 {
    let (mut sum, mut at) = (0.0, 0);
    for (column, value) in z {
        while at < x.len() && x[at].0 < column {
            at += 1;
        }
        if at < x.len() && x[at].0 == column {
            sum += x[at].1 * value;
        }
    }
    sum
}

/// Over the columns of both in their order.
fn squared_distance(x: &[(u32, f64)], z: impl Iterator<Item = (u32, f64)>) -> f64 {
    let (mut sum, mut at) = (0.0, 0);
    for (column, value) in z {
        while at < x.len() && x[at].0 < column {
            sum += x[at].1 * x[at].1;
            at += 1;
        }
        if at < x.len() && x[at].0 == column {
            let difference = x[at].1 - value;
            sum += difference * difference;
            at += 1;
        } else {
            sum += value * value;
        }
    }
    x[at..].iter().fold(sum, |sum, (_, value)| sum + value * value)
}

/// By repeated squares, as LIBSVM has it.
fn power(base: f64, degree: u32) -> f64 {
    let (mut square, mut found, mut left) = (base, 1.0, degree);
    while left > 0 {
        if left % 2 == 1 {
            found *= square;
        }
        square *= square;
        left /= 2;
    }
    found
}

fn one<T: std::str::FromStr>(line: usize, word: &str) -> Result<T> {
    word.trim().parse().map_err(|_| problem(line, &format!("{word:?} is not a number that fits here")))
}

fn problem(line: usize, problem: &str) -> Error {
    Error::Parse { line: line as u64, column: 1, problem: problem.into() }
}
