use std::fmt;
use std::fs;
use std::io;
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread::{self, JoinHandle};

use tiny_http::{Header, Method, Request, Response};

use crate::{file_of, mime_type};

/// A browser opens at most six connections to one host; more threads would only wait.
const THREADS: usize = 6;

type Answer = Response<io::Cursor<Vec<u8>>>;

/// Why a folder could not be served.
#[derive(Debug)]
#[non_exhaustive]
pub enum ServeError {
    /// Another program listens on the port already.
    PortTaken(u16),
    /// The folder does not exist or cannot be read.
    Folder(PathBuf, io::Error),
    /// The operating system refused to listen for another reason.
    Listen(u16, io::Error),
}

impl fmt::Display for ServeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::PortTaken(port) => {
                write!(f, "port {port} of 127.0.0.1 is taken by another program")
            }
            Self::Folder(folder, error) => {
                write!(f, "cannot serve the folder {}: {error}", folder.display())
            }
            Self::Listen(port, error) => {
                write!(f, "cannot listen on port {port} of 127.0.0.1: {error}")
            }
        }
    }
}

impl std::error::Error for ServeError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::PortTaken(_) => None,
            Self::Folder(_, error) | Self::Listen(_, error) => Some(error),
        }
    }
}

/// A folder being served on 127.0.0.1, until the value is dropped.
///
/// Files are read anew for every request, so that a rebuilt site shows on reload.
pub struct Server {
    address: SocketAddr,
    listener: Arc<tiny_http::Server>,
    threads: Vec<JoinHandle<()>>,
}

impl Server {
    /// Starts serving `folder`; port 0 takes any free port.
    ///
    /// # Errors
    /// The folder cannot be read, or the port cannot be had.
    pub fn start(folder: &Path, port: u16) -> Result<Self, ServeError> {
        let folder = folder
            .canonicalize()
            .map_err(|error| ServeError::Folder(folder.into(), error))?;
        let listener =
            TcpListener::bind((Ipv4Addr::LOCALHOST, port)).map_err(|error| match error.kind() {
                io::ErrorKind::AddrInUse => ServeError::PortTaken(port),
                _ => ServeError::Listen(port, error),
            })?;
        let address = listener
            .local_addr()
            .map_err(|error| ServeError::Listen(port, error))?;
        let server = tiny_http::Server::from_listener(listener, None)
            .map_err(|error| ServeError::Listen(port, io::Error::other(error.to_string())))?;
        let server = Arc::new(server);
        let threads = (0..THREADS)
            .map(|_| {
                let (server, folder) = (Arc::clone(&server), folder.clone());
                thread::spawn(move || {
                    while let Ok(request) = server.recv() {
                        answer(request, &folder);
                    }
                })
            })
            .collect();
        Ok(Self {
            address,
            listener: server,
            threads,
        })
    }

    /// The served origin with a final slash, for instance `http://127.0.0.1:8080/`.
    #[must_use]
    pub fn url(&self) -> String {
        format!("http://{}/", self.address)
    }

    /// The port being listened on.
    #[must_use]
    pub fn port(&self) -> u16 {
        self.address.port()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        for _ in &self.threads {
            self.listener.unblock();
        }
        for thread in self.threads.drain(..) {
            // A thread that panicked has nothing left to stop.
            let _ = thread.join();
        }
    }
}

fn answer(request: Request, folder: &Path) {
    let answer = match request.method() {
        Method::Get | Method::Head => find(request.url(), folder),
        _ => plain(405, "405 only GET and HEAD\n").with_header(header("Allow", "GET, HEAD")),
    };
    let answer = answer
        // The whole file is at hand: its length is told, whatever it is.
        .with_chunked_threshold(usize::MAX)
        .with_header(header("Cache-Control", "no-store"))
        .with_header(header("X-Content-Type-Options", "nosniff"));
    // The browser may have gone away in the meantime; there is nobody left to tell.
    let _ = request.respond(answer);
}

fn find(url: &str, folder: &Path) -> Answer {
    let Some(file) = file_of(url).and_then(|file| folder.join(file).canonicalize().ok()) else {
        return not_found();
    };
    if !file.starts_with(folder) {
        return not_found();
    }
    if file.is_dir() {
        return moved_to_folder(url);
    }
    match fs::read(&file) {
        Ok(content) => {
            Response::from_data(content).with_header(header("Content-Type", mime_type(&file)))
        }
        Err(_) => not_found(),
    }
}

fn moved_to_folder(url: &str) -> Answer {
    let (path, rest) = url.split_at(url.find(['?', '#']).unwrap_or(url.len()));
    plain(301, "301 this is a folder\n").with_header(header("Location", &format!("{path}/{rest}")))
}

fn not_found() -> Answer {
    plain(404, "404 not found\n")
}

fn plain(status: u16, text: &str) -> Answer {
    Response::from_string(text)
        .with_status_code(status)
        .with_header(header("Content-Type", "text/plain; charset=utf-8"))
}

fn header(field: &str, value: &str) -> Header {
    // Every value is a constant of this crate or an address that has just come in as ASCII.
    Header::from_bytes(field, value).expect("an ASCII header")
}
