"""Names of every kind, so that no name by itself says which relation it stands in.

`data/names.jsonl` was written by an author who saw `briefs/names.md`. Values of plain slots are drawn from it, and so
are the values of labelled messages, each of which is also shown with other names in their places.
"""

from __future__ import annotations

import random
import re
from pathlib import Path

from training.data import Json, lines

KINDS = {
    "organization": "WORKS_FOR",
    "place": "LIVES_IN FROM BORN_IN VISITED",
    "role": "HAS_ROLE",
    "language": "SPEAKS",
    "technology": "USES WRITTEN_IN DEPENDS_ON KNOWS",
    "product": "USES OWNS PURCHASED DRIVES",
    "thing": "OWNS PURCHASED",
    "pet": "OWNS",
    "food": "LIKES DISLIKES PREFERS",
    "hobby": "LIKES PREFERS",
    "title": "LIKES",
    "diet": "FOLLOWS_DIET",
    "allergen": "ALLERGIC_TO",
    "condition": "HAS_CONDITION",
    "medicine": "TAKES",
    "school": "STUDIED_AT",
    "study": "STUDIES",
    "team": "MEMBER_OF",
    "service": "SUBSCRIBES_TO",
    "host": "HOSTED_ON",
    "version": "VERSION",
    "amount": "RENT COSTS BUDGET EARNS PAYS",
    "date": "DEADLINE SCHEDULED_FOR BIRTHDAY EXPIRES",
    "event": "PLANNED",
    "person": "MARRIED_TO PARTNER_OF ENGAGED_TO FRIEND_OF KNOWS MET PARENT_OF SIBLING_OF REPORTS_TO OWNED_BY "
    "TREATED_BY",
}
"""The relations that values of a kind stand in."""
OFTEN = 0.5
"""So many of the values of a plain slot are of these names."""


class Named:
    def __init__(self, path: Path, draw: random.Random) -> None:
        by_kind = {str(one["kind"]): [str(name) for name in one["names"]] for one in lines([path])}
        self._draw = draw
        self._by_relation: dict[str, list[str]] = {}
        for kind, relations in KINDS.items():
            for relation in relations.split():
                self._by_relation.setdefault(relation, []).extend(by_kind.get(kind, ()))

    def of(self, relation: str) -> list[str]:
        return self._by_relation.get(relation, [])

    def added(self, slot: Json) -> Json:
        """With as many of these names among its values as it has of its own, times how often they are wanted."""
        mine = [one for one in self.of(slot["relation"]) if _alike(one, slot["values"])]
        if not mine:
            return slot
        own = slot["values"] * max(1, round(len(mine) * (1 - OFTEN) / OFTEN / len(slot["values"])))
        return slot | {"values": [*own, *mine]}

    def swapped(self, message: Json) -> Json:
        """With other names where values stand that are written large; as it was where none can be changed."""
        found = message
        for subject, relation, value in message["facts"]:
            others = [one for one in self.of(relation) if one[:1].isupper()] if value[:1].isupper() else []
            if others and _stands_once(value, found, (subject, relation)):
                found = _replaced(found, value, self._draw.choice(others))
        return found


def _alike(name: str, values: list[str]) -> bool:
    """ "a red canoe" fits no slot whose values have no article, and the other way round."""
    led = re.compile(r"(?:an?|the|my|our|two|three|some) ", re.IGNORECASE)
    share = sum(led.match(one) is not None for one in values) / len(values)
    return share > 0 if led.match(name) else share < 1


def _stands_once(value: str, message: Json, own: tuple[str, str]) -> bool:
    others = [one for fact in message["facts"] + message["over"] if tuple(fact[:2]) != own for one in fact]
    return len(re.findall(rf"(?<!\w){re.escape(value)}(?!\w)", message["text"])) == 1 and not any(
        value in one or one in value for one in others if one != own[0]
    )


def _replaced(found: object, old: str, new: str) -> Json:
    """In every text of it."""
    if isinstance(found, str):
        return re.sub(rf"(?<!\w){re.escape(old)}(?!\w)", lambda _: new, found)  # type: ignore[return-value]
    if isinstance(found, list):
        return [_replaced(one, old, new) for one in found]  # type: ignore[return-value]
    if isinstance(found, dict):
        return {key: _replaced(one, old, new) for key, one in found.items()}
    return found  # type: ignore[return-value]
