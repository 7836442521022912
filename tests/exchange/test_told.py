"""Who is told what happens: events as they come, and webhooks that lose nothing."""

from __future__ import annotations

import hashlib
import hmac
import json
import threading
from collections.abc import Iterator
from datetime import timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
from tests.conftest import HandClock

from treering.door import Treering
from treering.errors import InvalidRequest, NotFound, Unavailable
from treering.exchange.webhooks import kept
from treering.exchange.webhooks.address import checked_url, is_public, resolved
from treering.exchange.webhooks.deliver import DeliveryPolicy, WebhookSender, over_http

# events


def test_events_tell_what_kind_of_change_about_which_ids_and_never_what_was_said(mem: Treering) -> None:
    receipt = mem.add("Ada works at Google", entities=["Ada"])
    told = mem.events()
    assert [one.type for one in told.events] == ["source_added", "memory_added", "entity_added", "edge_added"]
    assert receipt.id in told.events[1].ids
    assert "Google" not in str(told.to_dict())
    assert (told.after, told.more) == (1, False)
    assert mem.events(after=told.after).events == ()


def test_events_come_in_pages_that_miss_nothing(mem: Treering) -> None:
    for number in range(5):
        mem.add(f"Thing {number}")
    seen, after = [], 0
    while True:
        told = mem.events(after=after, limit=2)
        seen += [one.seq for one in told.events]
        after = told.after
        if not told.more:
            break
    assert seen == [seq for seq in range(1, 6) for _ in range(2)]


def test_what_is_private_to_others_does_not_happen_for_us(mem: Treering, doors: Any) -> None:
    bob = doors("bob")
    private = mem.add("Mine alone", visibility="private", entities=["Lair"])
    mem.forget(private.id)
    assert bob.events().events == ()
    assert bob.events().after == 2
    assert len(mem.events().events) > 3
    mem.purge(private.id, "gone")
    assert not any(private.id in one.ids for one in bob.events().events)


def test_events_at_an_earlier_known_time_are_those_of_then(mem: Treering, clock: HandClock) -> None:
    mem.add("First")
    before = clock.now
    clock.advance(hours=1)
    mem.add("Second")
    assert {one.seq for one in mem.events(known_at=before).events} == {1}


# webhooks


class Listener:
    """A real server that hears, and answers as it is told to."""

    def __init__(self) -> None:
        self.heard: list[tuple[dict[str, str], bytes]] = []
        self.answers: list[int] = []
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                outer.heard.append((dict(self.headers), body))
                status = outer.answers.pop(0) if outer.answers else 200
                self.send_response(status)
                if status == 302:
                    self.send_header("Location", "http://169.254.169.254/latest")
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}/hook"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    @property
    def told(self) -> list[dict[str, Any]]:
        return [json.loads(body) for _, body in self.heard]

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()


@pytest.fixture
def listener() -> Iterator[Listener]:
    one = Listener()
    yield one
    one.close()


POLICY = DeliveryPolicy(tries=3, private=True, timeout_seconds=5)


@pytest.fixture
def messenger(mem: Treering) -> WebhookSender:
    return mem.messenger(POLICY)


def test_a_webhook_is_told_each_entry_once_in_order_and_signed(
    mem: Treering, messenger: WebhookSender, listener: Listener
) -> None:
    mem.add("Before it was there")
    added = mem.webhook_add(listener.url, spaces=["lab"])
    first, second = mem.add("Ada sings"), mem.add("Bo sings")
    assert messenger.tell_all() == 2
    assert messenger.tell_all() == 0
    assert [one["seq"] for one in listener.told] == [2, 3]
    assert [first.id in str(listener.told[0]), second.id in str(listener.told[1])] == [True, True]
    assert "sings" not in str(listener.told)
    headers, body = listener.heard[0]
    at, signed = (part.partition("=")[2] for part in headers["X-Treering-Signature"].split(","))
    expected = hmac.new(added.secret.encode(), f"{at}.".encode() + body, hashlib.sha256).hexdigest()
    assert signed == expected
    assert headers["X-Treering-Delivery"] == listener.told[0]["id"] == "lab:2"


def test_it_is_told_of_its_spaces_and_events_only(mem: Treering, messenger: WebhookSender, listener: Listener) -> None:
    mem.webhook_add(listener.url, spaces=["acme/*"], events=["marked"])
    mem.forget(mem.add("There", space="acme/x").id, space="acme/x")
    mem.forget(mem.add("Here").id)
    assert messenger.tell_all() == 1
    assert [(one["space"], [two["type"] for two in one["changes"]]) for one in listener.told] == [
        ("acme/x", ["marked"])
    ]


def test_from_the_start_if_it_wants(mem: Treering, messenger: WebhookSender, listener: Listener) -> None:
    mem.add("Long ago")
    mem.webhook_add(listener.url, from_start=True)
    assert messenger.tell_all() == 1


def test_what_fails_is_tried_again_later_in_order_and_then_given_up(
    mem: Treering, messenger: WebhookSender, listener: Listener, clock: HandClock
) -> None:
    mem.webhook_add(listener.url)
    mem.add("One")
    mem.add("Two")
    listener.answers = [500, 302, 503, 200]
    assert messenger.tell_all() == 0
    [hook] = mem.webhook_list()
    assert (hook.tries, hook.failing) == (1, "answered 500")
    assert messenger.tell_all() == 0
    assert len(listener.heard) == 1
    clock.advance(seconds=3)
    messenger.tell_all()
    clock.advance(seconds=9)
    assert messenger.tell_all() == 1
    assert [one["seq"] for one in listener.told] == [1, 1, 1, 2]
    [letter] = mem.webhook_letters()
    assert (letter.seq, letter.tries, letter.error) == (1, 3, "answered 503")
    assert mem.webhook_list()[0].failing is None


def test_dead_letters_can_be_sent_once_more(
    mem: Treering, listener: Listener, clock: HandClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    hook = mem.webhook_add(listener.url).webhook
    receipt = mem.add("One")
    letter = kept.DeadLetter(id="1", webhook_id=hook.id, space="lab", seq=1, at=clock.now, tries=8, error="gone")
    kept.bury(mem._store.drawer, letter)
    monkeypatch.setattr(Treering, "messenger", lambda self, policy=None: WebhookSender(self._store, self._now, POLICY))
    listener.answers = [500]
    assert mem.webhook_resend() == [letter]
    assert mem.webhook_resend(webhook=hook.id) == []
    assert mem.webhook_letters() == []
    assert receipt.id in str(listener.told[-1])


def test_who_dies_while_telling_leaves_it_to_the_next(mem: Treering, listener: Listener, clock: HandClock) -> None:
    mem.webhook_add(listener.url)
    mem.add("One")

    def die(*_: object) -> int:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        WebhookSender(mem._store, clock, POLICY, die).tell_all()
    next_one = mem.messenger(POLICY)
    assert next_one.tell_all() == 0
    clock.advance(seconds=16)
    assert next_one.tell_all() == 1


def test_of_two_at_once_one_tells(mem: Treering, listener: Listener, clock: HandClock) -> None:
    mem.webhook_add(listener.url)
    mem.add("One")
    other = mem.messenger(POLICY)

    def while_another_looks(*arguments: Any) -> int:
        assert other.tell_all() == 0
        return over_http(*arguments)

    assert WebhookSender(mem._store, clock, POLICY, while_another_looks).tell_all() == 1
    assert other.tell_all() == 0
    assert len(listener.heard) == 1


def test_it_is_not_told_what_its_owner_may_not_see(
    mem: Treering, doors: Any, messenger: WebhookSender, listener: Listener
) -> None:
    doors("bob").webhook_add(listener.url)
    mem.add("Mine alone", visibility="private")
    assert messenger.tell_all() == 0
    doors("bob").add("Open")
    messenger.tell_all()
    assert [one["actor"] for one in listener.told] == ["bob"]


def test_a_removed_webhook_hears_nothing_and_its_letters_go(
    mem: Treering, messenger: WebhookSender, listener: Listener
) -> None:
    hook = mem.webhook_add(listener.url).webhook
    mem.webhook_remove(hook.id)
    mem.add("One")
    assert messenger.tell_all() == 0
    with pytest.raises(NotFound, match="webhook-list"):
        mem.webhook_remove(hook.id)


@pytest.mark.parametrize(
    "url",
    ["ftp://example.org", "example.org", "http://", "https://me:pw@example.org", "http://x:99999/", "http://[::1"],
)
def test_what_is_no_address_is_refused(mem: Treering, url: str) -> None:
    with pytest.raises(InvalidRequest, match="address"):
        mem.webhook_add(url)
    assert mem.webhook_list() == []


@pytest.mark.parametrize(
    "host",
    ["127.0.0.1", "localhost", "10.1.2.3", "192.168.0.1", "169.254.169.254", "[::1]", "[fe80::1]", "[::ffff:10.0.0.1]",
     "0.0.0.0", "100.64.0.1", "224.0.0.1", "[2002:a00:1::]", "2130706433", "0x7f.1"],
)  # fmt: skip
def test_addresses_that_only_this_machine_can_reach_are_not_called(host: str) -> None:
    with pytest.raises(InvalidRequest, match=r"not a public address|cannot be found"):
        resolved(f"http://{host}/hook", private=False)


def test_a_public_address_is_called_by_the_very_number_that_was_looked_at() -> None:
    called = resolved("https://93.184.215.14:8443/hook?x=1#part", private=False)
    assert (called.url, called.host) == ("https://93.184.215.14:8443/hook?x=1", "93.184.215.14:8443")
    assert checked_url("https://example.org/hook")


def test_refused_addresses_become_letters_and_hold_nobody_up(
    mem: Treering, listener: Listener, clock: HandClock
) -> None:
    mem.webhook_add("http://127.0.0.1:1/hook")
    mem.webhook_add(listener.url)
    mem.add("One")
    strict = mem.messenger(DeliveryPolicy(tries=1))
    assert strict.tell_all() == 0
    assert {one.error.partition(" is ")[0] for one in mem.webhook_letters()} == {"address: 127.0.0.1"}
    assert listener.heard == []


def test_a_store_that_does_not_answer_is_waited_for(mem: Treering, monkeypatch: pytest.MonkeyPatch) -> None:
    messenger, tried = mem.messenger(POLICY), []

    def busy() -> int:
        tried.append(1)
        messenger.stop()
        raise Unavailable("busy")

    monkeypatch.setattr(messenger, "_due", busy)
    messenger.work()
    assert tried == [1]


def test_pauses_grow_up_to_an_hour() -> None:
    policy = DeliveryPolicy()
    pauses = [policy.pause(tries) for tries in range(1, 9)]
    assert pauses[0] == timedelta(seconds=2)
    assert pauses == sorted(pauses)
    assert pauses[-1] == timedelta(hours=1)


def test_public_means_public() -> None:
    import ipaddress

    assert is_public(ipaddress.ip_address("8.8.8.8"))
    assert is_public(ipaddress.ip_address("2606:4700::1111"))
    assert not is_public(ipaddress.ip_address("::"))
