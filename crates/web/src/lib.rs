//! The page and its worker: the browser side of Subtable Lab.
