#![no_main]

#[path = "../checks/log.rs"]
mod log;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| log::check(bytes));
