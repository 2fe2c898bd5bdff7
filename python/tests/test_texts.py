"""What needs no coordinator: messages, files, texts, HTML."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path
from typing import Any

from google.protobuf import descriptor_pb2
from grpc_tools import protoc
from support import FAILING, TOP, InDirectory

import hasami
from hasami import html, sweep, tables, wire
from hasami.errors import mistakes
from hasami.v1 import common_pb2, runs_pb2
from hasami.v1.runs_pb2 import ItemInfo


class Package(InDirectory):
    def test_the_messages_are_those_of_the_proto_files(self) -> None:
        files = ["hasami/v1/common.proto", "hasami/v1/runs.proto"]
        self.assertEqual(protoc.main(["", f"-I{TOP}/proto", "--descriptor_set_out=all.bin", *files]), 0)
        made = descriptor_pb2.FileDescriptorSet.FromString(Path("all.bin").read_bytes())
        for wanted, module in zip(made.file, [common_pb2, runs_pb2], strict=True):
            found = descriptor_pb2.FileDescriptorProto.FromString(module.DESCRIPTOR.serialized_pb)
            for file in (wanted, found):
                for message in file.message_type:
                    for field in message.field:
                        field.ClearField("json_name")
            self.assertEqual(found, wanted, "see python/README.md")

    def test_versions_are_those_of_the_product(self) -> None:
        cargo = tomllib.loads((TOP / "Cargo.toml").read_text())
        self.assertEqual(metadata.version("hasami"), cargo["workspace"]["package"]["version"])
        text = (TOP / "proto/src/protocol.rs").read_text()
        versions = dict(re.findall(r"pub const (\w+): u32 = (\d+);", text))
        self.assertTrue(int(versions["OLDEST_PROTOCOL"]) <= wire.PROTOCOL <= int(versions["PROTOCOL"]))


class AccessFiles(InDirectory):
    def _read(self, text: str, mode: int = 0o400) -> hasami.Access:
        path = self.directory / "access.json"
        path.unlink(missing_ok=True)
        path.write_text(text)
        path.chmod(mode)
        return hasami.Access.read(path)

    def test_a_file_is_read_only_if_nobody_else_can(self) -> None:
        access = self._read('{"url": "a:1", "client_token": "s3cret"}')
        self.assertEqual((access.addresses(), access.token()), (["a:1"], "s3cret"))
        self.assertNotIn("s3cret", repr(access))
        with self.assertRaisesRegex(hasami.Error, "mode 0440"):
            self._read("{}", 0o440)
        for text in ('{"url": 3}', "[]", "s3cret", '{"url": "a:1", "client_token": ["s3cret"]}', "\xff"):
            with self.assertRaisesRegex(hasami.Error, "is no access file") as caught:
                self._read(text)
            self.assertNotIn("s3cret", str(caught.exception))
        with self.assertRaisesRegex(hasami.Error, 'no "client_token"'):
            self._read('{"url": "a:1", "worker_token": "x"}').token()
        with self.assertRaisesRegex(hasami.Error, "no header"):
            self._read('{"url": "a:1", "client_token": "x\\ny"}').token()
        with self.assertRaisesRegex(hasami.Error, "sought in .*HASAMI_ACCESS"):
            hasami.connect()

    def test_addresses_and_encryption_fit(self) -> None:
        self.assertEqual(hasami.Access("http://a:1, b:2,http://[::1]:3").addresses(), ["a:1", "b:2", "[::1]:3"])
        self.assertEqual(hasami.Access("https://a:1,b:2", ca_pem="x").addresses(), ["a:1", "b:2"])
        for url, ca in [
            ("https://a:1", None),
            ("http://a:1", "x"),
            ("a", None),
            ("a:x", None),
            ("ftp://a:1", None),
            ("", None),
            ("a:1/b", None),
            (",".join(["a:1"] * 17), None),
        ]:
            with self.subTest(url), self.assertRaises(hasami.Error):
                hasami.Access(url, ca_pem=ca).addresses()


class Sweeps(InDirectory):
    def test_a_dict_survives_its_text(self) -> None:
        fields = {
            "name": "x",
            "labels": {"a key": 'quotes " and \\ and \x7f and \t'},
            "parameters": {"zones": True, "rows": [1, 2], "epsilon": 0.5},
            "zip": [{"width": [5, 6], "height": "5..=6"}],
            "priority": -3,
        }
        self.assertEqual(tomllib.loads(sweep.dumps(fields)), fields)
        self.assertEqual(
            tomllib.loads(sweep.dumps({"parameters": {"rows": range(2)}})), {"parameters": {"rows": [0, 1]}}
        )
        with self.assertRaisesRegex(hasami.Error, "no value of a sweep"):
            sweep.dumps({"name": object()})

    def test_lines_of_files_take_the_place_of_their_names(self) -> None:
        Path("a.txt").write_text('one\tx\r\n# no\n\n tw"o\ty\n')
        text = "[parameters]\na = { lines = \"a.txt\" } # { }\nb = 1\n[[zip]]\nc = { column = 2, lines = 'a.txt' }\n"
        found = sweep.Sweep.read(text)
        expected = {"parameters": {"a": ["one", 'tw"o'], "b": 1}, "zip": [{"c": ["x", "y"]}]}
        self.assertEqual(tomllib.loads(found.text), expected)
        for line, place in [
            (1, "sweep:1"),
            (3, "a.txt:1"),
            (4, "a.txt:4"),
            (6, "sweep:3"),
            (9, "a.txt:1"),
            (11, "sweep:5"),
        ]:
            self.assertTrue(str(found.error(f"sweep:{line}:1: x")).startswith(place), (line, found.text))
        Path("dict.toml").write_text(text)
        self.assertEqual(sweep.Sweep.read("dict.toml").text, found.text)
        table = {"parameters": {"a": {"lines": "a.txt"}, "lines": "a.txt"}, "labels": {"lines": "a.txt"}}
        wanted = table | {"parameters": {"a": ["one", 'tw"o'], "lines": "a.txt"}}
        self.assertEqual(tomllib.loads(sweep.Sweep.read(table).text), wanted)
        with self.assertRaisesRegex(hasami.Error, "on one line"):
            sweep.Sweep.read('[parameters]\n# a = { lines = "a.txt" }\na = { lines = "a.txt" }\n')

    def test_errors_are_read_from_their_text(self) -> None:
        found, more = mistakes(
            "s:3:8: kind: found: x\ns:1:2: zip 1.position: y\ns:2:1: no TOML: here\nstopped looking after 2 errors"
        )
        self.assertEqual([(one.line, one.field) for one in found[:2]], [(3, "kind"), (1, "zip 1.position")])
        self.assertTrue(more)
        self.assertEqual(str(found[0]), "s:3:8: kind: found: x")
        self.assertEqual(mistakes("the disk is full"), ([], False))


class Cut:
    """A connection that is cut after three items, then after six, …; item 3 leaves its state meanwhile."""

    patience = 5.0

    def __init__(self) -> None:
        self.calls = 0
        self.settled = list(range(10))

    def stream(self, name: str, request: runs_pb2.ItemsRequest) -> Iterator[runs_pb2.ItemsResponse]:
        self.calls += 1
        fit = (self.settled if request.states else list(range(10)))[request.offset :]
        fit = fit[: request.limit or None]
        for number in fit[: 3 * self.calls]:
            yield runs_pb2.ItemsResponse(item=ItemInfo(item=number))
        if len(fit) > 3 * self.calls:
            self.settled = [number for number in self.settled if number != 3]
            raise hasami.Unreachable("cut")


class Breaks(InDirectory):
    def test_items_go_on_after_a_break(self) -> None:
        def numbers(**options: Any) -> list[int]:
            return [item.number for item in hasami.Run(runs_pb2.RunInfo(run=1), Cut()).each(**options)]

        self.assertEqual(numbers(), list(range(10)))
        self.assertEqual(numbers(offset=1, limit=7), [1, 2, 3, 4, 5, 6, 7])
        self.assertEqual(numbers(state="settled", offset=2, limit=4), [2, 3, 4, 5])


class Tables(InDirectory):
    def _items(self, *params: dict[str, str], fields: dict[str, str] | None = None) -> list[ItemInfo]:
        infos = []
        for number, given in enumerate(params):
            info = ItemInfo(item=number, state="ITEM_STATE_SETTLED")
            for name, value in given.items():
                info.question.params.add(name=name, value=value)
            for name, value in (fields or {}).items():
                info.answer.fields.add(name=name, value=value)
            infos.append(info)
        return infos

    def test_columns_have_types_and_names_of_their_own(self) -> None:
        items = self._items(
            {"a": "1", "verdict": "x"}, {"a": "02", "verdict": "y"}, fields={"a": "7", "mean": "3", "big": "9" * 20}
        )
        found = {column.name: (column.kind, column.values) for column in tables.columns(items, False)}
        self.assertEqual(found["a"], ("text", ["1", "02"]))
        self.assertEqual(found["answer.a"], ("int", [7, 7]))
        self.assertEqual(found["mean"], ("text", ["3", "3"]))
        self.assertEqual(found["big"][0], "text")
        self.assertEqual(tables.rows(tables.columns([], True)), [])
        self.assertEqual(len(tables.frame(tables.columns([], True))), 0)

    def test_everything_is_escaped(self) -> None:
        evil = "<script>alert('1')</script>\"&"
        items = self._items(
            {evil: evil + "1", "b": "1"}, {evil: "2", "b": "1"}, fields={evil: evil, "mark": evil, "class": evil}
        )
        for info in items:
            info.answer.claim = info.failure = evil
            info.answer.certificates.add(name=evil)
        grid = self._items(
            {"a": evil, "b": "1"},
            {"a": evil, "b": "2"},
            {"a": "y", "b": "1"},
            {"a": "y", "b": "2"},
            fields={"mark": evil},
        )
        shown = [
            html.table(tables.columns(items, True)),
            html.matrix(grid) or "",
            html.matrix(self._items({"p": f"{evil},b"}, {"p": "b,c"})) or "",
            html.facts({evil: evil}),
            html.block(evil, html.note(evil)),
            html.picture(f'<svg onload="{evil}"/>'),
        ]
        for text in shown:
            self.assertGreater(len(text), 50)
            self.assertNotIn("<script", text)
            self.assertNotIn("alert('1')", text)
            self.assertNotIn("onload", text)

    def test_a_notebook_shows_runs_that_failed(self) -> None:
        run = self.local(workers=1).submit(FAILING).wait(60, progress=False)
        self.assertEqual((run.counts["failed"], run.item(0).state), (6, "failed"))
        self.assertIn("not under a directory that is allowed", run.items(state="failed")[0].failure)
        for shown in (run, run.item(0), run.items(), hasami.Runs([run])):
            text = shown._repr_html_()
            self.assertIn("fail", text)
            self.assertNotIn("<img", text)
            self.assertNotIn("<script", text)
