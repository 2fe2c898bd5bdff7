//! Generates the Rust side of `hasami/v1/*.proto`. protox reads the files, so no protoc is needed.

use std::error::Error;
use std::path::PathBuf;

use prost::Message;

fn main() -> Result<(), Box<dyn Error>> {
    let files = ["common", "work", "runs", "positions", "journal"]
        .map(|name| format!("hasami/v1/{name}.proto"));
    println!("cargo::rerun-if-changed=hasami");
    let descriptors = protox::compile(&files, ["."])?;
    let out = PathBuf::from(std::env::var("OUT_DIR")?);
    std::fs::write(out.join("hasami.bin"), descriptors.encode_to_vec())?;
    tonic_prost_build::configure().compile_fds(descriptors)?;
    Ok(())
}
