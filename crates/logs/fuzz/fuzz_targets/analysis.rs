#![no_main]

#[path = "../checks/analysis.rs"]
mod analysis;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| analysis::check(bytes));
