//! The joint problem over one Gram matrix, solved and reported.

use super::{Joint, JointFit};
use crate::data::Labels;
use crate::error::{Error, Result};
use crate::gram::SymmetricGram;
use crate::machine::attempt::Attempt;
use crate::machine::expansion::check_finite;
use crate::machine::options::check_classes;
use crate::machine::svc::FitProgress;
use crate::machine::{ClassFunctions, Report};
use crate::resources::Workers;
use crate::solver::{
    Accuracy, Control, JointProblem, JointSolution, Settings, Status, joint_certificate, solve_joint,
};

/// What is trained on, whatever the Gram matrix.
pub(super) struct Training<'a> {
    pub machine: Joint,
    pub offset: bool,
    /// The classes that have rows.
    pub classes: Vec<String>,
    /// The class of each row, as a position in `classes`.
    pub class_of_row: Vec<usize>,
    pub costs: Vec<f64>,
    pub convex: bool,
    pub workers: &'a Workers,
    pub observer: &'a (dyn Fn(&FitProgress) -> Control + Sync),
}

/// The problem, solved.
pub(super) struct Trained {
    problem: JointProblem,
    solution: JointSolution,
    accuracy: Accuracy,
    /// max k(x, x)
    largest: f64,
}

/// Numbers of each row and class: its coefficient, the value of the function, where they begin and what the solver makes of them.
const COPIES: u64 = 6;

/// The classes that have rows, and for each row which of them it belongs to.
pub(in crate::machine) fn classes_with_rows(labels: &Labels) -> (Vec<String>, Vec<usize>) {
    let counts = labels.counts();
    let present: Vec<usize> = (0..counts.len()).filter(|&class| counts[class] > 0).collect();
    let classes = present.iter().map(|&class| labels.classes()[class].clone()).collect();
    let position = |&code: &u32| present.partition_point(|&class| class < code as usize);
    (classes, labels.codes().iter().map(position).collect())
}

impl Training<'_> {
    /// τ to begin with: that of an earlier fit, whose classes may stand in another order.
    fn start(&self, earlier: &ClassFunctions) -> Result<Vec<f64>> {
        let (n, k, width) = (self.costs.len(), self.classes.len(), earlier.class_count());
        if let Some(index) = earlier.support.iter().position(|&row| row >= n) {
            let value = earlier.support[index] as f64;
            let what = "support row of the earlier fit";
            return Err(Error::Entry { what, index, value, expected: "the position of a training row" });
        }
        let mut start = vec![0.0; n * k];
        for (to, class) in self.classes.iter().enumerate() {
            let Some(from) = earlier.classes.iter().position(|name| name == class) else { continue };
            for (&row, tau) in earlier.support.iter().zip(earlier.coefficients.chunks_exact(width)) {
                start[row * k + to] = tau[from];
            }
        }
        Ok(start)
    }
}

impl Attempt for Training<'_> {
    type Machine = ClassFunctions;
    type Trained = Trained;
    type Fit = JointFit;

    fn convex(&self) -> bool {
        self.convex
    }

    fn train(
        &self,
        gram: &dyn SymmetricGram,
        settings: &Settings,
        share: f64,
        earlier: Option<&ClassFunctions>,
        _: Option<&Trained>,
    ) -> Result<Trained> {
        let of_copy = (self.costs.len() as u64).saturating_mul(8).saturating_mul(self.classes.len() as u64);
        let needed = of_copy.saturating_mul(COPIES);
        check_classes("a coefficient for each row and class", needed, settings.memory)?;
        let problem = JointProblem {
            offset: self.offset,
            start: earlier.map_or(Ok(Vec::new()), |earlier| self.start(earlier))?,
            ..JointProblem::new(
                self.machine,
                self.classes.len(),
                self.class_of_row.clone(),
                self.costs.clone(),
            )
        };
        let shared = settings.shared(share);
        let solution = solve_joint(gram, &problem, &shared, self.workers, &mut |progress| {
            (self.observer)(&FitProgress { problem: 0, problems: 1, progress: progress.clone() })
        })?;
        let largest = gram.largest();
        Ok(Trained { problem, solution, accuracy: settings.accuracy(), largest })
    }

    fn join(&self, trained: &Trained) -> Result<ClassFunctions> {
        let (k, tau) = (self.classes.len(), &trained.solution.coefficients);
        check_finite("coefficient", tau)?;
        check_finite("offset", &trained.solution.offsets)?;
        let rows = || tau.chunks_exact(k).enumerate().filter(|(_, tau)| tau.iter().any(|&t| t != 0.0));
        Ok(ClassFunctions {
            classes: self.classes.clone(),
            support: rows().map(|(row, _)| row).collect(),
            coefficients: rows().flat_map(|(_, tau)| tau.iter().copied()).collect(),
            offsets: trained.solution.offsets.clone(),
        })
    }

    fn seen(&self, trained: &Trained, row: usize, output: usize) -> Option<f64> {
        let value = trained.solution.values[row * self.classes.len() + output];
        Some(value + trained.solution.offsets[output])
    }

    fn report(
        &self,
        trained: &Trained,
        functions: ClassFunctions,
        error: f64,
        before: Option<&JointFit>,
    ) -> JointFit {
        let Trained { problem, solution, accuracy, largest } = trained;
        let k = problem.classes;
        let (tau, f) = (&solution.coefficients, &solution.values);
        // What double precision does to a value: a sum of values of K, each wrong in its last digit.
        let squares = |c: usize| tau.iter().skip(c).step_by(k).map(|t| t * t).sum::<f64>();
        let size = (0..k).map(squares).fold(0.0, f64::max).sqrt();
        let error = error.max(0.5 * f64::EPSILON * largest * size);
        let kkt_gap = solution.certificate.kkt_gap;
        let certificate = joint_certificate(problem, tau, f, &solution.offsets, kkt_gap, error);
        let status = accuracy.verdict(solution.status, &certificate);
        let is_bounded = |row: &usize| {
            let (own, cost) = (problem.class[*row], problem.costs[*row]);
            match problem.machine {
                Joint::WestonWatkins => tau[row * k..][..k].iter().any(|&t| -t == cost),
                Joint::CrammerSinger => tau[row * k + own] == cost,
            }
        };
        let squared: f64 = tau.iter().zip(f).map(|(tau, f)| tau * f).sum();
        let earlier = before.map(|fit| &fit.report);
        let report = Report {
            status,
            certificate,
            convex: self.convex,
            support: functions.support.len(),
            bounded: functions.support.iter().filter(|row| is_bounded(row)).count(),
            norm: squared.max(0.0).sqrt(),
            iterations: solution.iterations + earlier.map_or(0, |report| report.iterations),
            rows_computed: solution.rows_computed + earlier.map_or(0, |report| report.rows_computed),
            seconds: solution.elapsed.as_secs_f64() + earlier.map_or(0.0, |report| report.seconds),
        };
        JointFit { functions, report }
    }

    fn machine<'f>(&self, fit: &'f JointFit) -> &'f ClassFunctions {
        &fit.functions
    }

    fn ends(&self, fit: &JointFit) -> (Vec<Status>, u64) {
        (vec![fit.report.status], fit.report.iterations)
    }

    fn statuses<'f>(&self, fit: &'f mut JointFit) -> Vec<&'f mut Status> {
        vec![&mut fit.report.status]
    }
}
