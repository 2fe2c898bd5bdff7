"""The program ``hasami``, as a process."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

from .errors import ProgramError

# How long the program may take to stop politely.
_PATIENCE = 30.0


def find(program: str | os.PathLike[str] | None = None) -> str:
    """The program: as given, or ``HASAMI_PROGRAM``, or from the ``PATH``."""
    named = os.fspath(program) if program is not None else os.environ.get("HASAMI_PROGRAM") or "hasami"
    found = shutil.which(named)
    if found is None:
        raise ProgramError(
            f"the program {named!r} was not found; put it into the PATH, or name it by program=FILE or HASAMI_PROGRAM"
        )
    return os.path.abspath(found)


def run(
    words: Sequence[str], program: str | os.PathLike[str] | None = None, timeout: float | None = None
) -> tuple[int, str]:
    """Runs the program to its end: exit code and standard output. Codes 1, 2 and 4 are errors.
    If it is interrupted or the time is over, it is stopped politely, and what it has found stays."""
    command = [find(program), *words, "--output", "json"]
    process = subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        # Ctrl-C of a terminal would be a first signal beside ours.
        start_new_session=True,
    )
    try:
        out, log = process.communicate(timeout=timeout)
    except BaseException as error:
        stop(process)
        if isinstance(error, subprocess.TimeoutExpired):
            raise TimeoutError(f"hasami {words[0]} took more than {timeout} s") from None
        raise
    if process.returncode not in (0, 3):
        raise ProgramError(_told(log), process.returncode)
    return process.returncode, out


def stop(*processes: subprocess.Popen[str]) -> None:
    """Ends processes: politely, then by force. A second signal would not be polite."""
    for process in processes:
        if process.poll() is None:
            process.send_signal(signal.SIGTERM)
    for process in processes:
        try:
            process.communicate(timeout=_PATIENCE)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()


def _told(log: str) -> str:
    """The message of an error, which is an object on one line behind the log."""
    for line in reversed(log.splitlines()):
        try:
            return str(json.loads(line)["error"]["message"])
        except (ValueError, KeyError, TypeError):
            continue
    return log.strip() or "the program has ended without a message"


def check(sweep: str) -> None:
    """Lets the program read a sweep; nothing is computed. Its errors are told in full."""
    with tempfile.TemporaryDirectory(prefix="hasami-") as directory:
        file = Path(directory) / "sweep.toml"
        file.write_text(sweep, encoding="utf-8")
        run(["run", str(file), "--dry-run", "--data", f"{directory}/data"])
