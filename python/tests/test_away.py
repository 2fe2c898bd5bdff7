"""Coordinators that go away, move, stand by, or must not be trusted."""

from __future__ import annotations

import signal
import subprocess
import threading
import time
from concurrent import futures
from dataclasses import replace

import grpc
from support import PROGRAM, SLOW, TOP, InDirectory

import hasami


class Away(InDirectory):
    def test_a_killed_coordinator_is_waited_for(self) -> None:
        cluster = self.local()
        sweep = {"name": "trees", "problem": "synthetic", "parameters": {"depth": 24, "branching": 3, "seed": range(8)}}
        run = cluster.submit(sweep, budget=1_000_000)
        killed = threading.Thread(target=self._kill_and_restart, args=(cluster,))
        killed.start()
        run.wait(120, progress=False)
        killed.join()
        self.assertEqual((run.state, run.counts["settled"] + run.counts["open"]), ("finished", 8))
        self.assertGreater(cluster.status().epoch, 1)
        self.assertEqual(len(run.rows()), 8)

    def _kill_and_restart(self, cluster: hasami.LocalCluster) -> None:
        time.sleep(0.5)
        self.kill(cluster)
        time.sleep(1.5)
        cluster._start_coordinator(cluster.address)

    def test_calls_wait_as_long_as_they_are_patient(self) -> None:
        cluster = self.local(workers=0)
        run = cluster.submit(SLOW)
        self.kill(cluster)
        with hasami.connect(self.access(cluster), patience=0.5) as hasty:
            for call in (hasty.runs, lambda: hasty.submit(SLOW), hasty.status):
                began = time.monotonic()
                with self.assertRaises(hasami.Unreachable):
                    call()
                self.assertLess(time.monotonic() - began, 3)
        began = time.monotonic()
        with self.assertRaises(TimeoutError):
            run.wait(1, progress=False)
        self.assertLess(time.monotonic() - began, 3)
        timer = threading.Timer(1, cluster._start_coordinator, [cluster.address])
        timer.start()
        self.assertEqual(len(run.items()), 4)
        timer.join()

    def test_a_frozen_coordinator_does_not_hold_a_wait(self) -> None:
        cluster = self.local(workers=0)
        run = cluster.submit(SLOW)
        cluster._coordinator.send_signal(signal.SIGSTOP)
        try:
            began = time.monotonic()
            with self.assertRaises(TimeoutError):
                run.wait(2, progress=False)
            self.assertLess(time.monotonic() - began, 5)
        finally:
            cluster._coordinator.send_signal(signal.SIGCONT)

    def test_the_one_that_leads_is_found(self) -> None:
        cluster = self.local(workers=0)
        standby, asked = _standby()
        self.addCleanup(standby[0].stop, None)
        nobody = "127.0.0.1:1"
        urls = f"{nobody},127.0.0.1:{standby[1]},{cluster.address}"
        with hasami.connect(self.access(cluster), coordinator=urls) as several:
            run = several.submit(SLOW)
            self.assertEqual([run.number for run in several.runs()], [1])
            self.assertEqual(asked, ["/grpc.health.v1.Health/Check"])
            self.kill(cluster)
            timer = threading.Timer(1, cluster._start_coordinator, [cluster.address])
            timer.start()
            self.assertEqual(run.refresh().name, "slow")
            timer.join()
        with hasami.connect(self.access(cluster), coordinator=f"{nobody},127.0.0.1:{standby[1]}", patience=0) as none:
            with self.assertRaisesRegex(hasami.Unreachable, "no coordinator leads: .*stands by"):
                none.status()


def _standby() -> tuple[tuple[grpc.Server, int], list[str]]:
    """What a coordinator that stands by says of its health, and the calls that it has seen."""
    asked: list[str] = []

    class Handler(grpc.GenericRpcHandler):
        def service(self, details: grpc.HandlerCallDetails) -> grpc.RpcMethodHandler:
            asked.append(details.method)
            return grpc.unary_unary_rpc_method_handler(lambda request, context: b"\x08\x02")

    server = grpc.server(futures.ThreadPoolExecutor(2), [Handler()])
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    return (server, port), asked


class Trust(InDirectory):
    def test_a_token_must_be_one_of_a_client(self) -> None:
        cluster = self.local(workers=0)
        access = hasami.Access.read(self.access(cluster))
        for token in ("0" * 64, access.worker_token):
            wrong = hasami.connect(replace(access, client_token=token))
            for call in (wrong.runs, lambda: wrong.submit(SLOW)):
                with self.assertRaisesRegex(hasami.Refused, "refuses the token") as caught:
                    call()
                self.assertNotIn(token, str(caught.exception))
            wrong.close()
        self.hasami("access", "add", "ann", "--role", "client", "-o", "ann.json", "--access", str(self.access(cluster)))
        with hasami.connect("ann.json") as ann:
            run = ann.submit(SLOW)
            self.hasami("access", "revoke", "ann", "--access", str(self.access(cluster)))
            with self.assertRaises(hasami.Refused):
                run.wait(30, progress=False)

    def test_tls_is_checked(self) -> None:
        # Not on the loopback: there a coordinator has no certificate.
        words = ["coordinator", "--listen", "0.0.0.0:0", "--name", "localhost", "--output", "json"]
        with open("out", "w") as out, open("log", "w") as log:
            process = subprocess.Popen([PROGRAM, *words], stdout=out, stderr=log)
        self.addCleanup(process.wait)
        self.addCleanup(process.terminate)
        file = self.directory / "hasami-data/access.json"
        while not (file.exists() and "}" in (self.directory / "out").read_text()):
            self.assertIsNone(process.poll(), (self.directory / "log").read_text())
            time.sleep(0.05)
        with hasami.connect() as found:
            self.assertTrue(found.access.url.startswith("https://localhost:"))
            self.assertEqual(found.submit(TOP / "examples/chomp.toml").name, "chomp-small")
        port = found.access.url.rpartition(":")[2]
        elsewhere = hasami.connect(coordinator=f"https://127.0.0.2:{port}")
        with self.assertRaisesRegex(hasami.Refused, "cannot be trusted"):
            elsewhere.status()
        elsewhere.close()
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
             "-subj", "/CN=other", "-keyout", "key.pem", "-out", "other.pem"],
            check=True, capture_output=True,
        )  # fmt: skip
        other = replace(found.access, ca_pem=(self.directory / "other.pem").read_text())
        stranger = hasami.connect(other)
        with self.assertRaisesRegex(hasami.Refused, "cannot be trusted"):
            stranger.status()
        stranger.close()
