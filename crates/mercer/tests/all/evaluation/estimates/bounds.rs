//! What theory calls an upper bound of the leave-one-out error is one.

use mercer::data::{Labels, Vectors};
use mercer::evaluation::estimates::{
    RadiusMargin, Solved, XiAlphaRadius, jaakkola_haussler, leave_one_out, span_bound, support_vectors,
    xi_alpha,
};
use mercer::kernel::Expression;
use mercer::machine::{Novelty, Region, Slack, Softness, Svc};
use mercer::solver::Control;

use super::{cases, gram_of};
use crate::evaluation::overlapping;

/// A set with a name.
type Named = (String, (Vectors<'static>, Labels), String, f64, Slack, bool);

/// Those of the other tests and many small ones.
fn machines() -> Vec<Named> {
    let mut machines: Vec<Named> = cases()
        .iter()
        .map(|case| (case.name(), case.set(), case.kernel.to_string(), case.cost, case.slack, case.offset))
        .collect();
    for (seed, gamma, cost) in [(1, 0.02, 0.2), (2, 0.1, 1.0), (3, 0.3, 5.0), (4, 1.0, 20.0), (5, 3.0, 0.5)] {
        for slack in [Slack::Linear, Slack::Quadratic] {
            for offset in [true, false] {
                let kernel = format!("gaussian(gamma={gamma})");
                let name = format!("overlapping {seed}, {kernel}, C = {cost}, {slack:?}, offset {offset}");
                machines.push((name, overlapping(120, seed), kernel, cost, slack, offset));
            }
        }
    }
    machines
}

#[test]
fn upper_bounds_are_above_the_error() {
    let mut sharper = [0; 4];
    for (name, (rows, labels), kernel, cost, slack, offset) in machines() {
        let gram = gram_of(&rows, &kernel);
        let machine = Svc::params(()).cost(cost).slack(slack).offset(offset).tolerance(1e-8).check().unwrap();
        let solved = Solved::new(&machine, &gram, &labels, None).unwrap();
        let error = leave_one_out(&solved).unwrap().error();
        let support = support_vectors(&solved);
        let common = xi_alpha(&solved, 2.0, XiAlphaRadius::Common).unwrap();
        let by_row = xi_alpha(&solved, 2.0, XiAlphaRadius::OfRow).unwrap();
        let span = span_bound(&solved).unwrap();
        let own = jaakkola_haussler(&solved);
        println!("{name}: {error:.3} <= {by_row:.3} {common:.3} {span:.3} {support:.3}; {own:.3}");
        assert!(error <= support, "{name}: {error} {support}");
        assert!(
            error <= by_row && by_row <= common && common <= support,
            "{name}: {error} {by_row} {common}"
        );
        assert!(error <= span && span <= support, "{name}: {error} {span} {support}");
        if !offset {
            assert!(error <= own, "{name}: {error} {own}");
            // ξα without an offset is the estimate of Jaakkola and Haussler.
            assert_eq!(by_row, own, "{name}");
        }
        if slack != Slack::Linear {
            let quotient = RadiusMargin::new(&solved).unwrap().value();
            let factor = if offset { 4.0 } else { 1.0 };
            assert!(error <= factor * quotient, "{name}: {error} {quotient}");
        }
        for (count, bound) in sharper.iter_mut().zip([common, by_row, span, own]) {
            *count += usize::from(bound < support - 1e-12);
        }
    }
    // None of them is the share of support vectors under another name.
    assert!(sharper.iter().all(|&count| count > 3), "{sharper:?}");
}

#[test]
fn a_smaller_rho_is_less_pessimistic_and_must_make_sense() {
    let (rows, labels) = overlapping(120, 2);
    let gram = gram_of(&rows, "gaussian(gamma=0.1)");
    let solved = Solved::new(&Svc::params(()).check().unwrap(), &gram, &labels, None).unwrap();
    let at = |rho: f64| xi_alpha(&solved, rho, XiAlphaRadius::Common);
    assert!(at(1.0).unwrap() < at(2.0).unwrap());
    for rho in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert!(matches!(at(rho), Err(mercer::Error::Parameter { name: "rho", .. })));
    }
}

#[test]
fn the_ball_is_that_of_the_novelty_detector() {
    let (rows, labels) = overlapping(100, 5);
    for kernel in ["gaussian(gamma=0.2)", "linear"] {
        let gram = gram_of(&rows, kernel);
        let machine = Svc::params(()).tolerance(1e-7).check().unwrap();
        let ball = RadiusMargin::new(&Solved::new(&machine, &gram, &labels, None).unwrap()).unwrap();
        let sphere = Novelty::params(()).region(Region::Sphere).softness(Softness::Hard).tolerance(1e-7);
        let sphere = sphere.check().unwrap().fit_gram(&gram, None, true, &|_| Control::Continue).unwrap();
        let (found, expected) = (ball.squared_radius(), sphere.found.threshold);
        assert!((found / expected - 1.0).abs() < 1e-5, "{kernel}: {found} {expected}");
    }
}

#[test]
fn of_the_hard_margin_the_quotient_is_that_of_radius_and_margin() {
    let (rows, labels) = cases()[7].set();
    let kernel = cases()[7].kernel;
    let gram = gram_of(&rows, kernel);
    let machine = Svc::params(kernel.parse::<Expression>().unwrap()).slack(Slack::None).tolerance(1e-7);
    let machine = machine.check().unwrap();
    let model = machine.fit(&rows, &labels).unwrap();
    let margin = model.pairs().reports[0].margin;
    let quotient = RadiusMargin::new(&Solved::new(&machine, &gram, &labels, None).unwrap()).unwrap();
    let expected = quotient.squared_radius() / (labels.len() as f64 * margin * margin);
    assert!((quotient.value() / expected - 1.0).abs() < 1e-4, "{} {expected}", quotient.value());
}
