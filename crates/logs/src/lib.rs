//! Reads the logs and reports of the per-TMM subtable harness, and says what they mean.
