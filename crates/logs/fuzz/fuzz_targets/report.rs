#![no_main]

#[path = "../checks/report.rs"]
mod report;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| report::check(bytes));
