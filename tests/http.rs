//! A small HTTP client over a plain socket, that sends exactly what it is told to.

use std::io::{Read, Write};
use std::net::TcpStream;

/// What a server has answered.
#[derive(Clone, Debug)]
pub struct Reply {
    /// The status; 0 if the connection ended without one.
    pub code: u16,
    /// The head, with names in small letters.
    pub head: String,
    /// The body.
    pub body: Vec<u8>,
}

impl Reply {
    /// The body as text.
    #[must_use]
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    /// The value of a header.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        self.head.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "))
    }

    fn read(mut stream: TcpStream) -> Self {
        let (mut bytes, mut piece) = (Vec::new(), [0; 16 << 10]);
        // A connection that is reset has said what it had to say.
        while let Ok(count @ 1..) = stream.read(&mut piece) {
            bytes.extend(&piece[..count]);
            if is_whole(&bytes) {
                break;
            }
        }
        let end = bytes.windows(4).position(|four| four == b"\r\n\r\n").unwrap_or(bytes.len());
        let head = String::from_utf8_lossy(&bytes[..end]).into_owned();
        let code = head.split(' ').nth(1).and_then(|code| code.parse().ok()).unwrap_or(0);
        let small = |line: &str| match line.split_once(':') {
            Some((name, value)) => format!("{}: {}", name.to_lowercase(), value.trim()),
            None => line.to_string(),
        };
        let head: Vec<String> = head.lines().map(small).collect();
        let mut body = bytes.get(end + 4..).unwrap_or_default().to_vec();
        let head = head.join("\n");
        if head.contains("transfer-encoding: chunked") {
            body = unchunked(&body);
        }
        Self { code, head, body }
    }
}

/// Whether a reply that says its length is there. Not every server closes its connections.
fn is_whole(bytes: &[u8]) -> bool {
    let Some(end) = bytes.windows(4).position(|four| four == b"\r\n\r\n") else { return false };
    let head = String::from_utf8_lossy(&bytes[..end]).to_lowercase();
    let length = head.lines().find_map(|line| line.strip_prefix("content-length:"));
    let length = length.and_then(|length| length.trim().parse::<usize>().ok());
    length.is_some_and(|length| bytes.len() >= end + 4 + length)
}

fn unchunked(mut bytes: &[u8]) -> Vec<u8> {
    let mut whole = Vec::new();
    while let Some(end) = bytes.windows(2).position(|two| two == b"\r\n") {
        let size = String::from_utf8_lossy(&bytes[..end]);
        let size = usize::from_str_radix(size.trim(), 16).expect("the size of a chunk");
        if size == 0 {
            break;
        }
        whole.extend(&bytes[end + 2..end + 2 + size]);
        bytes = &bytes[end + 4 + size..];
    }
    whole
}

/// A browser or program that visits a page.
#[derive(Clone, Debug)]
pub struct Visitor {
    /// Host and port.
    pub host: String,
    /// Lines that are sent with every request.
    pub headers: Vec<String>,
}

impl Visitor {
    /// Of the server at this address, as a coordinator names it.
    #[must_use]
    pub fn of(url: &str) -> Self {
        let host = url.trim_start_matches("http://").trim_end_matches('/').to_string();
        Self { host, headers: Vec::new() }
    }

    /// The same with one more header.
    #[must_use]
    pub fn with(&self, header: &str) -> Self {
        let mut other = self.clone();
        other.headers.push(header.to_string());
        other
    }

    /// A connection.
    ///
    /// # Panics
    /// If there is no server.
    #[must_use]
    pub fn connect(&self) -> TcpStream {
        TcpStream::connect(&self.host).expect("a server")
    }

    /// Sends bytes as they are and reads all that comes back.
    #[must_use]
    pub fn raw(&self, bytes: &[u8]) -> Reply {
        let mut stream = self.connect();
        // It may be refused before all is sent.
        let _ = stream.write_all(bytes);
        Reply::read(stream)
    }

    /// `GET` a path.
    #[must_use]
    pub fn get(&self, path: &str) -> Reply {
        self.raw(format!("GET {path} HTTP/1.1\r\n{}\r\n", self.head()).as_bytes())
    }

    /// `POST` a form.
    #[must_use]
    pub fn post(&self, path: &str, form: &[(&str, &str)]) -> Reply {
        let pairs = form.iter().map(|(name, value)| format!("{name}={}", encoded(value)));
        let body = pairs.collect::<Vec<_>>().join("&");
        self.send("POST", path, "application/x-www-form-urlencoded", &body)
    }

    /// A request with a body.
    #[must_use]
    pub fn send(&self, method: &str, path: &str, kind: &str, body: &str) -> Reply {
        let (head, length) = (self.head(), body.len());
        self.raw(
            format!(
                "{method} {path} HTTP/1.1\r\n{head}content-type: {kind}\r\n\
                 content-length: {length}\r\n\r\n{body}"
            )
            .as_bytes(),
        )
    }

    fn head(&self) -> String {
        let host = if self.headers.iter().any(|line| line.starts_with("host:")) {
            String::new()
        } else {
            format!("host: {}\r\n", self.host)
        };
        let lines: String = self.headers.iter().map(|line| format!("{line}\r\n")).collect();
        format!("{host}{lines}connection: close\r\n")
    }
}

fn encoded(value: &str) -> String {
    value
        .bytes()
        .map(|byte| match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' => char::from(byte).to_string(),
            _ => format!("%{byte:02X}"),
        })
        .collect()
}
