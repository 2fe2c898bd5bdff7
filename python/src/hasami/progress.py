"""The progress of a run for somebody who waits: a bar in a notebook, lines elsewhere."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .run import Run

# Between two updates of a bar, and between two lines.
_BAR = 0.5
_LINE = 5.0


class Progress:
    """Shows the progress of a run while it is entered."""

    def __init__(self, run: Run, wanted: bool) -> None:
        self._run = run
        self._wanted = wanted
        self._shown = 0.0
        self._told = ""
        self._bar = _notebook() if wanted else None

    def __enter__(self) -> Progress:
        return self

    def update(self) -> None:
        """The run has changed."""
        if self._wanted and time.monotonic() - self._shown > (_BAR if self._bar else _LINE):
            self._show()

    def _show(self) -> None:
        self._shown = time.monotonic()
        if self._bar is not None:
            self._bar.update({"text/html": self._run.progress_html()}, raw=True)
            return
        line = f"{self._run.heading()}: {self._run.outcome()}; {self._run.speed()}"
        if line != self._told:
            print(line, file=sys.stderr, flush=True)
        self._told = line

    def __exit__(self, *_: object) -> None:
        if self._wanted:
            self._show()


def _notebook() -> Any:
    """A place in the notebook that can be changed; ``None`` elsewhere."""
    # Where nobody has imported it, there is no notebook.
    shell = sys.modules["IPython"].get_ipython() if "IPython" in sys.modules else None
    if shell is None or not hasattr(shell, "kernel"):
        return None
    from IPython.display import DisplayHandle

    handle = DisplayHandle()
    handle.display({"text/html": ""}, raw=True)
    return handle
