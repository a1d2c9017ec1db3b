//! SVG documents of every preset at several moments: well formed, titled, and in the colours that mean something.

use subtable_charts::cluster::Cluster;
use subtable_charts::histograms::Histograms;
use subtable_charts::latency::Latency;
use subtable_charts::memory::Memory;
use subtable_charts::parts::Parts;
use subtable_charts::strip::{self, Strip};
use subtable_charts::throughput::Throughput;
use subtable_charts::{Chart, Size, Theme};
use subtable_model::preset::{PRESETS, Preset};
use subtable_model::{Budget, Simulation, Snapshot};

const LOCAL: &str = "#0072B2";
const REMOTE: &str = "#D55E00";
const PUBLISHED: &str = "#7A5195";

/// Checks that tags are closed in the order in which they were opened, and returns the text of the title.
fn well_formed(svg: &str) -> Result<String, String> {
    let mut open: Vec<&str> = Vec::new();
    let mut title = String::new();
    for piece in svg.split('<').skip(1) {
        let (tag, text) = piece.split_once('>').ok_or("an open tag")?;
        if text.contains('&') && !text.contains(';') {
            return Err(format!("a bare ampersand in `{text}`"));
        }
        if let Some(name) = tag.strip_prefix('/') {
            if open.pop() != Some(name) {
                return Err(format!("</{name}> out of order"));
            }
        } else if !tag.ends_with('/') {
            let name = tag.split([' ', '\n']).next().unwrap_or(tag);
            open.push(name);
            if name == "title" {
                text.clone_into(&mut title);
            }
        }
    }
    if open.is_empty() {
        Ok(title)
    } else {
        Err(format!("left open: {open:?}"))
    }
}

fn at(preset: &Preset, until: Budget) -> Snapshot {
    let mut simulation = Simulation::new(&preset.scenario(), 1);
    simulation.advance(until);
    simulation.snapshot()
}

#[test]
fn every_chart_of_every_preset_at_several_moments() -> Result<(), String> {
    for preset in PRESETS {
        for until in [
            Budget::Events(0),
            Budget::Until(1_000_000),
            Budget::Until(3_000_000_000),
            Budget::Replies(20_000),
        ] {
            let snapshot = at(preset, until);
            let mut throughput = Throughput::new(&snapshot);
            throughput.published = preset.published_rates;
            let mut histograms = Histograms::new(&snapshot);
            histograms.published = preset.published;
            let strip = Strip::new(&snapshot, 0, strip::decades(&[&snapshot])).ok_or("no TMM")?;
            let charts: [&dyn Chart; 7] = [
                &Cluster::new(&snapshot),
                &Parts::new(&snapshot),
                &Latency::new(&snapshot),
                &Memory::new(&snapshot),
                &histograms,
                &strip,
                &throughput,
            ];
            for chart in charts {
                for theme in [Theme::light(), Theme::dark()] {
                    let svg = chart.svg(Size::new(450.0, 200.0), &theme);
                    let title = well_formed(&svg).map_err(|why| format!("{}: {why}", preset.id))?;
                    assert_eq!(title, chart.title().replace('&', "&amp;"));
                    assert!(
                        svg.starts_with("<svg ") && svg.contains("width=\"450\" height=\"200\"")
                    );
                    assert!(svg.contains("system-ui, sans-serif"));
                }
            }
        }
    }
    Ok(())
}

#[test]
fn colours_say_where_the_writes_went() {
    let size = Size::new(450.0, 200.0);
    let broken = at(&PRESETS[0], Budget::Replies(3000));
    let fixed = at(&PRESETS[1], Budget::Replies(3000));
    let strip = |snapshot, number| {
        let strip = Strip::new(snapshot, number, strip::decades(&[snapshot]));
        strip
            .map(|strip| strip.svg(size, &Theme::light()))
            .unwrap_or_default()
    };
    let slow = strip(&broken, 0);
    assert!(slow.contains(REMOTE) && !slow.contains(LOCAL));
    let fast = strip(&broken, 3);
    assert!(fast.contains(LOCAL) && !fast.contains(REMOTE));
    let cluster = Cluster::new(&fixed).svg(size, &Theme::light());
    assert!(cluster.contains(LOCAL));
    let mut throughput = Throughput::new(&fixed);
    assert!(!throughput.svg(size, &Theme::light()).contains(PUBLISHED));
    throughput.published = PRESETS[1].published_rates;
    assert!(throughput.svg(size, &Theme::light()).contains(PUBLISHED));
}

#[test]
fn names_cannot_break_out_of_a_document() {
    let mut snapshot = at(&PRESETS[1], Budget::Replies(200));
    snapshot.tmms.truncate(1);
    snapshot.traffic.truncate(1);
    snapshot.subtables.truncate(1);
    for subtable in &mut snapshot.subtables {
        subtable.owner = 0;
        subtable.name = "<b>&\"\u{0}'\u{1b}".to_owned();
    }
    let svg = Cluster::new(&snapshot).svg(Size::new(960.0, 500.0), &Theme::light());
    assert!(well_formed(&svg).is_ok());
    assert!(!svg.contains("<b>") && !svg.contains('\u{0}') && !svg.contains('\u{1b}'));
}
