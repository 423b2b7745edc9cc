//! Generalisation bounds: values by hand, truth on simulated distributions, and what is said of trained models.

mod applicable;
mod simulated;
mod trained;
mod values;
