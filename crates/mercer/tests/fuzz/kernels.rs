//! Fuzzers of kernel expressions: what is parsed is printed and parsed again as the same kernel.

use mercer::data::Vectors;
use mercer::gram::CollectionKernel;
use mercer::kernel::{Expression, Kernel};

use crate::{corpus, fuzz};
use mercer_testkit::fuzz::mutated;

#[test]
fn kernels_of_rows() {
    let corpus = corpus::of(&corpus::KERNELS);
    let rows = Vectors::from_rows(&[[0.5, 1.0, 2.0], [1.5, 0.25, 0.0]]).unwrap();
    fuzz(
        "kernels of rows",
        |random| mutated(random, &corpus),
        |input| {
            let Ok(kernel) = String::from_utf8_lossy(input).parse::<Expression>() else { return };
            let printed = kernel.to_string();
            let again: Expression = printed.parse().unwrap_or_else(|error| panic!("{printed}: {error}"));
            assert_eq!(again.to_string(), printed);
            if kernel.check(&rows).is_ok()
                && let Ok(kernel) = kernel.resolve(&rows)
            {
                let _ = kernel.eval(&mercer::data::Items::get(&rows, 0), &mercer::data::Items::get(&rows, 1));
            }
        },
    );
}

#[test]
fn kernels_of_structures() {
    let corpus = corpus::of(&corpus::STRUCTURE_KERNELS);
    fuzz(
        "kernels of structures",
        |random| mutated(random, &corpus),
        |input| {
            let Ok(kernel) = String::from_utf8_lossy(input).parse::<CollectionKernel>() else { return };
            let printed = kernel.to_string();
            let again: CollectionKernel =
                printed.parse().unwrap_or_else(|error| panic!("{printed}: {error}"));
            assert_eq!(again.to_string(), printed);
        },
    );
}
