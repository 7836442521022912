"""Who does not answer holds up nobody but itself."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

import treering
from treering.door import Treering
from treering.errors import Unavailable
from treering.exchange.webhooks.deliver import DeliveryPolicy, WebhookSender, over_http
from treering.exchange.webhooks.turns import Turns

POLICY = DeliveryPolicy(private=True, timeout_seconds=5, at_once_each=2)


@pytest.fixture
def mem(tmp_path: Path) -> Iterator[Treering]:
    with treering.open(tmp_path / "work.db", space="lab", embedder="none") as door:
        yield door


@contextmanager
def hanging() -> Iterator[tuple[str, list[socket.socket]]]:
    """An address that takes every call and answers none."""
    listening = socket.create_server(("127.0.0.1", 0), backlog=64)
    taken: list[socket.socket] = []

    def take() -> None:
        while True:
            try:
                taken.append(listening.accept()[0])
            except OSError:
                return

    taking = threading.Thread(target=take, daemon=True)
    taking.start()
    yield f"http://127.0.0.1:{listening.getsockname()[1]}/hook", taken
    listening.shutdown(socket.SHUT_RDWR)
    listening.close()
    taking.join(5)
    for one in taken:
        one.close()


@contextmanager
def answering() -> Iterator[tuple[str, list[float]]]:
    heard: list[float] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["content-length"]))
            heard.append(time.monotonic())
            self.send_response(204)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/hook", heard
    server.shutdown()
    server.server_close()


@contextmanager
def delivering(mem: Treering) -> Iterator[WebhookSender]:
    messenger = mem.messenger(POLICY)
    thread = threading.Thread(target=messenger.work, daemon=True)
    thread.start()
    try:
        yield messenger
    finally:
        messenger.stop()
        thread.join(30)
    assert not thread.is_alive()


def until(true: object, seconds: float = 4.0) -> bool:
    give_up = time.monotonic() + seconds
    while time.monotonic() < give_up:
        if true():  # type: ignore[operator]
            return True
        time.sleep(0.02)
    return False


def test_receivers_that_hang_delay_no_other(mem: Treering) -> None:
    with hanging() as one, hanging() as two, hanging() as three, answering() as (good, heard):
        for url, _ in (one, two, three):
            mem.webhook_add(url)
        mem.webhook_add(good)
        with delivering(mem):
            mem.add("Ada sings")
            assert until(lambda: heard), "the one that answers waited for those that do not"
            mem.add("Ada dances")
            assert until(lambda: len(heard) == 2)


def test_one_receiver_is_called_for_few_at_once_however_many_webhooks_lead_to_it(mem: Treering) -> None:
    with hanging() as (slow, taken), answering() as (good, heard):
        for number in range(12):
            mem.webhook_add(f"{slow}/{number}")
        mem.webhook_add(good)
        with delivering(mem):
            mem.add("Ada sings")
            assert until(lambda: heard)
            time.sleep(1)
            assert 1 <= len(taken) <= POLICY.at_once_each


def test_webhooks_of_one_receiver_have_their_turns(mem: Treering) -> None:
    with answering() as (good, heard):
        for number in range(8):
            mem.webhook_add(f"{good}/{number}")
        with delivering(mem):
            for told in (8, 16):
                mem.add(f"Ada sings {told}")
                assert until(lambda told=told: len(heard) >= told, 30), heard  # type: ignore[misc]
        assert len(heard) == 16


def test_a_receiver_that_speaks_letter_by_letter_is_given_up_in_time() -> None:
    listening = socket.create_server(("127.0.0.1", 0))

    def drip() -> None:
        caller, _ = listening.accept()
        try:
            for letter in "HTTP/1.1 200 OK\r\nX-Slow: " + "x" * 1000:
                caller.sendall(letter.encode())
                time.sleep(0.1)
        except OSError:
            pass
        caller.close()

    dripping = threading.Thread(target=drip, daemon=True)
    dripping.start()
    began = time.monotonic()
    with pytest.raises(Unavailable, match="does not answer"):
        over_http(
            f"http://127.0.0.1:{listening.getsockname()[1]}/",
            b"{}",
            {},
            DeliveryPolicy(private=True, timeout_seconds=1),
        )
    assert time.monotonic() - began < 60  # all of it would take more than a hundred
    dripping.join(10)
    listening.close()


def test_all_webhooks_of_one_receiver_are_told(mem: Treering) -> None:
    """More of them than may be told at once: the rest is next, and not passed over for those told already."""
    with answering() as (good, heard):
        for number in range(3 * POLICY.at_once_each):
            mem.webhook_add(f"{good}/{number}")
        with delivering(mem):
            mem.add("Ada sings")
            assert until(lambda: len(heard) == 3 * POLICY.at_once_each, 30)
            mem.add("Ada dances")
            assert until(lambda: len(heard) == 6 * POLICY.at_once_each, 30)
        assert {one.reached["lab"] for one in mem.webhook_list()} == {2}


def test_who_has_much_to_hear_lets_others_of_the_same_receiver_in_between() -> None:
    turns = Turns(at_once=3, at_once_each=1)
    for one, receiver in (("much", "here"), ("little", "here"), ("other", "there"), ("third", "here")):
        turns.wait(one, receiver)
        turns.wait(one, receiver)
    assert [turns.next(), turns.next(), turns.next()] == ["much", "other", None]
    turns.wait("much", "here")
    turns.end("much", again=True)
    assert turns.next() == "little"
    turns.end("little")
    assert turns.next() == "third"
    turns.end("third")
    assert [turns.next(), turns.next()] == ["much", None]


def test_no_more_are_told_at_once_than_the_policy_has_it() -> None:
    turns = Turns(at_once=2, at_once_each=2)
    for number in range(3):
        turns.wait(str(number), f"receiver {number}")
    assert [turns.next(), turns.next(), turns.next()] == ["0", "1", None]
    turns.end("0")
    assert turns.next() == "2"
