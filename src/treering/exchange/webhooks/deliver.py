"""How is somebody told? Entry after entry of each space, in order, signed, and again with growing pauses if it fails.

A webhook remembers how far it has been told, so that nothing is lost when a process dies: at worst an entry is told
twice, with the same id. After the last try an entry becomes a dead letter, and the next one has its turn.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import threading
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import groupby
from typing import Protocol
from urllib.parse import urlsplit

from treering.errors import InvalidRequest, TreeringError, Unavailable
from treering.exchange.webhooks import kept as drawer_of
from treering.exchange.webhooks.address import resolved
from treering.exchange.webhooks.kept import DeadLetter, Kept, Webhook
from treering.model.changes import change_name
from treering.model.space import SpaceInfo
from treering.model.time import Clock, to_micros, to_text
from treering.store.contract import Event, Scope, Store
from treering.store.openness import open_ids

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


class Post(Protocol):
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


def _unheard(webhook: Webhook, spaces: Sequence[SpaceInfo]) -> bool:
    return any(webhook.hears_of(one.name) and webhook.reached.get(one.name, 0) < one.seq for one in spaces)


class Messenger:
    """Tells every webhook what it has not been told. Several may run: each entry is told by one, unless that dies."""

    def __init__(
        self, store: Store, clock: Clock, policy: DeliveryPolicy | None = None, post: Post = over_http
    ) -> None:
        self._store = store
        self._clock = clock
        self._policy = policy or DeliveryPolicy()
        self._post = post
        self._stopping = threading.Event()
        self._telling: dict[str, str] = {}
        """Webhooks that are being told something, and who hears it."""
        self._lock = threading.Lock()
        self._began = 0
        self._turns: dict[str, int] = {}
        """When each of those that are due was last begun with, counted from the first."""

    def work(self) -> None:
        """Until it is told to stop. While the store does not answer it waits. Who does not answer holds up nobody but
        itself."""
        with ThreadPoolExecutor(self._policy.at_once, thread_name_prefix="treering-webhook") as pool:
            while not self._stopping.is_set():
                with suppress(TreeringError):  # the store does not answer: what is not told now is told later
                    for kept in self._in_turn():
                        if self._may_begin(kept):
                            pool.submit(self._tell_by_itself, kept)
                self._stopping.wait(LOOK_SECONDS)

    def _due(self) -> Iterator[Kept]:
        for paper in self._store.drawer.listed(drawer_of.KIND, due_by=self._clock()):
            yield drawer_of.read(paper)

    def _in_turn(self) -> list[Kept]:
        """Those that have something to hear, who has waited longest first: where a receiver has many webhooks, no two
        of them take all its turns."""
        spaces = self._store.spaces()
        due = [one for one in self._due() if _unheard(one.webhook, spaces)]
        self._turns = {one.webhook.id: self._turns.get(one.webhook.id, 0) for one in due}
        return sorted(due, key=lambda one: self._turns[one.webhook.id])

    def _may_begin(self, kept: Kept) -> bool:
        """A webhook is told by one, and a receiver is called for few at once, however many webhooks lead to it."""
        receiver = urlsplit(kept.webhook.url).netloc.lower()
        with self._lock:
            if kept.webhook.id in self._telling:
                return False
            if Counter(self._telling.values())[receiver] >= self._policy.at_once_each:
                return False
            if len(self._telling) >= self._policy.at_once:
                return False
            self._telling[kept.webhook.id] = receiver
        self._began += 1
        self._turns[kept.webhook.id] = self._began
        return True

    def _tell_by_itself(self, kept: Kept) -> None:
        try:
            with suppress(TreeringError):
                self._tell(kept)
        finally:
            with self._lock:
                self._telling.pop(kept.webhook.id, None)

    def stop(self) -> None:
        self._stopping.set()

    def tell_all(self) -> int:
        """One round; answers how many entries were told."""
        return sum(self._tell(kept) for kept in self._due())

    def _tell(self, kept: Kept) -> int:
        told = 0
        for info in self._store.spaces():
            while kept.webhook.hears_of(info.name) and kept.webhook.reached.get(info.name, 0) < info.seq:
                taken = self._take(kept)
                if taken is None or self._stopping.is_set():
                    return told
                done, after = self._tell_space(taken, info.name)
                told += done
                if after is None:
                    return told
                kept = after
        return told

    def _take(self, kept: Kept) -> Kept | None:
        """For as long as a try may last nobody else looks at it."""
        until = self._clock() + timedelta(seconds=3 * self._policy.timeout_seconds)
        return drawer_of.save(self._store.drawer, kept, replace(kept.webhook, retry_at=until))

    def _tell_space(self, kept: Kept, space: str) -> tuple[int, Kept | None]:
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

    def _let_go(self, kept: Kept) -> Kept | None:
        return drawer_of.save(self._store.drawer, kept, replace(kept.webhook, retry_at=None))

    def _send(self, kept: Kept, events: list[Event]) -> str | None:
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

    def _failed(self, kept: Kept, event: Event, error: str) -> Kept | None:
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


def _is_wanted(webhook: Webhook, event: Event) -> bool:
    return not webhook.events or event.op in webhook.events or change_name(event.change) in webhook.events


def _heard(webhook: Webhook, space: str, seq: int) -> Webhook:
    return replace(webhook, reached={**webhook.reached, space: seq}, tries=0, failing=None)
