//! The span rule is leave-one-out wherever no other row changes its kind.

use mercer::data::{Items, Labels};
use mercer::evaluation::estimates::{Means, Solved, leave_one_out, opper_winther, span_rule, squared_spans};
use mercer::gram::PrecomputedGram;
use mercer::machine::Svc;
use mercer::solver::Control;

use super::{cases, gram_of};

#[test]
fn it_is_leave_one_out_where_its_assumption_holds() {
    let mut total = 0;
    for case in cases() {
        let (rows, labels) = case.set();
        let gram = gram_of(&rows, case.kernel);
        let machine = case.machine().check().unwrap();
        let solved = Solved::new(&machine, &gram, &labels, None).unwrap();
        let spans = squared_spans(&solved).unwrap();
        let left_out = leave_one_out(&solved).unwrap();
        let mut held = 0;
        for (i, row) in left_out.rows.iter().enumerate() {
            if !solved.is_support(i) {
                assert_eq!(spans[i], 0.0);
                continue;
            }
            assert!(spans[i] >= 0.0, "{}: {}", case.name(), spans[i]);
            if row.means != Means::Formula {
                continue;
            }
            held += 1;
            let rule = solved.decision(i) - solved.sign(i) * solved.alpha(i) * spans[i];
            let value = row.value.unwrap();
            assert!((rule - value).abs() < 1e-6 * value.abs().max(1.0), "{}: {rule} {value}", case.name());
            // By training without the row, whatever the others do.
            if held % 10 == 1 {
                let mut weights = vec![1.0; rows.len()];
                weights[i] = 0.0;
                let machine = machine.clone().with_kernel(());
                let go_on = |_: &_| Control::Continue;
                let fit = machine.fit_gram(&gram, &labels, Some(&weights), true, &go_on).unwrap();
                let refit: f64 = fit.pairs.offsets[0]
                    + fit
                        .pairs
                        .pair(0, 1)
                        .map(|(s, beta)| beta * gram.values()[fit.pairs.support[s] * rows.len() + i])
                        .sum::<f64>();
                assert!(
                    (rule - refit).abs() < 1e-5 * refit.abs().max(1.0),
                    "{}: {rule} {refit}",
                    case.name()
                );
            }
        }
        let rule = span_rule(&solved).unwrap();
        println!("{}: span {rule:.3}, leave-one-out {:.3}, {held} exact", case.name(), left_out.error());
        assert!((rule - left_out.error()).abs() < 0.06, "{}", case.name());
        total += held;
        if !case.offset {
            assert_eq!(opper_winther(&solved).unwrap(), rule);
        }
    }
    assert!(total > 300, "{total}");
}

#[test]
fn where_no_row_is_on_the_margin_it_trains_again() {
    // Two classes of a few rows at their bounds.
    let x = [-3.0f64, -2.0, -1.0, 1.0, 2.0, 3.0];
    let values: Vec<f64> = x.iter().flat_map(|a| x.map(|b| (-(a - b) * (a - b)).exp())).collect();
    let gram = PrecomputedGram::symmetric(values, 6).unwrap();
    let labels = Labels::from_text(["a", "a", "a", "b", "b", "b"]);
    let machine = Svc::params(()).cost(0.01).tolerance(1e-9).check().unwrap();
    let solved = Solved::new(&machine, &gram, &labels, None).unwrap();
    assert!((0..6).all(|i| !solved.is_free(i)));
    assert!(squared_spans(&solved).unwrap().iter().all(|span| span.is_infinite()));
    assert_eq!(span_rule(&solved).unwrap(), leave_one_out(&solved).unwrap().error());
}
