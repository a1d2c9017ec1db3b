//! The module's second part, which follows once the first view is there: see `crates/xtask/src/split.rs`.

use wasm_bindgen::prelude::*;

#[wasm_bindgen]
extern "C" {
    /// Set by `rest.js`, which knows where the second part is.
    #[wasm_bindgen(js_name = joinRest)]
    fn join_rest();
}

/// Joins the second part now. It is called by what stands in for functions of that part until it is there: in a module that
/// is whole, never.
#[wasm_bindgen]
pub fn need_rest() {
    join_rest();
}
