"""Why this memory? The account of a score: what each signal and modifier added, and by which way it was reached."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from treering.language.when.window import Window
from treering.recall import temporal
from treering.recall.answer import Explanation, Signal
from treering.recall.fuse import MODIFIERS, SIGNALS, Fused, Weights
from treering.recall.search import Search
from treering.store.contract import Reader

CLOSE_COSINE = 0.35
WORDS_SHOWN = 4
WORTH_TELLING = 0.5


def explanation(
    reader: Reader, search: Search, fused: Fused, place: int, weights: Weights, costs: Mapping[str, float]
) -> Explanation:
    """`costs`: what it cost in the order that others went before; that is no part of the total."""
    names = {entity.id: entity.name for entity in reader.entities(ids=_entities(fused, place))}
    path = fused.reached.paths.get(int(fused.pool[place]))
    seeds = (
        f"{names.get(one, one)} ({', '.join(fused.reached.found_by[one])})"
        for one in fused.reached.seeds
        if one in names
    )
    days, window = _closest(search, fused, place) if "time" in fused.features else (None, None)
    modifiers = {name: round(said, 4) for name in MODIFIERS if (said := fused.contribution(name, place, weights))}
    return Explanation(
        signals={name: _signal(fused, place, parts, weights) for name, parts in SIGNALS.items()},
        modifiers=modifiers | dict(costs),
        seeds=tuple(seeds),
        path=tuple(names.get(step, step) for step in path.steps) if path else (),
        window=window if days is not None and days < temporal.FAR_DAYS else None,
        days_outside=days,
        total=round(float(fused.score[place]), 4),
    )


def _signal(fused: Fused, place: int, parts: tuple[str, ...], weights: Weights) -> Signal:
    said = {name: fused.contribution(name, place, weights) for name in parts if name in fused.features}
    everyone = sum(fused.features[name] * getattr(weights, name) for name in said)
    own = sum(said.values())
    rank = int(np.count_nonzero(np.asarray(everyone) > own + 1e-9)) + 1 if said else 0
    return Signal(rank=rank, score=round(own, 4), parts={name: round(one, 4) for name, one in said.items()})


def _entities(fused: Fused, place: int) -> list[str]:
    path = fused.reached.paths.get(int(fused.pool[place]))
    return [*fused.reached.seeds, *(path.steps[::2] if path else ())]


def _closest(search: Search, fused: Fused, place: int) -> tuple[float, Window]:
    """Of the times that the question names, the one that the memory is closest to, and how many days outside."""
    here = fused.pool[place : place + 1]
    outside = [
        (float(temporal.days_outside(search, here, [one.window])[0]), number)
        for number, one in enumerate(search.question.stretches)
    ]
    days, number = min(outside)
    return round(days, 2), search.question.stretches[number].window


class Reasons:
    """Says why memories of one space were found. What is the same for all hits of a question is looked up once."""

    def __init__(self, search: Search, fused: Fused, weights: Weights) -> None:
        self._search, self._fused, self._weights = search, fused, weights
        number = search.index.words.number
        self._terms = [(number.get(term), search.question.spelling[term]) for term in search.question.terms]
        self._short = [(term, search.question.spelling[term].capitalize()) for term in _seen_nowhere(search)]

    def why(self, place: int) -> str:
        """In a few words: what spoke for it most."""
        features, weights = self._fused.features, self._weights
        reasons: list[tuple[float, str]] = []
        if "dense" in features:
            cosine = max(float(features["dense"][place]), float(features["late"][place]))
            if cosine >= CLOSE_COSINE:
                reasons.append((cosine * (weights.dense + weights.late), f"close in meaning ({cosine:.2f})"))
        worded = list(self._by_words(place))
        if not worded and self._added("block", place) > 0:
            worded = [(1.0, "its neighbours have the words")]
        reasons += worded
        if (asked := self._added("reply", place)) >= WORTH_TELLING:
            reasons.append((asked, "replies to such a question"))
        days, window = _closest(self._search, self._fused, place) if "time" in features else (None, None)
        if window is not None and days == 0:
            reasons.append((self._added("time", place), f"within {window.text!r}"))
        if (stated := self._added("asked", place)) > 0:
            reasons.append((stated, "states what is asked for"))
        elif (tied := self._added("graph", place)) > 0:
            reasons.append((tied, "tied to what is asked about"))
        if self._added("instruction", place) > 0:
            reasons.append((1.0, "a standing instruction"))
        reasons.sort(key=lambda reason: -reason[0])
        return "; ".join(text for _, text in reasons) or "the nearest there is"

    def _added(self, name: str, place: int) -> float:
        return self._fused.contribution(name, place, self._weights)

    def _by_words(self, place: int) -> Iterator[tuple[float, str]]:
        """Which words of the question it has, in what way."""
        search, memory = self._search, int(self._fused.pool[place])
        held = search.index.words.words_of(memory).tolist()
        shared = [spelling for number, spelling in self._terms if number in held][:WORDS_SHOWN]
        if shared:
            yield self._added("cover", place) + 1, f"has {', '.join(shared)}"
        if (quoted := self._added("phrase", place)) > 0:
            yield quoted, "has the words in quotes as they stand"
        if self._short and (short := self._beginnings(held)):
            yield 1.0, f"has a name beginning with {', '.join(short)}"
        speaker = int(search.column("speaker")[memory])
        if search.vector is None and not shared and any(speaker in some for some in search.named.speakers):
            names = search.index.speakers.copy().items()
            yield 0.5, f"said by {next(name for name, number in names if number == speaker)}"

    def _beginnings(self, held: list[int]) -> list[str]:
        """The words of the question that no memory has, and with which a word of this one begins."""
        words = [self._search.index.words.word(one) for one in held]
        return [spelling for term, spelling in self._short if any(one.startswith(term) for one in words)]


def _seen_nowhere(search: Search) -> list[str]:
    """Words of the question, written like names, that no memory has which may be seen."""
    words, visible = search.index.words, search.visible
    named = (term for term in search.question.terms if term in search.question.capitalised)
    return [term for term in named if not visible.seen[words.of(term, visible.known)[0]].any()]
