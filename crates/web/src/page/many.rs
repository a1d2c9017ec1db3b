//! Many seeds beside the run that is shown: one run is an anecdote.

use subtable_model::scenario::link::{self, LARGEST_SEED};
use web_sys::HtmlInputElement;

use super::crew::Client;
use super::{Page, Shown, ask_for_frame, controls};
use crate::digest::{Bands, Digest};
use crate::dom;
use crate::protocol::{Found, Want};

/// The most seeds.
pub const MOST: u32 = 200;
/// Time between two looks at the seeds that have come in, in milliseconds.
const PAUSE_MS: f64 = 150.0;

/// The seeds, and what has come of them so far.
pub struct Many {
    seeds: u32,
    /// The setting whose seeds were asked for.
    asked: Option<link::Run>,
    digests: Vec<Digest>,
    bands: Option<Bands>,
    /// Digests have come in that the bands do not have yet.
    news: bool,
    made: f64,
}

impl Default for Many {
    fn default() -> Self {
        Self {
            seeds: 1,
            asked: None,
            digests: Vec::new(),
            bands: None,
            news: false,
            made: 0.0,
        }
    }
}

impl Many {
    /// How many seeds are asked for.
    pub const fn seeds(&self) -> u32 {
        self.seeds
    }

    /// The bands, when they are of that run.
    pub fn bands(&self, shown: &Shown) -> Option<&Bands> {
        let own = self
            .asked
            .as_ref()
            .is_some_and(|asked| same(asked, &shown.setting));
        self.bands.as_ref().filter(|_| own)
    }
}

/// Whether two settings give the same run.
fn same(one: &link::Run, other: &link::Run) -> bool {
    one.scenario == other.scenario && one.seed == other.seed
}

impl Page {
    /// Another number of seeds was typed.
    pub(super) fn set_seeds(&mut self, text: &str) {
        match text.trim().parse::<u32>() {
            Ok(seeds) if (1..=MOST).contains(&seeds) => {
                show_error(None);
                self.put_seeds(seeds);
                self.note_address();
            }
            _ => show_error(Some(text)),
        }
    }

    /// Puts a number of seeds in force.
    pub(super) fn put_seeds(&mut self, seeds: u32) {
        if self.many.seeds != seeds {
            self.many.seeds = seeds;
            self.many.asked = None;
            self.look_again();
        }
        let field: HtmlInputElement = dom::get_as("seeds");
        if field.value().trim().parse() != Ok(seeds) {
            field.set_value(&seeds.to_string());
        }
        let slider: HtmlInputElement = dom::get_as("seeds-slider");
        slider.set_value(&seeds.to_string());
        controls::fill(&slider);
        self.ask_for_seeds();
    }

    /// Has the seeds of the present setting run, unless they are running already.
    pub(super) fn ask_for_seeds(&mut self) {
        let asked = self.many.asked.as_ref();
        if asked.is_some_and(|asked| same(asked, &self.setting)) {
            return;
        }
        self.crew.forget(Client::Bands);
        self.many.asked = Some(self.setting.clone());
        self.many.digests.clear();
        self.many.bands = None;
        self.many.news = false;
        if self.many.seeds > 1 {
            for number in 0..self.many.seeds {
                let mut setting = self.setting.clone();
                setting.seed = (setting.seed + u64::from(number)) % (LARGEST_SEED + 1);
                self.crew
                    .ask(Client::Bands, number as usize, &setting, Want::Digest);
            }
            self.put_crew_to_work();
        }
        self.show_progress_of_seeds();
    }

    /// A seed has been run.
    pub(super) fn take_seed(&mut self, found: Result<Found, String>) {
        match found {
            Ok(Found::Digest(digest)) => {
                self.many.digests.push(digest);
                self.many.news = true;
            }
            Ok(_) => {}
            Err(_) => self.crew.forget(Client::Bands),
        }
        self.show_progress_of_seeds();
    }

    fn show_progress_of_seeds(&self) {
        let (done, all) = (self.many.digests.len(), self.many.seeds as usize);
        let text = match self.many.seeds {
            1 => "one run is an anecdote".to_owned(),
            _ if done < all => format!("{done} of {all} done"),
            _ => format!("the band holds 90 % of {all}"),
        };
        dom::set_text(&dom::get("seeds-note"), &text);
    }

    /// Makes the bands anew when seeds have come in. Returns whether they are other bands now.
    pub(super) fn make_bands(&mut self) -> bool {
        let Some(shown) = &self.shown else {
            return false;
        };
        let many = &mut self.many;
        let own = many
            .asked
            .as_ref()
            .is_some_and(|asked| same(asked, &shown.setting));
        if !many.news || !own || !shown.snapshot.finished {
            return false;
        }
        let complete = many.digests.len() == many.seeds as usize;
        if !complete && dom::now() - many.made < PAUSE_MS {
            ask_for_frame();
            return false;
        }
        many.made = dom::now();
        many.news = false;
        many.bands = Bands::of(&many.digests, &shown.snapshot);
        true
    }
}

/// Says why a number of seeds is refused.
fn show_error(text: Option<&str>) {
    let error = dom::get("seeds-error");
    error.set_hidden(text.is_none());
    dom::set(
        &dom::get("seeds"),
        "aria-invalid",
        if text.is_some() { "true" } else { "false" },
    );
    if let Some(text) = text {
        let short: String = text.chars().take(40).collect();
        dom::set_text(
            &error,
            &format!("seeds: `{short}` is not a whole number from 1 to {MOST}"),
        );
    }
}
