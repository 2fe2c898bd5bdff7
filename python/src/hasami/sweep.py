"""The text of a sweep, from what a user gives: a file, a text, or a dict."""

from __future__ import annotations

import json
import os
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from .errors import Error, Mistake, SweepError, mistakes

# The largest file of values, in bytes: the text of a sweep travels in one message.
_LARGEST = 12 << 20
# `{ lines = "FILE" }`, also with a column, on one line.
_REFERENCE = re.compile(r"""\{(?:[^{}"'\n]|"(?:[^"\\\n]|\\.)*"|'[^'\n]*')*\}""")

Source = str | os.PathLike[str] | Mapping[str, Any]


@dataclass(frozen=True)
class _List:
    """Values that came from the lines of a file."""

    file: str
    # The line of the text, from 1, with the first value.
    first: int
    # The line in the file of each value.
    lines: list[int]


@dataclass(frozen=True)
class Sweep:
    """A text that is ready to be sent, and how places in it are told."""

    text: str
    name: str = "sweep"
    lists: list[_List] = field(default_factory=list)

    @classmethod
    def read(cls, source: Source) -> Sweep:
        """Reads a path, a text of TOML (it has several lines) or a dict."""
        if isinstance(source, Mapping):
            return cls(dumps(source))._expanded(Path())
        if isinstance(source, str) and "\n" in source:
            return cls(source)._expanded(Path())
        path = Path(source)
        try:
            text = path.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise Error(
                f"{path}: {error}; expected a sweep file, the text of one (several lines) or a dict; the "
                "sweeps that come with the program are submitted by `hasami submit NAME`"
            ) from None
        return cls(text, str(path))._expanded(path.parent)

    def changed(self, *, priority: int | None, budget: int | str | None, time_limit: str | None) -> Sweep:
        """The sweep with other values; its places are those of the new text."""
        if priority is budget is time_limit is None:
            return self
        fields = self._parsed()
        if priority is not None:
            fields["priority"] = priority
        limits = {"budget": budget, "time-limit": time_limit}
        limits = {name: value for name, value in limits.items() if value is not None}
        search = fields.get("search", {})
        # What is no table is for the coordinator to refuse.
        if limits and isinstance(search, dict):
            fields["search"] = search | limits
        return Sweep(dumps(fields))

    def error(self, message: str) -> Error:
        """The error that the coordinator, or the program, has found in this text."""
        found, more = mistakes(message)
        if not found:
            return Error(message)
        return SweepError([self._placed(mistake) for mistake in found], more, self.text)

    def _placed(self, mistake: Mistake) -> Mistake:
        """With the place that a user knows: of the file as written, or of a file of values."""
        added = 0
        for values in self.lists:
            at = mistake.line - values.first
            if 0 <= at < len(values.lines):
                return replace(mistake, file=values.file, line=values.lines[at], column=1)
            if at >= 0:
                # The list takes a line for each value, and one to end.
                added += len(values.lines) + 1
        return replace(mistake, file=self.name, line=mistake.line - added)

    def _parsed(self) -> dict[str, Any]:
        try:
            return tomllib.loads(self.text)
        except tomllib.TOMLDecodeError as error:
            raise Error(f"{self.name}: {error}") from None

    def _expanded(self, directory: Path) -> Sweep:
        """Puts the lines of files into the text, for ``position = { lines = "FILE" }``."""
        try:
            parsed = tomllib.loads(self.text)
        except tomllib.TOMLDecodeError:
            # The coordinator tells the errors of TOML with their places.
            return self
        wanted = _replaced(parsed, directory)
        if wanted == parsed:
            return self
        out, copied, lists = "", 0, []
        for match in _REFERENCE.finditer(self.text):
            reference = _reference(match.group())
            if reference is None:
                continue
            file, column, numbers = _values(directory, reference)
            out += self.text[copied : match.start()] + "["
            copied = match.end()
            lists.append(_List(file, out.count("\n") + 2, numbers))
            out += "".join(f"\n{json_text(value)}," for value in column) + "\n]"
        out += self.text[copied:]
        try:
            right = tomllib.loads(out) == wanted
        except tomllib.TOMLDecodeError:
            right = False
        if not right:
            raise Error(f'{self.name}: expected each {{ lines = "FILE" }} on one line, and none in a remark')
        return Sweep(out, self.name, lists)


def _is_reference(value: Any) -> bool:
    known = isinstance(value, dict) and "lines" in value and value.keys() <= {"lines", "column"}
    return known and isinstance(value["lines"], str)


def _reference(text: str) -> dict[str, Any] | None:
    try:
        value = tomllib.loads(f"value = {text}")["value"]
    except tomllib.TOMLDecodeError:
        return None
    return value if _is_reference(value) else None


def _replaced(sweep: dict[str, Any], directory: Path) -> dict[str, Any]:
    """The sweep with the values of files, which only parameters can have."""

    def table(found: Any) -> Any:
        if not isinstance(found, dict):
            return found
        read = {name: _values(directory, value)[1] for name, value in found.items() if _is_reference(value)}
        return found | read

    replaced = {**sweep, "parameters": table(sweep.get("parameters"))}
    groups = sweep.get("zip")
    replaced["zip"] = [table(group) for group in groups] if isinstance(groups, list) else groups
    return {name: replaced[name] for name in sweep}


def _values(directory: Path, reference: dict[str, Any]) -> tuple[str, list[str], list[int]]:
    """The file, its values, and the line of each: without empty lines and remarks."""
    file, column = reference["lines"], reference.get("column", 1)
    if not isinstance(column, int) or column < 1:
        raise Error(f"{file}: column {column}; expected a number from 1")
    path = directory / file
    try:
        if path.stat().st_size > _LARGEST:
            raise Error(f"{path}: more than {_LARGEST} bytes")
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise Error(f"{path}: {error}; expected a file of values") from None
    values, numbers = [], []
    for number, line in enumerate(text.split("\n"), 1):
        line = line.strip()
        if not line or line.startswith("#"):
            continue
        columns = line.split("\t")
        if len(columns) < column:
            raise Error(f"{path}:{number}: no column {column}; expected one in every line")
        values.append(columns[column - 1].strip())
        numbers.append(number)
    if not values:
        raise Error(f"{path}: no line; expected one value a line")
    return file, values, numbers


def json_text(text: str) -> str:
    """A text as TOML spells it; JSON does so too, but for one character."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def dumps(fields: Mapping[str, Any]) -> str:
    """A sweep as TOML, in the order of the dict: it is the order of the items."""
    plain, tables = [], []
    for name, value in fields.items():
        if isinstance(value, Mapping):
            tables += ["", f"[{_key(name)}]", *_lines(value)]
        elif name == "zip":
            for group in value:
                tables += ["", "[[zip]]", *_lines(group)]
        else:
            plain.append(f"{_key(name)} = {_value(value)}")
    return "\n".join(plain + tables) + "\n"


def _lines(table: Mapping[str, Any]) -> list[str]:
    return [f"{_key(name)} = {_value(value)}" for name, value in table.items()]


def _key(name: str) -> str:
    return name if re.fullmatch(r"[A-Za-z0-9_-]+", name) else json_text(name)


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return repr(value)
    if isinstance(value, (str, os.PathLike)):
        return json_text(os.fspath(value))
    if isinstance(value, Mapping):
        return "{ " + ", ".join(_lines(value)) + " }"
    try:
        return "[" + ", ".join(map(_value, value)) + "]"
    except TypeError:
        raise Error(f"{value!r} is no value of a sweep; expected a number, text, bool or a list") from None
