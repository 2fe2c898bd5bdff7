"""A hasami cluster in a notebook.

>>> import hasami
>>> cluster = hasami.connect("hasami-data/access.json")     # doctest: +SKIP
>>> run = cluster.submit("sweep.toml").wait()               # doctest: +SKIP
>>> run.frame()                                             # doctest: +SKIP
"""

from .access import Access
from .certificate import Certificate
from .cluster import Cluster, connect
from .errors import Busy, Error, Mistake, NotFound, ProgramError, Refused, SweepError, Unreachable
from .item import Item, Items
from .local import LocalCluster, local
from .run import Run, Runs
from .solve import Answer, solve

__all__ = [
    "Access",
    "Answer",
    "Busy",
    "Certificate",
    "Cluster",
    "Error",
    "Item",
    "Items",
    "LocalCluster",
    "Mistake",
    "NotFound",
    "ProgramError",
    "Refused",
    "Run",
    "Runs",
    "SweepError",
    "Unreachable",
    "connect",
    "local",
    "solve",
]
