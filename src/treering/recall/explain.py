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


def why(search: Search, fused: Fused, place: int, weights: Weights) -> str:
    """In a few words: what spoke for it most."""
    reasons: list[tuple[float, str]] = []
    if "dense" in fused.features:
        cosine = float(max(fused.features["dense"][place], fused.features["late"][place]))
        if cosine >= CLOSE_COSINE:
            reasons.append((cosine * (weights.dense + weights.late), f"close in meaning ({cosine:.2f})"))
    worded = list(_by_words(search, fused, place, weights))
    if not worded and fused.contribution("block", place, weights) > 0:
        worded = [(1.0, "its neighbours have the words")]
    reasons += worded
    if (asked := fused.contribution("reply", place, weights)) >= WORTH_TELLING:
        reasons.append((asked, "replies to such a question"))
    days, window = _closest(search, fused, place) if "time" in fused.features else (None, None)
    if window is not None and days == 0:
        reasons.append((fused.contribution("time", place, weights), f"within {window.text!r}"))
    if (stated := fused.contribution("asked", place, weights)) > 0:
        reasons.append((stated, "states what is asked for"))
    elif (tied := fused.contribution("graph", place, weights)) > 0:
        reasons.append((tied, "tied to what is asked about"))
    if fused.contribution("instruction", place, weights) > 0:
        reasons.append((1.0, "a standing instruction"))
    reasons.sort(key=lambda reason: -reason[0])
    return "; ".join(text for _, text in reasons) or "the nearest there is"


def _by_words(search: Search, fused: Fused, place: int, weights: Weights) -> Iterator[tuple[float, str]]:
    """Which words of the question it has, in what way."""
    memory = int(fused.pool[place])
    if shared := _shared_words(search, memory):
        yield fused.contribution("cover", place, weights) + 1, f"has {', '.join(shared)}"
    if (quoted := fused.contribution("phrase", place, weights)) > 0:
        yield quoted, "has the words in quotes as they stand"
    if short := _beginnings(search, memory):
        yield 1.0, f"has a name beginning with {', '.join(short)}"
    speaker = int(search.column("speaker")[memory])
    if search.vector is None and not shared and any(speaker in some for some in search.named.speakers):
        yield 0.5, f"said by {next(name for name, number in search.index.speakers.copy().items() if number == speaker)}"


def _shared_words(search: Search, memory: int) -> list[str]:
    words = search.index.words
    held = set(words.words_of(memory).tolist())
    terms = (term for term in search.question.terms if words.number.get(term) in held)
    return [search.question.spelling[term] for term in terms][:WORDS_SHOWN]


def _beginnings(search: Search, memory: int) -> list[str]:
    """The words of the question that no memory has, and with which a word of this one begins."""
    words, question, visible = search.index.words, search.question, search.visible
    held = [words.word(int(one)) for one in words.words_of(memory)]
    named = [term for term in question.terms if term in question.capitalised]
    short = (term for term in named if not visible.seen[words.of(term, visible.known)[0]].any())
    return [question.spelling[term].capitalize() for term in short if any(one.startswith(term) for one in held)]
