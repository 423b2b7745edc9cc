//! Distributions whose errors are known exactly: bounds that are not vacuous hold in at least 1 − δ of 500 draws.
//!
//! The learners here are solved in closed form, so that a draw costs next to nothing.

use mercer::evaluation::bounds::*;
use mercer_testkit::random::Random;

const DRAWS: usize = 500;
const DELTA: f64 = 0.05;

/// How a bound fared over many draws.
#[derive(Default)]
pub struct Record {
    draws: usize,
    failed: usize,
    vacuous: usize,
    truth: f64,
    bound: f64,
}

impl Record {
    pub fn add(&mut self, truth: f64, bound: &Bound) {
        self.draws += 1;
        self.failed += usize::from(truth > bound.value);
        self.vacuous += usize::from(bound.is_vacuous());
        self.truth += truth;
        self.bound += bound.value;
    }

    /// The bound held often enough, said something nearly always, and there was something to be bounded.
    pub fn check(&self, name: &str) {
        let (draws, mean) = (self.draws as f64, |sum: f64| sum / self.draws as f64);
        assert!(self.failed as f64 <= DELTA * draws, "{name} failed {} times of {draws}", self.failed);
        assert!(self.vacuous as f64 <= 0.05 * draws, "{name} was vacuous {} times of {draws}", self.vacuous);
        assert!(self.truth > 0.0, "{name}: nothing was ever wrong");
        println!("{name}: {} on average, at most {}", mean(self.truth), mean(self.bound));
    }
}

/// Φ(z) of the normal distribution, to 1e-7 (Abramowitz & Stegun 7.1.26).
pub fn normal_share(z: f64) -> f64 {
    let t = 1.0 / (1.0 + 0.327_591_1 * z.abs() / 2f64.sqrt());
    let series = t
        * (0.254_829_592
            + t * (-0.284_496_736 + t * (1.421_413_741 + t * (-1.453_152_027 + t * 1.061_405_429))));
    let tail = 0.5 * series * (-0.5 * z * z).exp();
    if z > 0.0 { 1.0 - tail } else { tail }
}

#[test]
fn the_general_forms_hold_for_the_line_through_the_means_of_noisy_classes() {
    // x = y(2, 0) + noise of ½, labels wrong with probability 5 %; w = Σ yx, scaled to length 1; γ = 1 is fixed before.
    let (mean, spread, wrong, rows, margin) = (2.0, 0.5, 0.05, 1000, 1.0);
    let mut random = Random::new(1);
    let (mut linear, mut squared) = (Record::default(), Record::default());
    for _ in 0..DRAWS {
        let sample: Vec<([f64; 2], f64)> = (0..rows)
            .map(|_| {
                let y = random.sign();
                let x = [y * mean + spread * random.normal(), spread * random.normal()];
                (x, if random.uniform() < wrong { -y } else { y })
            })
            .collect();
        let sum = sample.iter().fold([0.0; 2], |w, (x, y)| [w[0] + y * x[0], w[1] + y * x[1]]);
        let length = sum[0].hypot(sum[1]);
        let w = [sum[0] / length, sum[1] / length];
        let slack = |(x, y): &([f64; 2], f64)| (margin - y * (w[0] * x[0] + w[1] * x[1])).max(0.0);
        let clean = normal_share(-w[0] * mean / spread);
        let error = clean * (1.0 - wrong) + (1.0 - clean) * wrong;
        let trace = sample.iter().map(|(x, _)| x[0] * x[0] + x[1] * x[1]).sum();
        let slack_sum = sample.iter().map(slack).sum();
        let slack_squares = sample.iter().map(|row| slack(row).powi(2)).sum();
        linear.add(error, &SoftMargin { rows, trace, margin, slack_sum }.bound(DELTA).unwrap());
        // 8 in place of 4, and a slack of 3 counts 9: twice the margin keeps it below 1.
        let wide = 2.0 * margin;
        let slack = |(x, y): &([f64; 2], f64)| (wide - y * (w[0] * x[0] + w[1] * x[1])).max(0.0);
        let wide_squares: f64 = sample.iter().map(|row| slack(row).powi(2)).sum();
        assert!(wide_squares > slack_squares);
        let bound = SquaredSlack { rows, trace, margin: wide, slack_squares: wide_squares };
        squared.add(error, &bound.bound(DELTA).unwrap());
        assert!(SquaredSlack { slack_squares, rows, trace, margin }.bound(DELTA).unwrap().value >= error);
    }
    linear.check("(7.8)");
    squared.check("(7.13)");
}

/// Where x = yu lies: u is between `gap` and 1 but for a share `rare`, which is between 0 and `gap`.
struct Line {
    gap: f64,
    rare: f64,
}

impl Line {
    /// P(u ≤ at)
    fn share(&self, at: f64) -> f64 {
        match at <= self.gap {
            true => self.rare * at.max(0.0) / self.gap,
            false => self.rare + (1.0 - self.rare) * (at.min(1.0) - self.gap) / (1.0 - self.gap),
        }
    }

    /// u of which a share lies below.
    fn at(&self, share: f64) -> f64 {
        match share <= self.rare {
            true => self.gap * share / self.rare,
            false => self.gap + (1.0 - self.gap) * (share - self.rare) / (1.0 - self.rare),
        }
    }

    fn draw(&self, random: &mut Random) -> (f64, f64) {
        (random.sign(), self.at(random.uniform()))
    }

    /// The hyperplane half-way between the nearest rows of the classes: its margin and where it is.
    fn middle(nearest: [f64; 2]) -> (f64, f64) {
        (0.5 * (nearest[0] + nearest[1]), 0.5 * (nearest[1] - nearest[0]))
    }

    /// P(y ≠ sgn(x − at)): rows of one class that lie between 0 and there.
    fn error(&self, at: f64) -> f64 {
        0.5 * self.share(at.abs())
    }

    /// Distances from 0 of the nearest rows of either class among m rows, drawn as order statistics: exact, and no
    /// slower for more rows.
    fn nearest(&self, m: usize, random: &mut Random) -> [f64; 2] {
        let mut nearest = [None; 2];
        let mut above = 1.0;
        for left in (1..=m).rev() {
            // All of the rows that are left are farther with the probability (share above)^left.
            above *= random.uniform().powf(1.0 / left as f64);
            let class = random.below(2);
            nearest[class].get_or_insert(self.at(1.0 - above));
            if let [Some(below), Some(over)] = nearest {
                return [below, over];
            }
        }
        nearest.map(|one| one.unwrap_or(1.0))
    }
}

#[test]
fn the_hard_margin_on_a_line() {
    let line = Line { gap: 0.6, rare: 2e-4 };
    let (rows, choices) = (5000, 50);
    let mut random = Random::new(2);
    let (mut hard, mut support) = (Record::default(), Record::default());
    for _ in 0..DRAWS {
        let sample: Vec<(f64, f64)> = (0..rows).map(|_| line.draw(&mut random)).collect();
        let least = |sign: f64| {
            sample.iter().filter(|(y, _)| *y == sign).map(|(_, u)| *u).fold(f64::INFINITY, f64::min)
        };
        let (margin, at) = Line::middle([least(-1.0), least(1.0)]);
        let trace = sample.iter().map(|(_, u)| u * u).sum();
        // w = 1 and b = −at; the offset is made part of w, and the margin one that was fixed before.
        let plane = Hyperplane { rows, trace, squared_radius: 1.0, margin, offset: Some(-at) }.folded();
        let grid = Grid::new(plane.squared_radius.sqrt(), choices).unwrap();
        let margin = grid.at_most(plane.margin).unwrap();
        let bound = HardMargin { rows, trace: plane.trace, margin }.among(choices, DELTA).unwrap();
        hard.add(line.error(at), &bound);
        support.add(line.error(at), &Compression { rows, support: 2 }.bound(DELTA).unwrap());
    }
    hard.check("Theorem 7.22");
    support.check("Theorem 7.56");
}

#[test]
fn support_vectors_where_rows_lie_close_to_the_boundary() {
    // No gap at all: errors are of the order of 1/m, and so is the bound.
    let line = Line { gap: 0.5, rare: 0.5 };
    let mut random = Random::new(3);
    for rows in [50, 200, 1000] {
        let mut support = Record::default();
        let (mut mean, mut out) = (0.0, 0.0);
        for _ in 0..DRAWS {
            let (_, at) = Line::middle(line.nearest(rows, &mut random));
            let error = line.error(at);
            support.add(error, &Compression { rows, support: 2 }.bound(DELTA).unwrap());
            mean += error / DRAWS as f64;
            out += LeaveOneOut { rows: rows + 1, support: 2 }.bound().unwrap().value / DRAWS as f64;
        }
        support.check("Theorem 5.5");
        // E|at|/2 of two exponential distances of mean 2/m: 1/(2m), and the bound is 2/(m + 1).
        assert!(mean < out && mean > 0.1 * out, "{rows} rows: {mean} {out}");
    }
}

#[test]
fn fat_shattering_of_ten_million_rows_on_a_line() {
    let line = Line { gap: 0.8, rare: 1e-7 };
    let (rows, choices) = (10_000_000, 20);
    let mut random = Random::new(4);
    let mut record = Record::default();
    let mut refused = 0;
    for _ in 0..DRAWS {
        let (margin, at) = Line::middle(line.nearest(rows, &mut random));
        // The trace has no part in it.
        let plane = Hyperplane { rows, trace: 0.0, squared_radius: 1.0, margin, offset: Some(-at) }.folded();
        let radius = plane.squared_radius.sqrt();
        let Some(margin) = Grid::new(radius, choices).unwrap().at_most(plane.margin) else {
            refused += 1;
            continue;
        };
        let theorem =
            FatShattering { rows, squared_radius: plane.squared_radius, margin, width: 2.0 * radius };
        record.add(line.error(at), &theorem.among(choices, DELTA).unwrap());
    }
    assert!(refused < 10, "{refused} margins below all choices");
    record.check("Theorem 5.2");
}

#[test]
fn the_perceptron_in_the_plane() {
    // Rows of the unit disk at least 0.3 away from the line x₁ = 0.
    let (rows, gap) = (400, 0.3);
    let mut random = Random::new(5);
    let draw = |random: &mut Random| loop {
        let x = [random.between(-1.0, 1.0), random.between(-1.0, 1.0)];
        if x[0].hypot(x[1]) <= 1.0 && x[0].abs() >= gap {
            return (x, x[0].signum());
        }
    };
    let new: Vec<([f64; 2], f64)> = (0..4000).map(|_| draw(&mut random)).collect();
    let is_wrong = |w: [f64; 2], (x, y): &([f64; 2], f64)| y * (w[0] * x[0] + w[1] * x[1]) <= 0.0;
    let most = Updates { squared_radius: 1.0, margin: gap, bias: false }.bound().unwrap().value;
    let (mut mistakes, mut margins) = (Record::default(), Record::default());
    let mut largest = 0;
    for _ in 0..DRAWS {
        let sample: Vec<([f64; 2], f64)> = (0..rows).map(|_| draw(&mut random)).collect();
        let (mut w, mut updates) = ([0.0; 2], 0usize);
        while let Some((x, y)) = sample.iter().find(|row| is_wrong(w, row)) {
            w = [w[0] + y * x[0], w[1] + y * x[1]];
            updates += 1;
        }
        assert!(updates as f64 <= most, "Novikoff: {updates} updates, at most {most}");
        largest = largest.max(updates);
        let error = new.iter().filter(|row| is_wrong(w, row)).count() as f64 / new.len() as f64;
        mistakes.add(error, &Mistakes { rows, updates }.bound(DELTA).unwrap());
        // The margin that the distribution has is no larger than that of the sample.
        let theorem = PerceptronMargin { rows, squared_radius: 1.0, margin: gap };
        margins.add(error, &theorem.bound(DELTA).unwrap());
    }
    assert!(largest > 3, "never more than {largest} updates");
    mistakes.check("Theorem 7.54");
    margins.check("Corollary 7.55");
}

#[test]
fn the_perceptron_with_a_bias_makes_four_times_as_many_updates_at_most() {
    // Table 5.1: w += yx and b += yR², with mistakes at y(wx + b) ≤ 0, on a line whose boundary is not at 0.
    let mut random = Random::new(6);
    for _ in 0..DRAWS {
        let (boundary, gap) = (random.between(-0.5, 0.5), 0.1);
        let sample: Vec<(f64, f64)> = (0..100)
            .map(|_| random.between(-1.0, 1.0))
            .filter(|x| (x - boundary).abs() >= gap)
            .map(|x| (x, (x - boundary).signum()))
            .collect();
        let (mut w, mut b, mut updates) = (0.0, 0.0, 0);
        while let Some((x, y)) = sample.iter().find(|(x, y)| y * (w * x + b) <= 0.0) {
            w += y * x;
            b += y;
            updates += 1;
        }
        let theorem = Updates { squared_radius: 1.0, margin: gap, bias: true };
        assert!(f64::from(updates) <= theorem.bound().unwrap().value, "{updates}");
    }
}

#[test]
fn ridge_regression_on_a_line() {
    // y = x/2 + noise in [−1, 1], x in [−1, 1]; w = Σxy/(Σx² + 1), which is never above B = 1.5.
    let (slope, norm, rows) = (0.5, 1.5, 4000);
    let (tube, gamma) = (0.1, 0.9);
    let mut random = Random::new(7);
    let (mut squares, mut misses) = (Record::default(), Record::default());
    for _ in 0..DRAWS {
        let sample: Vec<(f64, f64)> = (0..rows)
            .map(|_| {
                let x = random.between(-1.0, 1.0);
                (x, slope * x + random.between(-1.0, 1.0))
            })
            .collect();
        let trace: f64 = sample.iter().map(|(x, _)| x * x).sum();
        let w = sample.iter().map(|(x, y)| x * y).sum::<f64>() / (trace + 1.0);
        assert!(w.abs() < norm);
        let residual_squares = sample.iter().map(|(x, y)| (y - w * x).powi(2)).sum();
        let target_squares = sample.iter().map(|(_, y)| y * y).sum();
        let theorem = SquaredLoss {
            rows,
            trace,
            squared_radius: 1.0,
            norm,
            residual_squares,
            target_squares,
            largest_target: 1.5,
        };
        squares.add((slope - w).powi(2) / 3.0 + 1.0 / 3.0, &theorem.bound(DELTA).unwrap());
        let slack_sum = sample.iter().map(|(x, y)| ((y - w * x).abs() - tube).max(0.0)).sum();
        let theorem = Tolerance { rows, trace, norm, tube, gamma, slack_sum };
        // P(|cx + n| > γ) with |c| below 1 − γ: what one end of n gains by cx the other one loses.
        assert!((slope - w).abs() < 1.0 - gamma);
        misses.add(1.0 - gamma, &theorem.bound(DELTA).unwrap());
    }
    squares.check("Theorem 7.39");
    misses.check("Theorem 7.49");
}

#[test]
fn spheres_about_the_centre_of_mass() {
    // x in [−1, 1]; the sphere about the mean with r² = ¼, and γ = 0.3; and the one that holds all rows.
    let (rows, gamma, small) = (10_000, 0.3, 0.25f64);
    let outside = |centre: f64, squared: f64| {
        let (low, high) = (centre - squared.sqrt(), centre + squared.sqrt());
        0.5 * ((low + 1.0).max(0.0) + (1.0 - high).max(0.0))
    };
    let mut random = Random::new(8);
    let (mut soft, mut clipped) = (Record::default(), Record::default());
    for _ in 0..DRAWS {
        let sample: Vec<f64> = (0..rows).map(|_| random.between(-1.0, 1.0)).collect();
        let centre = sample.iter().sum::<f64>() / rows as f64;
        let slacks: Vec<f64> = sample.iter().map(|x| ((x - centre).powi(2) - small).max(0.0)).collect();
        let truth = outside(centre, small + gamma);
        let theorem =
            FalsePositives { items: rows as f64, squared_radius: 1.0, slack_sum: slacks.iter().sum(), gamma };
        soft.add(truth, &theorem.bound(DELTA).unwrap());
        let tighter = FalsePositives { slack_sum: clipped_slack(&slacks, gamma), ..theorem };
        let bound = tighter.bound(DELTA).unwrap();
        assert!(bound.value < theorem.bound(DELTA).unwrap().value);
        clipped.add(truth, &bound);
        // Nothing is outside of the sphere that holds all rows, made larger by the γ of Corollary 7.14.
        let farthest = sample.iter().map(|x| (x - centre).powi(2)).fold(0.0, f64::max);
        let hard = FalsePositives { slack_sum: 0.0, ..theorem }.gamma_for(0.1).unwrap();
        assert!(outside(centre, farthest + hard.gamma) <= hard.bound(DELTA).unwrap().value);
    }
    soft.check("Theorem 7.9");
    clipped.check("Theorem 7.5");
}
