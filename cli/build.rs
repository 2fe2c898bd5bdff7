//! Tells the program which commit it is built from, and links the runtime libraries of the C++
//! compiler into it where they can be had. Without git or those libraries it is built all the same.

use std::path::{Path, PathBuf};
use std::process::Command;

fn git(words: &[&str]) -> Option<String> {
    said(Command::new("git").args(words))
}

/// What a program prints, if it succeeds and prints anything.
fn said(command: &mut Command) -> Option<String> {
    let output = command.output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?.trim().to_string();
    (output.status.success() && !text.is_empty()).then_some(text)
}

/// RocksDB brings libstdc++, and unwinding brings libgcc_s. A linker searches one directory after the
/// other and takes a static library if there is no shared one beside it. So a directory that has
/// only the static ones, named first, makes a program that needs nothing but the C library.
fn link_statically() -> Option<()> {
    let target = std::env::var("TARGET").ok()?;
    let native = std::env::var("HOST").is_ok_and(|host| host == target);
    if !native || !target.ends_with("-linux-gnu") {
        return None;
    }
    let find = |name: &str| {
        let found = said(Command::new("cc").arg(format!("-print-file-name={name}")))?;
        let found = PathBuf::from(found);
        found.is_absolute().then_some(found)
    };
    let (stdcxx, unwind) = (find("libstdc++.a")?, find("libgcc_eh.a")?);
    let directory = PathBuf::from(std::env::var_os("OUT_DIR")?).join("static");
    std::fs::create_dir_all(&directory).ok()?;
    for (from, name) in [(stdcxx, "libstdc++.a"), (unwind, "libgcc_s.a")] {
        let link = directory.join(name);
        // It may be there from an earlier build, with another compiler.
        let _ = std::fs::remove_file(&link);
        std::os::unix::fs::symlink(from, link).ok()?;
    }
    println!("cargo:rustc-link-arg-bins=-L{}", directory.display());
    println!("cargo:rustc-link-arg-bins=-static-libgcc");
    Some(())
}

fn main() {
    println!("cargo:rerun-if-env-changed=HASAMI_COMMIT");
    // A commit moves HEAD or the branch that it names. Both are files in most repositories.
    for name in ["HEAD", "logs/HEAD"] {
        if let Some(path) = git(&["rev-parse", "--git-path", name])
            && Path::new(&path).exists()
        {
            println!("cargo:rerun-if-changed={path}");
        }
    }
    // A package may say what it is made from.
    let given = std::env::var("HASAMI_COMMIT").ok().filter(|commit| !commit.is_empty());
    if let Some(commit) = given.or_else(|| git(&["rev-parse", "--short=12", "HEAD"])) {
        println!("cargo:rustc-env=HASAMI_COMMIT={commit}");
    }
    // Where it cannot be done the shared libraries of the system are used.
    let _ = link_statically();
}
