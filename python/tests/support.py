"""What the tests share: the program, and directories of their own."""

from __future__ import annotations

import os
import subprocess
import tempfile
import unittest
from pathlib import Path

import hasami
from hasami import program

TOP = Path(__file__).resolve().parents[2]
PROGRAM = program.find()

# Four items of a question that no worker answers in time.
SLOW = """
name = "slow"
problem = "synthetic"
[parameters]
depth = 60
branching = 3
seed = [1, 2, 3, 4]
"""
# Items that fail, with texts that would do harm in a page.
FAILING = {
    "name": "failing",
    "title": "<script>alert(1)</script>",
    "problem": "mancala-database",
    "parameters": {
        "pits": 2,
        "seeds": 2,
        "slices": 2,
        "stage": [1, 2, 3],
        "slice": [0, 1],
        "directory": "<img src=x onerror=alert(1)>",
    },
}


class InDirectory(unittest.TestCase):
    """A test with an empty directory that is the current one, and without settings of a user."""

    def setUp(self) -> None:
        directory = tempfile.TemporaryDirectory(prefix="hasami-test-")
        self.addCleanup(directory.cleanup)
        self.directory = Path(directory.name)
        before = Path.cwd()
        self.addCleanup(os.chdir, before)
        os.chdir(self.directory)

    def hasami(self, *words: str) -> str:
        """Runs the program; its standard output."""
        return subprocess.run([PROGRAM, *words], check=True, capture_output=True, text=True).stdout

    def local(self, **options: object) -> hasami.LocalCluster:
        """A cluster for this test."""
        cluster = hasami.local(directory=self.directory / "cluster", memory="64MiB", **options)  # type: ignore[arg-type]
        self.addCleanup(cluster.close)
        return cluster

    def kill(self, cluster: hasami.LocalCluster) -> None:
        """Kills the coordinator; `_start_coordinator` with its address brings it back."""
        cluster._coordinator.kill()
        cluster._coordinator.wait()

    def access(self, cluster: hasami.LocalCluster) -> Path:
        """The access file of a cluster."""
        return cluster.directory / "data/access.json"
