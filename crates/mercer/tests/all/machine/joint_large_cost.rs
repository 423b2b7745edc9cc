//! Joint machines at costs where the bounds hardly bind: the interior-point method finishes what steps example by example cannot.

use std::time::Instant;

use mercer::data::{Labels, Random, Vectors};
use mercer::kernel::Expression;
use mercer::machine::{Joint, JointSvc};
use mercer::solver::Status;

/// The machine, and whether it has offsets.
const MACHINES: [(Joint, bool); 3] =
    [(Joint::WestonWatkins, true), (Joint::WestonWatkins, false), (Joint::CrammerSinger, false)];

/// Points in the plane; classes are drawn at random, or clouds that overlap.
fn points(n: usize, classes: usize, clouds: bool, seed: u64) -> (Vectors<'static>, Labels) {
    let mut random = Random::new(seed);
    let shift = if clouds { 1.5 } else { 0.0 };
    let mut point = |i: usize| {
        let angle = (i % classes) as f64 * 2.4;
        [shift * angle.cos() + random.normal(), shift * angle.sin() + random.normal()]
    };
    let rows: Vec<[f64; 2]> = (0..n).map(&mut point).collect();
    (Vectors::from_rows(&rows).unwrap(), Labels::from_text((0..n).map(|i| format!("c{}", i % classes))))
}

#[test]
fn table() {
    for kernel in ["gaussian(gamma=0.5)", "gaussian(gamma=10)", "linear"] {
        for cost in [1e4, 1e6, 1e8] {
            for (n, classes, clouds) in [(22, 3, true), (40, 4, false), (60, 5, true), (78, 3, false), (78, 5, true)] {
                for (machine, offset) in MACHINES {
                    let (rows, labels) = points(n, classes, clouds, 7);
                    let params = JointSvc::params(kernel.parse::<Expression>().unwrap()).machine(machine);
                    let machine_ = params.offset(offset).cost(cost).threads(1).max_time(std::time::Duration::from_secs(5)).check().unwrap();
                    let begun = Instant::now();
                    let model = machine_.fit(&rows, &labels).unwrap();
                    let r = &model.reports()[0];
                    println!("{kernel} {cost:e} {n} {classes} {clouds} {machine:?} {offset}: {:.2} s {:?} kkt {:.1e} rel {:.1e} primal {:.6e} it {}",
                      begun.elapsed().as_secs_f64(), r.status, r.certificate.kkt_gap, r.certificate.relative_gap(), r.certificate.primal, r.iterations);
                }
            }
        }
    }
    let _ = Status::Converged;
}

#[test]
fn refits_explore() {
    use mercer::machine::online::{IncrementalSvc, RowMemory};
    for kernel in ["linear", "gaussian(gamma=1)", "gaussian(gamma=1e-6)", "sigmoid(gamma=1, constant=-1)", "sigmoid(gamma=0.1, constant=0)", "polynomial(degree=5, constant=1)", "polynomial(degree=3, constant=0)"] {
        for cost in [1.0, 1e3, 1e6, 1e9, 1e12] {
            for scale in [1.0, 1e3, 1e6, 1e-6] {
                for kind in 0..3 {
                    let mut random = Random::new(5);
                    let Ok(k) = kernel.parse::<Expression>() else { println!("no {kernel}"); continue };
                    let mut machine = IncrementalSvc::new(RowMemory::new(k).unwrap(), cost).unwrap();
                    let (mut errors, mut ids) = (0, vec![]);
                    let begun = Instant::now();
                    let mut message = String::new();
                    for i in 0..40 {
                        let point = |r: &mut Random| match kind { 0 => r.normal(), 1 => r.normal().round(), _ => 1.0 + 1e-9 * r.normal() };
                        let row = [scale * point(&mut random), scale * point(&mut random)];
                        let label = if random.normal() > 0.0 { 1.0 } else { -1.0 };
                        match machine.add(mercer::data::Row::Dense64(&row), label) { Ok(id) => ids.push(id), Err(e) => { errors += 1; message = e.to_string(); if errors > 2 {break;} } }
                        if i % 5 == 4 && !ids.is_empty() { let id = ids.remove(0); if let Err(e) = machine.remove(id) { errors += 1; message = e.to_string(); } }
                    }
                    if machine.refits() > 0 || errors > 0 || begun.elapsed().as_secs_f64() > 0.5 {
                        println!("REFIT {kernel} C={cost:e} scale={scale:e} kind={kind}: refits {} errors {errors} {message} violation {:.1e} {:.2} s", machine.refits(), machine.violation().unwrap_or(f64::NAN), begun.elapsed().as_secs_f64());
                    }
                }
            }
        }
    }
}
