"""Talks out of the project's own data: threads, streams, long talks, courses and stores with their questions, wishes
with the requests to which they apply, slots told and asked for, messages."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from training import data, streams
from training.turnfinder.talk import ASSISTANT, USER, Asked, Talk, Turn, mark

DATA = Path(data.HERE) / "data"
WISHES, TOLD_AGAIN = 8, 6
"""So many wishes make one talk, and each stands in so many."""


def held() -> dict[str, set[str]]:
    return {name: set(some) for name, some in json.loads((DATA / "held.json").read_text()).items()}


# threads


def threads() -> Iterator[Talk]:
    """Each twice: the user as "user", asking of "my", and the user by a name, asked about by it."""
    kept = held()["threads"]
    for thread in data.threads((DATA / "threads").glob("*.jsonl")):
        for named in (False, True):
            talk = _thread(thread, named)
            talk.held = thread["lines"][0] in kept
            if talk.asked:
                yield talk


def _thread(thread: dict[str, Any], named: bool) -> Talk:
    who: dict[str, int | str] = {"User": 0 if named else USER, "Assistant": ASSISTANT}
    for turn in thread["turns"]:
        name = turn.get("speaker") or "User"
        if name not in who:
            who[name] = min(len([one for one in who.values() if isinstance(one, int)]) + (0 if named else 1), 8)
    names = {name: number for name, number in who.items() if isinstance(number, int) and name != "User"}

    def shown(text: str) -> str:
        for name, number in names.items():
            text = re.sub(rf"\b{re.escape(name)}\b", mark(number), text)
        return text

    talk = Talk("thread", [Turn(shown(turn["text"]), who[turn.get("speaker") or "User"]) for turn in thread["turns"]])
    for asked in thread.get("questions", ()):
        now = [place for place in asked.get("now", ()) if place < len(talk.turns)]
        if not now or not isinstance(asked.get("q"), str):
            continue
        beside = [place for name in ("outdated", "plays") for place in asked.get(name, ()) if place not in now]
        text = shown(asked["q"])
        talk.asked.append(Asked(by_name(text) if named else text, now, beside))
    for matter in thread.get("matters", ()):
        told = sorted({part["turn"] for part in matter.get("history", ())})
        about = matter.get("about")
        if len(told) >= 2 and isinstance(about, str):
            text = shown(re.sub(r"\b(?:the )?[Uu]ser\b", "X", about)).replace("X", mark(0) if named else "I")
            talk.asked.append(Asked(f"How did it go with {by_name(text) if named else text}?", told))
    return talk


def by_name(text: str) -> str:
    """ "Where do I live?" as "Where does X live?"."""
    name = mark(0)
    for pattern, new in (
        (r"\bdo I\b", f"does {name}"), (r"\bDo I\b", f"Does {name}"), (r"\bam I\b", f"is {name}"),
        (r"\bAm I\b", f"Is {name}"), (r"\bhave I\b", f"has {name}"), (r"\bHave I\b", f"Has {name}"),
        (r"\bI'm\b", f"{name} is"), (r"\bI've\b", f"{name} has"), (r"\bI am\b", f"{name} is"),
        (r"\bI\b", name), (r"\b[Mm]y\b", f"{name}'s"), (r"\bme\b", name), (r"\bmine\b", f"{name}'s"),
        (r"\bdo we\b", f"does {name}"), (r"\bare we\b", f"is {name}"), (r"\bwe\b", name), (r"\bour\b", f"{name}'s"),
    ):  # fmt: skip
        text = re.sub(pattern, new, text)
    return text


# streams and talks


def told_streams() -> Iterator[Talk]:
    """As threads are; every twentieth is held out."""
    for number, stream in enumerate(streams.authored((DATA / "streams").glob("*.jsonl"))):
        for named in (False, True):
            talk = _thread(stream, named)
            talk.source, talk.held = "stream", number % 20 == 0
            if talk.asked:
                yield talk


def talks() -> Iterator[Talk]:
    """As `briefs/talks.md` tells them, those with an assistant twice as threads are; every tenth is held out."""
    for number, line in enumerate(data.lines((DATA / "talks").glob("*.jsonl"))):
        last = len(line["turns"]) - 1
        asked = [
            {"q": one["q"], "now": one["answers"], "plays": one.get("near") or []}
            for one in line["questions"]
            if one["answers"] and max(one["answers"]) <= last
        ]
        for named in (False, True) if line["kind"] == "assistant" else (True,):
            talk = _thread({"turns": line["turns"], "questions": asked}, named)
            talk.source, talk.held = "talk", number % 10 == 0
            yield talk


def stores() -> Iterator[Talk]:
    """As `briefs/stores.md` tells them, twice as threads are; every tenth is held out. What stands near is a negative;
    what is over is none."""
    for number, line in enumerate(data.lines((DATA / "stores").glob("*.jsonl"))):
        last = len(line["turns"]) - 1
        asked = [
            {"q": one["q"], "now": one["now"], "outdated": one.get("outdated") or []}
            for one in line["questions"]
            if one.get("now") and max([*one["now"], *(one.get("outdated") or [])]) <= last
        ]
        for named in (False, True):
            talk = _thread({"turns": line["turns"], "questions": asked}, named)
            talk.source, talk.held = "store", number % 10 == 0
            yield talk


def courses() -> Iterator[Talk]:
    """As `briefs/courses.md` tells them, twice as threads are; every tenth is held out."""
    for number, line in enumerate(data.lines((DATA / "courses").glob("*.jsonl"))):
        asked = [
            {"q": one["q"], "now": one["answers"], "plays": one.get("near") or []}
            for one in line["questions"]
            if one["answers"] and max(one["answers"]) < len(line["turns"])
        ]
        for named in (False, True):
            talk = _thread({"turns": line["turns"], "questions": asked}, named)
            talk.source, talk.held = "course", number % 10 == 0
            yield talk


def wishes(draw: random.Random) -> Iterator[Talk]:
    """As `briefs/wishes.md` tells them, some of one author together, each many times in other company; what else was
    said of the matter is a negative. Every tenth wish is held out."""
    every = list(data.lines(sorted((DATA / "wishes").glob("*.jsonl"))))
    for held in (False, True):
        some = [one for number, one in enumerate(every) if (number % 10 == 0) == held]
        for _ in range(1 if held else TOLD_AGAIN):
            by_author = sorted(some, key=lambda one: (str(one["id"]).split("-")[0], draw.random()))
            for start in range(0, len(by_author), WISHES):
                yield _wished(by_author[start : start + WISHES], held, draw)


def _wished(some: list[dict[str, Any]], held: bool, draw: random.Random) -> Talk:
    user: int | str = USER if draw.random() < 0.5 else 0
    said = [(one, Turn(one["wish"], user)) for one in some]
    beside = [
        (None, Turn(turn["text"], user if turn["speaker"] == "User" else ASSISTANT))
        for one in some
        for turn in one["beside"]
    ]
    order = said + beside
    draw.shuffle(order)
    asked = [Asked(text, [place]) for place, (one, _) in enumerate(order) if one for text in one["asks"]]
    return Talk("wish", [turn for _, turn in order], asked, held)


# slots


class Slots:
    """Talks made of what slots say: two speakers, or a user and an assistant; the same slot for both, on purpose."""

    def __init__(self, some: list[dict[str, Any]], talk: list[str], draw: random.Random) -> None:
        self.slots, self.chat, self.draw = some, talk, draw

    def talk(self) -> Talk:
        alone = self.draw.random() < 0.35
        made = Talk("slot", [])
        for slot in self.draw.sample(self.slots, self.draw.randint(9, 14)):
            self._tell(made, slot, alone)
        return self._mixed(made)

    def _tell(self, made: Talk, slot: dict[str, Any], alone: bool) -> None:
        personal = slot.get("subject") in ("person", "user") and slot["state_1"]
        if personal and (self.draw.random() < 0.75 or not slot["state_3"]):
            for speaker in (0,) if alone else self.draw.sample((0, 1), self.draw.randint(1, 2)):
                self._first(made, slot, speaker, alone)
        elif slot["state_3"] and slot["subjects"] and slot["ask_3"]:
            for subject in self.draw.sample(slot["subjects"], min(2, len(slot["subjects"]))):
                self._third(made, slot, subject, alone)

    def _first(self, made: Talk, slot: dict[str, Any], speaker: int, alone: bool) -> None:
        key = f"{slot['slot']}:{'u' if alone else speaker}"
        values = self.draw.sample(slot["values"], 2)
        lists = [("state_1", values[0])]
        if self.draw.random() < 0.45:
            lists.append((self.draw.choice(("change_1", "swap_1", "change_1")), values[1]))
        places = self._say(made, slot, lists, values[0], "", USER if alone else speaker, key)
        asks = slot["ask_1"] if alone else slot["ask_3"]
        self._ask(made, slot, asks, places, values, "" if alone else mark(speaker), key)

    def _third(self, made: Talk, slot: dict[str, Any], subject: str, alone: bool) -> None:
        key = f"{slot['slot']}:{subject}"
        values = self.draw.sample(slot["values"], 2)
        lists = [("state_3", values[0])]
        if self.draw.random() < 0.4:
            lists.append((self.draw.choice(("change_3", "swap_3")), values[1]))
        speaker: int | str = USER if alone else self.draw.randrange(2)
        places = self._say(made, slot, lists, values[0], subject, speaker, key)
        self._ask(made, slot, slot["ask_3"], places, values, subject, key)

    def _say(
        self, made: Talk, slot: dict[str, Any], lists: list[tuple[str, str]], old: str, subject: str,
        speaker: int | str, key: str,
    ) -> list[int]:  # fmt: skip
        places = []
        for name, value in lists:
            forms = slot[name] or slot[name.replace("swap", "change")] or slot[name.replace("swap", "state")]
            if forms:
                text = self.draw.choice(forms).replace("{v}", value).replace("{old}", old).replace("{s}", subject)
                if self.draw.random() < 0.3:
                    chat = self.draw.choice(self.chat)
                    text = f"{chat} {text}" if self.draw.random() < 0.5 else f"{text} {chat}"
                made.turns.append(Turn(text, speaker, key))
                places.append(len(made.turns) - 1)
        return places

    def _ask(
        self, made: Talk, slot: dict[str, Any], asks: list[str], places: list[int], values: list[str], subject: str,
        key: str,
    ) -> None:  # fmt: skip
        if not places:
            return
        for form in self.draw.sample(asks, min(len(asks), 2)):
            made.asked.append(Asked(_filled(form, subject, values[len(places) - 1]), places[-1:], places[:-1], key=key))
        if len(places) == 2:
            for form in self.draw.sample(slot["ask_past"], min(len(slot["ask_past"]), 1)):
                text = _filled(form, subject, values[1])
                if not subject.startswith("\x01"):
                    made.asked.append(Asked(text, places[:1], places[1:], key=key))
                else:
                    made.asked.append(Asked(_named(text, subject), places, key=key))
            for form in self.draw.sample(slot["ask_when"], min(len(slot["ask_when"]), 1)):
                text = _filled(form, subject, values[1])
                named = _named(text, subject) if subject.startswith("\x01") else text
                made.asked.append(Asked(named, places[1:], places[:1], key=key))

    def _mixed(self, made: Talk) -> Talk:
        """In an order of its own, with background talk between; two questions joined need the turns of both."""
        for _ in range(3):
            if len(made.asked) > 4:
                one, other = self.draw.sample(made.asked, 2)
                if one.key != other.key:
                    text = f"{one.text.rstrip('?. ')} and {other.text[:1].lower()}{other.text[1:]}"
                    joined = sorted({*one.answers, *other.answers})
                    made.asked.append(Asked(text, joined, sorted({*one.beside, *other.beside} - set(joined))))
        speakers = [turn.speaker for turn in made.turns] or [0]
        for _ in range(self.draw.randint(4, 12)):
            made.turns.append(Turn(self.draw.choice(self.chat), self.draw.choice(speakers)))
        order = list(range(len(made.turns)))
        self.draw.shuffle(order)
        place = {old: new for new, old in enumerate(order)}
        made.turns = [made.turns[old] for old in order]
        for asked in made.asked:
            asked.answers = sorted(place[old] for old in asked.answers)
            asked.beside = sorted(place[old] for old in asked.beside)
        return made


def _filled(form: str, subject: str, value: str) -> str:
    return form.replace("{s}", subject).replace("{v}", value)


def _named(text: str, subject: str) -> str:
    return by_name(text).replace(mark(0), subject)


def slots() -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Learned from, and held out."""
    kept = held()["slots"]
    every = data.english_slots(DATA)
    return [one for one in every if one["slot"] not in kept], [one for one in every if one["slot"] in kept]


# messages


def messages(draw: random.Random) -> Iterator[Talk]:
    """Some twenty at a time, said by one and the same; questions come by parsing, and out of what is marked."""
    kept = held()["messages"]
    every = data.messages((DATA / "messages").glob("*.jsonl"))
    for is_held in (False, True):
        some = [one for one in every if (one["text"] in kept) == is_held]
        draw.shuffle(some)
        for start in range(0, len(some), 20):
            talk = Talk("message", [], held=is_held)
            for one in some[start : start + 20]:
                talk.turns.append(Turn(one["text"], 0))
                for told in one.get("statements", ()):
                    if told.get("value") and told["value"] in told["span"] and told.get("subject"):
                        subject = mark(0) if told["subject"] in ("User", "I", "we") else told["subject"]
                        text = f"{subject} {told['relation'].lower().replace('_', ' ')}"
                        talk.asked.append(Asked(text, [len(talk.turns) - 1], span=told["span"]))
            yield talk
