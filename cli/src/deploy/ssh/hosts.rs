//! `hosts.txt`: one host a line, with options. What it says ends up in command lines on this machine
//! and in scripts on others, so every word is checked here and quoted there.

use std::collections::BTreeSet;
use std::path::Path;

use hasami_sweep::amount;

use crate::failure::Failure;

/// The longest file that is read.
const LONGEST: u64 = 1 << 20;
/// As many as a coordinator has tokens for.
const MOST: usize = 4000;
/// Errors that are listed before the rest is counted.
const LISTED: usize = 20;

/// Where workers run, and what they may use there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Host {
    /// As it is written: the name in reports.
    pub name: String,
    /// What ssh connects to.
    pub address: String,
    pub user: Option<String>,
    pub port: Option<u16>,
    pub workers: u32,
    pub settings: Settings,
}

/// Options of the workers of a host; `None`: what the worker does by itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Settings {
    pub threads: Option<u32>,
    pub cores: Option<u32>,
    pub memory: Option<String>,
    pub nice: Option<u32>,
    pub labels: Vec<String>,
}

impl Settings {
    /// The words for `hasami worker`.
    pub fn words(&self) -> Vec<String> {
        let mut words = Vec::new();
        let mut add = |option: &str, value: String| words.extend([option.to_string(), value]);
        self.threads.iter().for_each(|threads| add("--threads", threads.to_string()));
        self.cores.iter().for_each(|cores| add("--cores", cores.to_string()));
        self.memory.iter().for_each(|memory| add("--memory", memory.clone()));
        self.nice.iter().for_each(|nice| add("--nice", nice.to_string()));
        self.labels.iter().for_each(|label| add("--label", label.clone()));
        words
    }
}

/// Reads the file; all that is wrong with it is said at once.
pub fn read(file: &Path) -> Result<Vec<Host>, Failure> {
    let size = std::fs::metadata(file).map_err(|error| Failure::reading(file, &error))?.len();
    let place = file.display();
    if size > LONGEST {
        return Err(Failure::Usage(format!("{place}: {size} bytes; expected at most {LONGEST}")));
    }
    let bytes = std::fs::read(file).map_err(|error| Failure::reading(file, &error))?;
    let text = String::from_utf8(bytes)
        .map_err(|_| Failure::Usage(format!("{place}: this is no text; expected a host a line")))?;
    parse(&text).map_err(|errors| {
        let mut lines: Vec<String> = errors
            .iter()
            .take(LISTED)
            .map(|(number, what)| match number {
                0 => format!("{place}: {what}"),
                number => format!("{place}:{number}: {what}"),
            })
            .collect();
        if errors.len() > LISTED {
            lines.push(format!("and {} more", errors.len() - LISTED));
        }
        Failure::Usage(lines.join("\n"))
    })
}

/// Hosts, or what is wrong in which line (0: in the whole).
fn parse(text: &str) -> Result<Vec<Host>, Vec<(usize, String)>> {
    let (mut hosts, mut errors, mut names) = (Vec::new(), Vec::new(), BTreeSet::new());
    for (number, line) in (1..).zip(text.lines()) {
        let line = without_remark(line);
        if line.trim().is_empty() {
            continue;
        }
        match host(line) {
            Ok(host) if !names.insert(host.name.clone()) => {
                errors.push((number, format!("{} is there twice", host.name)));
            }
            Ok(host) => hosts.push(host),
            Err(what) => errors.push((number, what)),
        }
    }
    if errors.is_empty() && hosts.is_empty() {
        errors.push((0, "no hosts; expected [user@]host[:port] [key=value]... a line".to_string()));
    }
    if hosts.len() > MOST {
        errors.push((0, format!("{} hosts; expected at most {MOST}", hosts.len())));
    }
    if errors.is_empty() { Ok(hosts) } else { Err(errors) }
}

/// `#` begins a remark at the start of a word.
fn without_remark(line: &str) -> &str {
    let mut before = ' ';
    for (at, sign) in line.char_indices() {
        if sign == '#' && before.is_whitespace() {
            return &line[..at];
        }
        before = sign;
    }
    line
}

fn host(line: &str) -> Result<Host, String> {
    if let Some(sign) = line.chars().find(|sign| sign.is_control() && *sign != '\t') {
        return Err(format!("the control character {sign:?}; expected words"));
    }
    let mut words = line.split_whitespace();
    let first = words.next().unwrap_or_default();
    let (user, address, port) = place(first)?;
    let mut host = Host {
        name: first.to_string(),
        address,
        user,
        port,
        workers: 1,
        settings: Settings::default(),
    };
    let mut seen = BTreeSet::new();
    for word in words {
        let Some((key, value)) = word.split_once('=') else {
            return Err(format!("{word:?}: expected key=value after the host"));
        };
        if key != "label" && !seen.insert(key) {
            return Err(format!("{key} is there twice"));
        }
        let settings = &mut host.settings;
        match key {
            "workers" => host.workers = number(word, value, 0, 1024)?,
            "threads" => settings.threads = Some(number(word, value, 1, 4096)?),
            "cores" => settings.cores = Some(number(word, value, 1, 4096)?),
            "nice" => settings.nice = Some(number(word, value, 0, 19)?),
            "memory" => {
                let size = amount::bytes(value).map_err(|error| format!("{word}: {error}"))?;
                if size < 1 << 20 {
                    return Err(format!("{word}: expected a size from 1MiB"));
                }
                settings.memory = Some(value.to_string());
            }
            "label" => match value.split_once('=') {
                Some((name, _)) if !name.is_empty() => settings.labels.push(value.to_string()),
                _ => return Err(format!("{word}: expected label=KEY=VALUE")),
            },
            _ => {
                return Err(format!(
                    "{word}: unknown key; expected one of workers, threads, cores, memory, nice, \
                     label"
                ));
            }
        }
    }
    Ok(host)
}

fn number(word: &str, value: &str, least: u32, most: u32) -> Result<u32, String> {
    match value.parse::<u32>() {
        Ok(number) if (least..=most).contains(&number) => Ok(number),
        _ => Err(format!("{word}: expected a number from {least} to {most}")),
    }
}

/// `[user@]host[:port]`, the host also as `[2001:db8::7]`.
fn place(word: &str) -> Result<(Option<String>, String, Option<u16>), String> {
    let refuse = |what: &str| Err(format!("{word:?}: {what}; expected [user@]host[:port]"));
    let (user, rest) = match word.rsplit_once('@') {
        Some((user, rest)) => (Some(user), rest),
        None => (None, word),
    };
    let name = |text: &str| {
        let sound = |sign: char| sign.is_ascii_alphanumeric() || "-_.".contains(sign);
        !text.is_empty() && !text.starts_with('-') && text.chars().all(sound)
    };
    if user.is_some_and(|user| !name(user)) {
        return refuse("this is no name of a user");
    }
    let (address, port) = if let Some(rest) = rest.strip_prefix('[') {
        let Some((inside, port)) = rest.split_once(']') else { return refuse("no ]") };
        let (bare, zone) = inside.split_once('%').unwrap_or((inside, "0"));
        if bare.parse::<std::net::Ipv6Addr>().is_err() || !name(zone) {
            return refuse("this is no IPv6 address");
        }
        match port.strip_prefix(':') {
            None if port.is_empty() => (inside, None),
            None => return refuse("something other than a port follows the address"),
            port => (inside, port),
        }
    } else {
        match rest.split_once(':') {
            Some((host, port)) if !port.contains(':') => (host, Some(port)),
            Some(_) => return refuse("an IPv6 address has brackets around it"),
            None => (rest, None),
        }
    };
    if !rest.starts_with('[') && !name(address) {
        return refuse("this is no name of a host");
    }
    let port = match port.map(str::parse::<u16>) {
        None => None,
        Some(Ok(port)) if port > 0 => Some(port),
        Some(_) => return refuse("this is no port"),
    };
    Ok((user.map(String::from), address.to_string(), port))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_has_a_host_and_what_its_workers_may_use() {
        let text = "# the lab\n\nlab1\nann@lab2.example.org:2222 workers=2 threads=4 memory=8GiB \
                    label=rack=3 label=note=a#b # fast\n[2001:db8::7]:22 nice=10 cores=2\n";
        let hosts = parse(text).expect("sound");
        assert_eq!(hosts.len(), 3);
        assert_eq!((hosts[0].workers, &hosts[0].settings), (1, &Settings::default()));
        let lab2 = &hosts[1];
        assert_eq!((lab2.user.as_deref(), lab2.port), (Some("ann"), Some(2222)));
        assert_eq!(lab2.address, "lab2.example.org");
        let words = lab2.settings.words().join(" ");
        assert_eq!(words, "--threads 4 --memory 8GiB --label rack=3 --label note=a#b");
        assert_eq!((hosts[2].address.as_str(), hosts[2].port), ("2001:db8::7", Some(22)));
    }

    #[test]
    fn what_is_wrong_has_its_line() {
        for (line, what) in [
            ("-oProxyCommand=id", "no name of a host"),
            ("lab1 -oProxyCommand=id", "unknown key"),
            ("-l@lab1", "no name of a user"),
            ("ann@-x", "no name of a host"),
            ("$(id)", "no name of a host"),
            ("lab1;id", "no name of a host"),
            ("lab1:0", "no port"),
            ("lab1:x", "no port"),
            ("2001:db8::7", "brackets"),
            ("[2001:db8::7", "no ]"),
            ("[lab1]", "no IPv6"),
            ("lab1 threads=0", "from 1 to 4096"),
            ("lab1 threads=many", "from 1 to 4096"),
            ("lab1 memory=lots", "memory=lots"),
            ("lab1 label=x", "label=KEY=VALUE"),
            ("lab1 thread=3", "unknown key"),
            ("lab1 3", "key=value"),
            ("lab1 threads=1 threads=2", "twice"),
            ("lab1 label=a=\u{1b}[2J", "control character"),
        ] {
            let errors = parse(&format!("good\n{line}\n")).expect_err(line);
            assert_eq!(errors.len(), 1, "{line}");
            assert!(errors[0].0 == 2 && errors[0].1.contains(what), "{line}: {errors:?}");
        }
        let errors = parse("lab1\nlab1\n-x\n").expect_err("twice");
        assert_eq!(errors.iter().map(|(line, _)| *line).collect::<Vec<_>>(), [2, 3]);
        assert!(parse("# nothing\n").is_err());
    }
}
