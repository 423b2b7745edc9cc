//! Kernels from generative models: how they are written.
//!
//! What a model has learned is stored with the kernel, but not written: a text says how it is trained. A model that was made
//! elsewhere prints as `given=true`, which no text can stand for.

use super::leaf::{Leaf, Named};
use super::registry::Entry;
use crate::data::ItemKind::{Series, Strings};
use crate::error::Result;
use crate::kernel::generative::{
    CovarianceKind, FisherForm, HiddenMarkovTraining, MixtureFisher, MixtureTraining, PairHiddenMarkov,
    SeriesFisher, StringFisher,
};
use crate::kernel::syntax::Number;
use crate::kernel::syntax::arguments::Arguments;
use crate::kernel::syntax::lex::problem;

/// Parameters as they are printed.
type Call = (&'static str, Vec<(&'static str, String)>);

pub(super) const KERNELS: &[Entry] = &[
    Entry {
        name: "pair_hmm",
        kind: Strings,
        formula: "the probability that a pair hidden Markov model emits both strings, at unit length; gap goes on, mutation differs",
        aliases: &["pair_hidden_markov"],
        parameters: &["gap", "mutation", "unit", "given"],
        examples: &["pair_hmm(gap=0.1, mutation=0.2)", "pair_hmm(gap=0.2, mutation=0.1, unit=false)"],
        build: |a| {
            refuse_given(a)?;
            let (gap, mutation) = (a.number("gap", 0.1)?, a.number("mutation", 0.2)?);
            let kernel = PairHiddenMarkov::new(gap, mutation)?;
            Ok(Leaf::PairHiddenMarkov(kernel.normalised(a.flag("unit", true)?)))
        },
    },
    Entry {
        name: "fisher_hmm",
        kind: Strings,
        formula: "inner product of the gradients of ln p, p a hidden Markov model that is trained on the strings",
        aliases: &[],
        parameters: MARKOV,
        examples: &["fisher_hmm(states=2)", "fisher_hmm(states=2, form=whitened, seed=1, restarts=2)"],
        build: |a| Ok(Leaf::StringFisher(StringFisher::train(markov(a)?, form(a)?))),
    },
    Entry {
        name: "fisher_hmm_series",
        kind: Series,
        formula: "inner product of the gradients of ln p, p a hidden Markov model that is trained on the series",
        aliases: &[],
        parameters: MARKOV,
        examples: &["fisher_hmm_series(states=2)", "fisher_hmm_series(states=2, form=whitened, seed=3)"],
        build: |a| Ok(Leaf::SeriesFisher(SeriesFisher::train(markov(a)?, form(a)?))),
    },
    Entry {
        name: "fisher_mixture",
        kind: Series,
        formula: "inner product of the gradients of ln p, p a Gaussian mixture that is trained on the points of all series",
        aliases: &[],
        parameters: &["components", "covariances", "form", "seed", "restarts", "given"],
        examples: &[
            "fisher_mixture(components=2)",
            "fisher_mixture(components=2, covariances=full, form=whitened)",
        ],
        build: |a| {
            refuse_given(a)?;
            let kinds = [("diagonal", CovarianceKind::Diagonal), ("full", CovarianceKind::Full)];
            let training = MixtureTraining::new(a.whole("components", 4)? as usize)?;
            let training = training.covariances(a.word("covariances", &kinds)?);
            let training = training.with_seed(a.large("seed")?.unwrap_or(0));
            let training = training.restarts(a.whole("restarts", 1)? as usize)?;
            Ok(Leaf::MixtureFisher(MixtureFisher::train(training, form(a)?)))
        },
    },
];

const MARKOV: &[&str] = &["states", "form", "seed", "restarts", "given"];

fn refuse_given(a: &mut Arguments) -> Result<()> {
    let place = a.position();
    match a.has("given") && a.flag("given", false)? {
        true => problem(place, "a model that was given is stored with the kernel, and cannot be written"),
        false => Ok(()),
    }
}

fn markov(a: &mut Arguments) -> Result<HiddenMarkovTraining> {
    refuse_given(a)?;
    let training = HiddenMarkovTraining::new(a.whole("states", 4)? as usize)?;
    training.with_seed(a.large("seed")?.unwrap_or(0)).restarts(a.whole("restarts", 1)? as usize)
}

fn form(a: &mut Arguments) -> Result<FisherForm> {
    a.word("form", &[("practical", FisherForm::Practical), ("whitened", FisherForm::Whitened)])
}

/// How the scores are compared, and from where training starts.
fn shared(form: FisherForm, seed: u64, starts: usize) -> Vec<(&'static str, String)> {
    let mut given = Vec::new();
    if form == FisherForm::Whitened {
        given.push(("form", "whitened".to_string()));
    }
    if seed != 0 {
        given.push(("seed", seed.to_string()));
    }
    if starts != 1 {
        given.push(("restarts", starts.to_string()));
    }
    given
}

fn of_given(size: (&'static str, usize), form: FisherForm) -> Vec<(&'static str, String)> {
    let mut given = vec![(size.0, size.1.to_string())];
    given.extend(shared(form, 0, 1));
    given.push(("given", "true".into()));
    given
}

fn of_markov(training: &HiddenMarkovTraining, form: FisherForm) -> Vec<(&'static str, String)> {
    let mut given = vec![("states", training.states().to_string())];
    given.extend(shared(form, training.seed(), training.starts()));
    given
}

impl Named for StringFisher {
    fn call(&self) -> Call {
        let states = self.model().map_or(0, |model| model.states());
        let given = self.training().map(|training| of_markov(training, self.form()));
        ("fisher_hmm", given.unwrap_or_else(|| of_given(("states", states), self.form())))
    }
}

impl Named for SeriesFisher {
    fn call(&self) -> Call {
        let states = self.model().map_or(0, |model| model.states());
        let given = self.training().map(|training| of_markov(training, self.form()));
        ("fisher_hmm_series", given.unwrap_or_else(|| of_given(("states", states), self.form())))
    }
}

impl Named for MixtureFisher {
    fn call(&self) -> Call {
        let given = match self.training() {
            Some(training) => {
                let mut given = vec![("components", training.components().to_string())];
                if training.covariance_kind() == CovarianceKind::Full {
                    given.push(("covariances", "full".into()));
                }
                given.extend(shared(self.form(), training.seed(), training.starts()));
                given
            }
            None => {
                let components = self.model().map_or(0, |model| model.components());
                of_given(("components", components), self.form())
            }
        };
        ("fisher_mixture", given)
    }
}

impl Named for PairHiddenMarkov {
    fn call(&self) -> Call {
        let mut given = match self.gap_and_mutation() {
            Some((gap, mutation)) => {
                vec![("gap", Number(gap).to_string()), ("mutation", Number(mutation).to_string())]
            }
            None => vec![("given", "true".to_string())],
        };
        if !self.is_normalised() {
            given.push(("unit", "false".into()));
        }
        ("pair_hmm", given)
    }
}
