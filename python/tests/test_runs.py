"""Runs on real processes: submit, wait, read, control."""

from __future__ import annotations

import os
import signal
import threading
import time
from unittest import mock

import pyarrow.parquet
from support import FAILING, SLOW, TOP, InDirectory

import hasami

CHOMP = TOP / "examples/chomp.toml"


class Runs(InDirectory):
    def test_a_table_is_the_one_that_the_program_exports(self) -> None:
        cluster = self.local()
        sweeps = [
            (CHOMP, {}),
            (TOP / "examples/mates.toml", {"budget": "10k"}),
            ({"name": "one", "problem": "mnk", "parameters": {"line": 3, "width": 3, "height": 3}}, {}),
            ({"name": "g", "problem": "graph", "parameters": {"nodes": range(10, 40, 10), "seed": [1, 2]}}, {}),
            (
                {"name": "v", "problem": "value", "parameters": {"family": "domineering", "position": ["2x2", "2x3"]}},
                {},
            ),
            (FAILING, {}),
        ]
        for sweep, options in sweeps:
            run = cluster.submit(sweep, **options).wait(60, progress=False)
            for wide in ([], ["--all-columns"]):
                words = ["-o", "t.parquet", "--access", str(self.access(cluster)), *wide]
                self.hasami("runs", "export", str(run.number), *words)
                expected = pyarrow.parquet.ParquetFile("t.parquet").read()
                found = run.table(all_columns=bool(wide))
                if run.name == "g" and wide:
                    # The file has two columns of this name.
                    names = [
                        f"cost.{name}" if at > 5 and name == "nodes" else name
                        for at, name in enumerate(expected.column_names)
                    ]
                    expected = expected.rename_columns(names)
                with self.subTest(run.name, wide=wide):
                    self.assertEqual(found.schema.names, expected.schema.names)
                    self.assertEqual(found.schema.types, expected.schema.types)
                    self.assertEqual(found.to_pylist(), expected.to_pylist())
                    self.assertEqual(run.rows(bool(wide)), expected.to_pylist())
                    frame = run.frame(bool(wide))
                    self.assertEqual(list(frame.columns), expected.schema.names)
                    cells = frame.astype(object).where(frame.notna(), None).to_dict("records")
                    self.assertEqual(cells, expected.to_pylist())
        self.assertEqual([run.number for run in cluster.runs()], [1, 2, 3, 4, 5, 6])
        self.assertEqual(cluster.run("one").number, 3)
        self.assertEqual(cluster.run().name, "failing")

    def test_items_are_found_by_state_and_parameter_and_page_by_page(self) -> None:
        cluster = self.local()
        run = cluster.submit(CHOMP).wait(60, progress=False)
        self.assertEqual((run.state, len(run), run.counts["settled"]), ("finished", 25, 25))
        self.assertEqual([item.number for item in run.items()], list(range(25)))
        self.assertEqual([item.number for item in run.items(offset=3, limit=4)], [3, 4, 5, 6])
        found = run.items(state=["settled", "failed"], where={"rows": 2}, offset=1, limit=2)
        self.assertEqual([item.parameters["columns"] for item in found], ["2", "3"])
        self.assertEqual(run.items(state="failed"), [])
        with self.assertRaisesRegex(hasami.Error, "no parameter row; it has rows"):
            run.items(where={"row": 2})
        with self.assertRaisesRegex(ValueError, "expected waiting, running"):
            run.items(state="lost")
        with self.assertRaisesRegex(hasami.Error, "no item 25; its items are 0 to 24"):
            run.item(25)
        item = run.item(7)
        self.assertEqual((item.question, item.verdict, item.basis), ("chomp rows=2 columns=3", "proven", "proved"))
        self.assertIn("settled at the first attempt", item.explain())
        known = cluster.submit(CHOMP).wait(60, progress=False)
        self.assertEqual((known.counts["reused"], run.counts["reused"]), (25, 0))
        again = cluster.submit(CHOMP, force=True).wait(60, progress=False)
        self.assertEqual(again.counts["reused"], 0)

    def test_certificates_are_what_the_answers_promise(self) -> None:
        cluster = self.local()
        run = cluster.submit(CHOMP).wait(60, progress=False)
        files = run.certificates("certificates")
        self.assertEqual(len(files), 25)
        told = self.hasami("verify", *map(str, files))
        self.assertEqual(told.count(": verified: "), 25, told)
        item = run.item(7)
        file = item.certificate("seven.cert")
        self.assertEqual(
            file.read_bytes(), (self.directory / "certificates" / f"{item.certificates[0].digest}.cert").read_bytes()
        )
        # A file with other bytes is replaced, and bytes that do not fit never become a file.
        file.write_bytes(b"x" * item.certificates[0].bytes)
        item.certificate(file)
        self.assertIn(b"HASAMI", file.read_bytes())
        for kept in (cluster.directory / "data").rglob(f"{item.certificates[0].digest}*"):
            kept.chmod(0o600)
            kept.write_bytes(bytes(reversed(kept.read_bytes())))
        with self.assertRaises(hasami.Error):
            item.certificate("broken.cert")
        self.assertEqual([path.name for path in self.directory.glob("*broken*")], [])

    def test_a_run_is_paused_resumed_and_cancelled(self) -> None:
        cluster = self.local(workers=1)
        run = cluster.submit(SLOW, priority=7)
        self.assertEqual(run.info.priority, 7)
        self.assertEqual((run.pause().state, run.resume().state), ("paused", "running"))
        began = time.monotonic()
        with self.assertRaisesRegex(TimeoutError, "it goes on"):
            run.wait(1, progress=False)
        self.assertLess(time.monotonic() - began, 3)
        self.assertEqual(run.refresh().state, "running")
        changed = [type(event).__name__ for event in self._cancelled(run)]
        self.assertEqual((run.state, run.counts["cancelled"], changed[-1]), ("cancelled", 4, "Run"))
        with self.assertRaisesRegex(hasami.Error, "has no certificate"):
            run.item(0).certificate()
        self.assertIn("<run 1: slow, cancelled: 0 settled, 4 cancelled of 4 items>", repr(run))

    def _cancelled(self, run: hasami.Run) -> object:
        for event in run.watch(30):
            yield event
            run.cancel()

    def test_limits_go_before_what_the_sweep_says(self) -> None:
        run = self.local().submit(SLOW, budget=2000).wait(60, progress=False)
        self.assertEqual(run.counts["open"], 4)
        self.assertIn("budget = 2000", run.sweep)
        self.assertEqual({item.verdict for item in run.items()}, {"open"})

    def test_ctrl_c_leaves_the_run_alone(self) -> None:
        run = self.local(workers=1).submit(SLOW)
        began = time.monotonic()
        threading.Timer(1, os.kill, [os.getpid(), signal.SIGINT]).start()
        with self.assertRaises(KeyboardInterrupt):
            run.wait(30)
        self.assertLess(time.monotonic() - began, 4)
        self.assertEqual(run.refresh().state, "running")


class Mistakes(InDirectory):
    def test_all_errors_of_a_sweep_have_their_places(self) -> None:
        cluster = self.local(workers=0)
        lines = ['name = "b ad"', 'problem = "chomp"', "[parameters]", "rows = 3", 'columns = "5..=1"']
        (self.directory / "bad.toml").write_text("\n".join(lines))
        with self.assertRaises(hasami.SweepError) as caught:
            cluster.submit("bad.toml")
        places = [(one.file, one.line, one.column, one.field) for one in caught.exception.mistakes]
        self.assertEqual(places, [("bad.toml", 1, 8, "name"), ("bad.toml", 5, 11, "parameters.columns")])
        self.assertFalse(caught.exception.more)
        many = "\n".join([*lines[:2], *(f"unknown-{at} = 1" for at in range(12)), *lines[2:]])
        with self.assertRaises(hasami.SweepError) as caught:
            cluster.submit(many)
        self.assertEqual((len(caught.exception.mistakes), caught.exception.more), (14, False))
        with mock.patch("hasami.program.check", side_effect=hasami.ProgramError("no program")):
            with self.assertRaises(hasami.SweepError) as caught:
                cluster.submit(many)
        self.assertTrue(caught.exception.more and 3 < len(caught.exception.mistakes) < 14)
        with self.assertRaisesRegex(hasami.SweepError, "parameters.row: unknown field") as caught:
            cluster.submit({"name": "x", "problem": "chomp", "parameters": {"row": 3, "columns": 2}})
        text = caught.exception.text.split("\n")
        self.assertEqual(text[caught.exception.mistakes[0].line - 1], "row = 3")
        with self.assertRaisesRegex(hasami.SweepError, "sweep:2:"):
            cluster.submit('name = "x"\nproblem = "chomp\n')
        with self.assertRaisesRegex(hasami.Error, "nowhere.toml"):
            cluster.submit("nowhere.toml")
        self.assertEqual(cluster.runs(), [])

    def test_values_from_a_file_have_places_in_it(self) -> None:
        cluster = self.local(workers=0)
        (self.directory / "rows.txt").write_text("# rows\n2\n\n3\tx\nmany\n")
        (self.directory / "s.toml").write_text(
            '# { name = "not this" }\nname = "x"\nproblem = "chomp"\n[parameters]\n'
            'rows = { lines = "rows.txt" } # values\ncolumn = 1\n'
        )
        with self.assertRaises(hasami.SweepError) as caught:
            cluster.submit("s.toml")
        places = {(one.file, one.line, one.field) for one in caught.exception.mistakes}
        self.assertEqual(places, {("s.toml", 6, "parameters.column"), ("rows.txt", 5, "parameters.rows")})
        with self.assertRaisesRegex(hasami.Error, r"rows.txt:2: no column 2"):
            cluster.submit('name = "x"\nproblem = "chomp"\n[parameters]\nrows = { lines = "rows.txt", column = 2 }\n')
