"""Items: the questions of a run, and what they came to."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from . import html, tables
from .certificate import Certificate, picture
from .errors import Error
from .v1 import common_pb2 as common
from .v1.runs_pb2 import ExplainRequest, ExplainResponse, ItemInfo
from .words import duration, time, word

if TYPE_CHECKING:
    from .wire import Wire

# Larger certificates are not drawn.
_DRAWN = 8 << 20


class Item:
    """One question of a run, as it was when it was read."""

    def __init__(self, info: ItemInfo, wire: Wire) -> None:
        self.info = info
        self._wire = wire

    @property
    def run(self) -> int:
        """The number of its run."""
        return self.info.run

    @property
    def number(self) -> int:
        """Its number in the run, from 0."""
        return self.info.item

    @property
    def problem(self) -> str:
        """A game or a job."""
        return self.info.question.problem

    @property
    def parameters(self) -> dict[str, str]:
        """All parameters, in canonical spelling."""
        return tables.params(self.info)

    @property
    def question(self) -> str:
        """``chomp rows=3 columns=4``."""
        return " ".join([self.problem, *(f"{name}={value}" for name, value in self.parameters.items())])

    @property
    def state(self) -> str:
        """``waiting``, ``running``, ``settled``, ``open``, ``failed`` or ``cancelled``."""
        return word(common.ItemState, self.info.state)

    @property
    def verdict(self) -> str | None:
        """``proven``, ``disproven``, ``answered`` or ``open``; ``None`` without an answer."""
        return tables.verdict(self.info) if self.info.HasField("answer") else None

    @property
    def claim(self) -> str:
        """The answer in the words of the game."""
        return self.info.answer.claim

    @property
    def fields(self) -> dict[str, str]:
        """Further columns of the answer."""
        return tables.fields(self.info)

    @property
    def basis(self) -> str | None:
        """What the answer rests on: ``proved``, ``recomputed`` or ``unproved``."""
        check = self.info.answer.check
        return word(common.Basis, check.basis) if self.info.answer.HasField("check") else None

    @property
    def failure(self) -> str:
        """Why it failed, if it did."""
        return self.info.failure

    @property
    def reused(self) -> bool:
        """Whether the answer was known before."""
        return self.info.reused

    @property
    def nodes(self) -> int:
        """Nodes of the search."""
        return self.info.answer.measures.nodes

    @property
    def seconds(self) -> float:
        """Time of computing."""
        return self.info.answer.measures.seconds

    @property
    def certificates(self) -> list[Certificate]:
        """What proves the answer."""
        return [Certificate.of(file, self._wire) for file in self.info.answer.certificates]

    def certificate(self, path: str | os.PathLike[str] = ".") -> Path:
        """Downloads its only certificate to a file, or into a directory; its digest is checked."""
        match self.certificates:
            case [one]:
                return one.save(path)
            case []:
                raise Error(f"item {self.number} is {self.state} and has no certificate")
            case several:
                raise Error(f"item {self.number} has {len(several)} certificates: see item.certificates")

    def explain(self) -> str:
        """Everything that has happened to it, and what it waits for."""
        request = ExplainRequest(run=self.run, item=self.number)
        told: ExplainResponse = self._wire.call("Explain", request)
        lines = [f"{time(entry.time_ms):%Y-%m-%dT%H:%M:%SZ}  {entry.text}" for entry in told.history]
        return "\n".join([*lines, told.now] if told.now else lines)

    def picture(self, program: str | os.PathLike[str] | None = None) -> str | None:
        """The picture of its first proof that can be drawn, as SVG. Needs the program ``hasami``, which
        verifies the certificate as well."""
        with tempfile.TemporaryDirectory(prefix="hasami-") as directory:
            for certificate in self.certificates:
                if certificate.bytes <= _DRAWN:
                    drawn = picture(certificate.save(directory), program)
                    if drawn is not None:
                        return drawn
        return None

    def __repr__(self) -> str:
        result = self.claim or self.failure.partition("\n")[0]
        return f"<item {self.number}: {self.question}: {self.state}{': ' if result else ''}{result}>"

    def _repr_html_(self) -> str:
        facts = {"state": self.state, "answer": self.claim, "failure": self.failure, **self.fields}
        if self.info.HasField("answer"):
            facts["basis"] = self.basis or ""
            facts["search"] = f"{self.nodes:,} nodes in {duration(self.seconds)}"
        facts["certificates"] = "\n".join(f"{file.digest}.cert" for file in self.certificates)
        try:
            drawn = html.picture(self.picture())
        except (Error, OSError) as error:
            drawn = html.note(f"no picture: {error}") if self.certificates else ""
        return html.block(f"item {self.number}: {self.question}", html.facts(facts) + drawn)


class Items(list[Item]):
    """Items as a list that a notebook shows as a table."""

    def _repr_html_(self) -> str:
        asked = list(dict.fromkeys(name for item in self for name in item.parameters))
        return html.table(tables.columns([item.info for item in self], True, asked))


def items(infos: Iterable[ItemInfo], wire: Wire) -> Iterator[Item]:
    """Items of messages."""
    return (Item(info, wire) for info in infos)
