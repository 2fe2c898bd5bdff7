//! For which kind of machine a program is: two numbers at the start of its file.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use crate::failure::Failure;

/// The machine of a Linux program, as `uname -m` calls it there.
pub fn machine(program: &Path) -> Result<&'static str, Failure> {
    let mut head = Vec::new();
    File::open(program)
        .and_then(|file| file.take(20).read_to_end(&mut head))
        .map_err(|error| Failure::reading(program, &error))?;
    let refuse = |what: &str| {
        Failure::Usage(format!(
            "--binary {}: {what}; expected a hasami program for 64-bit Linux",
            program.display()
        ))
    };
    if head.len() < 20 || !head.starts_with(b"\x7fELF") || head[4..6] != [2, 1] {
        return Err(refuse("this is no such program"));
    }
    match u16::from_le_bytes([head[18], head[19]]) {
        62 => Ok("x86_64"),
        183 => Ok("aarch64"),
        243 => Ok("riscv64"),
        other => Err(refuse(&format!("machine number {other} is unknown"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_names_its_machine_and_a_text_has_none() {
        let own = std::env::current_exe().expect("this test");
        assert!(machine(&own).is_ok_and(|machine| machine == std::env::consts::ARCH));
        let text = tempfile::NamedTempFile::new().expect("a file");
        for wrong in ["", "#!/bin/sh\n", "#!/bin/sh\nexec hasami --and more\n"] {
            std::fs::write(text.path(), wrong).expect("written");
            assert!(matches!(machine(text.path()), Err(Failure::Usage(_))), "{wrong:?}");
        }
        assert!(matches!(machine(Path::new("/nowhere")), Err(Failure::Usage(_))));
    }
}
