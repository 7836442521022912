"""What does a fact look like? Values in a turn, each with its relation, how it is meant, and what it is said of.

Examples come from messages (all that is said in them is labelled), from those of blind sets that have been asked (what
holds is labelled), from threads (a value of each matter that a turn takes part in; what else it says nobody has
labelled) and from slots, plain ones by themselves. A subject is wherever it is named, in the turn, just before it, or
as the speaker; one that is named nowhere is unclear.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from training.coding import UNKNOWN, Coder
from training.data import MOOD_OF_THREAD, Json
from training.examples import Maker, slot_reading, stretches
from treering.mind.turnreader.facts import WIDEST, words_in
from treering.mind.turnreader.units import NO_WORD, shapes

BEFORE, MESSAGE = 48, 112
"""The most word pieces of what was said before, and of a turn with its speaker."""
OFTEN = 30
"""A relation that authors named so often is one of its own; rarer ones are OTHER."""
FOLDED = {
    "OWNS": "DOG HAS_DOG HAS_DOGS HAS_CAT HAS_PETS HAS_HENS OWNS_CAR KEEPS",
    "COSTS": "FEE CHARGES ENTRY RATE",
    "HAS_ROLE": "JOB OCCUPATION",
    "TREATED_BY": "DOCTOR GP VET SURGEON",
    "LOCATED_IN": "AT IN IS_IN SITE STANDS_AT STANDS_IN SITS_AT MEETS_IN",
    "STORED_AT": "PARKED_AT KEPT_ON",
    "SCHEDULED_FOR": "ON COMES_ON MEETS_ON OPENS_ON TAKES_PLACE_ON SENT_ON PAID_ON STARTS STARTS_AT TIME SCHEDULE EXAM",
    "PARTNER_OF": "PARTNER",
    "PHONE_NUMBER": "PHONE",
    "SUBSCRIBES_TO": "SUBSCRIBES",
    "HAS_BLOOD_TYPE": "BLOOD_GROUP",
    "VERSION": "LATEST FIRMWARE NODE_VERSION",
    "PORT": "LISTENS_ON",
    "COUNT": "QUANTITY AMOUNT PEOPLE",
    "MEMBER_OF": "SINGS_IN PLAYS_FOR PLAYS_IN",
    "PLANNED": "GOAL TARGET",
    "HAS_STATUS": "IS EXISTS LEVEL RESULT",
    "DISLIKES": "CANNOT_EAT",
    "USES": "GETS",
    "NAMED": "NAME",
    "SET_TO": "VALUE",
    "OWNED_BY": "ASSIGNED_TO",
}
"""Names by which authors call what the table has a row for."""
_LEAD = re.compile(r"^(?:the|a|an|my|our|his|her|their|this|that)\s+", re.I)
_NAME = re.compile(r"\b[A-Z][\w'\u2019.-]*(?: [A-Z][\w'\u2019.-]*)*$")
"""The name that somebody who is described has: "neighbour Mrs. Okafor"."""
_SPEAKERS = frozenset(("user", "the user", "i", "me", "myself"))

Span = tuple[int, int]


@dataclass
class Value:
    """Where it stands in the turn. `of`: where its subject is named, in the turn or before it (`earlier`); `own`: the
    speaker is its subject."""

    span: Span
    mood: str
    relation: str | None
    of: list[Span] = field(default_factory=list)
    earlier: list[Span] = field(default_factory=list)
    own: bool = False


@dataclass
class Told:
    before: str
    speaker: str
    text: str
    values: list[Value]
    whole: bool | None
    """Whether what is not labelled is no value; None where nobody has labelled anything."""


class Names:
    """The relations that are told apart: the table's, and those that authors named often."""

    def __init__(self, canon: dict[str, str], table: Sequence[str], learned: Sequence[str] = ()) -> None:
        self._canon = canon
        self.all = [*table, *(name for name in learned if name not in table), "OTHER"]
        self.place = {name: place for place, name in enumerate(self.all)}

    def of(self, name: str | None) -> str | None:
        if not name:
            return None
        name = self._canon.get(name, name)
        return name if name in self.place else "OTHER"


def often_named(messages: Sequence[Json], threads: Sequence[Json], canon: dict[str, str]) -> list[str]:
    found: Counter[str] = Counter()
    for thread in threads:
        for matter in thread["matters"]:
            found[str(matter.get("relation") or "")] += len(matter.get("history", ()))
    for message in messages:
        found.update(str(one.get("relation") or "") for one in message.get("statements", ()))
        found.update(relation for _, relation, _ in message.get("facts", ()))
    well_formed = re.compile(r"[A-Z][A-Z0-9_]*$")
    return sorted(n for n, count in found.items() if count >= OFTEN and n not in canon and well_formed.match(n))


def folded(name: str) -> str:
    return next((row for row, others in FOLDED.items() if name in others.split()), name)


def named(subject: str, text: str) -> list[Span]:
    """Wherever it is named in the text, without what may stand before it; and by its name alone."""
    core = _LEAD.sub("", subject.strip())
    name = _NAME.search(core)
    cores = dict.fromkeys((core, name[0] if name else core))
    return [
        found.span() for one in cores if one for found in re.finditer(rf"(?<!\w){re.escape(one)}(?!\w)", text, re.I)
    ]


def said_of(value: Value, subject: str, speaker: str, text: str, before: str) -> Value:
    plain = subject.strip().lower()
    if plain in _SPEAKERS or plain == speaker.lower():
        value.own = plain == speaker.lower() or speaker.lower() == "user"
    else:
        value.of = [one for one in named(subject, text) if one != value.span]
        value.earlier = named(subject, before)
    return value


def of_message(message: Json, names: Names) -> Told:
    text, speaker = message["text"], message.get("speaker") or "User"
    before = _before(message)
    values: list[Value] = []
    for one in message.get("statements", ()):
        start = text.find(one["span"])
        relation, mood = names.of(one.get("relation")), one.get("mood") or "so"
        for what, how in (("value", mood), ("old", "ended")):
            where = stretches(one["span"], str(one.get(what) or ""))
            if where:
                value = Value((where[0] + start, where[1] + start), how, relation)
                values.append(said_of(value, str(one.get("subject") or ""), speaker, text, before))
    return Told(before, speaker, text, apart(values), True)


def of_asked(message: Json, names: Names) -> Told:
    """A message of a blind set that has been asked: its facts hold, and where they stand their words tell."""
    text, speaker, before = message["text"], message.get("speaker") or "User", _before(message)
    values = []
    for subject, relation, value in message["triples"]:
        where = stretches(text, value)
        if where:
            mood = "plan" if relation == "PLANNED" else "so"
            values.append(said_of(Value(where, mood, names.of(relation)), subject, speaker, text, before))
    return Told(before, speaker, text, apart(values), bool(message.get("none")))


def _before(message: Json) -> str:
    return " ".join(f"{turn.get('speaker') or 'User'}: {turn.get('text')}" for turn in message.get("context") or ())


def of_thread(thread: Json, names: Names, draw: random.Random) -> Iterator[Told]:
    """Each turn that takes part in a matter."""
    parts: dict[int, list[tuple[Json, Json]]] = {}
    for matter in thread["matters"]:
        for part in matter["history"]:
            parts.setdefault(part["turn"], []).append((matter, part))
    for place, some in parts.items():
        turn = thread["turns"][place]
        text, speaker = turn["text"], turn.get("speaker") or "User"
        before = " ".join(thread["lines"][max(0, place - 2) : place]) if draw.random() < 0.5 else ""
        values = []
        for matter, part in some:
            where, mood = stretches(text, str(part.get("value") or "")), MOOD_OF_THREAD.get(part["what"])
            if where and mood:
                value = Value(where, mood, names.of(matter.get("relation")))
                values.append(said_of(value, str(matter.get("subject") or ""), speaker, text, before))
        if values:
            yield Told(before, speaker, text, apart(values), False)


def of_slots(maker: Maker, canon: dict[str, str], names: Names) -> Told | None:
    reading = slot_reading(maker, canon)
    if reading is None or any(piece.mood == "aside" for piece in reading.pieces):
        return None  # "my cousin lives in Rome" is no fact of who speaks, but one all the same, which nobody labelled
    values = []
    for start, end, tag in reading.tags:
        piece = next((one for one in reading.pieces if one.start <= start < one.end), None)
        if piece is None or tag not in ("v", "old") or piece.mood is None:
            continue
        of = [(a, b) for a, b, name in reading.tags if name == "s" and piece.start <= a < piece.end]
        mood = "ended" if tag == "old" else piece.mood
        values.append(Value((start, end), mood, names.of(piece.relation), of=of, own=not of))
    return Told(reading.before, reading.speaker, reading.text, apart(values), True)


def of_talk(lines: Sequence[str], draw: random.Random) -> Told:
    return Told("", "User", draw.choice(lines), [], True)


def apart(values: list[Value]) -> list[Value]:
    """Of values that lie over one another the first stays; one that stands for several subjects is kept once."""
    kept: list[Value] = []
    for one in sorted(values, key=lambda value: (value.span[0], value.span[1])):
        if not kept or one.span[0] >= kept[-1].span[1]:
            kept.append(one)
    return kept


@dataclass
class Coded:
    ids: list[int]
    types: list[int]
    shapes: list[int]
    """How the word is written that each piece is of (`treering.mind.turnreader.units`)."""
    words: list[Span]
    """The first and last place of each word of the turn."""
    values: list[tuple[int, int, int, int]]
    """First and last word, mood, relation (-100 unknown)."""
    first: list[list[int]]
    last: list[list[int]]
    """Places where the subject of each value begins and ends; 0 where it is unclear."""
    whole: bool | None
    """As in `Told`."""


def coded(one: Told, coder: Coder, moods: Sequence[str], names: Names) -> Coded | None:
    lead = f"{one.speaker}: "
    said, earlier = coder.encode(lead + one.text), coder.encode(one.before)
    cut = max(0, len(earlier.ids) - BEFORE)
    ids, types = coder.row([list(earlier.ids[cut:])], [list(said.ids[:MESSAGE])])
    start = len(earlier.ids) - cut + 2
    at = [(start + place, a - len(lead), b - len(lead)) for place, (a, b) in enumerate(said.offsets[:MESSAGE])]
    own = [row for row in at if row[1] >= 0]
    before = [(1 + place, a, b) for place, (a, b) in enumerate(earlier.offsets[cut:])]
    written = [NO_WORD] * len(ids)
    for some, text in ((own, one.text), (before, one.before)):
        for (place, _, _), shape in zip(some, shapes(text, [(a, b) for _, a, b in some]), strict=True):
            written[place] = shape
    spans, stand = words_in(one.text, [(place, (a, b)) for place, a, b in own])
    values, first, last = [], [], []
    for value in one.values:
        inside = [word for word, (a, b) in enumerate(spans) if a < value.span[1] and b > value.span[0]]
        if not inside or inside[-1] - inside[0] >= WIDEST:
            continue
        ends = [_places(own, span) for span in value.of] + [_places(before, span) for span in value.earlier]
        found = [one for one in ends if one is not None]
        if value.own:
            speaker = [place for place, a, _ in at if a < 0]
            found.append((speaker[0], speaker[0]))
        relation = names.place[value.relation] if value.relation else UNKNOWN
        values.append((inside[0], inside[-1], moods.index(value.mood), relation))
        first.append([a for a, _ in found] or [0])
        last.append([b for _, b in found] or [0])
    return Coded(ids, types, written, stand, values, first, last, one.whole) if stand else None


def _places(rows: Sequence[tuple[int, int, int]], span: Span) -> Span | None:
    inside = [place for place, a, b in rows if a < span[1] and b > span[0]]
    return (inside[0], inside[-1]) if inside else None
