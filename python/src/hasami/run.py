"""Runs: sweeps that were submitted."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from . import html, tables, words
from .errors import Error, Unreachable
from .item import Item, Items, items
from .progress import Progress
from .v1 import common_pb2 as common
from .v1.runs_pb2 import (
    CancelRequest,
    ItemInfo,
    ItemsRequest,
    PauseRequest,
    ResumeRequest,
    RunInfo,
    ShowRequest,
    WatchRequest,
)
from .wire import Pauses

if TYPE_CHECKING:
    from .wire import Wire

# A stream of events is opened again after this long: it begins with the present state.
_ROUND = 5.0
# Of larger runs a notebook shows the first items only.
_SHOWN = 2000
_OVER = ("finished", "cancelled", "unreadable")
_STATES = ("waiting", "running", "settled", "open", "failed", "cancelled")


class Run:
    """A run. Its properties are those of the last look at it: :meth:`refresh`, :meth:`wait`."""

    def __init__(self, info: RunInfo, wire: Wire) -> None:
        self.info = info
        self._wire = wire

    @property
    def number(self) -> int:
        """Its number."""
        return self.info.run

    @property
    def name(self) -> str:
        """The name of its sweep."""
        return self.info.name

    @property
    def state(self) -> str:
        """``running``, ``paused``, ``finished``, ``cancelled`` or ``unreadable``."""
        return words.word(common.RunState, self.info.state)

    @property
    def is_over(self) -> bool:
        """Whether its state is final."""
        return self.state in _OVER

    @property
    def counts(self) -> dict[str, int]:
        """Its items by their state; ``reused`` are those whose answer was known before."""
        return {state: getattr(self.info.counts, state) for state in (*_STATES, "reused")}

    @property
    def nodes(self) -> int:
        """Nodes searched."""
        return self.info.nodes

    @property
    def submitted(self) -> datetime | None:
        """When it was submitted, in UTC."""
        return words.time(self.info.submitted_ms)

    @property
    def finished(self) -> datetime | None:
        """When it ended, in UTC."""
        return words.time(self.info.finished_ms)

    @property
    def note(self) -> str:
        """Why it failed or waits, where there is something to say."""
        return self.info.note

    @property
    def sweep(self) -> str:
        """The text of its sweep."""
        if not self.info.sweep:
            self.refresh()
        return self.info.sweep

    def __bool__(self) -> bool:
        return True

    def __len__(self) -> int:
        """The number of its items."""
        return self.info.items

    def refresh(self) -> Run:
        """Looks at it again."""
        self.info = self._wire.call("Show", ShowRequest(run=self.number)).run
        return self

    def pause(self) -> Run:
        """Gives out no more of it for now."""
        self.info = self._wire.call("Pause", PauseRequest(run=self.number)).run
        return self

    def resume(self) -> Run:
        """Goes on after a pause."""
        self.info = self._wire.call("Resume", ResumeRequest(run=self.number)).run
        return self

    def cancel(self) -> Run:
        """Gives up what is not finished."""
        self.info = self._wire.call("Cancel", CancelRequest(run=self.number)).run
        return self

    def watch(self, timeout: float | None = None) -> Iterator[Run | Item]:
        """What happens, as it happens, until the run is over: the run itself after each change of it, and
        items that have changed. A coordinator that goes away is waited for."""
        end = None if timeout is None else time.monotonic() + timeout
        pauses = Pauses()
        while True:
            left = _ROUND if end is None else min(_ROUND, end - time.monotonic())
            if left <= 0:
                raise TimeoutError(f"run {self.number} is {self.state} after {timeout} s; it goes on")
            try:
                for reply in self._wire.stream("Watch", WatchRequest(run=self.number), left):
                    pauses.tries = 0
                    event = reply.event
                    if event.HasField("run"):
                        sweep = event.run.sweep or self.info.sweep
                        self.info = event.run
                        self.info.sweep = sweep
                        yield self
                        if self.is_over:
                            return
                    elif event.HasField("item"):
                        yield Item(event.item, self._wire)
            except Unreachable as error:
                time.sleep(min(pauses.next(error), left))

    def wait(self, timeout: float | None = None, progress: bool = True) -> Run:
        """Waits until it is over, through restarts of the coordinator. Ctrl-C, or the end of the timeout
        (``TimeoutError``), leaves the run alone."""
        with Progress(self, progress) as shown:
            for _ in self.watch(timeout):
                shown.update()
        return self

    def each(
        self,
        state: str | Iterable[str] = (),
        where: Mapping[str, object] | None = None,
        offset: int = 0,
        limit: int = 0,
    ) -> Iterator[Item]:
        """Its items one at a time, as :meth:`items` has them: for runs that do not fit into memory."""
        states = [state] if isinstance(state, str) else list(state)
        request = ItemsRequest(
            run=self.number,
            states=[words.number(common.ItemState, one) for one in states],
            params=[common.Param(name=name, value=str(value)) for name, value in (where or {}).items()],
        )
        return items(self._infos(request, offset, limit), self._wire)

    def _infos(self, request: ItemsRequest, offset: int = 0, limit: int = 0) -> Iterator[ItemInfo]:
        """Items, also over breaks of the connection."""
        request.offset, request.limit = offset, limit
        last, count, pauses, end = -1, 0, Pauses(), 0.0
        while True:
            try:
                for reply in self._wire.stream("Items", request):
                    if reply.item.item > last:
                        last, count, pauses.tries = reply.item.item, count + 1, 0
                        yield reply.item
                        if count == limit:
                            return
                return
            except Unreachable as error:
                if pauses.tries == 0:
                    end = time.monotonic() + self._wire.patience
                pause = pauses.next(error)
                if time.monotonic() + pause > end:
                    raise
                time.sleep(pause)
            if request.states and count:
                # Other items may be in these states now: all are read, and those up to the last left out.
                request.offset = request.limit = 0
            elif count:
                request.offset, request.limit = offset + count, limit and limit - count

    def items(
        self,
        state: str | Iterable[str] = (),
        where: Mapping[str, object] | None = None,
        offset: int = 0,
        limit: int = 0,
    ) -> Items:
        """Its items, in order: those in these states and with these values of parameters. Of those,
        ``offset`` are left out, and at most ``limit`` are read (0: all)."""
        return Items(self.each(state, where, offset, limit))

    def item(self, number: int) -> Item:
        """One item."""
        for item in self.each(offset=number, limit=1):
            return item
        raise Error(f"run {self.number} has no item {number}; its items are 0 to {len(self) - 1}")

    def certificates(self, directory: str | os.PathLike[str] = "certificates") -> list[Path]:
        """Downloads the certificates of all answers, each under its digest."""
        Path(directory).mkdir(parents=True, exist_ok=True)
        files = {file.digest: file for item in self.each() for file in item.certificates}
        return [file.save(directory) for file in files.values()]

    def rows(self, all_columns: bool = False) -> list[dict[str, Any]]:
        """The results as dicts, with the columns of ``hasami runs export``. ``all_columns``: states,
        attempts, nodes and times too; these differ from run to run."""
        return tables.rows(self._table(all_columns))

    def frame(self, all_columns: bool = False) -> Any:
        """The results as a data frame of pandas."""
        return tables.frame(self._table(all_columns))

    def table(self, all_columns: bool = False) -> Any:
        """The results as a table of pyarrow."""
        return tables.arrow(self._table(all_columns))

    def _table(self, all_columns: bool) -> list[tables.Column]:
        return tables.columns(list(self._infos(ItemsRequest(run=self.number))), all_columns)

    def outcome(self) -> str:
        """``38 settled, 1 failed, 12 known before``: counts of 0 are left out."""
        told = {**self.counts, "known before": self.info.counts.reused}
        order = ("open", "failed", "cancelled", "running", "waiting", "known before")
        rest = (f"{told[word]:,} {word}" for word in order if told[word])
        return ", ".join([f"{told['settled']:,} settled", *rest])

    def speed(self) -> str:
        """The progress of the search in words."""
        told = [f"{self.nodes:,} nodes"]
        if not self.is_over:
            told += [f"{self.info.nodes_per_second:,.0f}/s", words.counted(self.info.workers, "worker")]
            if self.info.eta >= 0:
                told.append(f"{words.duration(self.info.eta)} left")
        return ", ".join(told)

    def heading(self) -> str:
        """``run 3: chomp, finished``."""
        return f"run {self.number}: {self.name}, {self.state}"

    def __repr__(self) -> str:
        return f"<{self.heading()}: {self.outcome()} of {words.counted(len(self), 'item')}>"

    def progress_html(self) -> str:
        """Its state with its counts."""
        facts = {"items": f"{self.outcome()} of {len(self):,}", "search": self.speed(), "note": self.note}
        return html.block(self.heading(), html.bar(self.counts, len(self)) + html.facts(facts))

    def _repr_html_(self) -> str:
        limit = 0 if len(self) <= _SHOWN else _SHOWN
        try:
            found = list(self._infos(ItemsRequest(run=self.number), limit=limit))
        except Error as error:
            return self.progress_html() + html.note(str(error))
        matrix = None if limit else html.matrix(found)
        left = html.note(f"the first {limit:,} of {len(self):,} items:") if limit else ""
        return self.progress_html() + left + (matrix or html.table(tables.columns(found, False)))


class Runs(list[Run]):
    """Runs as a list that a notebook shows as a table."""

    def _repr_html_(self) -> str:
        heads = ["run", "name", "state", *_STATES, "items"]
        cells = [[run.number, run.name, run.state, *(run.counts[state] for state in _STATES), len(run)] for run in self]
        numbers = {head for head in heads if head not in ("name", "state")}
        return html.table(
            [
                tables.Column(head, "int" if head in numbers else "text", [row[at] for row in cells])
                for at, head in enumerate(heads)
            ]
        )
