//! What else a run came to, beside its clicks: who was let in, what is stuck, what is lost, who waited.

use subtable_model::Snapshot;

use crate::words::{time, whole};

/// The sentences that a run so far gives reason for; empty for most.
#[must_use]
pub fn of(snapshot: &Snapshot) -> String {
    let mut said: Vec<String> = Vec::new();
    if let Some(limit) = &snapshot.limit {
        said.push(format!(
            "Admitted {}, turned away {}; {} beyond the limit, at most {} for one user.",
            whole(limit.admitted),
            whole(limit.turned_away),
            whole(limit.over),
            whole(limit.most.into()),
        ));
    }
    if snapshot.parked > 0 || snapshot.given_up > 0 {
        said.push(format!(
            "{} parked for an answer that will not come, {} given up.",
            requests(snapshot.parked),
            whole(snapshot.given_up)
        ));
    }
    if snapshot.refused > 0 {
        said.push(format!(
            "{} refused: too large.",
            requests(snapshot.refused)
        ));
    }
    let orphans: u64 = snapshot.tmms.iter().map(|tmm| tmm.stored.orphans).sum();
    if orphans > 0 {
        said.push(format!(
            "{} entries that nothing will find again.",
            whole(orphans)
        ));
    }
    let expired: u64 = snapshot.subtables.iter().map(|it| it.expired).sum();
    if expired > 0 {
        let entries: u64 = snapshot.subtables.iter().map(|it| it.entries).sum();
        let counted: u64 = snapshot.tmms.iter().map(|tmm| tmm.counter).sum();
        said.push(format!(
            "{} entries stored, {} expired; the counters beside them say {}.",
            whole(entries),
            whole(expired),
            whole(counted)
        ));
    }
    let (intended, sending) = (&snapshot.latency, &snapshot.latency_from_sending);
    if intended != sending {
        said.push(format!(
            "99 % of replies within {} of sending, but {} of the intended start.",
            clicks(sending.p99),
            clicks(intended.p99)
        ));
    }
    said.join(" ")
}

fn requests(number: u64) -> String {
    if number == 1 {
        "1 request".to_owned()
    } else {
        format!("{} requests", whole(number))
    }
}

fn clicks(clicks: u32) -> String {
    time(u64::from(clicks) * 1000)
}

#[cfg(test)]
mod tests {
    use subtable_model::preset::{PRESETS, Preset};
    use subtable_model::{Budget, Simulation, run};

    use super::*;

    fn at_end(preset: &str) -> String {
        of(&run(&Preset::find(preset).unwrap().scenario(), 1))
    }

    #[test]
    fn a_usual_run_needs_no_more_words() {
        for preset in &PRESETS[..4] {
            assert_eq!(at_end(preset.id), "", "{}", preset.id);
        }
    }

    #[test]
    fn each_question_about_something_else_is_answered() {
        for (preset, words) in [
            (
                "limit-per-tmm",
                "1,500 beyond the limit, at most 4 for one user.",
            ),
            ("reload", "entries that nothing will find again."),
            ("entries-end", "the counters beside them say 100,000."),
            ("late-starts", "of the intended start."),
            ("lost-answer", "given up."),
        ] {
            let said = at_end(preset);
            assert!(said.contains(words), "{preset}: {said}");
        }
    }

    #[test]
    fn what_is_stuck_is_told_while_it_is() {
        let preset = Preset::find("lost-answer").unwrap();
        let mut simulation = Simulation::new(&preset.scenario(), 1);
        while simulation.snapshot().parked < 2 {
            assert!(simulation.advance(Budget::Replies(50)), "nothing was lost");
        }
        let said = of(&simulation.snapshot());
        assert!(said.contains("requests parked for an answer"), "{said}");
    }
}
