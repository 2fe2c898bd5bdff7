"""A cluster of processes on this machine, for as long as it is needed."""

from __future__ import annotations

import atexit
import json
import os
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Any

from . import program as programs
from .access import Access
from .cluster import Cluster
from .errors import ProgramError

# How long a coordinator may take to begin.
_BEGIN = 60.0


class LocalCluster(Cluster):
    """A coordinator and workers that end with :meth:`close`, with the ``with`` block, or with Python."""

    def __init__(
        self,
        workers: int,
        directory: str | os.PathLike[str] | None,
        threads: int,
        memory: str,
        program: str | os.PathLike[str] | None,
    ) -> None:
        self._program = programs.find(program)
        self._temporary = None if directory else tempfile.TemporaryDirectory(prefix="hasami-")
        self.directory = Path(self._temporary.name if self._temporary else str(directory)).absolute()
        self.directory.mkdir(parents=True, exist_ok=True)
        self._workers: list[subprocess.Popen[str]] = []
        self._coordinator: subprocess.Popen[str] | None = None
        atexit.register(self.close)
        try:
            told = self._start_coordinator("127.0.0.1:0")
            self.address: str = told["address"]
            super().__init__(Access.read(self.directory / "data/access.json"))
            for number in range(1, workers + 1):
                self._workers.append(self._start_worker(f"worker-{number}", threads, memory))
            self._await_workers()
        except BaseException:
            self.close()
            raise

    def _start(self, name: str, words: list[str]) -> subprocess.Popen[str]:
        # Settings of other clusters, and Ctrl-C of a terminal, are not for these processes.
        environment = {key: value for key, value in os.environ.items() if not key.startswith("HASAMI_")}
        with (
            open(self.directory / f"{name}.out", "w") as out,
            open(self.directory / f"{name}.log", "a") as log,
        ):
            return subprocess.Popen(
                [self._program, *words, "--output", "json", "--config", os.devnull],
                cwd=self.directory,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=log,
                text=True,
                start_new_session=True,
            )

    def _start_coordinator(self, listen: str) -> Any:
        """Starts the coordinator; what it says when it has begun."""
        words = ["coordinator", "--listen", listen, "--data", "data"]
        self._coordinator = self._start("coordinator", words)
        end = time.monotonic() + _BEGIN
        while True:
            ended = self._coordinator.poll() is not None
            try:
                return json.loads((self.directory / "coordinator.out").read_text())
            except ValueError:
                if ended or time.monotonic() > end:
                    told = self._log("coordinator")
                    raise ProgramError(f"the coordinator does not begin: {told}") from None
            time.sleep(0.05)

    def _start_worker(self, name: str, threads: int, memory: str) -> subprocess.Popen[str]:
        limits = ["--threads", str(threads), "--memory", memory]
        return self._start(name, ["worker", "--access", "data/access.json", "--name", name, *limits])

    def _await_workers(self) -> None:
        end = time.monotonic() + _BEGIN
        while len(self.workers()) < len(self._workers):
            for number, worker in enumerate(self._workers, 1):
                if worker.poll() is not None or time.monotonic() > end:
                    raise ProgramError(f"a worker does not begin: {self._log(f'worker-{number}')}")
            time.sleep(0.05)

    def _log(self, name: str) -> str:
        return (self.directory / f"{name}.log").read_text()[-2000:].strip()

    def close(self) -> None:
        """Ends all processes: the workers first, which hand back what they hold."""
        atexit.unregister(self.close)
        if hasattr(self, "_wire"):
            super().close()
        programs.stop(*self._workers)
        if self._coordinator:
            programs.stop(self._coordinator)
        self._workers, self._coordinator = [], None
        if self._temporary:
            self._temporary.cleanup()


def local(
    workers: int = 2,
    directory: str | os.PathLike[str] | None = None,
    *,
    threads: int = 1,
    memory: str = "256MiB",
    program: str | os.PathLike[str] | None = None,
) -> LocalCluster:
    """Starts a coordinator and workers on this machine and connects to them.

    Everything they keep, and their logs, are in ``directory``; without one it is gone at the end. The same
    directory continues where it stopped. Use it with ``with``, or call ``close()``."""
    return LocalCluster(workers, directory, threads, memory, program)
