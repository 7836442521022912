"""Changes and entries as hypothesis draws them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from treering.model import changes as c
from treering.model.entity import Entity
from treering.model.identity import Identity
from treering.model.ids import mint
from treering.model.journal import Entry, Head, seal

AT = datetime(2026, 2, 10, 12, tzinfo=UTC)
SPACE = "lab/den"


# entries


def some_changes() -> c.Changes:
    fresh = mint(AT)
    return c.Changes(
        "add",
        (
            c.EntityAdded(Entity(id=fresh(), space=SPACE, name="Ada", recorded_at=AT)),
            c.KeyBound("ann", "key"),
            c.SettingChanged("functional_relations", ["KNOWS"]),
        ),
    )


def chained(n: int, identity: Identity | None = None) -> list[Entry]:
    head, made = Head(), []
    for step in range(n):
        at = AT + timedelta(seconds=step)
        made.append(seal(some_changes(), space=SPACE, head=head, at=at, actor="ann", identity=identity))
        head = made[-1].head()
    return made
