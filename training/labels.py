"""What a knowledge graph should keep of a message, as labellers saw it (`briefs/labels.md`).

Their facts take the place of the values that the message's author had marked as so or planned; what the author marked
as meant otherwise (wished, denied, asked, an instruction) stays beside them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from training import data, facts
from training.data import Json
from training.facts import Names, Told, Value, apart, said_of

LIVE, GONE = frozenset(("so", "became", "happened")), frozenset(("ended", "past", "denied"))
MEANT_OTHERWISE = frozenset(
    ("ended", "past", "wish", "hypothetical", "question", "denied", "hearsay", "joke", "instruction", "cancelled")
)
TURNED = {"PARENT_OF": "CHILD_OF", "CHILD_OF": "PARENT_OF", "MANAGES": "REPORTS_TO", "SUPERVISES": "REPORTS_TO",
          "REPORTS_TO": "MANAGES"}  # fmt: skip
"""What is said of who speaks, where they are the value: no words stand for them."""
PLANNED, ALIKE = "PLANNED", 4
"""Words that begin alike with so many letters are one: "retirement" of who "retires"."""
_WORD = re.compile(r"[\w'\u2019.@/+-]*\w")
_SMALL = frozenset(("a", "an", "and", "at", "by", "for", "from", "in", "of", "on", "the", "to", "with"))


def labelled(folder: Path, messages: Iterable[Json]) -> Iterator[Json]:
    """Messages, each with the labels it was given, if any; and what else was labelled."""
    given = {_key(one): one for one in data.lines((folder / "labels").glob("*.jsonl"))}
    for message in messages:
        found = given.pop((message["text"], _before(message)), None)
        yield message if found is None else message | {"facts": found["facts"], "over": found["over"]}
    for one in given.values():
        said = (turn.split(": ", 1) for turn in one["before"])
        yield one | {"context": [{"speaker": speaker, "text": text} for speaker, text in said]}


def _key(one: Json) -> tuple[str, str]:
    return one["text"], " ".join(one["before"])


def _before(message: Json) -> str:
    return " ".join(f"{turn.get('speaker') or 'User'}: {turn['text']}" for turn in message.get("context") or ())


def of_labels(message: Json, names: Names, mutual: frozenset[str]) -> Told:
    told = facts.of_message(message, names)
    kept: list[Value] = []
    for mood, some in (("so", message["facts"]), ("ended", message["over"])):
        for fact in some:
            one = _value(fact, mood, told, names, mutual)
            if one is not None:
                kept.append(one)
    found = apart(kept)
    free = [one for one in told.values if one.mood in MEANT_OTHERWISE and not any(_over(one, other) for other in found)]
    return Told(told.before, told.speaker, told.text, apart([*found, *free]), True)


def _value(fact: list[str], mood: str, told: Told, names: Names, mutual: frozenset[str]) -> Value | None:
    subject, relation, value = fact
    if value.lower() in {"user", told.speaker.lower()}:
        turned = relation if relation in mutual else TURNED.get(relation)
        if turned is None:
            return None
        subject, relation, value = value, turned, subject
    where = place(told.text, value, relation == PLANNED)
    if where is None:
        return None
    if relation == PLANNED and mood == "so":
        mood = "plan"
    marked = next((one.mood for one in told.values if _meet(one.span, where)), mood)
    if marked in (LIVE if mood == "so" else GONE if mood == "ended" else ()):
        mood = marked
    return said_of(Value(where, mood, names.of(_plain(relation, names))), subject, told.speaker, told.text, told.before)


def _plain(relation: str, names: Names) -> str:
    """HAS_AGE is AGE, where nobody else calls it so; what is somebody's favourite is liked."""
    if relation.removeprefix("HAS_").startswith(("FAVOURITE", "FAVORITE")):
        return "LIKES"
    bare = relation.removeprefix("HAS_")
    return bare if names.of(relation) == "OTHER" and names.of(bare) != "OTHER" else relation


def place(text: str, value: str, loosely: bool) -> tuple[int, int] | None:
    """Where it stands, word for word; else, `loosely`, from the first to the last of its words that stand together."""
    words = re.escape(value)
    found = re.search(rf"(?<!\w){words}(?!\w)", text) or re.search(rf"(?<!\w){words}(?!\w)", text, re.IGNORECASE)
    if found or not loosely:
        return found.span() if found else None
    said = list(_WORD.finditer(text))
    wanted = [one.lower() for one in _WORD.findall(value)]
    alike = [any(_alike(one[0].lower(), other) for other in wanted) for one in said]
    best: tuple[int, int] | None = None
    start = 0
    while start < len(said):
        end = start
        while end < len(said) and alike[end]:
            end += 1
        first, last = start, end
        while first < last and said[first][0].lower() in _SMALL:
            first += 1
        while last > first and said[last - 1][0].lower() in _SMALL:
            last -= 1
        if last > first and (best is None or last - first > best[1] - best[0]):
            best = first, last
        start = max(end, start + 1)
    return None if best is None else (said[best[0]].start(), said[best[1] - 1].end())


def _alike(one: str, other: str) -> bool:
    return one == other or (len(one) > ALIKE and len(other) > ALIKE and one[:ALIKE] == other[:ALIKE])


def _meet(one: tuple[int, int], other: tuple[int, int]) -> bool:
    return one[0] < other[1] and other[0] < one[1]


def _over(one: Value, other: Value) -> bool:
    return _meet(one.span, other.span)
