from hasami.v1 import common_pb2 as _common_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class SubmitRequest(_message.Message):
    __slots__ = ("sweep", "force", "protocol")
    SWEEP_FIELD_NUMBER: _ClassVar[int]
    FORCE_FIELD_NUMBER: _ClassVar[int]
    PROTOCOL_FIELD_NUMBER: _ClassVar[int]
    sweep: str
    force: bool
    protocol: _common_pb2.ProtocolRange
    def __init__(self, sweep: _Optional[str] = ..., force: bool = ..., protocol: _Optional[_Union[_common_pb2.ProtocolRange, _Mapping]] = ...) -> None: ...

class SubmitResponse(_message.Message):
    __slots__ = ("run",)
    RUN_FIELD_NUMBER: _ClassVar[int]
    run: RunInfo
    def __init__(self, run: _Optional[_Union[RunInfo, _Mapping]] = ...) -> None: ...

class ListRequest(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class ListResponse(_message.Message):
    __slots__ = ("runs",)
    RUNS_FIELD_NUMBER: _ClassVar[int]
    runs: _containers.RepeatedCompositeFieldContainer[RunInfo]
    def __init__(self, runs: _Optional[_Iterable[_Union[RunInfo, _Mapping]]] = ...) -> None: ...

class ShowRequest(_message.Message):
    __slots__ = ("run",)
    RUN_FIELD_NUMBER: _ClassVar[int]
    run: int
    def __init__(self, run: _Optional[int] = ...) -> None: ...

class ShowResponse(_message.Message):
    __slots__ = ("run",)
    RUN_FIELD_NUMBER: _ClassVar[int]
    run: RunInfo
    def __init__(self, run: _Optional[_Union[RunInfo, _Mapping]] = ...) -> None: ...

class PauseRequest(_message.Message):
    __slots__ = ("run",)
    RUN_FIELD_NUMBER: _ClassVar[int]
    run: int
    def __init__(self, run: _Optional[int] = ...) -> None: ...

class PauseResponse(_message.Message):
    __slots__ = ("run",)
    RUN_FIELD_NUMBER: _ClassVar[int]
    run: RunInfo
    def __init__(self, run: _Optional[_Union[RunInfo, _Mapping]] = ...) -> None: ...

class ResumeRequest(_message.Message):
    __slots__ = ("run",)
    RUN_FIELD_NUMBER: _ClassVar[int]
    run: int
    def __init__(self, run: _Optional[int] = ...) -> None: ...

class ResumeResponse(_message.Message):
    __slots__ = ("run",)
    RUN_FIELD_NUMBER: _ClassVar[int]
    run: RunInfo
    def __init__(self, run: _Optional[_Union[RunInfo, _Mapping]] = ...) -> None: ...

class CancelRequest(_message.Message):
    __slots__ = ("run",)
    RUN_FIELD_NUMBER: _ClassVar[int]
    run: int
    def __init__(self, run: _Optional[int] = ...) -> None: ...

class CancelResponse(_message.Message):
    __slots__ = ("run",)
    RUN_FIELD_NUMBER: _ClassVar[int]
    run: RunInfo
    def __init__(self, run: _Optional[_Union[RunInfo, _Mapping]] = ...) -> None: ...

class Counts(_message.Message):
    __slots__ = ("waiting", "running", "settled", "open", "failed", "cancelled", "reused")
    WAITING_FIELD_NUMBER: _ClassVar[int]
    RUNNING_FIELD_NUMBER: _ClassVar[int]
    SETTLED_FIELD_NUMBER: _ClassVar[int]
    OPEN_FIELD_NUMBER: _ClassVar[int]
    FAILED_FIELD_NUMBER: _ClassVar[int]
    CANCELLED_FIELD_NUMBER: _ClassVar[int]
    REUSED_FIELD_NUMBER: _ClassVar[int]
    waiting: int
    running: int
    settled: int
    open: int
    failed: int
    cancelled: int
    reused: int
    def __init__(self, waiting: _Optional[int] = ..., running: _Optional[int] = ..., settled: _Optional[int] = ..., open: _Optional[int] = ..., failed: _Optional[int] = ..., cancelled: _Optional[int] = ..., reused: _Optional[int] = ...) -> None: ...

class RunInfo(_message.Message):
    __slots__ = ("run", "name", "state", "items", "counts", "submitted_ms", "finished_ms", "nodes", "nodes_per_second", "workers", "eta", "priority", "proof", "disproof", "store_hits", "sweep", "note", "stage")
    RUN_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    ITEMS_FIELD_NUMBER: _ClassVar[int]
    COUNTS_FIELD_NUMBER: _ClassVar[int]
    SUBMITTED_MS_FIELD_NUMBER: _ClassVar[int]
    FINISHED_MS_FIELD_NUMBER: _ClassVar[int]
    NODES_FIELD_NUMBER: _ClassVar[int]
    NODES_PER_SECOND_FIELD_NUMBER: _ClassVar[int]
    WORKERS_FIELD_NUMBER: _ClassVar[int]
    ETA_FIELD_NUMBER: _ClassVar[int]
    PRIORITY_FIELD_NUMBER: _ClassVar[int]
    PROOF_FIELD_NUMBER: _ClassVar[int]
    DISPROOF_FIELD_NUMBER: _ClassVar[int]
    STORE_HITS_FIELD_NUMBER: _ClassVar[int]
    SWEEP_FIELD_NUMBER: _ClassVar[int]
    NOTE_FIELD_NUMBER: _ClassVar[int]
    STAGE_FIELD_NUMBER: _ClassVar[int]
    run: int
    name: str
    state: _common_pb2.RunState
    items: int
    counts: Counts
    submitted_ms: int
    finished_ms: int
    nodes: int
    nodes_per_second: float
    workers: int
    eta: float
    priority: int
    proof: int
    disproof: int
    store_hits: int
    sweep: str
    note: str
    stage: StageInfo
    def __init__(self, run: _Optional[int] = ..., name: _Optional[str] = ..., state: _Optional[_Union[_common_pb2.RunState, str]] = ..., items: _Optional[int] = ..., counts: _Optional[_Union[Counts, _Mapping]] = ..., submitted_ms: _Optional[int] = ..., finished_ms: _Optional[int] = ..., nodes: _Optional[int] = ..., nodes_per_second: _Optional[float] = ..., workers: _Optional[int] = ..., eta: _Optional[float] = ..., priority: _Optional[int] = ..., proof: _Optional[int] = ..., disproof: _Optional[int] = ..., store_hits: _Optional[int] = ..., sweep: _Optional[str] = ..., note: _Optional[str] = ..., stage: _Optional[_Union[StageInfo, _Mapping]] = ...) -> None: ...

class DeleteRequest(_message.Message):
    __slots__ = ("runs", "ended_before_ms", "answers", "dry_run")
    RUNS_FIELD_NUMBER: _ClassVar[int]
    ENDED_BEFORE_MS_FIELD_NUMBER: _ClassVar[int]
    ANSWERS_FIELD_NUMBER: _ClassVar[int]
    DRY_RUN_FIELD_NUMBER: _ClassVar[int]
    runs: _containers.RepeatedScalarFieldContainer[int]
    ended_before_ms: int
    answers: bool
    dry_run: bool
    def __init__(self, runs: _Optional[_Iterable[int]] = ..., ended_before_ms: _Optional[int] = ..., answers: bool = ..., dry_run: bool = ...) -> None: ...

class DeleteResponse(_message.Message):
    __slots__ = ("runs", "answers", "answers_kept", "certificates", "certificate_bytes")
    RUNS_FIELD_NUMBER: _ClassVar[int]
    ANSWERS_FIELD_NUMBER: _ClassVar[int]
    ANSWERS_KEPT_FIELD_NUMBER: _ClassVar[int]
    CERTIFICATES_FIELD_NUMBER: _ClassVar[int]
    CERTIFICATE_BYTES_FIELD_NUMBER: _ClassVar[int]
    runs: _containers.RepeatedCompositeFieldContainer[RunInfo]
    answers: int
    answers_kept: int
    certificates: int
    certificate_bytes: int
    def __init__(self, runs: _Optional[_Iterable[_Union[RunInfo, _Mapping]]] = ..., answers: _Optional[int] = ..., answers_kept: _Optional[int] = ..., certificates: _Optional[int] = ..., certificate_bytes: _Optional[int] = ...) -> None: ...

class ClearFaultRequest(_message.Message):
    __slots__ = ("problem",)
    PROBLEM_FIELD_NUMBER: _ClassVar[int]
    problem: bytes
    def __init__(self, problem: _Optional[bytes] = ...) -> None: ...

class ClearFaultResponse(_message.Message):
    __slots__ = ("cleared", "resumed")
    CLEARED_FIELD_NUMBER: _ClassVar[int]
    RESUMED_FIELD_NUMBER: _ClassVar[int]
    cleared: _containers.RepeatedCompositeFieldContainer[FaultInfo]
    resumed: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, cleared: _Optional[_Iterable[_Union[FaultInfo, _Mapping]]] = ..., resumed: _Optional[_Iterable[int]] = ...) -> None: ...

class FaultInfo(_message.Message):
    __slots__ = ("problem", "text", "runs")
    PROBLEM_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    RUNS_FIELD_NUMBER: _ClassVar[int]
    problem: bytes
    text: str
    runs: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, problem: _Optional[bytes] = ..., text: _Optional[str] = ..., runs: _Optional[_Iterable[int]] = ...) -> None: ...

class StageInfo(_message.Message):
    __slots__ = ("number", "place", "of", "items", "ended")
    NUMBER_FIELD_NUMBER: _ClassVar[int]
    PLACE_FIELD_NUMBER: _ClassVar[int]
    OF_FIELD_NUMBER: _ClassVar[int]
    ITEMS_FIELD_NUMBER: _ClassVar[int]
    ENDED_FIELD_NUMBER: _ClassVar[int]
    number: int
    place: int
    of: int
    items: int
    ended: int
    def __init__(self, number: _Optional[int] = ..., place: _Optional[int] = ..., of: _Optional[int] = ..., items: _Optional[int] = ..., ended: _Optional[int] = ...) -> None: ...

class ItemsRequest(_message.Message):
    __slots__ = ("run", "states", "params", "offset", "limit")
    RUN_FIELD_NUMBER: _ClassVar[int]
    STATES_FIELD_NUMBER: _ClassVar[int]
    PARAMS_FIELD_NUMBER: _ClassVar[int]
    OFFSET_FIELD_NUMBER: _ClassVar[int]
    LIMIT_FIELD_NUMBER: _ClassVar[int]
    run: int
    states: _containers.RepeatedScalarFieldContainer[_common_pb2.ItemState]
    params: _containers.RepeatedCompositeFieldContainer[_common_pb2.Param]
    offset: int
    limit: int
    def __init__(self, run: _Optional[int] = ..., states: _Optional[_Iterable[_Union[_common_pb2.ItemState, str]]] = ..., params: _Optional[_Iterable[_Union[_common_pb2.Param, _Mapping]]] = ..., offset: _Optional[int] = ..., limit: _Optional[int] = ...) -> None: ...

class ItemsResponse(_message.Message):
    __slots__ = ("item",)
    ITEM_FIELD_NUMBER: _ClassVar[int]
    item: ItemInfo
    def __init__(self, item: _Optional[_Union[ItemInfo, _Mapping]] = ...) -> None: ...

class ItemInfo(_message.Message):
    __slots__ = ("run", "item", "question", "state", "answer", "failure", "attempts", "reused", "kind", "stage")
    RUN_FIELD_NUMBER: _ClassVar[int]
    ITEM_FIELD_NUMBER: _ClassVar[int]
    QUESTION_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    ANSWER_FIELD_NUMBER: _ClassVar[int]
    FAILURE_FIELD_NUMBER: _ClassVar[int]
    ATTEMPTS_FIELD_NUMBER: _ClassVar[int]
    REUSED_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    STAGE_FIELD_NUMBER: _ClassVar[int]
    run: int
    item: int
    question: _common_pb2.Question
    state: _common_pb2.ItemState
    answer: _common_pb2.Answer
    failure: str
    attempts: int
    reused: bool
    kind: str
    stage: int
    def __init__(self, run: _Optional[int] = ..., item: _Optional[int] = ..., question: _Optional[_Union[_common_pb2.Question, _Mapping]] = ..., state: _Optional[_Union[_common_pb2.ItemState, str]] = ..., answer: _Optional[_Union[_common_pb2.Answer, _Mapping]] = ..., failure: _Optional[str] = ..., attempts: _Optional[int] = ..., reused: bool = ..., kind: _Optional[str] = ..., stage: _Optional[int] = ...) -> None: ...

class WatchRequest(_message.Message):
    __slots__ = ("run",)
    RUN_FIELD_NUMBER: _ClassVar[int]
    run: int
    def __init__(self, run: _Optional[int] = ...) -> None: ...

class WatchResponse(_message.Message):
    __slots__ = ("event",)
    EVENT_FIELD_NUMBER: _ClassVar[int]
    event: Event
    def __init__(self, event: _Optional[_Union[Event, _Mapping]] = ...) -> None: ...

class Event(_message.Message):
    __slots__ = ("sequence", "time_ms", "missed", "run", "item")
    SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    TIME_MS_FIELD_NUMBER: _ClassVar[int]
    MISSED_FIELD_NUMBER: _ClassVar[int]
    RUN_FIELD_NUMBER: _ClassVar[int]
    ITEM_FIELD_NUMBER: _ClassVar[int]
    sequence: int
    time_ms: int
    missed: int
    run: RunInfo
    item: ItemInfo
    def __init__(self, sequence: _Optional[int] = ..., time_ms: _Optional[int] = ..., missed: _Optional[int] = ..., run: _Optional[_Union[RunInfo, _Mapping]] = ..., item: _Optional[_Union[ItemInfo, _Mapping]] = ...) -> None: ...

class ExplainRequest(_message.Message):
    __slots__ = ("run", "item")
    RUN_FIELD_NUMBER: _ClassVar[int]
    ITEM_FIELD_NUMBER: _ClassVar[int]
    run: int
    item: int
    def __init__(self, run: _Optional[int] = ..., item: _Optional[int] = ...) -> None: ...

class ExplainResponse(_message.Message):
    __slots__ = ("item", "history", "now")
    ITEM_FIELD_NUMBER: _ClassVar[int]
    HISTORY_FIELD_NUMBER: _ClassVar[int]
    NOW_FIELD_NUMBER: _ClassVar[int]
    item: ItemInfo
    history: _containers.RepeatedCompositeFieldContainer[HistoryEntry]
    now: str
    def __init__(self, item: _Optional[_Union[ItemInfo, _Mapping]] = ..., history: _Optional[_Iterable[_Union[HistoryEntry, _Mapping]]] = ..., now: _Optional[str] = ...) -> None: ...

class HistoryEntry(_message.Message):
    __slots__ = ("time_ms", "text")
    TIME_MS_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    time_ms: int
    text: str
    def __init__(self, time_ms: _Optional[int] = ..., text: _Optional[str] = ...) -> None: ...

class WorkersRequest(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class WorkersResponse(_message.Message):
    __slots__ = ("workers",)
    WORKERS_FIELD_NUMBER: _ClassVar[int]
    workers: _containers.RepeatedCompositeFieldContainer[WorkerInfo]
    def __init__(self, workers: _Optional[_Iterable[_Union[WorkerInfo, _Mapping]]] = ...) -> None: ...

class WorkerInfo(_message.Message):
    __slots__ = ("worker", "name", "host", "pid", "threads", "memory_mib", "labels", "version", "leases", "nodes_per_second", "silent", "address", "held", "token")
    WORKER_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    HOST_FIELD_NUMBER: _ClassVar[int]
    PID_FIELD_NUMBER: _ClassVar[int]
    THREADS_FIELD_NUMBER: _ClassVar[int]
    MEMORY_MIB_FIELD_NUMBER: _ClassVar[int]
    LABELS_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    LEASES_FIELD_NUMBER: _ClassVar[int]
    NODES_PER_SECOND_FIELD_NUMBER: _ClassVar[int]
    SILENT_FIELD_NUMBER: _ClassVar[int]
    ADDRESS_FIELD_NUMBER: _ClassVar[int]
    HELD_FIELD_NUMBER: _ClassVar[int]
    TOKEN_FIELD_NUMBER: _ClassVar[int]
    worker: int
    name: str
    host: str
    pid: int
    threads: int
    memory_mib: int
    labels: _containers.RepeatedCompositeFieldContainer[_common_pb2.Param]
    version: str
    leases: int
    nodes_per_second: float
    silent: float
    address: str
    held: _containers.RepeatedCompositeFieldContainer[HeldInfo]
    token: str
    def __init__(self, worker: _Optional[int] = ..., name: _Optional[str] = ..., host: _Optional[str] = ..., pid: _Optional[int] = ..., threads: _Optional[int] = ..., memory_mib: _Optional[int] = ..., labels: _Optional[_Iterable[_Union[_common_pb2.Param, _Mapping]]] = ..., version: _Optional[str] = ..., leases: _Optional[int] = ..., nodes_per_second: _Optional[float] = ..., silent: _Optional[float] = ..., address: _Optional[str] = ..., held: _Optional[_Iterable[_Union[HeldInfo, _Mapping]]] = ..., token: _Optional[str] = ...) -> None: ...

class HeldInfo(_message.Message):
    __slots__ = ("lease", "kind", "begun", "seconds", "nodes", "question")
    LEASE_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    BEGUN_FIELD_NUMBER: _ClassVar[int]
    SECONDS_FIELD_NUMBER: _ClassVar[int]
    NODES_FIELD_NUMBER: _ClassVar[int]
    QUESTION_FIELD_NUMBER: _ClassVar[int]
    lease: _common_pb2.Lease
    kind: str
    begun: bool
    seconds: float
    nodes: int
    question: str
    def __init__(self, lease: _Optional[_Union[_common_pb2.Lease, _Mapping]] = ..., kind: _Optional[str] = ..., begun: bool = ..., seconds: _Optional[float] = ..., nodes: _Optional[int] = ..., question: _Optional[str] = ...) -> None: ...

class GetCertificateRequest(_message.Message):
    __slots__ = ("name", "digest", "bytes")
    NAME_FIELD_NUMBER: _ClassVar[int]
    DIGEST_FIELD_NUMBER: _ClassVar[int]
    BYTES_FIELD_NUMBER: _ClassVar[int]
    name: str
    digest: bytes
    bytes: int
    def __init__(self, name: _Optional[str] = ..., digest: _Optional[bytes] = ..., bytes: _Optional[int] = ...) -> None: ...

class GetCertificateResponse(_message.Message):
    __slots__ = ("data",)
    DATA_FIELD_NUMBER: _ClassVar[int]
    data: bytes
    def __init__(self, data: _Optional[bytes] = ...) -> None: ...

class CheckpointRequest(_message.Message):
    __slots__ = ("directory",)
    DIRECTORY_FIELD_NUMBER: _ClassVar[int]
    directory: str
    def __init__(self, directory: _Optional[str] = ...) -> None: ...

class CheckpointResponse(_message.Message):
    __slots__ = ("directory",)
    DIRECTORY_FIELD_NUMBER: _ClassVar[int]
    directory: str
    def __init__(self, directory: _Optional[str] = ...) -> None: ...

class StatusRequest(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class StatusResponse(_message.Message):
    __slots__ = ("version", "protocol", "epoch", "uptime_ms", "runs", "workers", "leases", "leases_granted", "store", "damaged", "damage", "unreadable_runs", "faults")
    VERSION_FIELD_NUMBER: _ClassVar[int]
    PROTOCOL_FIELD_NUMBER: _ClassVar[int]
    EPOCH_FIELD_NUMBER: _ClassVar[int]
    UPTIME_MS_FIELD_NUMBER: _ClassVar[int]
    RUNS_FIELD_NUMBER: _ClassVar[int]
    WORKERS_FIELD_NUMBER: _ClassVar[int]
    LEASES_FIELD_NUMBER: _ClassVar[int]
    LEASES_GRANTED_FIELD_NUMBER: _ClassVar[int]
    STORE_FIELD_NUMBER: _ClassVar[int]
    DAMAGED_FIELD_NUMBER: _ClassVar[int]
    DAMAGE_FIELD_NUMBER: _ClassVar[int]
    UNREADABLE_RUNS_FIELD_NUMBER: _ClassVar[int]
    FAULTS_FIELD_NUMBER: _ClassVar[int]
    version: str
    protocol: int
    epoch: int
    uptime_ms: int
    runs: int
    workers: int
    leases: int
    leases_granted: int
    store: str
    damaged: int
    damage: _containers.RepeatedScalarFieldContainer[str]
    unreadable_runs: int
    faults: _containers.RepeatedCompositeFieldContainer[FaultInfo]
    def __init__(self, version: _Optional[str] = ..., protocol: _Optional[int] = ..., epoch: _Optional[int] = ..., uptime_ms: _Optional[int] = ..., runs: _Optional[int] = ..., workers: _Optional[int] = ..., leases: _Optional[int] = ..., leases_granted: _Optional[int] = ..., store: _Optional[str] = ..., damaged: _Optional[int] = ..., damage: _Optional[_Iterable[str]] = ..., unreadable_runs: _Optional[int] = ..., faults: _Optional[_Iterable[_Union[FaultInfo, _Mapping]]] = ...) -> None: ...
