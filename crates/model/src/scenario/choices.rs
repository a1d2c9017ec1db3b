//! The parameters that are chosen from a list, each an enum whose variants carry their words.

use super::parameter::Choice;

/// Declares an enum and its list of options together, so that neither can lack an entry of the other.
macro_rules! choices {
    ($(#[$doc:meta])* $name:ident { $($variant:ident: $id:literal, $label:literal, $help:literal;)+ }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum $name {
            $(#[doc = $help] $variant,)+
        }

        impl $name {
            /// Every variant, in the order of the list.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// The words of every variant, in the same order.
            pub const OPTIONS: &'static [Choice] =
                &[$(Choice { id: $id, label: $label, help: $help }),+];

            /// The word used in links, on the command line and in JSON.
            #[must_use]
            pub const fn id(self) -> &'static str {
                Self::OPTIONS[self as usize].id
            }
        }
    };
}

choices! {
    /// How a TMM comes by the name of the subtable that it writes to.
    Naming {
        Deterministic: "deterministic", "deterministic",
            "The neat name localdb_tmm_<t>, used unseen: about one TMM in N happens to own its own.";
        RandomProbe: "random-probe", "random + probe",
            "Random names, each timed by a trial write; the first one below the threshold is kept.";
        RandomUnprobed: "random-unprobed", "random, unprobed",
            "One random name, kept unseen: randomness alone, without timing, finds nothing.";
        DeterministicProbed: "deterministic-probed", "deterministic + probe",
            "The neat name, timed again and again: timing alone, without new names, finds nothing.";
        Shared: "shared", "one shared",
            "One name for all TMMs: local for its one owner, remote for everybody else.";
    }
}

choices! {
    /// How a request learns how many entries its subtable has.
    Count {
        None: "none", "not counted", "Requests do not count.";
        Incremental: "incremental", "incremental", "A counter kept beside the subtable: constant cost, whatever the size.";
        Enumerate: "enumerate", "enumerate keys", "All keys are listed and counted, by every request: the cost grows with each entry.";
    }
}
