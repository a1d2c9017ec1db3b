//! The same runs, as WebAssembly in a browser.

#![cfg(target_arch = "wasm32")]

use wasm_bindgen_test::wasm_bindgen_test;

/// What `native-results` has printed on the machine that compiles this.
const NATIVE: &str = include_str!(env!(
    "SUBTABLE_LAB_NATIVE_RESULTS",
    "this test needs the native results: run `cargo xtask test`"
));

#[wasm_bindgen_test]
fn every_result_is_the_native_one_to_the_last_bit() {
    let here = subtable_wasm_tests::results();
    assert!(here.lines().count() > 6, "{here}");
    for (here, native) in here.lines().zip(NATIVE.lines()) {
        assert_eq!(here, native);
    }
    assert_eq!(here.len(), NATIVE.len());
}
