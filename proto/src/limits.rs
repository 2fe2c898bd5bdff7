//! Every limit on what comes over a network, in one place. `docs/operations.md` lists them, and a
//! test compares the two.

/// A limit, as the manual shows it.
#[derive(Clone, Copy, Debug)]
pub struct Limit {
    /// The constant.
    pub name: &'static str,
    /// Its value.
    pub value: u64,
    /// What is counted.
    pub unit: &'static str,
    /// What it limits.
    pub what: &'static str,
}

macro_rules! limits {
    ($($name:ident: $type:ty = $value:expr, $unit:literal, $what:literal;)*) => {
        $(#[doc = $what] pub const $name: $type = $value;)*

        /// All of them, in the order of the manual.
        pub const ALL: &[Limit] = &[
            $(Limit { name: stringify!($name), value: $name as u64, unit: $unit, what: $what }),*
        ];
    };
}

limits! {
    MESSAGE: usize = 16 << 20, "bytes", "one message; certificates and bulk loads go in pieces";
    PIECE: usize = 1 << 20, "bytes", "one piece of a certificate";
    SWEEP: usize = 4 << 20, "bytes", "the text of a sweep";
    NAME: usize = 255, "bytes", "a name: of a worker, host, version, label, parameter, column or certificate";
    TEXT: usize = 4 << 20, "bytes", "a claim, or the value of a parameter, label or column";
    ANSWER: usize = 8 << 20, "bytes", "a whole answer";
    FAILURE: usize = 4096, "bytes", "the message of a failure; what is longer is cut";
    ERROR: usize = 1024, "bytes", "an error text sent back; what is longer is cut";
    QUOTED: usize = 200, "bytes", "what an error text quotes of the input";
    LIST: usize = 1024, "entries", "parameters of a question; columns or certificates of an answer";
    LABELS: usize = 64, "entries", "labels of a worker";
    THREADS: u32 = 65_536, "threads", "what a worker may say it has";
    MEMORY_MIB: u64 = 1 << 32, "MiB", "what a worker may say it has";
    UNITS: u32 = 4096, "units", "asked for in one call";
    OUTCOMES: usize = 4096, "outcomes", "handed in in one call";
    LEASES: usize = 65_536, "leases", "named by one registration or heartbeat";
    CHILDREN: usize = 65_536, "entries", "children in a search report, or states of a path";
    STATE: usize = 65_536, "bytes", "one state of a game";
    PARTS: usize = 65_536, "entries", "parts of an enumeration that are left over";
    FOUND: usize = 1 << 20, "entries", "patterns found by one part of an enumeration";
    PART: usize = 4096, "bytes", "the spelling of one part or pattern";
    SECONDS: u64 = 10_000_000_000, "seconds", "a time that a worker reports";
    FIELDS: usize = 1 << 20, "fields", "fields of a worker's message, counted before it is unpacked";
    RECORDS: usize = 1 << 16, "records", "records or keys in one request to the store";
    NOTES: usize = 1024, "notes", "notes, or keys of notes, in one request";
    NOTE: usize = 8192, "bytes", "one note";
    TOKENS: usize = 4096, "tokens", "tokens of a coordinator";
    TOKEN_NAME: usize = 64, "bytes", "the name of a token";
    CHECKPOINT: usize = 1024, "bytes", "the path of a checkpoint";
    HEADERS: u32 = 16 << 10, "bytes", "headers of one call";
    STREAMS: u32 = 256, "calls", "running calls of one connection";
    RESETS: usize = 20, "calls", "calls of one connection that were given up before they were looked at";
    GUESTS: usize = 256, "connections", "connections without a token; the oldest is closed for a new one";
    GUESTS_OF_ADDRESS: usize = 64, "connections", "those from one address (IPv6: one /64 network)";
    GUEST_SECONDS: u64 = 10, "seconds", "until a connection must have made a call with a token";
    HANDSHAKE_SECONDS: u64 = 5, "seconds", "for the TLS handshake";
    REFUSALS: u32 = 64, "calls", "refused calls of one connection; then it is closed";
    UNREAD_SECONDS: u64 = 60, "seconds", "until a connection is closed whose reply is not read";
    UPLOAD_SECONDS: u64 = 30, "seconds", "until a call ends whose request does not go on";
    CALLER_CALLS: usize = 2048, "calls", "running calls of one token";
    CALLER_STREAMS: usize = 64, "calls", "of these, replies in many messages";
    CALLER_UPLOADS: usize = 32, "calls", "of these, certificates being sent";
    CALLER_LOADS: usize = 8, "calls", "of these, bulk loads from the store";
    CALLER_MIB: usize = 256, "MiB", "messages of one token that are being received or worked on";
    ALL_CALLS: usize = 16_384, "calls", "running calls of all tokens";
    ALL_STREAMS: usize = 512, "calls", "of these, replies in many messages";
    ALL_UPLOADS: usize = 128, "calls", "of these, certificates being sent";
    ALL_LOADS: usize = 32, "calls", "of these, bulk loads from the store";
    ALL_MIB: usize = 1024, "MiB", "messages of all tokens that are being received or worked on";
    WAIT_SECONDS: u64 = 10, "seconds", "that an upload or a load waits for its turn before it is refused";
    RETRY_MS: u64 = 1000, "milliseconds", "after which a caller beyond its share is asked to try again";
    LOG_LINES: u32 = 200, "lines", "log lines about one caller in ten seconds; others are counted";
}

#[cfg(test)]
mod tests {
    use std::path::{Path, PathBuf};

    use super::*;

    fn root() -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
    }

    /// 16777216 as `16,777,216`.
    fn grouped(number: u64) -> String {
        let digits = number.to_string();
        let groups: Vec<&str> = digits
            .as_bytes()
            .rchunks(3)
            .rev()
            .map(|group| std::str::from_utf8(group).unwrap())
            .collect();
        groups.join(",")
    }

    #[test]
    fn the_manual_has_every_limit_with_its_number() {
        let manual = std::fs::read_to_string(root().join("docs/operations.md")).unwrap();
        let rows: Vec<String> = ALL
            .iter()
            .map(|l| format!("| `{}` | {} {} | {} |", l.name, grouped(l.value), l.unit, l.what))
            .collect();
        let found: Vec<&str> = manual
            .lines()
            .skip_while(|line| !line.starts_with("| limit | number |"))
            .skip(2)
            .take_while(|line| line.starts_with('|'))
            .collect();
        assert_eq!(found, rows, "expected:\n{}", rows.join("\n"));
    }

    #[test]
    fn every_limit_is_used() {
        let mut text = String::new();
        let mut folders = ["proto/src", "coordinator/src"].map(|name| root().join(name)).to_vec();
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    folders.push(path);
                // Fixtures are no text.
                } else if !path.ends_with("limits.rs") || path.ends_with("server/limits.rs") {
                    text.push_str(&std::fs::read_to_string(path).unwrap_or_default());
                }
            }
        }
        for limit in ALL {
            let name = format!("limits::{}", limit.name);
            let used = text.match_indices(&name).any(|(at, _)| {
                let next = text[at + name.len()..].chars().next();
                !next.is_some_and(|sign| sign == '_' || sign.is_ascii_alphanumeric())
            });
            assert!(used, "{} is used nowhere", limit.name);
        }
    }
}
