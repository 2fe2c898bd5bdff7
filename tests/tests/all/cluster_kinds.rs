//! Kinds of sweeps on two workers: split searches with every partitioner, and enumerations.

use hasami_tests::Cluster;

/// Verdicts are known: the first player wins every bar but the single square (Gale 1974).
fn split(partitioner: &str) {
    let mut cluster = Cluster::new("--lease 10000ms --heartbeat 100ms");
    let sweep = format!(
        "name = 'bars'\nproblem = 'chomp'\nkind = 'search'\n[parameters]\nrows = '1..=4'\n\
         columns = [1, 4, 5]\n[search]\npartitioner = '{partitioner}'\n"
    );
    cluster.hasami.write("s.toml", sweep);
    cluster.worker();
    cluster.worker();
    let run = cluster.submit("s.toml");
    cluster.ask(&format!("runs wait {run}")).expect(0);
    let line = format!("runs export {run} --format csv --certificates certs -o r.csv");
    assert_eq!(cluster.json(&line)["certificates"], 12);
    for item in cluster.items(run) {
        let single = item["parameters"]["rows"] == "1" && item["parameters"]["columns"] == "1";
        let expected = if single { "disproven" } else { "proven" };
        assert_eq!(item["answer"]["verdict"], expected, "{item}");
        assert_eq!(item["kind"], "search");
        let files = item["answer"]["certificates"].as_array().expect("a list");
        assert_eq!(files.len(), 1, "{item}");
        let name = files[0]["file"].as_str().expect("a file");
        let verified = cluster.hasami.run(&format!("verify certs/{name} --output json")).expect(0);
        assert_eq!(verified.json()["verdict"], expected);
    }
}

#[test]
fn the_frontier_partitioner_settles_and_certifies() {
    split("frontier");
}

#[test]
fn the_aohpas_partitioner_settles_and_certifies() {
    split("aohpas");
}

#[test]
fn the_aohpas_or_partitioner_settles_and_certifies() {
    split("aohpas-or");
}

#[test]
fn the_dovetail_partitioner_settles_and_certifies() {
    split("dovetail");
}

#[test]
fn a_larger_search_is_shared_and_survives_its_worker_and_its_coordinator() {
    let mut cluster = Cluster::new("--lease 1500ms --heartbeat 100ms");
    cluster.hasami.write(
        "s.toml",
        "name = 'trees'\nproblem = 'synthetic'\nkind = 'search'\ncrash-limit = 100\n\
         [parameters]\ndepth = 16\nbranching = 3\nseed = '0..3'\n",
    );
    let first = cluster.worker();
    cluster.worker();
    let run = cluster.submit("s.toml");
    cluster.until_busy(first);
    cluster.take_worker(first).kill();
    cluster.coordinator().wait_for("worker lost");
    cluster.take_coordinator().kill();
    cluster.start();
    cluster.worker();
    cluster.ask(&format!("runs wait {run}")).expect(0);
    cluster.json(&format!("runs export {run} --certificates certs -o r.txt"));
    for item in cluster.items(run) {
        let asked = item["question"].as_str().expect("a question");
        let alone = cluster.hasami.run(&format!("solve {asked} --output json")).expect(0).json();
        assert_eq!(item["answer"]["verdict"], alone["verdict"], "{item}");
        let name = item["answer"]["certificates"][0]["file"].as_str().expect("a file");
        cluster.hasami.run(&format!("verify certs/{name}")).expect(0);
    }
}

/// Verdicts that hold on every path are all that workers share (docs/design.md).
#[test]
fn searches_whose_states_repeat_are_split_and_agree_with_one_process() {
    let mut cluster = Cluster::new("--lease 10000ms --heartbeat 100ms");
    cluster.hasami.write(
        "graphs.toml",
        "name = 'graphs'\nproblem = 'graph'\nkind = 'search'\n[parameters]\n\
         nodes = 1500\nshape = 'cyclic'\nsharing = 0.4\nseed = '0..4'\n",
    );
    cluster.hasami.write(
        "mates.toml",
        "name = 'mates'\nproblem = 'shogi'\nkind = 'search'\n[parameters]\nfill-hand = 'yes'\n\
         position = ['9/9/8k/7R1/7G1/9/9/9/9 b - 1', 'l8/9/2k6/9/9/9/9/9/9 b RBG 1']\n\
         [search]\npartitioner = 'aohpas'\n",
    );
    cluster.worker();
    cluster.worker();
    let mut verdicts = Vec::new();
    for sweep in ["graphs", "mates"] {
        let run = cluster.submit(&format!("{sweep}.toml"));
        cluster.ask(&format!("runs wait {run}")).expect(0);
        cluster.json(&format!("runs export {run} --certificates certs -o {sweep}.txt"));
        for item in cluster.items(run) {
            assert_eq!(item["kind"], "search");
            let mut line = format!("solve {} --output json", item["problem"].as_str().unwrap());
            for (key, value) in item["parameters"].as_object().expect("parameters") {
                let value = value.as_str().expect("a value").replace(' ', "_");
                line += &format!(" {key}={value}");
            }
            let alone = cluster.hasami.run(&line).expect(0).json();
            assert_eq!(item["answer"]["verdict"], alone["verdict"], "{item}");
            let name = item["answer"]["certificates"][0]["file"].as_str().expect("a file");
            cluster.hasami.run(&format!("verify certs/{name}")).expect(0);
            verdicts.push(alone["verdict"].clone());
        }
    }
    assert!(verdicts.iter().any(|verdict| verdict == "proven"), "{verdicts:?}");
    assert!(verdicts.iter().any(|verdict| verdict == "disproven"), "{verdicts:?}");
}

#[test]
fn an_enumeration_counts_what_one_process_counts() {
    let mut cluster = Cluster::new("--lease 1500ms --heartbeat 200ms");
    cluster.hasami.write(
        "s.toml",
        "name = 'pavings'\nproblem = 'pavings'\ncrash-limit = 100\n[parameters]\n\
         shapes = ['Square', 'T', 'I']\nperiod = ['2x4', '4x4', '2x4+2']\n\
         kind = ['complete', 'minimal']\n",
    );
    cluster.worker();
    cluster.worker();
    let run = cluster.submit("s.toml");
    cluster.ask(&format!("runs wait {run}")).expect(0);
    let items = cluster.items(run);
    assert_eq!(items.len(), 18);
    for item in items {
        let word = |name: &str| item["parameters"][name].as_str().expect("a word").to_string();
        let line = format!(
            "polyomino pave {} --period {} --kind {} --count --output json",
            word("shapes").replace(',', " "),
            word("period"),
            word("kind")
        );
        let alone = cluster.hasami.run(&line).expect(0).json();
        let fields = &item["answer"]["fields"];
        for (name, here) in [("raw", "sets"), ("patterns", "patterns")] {
            let counted = fields[name].as_str().expect("a count");
            assert_eq!(counted, alone[here].to_string(), "{line}: {item}: {alone}");
        }
    }
}
