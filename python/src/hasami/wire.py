"""Calls of the coordinator that leads: which one that is, tokens, TLS, and what may be repeated."""

from __future__ import annotations

import queue
import random
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import grpc
from google.protobuf import message_factory
from google.protobuf.message import Message

from .access import Access
from .errors import Busy, Error, NotFound, Refused, Unreachable
from .v1 import runs_pb2

# The version of the protocol that this package speaks.
PROTOCOL = 3
# How long one call may take; submitting has no limit.
_CALL = 60.0
# How long one coordinator may take to say how it is.
_PROBE = 2.0
_OPTIONS = [
    ("grpc.max_receive_message_length", 16 << 20),
    ("grpc.max_send_message_length", 16 << 20),
    # A cut in the network sends no notice: without this a call would wait for ever.
    ("grpc.keepalive_time_ms", 5000),
    ("grpc.keepalive_timeout_ms", 5000),
    ("grpc.http2.max_pings_without_data", 0),
    ("grpc.initial_reconnect_backoff_ms", 100),
    ("grpc.max_reconnect_backoff_ms", 2000),
    ("grpc.enable_http_proxy", 0),
    ("grpc.use_local_subchannel_pool", 1),
]
_SERVICE = runs_pb2.DESCRIPTOR.services_by_name["RunService"]


class Pauses:
    """Pauses between tries that grow to five seconds."""

    def __init__(self) -> None:
        self.tries = 0

    def next(self, error: Unreachable) -> float:
        """The next pause; at least what a busy coordinator asks for."""
        most = min(0.1 * 2.0 ** min(self.tries, 16), 5.0)
        self.tries += 1
        least = error.after if isinstance(error, Busy) else 0.0
        return max(least, most * random.uniform(0.5, 1.0))


class _Peer:
    """One coordinator."""

    def __init__(self, address: str, access: Access) -> None:
        self.address = address
        if access.ca_pem is None:
            self.channel = grpc.insecure_channel(address, _OPTIONS)
        else:
            credentials = grpc.ssl_channel_credentials(access.ca_pem.encode())
            self.channel = grpc.secure_channel(address, credentials, _OPTIONS)
        self._methods: dict[str, Callable[..., Any]] = {}

    def method(self, name: str) -> Callable[..., Any]:
        """A method of the service for clients."""
        if name not in self._methods:
            about = _SERVICE.methods_by_name[name]
            make = self.channel.unary_stream if about.server_streaming else self.channel.unary_unary
            self._methods[name] = make(
                f"/{_SERVICE.full_name}/{name}",
                request_serializer=lambda request: request.SerializeToString(),
                response_deserializer=message_factory.GetMessageClass(about.output_type).FromString,
            )
        return self._methods[name]

    def health(self) -> Any:
        """Asks for its health: an empty message asks, and the reply has one number."""
        return self.channel.unary_unary("/grpc.health.v1.Health/Check").future(b"", timeout=_PROBE)


_SERVING = b"\x08\x01"


class Wire:
    """The way to the coordinator that leads. Threads may share it."""

    def __init__(self, access: Access, patience: float) -> None:
        token = access.token()
        self.url = access.url
        self.patience = patience
        self._metadata = [("authorization", f"Bearer {token}")] if token else []
        self._peers = [_Peer(address, access) for address in access.addresses()]
        self._leader = self._peers[0] if len(self._peers) == 1 else None
        self._looking = threading.Lock()

    def close(self) -> None:
        """Closes all connections."""
        for peer in self._peers:
            peer.channel.close()

    def call(self, name: str, request: Message, *, repeat: bool = True) -> Any:
        """Calls, and again while the coordinator is away, within the patience. What must not be done
        twice is repeated only if the coordinator has not begun it."""
        timeout = _CALL if repeat else None

        def once() -> Any:
            with self._peer() as peer:
                return peer.method(name)(request, timeout=timeout, metadata=self._metadata)

        return self.patiently(once, repeat=repeat)

    def patiently(self, once: Callable[[], Any], *, repeat: bool = True) -> Any:
        """Does something again while the coordinator is away, within the patience."""
        end, pauses = time.monotonic() + self.patience, Pauses()
        while True:
            try:
                return once()
            except Unreachable as error:
                pause = pauses.next(error)
                may = repeat or isinstance(error, Busy)
                if not may or time.monotonic() + pause > end:
                    raise
            time.sleep(pause)

    def stream(self, name: str, request: Message, timeout: float | None = None) -> Iterator[Any]:
        """The replies of one call; a break is an error. ``timeout`` ends it without one."""
        with self._peer() as peer:
            replies = peer.method(name)(request, timeout=timeout, metadata=self._metadata)
            heard = False
            try:
                for reply in replies:
                    heard = True
                    yield reply
            except grpc.RpcError as error:
                over = timeout is not None and error.code() is grpc.StatusCode.DEADLINE_EXCEEDED
                # One that has said nothing in all that time may be frozen.
                if not (over and heard):
                    raise
            finally:
                replies.cancel()

    def _peer(self) -> _Use:
        return _Use(self, self._find())

    def forget(self, peer: _Peer) -> None:
        """The next call looks for the leader again."""
        if len(self._peers) > 1 and self._leader is peer:
            self._leader = None

    def _find(self) -> _Peer:
        """The leader. Where several may lead, all are asked for their health."""
        leader = self._leader
        if leader is not None:
            return leader
        with self._looking:
            if self._leader is not None:
                return self._leader
            told: queue.SimpleQueue[tuple[_Peer, Any]] = queue.SimpleQueue()
            for peer in self._peers:
                peer.health().add_done_callback(lambda reply, peer=peer: told.put((peer, reply)))
            why = []
            for _ in self._peers:
                peer, reply = told.get()
                try:
                    if reply.result() == _SERVING:
                        self._leader = peer
                        return peer
                    why.append(f"{peer.address}: stands by, or starts")
                except grpc.RpcError as error:
                    why.append(f"{peer.address}: {trouble(self.url, error)}")
            raise Unreachable(f"no coordinator leads: {'; '.join(why)}")


class _Use:
    """A leader in use: errors of the call become those of this package."""

    def __init__(self, wire: Wire, peer: _Peer) -> None:
        self._wire, self._at = wire, peer

    def __enter__(self) -> _Peer:
        return self._at

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, grpc.RpcError):
            told = trouble(self._wire.url, error)
            if isinstance(told, Unreachable):
                self._wire.forget(self._at)
            raise told from None


_NOT_TRUSTED = ("CERTIFICATE_VERIFY_FAILED", "Hostname Verification Check failed", "WRONG_VERSION_NUMBER")


def trouble(url: str, error: grpc.RpcError) -> Error:
    """What a failed call means, and what to do about it."""
    code, message = error.code(), error.details() or ""
    headers: dict[str, Any] = dict(error.trailing_metadata() or ())
    match headers.get("hasami-mark"):
        case "busy":
            after = headers.get("grpc-retry-pushback-ms", "1000")
            wait = min(int(after), 60_000) / 1000 if str(after).isdecimal() else 1.0
            return Busy(f"the coordinator at {url} is busy: {message}", wait)
        case "not-leader":
            return Busy(message)
        case "no-room":
            return Unreachable(f"the coordinator at {url}: {message}")
        case "version":
            return Refused(f"{message}; this package speaks version {PROTOCOL} of the protocol")
        case "contradiction":
            return Error(f"the coordinator at {url}: {message}")
    match code:
        case grpc.StatusCode.UNAUTHENTICATED | grpc.StatusCode.PERMISSION_DENIED:
            return Refused(
                f"the coordinator at {url} refuses the token: {message}; use the access file that "
                "it has written last, and one that holds a client token"
            )
        case grpc.StatusCode.UNIMPLEMENTED:
            return Refused(f"the coordinator at {url} does not know this call: {message}")
        case grpc.StatusCode.UNAVAILABLE if any(word in message for word in _NOT_TRUSTED):
            return Refused(
                f"the coordinator at {url} cannot be trusted: {message}; use the access file that "
                "it has written last, and an address that `--name` gives it"
            )
        case grpc.StatusCode.NOT_FOUND:
            return NotFound(message)
        case grpc.StatusCode.INVALID_ARGUMENT | grpc.StatusCode.FAILED_PRECONDITION:
            return Error(message)
        case grpc.StatusCode.UNAVAILABLE | grpc.StatusCode.DEADLINE_EXCEEDED | grpc.StatusCode.CANCELLED:
            return Unreachable(f"the coordinator at {url} cannot be reached: {message}")
        case grpc.StatusCode.INTERNAL | grpc.StatusCode.UNKNOWN if not headers:
            # Nobody has sent this: the connection broke during the call.
            return Unreachable(f"the connection to the coordinator at {url} broke: {message}")
    return Error(f"the coordinator at {url}: {code.name}: {message}")
