"""What the tests of remembering share: statements as an agent draws them, and what is known after them."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from treering.door import Treering
from treering.ingest.receipt import Receipt

Fact = tuple[str, str, str]


def day(text: str) -> datetime:
    """The beginning of a day, or of the first day of a month or year."""
    parts = [int(one) for one in text.split("-")]
    return datetime(*[*parts, 1, 1][:3], tzinfo=UTC)  # type: ignore[arg-type]


def claim(subject: str, relation: str, object_: str, since: str | None = None, **more: Any) -> dict[str, Any]:
    """A fact as a draft states it."""
    given = {"subject": subject, "relation": relation, "object": object_, **more}
    return {**given, "valid_from": day(since)} if since else given


def tell(mem: Treering, content: str, *claims: dict[str, Any], **more: Any) -> Receipt:
    """One statement with its facts. `call` are options of `remember`, the others fields of the draft."""
    call = more.pop("call", {})
    return mem.remember(drafts=[{"content": content, "triples": list(claims), **more}], **call)


def works(who: str, where: str, since: str | None = None, **more: Any) -> dict[str, Any]:
    return claim(who, "WORKS_FOR", where, since, **more)


def lives(who: str, where: str, since: str | None = None, **more: Any) -> dict[str, Any]:
    return claim(who, "LIVES_IN", where, since, **more)


def known(mem: Treering, **which: Any) -> set[Fact]:
    """The facts that hold."""
    return {(one.subject, one.relation, one.object) for one in mem.facts(**which)}


def objects(mem: Treering, subject: str, relation: str, **which: Any) -> set[str]:
    return {one.object for one in mem.facts(subject=subject, relation=relation, **which)}


def windows(mem: Treering, subject: str, relation: str, **which: Any) -> list[tuple[str, str, str | None]]:
    """Every value there ever was, with the days on which it began and ended."""
    found = mem.facts(subject=subject, relation=relation, include_closed=True, **which)
    stretches = [(one.object, one.valid_from, one.valid_until) for one in found]
    stretches.sort(key=lambda one: (one[1], one[0]))
    return [(what, f"{since:%Y-%m-%d}", f"{until:%Y-%m-%d}" if until else None) for what, since, until in stretches]


def current(mem: Treering, **which: Any) -> list[str]:
    return [memory.content for memory in mem.list(**which)]


def rules(receipt: Receipt) -> set[tuple[str, str]]:
    """What was closed, and by which rule."""
    return {(one.target, one.rule) for one in receipt.closed}
