//! Runs the workspace's wasm tests in a real browser.
//!
//! `cargo xtask test` names this program as cargo's runner for the wasm target; nothing has to be installed for it,
//! and its version can only be the one that `wasm-bindgen` itself has in `Cargo.lock`.

fn main() -> anyhow::Result<()> {
    wasm_bindgen_cli::wasm_bindgen_test_runner::run_cli_with_args(std::env::args_os())
}
