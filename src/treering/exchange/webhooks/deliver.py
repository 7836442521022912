"""How is somebody told? Entry after entry of each space, in order, signed, and again with growing pauses if it fails.

A webhook remembers how far it has been told, so that nothing is lost when a process dies: at worst an entry is told
twice, with the same id. After the last try an entry becomes a dead letter, and the next one has its turn.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import threading
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from datetime import datetime, timedelta
from itertools import groupby
from typing import Protocol
from urllib.parse import urlsplit

from treering.errors import InvalidRequest, TreeringError, Unavailable
from treering.exchange.webhooks import kept as drawer_of
from treering.exchange.webhooks.address import resolved
from treering.exchange.webhooks.kept import DeadLetter, StoredWebhook, Webhook
from treering.exchange.webhooks.turns import Turns
from treering.model.changes import change_name
from treering.model.space import SpaceInfo
from treering.model.time import Clock, to_micros, to_text
from treering.store.contract import Event, Scope, Store
from treering.store.openness import open_ids
from treering.values import dataclass

LOOK_SECONDS = 0.5
_ENTRIES_AT_ONCE = 100


@dataclass(frozen=True, slots=True)
class DeliveryPolicy:
    tries: int = 8
    first_pause_seconds: float = 2.0
    longest_pause_seconds: float = 3600.0
    timeout_seconds: float = 10.0
    private: bool = False
    """Whether addresses that are not public may be called."""
    at_once: int = 32
    """Webhooks that are told something at the same time."""
    at_once_each: int = 2
    """Of those, how many of one receiver: a host with its port."""

    def pause(self, tries: int) -> timedelta:
        return timedelta(seconds=min(self.longest_pause_seconds, self.first_pause_seconds * 4 ** (tries - 1)))


class HttpPost(Protocol):
    def __call__(self, url: str, body: bytes, headers: Mapping[str, str], policy: DeliveryPolicy) -> int:
        """Sends it, and answers with the status. OSError or TreeringError if it cannot be sent."""


def over_http(url: str, body: bytes, headers: Mapping[str, str], policy: DeliveryPolicy) -> int:
    """The whole of it takes no longer than the policy has it, however slowly the other side speaks; what it says
    besides the status is not listened to."""
    import anyio
    import httpx

    called = resolved(url, policy.private)
    own = {**headers, "Host": called.host}
    name = called.host.rpartition(":")[0] if called.host.count(":") == 1 else called.host

    async def post() -> int:
        with anyio.fail_after(policy.timeout_seconds):
            async with (
                httpx.AsyncClient(timeout=policy.timeout_seconds, follow_redirects=False, trust_env=False) as client,
                client.stream(
                    "POST", called.url, content=body, headers=own, extensions={"sni_hostname": name}
                ) as answer,
            ):
                return answer.status_code

    try:
        return anyio.run(post)
    except (httpx.HTTPError, TimeoutError) as error:
        raise Unavailable(f"{called.host}: does not answer ({str(error) or 'in time'})") from error


def signature(secret: str, body: bytes, now: datetime) -> str:
    """Over the time and the body: who has the secret can tell that it is ours, whole, and of now."""
    at = to_micros(now) // 1_000_000
    signed = hmac.new(secret.encode(), f"{at}.".encode() + body, hashlib.sha256).hexdigest()
    return f"t={at},v1={signed}"


class WebhookSender:
    """Tells every webhook what it has not been told. Several may run: each entry is told by one, unless that dies."""

    def __init__(
        self, store: Store, clock: Clock, policy: DeliveryPolicy | None = None, post: HttpPost = over_http
    ) -> None:
        self._store = store
        self._clock = clock
        self._policy = policy or DeliveryPolicy()
        self._post = post
        self._stopping = threading.Event()
        self._turns = Turns(self._policy.at_once, self._policy.at_once_each)

    def work(self) -> None:
        """Until it is told to stop. While the store does not answer it waits. Who does not answer holds up nobody but
        itself."""
        with ThreadPoolExecutor(self._policy.at_once, thread_name_prefix="treering-webhook") as pool:
            while not self._stopping.is_set():
                with suppress(TreeringError):  # the store does not answer: what is not told now is told later
                    spaces = self._store.spaces()
                    for kept in self._due():
                        if any(_behind(kept.webhook, spaces)):
                            self._turns.wait(kept.webhook.id, urlsplit(kept.webhook.url).netloc.lower())
                self._begin(pool)
                self._stopping.wait(LOOK_SECONDS)

    def _begin(self, pool: ThreadPoolExecutor) -> None:
        """All whose turn it is."""
        while not self._stopping.is_set() and (webhook_id := self._turns.next()) is not None:
            pool.submit(self._turn, webhook_id, pool)

    def _turn(self, webhook_id: str, pool: ThreadPoolExecutor) -> None:
        """A few entries of each space; whoever waits for the same receiver comes before the rest of them."""
        more = False
        try:
            with suppress(TreeringError):
                kept = self._still_due(webhook_id)
                more = kept is not None and self._tell(kept)[1]
        finally:
            self._turns.end(webhook_id, more)
        with suppress(RuntimeError):  # it was told to stop meanwhile: nothing more is begun
            self._begin(pool)

    def _due(self) -> Iterator[StoredWebhook]:
        for paper in self._store.drawer.listed(drawer_of.KIND, due_by=self._clock()):
            yield drawer_of.read(paper)

    def _still_due(self, webhook_id: str) -> StoredWebhook | None:
        """As it is now: while it waited it may have been removed, or told by another process."""
        paper = self._store.drawer.get(drawer_of.KIND, webhook_id)
        kept = None if paper is None else drawer_of.read(paper)
        waits = kept is not None and kept.webhook.retry_at is not None and kept.webhook.retry_at > self._clock()
        return None if waits else kept

    def stop(self) -> None:
        self._stopping.set()

    def tell_all(self) -> int:
        """Everybody of everything; answers how many entries were told."""
        return sum(self._tell_whole(kept) for kept in self._due())

    def _tell_whole(self, kept: StoredWebhook) -> int:
        told, more = self._tell(kept)
        while more and (again := self._still_due(kept.webhook.id)) is not None:
            further, more = self._tell(again)
            told += further
        return told

    def _tell(self, kept: StoredWebhook) -> tuple[int, bool]:
        """So many entries at once of each space; how many were told, and whether there are more to tell now."""
        told, spaces = 0, self._store.spaces()
        for space in _behind(kept.webhook, spaces):
            taken = self._take(kept)
            if taken is None or self._stopping.is_set():
                return told, False
            done, after = self._tell_space(taken, space)
            told += done
            if after is None:
                return told, False
            kept = after
        return told, any(_behind(kept.webhook, spaces))

    def _take(self, kept: StoredWebhook) -> StoredWebhook | None:
        """For as long as a try may last nobody else looks at it."""
        until = self._clock() + timedelta(seconds=3 * self._policy.timeout_seconds)
        return drawer_of.save(self._store.drawer, kept, replace(kept.webhook, retry_at=until))

    def _tell_space(self, kept: StoredWebhook, space: str) -> tuple[int, StoredWebhook | None]:
        told, now = 0, self._clock()
        scope = Scope(space, now, principal=kept.webhook.actor)
        with self._store.reader(scope) as reader:
            events, reached = reader.happened(kept.webhook.reached.get(space, 0), _ENTRIES_AT_ONCE)
        for seq, group in groupby(events, key=lambda one: one.seq):
            wanted = [one for one in group if _is_wanted(kept.webhook, one)]
            if not wanted:
                continue
            if self._stopping.is_set():
                return told, self._let_go(kept)
            error = self._send(kept, wanted)
            if error is None:
                told += 1
                kept = replace(kept, webhook=_heard(kept.webhook, space, seq))
                continue
            return told, self._failed(kept, wanted[0], error)
        return told, self._let_go(replace(kept, webhook=_heard(kept.webhook, space, reached)))

    def _let_go(self, kept: StoredWebhook) -> StoredWebhook | None:
        return drawer_of.save(self._store.drawer, kept, replace(kept.webhook, retry_at=None))

    def _send(self, kept: StoredWebhook, events: list[Event]) -> str | None:
        """What went wrong, if anything did."""
        first, now = events[0], self._clock()
        number = f"{first.space}:{first.seq}"
        body = json.dumps(
            {
                "id": number,
                "space": first.space,
                "seq": first.seq,
                "at": to_text(first.at),
                "actor": first.actor,
                "op": first.op,
                "changes": [{"type": change_name(one.change), "ids": list(open_ids(one.change))} for one in events],
            },
            ensure_ascii=False,
        ).encode()
        headers = {
            "Content-Type": "application/json",
            "User-Agent": "treering",
            "X-Treering-Delivery": number,
            "X-Treering-Event": first.op,
            "X-Treering-Signature": signature(kept.secret, body, now),
        }
        try:
            status = self._post(kept.webhook.url, body, headers, self._policy)
        except (InvalidRequest, Unavailable, OSError) as error:
            return str(error)
        return None if 200 <= status < 300 else f"answered {status}"

    def _failed(self, kept: StoredWebhook, event: Event, error: str) -> StoredWebhook | None:
        """To be tried again later, or given up."""
        webhook, now = kept.webhook, self._clock()
        tries = webhook.tries + 1
        if tries < self._policy.tries:
            again = replace(webhook, tries=tries, failing=error, retry_at=now + self._policy.pause(tries))
            drawer_of.save(self._store.drawer, kept, again)
            return None
        letter = DeadLetter(
            id=f"{to_micros(now):020d}-{webhook.id}",
            webhook_id=webhook.id,
            space=event.space,
            seq=event.seq,
            at=now,
            tries=tries,
            error=error,
        )
        drawer_of.bury(self._store.drawer, letter)
        passed = replace(_heard(webhook, event.space, event.seq), failing=error, retry_at=None)
        return drawer_of.save(self._store.drawer, kept, passed)

    def resend(self, letter: DeadLetter) -> str | None:
        """Once more what could not be delivered; what went wrong, if it did again."""
        paper = self._store.drawer.get(drawer_of.KIND, letter.webhook_id)
        if paper is None:
            return "the webhook is gone"
        kept = drawer_of.read(paper)
        scope = Scope(letter.space, self._clock(), principal=kept.webhook.actor)
        with self._store.reader(scope) as reader:
            events, _ = reader.happened(letter.seq - 1, 1)
        wanted = [one for one in events if _is_wanted(kept.webhook, one)]
        error = self._send(kept, wanted) if wanted else None
        if error is None:
            self._store.drawer.remove(drawer_of.LETTER, letter.id)
        return error


def _behind(webhook: Webhook, spaces: Sequence[SpaceInfo]) -> Iterator[str]:
    """The spaces in which something happened that it has not been told."""
    return (one.name for one in spaces if webhook.hears_of(one.name) and webhook.reached.get(one.name, 0) < one.seq)


def _is_wanted(webhook: Webhook, event: Event) -> bool:
    return not webhook.events or event.op in webhook.events or change_name(event.change) in webhook.events


def _heard(webhook: Webhook, space: str, seq: int) -> Webhook:
    return replace(webhook, reached={**webhook.reached, space: seq}, tries=0, failing=None)
