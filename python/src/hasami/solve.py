"""One question, settled on this machine by the program."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from . import html
from . import program as programs
from .certificate import picture
from .errors import Error
from .words import duration


@dataclass(frozen=True)
class Answer:
    """What ``hasami solve`` has found. ``json`` is all that it says."""

    problem: str
    verdict: str
    claim: str
    moves: int | None
    nodes: int
    seconds: float
    certificate: Path | None
    json: dict[str, Any] = field(repr=False)
    _program: str = field(repr=False)

    def picture(self) -> str | None:
        """The picture of the proof as SVG; ``None`` if the game has none."""
        return picture(self.certificate, self._program) if self.certificate else None

    def _repr_html_(self) -> str:
        facts = {
            "verdict": self.verdict,
            "claim": self.claim,
            "moves": "" if self.moves is None else f"{self.moves} at most",
            "search": f"{self.nodes:,} nodes in {duration(self.seconds)}",
            "certificate": str(self.certificate or ""),
            "drawing": "\n".join(self.json.get("drawing", {}).get("rows", [])),
        }
        try:
            drawn = html.picture(self.picture())
        except (Error, OSError) as error:
            drawn = html.note(f"no picture: {error}")
        if drawn:
            del facts["drawing"]
        return html.block(self.problem, html.facts(facts) + drawn)


def solve(
    game: str,
    *words: str,
    options: Mapping[str, object] | None = None,
    timeout: float | None = None,
    program: str | os.PathLike[str] | None = None,
    **parameters: object,
) -> Answer:
    """Settles one question with ``hasami solve`` and waits for it.

    ``words`` and ``parameters`` are those of the game: ``solve("polyomino", "Square", "W")``,
    ``solve("mnk", line=3, width=3, height=3)``; ``_`` stands for ``-`` in a name. ``options`` are those of
    the command: ``{"budget": "5M", "threads": 2, "store": "hasami-data/store"}``; ``True`` is a flag. A
    question that stays open has the verdict ``unknown``."""
    for word in (game, *words):
        if word.startswith("-"):
            raise Error(f"{word!r}: expected a word; options are given by options={{…}}")
    line = ["solve", game, *words]
    line += [f"{name.replace('_', '-')}={value}" for name, value in parameters.items()]
    for name, value in (options or {}).items():
        flag = f"--{name.replace('_', '-')}"
        line.append(flag if value is True else f"{flag}={value}")
    found = programs.find(program)
    _, out = programs.run(line, found, timeout)
    told = json.loads(out)
    certificate = told.get("certificate")
    return Answer(
        problem=told["problem"],
        verdict=told["verdict"],
        claim=told.get("claim", ""),
        moves=told["moves"],
        nodes=told["nodes"],
        seconds=told["seconds"],
        certificate=Path(certificate).absolute() if certificate else None,
        json=told,
        _program=found,
    )
