"""What a notebook shows. Everything is escaped, and nothing is loaded from anywhere."""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from html import escape

from . import tables
from .tables import Column
from .v1.runs_pb2 import ItemInfo

# Rows of a table, and cells of a matrix, that are shown.
_ROWS = 20
_CELLS = 10_000
_CELL = "padding:.15em .5em;border:1px solid rgba(128,128,128,.35)"
_LINE = "white-space:nowrap;max-width:24em;overflow:hidden;text-overflow:ellipsis"
_SIGNS = {
    "proven": "✓", "disproven": "✗", "answered": "•", "open": "?",
    "failed": "!", "cancelled": "–", "running": "▸",
}  # fmt: skip
_TONES = {
    "yes": "80,170,80", "no": "130,140,155", "open": "225,170,40", "unsettled": "225,110,90",
    "told": "80,145,210", "failed": "210,60,45", "none": "128,128,128",
}  # fmt: skip
_STATES = {
    "settled": "#4c9a5f", "open": "#e0a526", "failed": "#c8402f", "cancelled": "#9aa3ad",
    "running": "#5b8fd0", "waiting": "rgba(128,128,128,.3)",
}  # fmt: skip


def block(title: str, body: str) -> str:
    """A heading, and what is below it; ``body`` is HTML."""
    return f'<div style="margin:.4em 0"><div><b>{escape(title)}</b></div>{body}</div>'


def note(text: str) -> str:
    """A remark."""
    return f'<div style="opacity:.75;white-space:pre-wrap">{escape(text)}</div>'


def facts(pairs: Mapping[str, str]) -> str:
    """Names and values; those without a value are left out."""
    rows = "".join(
        f'<tr><td style="text-align:left;vertical-align:top;opacity:.75">{escape(name)}</td>'
        f'<td style="text-align:left;white-space:pre-wrap">{escape(value)}</td></tr>'
        for name, value in pairs.items()
        if value
    )
    return f"<table>{rows}</table>"


def picture(svg: str | None) -> str:
    """A drawing as an image: whatever is in it, it cannot run or load anything."""
    if svg is None:
        return ""
    data = base64.b64encode(svg.encode()).decode()
    return f'<img alt="" style="max-width:100%;background:#fff" src="data:image/svg+xml;base64,{data}">'


def bar(counts: Mapping[str, int], items: int) -> str:
    """The counts of a run as a bar."""
    parts = "".join(
        f'<span title="{counts[state]:,} {state}" style="display:inline-block;height:100%;'
        f'width:{100 * counts[state] / max(items, 1):.3f}%;background:{colour}"></span>'
        for state, colour in _STATES.items()
        if counts[state]
    )
    return f'<div style="height:.7em;max-width:40em;margin:.3em 0;line-height:0">{parts}</div>'


def table(columns: Sequence[Column]) -> str:
    """The first rows of a table, without columns in which nothing stands."""
    shown = [column for column in columns if any(value is not None for value in column.values[:_ROWS])]
    rows = len(columns[0].values) if columns else 0
    head = "".join(f"<th>{escape(column.name)}</th>" for column in shown)
    body = "".join(
        "<tr>" + "".join(_cell(column, column.values[row]) for column in shown) + "</tr>"
        for row in range(min(rows, _ROWS))
    )
    more = note(f"… {rows - _ROWS:,} more rows") if rows > _ROWS else ""
    return f'<div style="overflow-x:auto"><table><tr>{head}</tr>{body}</table></div>{more}'


def _cell(column: Column, value: object) -> str:
    align = "right" if column.kind in ("int", "float") else "left"
    text = "" if value is None else str(value)
    text = escape(text if len(text) <= 200 else text[:199] + "…")
    return f'<td title="{text}" style="text-align:{align};{_LINE}">{text}</td>'


def matrix(items: Sequence[ItemInfo]) -> str | None:
    """Items with two parameters as a matrix, pairs as the triangle of it; ``None`` of others."""
    names = tables.varying(items)
    given = [tables.params(item) for item in items]
    if len(names) == 2:
        places = [(params[names[0]], params[names[1]]) for params in given]
        corner = f"{names[0]} ╲ {names[1]}"
        down = list(dict.fromkeys(place[0] for place in places))
        right = list(dict.fromkeys(place[1] for place in places))
        cells = dict(zip(places, items))
        full = len(cells) == len(down) * len(right)
    elif len(names) == 1 and all(params[names[0]].count(",") == 1 for params in given):
        pairs = [tuple(params[names[0]].split(",")) for params in given]
        corner = ""
        down = right = list(dict.fromkeys([pair[0] for pair in pairs] + [pair[1] for pair in pairs]))
        order = {label: at for at, label in enumerate(down)}
        cells = {(min(p, key=order.__getitem__), max(p, key=order.__getitem__)): i for p, i in zip(pairs, items)}
        full = True
    else:
        return None
    if not full or len(down) * len(right) > _CELLS or min(len(down), len(right)) < 2:
        return None
    head = "".join(f'<th style="{_CELL}">{escape(label)}</th>' for label in right)
    body = "".join(
        f'<tr><th style="{_CELL}">{escape(one)}</th>'
        + "".join(_mark(cells.get((one, other)), f"{one}, {other}") for other in right)
        + "</tr>"
        for one in down
    )
    return (
        '<div style="overflow-x:auto"><table style="border-collapse:collapse">'
        f'<tr><th style="{_CELL}">{escape(corner)}</th>{head}</tr>{body}</table></div>'
    )


def _mark(item: ItemInfo | None, place: str) -> str:
    if item is None:
        return "<td></td>"
    fields, verdict = tables.fields(item), tables.verdict(item)
    sign = fields.get("mark") or _SIGNS.get(verdict, "…")
    told = item.answer.claim or item.failure or verdict
    return (
        f'<td title="{escape(f"{place}: {told}")}" style="{_CELL};text-align:center;'
        f'background:rgba({_TONES[_tone(fields.get("class"), verdict)]},.35)">{escape(sign)}</td>'
    )


def _tone(kind: str | None, verdict: str) -> str:
    classes = {"winner": "yes", "loser": "no", "paving-winner": "open", "unsettled": "unsettled"}
    if kind in classes:
        return classes[kind]
    if kind is None and verdict in ("proven", "disproven", "open"):
        return {"proven": "yes", "disproven": "no", "open": "unsettled"}[verdict]
    if verdict == "failed":
        return "failed"
    return "told" if verdict in ("proven", "disproven", "open", "answered") else "none"
