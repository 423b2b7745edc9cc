//! Kernels on strings and texts: how they are written.

use super::leaf::{Leaf, Named};
use super::print::quoted;
use super::registry::Entry;
use crate::data::ItemKind::Strings;
use crate::error::Result;
use crate::kernel::string::{
    AllSubsequences, Blended, FixedSubsequences, Gappy, LocalAlignment, LocalityImproved, Mismatch, Spectrum,
    Subsequences, Substitution, WeightedDegree,
};
use crate::kernel::syntax::arguments::Arguments;
use crate::kernel::syntax::lex::problem;
use crate::kernel::syntax::{Number, list};
use crate::kernel::text::{BagOfWords, Terms, TfIdf, Unit};

/// Parameters as they are printed.
type Call = (&'static str, Vec<(&'static str, String)>);

pub(super) const KERNELS: &[Entry] = &[
    Entry {
        name: "spectrum",
        kind: Strings,
        formula: "substrings of k symbols in common",
        aliases: &["k_spectrum"],
        parameters: &["k"],
        examples: &["spectrum(k=3)"],
        build: |a| Ok(Leaf::Spectrum(Spectrum::new(a.whole("k", 3)? as usize)?)),
    },
    Entry {
        name: "blended",
        kind: Strings,
        formula: "substrings of 1 to k symbols in common, those of d symbols times a weight (decay^2d, or 1)",
        aliases: &["blended_spectrum"],
        parameters: &["k", "decay", "weights"],
        examples: &["blended(k=3)", "blended(weights=[0, 0.5, 2])"],
        build: |a| {
            a.one_of(&["weights", "k"])?;
            a.one_of(&["weights", "decay"])?;
            if let Some(weights) = a.list("weights")? {
                return Ok(Leaf::Blended(Blended::with_weights(weights)?));
            }
            let k = a.whole("k", 3)? as usize;
            Ok(Leaf::Blended(match a.optional("decay")? {
                Some(decay) => Blended::decaying(k, decay)?,
                None => Blended::new(k)?,
            }))
        },
    },
    Entry {
        name: "mismatch",
        kind: Strings,
        formula: "substrings of k symbols in common, up to m of them wrong; the alphabet is that of the training strings",
        aliases: &[],
        parameters: &["k", "m", "alphabet"],
        examples: &["mismatch(k=4, m=1)", "mismatch(k=3, m=1, alphabet=\"acgt\")"],
        build: |a| {
            let kernel = Mismatch::new(a.whole("k", 4)? as usize, a.whole("m", 1)? as usize)?;
            Ok(Leaf::Mismatch(match a.text("alphabet")? {
                Some(alphabet) => kernel.with_alphabet(alphabet.as_str())?,
                None => kernel,
            }))
        },
    },
    Entry {
        name: "gappy",
        kind: Strings,
        formula: "subsequences of k symbols within span symbols, times decay^(symbols they are spread over)",
        aliases: &[],
        parameters: &["k", "span", "decay"],
        examples: &["gappy(k=2, span=4, decay=0.5)"],
        build: |a| {
            let (k, decay) = (a.whole("k", 3)?, a.number("decay", 0.5)?);
            let span = a.whole("span", k.saturating_add(2))?;
            Ok(Leaf::Gappy(Gappy::new(k as usize, span as usize, decay)?))
        },
    },
    Entry {
        name: "subsequence",
        kind: Strings,
        formula: "subsequences of k symbols in common, times decay^(symbols they are spread over)",
        aliases: &["subsequences", "gap_weighted"],
        parameters: &["k", "decay"],
        examples: &["subsequence(k=3, decay=0.5)"],
        build: |a| {
            let (k, decay) = (a.whole("k", 3)?, a.number("decay", 0.5)?);
            Ok(Leaf::Subsequences(Subsequences::new(k as usize, decay)?))
        },
    },
    Entry {
        name: "fixed_subsequences",
        kind: Strings,
        formula: "subsequences of k symbols in common, whatever their gaps",
        aliases: &[],
        parameters: &["k"],
        examples: &["fixed_subsequences(k=2)"],
        build: |a| Ok(Leaf::FixedSubsequences(FixedSubsequences::new(a.whole("k", 3)? as usize)?)),
    },
    Entry {
        name: "all_subsequences",
        kind: Strings,
        formula: "subsequences of all lengths in common, those of d symbols times decay^2d",
        aliases: &[],
        parameters: &["decay"],
        examples: &["all_subsequences", "all_subsequences(decay=0.5)"],
        build: |a| Ok(Leaf::AllSubsequences(AllSubsequences::decaying(a.number("decay", 1.0)?)?)),
    },
    Entry {
        name: "weighted_degree",
        kind: Strings,
        formula: "substrings of 1 to degree symbols at the same places, or up to shift places apart",
        aliases: &["wd"],
        parameters: &["degree", "shift", "weights"],
        examples: &[
            "weighted_degree(degree=4)",
            "weighted_degree(degree=2, shift=1)",
            "weighted_degree(weights=[1, 0.5], shift=2)",
        ],
        build: |a| {
            a.one_of(&["weights", "degree"])?;
            let kernel = match a.list("weights")? {
                Some(weights) => WeightedDegree::with_weights(weights)?,
                None => WeightedDegree::new(a.whole("degree", 4)? as usize)?,
            };
            Ok(Leaf::WeightedDegree(kernel.with_shift(a.whole("shift", 0)? as usize)))
        },
    },
    Entry {
        name: "locality_improved",
        kind: Strings,
        formula: "(Σ over places of (agreement within reach)^local_degree)^degree",
        aliases: &[],
        parameters: &["reach", "local_degree", "degree"],
        examples: &["locality_improved(reach=2, local_degree=3, degree=1)"],
        build: |a| {
            let (reach, local) = (a.whole("reach", 3)?, a.whole("local_degree", 4)?);
            Ok(Leaf::LocalityImproved(LocalityImproved::new(reach as usize, local, a.whole("degree", 1)?)?))
        },
    },
    Entry {
        name: "local_alignment",
        kind: Strings,
        formula: "(1/beta) ln Σ exp(beta score) over all local alignments, or the sum itself at unit length",
        aliases: &["smith_waterman"],
        parameters: &[
            "table",
            "letters",
            "scores",
            "equal",
            "other",
            "open",
            "extend",
            "beta",
            "exponential",
        ],
        examples: &[
            "local_alignment(table=blosum62, open=11, extend=1, beta=0.5)",
            "local_alignment(letters=\"acgt\", equal=2, other=-1, open=3, extend=1, beta=1, exponential=true)",
            "local_alignment(letters=\"acgt\", scores=[2, -1, 0, -1, -1, 2, -1, 0, 0, -1, 2, -1, -1, 0, -1, 3], open=3, extend=1, beta=1)",
        ],
        build: |a| {
            let table = substitution(a)?;
            let (open, extend) = (a.number("open", 11.0)?, a.number("extend", 1.0)?);
            let (beta, exponential) = (a.number("beta", 0.5)?, a.flag("exponential", false)?);
            Ok(Leaf::LocalAlignment(match exponential {
                true => LocalAlignment::exponential(table, open, extend, beta)?,
                false => LocalAlignment::new(table, open, extend, beta)?,
            }))
        },
    },
    Entry {
        name: "bag_of_words",
        kind: Strings,
        formula: "n-grams of words, or of characters, in common; rare ones weigh more with tfidf",
        aliases: &["bag", "bow", "tf_idf", "tfidf"],
        parameters: &[
            "tfidf",
            "n",
            "shortest",
            "unit",
            "presence",
            "sublinear",
            "smooth",
            "keep_case",
            "shortest_word",
        ],
        examples: &[
            "bag_of_words",
            "bag_of_words(tfidf=true, n=2)",
            "bag_of_words(n=4, shortest=3, unit=characters, presence=true)",
            "bag_of_words(tfidf=true, sublinear=true, smooth=false, keep_case=true, shortest_word=1)",
        ],
        build: bag_of_words,
    },
];

fn bag_of_words(a: &mut Arguments) -> Result<Leaf> {
    let tfidf = a.flag("tfidf", false)?;
    let terms = terms(a)?;
    let place = a.position();
    if tfidf {
        if a.has("presence") {
            return problem(place, "presence is for counts: it does not go with tfidf=true");
        }
        let kernel = TfIdf::new(terms);
        let kernel = if a.flag("sublinear", false)? { kernel.sublinear() } else { kernel };
        return Ok(Leaf::TfIdf(if a.flag("smooth", true)? { kernel } else { kernel.unsmoothed() }));
    }
    for name in ["sublinear", "smooth"] {
        if a.has(name) {
            return problem(place, format!("{name} is for weights of words: it goes with tfidf=true"));
        }
    }
    let kernel = BagOfWords::new(terms);
    Ok(Leaf::BagOfWords(if a.flag("presence", false)? { kernel.presence() } else { kernel }))
}

/// What is counted in texts.
pub(super) fn terms(a: &mut Arguments) -> Result<Terms> {
    let (n, shortest) = (a.whole("n", 1)? as usize, a.whole("shortest", 1)? as usize);
    let terms = match a.word("unit", &[("words", Unit::Words), ("characters", Unit::Characters)])? {
        Unit::Words => Terms::words(shortest, n)?,
        Unit::Characters => Terms::characters(shortest, n)?,
    };
    let terms = if a.flag("keep_case", false)? { terms.keep_case() } else { terms };
    Ok(terms.with_shortest_word(a.whole("shortest_word", 2)? as usize))
}

/// Makes a table.
type Make = fn() -> Substitution;

/// The tables that have a name.
const TABLES: [(&str, Make); 3] = [
    ("blosum62", Substitution::blosum62),
    ("blosum50", Substitution::blosum50),
    ("pam250", Substitution::pam250),
];

/// A table by its name, by its letters and all scores, or by its letters and two scores.
fn substitution(a: &mut Arguments) -> Result<Substitution> {
    a.one_of(&["table", "letters"])?;
    let Some(letters) = a.text("letters")? else {
        return Ok(a.word("table", &TABLES)?());
    };
    a.one_of(&["scores", "equal"])?;
    match a.list("scores")? {
        Some(scores) => Substitution::new(&letters.chars().collect::<Vec<_>>(), &scores),
        None => Substitution::identity(&letters, a.number("equal", 1.0)?, a.number("other", -1.0)?),
    }
}

fn number(value: f64) -> String {
    Number(value).to_string()
}

fn numbers(values: &[f64]) -> String {
    list(values.iter().map(|&value| Number(value)))
}

impl Named for Spectrum {
    fn call(&self) -> Call {
        ("spectrum", vec![("k", self.length().to_string())])
    }
}

impl Named for Blended {
    fn call(&self) -> Call {
        (
            "blended",
            match self.weights().iter().all(|&weight| weight == 1.0) {
                true => vec![("k", self.longest().to_string())],
                false => vec![("weights", numbers(self.weights()))],
            },
        )
    }
}

impl Named for Mismatch {
    fn call(&self) -> Call {
        let mut given = vec![("k", self.length().to_string()), ("m", self.mismatches().to_string())];
        if let Some(alphabet) = self.alphabet() {
            let letters: String = alphabet.iter().filter_map(|&symbol| char::from_u32(symbol)).collect();
            given.push(("alphabet", quoted(&letters)));
        }
        ("mismatch", given)
    }
}

impl Named for Gappy {
    fn call(&self) -> Call {
        let (k, span) = (self.length().to_string(), self.span().to_string());
        ("gappy", vec![("k", k), ("span", span), ("decay", number(self.decay()))])
    }
}

impl Named for Subsequences {
    fn call(&self) -> Call {
        ("subsequence", vec![("k", self.length().to_string()), ("decay", number(self.decay()))])
    }
}

impl Named for FixedSubsequences {
    fn call(&self) -> Call {
        ("fixed_subsequences", vec![("k", self.length().to_string())])
    }
}

impl Named for AllSubsequences {
    fn call(&self) -> Call {
        (
            "all_subsequences",
            match self.decay() {
                1.0 => vec![],
                decay => vec![("decay", number(decay))],
            },
        )
    }
}

impl Named for WeightedDegree {
    fn call(&self) -> Call {
        let usual = WeightedDegree::new(self.degree()).is_ok_and(|usual| usual.weights() == self.weights());
        let mut given = match usual {
            true => vec![("degree", self.degree().to_string())],
            false => vec![("weights", numbers(self.weights()))],
        };
        if self.shift() > 0 {
            given.push(("shift", self.shift().to_string()));
        }
        ("weighted_degree", given)
    }
}

impl Named for LocalityImproved {
    fn call(&self) -> Call {
        let (reach, local) = (self.reach().to_string(), self.local_degree().to_string());
        let degree = self.degree().to_string();
        ("locality_improved", vec![("reach", reach), ("local_degree", local), ("degree", degree)])
    }
}

impl Named for LocalAlignment {
    fn call(&self) -> Call {
        let table = self.table();
        let mut given = match TABLES.iter().find(|(_, known)| known() == *table) {
            Some((name, _)) => vec![("table", (*name).to_string())],
            None => {
                let letters: String = table.letters().iter().collect();
                let (n, scores) = (letters.chars().count(), table.scores());
                let (equal, other) = (scores[0], scores.get(1).copied().unwrap_or(-1.0));
                let two =
                    Substitution::identity(&letters, equal, other).is_ok_and(|two| two == *table) && n > 1;
                let letters = ("letters", quoted(&letters));
                match two {
                    true => vec![letters, ("equal", number(equal)), ("other", number(other))],
                    false => vec![letters, ("scores", numbers(scores))],
                }
            }
        };
        given.extend([
            ("open", number(self.open())),
            ("extend", number(self.extend())),
            ("beta", number(self.beta())),
        ]);
        if self.is_exponential() {
            given.push(("exponential", "true".into()));
        }
        ("local_alignment", given)
    }
}

/// What differs from the usual terms.
pub(super) fn unusual(terms: &Terms, given: &mut Vec<(&'static str, String)>, own: &[&'static str]) {
    let mut add = |name, is: bool, value: String| {
        if is {
            given.push((name, value));
        }
    };
    add("n", terms.longest() != 1, terms.longest().to_string());
    add("shortest", terms.shortest() != 1, terms.shortest().to_string());
    add("unit", terms.unit() == Unit::Characters, "characters".into());
    own.iter().for_each(|name| add(name, true, if *name == "smooth" { "false" } else { "true" }.into()));
    add("keep_case", !terms.lower_case(), "true".into());
    add("shortest_word", terms.shortest_word() != 2, terms.shortest_word().to_string());
}

impl Named for BagOfWords {
    fn call(&self) -> Call {
        let mut given = Vec::new();
        unusual(self.terms(), &mut given, if self.is_presence() { &["presence"] } else { &[] });
        ("bag_of_words", given)
    }
}

impl Named for TfIdf {
    fn call(&self) -> Call {
        let mut given = vec![("tfidf", "true".to_string())];
        let own: &[&str] = match (self.is_sublinear(), self.is_smooth()) {
            (false, true) => &[],
            (true, true) => &["sublinear"],
            (false, false) => &["smooth"],
            (true, false) => &["sublinear", "smooth"],
        };
        unusual(self.terms(), &mut given, own);
        ("bag_of_words", given)
    }
}
