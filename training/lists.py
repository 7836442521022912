"""What does a model see when it reads all that was found for a question at once? Statements in the order in which they
were said, each with its part: it holds now, it once answered and is over, or it does not answer.

Out of threads, whose authors have told every turn's part; and out of slots, by following what each sentence does.
"""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from training.data import Json
from training.examples import NAMES, Maker, Said
from treering.relations.own import TABLE

PARTS = ("none", "now", "old")
OPEN = "?"
"""The part of a statement of which no author has said it: a larger model says what it thinks."""
MOST = 10
"""Statements in one list."""
FOUND = 0.7
"""Share of lists with lines of others that a search finds for the question (`mine`), where there are some."""
SEARCHED = 0.7
"""Share of lists out of stores that hold what a finder finds, where that is known (`training/found.py`)."""
DROPPED, UNANSWERED, FEWEST_FOUND = 0.15, 0.1, 5
"""Of such a list: the share of its turns that are left out, of lists that lose what answers, and its fewest turns."""
SHORTEST = 5
"""Characters of a stretch."""
UNTOLD = 0.2
"""Share of lists out of talks in which nothing answers."""
LONGEST_BREATH = 170
"""Characters of what is said at once; a longer one would not be read to its end."""


@dataclass
class Listed:
    question: str
    statements: list[str]
    parts: list[str]
    answers: list[str] = field(default_factory=list)
    """For each statement the words in it that answer, where they are known: of a turn that says several things, the
    stretch that holds them has its part, and the others have none."""


@dataclass
class Told:
    """A line of a list in the making."""

    line: str
    part: str
    answer: str = ""


def made(question: str, told: Sequence[Told]) -> Listed:
    return Listed(question, [one.line for one in told], [one.part for one in told], [one.answer for one in told])


_STRETCH = re.compile(r"(?<=[.!?;])\s+|\s+(?=(?:and|but|so|then|though|because)\b)|(?<=,)\s+|\s+[-\u2013]\s+")


def _likely(statement: str, at: int) -> float:
    return 0.9 if statement[at - 1 : at] in tuple(".!?;") else 0.4


def stretches(statement: str, answer: str, part: str, draw: random.Random) -> list[tuple[int, int, str]]:
    """Where a statement may be cut, with the part of each stretch; none where it is not known which one answers."""
    lead = statement.index(": ") + 2 if ": " in statement else 0
    cuts = [hit for hit in _STRETCH.finditer(statement, lead) if draw.random() < _likely(statement, hit.start())]
    starts = [lead, *(hit.end() for hit in cuts)]
    ends = [*(hit.start() for hit in cuts), len(statement)]
    found = [(start, end) for start, end in zip(starts, ends, strict=True) if end - start > SHORTEST]
    if len(found) < 2:
        return []
    if part == "none":
        return [(start, end, "none") for start, end in found]
    at = statement.lower().find(answer.lower(), lead) if answer else -1
    if at < 0:
        return []
    return [(start, end, part if start <= at < end else "none") for start, end in found]


# threads


def thread_list(threads: Sequence[Json], maker: Maker) -> Listed | None:
    draw = maker.random
    thread = draw.choice(threads)
    asked = draw.choice(thread["questions"])
    said, now, old = thread["lines"], set(asked.get("now") or ()), set(asked.get("outdated") or ())
    if not all(0 <= turn < len(said) for turn in now | old):
        return None
    parts = ["now" if turn in now else "old" if turn in old else "none" for turn in range(len(said))]
    if now and draw.random() < 0.1:  # nothing of it was told
        chosen = [turn for turn in range(len(said)) if parts[turn] == "none"]
    else:
        least = draw.random() * 0.5
        plays = set(asked.get("plays") or ())
        chosen = [turn for turn in range(len(said)) if parts[turn] != "none" or turn in plays or draw.random() > least]
    answers = _values(thread, asked)
    told = [Told(said[turn], parts[turn], answers.get(turn, "")) for turn in chosen]
    if draw.random() < 0.35:
        told = _in_one_breath(told, draw)
    near = asked.get("near") or ()
    if near and draw.random() < FOUND:
        some = draw.sample(near, draw.randrange(1, min(len(near), MOST - 2) + 1))
        told = told if len(told) + len(some) <= MOST else _cut(told, draw, MOST - len(some))
        _mix_in(told, some, draw)
    else:
        _mix_in(told, _strangers(asked["q"], told, threads, thread, maker), draw)
    return _renamed(asked["q"], told, thread, draw)


def _in_one_breath(told: list[Told], draw: random.Random) -> list[Told]:
    """Some of what one has said one after the other is said at once: of what a turn tells, part may be over."""
    found: list[Told] = []
    for one in told:
        last = found[-1] if found else None
        who, _, words = one.line.partition(": ")
        if (
            last is not None
            and words
            and last.line.startswith(f"{who}: ")
            and len(last.line) + len(words) < LONGEST_BREATH
            and draw.random() < 0.5
        ):
            joint = " " if last.line.rstrip()[-1:] in ".!?" else draw.choice((". ", ". ", ", ", " - ", "; "))
            leads = max(last, one, key=lambda each: _WEIGHT[each.part])
            found[-1] = Told(last.line.rstrip() + joint + words, leads.part, leads.answer)
        else:
            found.append(one)
    return found


_WEIGHT = {"none": 0, "old": 1, "now": 2}


def _values(thread: Json, asked: Json) -> dict[int, str]:
    """The value of each turn in the matter that is asked about."""
    about = asked.get("about")
    matters = thread["matters"]
    if not isinstance(about, int) or not 0 <= about < len(matters):
        return {}
    return {one["turn"]: str(one.get("value") or "") for one in matters[about]["history"]}


def _strangers(question: str, told: list[Told], threads: Sequence[Json], own: Json, maker: Maker) -> list[str]:
    """Turns of other histories, and talk, that share no word of weight with the question."""
    draw = maker.random
    asked, found = _words(question), []
    for _ in range(draw.randrange(0, max(1, MOST + 1 - len(told)))):
        sort = draw.random()
        if sort < 0.45:
            other = draw.choice(threads)
            line = draw.choice(other["lines"]) if other is not own else ""
        elif sort < 0.75:
            line = f"User: {maker.aside()}"
        else:
            line = f"{draw.choice(NAMES)}: {draw.choice(maker.talk['own'])}"
        if line and not _words(line) & asked:
            found.append(line)
    return found


_COMMON = re.compile(
    r"(a(bout|fter|gain|lso|nd|ny|re)|b(een|efore|eing)|c(an|ould)|d(id|oes|oing|ays?)|from|h(as|ave|aving|er|ere|im|is|ow)"
    r"|i(nto|ts)|just|like|m(ore|uch)|n(eed|ot|ow)|o(ff|nce|nly|ur|ut|ver)|s(he|hould|ome|till)|th(an|at|e|eir|em|en|ere"
    r"|ey|is|ose)|today|user|w(as|ere|eek|hat|hen|here|hich|ho|hose|hy|ill|ith|ould)|yours?|you)"
)
"""Words without weight of their own."""


def _words(text: str) -> set[str]:
    return {word[:6] for word in re.findall(r"[a-z0-9']{3,}", text.lower()) if not _COMMON.fullmatch(word)}


def _mix_in(told: list[Told], strangers: list[str], draw: random.Random) -> None:
    for line in strangers:
        told.insert(draw.randrange(0, len(told) + 1), Told(line, "none"))


def _renamed(question: str, told: list[Told], thread: Json, draw: random.Random) -> Listed | None:
    """At times with other names of those who speak, so that none is learned by heart."""
    if not told:
        return None
    told = _cut(told, draw)
    swap: dict[str, str] = {}
    if draw.random() < 0.4:
        speakers = {str(turn.get("speaker") or "User") for turn in thread["turns"]} - {"User", "Assistant", "user"}
        fresh = draw.sample(NAMES, min(len(NAMES), len(speakers)))
        swap = {old: new for old, new in zip(sorted(speakers), fresh, strict=False) if old.isalpha()}
    if swap:
        either = re.compile(r"\b(" + "|".join(map(re.escape, swap)) + r")\b")

        def other(text: str) -> str:
            return either.sub(lambda hit: swap[hit[1]], text)

        question = other(question)
        told = [Told(other(one.line), one.part, other(one.answer)) for one in told]
    return made(question, told)


def _cut(told: list[Told], draw: random.Random, most: int = MOST) -> list[Told]:
    """At most so many; what has no part goes first."""
    while len(told) > most:
        idle = [place for place, one in enumerate(told) if one.part == "none"]
        told.pop(draw.choice(idle) if idle else 0)
    return told


# stores


def store_list(stores: Sequence[Json], maker: Maker) -> Listed | None:
    """What a search finds in all that one user has told: what answers, what once did, what stands near, and more."""
    draw = maker.random
    store = draw.choice(stores)
    asked = draw.choice(store["questions"])
    said, now, old = store["lines"], set(asked.get("now") or ()), set(asked.get("outdated") or ())
    parts = ["now" if turn in now else "old" if turn in old else "none" for turn in range(len(said))]
    if asked.get("found") and draw.random() < SEARCHED:
        return _as_found(asked, store, parts, draw)
    answers = set[int]() if draw.random() < 0.12 else now | old  # at times what answers was never told
    words = _words(asked["q"])
    alike = {turn for turn, line in enumerate(said) if _words(line) & words}
    near = (set(asked.get("near") or ()) | alike) - now - old
    others = [turn for turn in range(len(said)) if turn not in near | now | old]
    count = draw.randrange(3, MOST + 1)
    chosen = answers | set(draw.sample(sorted(near), min(len(near), max(0, count - len(answers)))))
    chosen |= set(draw.sample(others, min(len(others), max(0, count - len(chosen)))))
    values = _values(store, asked)
    told = [Told(said[turn], parts[turn], values.get(turn, "")) for turn in sorted(chosen)]
    return _renamed(asked["q"], told, store, draw)


def _as_found(asked: Json, store: Json, parts: list[str], draw: random.Random) -> Listed | None:
    """The very turns that a finder gives a judge to read, the best of them; with some left out, so that no two are
    alike, and at times with what answers among those. Of several that answer, the earlier are outdated only by the
    later: they go together."""
    found = [turn for turn in asked["found"] if draw.random() > DROPPED or parts[turn] != "none"]
    found = found[: draw.randrange(FEWEST_FOUND, MOST + 1)]
    if draw.random() < UNANSWERED:
        found = [turn for turn in found if parts[turn] == "none"]
    values = _values(store, asked)
    told = [Told(store["lines"][turn], parts[turn], values.get(turn, "")) for turn in sorted(found)]
    return _renamed(asked["q"], told, store, draw)


# talks


def talk_list(talks: Sequence[Json], maker: Maker) -> Listed | None:
    """What a search finds in a long conversation, of which several turns may answer together. Nothing is outdated in
    it, and of a long turn only a stretch is read: which one answers, nobody has said."""
    draw = maker.random
    talk = draw.choice(talks)
    asked = draw.choice(talk["questions"])
    words, right = _words(asked["q"]), set(asked["answers"])
    answers = set[int]() if draw.random() < UNTOLD else set(draw.sample(sorted(right), min(len(right), MOST - 2)))
    alike = [turn for turn, line in enumerate(talk["lines"]) if _words(line) & words and turn not in right]
    near = [turn for turn in asked.get("near") or () if turn not in right]
    count = draw.randrange(4, MOST + 1)
    chosen = set(answers)
    for some in (near, alike, [turn for turn in range(len(talk["lines"])) if turn not in right]):
        chosen |= set(draw.sample(some, min(len(some), max(0, count - len(chosen)))))
    told = []
    for turn in sorted(chosen):
        line, whole = _one_breath(talk["lines"][turn], words, draw)
        part = "none" if turn not in answers else "now" if whole or _words(line) & words else OPEN
        told.append(Told(line, part))
    return _renamed(asked["q"], told, talk, draw)


def _one_breath(line: str, words: set[str], draw: random.Random) -> tuple[str, bool]:
    """A line, or of a long one the sentences that share most words with a question; and whether that is all of it."""
    if len(line) <= LONGEST_BREATH:
        return line, True
    who, _, said = line.partition(": ")
    sentences = _SENTENCE.split(said)
    most = max(len(_words(one) & words) for one in sentences)
    first = draw.choice([place for place, one in enumerate(sentences) if len(_words(one) & words) == most])
    last = first + 1
    while last < len(sentences) and len(" ".join(sentences[first : last + 1])) <= LONGEST_BREATH:
        last += 1
    return f"{who}: {' '.join(sentences[first:last])}", False


_SENTENCE = re.compile(r"(?<=[.!?])\s+|\n+")


# facts of streams


def fact_list(streams: Sequence[Json], maker: Maker) -> Listed | None:
    """Does a fact still hold? Asked of all that was told by some turn; what ended it answers for it. Of other values in
    the same matter, and where it is named again, nobody has said what they are for it."""
    draw = maker.random
    stream = draw.choice(streams)
    fact = draw.choice(stream["facts"]) if stream["facts"] else None
    if fact is None or fact.get("over") == fact["turn"]:
        return None
    told_by, count = fact["turn"], len(stream["lines"])
    last = count if draw.random() < 0.5 else draw.randrange(told_by + 1, count + 1)
    over = fact["over"] if isinstance(fact.get("over"), int) and told_by < fact["over"] < last else None
    matter = {one["turn"] for one in stream["facts"] if _matter(one) == _matter(fact)}
    told = []
    for turn, line in enumerate(stream["lines"][:last]):
        part, answer = "none", ""
        if turn == told_by:
            part, answer = ("now" if over is None else "old"), fact["value"]
        elif turn == over:
            part = "now"
        elif turn in matter or fact["value"].lower() in line.lower():
            part = OPEN
        if part != "none" or draw.random() > 0.3:
            told.append(Told(line, part, answer))
    question = TABLE.stated(fact["subject"], fact["relation"], fact["value"])
    _mix_in(told, _strangers(question, told, streams, stream, maker)[:3], draw)
    return _renamed(question, told, stream, draw)


def _matter(fact: Json) -> tuple[str, str]:
    return fact["subject"], fact["relation"]


# of which no author has said anything


class Near:
    """Lines by their words of weight."""

    def __init__(self, lines: Sequence[str]) -> None:
        self._lines = list(lines)
        self._by_word: dict[str, list[int]] = {}
        for place, line in enumerate(self._lines):
            for word in _words(line):
                self._by_word.setdefault(word, []).append(place)

    def of(self, question: str, count: int, draw: random.Random) -> list[str]:
        """Lines that share a word with it, rare words first, at random among them."""
        found: dict[str, None] = {}
        for word in sorted(_words(question), key=lambda one: len(self._by_word.get(one, ()))):
            places = self._by_word.get(word, [])
            for place in draw.sample(places, min(len(places), 3)):
                found[self._lines[place]] = None
        return list(found)[:count]


class Open:
    """Questions over statements that may or may not answer them, as a search finds them: of one history with what is
    near in others, and of people who talk about themselves."""

    def __init__(self, threads: Sequence[Json], talk: Json) -> None:
        self._threads = threads
        self._asked = [_turned(one) for one in talk["asked"] if _ABOUT_YOU.search(one)]
        self._of_threads = Near([line for thread in threads for line in thread["lines"]])
        self._of_talk = Near([f"User: {line}" for line in talk["own"]])

    def __call__(self, maker: Maker) -> Listed | None:
        draw = maker.random
        if draw.random() < 0.35:
            question = draw.choice(self._asked)
            lines = self._of_talk.of(question, draw.randrange(3, 9), draw)
        else:
            thread = draw.choice(self._threads)
            question = str(draw.choice(thread["questions"])["q"])
            last = draw.randrange(2, len(thread["lines"]) + 1)
            lines = [line for line in thread["lines"][:last] if draw.random() < 0.7]
            for line in self._of_threads.of(question, draw.randrange(0, 5), draw):
                lines.insert(draw.randrange(0, len(lines) + 1), line)
        lines += [f"User: {maker.aside()}" for _ in range(draw.randrange(0, 3))]
        if len(lines) < 2:
            return None
        told = [Told(line, OPEN) for line in dict.fromkeys(lines)]
        while len(told) > MOST:
            told.pop(draw.randrange(len(told)))
        return made(question, told)


_ABOUT_YOU = re.compile(r"^(what|where|who|which|how|do|are|have|did|when)\b.*\b(you|your)\b.*\?$", re.IGNORECASE)
_YOU = re.compile(r"\b(are you|you are|you're|your|yours|you|yourself)\b", re.IGNORECASE)
_ME = {
    "are you": "am I",
    "you are": "I am",
    "you're": "I'm",
    "your": "my",
    "yours": "mine",
    "you": "I",
    "yourself": "myself",
}


def _turned(question: str) -> str:
    """What one asks another, as the other would ask of themselves."""
    return _YOU.sub(lambda hit: _ME[hit[0].lower()], question)


# passages


def passage_list(passages: Sequence[Json], maker: Maker) -> Listed:
    """Sentences of a passage in their order, as one or another has said them, at times with talk between."""
    draw = maker.random
    passage = draw.choice(passages)
    asked = draw.choice(passage["questions"])
    speaker = draw.choice(("User", "Assistant", draw.choice(NAMES)))
    told = [
        Told(f"{speaker}: {sentence}", "now" if place == asked["at"] else "none")
        for place, sentence in enumerate(passage["sentences"])
    ]
    if draw.random() < 0.5:
        _mix_in(told, [f"User: {maker.aside()}" for _ in range(draw.randrange(1, 4))], draw)
    return made(asked["q"], _cut(told, draw))


# slots


def slot_list(maker: Maker) -> Listed | None:
    """One matter followed over a few sentences, with others around it."""
    draw, slot = maker.random, maker.random.choice(maker.slots)
    who, values = maker.who(slot), maker.values(slot, 5)
    if len(values) < 5:
        return None
    story = Story(maker, slot, who, values)
    for _ in range(draw.choices((0, 1, 2, 3, 4), (1, 3, 5, 3, 1))[0]):
        story.goes_on()
    for _ in range(draw.randrange(1, 7)):
        story.is_interrupted()
    question = maker.ask(slot, who, story.current or draw.choice(values))
    if not question or not story.told:
        return None
    return made(question, _cut(story.told, draw))


class Story:
    """A matter of one subject: what was told, and what still holds of it."""

    def __init__(self, maker: Maker, slot: Json, who: str | None, values: list[str]) -> None:
        self.maker, self.slot, self.who, self.values = maker, slot, who, values
        self.card, self.told, self.current = slot["cardinality"], list[Told](), ""
        self.holds: dict[str, list[int]] = {}
        """Values that hold, with the places at which they were told."""

    def goes_on(self) -> None:
        draw = self.maker.random
        sort = draw.choices(("so", "end", "denied", "plays", "again"), (5, 1.2, 0.5, 2, 0.7))[0]
        fresh = [value for value in self.values if value not in self.holds]
        if sort == "so" and fresh:
            self._becomes(draw.choice(fresh))
        elif sort in ("end", "denied") and self.current:
            said = (
                self._say("end", self.current, self.current)
                if sort == "end"
                else self._say("not", self.current, self.current, "negation")
            )
            if said is not None and self.card != "event":
                self._over(self.current)
                self._add(said, "now")
        elif sort == "again" and self.current:
            said = self._say("state", self.current)
            if said is not None:
                self.holds[self.current].append(self._add(said, "now"))
        elif sort == "plays" and fresh:
            kind = draw.choice(
                ("plan", "wish", "hypothetical", "question", "hearsay", "joke", "near_miss", "other_topic")
            )
            said = self._say("not", draw.choice(fresh), self.current, kind)
            if said is not None:
                self._add(said, "none")

    def _becomes(self, value: str) -> None:
        draw = self.maker.random
        how = draw.choices(("state", "change", "swap"), (4, 4, 3 if self.current and self.card == "one" else 0))[0]
        said = self._say(how, value, self.current)
        if said is None:
            return
        if self.card == "one":
            for old in list(self.holds):
                self._over(old)
        self.current = value
        self.holds[value] = [self._add(said, "now")]

    def _over(self, value: str) -> None:
        for place in self.holds.pop(value, ()):
            self.told[place].part = "old"
        if self.card == "one":  # that it had ended is itself out of date once it is so again
            for one in self.told:
                one.part = "old" if one.part == "now" else one.part
        self.current = next(reversed(self.holds), "")

    def _say(self, how: str, value: str, old: str = "", kind: str = "") -> Said | None:
        """By the one it is about, or by another of them."""
        draw, who = self.maker.random, self.who
        self.speaker = "User"
        if who is not None:
            self.speaker = draw.choice(("User", "User", draw.choice(NAMES)))
            if who in NAMES and self.slot["state_1"] and draw.random() < 0.6:
                self.speaker, who = str(self.who), None
        return self.maker.say(self.slot, how, who, value, old or value, kind)

    def _add(self, said: Said, part: str) -> int:
        if self.card == "one" and part == "now":
            for place, one in enumerate(self.told):
                one.part = "old" if one.part == "now" and self._is_end(place) else one.part
        self.told.append(Told(f"{self.speaker}: {self.maker.in_company(said.text, 0.3)}", part, said.text.rstrip(".!")))
        return len(self.told) - 1

    def _is_end(self, place: int) -> bool:
        return not any(place in places for places in self.holds.values())

    def is_interrupted(self) -> None:
        """By another matter of the same one, the same matter of another, or talk; at any place."""
        draw, maker = self.maker.random, self.maker
        sort = draw.choices(("slot", "subject", "friend", "talk"), (3, 2.5, 1.5, 2))[0]
        speaker, said = "User", None
        if sort == "slot":
            said = maker.of_another_slot(self.slot, self.who)
            if self.who in NAMES and said is not None and "s" not in said.spans:
                speaker = str(self.who)
        elif sort == "subject":
            another = maker.who(self.slot)
            if another is None:
                speaker = draw.choice([name for name in NAMES if name != self.who])
            elif another == self.who:
                return
            said = maker.say(self.slot, draw.choice(("state", "change", "swap")), another, *maker.values(self.slot, 2))
        elif sort == "friend":  # the one who is asked about tells of somebody else
            others = [one for one in (*self.slot["subjects"], draw.choice(NAMES)) if one != self.who]
            if self.who is not None and self.who not in NAMES:
                return
            speaker = self.who or "User"
            said = maker.say(
                self.slot, draw.choice(("state", "change")), draw.choice(others), *maker.values(self.slot, 2)
            )
        else:
            own = draw.random() < 0.4
            speaker = draw.choice([name for name in NAMES if name != self.who]) if own else "User"
            said = Said(draw.choice(maker.talk["own" if own else "neutral"]), {}, "aside")
        if said is None:
            return
        place = draw.randrange(0, len(self.told) + 1)
        self.told.insert(place, Told(f"{speaker}: {maker.in_company(said.text, 0.2)}", "none"))
        self.holds = {value: [at + (at >= place) for at in places] for value, places in self.holds.items()}
