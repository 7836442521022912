"""What does a model see? Examples made from slots: pairs with a verdict, questions with a role, readings. Those made of
threads are in `threads.py`.

Every sentence was written by an author; what is drawn here is which of them stand together, with which names and
values, in which company, and what follows from that.
"""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from training.data import MOOD_OF_NOT, Json

VERDICTS = ("none", "replaces", "ends", "same", "adds")
ROLES = ("none", "now", "ends", "past", "plays")
ASKS = ("now", "past", "when", "talk")
"""What a question asks for: the present, what was, when it became so; or it is none about what was told."""
NAMES = [
    "Ana",
    "Ben",
    "Chloe",
    "Dmitri",
    "Elena",
    "Farid",
    "Grace",
    "Hiro",
    "Ines",
    "Jonas",
    "Kavya",
    "Liam",
    "Maya",
    "Nikhil",
    "Olga",
    "Pablo",
    "Quinn",
    "Rosa",
    "Sven",
    "Tara",
    "Uma",
    "Victor",
    "Wen",
    "Xenia",
    "Yusuf",
    "Zoe",
    "Amara",
    "Boris",
    "Celine",
    "Diego",
    "Esther",
    "Femi",
    "Gita",
    "Henrik",
    "Imani",
    "Jacek",
    "Keiko",
    "Lars",
    "Mbali",
    "Nadia",
    "Omar",
    "Petra",
    "Ravi",
    "Sofia",
    "Theo",
    "Ursula",
    "Vera",
    "Will",
    "Yara",
    "Zeke",
    "Aoife",
    "Bashir",
    "Camila",
    "Dae",
    "Eero",
    "Fatou",
    "Giorgos",
    "Hana",
    "Ilya",
    "Jun",
]

Spans = dict[str, list[tuple[int, int]]]


@dataclass
class Said:
    """A sentence with the places of its values and subject, and how it says its fact."""

    text: str
    spans: Spans
    mood: str
    slot: Json | None = None
    card: str = "one"

    def shifted(self, by: int) -> Spans:
        return {name: [(a + by, b + by) for a, b in some] for name, some in self.spans.items()}


@dataclass
class Verdict:
    older: str
    newer: str
    verdict: str
    question: str = ""
    before: str = ""
    """The turn before the newer one."""


@dataclass
class Role:
    question: str
    statement: str
    role: str


@dataclass
class Piece:
    """A stretch of a message: a statement, or talk."""

    start: int
    end: int
    mood: str | None = None
    relation: str | None = None
    kind: str | None = None
    lasts: bool | None = None
    importance: float | None = None
    worth: bool | None = None
    """Whether it says something; None where nobody has said."""


@dataclass
class Reading:
    before: str
    speaker: str
    text: str
    pieces: list[Piece]
    tags: list[tuple[int, int, str]] = field(default_factory=list)
    """Stretches: v, old, s, when."""
    names: list[tuple[int, int, str]] | None = None
    asks: str | None = None
    slot: str | None = None
    cut: bool = True
    """Whether the borders of its pieces are known."""


def fill(text: str, **values: str) -> tuple[str, Spans]:
    spans: Spans = {}
    out, at = "", 0
    for match in re.finditer(r"\{(v|old|s)\}", text):
        out += text[at : match.start()]
        value = values.get(match[1]) or ""
        if not out.strip() and value[:1].islower():
            value = value[0].upper() + value[1:]
        spans.setdefault(match[1], []).append((len(out), len(out) + len(value)))
        out += value
        at = match.end()
    return out + text[at:], spans


class Maker:
    def __init__(self, slots: Sequence[Json], talk: Json, seed: int) -> None:
        """`talk`: lines that answer nothing: `neutral` of nobody, `own` of whoever says them."""
        self.slots, self.talk, self.random = list(slots), talk, random.Random(seed)
        by_domain: dict[str, list[Json]] = {}
        for slot in self.slots:
            by_domain.setdefault(slot.get("domain", ""), []).append(slot)
        self.by_domain = by_domain
        self._asides = [
            (entry["text"], slot)
            for slot in self.slots
            for entry in slot["not"]
            if entry["kind"] in ("other_topic", "question") and not re.search(r"\{(s|old)\}", entry["text"])
        ]

    # sentences

    def values(self, slot: Json, count: int) -> list[str]:
        return self.random.sample(slot["values"], min(count, len(slot["values"])))

    def who(self, slot: Json) -> str | None:
        """None: the speaker."""
        draw = self.random
        if slot["state_1"] and (draw.random() < 0.6 or not slot["state_3"]):
            return None
        if slot.get("subject") == "person" and draw.random() < 0.4:
            return draw.choice(NAMES)
        return str(draw.choice(slot["subjects"] or NAMES))

    def say(self, slot: Json, how: str, who: str | None, value: str, old: str = "", kind: str = "") -> Said | None:
        draw, person = self.random, "1" if who is None else "3"
        if how == "not":
            some = [
                e for e in slot["not"] if (not kind or e["kind"] == kind) and ("{s}" in e["text"]) == (who is not None)
            ]
            some = some or [e for e in slot["not"] if (not kind or e["kind"] == kind) and "{s}" not in e["text"]]
            if not some:
                return None
            entry = draw.choice(some)
            text, spans = fill(entry["text"], v=value, s=who or "", old=old or value)
            return Said(text, spans, MOOD_OF_NOT[entry["kind"]], slot, slot["cardinality"])
        some = slot[f"{how}_{person}"]
        if how == "state" and who is None and slot["also"] and draw.random() < 0.15:
            some = slot["also"]
        if not some:
            return None
        text, spans = fill(draw.choice(some), v=value, old=old, s=who or "")
        mood = {"state": "so", "change": "became", "swap": "became", "end": "ended"}[how]
        return Said(text, spans, "happened" if slot["cardinality"] == "event" else mood, slot, slot["cardinality"])

    def roughly(self, text: str) -> str:
        """As people type."""
        draw = self.random.random()
        if draw < 0.12:
            return text.lower()
        return text[:-1] if draw < 0.2 and text[-1:] in ".!" else text

    def aside(self) -> str:
        """Talk beside the matter."""
        draw = self.random
        if draw.random() < 0.5 and self._asides:
            text, slot = draw.choice(self._asides)
            return fill(text, v=draw.choice(slot["values"]))[0]
        return str(draw.choice(self.talk["neutral"]))

    def in_company(self, text: str, share: float = 0.3) -> str:
        """With other talk around it."""
        draw = self.random
        if draw.random() > share:
            return self.roughly(text)
        first, second = (self.aside(), text) if draw.random() < 0.5 else (text, self.aside())
        joint = " " if first.rstrip()[-1:] in ".!?" else ". "
        return self.roughly(first.rstrip() + joint + second)

    # pairs

    def ask(self, slot: Json, who: str | None, value: str) -> str:
        some = slot["ask_1"] if who is None else slot["ask_3"]
        return fill(self.random.choice(some), s=who or "", v=value)[0] if some else ""

    def pair(self) -> Verdict | None:  # noqa: PLR0912, PLR0915  one arm a sort of pair reads best
        draw, slot = self.random, self.random.choice(self.slots)
        card, who, some = slot["cardinality"], self.who(slot), self.values(slot, 3)
        if len(some) < 3:
            return None
        a, b, c = some
        speaker = other = "User" if draw.random() < 0.5 else draw.choice(NAMES)
        sort = draw.choices(
            ("change", "same", "end", "not", "denied", "affirmed", "plan", "subject", "slot", "both", "talk"),
            (5, 1.5, 1.8, 3, 1.2, 1.0, 1.0, 2.0, 2.0, 1.2, 1.5),
        )[0]
        older = self.say(slot, draw.choices(("state", "change", "swap"), (5, 3, 1))[0], who, a, c)
        newer: Said | None = None
        verdict, asked = "none", self.ask(slot, who, a) if draw.random() < 0.5 else ""
        if older is None:
            return None
        if sort == "change":
            how = draw.choices(("change", "swap", "state"), (5, 3, 2))[0]
            if card == "many" and how == "swap":
                return None
            newer = self.say(slot, how, who, b, a if draw.random() < 0.9 else c)
            verdict = {"one": "replaces", "many": "adds"}.get(card, "none")
        elif sort == "same":
            newer = self.say(slot, draw.choice(("state", "change")), who, a, b)
            verdict = "same" if card != "event" else "none"
        elif sort == "end":
            hit = draw.random() < 0.75
            newer = self.say(slot, "end", who, a, a if hit else b)
            verdict = "ends" if hit else "none"
        elif sort == "not":
            kind = draw.choice(("plan", "wish", "hypothetical", "question", "hearsay", "joke", "temporary",
                                "other_person", "other_topic", "near_miss", "past", "negation"))  # fmt: skip
            newer = self.say(slot, "not", who, b, a, kind)
        elif sort == "denied":  # "I used to", "I am not", of the very value
            newer = self.say(slot, "not", who, a, a, draw.choice(("past", "negation")))
            verdict = "ends" if card != "event" else "none"
        elif sort == "affirmed":  # what was denied is so
            older = self.say(slot, "not", who, a, a, "negation")
            newer = self.say(slot, draw.choice(("state", "change")), who, a, c)
            verdict = "replaces" if card != "event" else "none"
        elif sort == "plan":
            older = self.say(slot, "not", who, a, c, "plan")
            if draw.random() < 0.6:
                newer, verdict = self.say(slot, draw.choice(("state", "change")), who, a, c), "replaces"
            else:
                newer, verdict = self.say(slot, "not", who, a, c, "cancelled"), "ends"
        elif sort == "subject":
            another = None if who is not None and slot["state_1"] and draw.random() < 0.5 else self.who(slot)
            if another == who:
                if who is not None:
                    return None
                other = draw.choice([name for name in NAMES if name != speaker])
            newer = self.say(slot, draw.choices(("change", "state", "swap", "end"), (4, 3, 2, 1))[0], another,
                             b if draw.random() < 0.8 else a, a)  # fmt: skip
        elif sort == "slot":
            newer = self.of_another_slot(slot, who)
        elif sort == "both":  # two facts in one breath; one of them changes
            beside = self.of_another_slot(slot, who)
            if beside is None or beside.slot is None:
                return None
            newer = self.say(slot, draw.choice(("change", "swap")), who, b, a)
            first, second = (older, beside) if draw.random() < 0.5 else (beside, older)
            older = Said(f"{first.text.rstrip(' .')}. {second.text}", {}, "so", slot, card)
            if draw.random() < 0.5:
                asked, verdict = self.ask(slot, who, a), "replaces" if card == "one" else "adds"
            else:
                asked = self.ask(beside.slot, None if "s" not in beside.spans else "", "")
                if not asked or "s" in beside.spans:
                    return None
            if not asked:
                return None
        else:
            text = draw.choice(self.talk["neutral"])
            if draw.random() < 0.4:
                other, text = draw.choice([name for name in NAMES if name != speaker]), draw.choice(self.talk["own"])
            newer = Said(text, {}, "aside")
            if draw.random() < 0.3:
                older, newer, speaker, other = newer, older, other, speaker
        if older is None or newer is None:
            return None
        if card == "event":
            verdict = "none"
        before = self.before()
        return Verdict(f"{speaker}: {self.in_company(older.text)}", f"{other}: {self.in_company(newer.text)}", verdict,
                       asked, before)  # fmt: skip

    def before(self) -> str:
        draw = self.random
        return f"{draw.choice(('Assistant', 'User'))}: {self.aside()}" if draw.random() < 0.3 else ""

    def of_another_slot(self, slot: Json, who: str | None) -> Said | None:
        draw = self.random
        other = draw.choice(self.by_domain[slot.get("domain", "")] if draw.random() < 0.6 else self.slots)
        if other["slot"] == slot["slot"] or other["relation"] == slot["relation"]:
            return None
        fits = (who is None and other["state_1"]) or (
            who is not None and other.get("subject") == slot.get("subject") and other["state_3"]
        )
        some = self.values(other, 2)
        how = draw.choices(("change", "state", "swap", "end"), (4, 3, 2, 1))[0]
        return self.say(other, how, who if fits else self.who(other), some[0], some[-1])

    # roles

    def role(self) -> Role | None:
        draw, slot = self.random, self.random.choice(self.slots)
        who, (a, b) = self.who(slot), (*self.values(slot, 2), "x")[:2]
        asked = self.ask(slot, who, a)
        if not asked:
            return None
        sort = draw.choices(("now", "ends", "not", "subject", "slot", "topic", "talk"), (4, 1.5, 3, 2, 2.5, 0.8, 2.5))[
            0
        ]
        speaker = "User" if who is None else draw.choice(("User", draw.choice(NAMES)))
        told: Said | None
        if sort in ("now", "ends"):
            teller: str | None = who
            if who in NAMES and slot["state_1"] and draw.random() < 0.5:
                teller, speaker = None, str(who)
            how = draw.choices(("state", "change", "swap"), (4, 4, 2))[0] if sort == "now" else "end"
            told, role = self.say(slot, how, teller, a, b if sort == "now" else a), sort
        elif sort == "not":
            told = self.say(slot, "not", who, a, b)
            role = {"past": "past", "denied": "ends", "aside": "none"}.get(told.mood, "plays") if told else "none"
        elif sort == "subject":
            another = self.who(slot)
            if another == who:
                if who is not None:
                    return None
                speaker = draw.choice(NAMES)
            elif another is None:
                speaker = draw.choice([name for name in NAMES if name != who]) if draw.random() < 0.5 else "User"
            told, role = self.say(slot, draw.choice(("state", "change", "swap")), another, a, b), "none"
        elif sort == "slot":
            told, role = self.of_another_slot(slot, who), "none"
        elif sort == "topic":
            told, role = self.say(slot, "not", None, a, b, "other_topic"), "none"
        else:
            own = draw.random() < 0.4
            speaker = draw.choice([name for name in NAMES if name != who]) if own else "User"
            told, role = Said(draw.choice(self.talk["own" if own else "neutral"]), {}, "aside"), "none"
        if told is None:
            return None
        return Role(asked, f"{speaker}: {self.in_company(told.text, 0.35)}", role)


def stretches(text: str, needle: str) -> tuple[int, int] | None:
    at = text.find(needle) if needle else -1
    if at < 0 and needle:
        at = text.lower().find(needle.lower())
    return (at, at + len(needle)) if at >= 0 else None


def message_reading(message: Json, canon: dict[str, str]) -> Reading | None:
    text, tags, names = message["text"], [], []
    pieces: list[Piece] = []
    said = sorted(message.get("statements", ()), key=lambda s: text.find(s["span"]))
    at = 0
    for one in said:
        start = text.find(one["span"], at)
        if start < 0:
            start = text.find(one["span"])
        end = start + len(one["span"])
        if pieces and start < pieces[-1].end:
            if start <= pieces[-1].start:
                continue
            pieces[-1].end = start
        elif text[at:start].strip(" ,.;:-\u2013\u2014\n"):
            pieces.append(Piece(at, start, worth=False))
        relation = canon.get(one.get("relation") or "", "OTHER" if one.get("relation") else None)
        importance = one.get("importance")
        pieces.append(Piece(start, end, one.get("mood"), relation, one.get("kind"), one.get("lasts"),
                            float(importance) if isinstance(importance, int | float) else None, True))  # fmt: skip
        at = end
        for name, tag in (("value", "v"), ("old", "old"), ("when", "when")):
            where = stretches(text[start:end], str(one.get(name) or ""))
            if where:
                tags.append((where[0] + start, where[1] + start, tag))
        subject = str(one.get("subject") or "")
        where = stretches(text[start:end], subject) if subject.lower() not in ("user", "i", "") else None
        if where:
            tags.append((where[0] + start, where[1] + start, "s"))
        for entry in one.get("names") or ():
            for match in re.finditer(re.escape(str(entry.get("name") or "\0")), text):
                names.append((match.start(), match.end(), str(entry.get("kind"))))
    if text[at:].strip(" ,.;:-\u2013\u2014\n)!?"):
        pieces.append(Piece(at, len(text), worth=False))
    context = message.get("context") or []
    before = " ".join(f"{turn.get('speaker') or 'User'}: {turn.get('text')}" for turn in context)
    return Reading(before, message.get("speaker") or "User", text, pieces, tags, sorted(set(names)))


JOINTS = (". ", ". ", "! ", ", and ", ", ", "; ", " - ", "\n", "\n- ", " and also ", ", btw ", " … ", ". Oh and ")


def slot_reading(maker: Maker, canon: dict[str, str]) -> Reading | None:
    """One to four sentences of different slots in one message, and talk between them."""
    draw = maker.random
    text, tags = "", []
    pieces: list[Piece] = []
    speaker = "User" if draw.random() < 0.6 else draw.choice(NAMES)
    lower = draw.random() < 0.15
    first_slot = None
    for number in range(draw.choices((1, 2, 3, 4), (4, 3, 2, 1))[0]):
        piece, spans, sentence = _piece(maker, canon)
        if piece is None:
            return None
        joint = "" if not number else draw.choice(JOINTS)
        if joint.strip(". ") in (",", "and", ", and", "and also", ", btw", ";", "-", "…") or joint[:1] == ".":
            text = text.rstrip()
            if text[-1:] in ".!?" and joint[:1] in ".,!;":
                joint = " " if joint[:1] in ".!" else joint
                text = text if joint == " " else text[:-1]
        starts_low = joint.strip()[-1:] not in (".", "!", "") or joint.strip() in ("and also",)
        if starts_low and not sentence.startswith("I") and 0 not in {a for some in spans.values() for a, _ in some}:
            sentence = sentence[:1].lower() + sentence[1:]
        if pieces:
            pieces[-1].end = min(pieces[-1].end, len(text))
        text += joint
        start = len(text)
        text += sentence
        piece.start, piece.end = start, len(text)
        pieces.append(piece)
        tags += [(a + start, b + start, name) for name, some in spans.items() for a, b in some]
        if number == 0 and piece.worth:
            first_slot = piece
    if lower:
        text = text.lower()
    reading = Reading(maker.before(), speaker, text, pieces, tags)
    if len(pieces) == 1 and first_slot is not None:
        reading.slot = getattr(first_slot, "slot_name", None)
    return reading


def _piece(maker: Maker, canon: dict[str, str]) -> tuple[Any, Spans, str]:
    draw = maker.random
    if draw.random() < 0.18:
        if draw.random() < 0.4:
            slot = draw.choice(maker.slots)
            asked = maker.ask(slot, None, draw.choice(slot["values"]))
            return Piece(0, 0, "question", worth=False) if asked else None, {}, asked
        text = draw.choice(maker.talk["neutral"])
        return Piece(0, 0, worth=False if text.rstrip().endswith("?") else None), {}, text
    slot = draw.choice(maker.slots)
    how = draw.choices(("state", "change", "swap", "end", "not"), (4, 3, 1.5, 1.3, 3))[0]
    some = (*maker.values(slot, 2), "x")[:2]
    said = maker.say(slot, how, maker.who(slot), some[0], some[1])
    if said is None:
        return None, {}, ""
    aside = said.mood == "aside"
    piece = Piece(0, 0, said.mood, None if aside else canon.get(slot["relation"], "OTHER"),
                  worth=None if aside else said.mood != "question")  # fmt: skip
    spans = {} if aside else said.spans
    return piece, spans, said.text


def asking(maker: Maker, threads: Sequence[Json]) -> Reading | None:
    """A question: what it asks for, and of which slot."""
    draw = maker.random
    sort = draw.choices(("now", "past", "when", "talk", "thread"), (4, 2, 1.5, 2.5, 1.5))[0]
    if sort == "talk":
        some = list(maker.talk["asked"])
        return Reading("", "User", draw.choice(some), [], asks="talk", cut=False) if some else None
    if sort == "thread" and threads:
        asked = draw.choice(draw.choice(threads)["questions"])
        return Reading("", "User", asked["q"], [], asks="now", cut=False) if asked.get("now") else None
    slot = draw.choice(maker.slots)
    who = maker.who(slot)
    if sort in ("past", "when"):
        texts = [t for t in slot[f"ask_{sort}"] if ("{s}" in t) == (who is not None)]
        text = fill(draw.choice(texts), s=who or "", v=draw.choice(slot["values"]))[0] if texts else ""
    else:
        text, sort = maker.ask(slot, who, draw.choice(slot["values"])), "now"
    if not text:
        return None
    return Reading("", "User", text, [], asks=sort, slot=slot["slot"], cut=False)
