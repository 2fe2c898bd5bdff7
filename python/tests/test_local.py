"""Processes of this machine: a cluster, one question, a notebook."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from unittest import mock

import nbclient
import nbformat
from support import PROGRAM, TOP, InDirectory

import hasami


class Local(InDirectory):
    def test_its_processes_end_and_its_directory_goes_on(self) -> None:
        with self.local(workers=2) as cluster:
            self.assertEqual(sorted(worker.name for worker in cluster.workers()), ["worker-1", "worker-2"])
            processes = [cluster._coordinator, *cluster._workers]
            cluster.submit(TOP / "examples/chomp.toml").wait(60, progress=False)
        self.assertEqual([process.returncode for process in processes], [0, 0, 0])
        with self.local(workers=0) as again:
            self.assertEqual(again.run("chomp-small").state, "finished")
        cluster.close()

    def test_its_processes_end_with_python(self) -> None:
        script = "import hasami; c = hasami.local(workers=1); print(c._coordinator.pid, c._workers[0].pid)"
        told = subprocess.run([sys.executable, "-c", script], check=True, capture_output=True, text=True)
        for pid in map(int, told.stdout.split()):
            with self.assertRaises(ProcessLookupError):
                os.kill(pid, 0)

    def test_one_that_does_not_begin_says_why(self) -> None:
        self.local(workers=0)
        with self.assertRaisesRegex(hasami.ProgramError, "another coordinator is running"):
            self.local(workers=0)
        with self.assertRaisesRegex(hasami.ProgramError, "worker does not begin: .*memory"):
            hasami.local(memory="much")
        with self.assertRaisesRegex(hasami.ProgramError, "was not found"):
            hasami.local(program="hasami-that-is-not-there")


class Solve(InDirectory):
    def test_a_question_is_settled(self) -> None:
        answer = hasami.solve("mnk", line=3, width=3, height=3)
        self.assertEqual((answer.verdict, answer.moves, answer.json["game"]), ("proven", 5, "mnk"))
        self.assertGreater(answer.nodes, 0)
        self.assertTrue(answer.certificate.is_file())
        self.assertTrue(answer.picture().startswith("<svg"))
        self.assertIn('src="data:image/svg+xml;base64,', answer._repr_html_())
        chomp = hasami.solve("chomp", rows=3, columns=3, options={"kernel": "pn"})
        self.assertEqual((chomp.picture(), chomp.json["kernel"]), (None, "pn"))
        words = hasami.solve("polyomino", "Square", "W")
        self.assertIn("Black wins", words.claim)

    def test_open_and_wrong_questions(self) -> None:
        tree = {"depth": 60, "branching": 3}
        answer = hasami.solve("synthetic", options={"budget": "1k"}, **tree)
        self.assertEqual((answer.verdict, answer.certificate), ("unknown", None))
        self.assertIn("unknown", answer._repr_html_())
        with self.assertRaisesRegex(hasami.ProgramError, "rowz") as caught:
            hasami.solve("chomp", rowz=3)
        self.assertEqual(caught.exception.exit_code, 2)
        with self.assertRaisesRegex(hasami.Error, "expected a word"):
            hasami.solve("chomp", "--help")
        with self.assertRaises(TimeoutError):
            hasami.solve("synthetic", timeout=1, **tree)
        with mock.patch.dict(os.environ, {"HASAMI_PROGRAM": "nothing"}):
            with self.assertRaisesRegex(hasami.ProgramError, "not found"):
                hasami.solve("chomp", rows=2, columns=2)


class Notebook(InDirectory):
    def test_the_example_shows_tables_and_pictures(self) -> None:
        notebook = nbformat.read(TOP / "python/examples/losers.ipynb", as_version=4)
        self.assertEqual([cell.outputs for cell in notebook.cells if cell.cell_type == "code"], [[]] * 6)
        client = nbclient.NotebookClient(notebook, timeout=60, resources={"metadata": {"path": str(self.directory)}})
        with mock.patch.dict(os.environ, {"HASAMI_PROGRAM": PROGRAM}):
            client.execute()
        outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
        shown = [output.data["text/html"] for output in outputs if "text/html" in output.get("data", {})]
        progress, run, frame, item = shown
        self.assertIn("run 1: losers, finished", progress)
        self.assertEqual(run.count("<th"), 9, "four shapes, twice, and a corner")
        self.assertIn(">◎</td>", run)
        self.assertIn("Square,W", frame)
        self.assertIn('<img alt="" style="max-width:100%;background:#fff" src="data:image/svg+xml;base64,', item)
        self.assertNotIn("://", run + item)
        self.assertNotIn("error", json.dumps([output.output_type for output in outputs]))
