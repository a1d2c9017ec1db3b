//! Measures Subtable Lab's speed.

#![forbid(unsafe_code)]

pub mod naive;
