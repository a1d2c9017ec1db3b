//! Serves a folder of static files on 127.0.0.1, the way a plain static host would.
//!
//! | request | answer |
//! |---|---|
//! | `GET` or `HEAD` of a file | 200, its content, an explicit MIME type, never cached |
//! | a folder with its final `/` | its `index.html` |
//! | a folder without it | 301 to the address with it, so that relative addresses resolve |
//! | `..`, a backslash, a hidden drive or stream (`:`), a link that leaves the folder, anything absent | 404 |
//! | any other method | 405 |
//!
//! Only what a development server and a test need: no ranges, no compression, no directory listing.

#![forbid(unsafe_code)]

mod address;
mod mime;
mod server;

pub use address::file_of;
pub use mime::mime_type;
pub use server::{ServeError, Server};
