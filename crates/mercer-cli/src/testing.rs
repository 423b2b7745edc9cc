//! How a model is tested on rows that had no part in it.

use std::time::Duration;

use mercer::evaluation::Testing;

use crate::arguments::TestArgument;

/// Up to so many rows a test in folds takes little time.
const FEW_ROWS: usize = 2_000;
/// Up to so many the model is trained again on all of them after the test.
const MANY_ROWS: usize = 20_000;

/// Folds that are made unless another number is asked for.
const FOLDS: usize = 5;

/// What was asked for, or what the number of rows suggests.
pub fn decide(asked: TestArgument, folds: Option<usize>, rows: usize, limited: bool, quiet: bool) -> Testing {
    let folds = folds.unwrap_or(FOLDS);
    let refit = rows <= MANY_ROWS && !limited;
    match asked {
        TestArgument::None => Testing::None,
        // Nobody would read it.
        TestArgument::Auto if quiet => Testing::None,
        TestArgument::Auto if rows <= FEW_ROWS => Testing::Folds(folds),
        TestArgument::Auto | TestArgument::HeldOut => Testing::HeldOut { refit },
        TestArgument::Folds => Testing::Folds(folds),
    }
}

/// The share of the time limit that the choice of the cost may take.
pub fn choice_time(limit: Option<Duration>) -> Option<Duration> {
    limit.map(|limit| limit / 6)
}
