//! The text of the batch script.

use std::path::Path;
use std::time::Duration;

use crate::deploy::quote::quoted;

/// What a task of the array is.
#[derive(Clone, Debug)]
pub struct Task<'t> {
    pub job: &'t str,
    pub workers: u32,
    pub threads: u32,
    pub memory_mib: u64,
    pub time: Duration,
    /// Before the end of the time, for handing back what is not finished.
    pub grace: Duration,
    pub idle: Duration,
    pub nice: Option<u32>,
    pub labels: &'t [String],
    /// Further lines for Slurm, like `--partition=long`.
    pub options: &'t [String],
    pub directory: &'t Path,
    pub program: &'t Path,
    pub access: &'t Path,
}

/// Memory of a job beside that of its tables: certificates, and the program itself.
fn job_mib(memory_mib: u64) -> u64 {
    memory_mib + memory_mib / 4 + 256
}

/// `HOURS:MINUTES:SECONDS`, as Slurm reads it.
fn clock(time: Duration) -> String {
    let seconds = time.as_secs();
    format!("{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60)
}

/// The script.
pub fn script(task: &Task<'_>) -> String {
    let mut lines = vec![
        "#!/bin/sh".to_string(),
        format!("#SBATCH --job-name={}", task.job),
        format!("#SBATCH --array=1-{}", task.workers.max(1)),
        "#SBATCH --ntasks=1".to_string(),
        format!("#SBATCH --cpus-per-task={}", task.threads),
        format!("#SBATCH --mem={}M", job_mib(task.memory_mib)),
        format!("#SBATCH --time={}", clock(task.time)),
        format!("#SBATCH --signal=B:USR1@{}", task.grace.as_secs().max(1)),
        "#SBATCH --requeue".to_string(),
        "#SBATCH --open-mode=append".to_string(),
        format!("#SBATCH --output={}/{}-%A_%a.log", task.directory.display(), task.job),
    ];
    lines.extend(task.options.iter().map(|option| format!("#SBATCH {option}")));
    let path = |path: &Path| quoted(&path.to_string_lossy());
    let mut worker = vec![
        path(task.program),
        "worker --access".to_string(),
        path(task.access),
        format!("--name \"{}-${{SLURM_ARRAY_JOB_ID}}-${{SLURM_ARRAY_TASK_ID}}\"", task.job),
        format!("--threads {}", task.threads),
        format!("--memory {}MiB", task.memory_mib),
        format!("--idle-timeout {}s", task.idle.as_secs().max(1)),
    ];
    worker.extend(task.nice.map(|nice| format!("--nice {nice}")));
    worker.extend(task.labels.iter().map(|label| format!("--label {}", quoted(label))));
    format!("{}\n\n{BEFORE}\n{} &\n{AFTER}", lines.join("\n"), worker.join(" \\\n    "))
}

const BEFORE: &str = "\
# Written by `hasami deploy slurm`. One worker for each task of the array.
# USR1 comes before the time is up: the worker hands back its work, and the task is queued again.
# TERM is `scancel`: the worker hands back its work and ends. A worker without work ends by itself.
child=
again=
trap 'again=yes; [ -z \"$child\" ] || kill -s TERM \"$child\"' USR1
trap '[ -z \"$child\" ] || kill -s TERM \"$child\"' TERM
";

const AFTER: &str = "\
child=$!
while :; do
    wait \"$child\"
    code=$?
    # A signal interrupts the wait; the worker may still be handing back.
    kill -s 0 \"$child\" 2> /dev/null || break
done
child=
if [ -n \"$again\" ]; then
    scontrol requeue \"${SLURM_ARRAY_JOB_ID}_${SLURM_ARRAY_TASK_ID}\" && sleep 60
fi
exit \"$code\"
";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_script_asks_for_what_the_worker_uses_and_is_sound() {
        let labels = ["note=it's $HOME".to_string()];
        let options = ["--partition=long".to_string()];
        let text = script(&Task {
            job: "hasami-lab",
            workers: 12,
            threads: 4,
            memory_mib: 1024,
            time: Duration::from_secs(90_061),
            grace: Duration::from_secs(90),
            idle: Duration::from_secs(300),
            nice: Some(5),
            labels: &labels,
            options: &options,
            directory: Path::new("/shared/h"),
            program: Path::new("/shared/h/bin-1"),
            access: Path::new("/shared/h/access.json"),
        });
        for line in [
            "#SBATCH --array=1-12",
            "#SBATCH --cpus-per-task=4",
            "#SBATCH --mem=1536M",
            "#SBATCH --time=25:01:01",
            "#SBATCH --signal=B:USR1@90",
            "#SBATCH --partition=long",
        ] {
            assert!(text.lines().any(|found| found == line), "{line} in {text}");
        }
        assert!(text.contains(r"--label 'note=it'\''s $HOME'"), "{text}");
        // Slurm stops reading options at the first command.
        let lines: Vec<&str> = text.lines().collect();
        let option = |line: &&str| line.starts_with("#SBATCH");
        let last = lines.iter().rposition(option).expect("options");
        assert!(lines[1..last].iter().all(option), "{text}");
        let mut shell = std::process::Command::new("sh");
        shell.arg("-n").stdin(std::process::Stdio::piped());
        let mut child = shell.spawn().expect("a shell");
        std::io::Write::write_all(&mut child.stdin.take().expect("a pipe"), text.as_bytes())
            .expect("the script");
        assert!(child.wait().expect("an end").success());
    }
}
