//! The page in a real browser: what a user would see, do and be told.

mod controls;
mod lab;
mod layout;
mod links;
mod loading;
mod offline;
mod results;
mod running;
mod support;
