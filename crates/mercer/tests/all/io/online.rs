//! Checkpoints of on-line learners: they go on as if there had been no break, and what is damaged is refused.

use mercer::data::{Items, Random, Row, Scaling, ScalingKind, Vectors};
use mercer::io::{Model, ModelFormat, SavedLearner, TrainedMachine};
use mercer::machine::Slack;
use mercer::machine::online::{Answer, Budget, Online, RowMemory, Rule, Several};

fn learner(rule: Rule, classes: usize, budget: Budget, averaged: bool) -> SavedLearner {
    let machine = || {
        let memory = RowMemory::new("gaussian(gamma=0.5)".parse()?)?;
        Online::params(memory, rule.clone()).homogeneous().averaged(averaged).budget(budget).check()
    };
    let learner = match classes {
        0 => Several::of_numbers(machine().unwrap()).unwrap(),
        k => Several::of_classes((0..k).map(|class| format!("c{class}")).collect(), machine).unwrap(),
    };
    let rows = Vectors::from_rows(&[[0.0, 1.0], [2.0, 5.0]]).unwrap();
    let scaling = Some(Scaling::fit(ScalingKind::Standardise, &rows).unwrap());
    let feature_names = Some(vec!["a".into(), "b".into()]);
    let label_name = Some("class".into());
    SavedLearner {
        scaling,
        feature_names,
        label_name,
        label_at: Some(3),
        note: Some("told".into()),
        ..SavedLearner::new(learner)
    }
}

#[test]
fn a_learner_that_was_saved_goes_on_with_the_same_bits() {
    let aggressive = Rule::PassiveAggressive { slack: Slack::Linear, cost: 1.0 };
    let tube = Rule::Regression { tube: 0.1, slack: Slack::Quadratic, cost: 2.0 };
    for (rule, classes, budget) in [
        (Rule::Perceptron, 2, Budget::Unlimited),
        (aggressive, 3, Budget::Remove { items: 7 }),
        (tube, 0, Budget::Project { items: 7 }),
        (Rule::ranking(4), 0, Budget::Remove { items: 7 }),
    ] {
        // What a budget removes has no average.
        let averaged = !matches!(budget, Budget::Remove { .. });
        for format in [ModelFormat::Binary, ModelFormat::Json] {
            let new = || learner(rule.clone(), classes, budget, averaged);
            let (mut whole, mut broken) = (new(), new());
            let mut random = Random::new(3);
            for step in 0..60 {
                let x = [random.normal(), random.normal()];
                let truth = match classes {
                    0 => Answer::Number((random.below(4) + 1) as f64),
                    k => Answer::Class(random.below(k)),
                };
                let a = whole.learner.learn(Row::Dense64(&x), truth).unwrap();
                let b = broken.learner.learn(Row::Dense64(&x), truth).unwrap();
                assert_eq!(a, b, "{rule:?} at {step}");
                if step % 13 == 12 {
                    broken = SavedLearner::from_bytes(&broken.to_bytes(format).unwrap()).unwrap();
                }
            }
            assert_eq!(whole.to_bytes(format).unwrap(), broken.to_bytes(format).unwrap());
            assert_eq!((&whole.scaling, &whole.feature_names), (&broken.scaling, &broken.feature_names));
            assert_eq!((broken.label_at, broken.note.as_deref()), (Some(3), Some("told")));
        }
    }
}

/// As a model, a learner that keeps averages believes what they say.
#[test]
fn averages_are_what_a_model_believes() {
    let kernel = || "gaussian(gamma=0.5)".parse().unwrap();
    let machine = || {
        Online::params(RowMemory::new(kernel()).unwrap(), Rule::Perceptron)
            .homogeneous()
            .averaged(true)
            .check()
    };
    let several = Several::of_classes(vec!["no".into(), "yes".into()], machine).unwrap();
    let mut saved = SavedLearner::new(several);
    let mut random = Random::new(21);
    for _ in 0..80 {
        let x = [random.normal(), random.normal()];
        let truth = usize::from(x[0] + 0.8 * random.normal() > 0.0);
        saved.learner.learn(Row::Dense64(&x), Answer::Class(truth)).unwrap();
    }
    let rows = Vectors::from_rows(&[[0.3, -0.2], [-1.0, 0.5]]).unwrap();
    let model = saved.model().unwrap();
    let scores = model.machine.class_scores(&model.prepare(&(&rows).into()).unwrap()).unwrap();
    let function = saved.learner.machines()[0].function();
    for row in 0..2 {
        let (mean, last) =
            (function.averaged_value(rows.get(row)).unwrap(), function.value(rows.get(row)).unwrap());
        assert!((scores[2 * row + 1] - mean).abs() < 1e-12 && (mean - last).abs() > 1e-3, "{mean} {last}");
    }
}

#[test]
fn what_is_damaged_or_another_thing_is_refused() {
    let mut saved = learner(Rule::Perceptron, 2, Budget::Unlimited, true);
    saved.learner.learn(Row::Dense64(&[1.0, 2.0]), Answer::Class(1)).unwrap();
    let bytes = saved.to_bytes(ModelFormat::Binary).unwrap();
    for at in (0..bytes.len()).step_by(7) {
        let mut changed = bytes.clone();
        changed[at] ^= 0x20;
        assert!(SavedLearner::from_bytes(&changed).is_err(), "byte {at}");
        assert!(SavedLearner::from_bytes(&bytes[..at]).is_err(), "cut at {at}");
    }
    let json = String::from_utf8(saved.to_bytes(ModelFormat::Json).unwrap()).unwrap();
    for (from, to) in [
        ("\"constant\":1.0", "\"constant\":-1.0"),
        ("gaussian(gamma=0.5)", "gaussian"),
        ("\"c0\",\"c1\"", "\"c0\""),
        ("\"online\"", "\"svc\""),
    ] {
        assert!(json.contains(from), "{from} is not in {json}");
        assert!(SavedLearner::from_bytes(json.replace(from, to).as_bytes()).is_err(), "{to}");
    }
}

/// What a learner believes, as a model: the same answers for classes, numbers and levels.
#[test]
fn a_learner_can_be_asked_as_a_model() {
    let aggressive = Rule::PassiveAggressive { slack: Slack::Linear, cost: 1.0 };
    let tube = Rule::Regression { tube: 0.1, slack: Slack::Quadratic, cost: 2.0 };
    for (rule, classes) in [(Rule::Perceptron, 2), (aggressive, 3), (tube, 0), (Rule::ranking(4), 0)] {
        let mut saved = learner(rule.clone(), classes, Budget::Remove { items: 9 }, false);
        let empty = saved.model().unwrap_err().to_string();
        assert!(empty.contains("remembers"), "{empty}");
        let scaling = saved.scaling.clone().unwrap();
        let mut random = Random::new(5);
        let mut draw = || [3.0 * random.uniform(), 6.0 * random.uniform()];
        for step in 0..80 {
            let x = scaling.apply(&Vectors::from_rows(&[draw()]).unwrap()).unwrap();
            let truth = match classes {
                0 => Answer::Number((step % 4 + 1) as f64),
                k => Answer::Class(step % k),
            };
            saved.learner.learn(mercer::data::Items::get(&x, 0), truth).unwrap();
        }
        let bytes = saved.to_bytes(ModelFormat::Binary).unwrap();
        let model = Model::from_bytes(&bytes).unwrap();
        assert_eq!(model.card.rows, 80);
        assert_eq!(model.card.feature_names.as_deref(), Some(&["a".to_string(), "b".to_string()][..]));
        for _ in 0..40 {
            let raw = Vectors::from_rows(&[draw()]).unwrap();
            let x = scaling.apply(&raw).unwrap();
            let x = mercer::data::Items::get(&x, 0);
            let raw = raw.into();
            let prepared = model.prepare(&raw).unwrap();
            match saved.learner.predict(x).unwrap() {
                Answer::Class(class) => {
                    let scores = model.machine.class_scores(&prepared).unwrap();
                    let values = saved.learner.values(x).unwrap();
                    assert!((scores[scores.len() - 1] - values[values.len() - 1]).abs() < 1e-9);
                    let best = (0..scores.len()).max_by(|&a, &b| scores[a].total_cmp(&scores[b])).unwrap();
                    assert_eq!(best, class, "{rule:?}");
                }
                Answer::Number(number) => match &model.machine {
                    TrainedMachine::Svr(model) => {
                        assert!((model.predict(&prepared).unwrap()[0] - number).abs() < 1e-9);
                    }
                    other => {
                        let scores = other.class_scores(&prepared).unwrap();
                        let best =
                            (0..scores.len()).max_by(|&a, &b| scores[a].total_cmp(&scores[b])).unwrap();
                        assert_eq!((best + 1) as f64, number, "{rule:?}");
                    }
                },
            }
        }
    }
}

/// What would leave the range of numbers is refused before anything is learned, by all machines or by none.
#[test]
fn what_a_checkpoint_could_not_hold_is_not_learned() {
    let tube = Rule::Regression { tube: 0.1, slack: Slack::Linear, cost: 1e300 };
    for budget in [Budget::Unlimited, Budget::Remove { items: 3 }, Budget::Project { items: 3 }] {
        let mut saved = learner(tube.clone(), 0, budget, false);
        let mut random = Random::new(8);
        for step in 0..40 {
            let x = [random.normal(), random.normal()];
            let before = saved.to_bytes(ModelFormat::Binary).unwrap();
            let target = [1e308, -1e308, 1e150, -1e150, 2.0][random.below(5)];
            let outcome = saved.learner.learn(Row::Dense64(&x), Answer::Number(target));
            let after = saved.to_bytes(ModelFormat::Binary).unwrap();
            assert_eq!(outcome.is_ok(), target.abs() <= 1e150, "{target} at {step}: {outcome:?}");
            assert_eq!(before == after, outcome.is_err(), "{step}");
            assert_eq!(
                SavedLearner::from_bytes(&after).unwrap().to_bytes(ModelFormat::Binary).unwrap(),
                after
            );
        }
    }
    // What cannot be learned changes none of three machines.
    let machine = || Online::params(RowMemory::new("linear".parse()?)?, Rule::Perceptron).check();
    let classes = ["a", "b", "c"].map(String::from).to_vec();
    let mut saved = SavedLearner::new(Several::of_classes(classes, machine).unwrap());
    for (x, class) in [(1.0, 0), (1e200, 1), (-1e200, 1), (2.0, 2)] {
        let _ = saved.learner.learn(Row::Dense64(&[x]), Answer::Class(class));
    }
    let before = saved.to_bytes(ModelFormat::Binary).unwrap();
    assert!(saved.learner.learn(Row::Dense64(&[1e300]), Answer::Class(0)).is_err());
    assert_eq!(saved.to_bytes(ModelFormat::Binary).unwrap(), before);
}

/// A checkpoint that would not come back as it is replaces nothing.
#[test]
fn a_checkpoint_is_read_back_before_it_replaces_the_last() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("m.mercer");
    let mut saved = learner(Rule::Perceptron, 2, Budget::Unlimited, true);
    saved.learner.learn(Row::Dense64(&[1.0, 2.0]), Answer::Class(1)).unwrap();
    saved.save(&path, ModelFormat::Binary).unwrap();
    let good = std::fs::read(&path).unwrap();
    let mut rule = Rule::ranking(3);
    if let Rule::Ranking { thresholds } = &mut rule {
        // JSON has no such number.
        thresholds[1] = f64::INFINITY;
    }
    let bad = learner(rule, 0, Budget::Unlimited, false);
    assert!(bad.save(&path, ModelFormat::Binary).is_err());
    assert_eq!(std::fs::read(&path).unwrap(), good);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
}

/// Kernel values depend on the rows that are remembered: a wide row that came and went leaves no trace, before and after a break.
#[test]
fn wide_rows_that_are_forgotten_leave_no_trace() {
    let machine = || {
        let memory = RowMemory::new("gaussian(gamma=0.001)".parse()?)?;
        Online::params(memory, Rule::PassiveAggressive { slack: Slack::Linear, cost: 1.0 })
            .homogeneous()
            .budget(Budget::Remove { items: 5 })
            .check()
    };
    let classes = || ["no", "yes"].map(String::from).to_vec();
    let mut whole = SavedLearner::new(Several::of_classes(classes(), machine).unwrap());
    let (mut broken, mut random) = (whole.clone(), Random::new(12));
    for step in 0..300 {
        let mut indices: Vec<u32> = (0..30).filter(|_| random.below(2) == 0).collect();
        if step % 37 == 5 {
            indices.push([4095, 4096, 70_000, u32::MAX - 1][random.below(4)]);
        }
        let values: Vec<f64> = indices.iter().map(|_| random.normal()).collect();
        let row = Row::Sparse { indices: &indices, values: &values };
        let truth = Answer::Class(random.below(2));
        assert_eq!(whole.learner.learn(row, truth).unwrap(), broken.learner.learn(row, truth).unwrap());
        if step % 11 == 10 {
            broken = SavedLearner::from_bytes(&broken.to_bytes(ModelFormat::Binary).unwrap()).unwrap();
        }
    }
    let bytes = |saved: &SavedLearner| saved.to_bytes(ModelFormat::Binary).unwrap();
    assert_eq!(bytes(&whole), bytes(&broken));
}

/// Rows take no more memory than they may.
#[test]
fn memory_is_bounded() {
    let mut saved = learner(Rule::Perceptron, 3, Budget::Unlimited, false);
    saved.learner.limit_memory(300_000);
    let (mut random, mut refused) = (Random::new(2), None);
    for step in 0..4000 {
        let x: Vec<f64> = (0..20).map(|_| random.normal()).collect();
        if let Err(error) = saved.learner.learn(Row::Dense64(&x), Answer::Class(random.below(3))) {
            refused = Some((step, error.to_string(), saved.to_bytes(ModelFormat::Binary).unwrap()));
            break;
        }
    }
    let (step, words, bytes) = refused.expect("they are more than fit");
    assert!(step > 100 && words.contains("remembering one more row needs"), "{step}: {words}");
    assert!(bytes.len() < 300_000, "{}", bytes.len());
    SavedLearner::from_bytes(&bytes).unwrap();
}
