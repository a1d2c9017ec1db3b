//! What axe-core does not see: where the focus is, what is spoken, printed, enlarged, in forced colours.

use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};
use subtable_tests::sites::{Site, screenshots};
use subtable_tests::webdriver::{Browser, Scheme, View, browse};
use thirtyfour::Key;

use crate::lab::{Lab, fragment};

/// The focused element, whether a ring shows it, and whether all of it lies under something else.
const FOCUSED: &str = "(() => {
    const element = document.activeElement;
    if (element === document.body) return null;
    const ringed = [element, element.closest('label'), element.closest('p')].some(
        one => one && getComputedStyle(one).outlineStyle !== 'none' && parseFloat(getComputedStyle(one).outlineWidth) >= 2);
    const shown = element.closest('.choices label') ?? (element.matches('.unseen') ? element.labels?.[0] : null) ?? element;
    const { left, top, width, height } = shown.getBoundingClientRect();
    const seen = [[.5, .5], [.1, .2], [.9, .2], [.1, .8], [.9, .8]].some(([x, y]) => {
        const there = document.elementFromPoint(left + x * width, top + y * height);
        return there && (shown.contains(there) || there.contains(element) && there.closest('label, .canvas, .scroll, ol'));
    });
    return { name: `${element.tagName}#${element.id} ${element.className} ${element.textContent.trim().slice(0, 20)}`, ringed, seen };
})()";

#[derive(serde::Deserialize)]
struct Focused {
    name: String,
    ringed: bool,
    seen: bool,
}

/// Goes from element to element by the tabulator until the focus leaves the page, and tells what is wrong on the way.
async fn walked(browser: &Browser) -> Result<(usize, Vec<String>)> {
    let mut wrong = Vec::new();
    for steps in 0..250 {
        browser
            .driver()
            .action_chain()
            .send_keys(Key::Tab)
            .perform()
            .await?;
        let Some(focused) = browser.value::<Option<Focused>>(FOCUSED).await? else {
            return Ok((steps, wrong));
        };
        if !focused.ringed {
            wrong.push(format!("no ring: {}", focused.name));
        }
        if !focused.seen {
            wrong.push(format!("covered: {}", focused.name));
        }
    }
    anyhow::bail!("the focus does not leave the page")
}

#[test]
fn the_focus_is_seen_wherever_it_goes() -> Result<()> {
    browse(&Site::built()?, View::default().still(), async |browser| {
        let phone = View {
            scale: 1.0,
            ..View::phone()
        }
        .still();
        for (view, address) in [
            (
                View::default().still(),
                fragment("published-discovered", &[], 1),
            ),
            (View::default().still(), "#v=1&lesson=names.1".to_owned()),
            (phone, fragment("published-discovered", &[], 1)),
            (phone, "log.html".to_owned()),
        ] {
            browser.look_at(view).await?;
            browser.leave().await?;
            browser.go(&address).await?;
            browser
                .wait_until(
                    "the page is there",
                    "document.documentElement.dataset.state !== 'loading'",
                )
                .await?;
            let (steps, wrong) = walked(browser).await?;
            ensure!(steps > 3, "{address}: only {steps} elements take the focus");
            ensure!(
                wrong.is_empty(),
                "{address} at {} wide: {wrong:#?}",
                view.width
            );
        }
        browser.assert_clean().await
    })
}

#[test]
fn a_slider_s_ring_crosses_no_words() -> Result<()> {
    browse(&Site::built()?, View::default(), async |browser| {
        Lab::open(browser, "").await?;
        let crossed: Vec<String> = browser
            .value(
                "[...document.querySelectorAll('#controls input[type=range]')].filter(slider => slider.checkVisibility()).flatMap(slider => {
                    slider.focus({ focusVisible: true });
                    const style = getComputedStyle(slider);
                    const grow = parseFloat(style.outlineOffset) + parseFloat(style.outlineWidth);
                    const ring = slider.getBoundingClientRect();
                    return [...slider.closest('[data-parameter]').querySelectorAll('.help, .name')].filter(words => {
                        const range = document.createRange();
                        range.selectNodeContents(words);
                        return [...range.getClientRects()].some(box => box.bottom > ring.top - grow + 1 && box.top < ring.bottom + grow - 1
                            && box.right > ring.left - grow && box.left < ring.right + grow);
                    }).map(words => `${slider.id}: ${words.textContent}`);
                })",
            )
            .await?;
        ensure!(crossed.is_empty(), "{crossed:#?}");
        Ok(())
    })
}

#[test]
fn all_of_a_lesson_and_all_layouts_are_at_hand() -> Result<()> {
    let hidden =
        "[...document.querySelectorAll('#lesson-next, #layouts button')].filter(button => {
        const { left, right, top, bottom } = button.getBoundingClientRect();
        const there = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
        return left < 0 || right > innerWidth || !button.contains(there);
    }).map(button => button.textContent)";
    browse(&Site::built()?, View::default(), async |browser| {
        for view in [
            View::default(),
            View {
                width: 640,
                height: 360,
                ..View::default()
            },
        ] {
            browser.look_at(view).await?;
            for step in ["names.1", "owner.1", "thresholds.2", "discovery.3"] {
                Lab::open(browser, &format!("#v=1&lesson={step}")).await?;
                browser.click("#lesson-reveal").await?;
                browser
                    .wait_until(
                        "the answer is told",
                        "document.querySelector('#lesson-why').textContent",
                    )
                    .await?;
                browser
                    .value::<()>("(document.querySelector('#lesson-next').scrollIntoView({ block: 'nearest' }), null)")
                    .await?;
                browser.next_frame().await?;
                browser
                    .screenshot(&format!("lesson-{}-{step}", view.width))
                    .await?;
                if view.width > 640 {
                    let hidden: Vec<String> = browser.value(hidden).await?;
                    ensure!(hidden.is_empty(), "{step}: {hidden:?}");
                }
            }
        }
        browser.look_at(View::phone()).await?;
        Lab::open(browser, "").await?;
        let hidden: Vec<String> = browser
            .value(
                "[...document.querySelectorAll('#layouts button')].filter(button =>
                    button.getBoundingClientRect().left < 0 || button.getBoundingClientRect().right > innerWidth).map(button => button.textContent)",
            )
            .await?;
        ensure!(hidden.is_empty(), "off the phone: {hidden:?}");
        browser.assert_clean().await
    })
}

#[test]
fn enlarged_to_twice_the_size_nothing_is_lost() -> Result<()> {
    // 1280 pixels enlarged twice are 640 wide.
    let view = View {
        width: 640,
        height: 360,
        scale: 2.0,
        ..View::default()
    };
    browse(&Site::built()?, view, async |browser| {
        let lab = Lab::open(browser, "").await?;
        lab.finished_at_full_speed().await?;
        browser.release_focus().await?;
        for layout in lab.layouts().await? {
            lab.choose(&layout).await?;
            browser.next_frame().await?;
            let [content, window]: [f64; 2] = browser
                .value("[document.documentElement.scrollWidth, innerWidth]")
                .await?;
            ensure!(content <= window, "{layout} is {content} wide in {window}");
            browser.screenshot(&format!("640x360-{layout}")).await?;
        }
        for id in [
            "run",
            "step",
            "reset",
            "speed",
            "time",
            "seed",
            "compare",
            "share",
            "theme",
            "help-open",
            "drawer",
        ] {
            let there: bool = browser
                .value(&format!("document.getElementById('{id}').checkVisibility() && document.getElementById('{id}').getBoundingClientRect().width > 20"))
                .await?;
            ensure!(there, "{id} is lost");
        }
        browser.assert_clean().await
    })
}

#[test]
fn results_are_spoken_and_frames_are_not() -> Result<()> {
    browse(&Site::built()?, View::default(), async |browser| {
        let lab = Lab::open(browser, "").await?;
        browser
            .value::<()>(
                "(window.said = [], new MutationObserver(() => said.push(document.querySelector('#spoken').textContent))
                    .observe(document.querySelector('#spoken'), { childList: true, characterData: true, subtree: true }), null)",
            )
            .await?;
        browser.click("#reset").await?;
        browser.click("#run").await?;
        lab.finished().await?;
        browser
            .wait_until(
                "the result is spoken",
                "said.some(text => /slow|local/i.test(text))",
            )
            .await?;
        let said: Vec<String> = browser.value("said").await?;
        ensure!(said.len() <= 6, "a run says {said:#?}");
        let live: Vec<String> = browser
            .value(
                "[...document.querySelectorAll('[aria-live], [role=status], [role=alert], [role=log], output')]
                    .filter(place => ['rows', 'verdict', 'log', 'time-words', 'tmms'].some(id => place.id === id && place.getAttribute('aria-live') !== 'off'))
                    .map(place => place.id)",
            )
            .await?;
        ensure!(
            live.is_empty(),
            "these change with every frame and are live: {live:?}"
        );
        browser.assert_clean().await
    })
}

#[test]
fn forced_colours_tell_states_apart() -> Result<()> {
    browse(&Site::built()?, View::default(), async |browser| {
        let lab = Lab::open(browser, "").await?;
        lab.finished_at_full_speed().await?;
        browser
            .devtools(
                "Emulation.setEmulatedMedia",
                json!({ "features": [{ "name": "forced-colors", "value": "active" }] }),
            )
            .await?;
        browser.next_frame().await?;
        browser.screenshot("1280x720-forced-colours").await?;
        let same: Vec<String> = browser
            .value(
                "[['#layouts [aria-pressed=true]', '#layouts [aria-pressed=false]'], ['#run', '#step'],
                  ['.choices label:has(:checked)', '.choices label:not(:has(:checked))']].filter(([on, off]) => {
                    const [a, b] = [on, off].map(which => getComputedStyle(document.querySelector(which)));
                    return a.borderTopColor === b.borderTopColor && a.borderTopWidth === b.borderTopWidth && a.backgroundColor === b.backgroundColor;
                }).map(([on]) => on)",
            )
            .await?;
        ensure!(same.is_empty(), "not told apart: {same:?}");
        Ok(())
    })
}

#[test]
fn the_page_prints_its_results_in_ink_on_paper() -> Result<()> {
    browse(
        &Site::built()?,
        View::default().in_scheme(Scheme::Dark),
        async |browser| {
            let lab = Lab::open(browser, &fragment("published-discovered", &[], 1)).await?;
            lab.finished_at_full_speed().await?;
            let corner = async || -> Result<Vec<u8>> {
                browser
                .value("(canvas => [...canvas.getContext('2d').getImageData(1, 1, 1, 1).data])(document.querySelector('#c-throughput'))")
                .await
            };
            let on_screen = corner().await?;
            browser
                .value::<bool>("dispatchEvent(new Event('beforeprint'))")
                .await?;
            ensure!(corner().await? == [255; 4], "drawings are printed dark");
            browser
                .value::<bool>("dispatchEvent(new Event('afterprint'))")
                .await?;
            ensure!(corner().await? == on_screen, "drawings stay light");
            let printed = browser
                .devtools("Page.printToPDF", json!({ "printBackground": false }))
                .await?;
            let pdf = printed["data"].as_str().context("a document")?;
            ensure!(pdf.starts_with("JVBERi0"), "no PDF");
            std::fs::write(screenshots().join("print.pdf.base64"), pdf)?;
            browser
            .devtools("Emulation.setEmulatedMedia", json!({ "media": "print", "features": [{ "name": "prefers-color-scheme", "value": "dark" }] }))
            .await?;
            browser.next_frame().await?;
            browser.screenshot("print").await?;
            let told: Value = browser
            .value(
                "({ ink: getComputedStyle(document.querySelector('#verdict')).color, run: document.querySelector('#run').checkVisibility(),
                    controls: document.querySelector('#controls').checkVisibility(), table: document.querySelector('#tmms').checkVisibility(),
                    sentence: document.querySelector('#sentence').checkVisibility() })",
            )
            .await?;
            let wanted = json!({ "ink": "rgb(22, 24, 28)", "run": false, "controls": false, "table": true, "sentence": true });
            ensure!(told == wanted, "{told}");
            Ok(())
        },
    )
}

/// The contrast of two colours as WCAG defines it.
fn contrast(one: [f64; 3], other: [f64; 3]) -> f64 {
    let light = |[red, green, blue]: [f64; 3]| {
        let linear = |part: f64| {
            let part = part / 255.0;
            if part <= 0.04045 {
                part / 12.92
            } else {
                ((part + 0.055) / 1.055).powf(2.4)
            }
        };
        0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
    };
    let (one, other) = (light(one), light(other));
    (one.max(other) + 0.05) / (one.min(other) + 0.05)
}

#[test]
fn colours_that_mean_something_stand_out() -> Result<()> {
    browse(&Site::built()?, View::default(), async |browser| {
        for scheme in [Scheme::Light, Scheme::Dark] {
            browser.look_at(View::default().in_scheme(scheme)).await?;
            Lab::open(browser, "").await?;
            for (name, least) in [
                ("local", 3.0),
                ("remote", 3.0),
                ("published", 4.5),
                ("log", 3.0),
                ("edge", 3.0),
                ("accent", 3.0),
                ("quiet", 4.5),
                ("remote-ink", 4.5),
                ("log-ink", 4.5),
                ("ink", 7.0),
            ] {
                for ground in ["surface", "page"] {
                    let [one, other]: [[f64; 3]; 2] = browser
                        .value(&format!(
                            "['{name}', '{ground}'].map(name => {{
                                const probe = document.createElement('canvas').getContext('2d');
                                probe.fillStyle = getComputedStyle(document.documentElement).getPropertyValue('--' + name).trim();
                                probe.fillRect(0, 0, 1, 1);
                                return [...probe.getImageData(0, 0, 1, 1).data].slice(0, 3);
                            }})"
                        ))
                        .await?;
                    let ratio = contrast(one, other);
                    ensure!(
                        ratio >= least,
                        "{name} on {ground} in {}: {ratio:.2}",
                        scheme.name()
                    );
                }
            }
        }
        Ok(())
    })
}
