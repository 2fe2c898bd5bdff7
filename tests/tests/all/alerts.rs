//! The dashboard and the alert rules in deploy/: they use metrics that exist, and `promtool` accepts
//! them where it is installed.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

fn top() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn read(path: &str) -> String {
    std::fs::read_to_string(top().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The names of metrics in a text.
fn named(text: &str) -> BTreeSet<&str> {
    let word = |sign: char| !(sign.is_ascii_alphanumeric() || sign == '_');
    text.split(word).filter(|name| name.starts_with("hasami_")).collect()
}

#[test]
fn rules_and_dashboard_use_metrics_that_exist() {
    let manual = read("docs/metrics.md");
    let known = named(&manual);
    for file in ["deploy/alerts.yml", "deploy/alerts.test.yml", "deploy/grafana.json"] {
        let text = read(file);
        let used = named(&text);
        assert!(used.len() > 3, "{file} uses {used:?}");
        for name in used {
            let bare = name.trim_end_matches("_bucket");
            assert!(
                known.contains(bare),
                "{file} uses {name}, which docs/metrics.md does not have"
            );
        }
    }
    for line in read("deploy/alerts.yml").lines() {
        if let Some(name) = line.trim().strip_prefix("- alert: ") {
            assert!(manual.contains(&format!("| `{name}` |")), "the manual says nothing of {name}");
        }
    }
}

#[test]
fn the_dashboard_is_json_with_a_query_in_every_panel() {
    let board: serde_json::Value =
        serde_json::from_str(&read("deploy/grafana.json")).expect("JSON");
    let panels = board["panels"].as_array().expect("panels");
    assert!(panels.len() >= 10);
    for panel in panels {
        let targets = panel["targets"].as_array().expect("targets");
        let full =
            |target: &serde_json::Value| target["expr"].as_str().is_some_and(|e| e.len() > 5);
        assert!(!targets.is_empty() && targets.iter().all(full), "{}", panel["title"]);
    }
}

#[test]
fn promtool_accepts_the_rules_and_they_fire() {
    for words in [["check", "rules", "alerts.yml"], ["test", "rules", "alerts.test.yml"]] {
        let mut command = Command::new("promtool");
        match command.args(words).current_dir(top().join("deploy")).output() {
            Err(_) => return eprintln!("skipped: promtool is not installed (Debian: prometheus)"),
            Ok(done) => assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr)),
        }
    }
}
