"""Items as a table, with the columns and types of ``hasami runs export``."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from .v1 import common_pb2 as common
from .v1.runs_pb2 import ItemInfo
from .words import word

# Values of games: exact fractions in some rows and whole numbers in others. Always text.
_VALUES = ("value", "chilled", "mean", "temperature", "left_stop", "right_stop")
_WHOLE = re.compile(r"0|-?[1-9][0-9]*")

Kind = Literal["bool", "int", "float", "text"]


@dataclass(frozen=True)
class Column:
    """One column; ``None`` where a row has nothing."""

    name: str
    kind: Kind
    values: list[Any]


def params(item: ItemInfo) -> dict[str, str]:
    """The parameters of an item."""
    return {param.name: param.value for param in item.question.params}


def fields(item: ItemInfo) -> dict[str, str]:
    """The columns of its answer."""
    return {field.name: field.value for field in item.answer.fields}


def verdict(item: ItemInfo) -> str:
    """The verdict, or the state if there is none yet."""
    if item.HasField("answer"):
        return word(common.Verdict, item.answer.verdict)
    return word(common.ItemState, item.state)


def varying(items: Sequence[ItemInfo]) -> list[str]:
    """The parameters that differ between the items; of a single item all of them."""
    if not items:
        return []
    first = params(items[0])
    differ: set[str] = set()
    for item in items:
        differ.update(name for name, value in params(item).items() if first.get(name) != value)
    return [name for name in first if name in differ] or list(first)


def columns(items: Sequence[ItemInfo], all_columns: bool, asked: Sequence[str] | None = None) -> list[Column]:
    """The table. The columns depend on the questions alone, unless all are wanted. ``asked`` are the
    parameters that are shown; by default those that vary."""
    given, asked = [params(item) for item in items], varying(items) if asked is None else asked
    found = [fields(item) for item in items]
    cells: dict[str, list[str]] = {"item": [str(item.item) for item in items]}
    for name in asked:
        cells[name] = [params.get(name, "") for params in given]
    cells["verdict"] = [verdict(item) for item in items]
    cells["claim"] = [item.answer.claim for item in items]
    for name in dict.fromkeys(name for row in found for name in row):
        taken = name in cells or name in ("certificates", "basis")
        cells[f"answer.{name}" if taken else name] = [row.get(name, "") for row in found]
    cells["certificates"] = [" ".join(file.name for file in item.answer.certificates) for item in items]
    cells["basis"] = [_basis(item) for item in items]
    costs: dict[str, str] = {}
    if all_columns:
        for name, cost in _costs().items():
            # A question may have a parameter of this name.
            unique = f"cost.{name}" if name in cells else name
            costs[unique] = name
            cells[unique] = [cost(item) for item in items]
    return [_typed(name, costs.get(name, name), values) for name, values in cells.items()]


def _basis(item: ItemInfo) -> str:
    return word(common.Basis, item.answer.check.basis) if item.answer.HasField("check") else ""


def _costs() -> dict[str, Callable[[ItemInfo], str]]:
    return {
        "state": lambda item: word(common.ItemState, item.state),
        "reused": lambda item: "yes" if item.reused else "no",
        "attempts": lambda item: str(item.attempts),
        "nodes": lambda item: str(item.answer.measures.nodes),
        "seconds": lambda item: f"{item.answer.measures.seconds:.3f}",
        "store_hits": lambda item: str(item.answer.measures.store_hits),
        "failure": lambda item: item.failure,
        "sender": lambda item: item.answer.check.sender,
        "checked_by": lambda item: item.answer.check.by,
        "unproved": lambda item: " ".join(item.answer.check.unproved),
        "files": lambda item: " ".join(f"{file.digest.hex()}.cert" for file in item.answer.certificates),
    }


def _typed(name: str, meaning: str, cells: list[str]) -> Column:
    present = [cell for cell in cells if cell]
    if meaning == "reused":
        return Column(name, "bool", [cell == "yes" for cell in cells])
    if meaning == "seconds":
        return Column(name, "float", [float(cell) for cell in cells])
    if present and not name.startswith(_VALUES) and all(map(_is_int64, present)):
        return Column(name, "int", [int(cell) if cell else None for cell in cells])
    return Column(name, "text", [cell or None for cell in cells])


def _is_int64(cell: str) -> bool:
    return len(cell) <= 20 and bool(_WHOLE.fullmatch(cell)) and -(1 << 63) <= int(cell) < 1 << 63


def rows(table: list[Column]) -> list[dict[str, Any]]:
    """A dict for each row."""
    names = [column.name for column in table]
    return [dict(zip(names, row)) for row in zip(*(column.values for column in table))]


def frame(table: list[Column]) -> Any:
    """A data frame of pandas. Its types know missing values, so that numbers stay whole."""
    import pandas

    kinds: dict[Kind, Any] = {"bool": "boolean", "int": "Int64", "float": "Float64", "text": "string"}
    return pandas.DataFrame({column.name: pandas.array(column.values, dtype=kinds[column.kind]) for column in table})


def arrow(table: list[Column]) -> Any:
    """A table of Arrow."""
    import pyarrow

    kinds = {"bool": pyarrow.bool_(), "int": pyarrow.int64(), "float": pyarrow.float64(), "text": pyarrow.string()}
    return pyarrow.table({column.name: pyarrow.array(column.values, kinds[column.kind]) for column in table})
