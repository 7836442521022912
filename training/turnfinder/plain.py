"""Questions out of what somebody said, by patterns over words: cruder than `questions.py`, a hundred times as fast.

Written from grammar alone, without a look at any question of an evaluation set.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterable, Iterator

from training.turnfinder.questions import to_listener
from training.turnfinder.talk import Asked, Talk, mark

_PAST = """
go went, buy bought, get got, take took, make made, see saw, eat ate, drink drank, read read, write wrote, meet met,
find found, lose lost, give gave, teach taught, study studied, run ran, swim swam, drive drove, fly flew, grow grew,
leave left, feel felt, build built, win won, sell sold, break broke, begin began, sing sang, wear wore, catch caught,
spend spent, have had, do did, keep kept, sleep slept, tell told, think thought, try tried, marry married, hear heard
"""
_REGULAR = """
like love enjoy hate prefer want need work live move visit play watch cook bake travel learn start finish adopt paint
listen join help use call train practice collect plan own volunteer plant dance hike camp attend order return decide
quit miss raise study graduate retire design knit walk ride sew craft perform coach compete garden bike fish ski
"""


def _forms() -> dict[str, tuple[str, str]]:
    found = {}
    for pair in _PAST.replace("\n", " ").split(","):
        base, past = pair.split()
        found[past], found[base] = ("did", base), ("does", base)
    for base in _REGULAR.split():
        past = base + "d" if base.endswith("e") else base[:-1] + "ied" if base[-2:] in ("dy", "ry") else base + "ed"
        found[base], found[past] = ("does", base), ("did", base)
    found |= {"planned": ("did", "plan"), "skied": ("did", "ski"), "quit": ("did", "quit"), "read": ("did", "read")}
    return found


FORMS = _forms()
_SOFT = r"(?: (?:just|really|also|usually|always|recently|actually|still|even|only|once|finally|mostly|often))*"
_REST = r"([^.!?;,]{2,90}?)(?=[.!?;,]| but | so | and i |$)"
_DOES = re.compile(rf"\b(?:i|we){_SOFT} ({'|'.join(sorted(FORMS, key=len, reverse=True))})\b ?{_REST}", re.I)
_ING = re.compile(rf"\b(?:i'm|i am|i was|we're|we are){_SOFT} (\w+ing) {_REST}", re.I)
_IS = re.compile(
    rf"\b(?:i'm|i am){_SOFT} ((?:an?|the|from|in|not|allergic|afraid|scared|married|single)\b[^.!?;,]{{2,60}})", re.I
)
_MY = re.compile(r"\bmy ([a-z]+(?: [a-z]+){0,2}) (is|are|was|were|loves|likes|works|lives|has) ([^.!?;,]{2,70})", re.I)
_TAIL = re.compile(
    r"^(.*?) ?\b(in|at|to|with|from|near|last|every|this|next|yesterday|when|because|since|for|about) (.+)$", re.I
)
_SHIFT = {"i": "{}", "me": "{}", "my": "{}'s", "mine": "{}'s", "i'm": "{} is", "i've": "{} has", "myself": "themselves",
          "we": "they", "us": "them", "our": "their"}  # fmt: skip
_WORD = re.compile(r"[A-Za-z']+")


def shifted(text: str, who: int) -> str:
    """In the third person."""
    return _WORD.sub(lambda found: _SHIFT.get(found[0].lower(), found[0]).format(mark(who)), text).strip()


def of_sentence(sentence: str, who: int, draw: random.Random) -> Iterator[str]:
    name = mark(who)
    for found in _DOES.finditer(sentence):
        aux, base = FORMS[found[1].lower()]
        yield from _asked(aux, base, shifted(found[2], who), name)
    for found in _ING.finditer(sentence):
        yield from _asked("is", found[1].lower(), shifted(found[2], who), name)
    for found in _IS.finditer(sentence):
        yield f"Is {name} {shifted(found[1], who)}?"
        if found[1].lower().startswith(("a ", "an ")):
            yield draw.choice((f"What does {name} do?", f"What is {name}?", f"Who is {name}?"))
        elif found[1].lower().startswith(("from", "in")):
            yield f"Where is {name}{' from' if found[1].lower().startswith('from') else ''}?"
    for found in _MY.finditer(sentence):
        thing, verb, rest = f"{name}'s {found[1].lower()}", found[2].lower(), shifted(found[3], who)
        if verb in ("is", "are", "was", "were"):
            yield f"What {verb} {thing}?"
            yield f"{verb.capitalize()} {thing} {rest}?"
        else:
            base = "have" if verb == "has" else verb[:-1]
            yield f"{'Where' if base == 'live' else 'What'} does {thing} {base}?"


def _asked(aux: str, base: str, rest: str, name: str) -> Iterator[str]:
    if not rest:
        return
    tail = _TAIL.match(rest)
    goal = (tail[1] if tail else rest).strip()
    if len(goal.split()) <= 8:
        yield f"{aux.capitalize()} {name} {base} {rest if len(rest.split()) <= 6 else goal}?"
    if goal:
        behind = f" {tail[2]} {tail[3]}" if tail and len(tail[3].split()) <= 5 else ""
        yield f"What {aux} {name} {base}{behind}?"
    if tail:
        word = tail[2].lower()
        if word in ("in", "at", "from", "near") or (word == "to" and base in _MOVING):
            yield f"{'When' if _TIMES.search(tail[3]) else 'Where'} {aux} {name} {base} {goal}?"
        elif word in ("last", "every", "this", "next", "yesterday", "when", "since"):
            yield f"When {aux} {name} {base} {goal}?"
        elif word == "because":
            yield f"Why {aux} {name} {base} {goal}?"
        elif word == "with":
            yield f"Who {aux} {name} {base} {goal} with?"
        elif word == "about":
            yield f"What {aux} {name} {base} {goal} about?"


_MOVING = frozenset(("go", "move", "travel", "drive", "fly", "walk", "return", "ride", "run"))
_TIMES = re.compile(
    r"\b(?:\d{4}|january|february|march|april|june|july|august|september|october|november|december|morning|evening"
    r"|spring|summer|fall|winter|weekend|\w+day|years?|weeks?|months?)\b", re.I
)  # fmt: skip
_FORMS_ABOUT = (
    "What did {n} say about {w}?", "What does {n} think about {w}?", "{n} and {w}", "How does {n} feel about {w}?",
    "What do we know about {n} and {w}?", "When did {n} talk about {w}?", "What has {n} told about {w}?",
)  # fmt: skip


def read_plain(talks: Iterable[Talk], draw: random.Random, a_turn: int, a_talk: int) -> Iterator[Talk]:
    every = list(talks)
    common = Counter(w for talk in every for w in {w for turn in talk.turns for w in _long_words(turn.text)})
    most = max(3, len(every) // 40)
    for talk in every:
        made: list[Asked] = []
        for place, turn in enumerate(talk.turns):
            if not isinstance(turn.speaker, int):
                continue
            told = []
            for sentence in re.split(r"(?<=[.!?]) ", turn.text):
                if not sentence.endswith("?"):
                    some = [" ".join(q.split()).replace(" ?", "?") for q in of_sentence(sentence, turn.speaker, draw)]
                    told += [Asked(q, [place], span=sentence) for q in some if 3 <= len(q.split()) <= 20]
            made += draw.sample(told, min(len(told), a_turn))
            if place + 1 < len(talk.turns):
                reply = talk.turns[place + 1]
                other = reply.speaker
                asked = (
                    to_listener(turn.text, other, draw) if isinstance(other, int) and other != turn.speaker else None
                )
                if asked and len(reply.text.split()) > 2:
                    made.append(Asked(asked, [place + 1], [place]))
        made = draw.sample(made, min(len(made), a_talk))
        talk.asked += made + _by_words(talk, common, most, draw)
        yield talk


def _long_words(text: str) -> set[str]:
    return {word.lower() for word in re.findall(r"[A-Za-z]{5,}", text)}


def _by_words(talk: Talk, common: Counter[str], most: int, draw: random.Random) -> list[Asked]:
    """A word that few talks have: every turn in which the speaker uses it answers."""
    where: dict[tuple[int, str], list[int]] = {}
    others: dict[str, set[int]] = {}
    for place, turn in enumerate(talk.turns):
        for word in _long_words(turn.text):
            if common[word] <= most:
                others.setdefault(word, set()).add(place)
                if isinstance(turn.speaker, int) and not turn.text.endswith("?"):
                    where.setdefault((turn.speaker, word), []).append(place)
    some = [one for one in where.items() if len(one[1]) <= 4 and len(others[one[0][1]]) <= 6]
    many = [one for one in some if len(one[1]) > 1]
    chosen = draw.sample(many, min(6, len(many))) + draw.sample(some, min(5, len(some)))
    return [
        Asked(draw.choice(_FORMS_ABOUT).format(n=mark(who), w=word), places, sorted(others[word] - set(places)))
        for (who, word), places in chosen
    ]
