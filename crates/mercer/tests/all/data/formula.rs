//! Formulae and their text.

use mercer::Error;
use mercer::data::Formula;
use mercer_testkit::logic::{Sentence, VARIABLES};
use mercer_testkit::random::Random;
use proptest::prelude::*;

use super::properties::config;

fn formula(text: &str) -> Formula {
    text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
}

#[test]
fn words_and_signs_mean_the_same() {
    for (texts, printed) in [
        (&["p and q", "p & q", "p && q", "p AND q", r"p /\ q", "p∧q"][..], "p and q"),
        (&["p or q", "p|q", "p || q", r"p \/ q", "p ∨ q"], "p or q"),
        (&["not p", "!p", "~p", "¬ p", "NOT p"], "not p"),
        (&["p implies q", "p->q", "p => q", "p → q", "p ⇒ q"], "p implies q"),
        (&["p iff q", "p <-> q", "p<=>q", "p ↔ q", "p ⇔ q", "p ≡ q"], "p iff q"),
        (&["true", "⊤", "True"], "true"),
        (&["false", "⊥"], "false"),
        (&["((p))", " p\n"], "p"),
    ] {
        for text in texts {
            assert_eq!(formula(text), formula(printed), "{text}");
            assert_eq!(formula(text).to_string(), printed);
        }
    }
    assert_eq!(formula("android and _x1' and été").variables(), ["android", "_x1'", "été"]);
}

#[test]
fn operators_bind_as_is_usual() {
    for (text, meant) in [
        ("not p and q", "(not p) and q"),
        ("p or q and r", "p or (q and r)"),
        ("p implies q or r", "p implies (q or r)"),
        ("p iff q implies r", "p iff (q implies r)"),
        ("p implies q implies r", "p implies (q implies r)"),
        ("p and q and r", "(p and q) and r"),
        ("p iff q iff r", "(p iff q) iff r"),
        ("not not p", "not (not p)"),
        ("p and not q or r", "(p and (not q)) or r"),
    ] {
        assert_eq!(formula(text), formula(meant));
        assert_eq!(formula(meant).to_string(), text);
    }
    for same in
        ["(p implies q) implies r", "p and (q and r)", "not (p and q)", "(p or q) and r", "p iff (q iff r)"]
    {
        assert_eq!(formula(same).to_string(), same);
    }
}

#[test]
fn what_is_no_formula_is_refused() {
    for (text, place, words) in [
        ("", (1, 1), "ends where a variable is expected"),
        ("p and", (1, 6), "ends where a variable is expected"),
        ("p q", (1, 3), "expected an operator, found `q`"),
        ("p not q", (1, 3), "expected an operator, found `not`"),
        ("and p", (1, 1), "expected a variable, `not` or `(`, found `and`"),
        ("p and\n  or q", (2, 3), "found `or`"),
        ("(p", (1, 1), "this bracket is never closed"),
        ("p and (q or (r)", (1, 7), "this bracket is never closed"),
        ("p)", (1, 2), "this bracket was never opened"),
        ("()", (1, 2), "found `)`"),
        ("p + q", (1, 3), "unexpected character '+'"),
        ("1p", (1, 1), "unexpected character '1'"),
        ("p - q", (1, 3), "unexpected character '-'"),
        ("p\0", (1, 2), "unexpected character '\\0'"),
    ] {
        match text.parse::<Formula>() {
            Err(Error::Parse { line, column, problem }) => {
                assert_eq!((line, column), place, "{text:?}: {problem}");
                assert!(problem.contains(words), "{text:?}: {problem}");
            }
            other => panic!("{text:?}: {other:?}"),
        }
    }
}

#[test]
fn depth_is_no_danger() {
    let depth = 200_000;
    let nested = format!("{}p{}", "(".repeat(depth), ")".repeat(depth));
    assert_eq!(formula(&nested).to_string(), "p");
    let negated = formula(&format!("{}p", "not ".repeat(depth)));
    assert_eq!(negated.to_string().len(), 4 * depth + 1);
    assert!(negated.holds(|_| true));
    let right = format!("{}p", "p implies ".repeat(depth));
    assert_eq!(formula(&right).to_string(), right);
    let left = format!("{}p{}", "(".repeat(depth), " implies p)".repeat(depth));
    assert_eq!(formula(&left).to_string().parse::<Formula>().unwrap(), formula(&left));
    assert_eq!(
        formula(&left).models(&["p".into()]).unwrap(),
        [0b11 & if depth % 2 == 1 { 0b11 } else { 0b10 }]
    );
    assert!("(".repeat(depth).parse::<Formula>().is_err());
    assert!("not ".repeat(depth).parse::<Formula>().is_err());
}

#[test]
fn values_are_those_of_a_plain_evaluator() {
    let mut random = Random::new(2);
    for i in 0..300 {
        let sentence = Sentence::random(&mut random, 1 + i % 100, VARIABLES.len());
        let formula = formula(&sentence.text(i % 2 == 0));
        let printed: Formula = formula.to_string().parse().unwrap();
        assert_eq!(printed, formula);
        let names = VARIABLES.map(String::from);
        let models = formula.models(&names).unwrap();
        for assignment in 0..256usize {
            let place = |name: &str| VARIABLES.iter().position(|other| *other == name).unwrap();
            let expected = sentence.value(assignment);
            assert_eq!(formula.holds(|name| assignment >> place(name) & 1 == 1), expected, "{formula}");
            assert_eq!(models[assignment / 64] >> (assignment % 64) & 1 == 1, expected, "{formula}");
        }
        let json = serde_json::to_string(&formula).unwrap();
        assert_eq!(serde_json::from_str::<Formula>(&json).unwrap(), formula);
    }
    assert!(serde_json::from_str::<Formula>(r#""p and""#).is_err());
}

proptest! {
    #![proptest_config(config(2000))]

    #[test]
    fn no_text_is_too_strange(text in r"[pq()!&|<>=¬∧ \\/\n-]{0,20}|(p|q|not|and|or|iff|implies|\(|\)| ){0,20}|\PC{0,12}") {
        if let Ok(formula) = text.parse::<Formula>() {
            prop_assert_eq!(formula.to_string().parse::<Formula>().unwrap(), formula, "{}", text);
        }
    }
}
