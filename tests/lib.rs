//! Shared ground of the black-box tests: where the page is, which browser drives it.

#![forbid(unsafe_code)]

#[cfg(feature = "browser")]
pub mod sites;
#[cfg(feature = "browser")]
pub mod webdriver;
