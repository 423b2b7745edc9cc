//! What the reader of a table has noticed, told in words.

use mercer::data::{Doubt, Remarks};

use crate::print::{note, plural};

/// Adds what was noticed about more rows.
pub fn join(all: &mut Remarks, more: &Remarks) {
    all.dropped.extend(&more.dropped);
    all.unlabelled += more.unlabelled;
    all.filled += more.filled;
    all.unseen += more.unseen;
    all.beyond += more.beyond;
    all.header = all.header.take().or_else(|| more.header.clone());
    if all.first_unseen.is_none() {
        all.first_unseen.clone_from(&more.first_unseen);
    }
}

/// Tells what is worth telling, on standard error.
pub fn tell(remarks: &Remarks) {
    if let Some(guess) = &remarks.header {
        let otherwise =
            if guess.is_header { "--header no reads it as data" } else { "--header yes reads it as names" };
        note(format!("mercer: {guess} ({otherwise})"));
    }
    if !remarks.dropped.is_empty() {
        let dropped = plural(remarks.dropped.len() as u64, "row");
        note(format!("mercer: {dropped} left out: a value is missing"));
    }
    if remarks.filled > 0 {
        note(format!(
            "mercer: {} filled in with the mean of the column",
            plural(remarks.filled, "missing value")
        ));
    }
    if let Some((column, word)) = &remarks.first_unseen {
        note(format!(
            "mercer: {} that the training did not have, the first `{word}` in column `{column}`: they count as none",
            plural(remarks.unseen, "word")
        ));
    }
    if remarks.beyond > 0 {
        note(format!(
            "mercer: {} with values in columns that the training did not have: no support vector has them",
            plural(remarks.beyond, "row")
        ));
    }
    for doubt in &remarks.doubtful {
        match doubt {
            Doubt::Constant(column) => note(format!("mercer: column `{column}` is the same in all rows")),
            Doubt::Quoted(column) => note(format!(
                "mercer: all words of column `{column}` are in quotes, which stay as they are: --quote double takes them off"
            )),
            Doubt::Identifier(column) => note(format!(
                "mercer: column `{column}` names the rows rather than saying something about them: \
                 --ignore {column} leaves it out"
            )),
        }
    }
}
