//! Shared ground of the black-box tests: where the page is, which browser drives it.
