use subtable_logs::{ReadOptions, Reader};
use subtable_model::{Budget, Scenario, Simulation};

use super::*;

fn read(text: &[u8]) -> Observations {
    let mut reader = Reader::new(ReadOptions::default());
    reader.push(text);
    reader.finish()
}

/// The log of a run of the model.
fn own_log(settings: &[(&str, &str)]) -> String {
    let mut scenario = Scenario::default();
    for (id, value) in settings {
        scenario.set(id, value).unwrap();
    }
    let mut run = Simulation::new(&scenario, 1);
    run.keep_lines(10_000);
    run.advance(Budget::Unlimited);
    let lines = run.snapshot().log.tail.into_iter();
    lines.map(|(_, line)| line + "\n").collect()
}

#[test]
fn nothing_in_a_log_becomes_markup() {
    let hostile = "<img src=x onerror=alert(1)>\"'&";
    let log = format!(
        "tmm=0 subtable={hostile} writes=1 key=k clicks=900 SLOW (sampled 1/1)\n\
         tmm=1 subtable={hostile} writes=1 key=k clicks=x SLOW (sampled 1/1)\n\
         PROBE tmm=0 subtable={hostile} clicks=5 entries=1 OWNER\n{hostile}\n"
    );
    for dark in [false, true] {
        let text = markup(
            &read(log.replace("src=x onerror", "srcxonerror").as_bytes()),
            Settings::default(),
            dark,
            860.0,
        );
        assert!(!text.contains("<img") && text.contains("&lt;img"), "{text}");
    }
}

#[test]
fn a_log_gives_a_verdict_a_picture_and_a_way_into_the_lab() {
    let log = own_log(&[("log-every", "20"), ("records", "20000"), ("tmms", "5")]);
    let seen = read(log.as_bytes());
    let text = markup(&seen, Settings::default(), false, 860.0);
    for said in [
        "The model beside the log",
        "Outlines: the model",
        "class=\"verdict ok\"",
        "<svg",
        "TMM 4",
        "A good fit",
        "Not fitted",
        "lines",
    ] {
        assert!(text.contains(said), "{said}: {text}");
    }
    let (_, address) = text.split_once("href=\"index.html#").unwrap();
    let address = address.split('"').next().unwrap().replace("&amp;", "&");
    let (what_if, errors) = link::decode(&address);
    assert!(errors.is_empty(), "{errors:?}");
    assert_eq!(
        (what_if.scenario.tmms(), what_if.scenario.log_every()),
        (5, 20)
    );
}

#[test]
fn beside_its_own_log_the_model_looks_alike() {
    let seen = read(own_log(&[("log-every", "100"), ("records", "100000")]).as_bytes());
    let analysis = analyse(&seen, Settings::default());
    let modelled = beside::modelled(&fit(&seen, Settings::default())).expect("it tells enough");
    let mean = |averages: Vec<f64>| averages.iter().sum::<f64>() / averages.len() as f64;
    let log = mean(analysis.per_tmm.iter().map(|row| row.avg).collect());
    let model = mean(modelled.tmms.iter().map(|tmm| tmm.all.avg).collect());
    assert!(
        (model / log - 1.0).abs() < 0.08,
        "{log} in the log, {model} in the model"
    );
    let text = beside::table_of_both(&analysis, &modelled);
    assert_eq!(text.matches("<tr>").count(), 1 + 4, "{text}");
    // A log of probes alone does not tell how names are found.
    let seen = read(b"PROBE tmm=0 subtable=x clicks=5 entries=1 OWNER\n");
    assert!(beside::modelled(&fit(&seen, Settings::default())).is_none());
}

#[test]
fn nothing_and_foreign_lines_are_said_to_be_so() {
    let text = markup(&read(b""), Settings::default(), false, 860.0);
    assert!(
        text.contains("Nothing here is a line") && !text.contains("<svg"),
        "{text}"
    );
    let text = markup(&read(b"hello\n"), Settings::default(), false, 860.0);
    assert!(
        text.contains("0 used, 1 skipped: 0 broken, 1 not of the harness"),
        "{text}"
    );
}
