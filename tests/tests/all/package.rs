//! The Debian package in a clean system: installed, used, upgraded, removed and purged.
//!
//! The system is made by `debootstrap` once and kept outside of the checkout, in
//! `~/.cache/hasami/debian-12`; each test has a copy.

use std::collections::BTreeMap;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

fn top() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the directory above").to_owned()
}

fn binary() -> PathBuf {
    hasami_tests::binary()
}

/// Runs a command; what it prints, or all it says as an error.
pub fn run(command: &mut Command) -> Result<String, String> {
    let output = command.output().map_err(|error| format!("{command:?}: {error}"))?;
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    match output.status.success() {
        true => Ok(text(&output.stdout)),
        false => Err(format!(
            "{command:?}: {}\n{}{}",
            output.status,
            text(&output.stdout),
            text(&output.stderr)
        )),
    }
}

/// Makes the package, without compression; `version`: another one than that of the commit.
pub fn package(out: &Path, version: Option<&str>) -> PathBuf {
    let mut command = Command::new("sh");
    command.arg(top().join("deploy/package/build.sh")).arg(binary()).arg(out);
    command.env("HASAMI_PACKAGE_COMPRESSION", "none").env_remove("SOURCE_DATE_EPOCH");
    version.iter().for_each(|version| {
        command.env("HASAMI_PACKAGE_VERSION", version);
    });
    run(&mut command).expect("a package");
    let entries = std::fs::read_dir(out).expect("a directory");
    let mut files = entries.map(|entry| entry.expect("an entry").path());
    files.find(|file| file.extension().is_some_and(|end| end == "deb")).expect("a .deb")
}

/// A clean Debian 12, in a directory of its own.
pub struct Clean {
    directory: TempDir,
}

impl Clean {
    pub fn new() -> Result<Self, String> {
        if run(Command::new("id").arg("-u"))?.trim() != "0" {
            return Err("only root can enter another root".to_string());
        }
        let home = std::env::var_os("HOME").ok_or("no HOME")?;
        let cache = PathBuf::from(home).join(".cache/hasami");
        let kept = cache.join("debian-12");
        if !kept.exists() {
            std::fs::create_dir_all(&cache).map_err(|error| error.to_string())?;
            // Under another name until it is whole.
            let part = cache.join(format!("debian-12.{}", std::process::id()));
            let words = ["--variant=minbase", "bookworm"];
            let made = run(Command::new("debootstrap").args(words).arg(&part));
            if let Err(why) = made {
                let _ = std::fs::remove_dir_all(&part);
                return Err(why);
            }
            std::fs::rename(&part, &kept).map_err(|error| error.to_string())?;
        }
        let directory = tempfile::tempdir().map_err(|error| error.to_string())?;
        let mut copy = Command::new("cp");
        copy.args(["-a", "--reflink=auto"]).arg(kept.join(".")).arg(directory.path());
        run(&mut copy)?;
        Ok(Self { directory })
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name.trim_start_matches('/'))
    }

    /// Runs a line of a shell there.
    pub fn shell(&self, line: &str) -> Result<String, String> {
        let mut command = Command::new("chroot");
        command.arg(self.directory.path()).args(["sh", "-ec", line]).env_clear();
        command.env("PATH", "/usr/sbin:/usr/bin:/sbin:/bin").env("HOME", "/root");
        command.env("DEBIAN_FRONTEND", "noninteractive");
        run(&mut command)
    }

    #[track_caller]
    pub fn does(&self, line: &str) -> String {
        self.shell(line).unwrap_or_else(|why| panic!("{why}"))
    }

    pub fn bring(&self, package: &Path) {
        std::fs::copy(package, self.path("/root/hasami.deb")).expect("a copy");
    }

    /// All files with owner, mode and contents, without what dpkg itself writes down.
    fn files(&self) -> BTreeMap<PathBuf, String> {
        let mut found = BTreeMap::new();
        let mut left = vec![self.directory.path().to_owned()];
        while let Some(directory) = left.pop() {
            for entry in std::fs::read_dir(&directory).expect("a directory") {
                let path = entry.expect("an entry").path();
                let name = path.strip_prefix(self.directory.path()).expect("below").to_owned();
                let of_dpkg =
                    ["var/lib/dpkg", "var/log", "var/cache", "root", "tmp", "dev", "proc"];
                // Copies of the list of users, from before its last change.
                let backup = name.to_string_lossy().ends_with('-');
                if of_dpkg.iter().any(|own| name.starts_with(own)) || backup {
                    continue;
                }
                let about = path.symlink_metadata().expect("a file");
                let text = if about.is_file() {
                    let bytes = std::fs::read(&path).expect("a file");
                    format!("{:?}", blake3::hash(&bytes))
                } else {
                    String::new()
                };
                let mode = about.permissions().mode();
                found.insert(name, format!("{}:{} {mode:o} {text}", about.uid(), about.gid()));
                if about.is_dir() {
                    left.push(path);
                }
            }
        }
        found
    }
}

#[test]
fn it_is_installed_used_upgraded_removed_and_purged_without_a_trace() {
    let clean = match Clean::new() {
        Ok(clean) => clean,
        Err(why) => return println!("skipped: no clean Debian here: {why}"),
    };
    let (one, two) = (tempfile::tempdir().expect("a directory"), tempfile::tempdir().expect("one"));
    let first = package(&one.path().join("out"), None);
    let before = clean.files();

    clean.bring(&first);
    clean.does("dpkg --install /root/hasami.deb");
    // From the archive of nobody: nothing else has to be installed.
    let answer = clean.does("cd /root && hasami solve polyomino Square W --output quiet");
    assert_eq!(answer.trim(), "proven");
    clean.does("cd /root && hasami verify hasami-data/certificates/*");
    let version = clean.does("hasami --version");
    assert!(version.contains("protocol ") && version.contains("journal "), "{version}");
    let listed = clean.does("dpkg --listfiles hasami");
    for file in [
        "/usr/bin/hasami",
        "/usr/lib/systemd/system/hasami-coordinator.service",
        "/usr/lib/systemd/system/hasami-worker@.service",
        "/usr/share/man/man1/hasami-deploy-ssh-start.1.gz",
        "/usr/share/bash-completion/completions/hasami",
        "/usr/share/zsh/vendor-completions/_hasami",
        "/usr/share/fish/vendor_completions.d/hasami.fish",
        "/usr/share/doc/hasami/copyright",
        "/usr/share/doc/hasami/examples/rows.toml",
        "/etc/hasami/coordinator.toml",
    ] {
        assert!(listed.lines().any(|line| line == file), "{file} in {listed}");
    }
    let user = clean.does("getent passwd hasami");
    assert!(user.trim().ends_with(":/var/lib/hasami:/usr/sbin/nologin"), "{user}");
    // Its settings are right as they come.
    for part in ["coordinator", "worker"] {
        clean.does(&format!("hasami --check-usage {part} --config /etc/hasami/{part}.toml"));
    }

    // An administrator's settings outlive an upgrade, which leaves data alone.
    std::fs::write(clean.path("/etc/hasami/worker.toml"), "[worker]\nthreads = 3\n")
        .expect("written");
    clean.does("install -d -o hasami -m 0700 /var/lib/hasami && echo x > /var/lib/hasami/kept");
    let second = package(&two.path().join("out"), Some("99.0"));
    clean.bring(&second);
    clean.does("dpkg --force-confold --install /root/hasami.deb");
    assert_eq!(clean.does("dpkg-query --show --showformat='${Version}' hasami"), "99.0");
    let kept = std::fs::read_to_string(clean.path("/etc/hasami/worker.toml")).expect("a file");
    assert!(kept.contains("threads = 3"), "{kept}");

    clean.does("dpkg --remove hasami");
    assert!(clean.shell("hasami --version").is_err());
    assert!(
        clean.path("/etc/hasami/worker.toml").exists()
            && clean.path("/var/lib/hasami/kept").exists()
    );
    clean.does("dpkg --purge hasami");
    let after = clean.files();
    let differ = |a: &BTreeMap<PathBuf, String>, b: &BTreeMap<PathBuf, String>| -> Vec<PathBuf> {
        let other = a.iter().filter(|(name, about)| b.get(*name) != Some(about));
        other.map(|(name, _)| name.clone()).collect()
    };
    assert_eq!(differ(&after, &before), [""; 0].map(PathBuf::from), "left behind or changed");
    assert_eq!(differ(&before, &after), [""; 0].map(PathBuf::from), "missing");
}

#[test]
fn the_same_commit_gives_the_same_package() {
    if run(Command::new("dpkg-deb").arg("--version")).is_err() {
        return println!("skipped: no dpkg-deb here");
    }
    let directories = [tempfile::tempdir().expect("one"), tempfile::tempdir().expect("two")];
    let packages = directories.each_ref().map(|directory| {
        let file = package(&directory.path().join("out"), None);
        (
            file.file_name().map(ToOwned::to_owned),
            blake3::hash(&std::fs::read(file).expect("a file")),
        )
    });
    assert_eq!(packages[0], packages[1]);
}

#[test]
fn a_binary_that_needs_more_of_a_system_is_refused() {
    let needs =
        |directory: &Path| run(Command::new("sh").arg(directory.join("needs.sh")).arg(binary()));
    let own = top().join("deploy/package");
    let told = needs(&own).expect("within the limits");
    assert!(told.contains("library libc.so.6\n") && told.contains("GLIBC 2."), "{told}");
    assert!(!told.contains("stdc++"), "{told}");
    let strict = tempfile::tempdir().expect("a directory");
    std::fs::copy(own.join("needs.sh"), strict.path().join("needs.sh")).expect("a copy");
    std::fs::write(strict.path().join("needs.txt"), "library libm.so.6\nGLIBC 2.17\n")
        .expect("written");
    let refused = needs(strict.path()).expect_err("beyond the limits");
    assert!(refused.contains("needs libc.so.6") && refused.contains("allows 2.17"), "{refused}");
}
