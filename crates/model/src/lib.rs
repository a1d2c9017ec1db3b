//! The sharding and timing model behind Subtable Lab: pure computation, no clock, no browser.
