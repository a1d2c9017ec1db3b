//! Sockets and HTTP around the live model.

use std::convert::Infallible;
use std::io::{self, Write};
use std::net::SocketAddr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use bytes::Bytes;
use http_body_util::{BodyExt, Full};
use hyper::body::{Body, Incoming};
use hyper::header::{CONTENT_LENGTH, CONTENT_TYPE, HeaderValue};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Response, StatusCode};
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::{TcpListener, TcpStream};
use tokio::runtime::Runtime;
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::{Semaphore, oneshot, watch};
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};

use crate::journal::Journal;
use crate::live::{Connection, Done, Live};
use crate::request::{self, Refusal, Request};
use crate::{Pace, Settings, StandInError};

/// Bytes of a request's head, at most.
pub const HEAD_BYTES: usize = 16 * 1024;
/// How long a head may take, from the connection or from the last answer on.
pub const HEAD_TIME: Duration = Duration::from_secs(10);
/// How long a body may take.
pub const BODY_TIME: Duration = Duration::from_secs(30);
/// How long a connection may last: a caller that does not take its answer holds a place no longer.
pub const CONNECTION_TIME: Duration = Duration::from_mins(10);
/// Connections at a time; the system keeps further ones waiting.
pub const CONNECTIONS: usize = 512;
/// How long requests that are under way at the end may take.
const LAST_REQUESTS: Duration = Duration::from_secs(2);
/// How much of a body that nobody wants is read, so that its sender reads the answer.
const UNWANTED_BYTES: u64 = 4 * request::BODY_LIMIT;
/// Waits shorter than this are not waited for, longer ones by so much less: the timer goes by milliseconds and rounds up,
/// so that on average they are right.
const HALF_A_TICK: Duration = Duration::from_micros(500);

/// A stand-in that listens, and does not answer yet.
#[derive(Debug)]
pub struct StandIn {
    runtime: Runtime,
    listener: std::net::TcpListener,
    address: SocketAddr,
    shared: Shared,
    journal: Journal,
}

/// What every connection needs.
#[derive(Debug)]
struct Shared {
    live: Mutex<Live>,
    pace: Pace,
    began: Instant,
    open: AtomicUsize,
}

/// What makes a stand-in end.
#[derive(Debug)]
pub enum Stop {
    /// SIGINT or SIGTERM.
    Signal,
    /// The other end, by sending or by being dropped.
    Told(oneshot::Receiver<()>),
}

impl Stop {
    /// A stop, and the end that tells it.
    #[must_use]
    pub fn told() -> (oneshot::Sender<()>, Self) {
        let (teller, told) = oneshot::channel();
        (teller, Self::Told(told))
    }
}

/// What a stand-in has done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Summary {
    /// Requests, writes and lines.
    pub done: Done,
    /// How long it was there.
    pub lasted: Duration,
}

impl StandIn {
    /// Listens. The lines of the log go to `log`.
    ///
    /// # Errors
    /// When the address cannot be listened on, or the system refuses threads.
    pub fn bind(settings: &Settings, log: Box<dyn Write + Send>) -> Result<Self, StandInError> {
        let refused = |error| StandInError::Listen {
            address: settings.listen,
            error,
        };
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .enable_all()
            .build()
            .map_err(StandInError::Start)?;
        let listener = std::net::TcpListener::bind(settings.listen).map_err(refused)?;
        listener.set_nonblocking(true).map_err(refused)?;
        let address = listener.local_addr().map_err(refused)?;
        let live = Live::new(settings);
        let journal = Journal::begin(log).map_err(StandInError::Start)?;
        for line in live.loaded() {
            journal.line(line);
        }
        Ok(Self {
            runtime,
            listener,
            address,
            shared: Shared {
                live: Mutex::new(live),
                pace: settings.pace,
                began: Instant::now(),
                open: AtomicUsize::new(0),
            },
            journal,
        })
    }

    /// Where it listens.
    #[must_use]
    pub const fn address(&self) -> SocketAddr {
        self.address
    }

    /// Answers until it is stopped; requests under way then have two seconds to end.
    ///
    /// # Errors
    /// When the server cannot start, or lines of the log could not be written.
    pub fn serve(self, stop: Stop) -> Result<Summary, StandInError> {
        let Self {
            runtime,
            listener,
            shared,
            journal,
            ..
        } = self;
        let server = Arc::new(Server { shared, journal });
        let serving = server.clone();
        runtime.block_on(async move {
            let listener = TcpListener::from_std(listener).map_err(StandInError::Start)?;
            let stopped = stopped(stop).map_err(StandInError::Start)?;
            serving.accept_until(listener, stopped).await;
            Ok(())
        })?;
        runtime.shutdown_timeout(Duration::ZERO);
        let summary = Summary {
            done: server.shared.live().done(),
            lasted: server.shared.began.elapsed(),
        };
        // No connection is left to hold it.
        if let Some(server) = Arc::into_inner(server) {
            server.journal.end().map_err(StandInError::Log)?;
        }
        Ok(summary)
    }
}

fn stopped(stop: Stop) -> io::Result<impl Future<Output = ()>> {
    let mut signals = match &stop {
        Stop::Signal => Some((
            signal(SignalKind::interrupt())?,
            signal(SignalKind::terminate())?,
        )),
        Stop::Told(_) => None,
    };
    Ok(async move {
        match (stop, &mut signals) {
            (Stop::Told(told), _) => {
                let _ = told.await;
            }
            (Stop::Signal, Some((interrupt, terminate))) => {
                let interrupted = interrupt.recv();
                let terminated = terminate.recv();
                either(interrupted, terminated).await;
            }
            (Stop::Signal, None) => {}
        }
    })
}

/// Waits until one of the two is done.
async fn either<A, B>(a: impl Future<Output = A>, b: impl Future<Output = B>) {
    let (mut a, mut b) = (core::pin::pin!(a), core::pin::pin!(b));
    core::future::poll_fn(|context| {
        if a.as_mut().poll(context).is_ready() || b.as_mut().poll(context).is_ready() {
            core::task::Poll::Ready(())
        } else {
            core::task::Poll::Pending
        }
    })
    .await;
}

impl Shared {
    fn live(&self) -> MutexGuard<'_, Live> {
        // Nothing in it is left half done by a panic that a request could not cause anyway.
        self.live.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[derive(Debug)]
struct Server {
    shared: Shared,
    journal: Journal,
}

impl Server {
    async fn accept_until(self: Arc<Self>, listener: TcpListener, stop: impl Future<Output = ()>) {
        let (end, ended) = watch::channel(false);
        let mut connections = JoinSet::new();
        let accepting = async {
            let places = Arc::new(Semaphore::new(CONNECTIONS));
            loop {
                let Ok(place) = places.clone().acquire_owned().await else {
                    return;
                };
                match listener.accept().await {
                    Ok((socket, peer)) => {
                        let (server, ended) = (self.clone(), ended.clone());
                        connections.spawn(async move {
                            server.connection(socket, peer, ended).await;
                            drop(place);
                        });
                        while connections.try_join_next().is_some() {}
                    }
                    // Out of file handles, or a connection that was gone before it was taken: others go on.
                    Err(_) => sleep(Duration::from_millis(5)).await,
                }
            }
        };
        either(accepting, stop).await;
        drop(listener);
        let _ = end.send(true);
        let all = async { while connections.join_next().await.is_some() {} };
        let _ = timeout(LAST_REQUESTS, all).await;
        connections.shutdown().await;
    }

    /// A connection, from the DAG to its end.
    async fn connection(
        self: &Arc<Self>,
        socket: TcpStream,
        peer: SocketAddr,
        mut ended: watch::Receiver<bool>,
    ) {
        // Answers are small and leave at once; a system that cannot is none the worse.
        let _ = socket.set_nodelay(true);
        self.shared.open.fetch_add(1, Ordering::Relaxed);
        let connection = self.shared.live().connect(peer);
        let service = service_fn(|request| {
            let server = self.clone();
            async move { Ok::<_, Infallible>(server.respond(connection, request).await) }
        });
        let serving = http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(HEAD_TIME)
            .max_buf_size(HEAD_BYTES)
            .half_close(true)
            .serve_connection(TokioIo::new(socket), service);
        let mut serving = core::pin::pin!(serving);
        // A client that misbehaves or goes away is its own affair.
        let whole = async {
            either(serving.as_mut(), ended.wait_for(|ended| *ended)).await;
            if *ended.borrow() {
                serving.as_mut().graceful_shutdown();
                let _ = serving.await;
            }
        };
        let _ = timeout(CONNECTION_TIME, whole).await;
        self.shared.open.fetch_sub(1, Ordering::Relaxed);
    }

    async fn respond(
        &self,
        connection: Connection,
        request: hyper::Request<Incoming>,
    ) -> Response<Full<Bytes>> {
        match self.answer(connection, request).await {
            Ok(text) => response(StatusCode::OK, text),
            Err(refusal) => response(
                StatusCode::from_u16(refusal.status()).unwrap_or(StatusCode::BAD_REQUEST),
                refusal.to_string(),
            ),
        }
    }

    async fn answer(
        &self,
        connection: Connection,
        request: hyper::Request<Incoming>,
    ) -> Result<String, Refusal> {
        let (head, body) = request.into_parts();
        let length = head
            .headers
            .get(CONTENT_LENGTH)
            .and_then(|length| length.to_str().ok()?.parse().ok());
        let uri = &head.uri;
        let understood = request::understand(head.method.as_str(), uri.path(), uri.query(), length);
        let understood = match understood {
            Ok(understood) => understood,
            Err(refusal) => {
                let _ = timeout(BODY_TIME, discard(body)).await;
                return Err(refusal);
            }
        };
        let keys = if let Request::BulkLoad { length } = understood {
            let whole = timeout(BODY_TIME, collect(body, length)).await;
            let whole = whole.ok().flatten().ok_or(Refusal::BodyMissing)?;
            request::keys(&whole).collect()
        } else {
            Vec::new()
        };
        let arrived = self.shared.began.elapsed();
        let answer = {
            let open = self.shared.open.load(Ordering::Relaxed);
            let real = u64::try_from(arrived.as_nanos()).unwrap_or(u64::MAX);
            self.shared
                .live()
                .answer(&connection, &understood, &keys, (real, open))
        };
        for line in answer.lines {
            self.journal.line(line);
        }
        if self.shared.pace == Pace::Real {
            let due = arrived + Duration::from_nanos(answer.takes);
            let left = due.saturating_sub(self.shared.began.elapsed());
            let wait = left.saturating_sub(HALF_A_TICK);
            if !wait.is_zero() {
                sleep(wait).await;
            }
        }
        answer.result
    }
}

fn response(status: StatusCode, text: String) -> Response<Full<Bytes>> {
    let mut response = Response::new(Full::new(Bytes::from(text + "\n")));
    *response.status_mut() = status;
    response
        .headers_mut()
        .insert(CONTENT_TYPE, HeaderValue::from_static("text/plain"));
    response
}

/// The whole body, if it is as long as it says; the server's library ends it there.
async fn collect(mut body: Incoming, length: u64) -> Option<Vec<u8>> {
    let mut whole = Vec::new();
    while let Some(frame) = body.frame().await {
        if let Ok(data) = frame.ok()?.into_data() {
            whole.extend_from_slice(&data);
        }
    }
    (whole.len() as u64 == length).then_some(whole)
}

/// Reads a body that nobody wants, up to a limit.
async fn discard(mut body: Incoming) {
    let mut read = 0;
    while read < UNWANTED_BYTES && !body.is_end_stream() {
        match body.frame().await {
            Some(Ok(frame)) => read += frame.data_ref().map_or(0, |data| data.len() as u64),
            _ => return,
        }
    }
}
