"""Which webhooks are there? Each with its address, what it wants to hear of, and how far it has been told.

They lie in the store's drawer, so that any process may deliver. What could not be delivered is kept as a dead letter:
the place in the journal, never what is said there.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from datetime import datetime
from typing import Any

from treering.errors import Conflict, InvalidRequest, NotFound
from treering.model.space import space_name
from treering.model.time import utc, utc_or_none
from treering.model.value import Value
from treering.store.drawer import Drawer, Paper
from treering.values import dataclass

KIND, LETTER = "webhook", "dead_letter"
MOST_LETTERS = 1_000
_SECRET_BYTES = 32


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Webhook(Value):
    """`events` are kinds of change (memory_added) or operations (remember); none named is all. `reached` tells for each
    space up to which entry it has been told; `failing` what went wrong last, and since how many tries."""

    id: str
    url: str
    spaces: tuple[str, ...]
    events: tuple[str, ...]
    actor: str
    created_at: datetime
    reached: dict[str, int] = field(default_factory=dict)
    tries: int = 0
    failing: str | None = None
    retry_at: datetime | None = None

    def hears_of(self, space: str) -> bool:
        return any(
            one in ("*", space) or (one.endswith("/*") and f"{space}/".startswith(one.removesuffix("*")))
            for one in self.spaces
        )


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class AddedWebhook(Value):
    """`secret` signs what is sent, and is shown this once."""

    secret: str
    webhook: Webhook


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class DeadLetter(Value):
    """An entry that a webhook could not be told of."""

    id: str
    webhook_id: str
    space: str
    seq: int
    at: datetime
    tries: int
    error: str


@dataclass(frozen=True, slots=True)
class StoredWebhook:
    """A webhook with what only the one who delivers needs."""

    webhook: Webhook
    secret: str
    version: int


def add(drawer: Drawer, webhook: Webhook) -> AddedWebhook:
    secret = "whsec_" + secrets.token_urlsafe(_SECRET_BYTES)
    if drawer.put(KIND, webhook.id, _written(webhook, secret), version=0, due=webhook.created_at) is None:
        raise Conflict("webhooks: this id is taken; try again")
    return AddedWebhook(secret=secret, webhook=webhook)


def listed(drawer: Drawer) -> list[Webhook]:
    return [read(one).webhook for one in drawer.listed(KIND)]


def remove(drawer: Drawer, webhook_id: str) -> Webhook:
    """Its letters go first, so that a removal which was broken off can be asked for again."""
    paper = drawer.get(KIND, webhook_id)
    for letter in letters(drawer, webhook_id) if paper is not None else ():
        drawer.remove(LETTER, letter.id)
    if paper is None or not drawer.remove(KIND, webhook_id):
        raise NotFound(f"id: there is no webhook {webhook_id!r}; `webhook-list` shows those there are", webhook_id)
    return read(paper).webhook


def save(drawer: Drawer, kept: StoredWebhook, webhook: Webhook) -> StoredWebhook | None:
    """None if it was changed or removed meanwhile."""
    due = webhook.retry_at or webhook.created_at
    paper = drawer.put(KIND, webhook.id, _written(webhook, kept.secret), version=kept.version, due=due)
    return None if paper is None else replace(kept, webhook=webhook, version=paper.version)


def letters(drawer: Drawer, webhook_id: str | None = None) -> list[DeadLetter]:
    found = [_letter(one) for one in drawer.listed(LETTER)]
    return [one for one in found if webhook_id in (None, one.webhook_id)]


def bury(drawer: Drawer, letter: DeadLetter) -> None:
    """Of all that could not be delivered the newest are kept."""
    drawer.put(LETTER, letter.id, letter.to_dict(), version=0)
    for old in drawer.listed(LETTER)[:-MOST_LETTERS]:
        drawer.remove(LETTER, old.id)


def wanted(given: Sequence[str]) -> tuple[str, ...]:
    """Spaces as they may be named, checked."""
    for one in given:
        if one != "*":
            space_name(one.removesuffix("/*"))
    if not given:
        raise InvalidRequest("spaces: name at least one, such as acme, acme/* or *")
    return tuple(given)


def read(paper: Paper) -> StoredWebhook:
    value = paper.value
    webhook = Webhook(
        id=paper.id,
        url=value["url"],
        spaces=tuple(value["spaces"]),
        events=tuple(value["events"]),
        actor=value["actor"],
        created_at=utc(value["created_at"]),
        reached=dict(value["reached"]),
        tries=value["tries"],
        failing=value["failing"],
        retry_at=utc_or_none(value["retry_at"]),
    )
    return StoredWebhook(webhook, value["secret"], paper.version)


def _written(webhook: Webhook, secret: str) -> dict[str, Any]:
    return {**webhook.to_dict(), "secret": secret}


def _letter(paper: Paper) -> DeadLetter:
    value: Mapping[str, Any] = paper.value
    return DeadLetter(**{**value, "at": utc(value["at"])})
