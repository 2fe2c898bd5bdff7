//! What this program is: version, commit, protocol and file formats.

use hasami_proto::PROTOCOL;

/// `0.1.0`, and the commit where it is known.
pub fn short() -> String {
    match option_env!("HASAMI_COMMIT") {
        Some(commit) => format!("{} ({commit})", env!("CARGO_PKG_VERSION")),
        None => env!("CARGO_PKG_VERSION").to_string(),
    }
}

/// The same with everything that has to fit together.
pub fn long() -> String {
    format!(
        "{}\nprotocol {PROTOCOL}\nformats: certificate {}, store {}, journal {}, database {}",
        short(),
        hasami_andor::certificate::VERSION,
        hasami_store::FORMAT,
        hasami_coordinator::journal::FORMAT.trim_start_matches("hasami-journal "),
        hasami_database::VERSION,
    )
}
