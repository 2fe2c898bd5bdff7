from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class KernelKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    KERNEL_KIND_UNSPECIFIED: _ClassVar[KernelKind]
    KERNEL_KIND_PN: _ClassVar[KernelKind]
    KERNEL_KIND_PDS: _ClassVar[KernelKind]
    KERNEL_KIND_DFPN: _ClassVar[KernelKind]
    KERNEL_KIND_MULTIPATH: _ClassVar[KernelKind]
    KERNEL_KIND_THREADS: _ClassVar[KernelKind]
    KERNEL_KIND_WPNS: _ClassVar[KernelKind]

class SumKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    SUM_KIND_UNSPECIFIED: _ClassVar[SumKind]
    SUM_KIND_SUM: _ClassVar[SumKind]
    SUM_KIND_WEAK: _ClassVar[SumKind]
    SUM_KIND_HYBRID: _ClassVar[SumKind]

class Verdict(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    VERDICT_UNSPECIFIED: _ClassVar[Verdict]
    VERDICT_PROVEN: _ClassVar[Verdict]
    VERDICT_DISPROVEN: _ClassVar[Verdict]
    VERDICT_ANSWERED: _ClassVar[Verdict]
    VERDICT_OPEN: _ClassVar[Verdict]

class Basis(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    BASIS_UNSPECIFIED: _ClassVar[Basis]
    BASIS_PROVED: _ClassVar[Basis]
    BASIS_RECOMPUTED: _ClassVar[Basis]
    BASIS_UNPROVED: _ClassVar[Basis]

class ItemState(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    ITEM_STATE_UNSPECIFIED: _ClassVar[ItemState]
    ITEM_STATE_WAITING: _ClassVar[ItemState]
    ITEM_STATE_RUNNING: _ClassVar[ItemState]
    ITEM_STATE_SETTLED: _ClassVar[ItemState]
    ITEM_STATE_OPEN: _ClassVar[ItemState]
    ITEM_STATE_FAILED: _ClassVar[ItemState]
    ITEM_STATE_CANCELLED: _ClassVar[ItemState]

class RunState(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    RUN_STATE_UNSPECIFIED: _ClassVar[RunState]
    RUN_STATE_RUNNING: _ClassVar[RunState]
    RUN_STATE_PAUSED: _ClassVar[RunState]
    RUN_STATE_FINISHED: _ClassVar[RunState]
    RUN_STATE_CANCELLED: _ClassVar[RunState]
    RUN_STATE_UNREADABLE: _ClassVar[RunState]
KERNEL_KIND_UNSPECIFIED: KernelKind
KERNEL_KIND_PN: KernelKind
KERNEL_KIND_PDS: KernelKind
KERNEL_KIND_DFPN: KernelKind
KERNEL_KIND_MULTIPATH: KernelKind
KERNEL_KIND_THREADS: KernelKind
KERNEL_KIND_WPNS: KernelKind
SUM_KIND_UNSPECIFIED: SumKind
SUM_KIND_SUM: SumKind
SUM_KIND_WEAK: SumKind
SUM_KIND_HYBRID: SumKind
VERDICT_UNSPECIFIED: Verdict
VERDICT_PROVEN: Verdict
VERDICT_DISPROVEN: Verdict
VERDICT_ANSWERED: Verdict
VERDICT_OPEN: Verdict
BASIS_UNSPECIFIED: Basis
BASIS_PROVED: Basis
BASIS_RECOMPUTED: Basis
BASIS_UNPROVED: Basis
ITEM_STATE_UNSPECIFIED: ItemState
ITEM_STATE_WAITING: ItemState
ITEM_STATE_RUNNING: ItemState
ITEM_STATE_SETTLED: ItemState
ITEM_STATE_OPEN: ItemState
ITEM_STATE_FAILED: ItemState
ITEM_STATE_CANCELLED: ItemState
RUN_STATE_UNSPECIFIED: RunState
RUN_STATE_RUNNING: RunState
RUN_STATE_PAUSED: RunState
RUN_STATE_FINISHED: RunState
RUN_STATE_CANCELLED: RunState
RUN_STATE_UNREADABLE: RunState

class Lease(_message.Message):
    __slots__ = ("run", "item", "unit", "attempt")
    RUN_FIELD_NUMBER: _ClassVar[int]
    ITEM_FIELD_NUMBER: _ClassVar[int]
    UNIT_FIELD_NUMBER: _ClassVar[int]
    ATTEMPT_FIELD_NUMBER: _ClassVar[int]
    run: int
    item: int
    unit: int
    attempt: int
    def __init__(self, run: _Optional[int] = ..., item: _Optional[int] = ..., unit: _Optional[int] = ..., attempt: _Optional[int] = ...) -> None: ...

class Param(_message.Message):
    __slots__ = ("name", "value")
    NAME_FIELD_NUMBER: _ClassVar[int]
    VALUE_FIELD_NUMBER: _ClassVar[int]
    name: str
    value: str
    def __init__(self, name: _Optional[str] = ..., value: _Optional[str] = ...) -> None: ...

class Question(_message.Message):
    __slots__ = ("problem", "params", "search")
    PROBLEM_FIELD_NUMBER: _ClassVar[int]
    PARAMS_FIELD_NUMBER: _ClassVar[int]
    SEARCH_FIELD_NUMBER: _ClassVar[int]
    problem: str
    params: _containers.RepeatedCompositeFieldContainer[Param]
    search: Search
    def __init__(self, problem: _Optional[str] = ..., params: _Optional[_Iterable[_Union[Param, _Mapping]]] = ..., search: _Optional[_Union[Search, _Mapping]] = ...) -> None: ...

class Search(_message.Message):
    __slots__ = ("kernel", "sum", "budget", "seed", "epsilon", "table_mib", "time_limit_ms", "evaluation")
    KERNEL_FIELD_NUMBER: _ClassVar[int]
    SUM_FIELD_NUMBER: _ClassVar[int]
    BUDGET_FIELD_NUMBER: _ClassVar[int]
    SEED_FIELD_NUMBER: _ClassVar[int]
    EPSILON_FIELD_NUMBER: _ClassVar[int]
    TABLE_MIB_FIELD_NUMBER: _ClassVar[int]
    TIME_LIMIT_MS_FIELD_NUMBER: _ClassVar[int]
    EVALUATION_FIELD_NUMBER: _ClassVar[int]
    kernel: KernelKind
    sum: SumKind
    budget: int
    seed: int
    epsilon: float
    table_mib: int
    time_limit_ms: int
    evaluation: str
    def __init__(self, kernel: _Optional[_Union[KernelKind, str]] = ..., sum: _Optional[_Union[SumKind, str]] = ..., budget: _Optional[int] = ..., seed: _Optional[int] = ..., epsilon: _Optional[float] = ..., table_mib: _Optional[int] = ..., time_limit_ms: _Optional[int] = ..., evaluation: _Optional[str] = ...) -> None: ...

class ProtocolRange(_message.Message):
    __slots__ = ("oldest", "newest")
    OLDEST_FIELD_NUMBER: _ClassVar[int]
    NEWEST_FIELD_NUMBER: _ClassVar[int]
    oldest: int
    newest: int
    def __init__(self, oldest: _Optional[int] = ..., newest: _Optional[int] = ...) -> None: ...

class Answer(_message.Message):
    __slots__ = ("verdict", "claim", "fields", "certificates", "measures", "check")
    VERDICT_FIELD_NUMBER: _ClassVar[int]
    CLAIM_FIELD_NUMBER: _ClassVar[int]
    FIELDS_FIELD_NUMBER: _ClassVar[int]
    CERTIFICATES_FIELD_NUMBER: _ClassVar[int]
    MEASURES_FIELD_NUMBER: _ClassVar[int]
    CHECK_FIELD_NUMBER: _ClassVar[int]
    verdict: Verdict
    claim: str
    fields: _containers.RepeatedCompositeFieldContainer[Param]
    certificates: _containers.RepeatedCompositeFieldContainer[Certificate]
    measures: Measures
    check: Check
    def __init__(self, verdict: _Optional[_Union[Verdict, str]] = ..., claim: _Optional[str] = ..., fields: _Optional[_Iterable[_Union[Param, _Mapping]]] = ..., certificates: _Optional[_Iterable[_Union[Certificate, _Mapping]]] = ..., measures: _Optional[_Union[Measures, _Mapping]] = ..., check: _Optional[_Union[Check, _Mapping]] = ...) -> None: ...

class Check(_message.Message):
    __slots__ = ("sender", "by", "basis", "unproved", "note")
    SENDER_FIELD_NUMBER: _ClassVar[int]
    BY_FIELD_NUMBER: _ClassVar[int]
    BASIS_FIELD_NUMBER: _ClassVar[int]
    UNPROVED_FIELD_NUMBER: _ClassVar[int]
    NOTE_FIELD_NUMBER: _ClassVar[int]
    sender: str
    by: str
    basis: Basis
    unproved: _containers.RepeatedScalarFieldContainer[str]
    note: str
    def __init__(self, sender: _Optional[str] = ..., by: _Optional[str] = ..., basis: _Optional[_Union[Basis, str]] = ..., unproved: _Optional[_Iterable[str]] = ..., note: _Optional[str] = ...) -> None: ...

class Certificate(_message.Message):
    __slots__ = ("name", "digest", "bytes")
    NAME_FIELD_NUMBER: _ClassVar[int]
    DIGEST_FIELD_NUMBER: _ClassVar[int]
    BYTES_FIELD_NUMBER: _ClassVar[int]
    name: str
    digest: bytes
    bytes: int
    def __init__(self, name: _Optional[str] = ..., digest: _Optional[bytes] = ..., bytes: _Optional[int] = ...) -> None: ...

class Measures(_message.Message):
    __slots__ = ("nodes", "seconds", "store_hits")
    NODES_FIELD_NUMBER: _ClassVar[int]
    SECONDS_FIELD_NUMBER: _ClassVar[int]
    STORE_HITS_FIELD_NUMBER: _ClassVar[int]
    nodes: int
    seconds: float
    store_hits: int
    def __init__(self, nodes: _Optional[int] = ..., seconds: _Optional[float] = ..., store_hits: _Optional[int] = ...) -> None: ...
