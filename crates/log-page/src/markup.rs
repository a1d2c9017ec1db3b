//! Markup, with every text escaped. Writing to a string cannot fail.

use std::fmt::Write as _;

/// Text that is text wherever it stands in a document.
pub fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '&' => safe.push_str("&amp;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            other => safe.push(other),
        }
    }
    safe
}

/// A paragraph of text.
pub fn paragraph(text: &str) -> String {
    format!("<p>{}</p>", escaped(text))
}

/// A list of texts; nothing when there are none.
pub fn list<'a>(items: impl IntoIterator<Item = &'a str>) -> String {
    let items: String = items
        .into_iter()
        .map(|item| format!("<li>{}</li>", escaped(item)))
        .collect::<Vec<_>>()
        .concat();
    if items.is_empty() {
        items
    } else {
        format!("<ul>{items}</ul>")
    }
}

/// A part of the results under its heading; nothing when there is nothing in it.
pub fn section(id: &str, heading: &str, content: &str) -> String {
    if content.is_empty() {
        return String::new();
    }
    format!(
        "<section class=\"card\" id=\"{id}\" aria-labelledby=\"{id}-title\"><h2 id=\"{id}-title\">{}</h2>{content}</section>",
        escaped(heading)
    )
}

/// A table with a caption for those who do not see it. The first `words` columns are words, the others numbers.
pub fn table(caption: &str, columns: &[&str], words: usize, rows: &[Vec<String>]) -> String {
    let class = |column: usize| {
        if column < words {
            " class=\"word\""
        } else {
            ""
        }
    };
    let mut text = format!(
        "<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"{caption}\"><table><caption class=\"unseen\">{caption}</caption><thead><tr>",
        caption = escaped(caption)
    );
    for (number, column) in columns.iter().enumerate() {
        let _ = write!(
            text,
            "<th scope=\"col\"{}>{}</th>",
            class(number),
            escaped(column)
        );
    }
    text.push_str("</tr></thead><tbody>");
    for row in rows {
        text.push_str("<tr>");
        for (number, cell) in row.iter().enumerate() {
            let _ = write!(text, "<td{}>{}</td>", class(number), escaped(cell));
        }
        text.push_str("</tr>");
    }
    text.push_str("</tbody></table></div>");
    text
}
