//! Prints the results of the compared runs on this machine; `cargo xtask test` gives them to the wasm test.

fn main() {
    print!("{}", subtable_wasm_tests::results());
}
