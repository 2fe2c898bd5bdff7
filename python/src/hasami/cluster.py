"""A cluster, as a client of its coordinator sees it."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import Any

from . import program
from .access import Access, find
from .errors import Error, ProgramError, Refused, SweepError, Unreachable
from .run import Run, Runs
from .sweep import Source, Sweep
from .v1 import common_pb2 as common
from .v1.runs_pb2 import (
    ListRequest,
    ShowRequest,
    StatusRequest,
    StatusResponse,
    SubmitRequest,
    WorkerInfo,
    WorkersRequest,
)
from .wire import PROTOCOL, Wire


class Cluster:
    """A coordinator and its workers. Threads may share it."""

    def __init__(self, access: Access, patience: float = 20.0) -> None:
        self.access = access
        self._wire = Wire(access, patience)

    def close(self) -> None:
        """Closes the connection; runs go on."""
        self._wire.close()

    def __enter__(self) -> Any:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def submit(
        self,
        sweep: Source,
        *,
        force: bool = False,
        priority: int | None = None,
        budget: int | str | None = None,
        time_limit: str | None = None,
    ) -> Run:
        """Hands a sweep to the coordinator; the run is on its disk when this returns.

        ``sweep`` is a path, the text of a sweep, or a dict of its fields. ``force`` computes everything,
        also what is known. ``budget`` (nodes for each item), ``time_limit`` (computing time for each item,
        like ``"30s"``) and ``priority`` go before what the sweep says. Errors of the sweep are a
        :class:`SweepError` with their places."""
        ready = Sweep.read(sweep).changed(priority=priority, budget=budget, time_limit=time_limit)
        protocol = common.ProtocolRange(oldest=PROTOCOL, newest=PROTOCOL)
        request = SubmitRequest(sweep=ready.text, force=force, protocol=protocol)
        # A coordinator that is away is waited for here: a sweep is sent once.
        self.status()
        try:
            return Run(self._wire.call("Submit", request, repeat=False).run, self._wire)
        except Unreachable as error:
            raise Unreachable(f"{error}; whether it has the sweep, `cluster.runs()` tells") from None
        except Refused:
            raise
        except Error as error:
            raise _all_mistakes(ready, str(error)) from None

    def runs(self) -> Runs:
        """All runs, the oldest first."""
        return Runs(Run(info, self._wire) for info in self._wire.call("List", ListRequest()).runs)

    def run(self, name: int | str | None = None) -> Run:
        """A run by its number, the latest of a name, or the latest of all."""
        number = name or 0
        if isinstance(number, str):
            runs = [run for run in self.runs() if run.name == number]
            if not runs:
                raise Error(f"there is no run {number}")
            number = runs[-1].number
        return Run(self._wire.call("Show", ShowRequest(run=number)).run, self._wire)

    def workers(self) -> list[WorkerInfo]:
        """The workers that are connected."""
        return list(self._wire.call("Workers", WorkersRequest()).workers)

    def status(self) -> StatusResponse:
        """Version, runs, workers, and what is wrong, if anything."""
        reply: StatusResponse = self._wire.call("Status", StatusRequest())
        return reply

    def __repr__(self) -> str:
        return f"<hasami cluster at {self.access.url}>"


def connect(
    access: str | os.PathLike[str] | Access | None = None,
    *,
    coordinator: str | None = None,
    patience: float = 20.0,
) -> Cluster:
    """Connects to a coordinator; the first call makes the connection.

    ``access`` is an access file. Without it: ``HASAMI_ACCESS``, ``hasami-data/access.json``,
    ``$XDG_CONFIG_HOME/hasami/access.json``. ``coordinator`` is its address, or several with commas between,
    where it differs from the one in the file (default: ``HASAMI_COORDINATOR``). ``patience`` is how many
    seconds a call waits for a coordinator that is away."""
    read = access if isinstance(access, Access) else Access.read(access or find())
    url = coordinator or os.environ.get("HASAMI_COORDINATOR")
    return Cluster(replace(read, url=url) if url else read, patience)


def _all_mistakes(sweep: Sweep, message: str) -> Error:
    """All errors of a sweep. The coordinator cuts a long list; the program, if it is here, has it all."""
    error = sweep.error(message)
    if not isinstance(error, SweepError) or not error.more:
        return error
    try:
        program.check(sweep.text)
    except ProgramError as failed:
        whole = sweep.error(str(failed))
        if isinstance(whole, SweepError):
            return whole
    return error
