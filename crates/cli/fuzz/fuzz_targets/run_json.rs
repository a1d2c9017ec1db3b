#![no_main]

#[path = "../checks/run_json.rs"]
mod run_json;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| run_json::check(bytes));
