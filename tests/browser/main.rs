//! The page in a real browser: what a user would see, do and be told.

mod accessibility;
mod barriers;
mod controls;
mod crosshair;
mod failures;
mod files;
mod gallery;
mod lab;
mod layout;
mod lessons;
mod links;
mod loading;
mod memory;
mod offline;
mod one_file;
mod results;
mod running;
mod scrubbing;
mod seeds;
mod session;
mod support;
mod your_log;
mod zoom;
