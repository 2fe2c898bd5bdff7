//! What other programs read of `deploy/`: systemd units, Kubernetes manifests, container recipes.
//! Each is checked by the program it is for, or by its schema; command lines in it by ours.

use std::path::{Path, PathBuf};
use std::process::Command;

use hasami_tests::Hasami;
use serde_json::Value;

fn deploy() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the directory above").join("deploy")
}

/// Runs a program; `None` if it is not there.
fn run(program: &str, words: &[&str]) -> Option<(bool, String)> {
    let output = Command::new(program).args(words).output().ok()?;
    let text = [output.stdout, output.stderr].concat();
    Some((output.status.success(), String::from_utf8_lossy(&text).into_owned()))
}

/// The usage of a command line is right.
#[track_caller]
fn usage(hasami: &Hasami, words: &[String]) {
    let (program, words) = words.split_first().expect("a command");
    assert!(program.ends_with("hasami"), "{program} {words:?}");
    hasami.run_words("--check-usage", words).expect(0);
}

#[test]
fn units_are_sandboxed_and_call_the_program_rightly() {
    let units = ["hasami-coordinator.service", "hasami-worker@.service"];
    let hasami = Hasami::new();
    for unit in units {
        let file = deploy().join("systemd").join(unit);
        let text = std::fs::read_to_string(&file).expect("a unit");
        let start =
            text.lines().find_map(|line| line.strip_prefix("ExecStart=")).expect("a command");
        // The settings are those of the package.
        let start = start.replace("/etc/hasami", &deploy().join("etc").to_string_lossy());
        let words: Vec<String> = start.split(' ').map(String::from).collect();
        let (config, value) = ("--config", words.iter().position(|word| word == "--config"));
        assert!(value.is_some(), "{config} in {start}");
        usage(&hasami, &words);
        let file = file.display().to_string();
        let Some((sound, told)) = run(
            "systemd-analyze",
            &["security", "--offline=yes", "--threshold=30", "--no-pager", &file],
        ) else {
            println!("skipped: no systemd-analyze (package systemd)");
            continue;
        };
        assert!(sound, "exposed by more than 3.0: {told}");
        // Unknown keys are only warned about.
        let (_, told) = run("systemd-analyze", &["verify", "--man=no", &file]).expect("the same");
        let wrong: Vec<&str> =
            told.lines().filter(|line| line.contains(&deploy().display().to_string())).collect();
        assert!(wrong.is_empty(), "{wrong:#?}");
    }
}

/// Every list of words under these keys in a manifest.
fn lists(value: &Value, key: &str, found: &mut Vec<Vec<String>>) {
    match value {
        Value::Array(values) => values.iter().for_each(|value| lists(value, key, found)),
        Value::Object(fields) => {
            for (name, value) in fields {
                if let (true, Some(words)) = (name == key, value.as_array()) {
                    let word = |word: &Value| word.as_str().expect("a word").to_string();
                    found.push(words.iter().map(word).collect());
                } else {
                    lists(value, key, found);
                }
            }
        }
        _ => {}
    }
}

/// `make test-kubernetes` installs it: the schemas of Kubernetes are large.
fn validator() -> Option<PathBuf> {
    let home = std::env::var_os("HOME")?;
    let place = PathBuf::from(home).join(".cache/hasami/kubernetes/bin");
    place.join("kubernetes-validate").exists().then_some(place)
}

#[test]
fn manifests_fit_the_schemas_of_kubernetes() {
    let Some(validator) = validator() else {
        return println!(
            "skipped: no kubernetes-validate here; `make test-kubernetes` installs it"
        );
    };
    let hasami = Hasami::new();
    for variant in ["base", "indexed-job"] {
        let from = deploy().join("kubernetes").join(variant).display().to_string();
        let Some((sound, text)) = run("kubectl", &["kustomize", &from]) else {
            return println!("skipped: no kubectl here");
        };
        assert!(sound, "{text}");
        hasami.write("all.yaml", &text);
        let file = hasami.path("all.yaml").display().to_string();
        let check = validator.join("kubernetes-validate").display().to_string();
        let (sound, told) = run(&check, &["--strict", &file]).expect("it was there");
        assert!(sound && told.contains("statefulset/coordinator"), "{told}");
        // A word that is not in the schema is found.
        hasami.write("wrong.yaml", text.replace("runAsNonRoot", "runAsNonroot"));
        let wrong = hasami.path("wrong.yaml").display().to_string();
        assert!(!run(&check, &["--strict", &wrong]).expect("it was there").0);
        let python = validator.join("python").display().to_string();
        let script = "import json, sys, yaml; \
                      print(json.dumps(list(yaml.safe_load_all(open(sys.argv[1])))))";
        let (_, json) = run(&python, &["-c", script, &file]).expect("it was there");
        let all: Value = serde_json::from_str(&json).expect("JSON");
        let (mut args, mut commands) = (Vec::new(), Vec::new());
        lists(&all, "args", &mut args);
        lists(&all, "command", &mut commands);
        assert!(args.len() == 2 && commands.len() == 4, "{args:?} {commands:?}");
        for words in args {
            usage(&hasami, &[vec!["hasami".to_string()], words].concat());
        }
        for words in commands.iter().filter(|words| words[0] == "hasami") {
            usage(&hasami, words);
        }
    }
}

#[test]
fn container_recipes_name_files_that_exist_and_users_without_rights() {
    let hasami = Hasami::new();
    let top = deploy().parent().expect("the directory above").to_owned();
    for name in ["Dockerfile", "Dockerfile.deb"] {
        let text =
            std::fs::read_to_string(deploy().join("container").join(name)).expect("a recipe");
        let text = text.replace("\\\n", " ");
        let users: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix("USER ")).collect();
        assert_eq!(users, ["7444:7444"], "{name}");
        let check = text.lines().find(|line| line.starts_with("HEALTHCHECK")).expect("a check");
        let words = check.split_once("CMD ").expect("a command").1;
        usage(&hasami, &serde_json::from_str::<Vec<String>>(words).expect("a list of words"));
        for line in
            text.lines().filter(|line| line.starts_with("COPY ") && !line.contains("--from"))
        {
            let words: Vec<&str> = line.split_whitespace().collect();
            for from in words[1..words.len() - 1].iter().filter(|from| !from.contains('*')) {
                assert!(top.join(from).exists(), "{name}: {from}");
            }
        }
    }
    // What the compose file runs.
    let compose = std::fs::read_to_string(deploy().join("container/compose.yaml")).expect("a file");
    let line = compose.lines().find_map(|line| line.trim().strip_prefix("command: [worker"));
    let words = line.and_then(|line| line.strip_suffix(']')).expect("a worker").replace(',', " ");
    let words: Vec<String> = words.split_whitespace().map(String::from).collect();
    usage(&hasami, &[vec!["hasami".to_string(), "worker".to_string()], words].concat());
}
