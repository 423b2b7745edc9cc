//! The arithmetic of vector kernels, written once for all instruction sets.
//!
//! `Vector` is a register full of numbers. It is implemented for arrays (any processor), AVX2 and AVX-512;
//! everything else — exponentials, register tiles, weighted sums — is generic over it and compiled once per
//! instruction set inside `Element::dispatch`.
//!
//! This is the only module with `unsafe` code. Two facts make it sound: vector types never leave the module,
//! and `Unit`s other than the portable one are only made for processors that have the instructions.

#![allow(unsafe_code)]

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod axpy;
mod dispatch;
mod ending;
mod functions;
mod lanes;
mod mix;
mod portable;
mod term;
#[cfg(test)]
mod tests;
mod tile;
mod vector;

pub use axpy::axpy;
pub(in crate::gram) use axpy::{axpy_with, ordered_sum};
pub(in crate::gram) use dispatch::Unit;
pub(crate) use dispatch::{Plain, widest};
pub(in crate::gram) use ending::{Ending, Guard, finish_all};
pub(in crate::gram) use lanes::{Group, Norms, Values, group_width};
pub(in crate::gram) use mix::Mix;
pub(in crate::gram) use term::Term;
pub(in crate::gram) use tile::{Job, Sink, self_values};
pub(crate) use vector::Element;
