//! The page inside another one: only some views and controls, and a way to the whole page.
//!
//! ```text
//! ?embed=1 [ &views=NAME,NAME… ] [ &controls=PARAMETER,PARAMETER… ] [ &theme=light|dark ]
//! ```

use super::views::Views;
use crate::dom;

/// Views when none are named.
const VIEWS: &str = "throughput,table";

fn parameter(name: &str) -> Option<String> {
    let search = dom::window().location().search().unwrap_or_default();
    let pairs = search.trim_start_matches('?').split('&');
    pairs
        .filter_map(|pair| pair.split_once('='))
        .find(|(key, _)| *key == name)
        .map(|(_, value)| value.replace("%2C", ",").replace("%2c", ","))
}

/// Whether the page is embedded.
pub fn is_on() -> bool {
    parameter("embed").as_deref() == Some("1")
}

/// The theme that the embedding page asks for.
pub fn theme() -> Option<String> {
    is_on().then(|| parameter("theme")).flatten()
}

fn names(name: &str, otherwise: &str) -> Vec<String> {
    let names = parameter(name).unwrap_or_else(|| otherwise.to_owned());
    names
        .split(',')
        .filter(|name| !name.is_empty())
        .map(str::to_owned)
        .collect()
}

/// Shows what was asked for, when the page is embedded.
pub fn show() {
    if !is_on() {
        return;
    }
    let data = dom::root().dataset();
    let _ = data.set("embed", "");
    Views::choose_only(&names("views", VIEWS));
    let controls = names("controls", "");
    let _ = data.set(
        "controls",
        if controls.is_empty() { "none" } else { "some" },
    );
    for control in dom::all(&dom::get("controls"), "[data-parameter]") {
        let id = control.dataset().get("parameter").unwrap_or_default();
        control.set_hidden(!controls.contains(&id));
    }
    for group in dom::all(&dom::get("controls"), "details.group") {
        let members = dom::all(&group, "[data-parameter]");
        let wanted = members.iter().any(|control| !control.hidden());
        group.set_hidden(!wanted);
        if wanted {
            dom::set(&group, "open", "");
        }
    }
    follow();
}

/// Has the link to the whole page lead to what is shown.
pub fn follow() {
    let location = dom::window().location();
    let path = location.pathname().unwrap_or_default();
    let hash = location.hash().unwrap_or_default();
    dom::set(&dom::get("open-full"), "href", &format!("{path}{hash}"));
}

/// An iframe for the page at an address.
pub fn snippet(href: &str) -> String {
    let (page, fragment) = href.split_once('#').unwrap_or((href, ""));
    let page = page.split('?').next().unwrap_or(page);
    let source = format!("{page}?embed=1&views={VIEWS}&controls=tmms,naming#{fragment}");
    // A link has only plain characters; an address may have others.
    let source = source.replace('"', "%22").replace('&', "&amp;");
    format!(
        "<iframe src=\"{source}\" title=\"Subtable Lab\" width=\"900\" height=\"640\" loading=\"lazy\" \
         allow=\"clipboard-write\"></iframe>"
    )
}
