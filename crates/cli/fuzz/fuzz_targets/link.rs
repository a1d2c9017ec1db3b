#![no_main]

#[path = "../checks/link.rs"]
mod link;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| link::check(bytes));
