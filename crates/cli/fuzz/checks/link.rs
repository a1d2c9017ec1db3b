//! Any text as a link: what can be read of it makes a link that reads the same.

use subtable_lab::arguments::fragment;
use subtable_model::scenario::link;

/// Panics when that does not hold.
pub fn check(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    let (mut run, errors) = link::decode(fragment(text));
    for error in errors {
        assert!(!error.to_string().is_empty());
    }
    run.others.clear();
    let encoded = link::encode(&run);
    let (again, errors) = link::decode(&encoded);
    assert!(errors.is_empty(), "{encoded}: {errors:?}");
    assert_eq!(again, run, "{encoded}");
}
