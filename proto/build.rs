//! Generates the Rust side of the protocol and of the journal's records. protox reads the files, so
//! no protoc is needed.

use std::error::Error;
use std::path::PathBuf;

use prost::Message;

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=hasami");
    let public = ["access", "common", "work", "runs", "positions"]
        .map(|name| format!("hasami/v1/{name}.proto"));
    // Reflection shows the public package only.
    let shown = protox::compile(&public, ["."])?;
    let out = PathBuf::from(std::env::var("OUT_DIR")?);
    std::fs::write(out.join("hasami.bin"), shown.encode_to_vec())?;
    let journal = "hasami/journal/v1/journal.proto".to_string();
    let all = protox::compile(public.into_iter().chain([journal]), ["."])?;
    tonic_prost_build::configure().codec_path("crate::codec::Codec").compile_fds(all)?;
    Ok(())
}
