//! The command line of Mercer.

fn main() {}
