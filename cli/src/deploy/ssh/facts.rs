//! What a host says of itself and of its workers.

use serde_json::{Value, json};

/// The answer to a probe.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Facts {
    /// As `uname -s -m` has it.
    pub system: String,
    /// The program that workers are started with.
    pub binary: Option<String>,
    /// Whether the wanted program is there.
    pub has: bool,
    /// Whether there is an access file.
    pub access: bool,
    /// Workers that were asked for last; `None`: nothing was started there.
    pub wanted: Option<usize>,
    pub workers: Vec<WorkerFacts>,
    /// Numbers of workers that were started just now.
    pub started: Vec<u32>,
}

/// A worker of a host.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WorkerFacts {
    pub number: u32,
    /// running, waiting (for its next start), finished, refused, stopped, lost or orphan.
    pub phase: String,
    pub restarts: u64,
    /// Of its last end; `-`: none.
    pub code: String,
    /// The last line that it has printed, where something is wrong.
    pub last: String,
}

impl Facts {
    /// Reads the lines of an answer. Lines that it does not know are from a newer script.
    pub fn read(lines: &[String]) -> Self {
        let mut facts = Self::default();
        for line in lines {
            let (key, rest) = line.split_once(' ').unwrap_or((line, ""));
            match key {
                "system" => facts.system = rest.to_string(),
                "binary" => facts.binary = Some(rest.to_string()),
                "has" => facts.has = true,
                "access" => facts.access = true,
                "wanted" => facts.wanted = rest.parse().ok(),
                "started" => facts.started.extend(rest.parse::<u32>()),
                "worker" => facts.workers.extend(worker(rest)),
                _ => {}
            }
        }
        facts.workers.sort_by_key(|worker| worker.number);
        facts
    }

    /// Workers that run, or will again by themselves.
    pub fn running(&self) -> usize {
        self.workers.iter().filter(|worker| worker.runs()).count()
    }

    /// Whether any process there uses the access file.
    pub fn uses_access(&self) -> bool {
        self.workers.iter().any(|worker| worker.runs() || worker.phase == "orphan")
    }

    /// How often workers that run were started again after a failure.
    pub fn restarts(&self) -> u64 {
        self.workers.iter().filter(|worker| worker.runs()).map(|worker| worker.restarts).sum()
    }
}

impl WorkerFacts {
    pub fn runs(&self) -> bool {
        matches!(self.phase.as_str(), "running" | "waiting")
    }

    /// In a few words, if there is anything to say.
    pub fn trouble(&self) -> Option<String> {
        let number = self.number;
        let because = if self.last.is_empty() { String::new() } else { format!(": {}", self.last) };
        match self.phase.as_str() {
            "running" | "finished" | "stopped" => None,
            "waiting" => {
                Some(format!("worker {number} failed ({}) and is tried again{because}", self.code))
            }
            "refused" => Some(format!("worker {number} cannot work{because}")),
            "lost" => Some(format!("worker {number} was killed, or its machine was restarted")),
            "orphan" => Some(format!("worker {number} runs without its supervisor")),
            other => Some(format!("worker {number}: {other}")),
        }
    }

    pub fn json(&self) -> Value {
        json!({
            "number": self.number, "state": self.phase, "restarts": self.restarts,
            "exit_code": self.code.parse::<u32>().ok(),
            "last": (!self.last.is_empty()).then_some(&self.last),
        })
    }
}

/// `NUMBER STATE RESTARTS CODE LAST WORDS`
fn worker(text: &str) -> Option<WorkerFacts> {
    let mut words = text.splitn(5, ' ');
    Some(WorkerFacts {
        number: words.next()?.parse().ok()?,
        phase: words.next()?.to_string(),
        restarts: words.next()?.parse().ok()?,
        code: words.next()?.to_string(),
        last: words.next().unwrap_or_default().trim().to_string(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_read_and_strange_lines_are_left_out() {
        let lines = [
            "system Linux x86_64",
            "binary bin-1",
            "has bin-2",
            "access",
            "wanted 3",
            "started 2",
            "worker 2 waiting 3 1 error: no memory",
            "worker 1 running 0 - ",
            "worker x",
            "new thing",
        ];
        let facts = Facts::read(&lines.map(String::from));
        assert_eq!(
            (facts.system.as_str(), facts.binary.as_deref()),
            ("Linux x86_64", Some("bin-1"))
        );
        assert!(facts.has && facts.access && facts.started == [2] && facts.wanted == Some(3));
        assert_eq!((facts.workers.len(), facts.running()), (2, 2));
        assert_eq!(facts.workers[0].trouble(), None);
        let trouble = facts.workers[1].trouble().expect("it failed");
        assert!(
            trouble.contains("failed (1)") && trouble.ends_with("error: no memory"),
            "{trouble}"
        );
    }
}
