//! Every chart of Subtable Lab, drawn with plotters on any drawing backend.
