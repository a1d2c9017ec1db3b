//! The server seen from outside, over a plain socket: what a browser would get.

use std::error::Error;
use std::fs;
use std::io::{Read, Write};
use std::net::TcpStream;

use subtable_site::{ServeError, Server};
use tempfile::TempDir;

type Outcome = Result<(), Box<dyn Error>>;

fn site() -> Result<(TempDir, Server), Box<dyn Error>> {
    let outer = TempDir::new()?;
    fs::write(outer.path().join("secret.txt"), "secret")?;
    let folder = outer.path().join("site");
    fs::create_dir_all(folder.join("pkg"))?;
    fs::write(folder.join("index.html"), "<p>first</p>")?;
    fs::write(folder.join("pkg/index.html"), "<p>second</p>")?;
    fs::write(folder.join("pkg/page.wasm"), b"\0asm")?;
    fs::write(folder.join("large.txt"), vec![b'x'; 100_000])?;
    let server = Server::start(&folder, 0)?;
    Ok((outer, server))
}

fn ask(server: &Server, method: &str, path: &str) -> Result<String, Box<dyn Error>> {
    let mut stream = TcpStream::connect(("127.0.0.1", server.port()))?;
    write!(
        stream,
        "{method} {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n"
    )?;
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer)?;
    Ok(String::from_utf8(answer)?)
}

#[test]
fn files_come_with_their_type_and_are_not_cached() -> Outcome {
    let (_outer, server) = site()?;
    let page = ask(&server, "GET", "/")?;
    assert!(page.starts_with("HTTP/1.1 200"), "{page}");
    assert!(
        page.contains("Content-Type: text/html; charset=utf-8"),
        "{page}"
    );
    assert!(page.contains("Cache-Control: no-store"), "{page}");
    assert!(page.ends_with("<p>first</p>"), "{page}");
    let module = ask(&server, "GET", "/pkg/page.wasm")?;
    assert!(
        module.contains("Content-Type: application/wasm\r\n"),
        "{module}"
    );
    Ok(())
}

#[test]
fn the_length_is_told_even_of_a_large_file() -> Outcome {
    let (_outer, server) = site()?;
    let answer = ask(&server, "GET", "/large.txt")?;
    assert!(
        answer.contains("Content-Length: 100000\r\n"),
        "{}",
        &answer[..300]
    );
    Ok(())
}

#[test]
fn a_changed_file_is_served_at_once() -> Outcome {
    let (outer, server) = site()?;
    fs::write(outer.path().join("site/index.html"), "<p>rebuilt</p>")?;
    assert!(ask(&server, "GET", "/")?.ends_with("<p>rebuilt</p>"));
    Ok(())
}

#[test]
fn what_is_absent_or_outside_is_not_found() -> Outcome {
    let (_outer, server) = site()?;
    for path in [
        "/absent.js",
        "/../secret.txt",
        "/%2e%2e/secret.txt",
        "/pkg/..%2f..%2fsecret.txt",
    ] {
        let answer = ask(&server, "GET", path)?;
        assert!(answer.starts_with("HTTP/1.1 404"), "{path}: {answer}");
        assert!(!answer.contains("secret"), "{path}: {answer}");
    }
    Ok(())
}

#[cfg(unix)]
#[test]
fn a_link_out_of_the_folder_is_not_followed() -> Outcome {
    let (outer, server) = site()?;
    std::os::unix::fs::symlink(
        outer.path().join("secret.txt"),
        outer.path().join("site/link.txt"),
    )?;
    assert!(ask(&server, "GET", "/link.txt")?.starts_with("HTTP/1.1 404"));
    Ok(())
}

#[test]
fn a_folder_is_reached_with_its_slash() -> Outcome {
    let (_outer, server) = site()?;
    let moved = ask(&server, "GET", "/pkg?v=1")?;
    assert!(moved.starts_with("HTTP/1.1 301"), "{moved}");
    assert!(moved.contains("Location: /pkg/?v=1\r\n"), "{moved}");
    assert!(ask(&server, "GET", "/pkg/")?.ends_with("<p>second</p>"));
    Ok(())
}

#[test]
fn only_reading_is_allowed() -> Outcome {
    let (_outer, server) = site()?;
    let answer = ask(&server, "POST", "/")?;
    assert!(
        answer.starts_with("HTTP/1.1 405") && answer.contains("Allow: GET, HEAD"),
        "{answer}"
    );
    let head = ask(&server, "HEAD", "/")?;
    assert!(
        head.starts_with("HTTP/1.1 200") && head.ends_with("\r\n\r\n"),
        "{head}"
    );
    Ok(())
}

#[test]
fn a_taken_port_and_an_absent_folder_are_told_apart() -> Outcome {
    let (outer, server) = site()?;
    let taken = Server::start(outer.path(), server.port());
    assert!(matches!(taken, Err(ServeError::PortTaken(port)) if port == server.port()));
    let absent = Server::start(&outer.path().join("absent"), 0);
    assert!(matches!(absent, Err(ServeError::Folder(..))));
    Ok(())
}
