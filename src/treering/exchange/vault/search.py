"""WHICH notes answer a question? Sections whose rare words it shares, and, where an embedder reads, whose meaning is
near.

A score is a share: of all the words asked for, weighed by how rare they are, what the section says. So it lies between
0 and 1, as that of a memory does.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING

from treering.exchange.vault.index import IndexedNote, IndexedSection, VaultIndex, section_hash, section_of_text
from treering.exchange.vault.note import read_note
from treering.exchange.vault.place import Unreadable, Vault
from treering.language.words import words
from treering.values import dataclass

if TYPE_CHECKING:
    from treering.mind.contract import Embedder, Vectors

SATURATION, LENGTH_MATTERS = 0.6, 0.5
"""How soon saying a word again stops to count, and how far a long section must say it more often."""
WORDS_SHARE = 0.6
NEAR, NEAREST = 0.25, 0.75
"""The cosines at which meaning begins to count, and counts in full."""
FLOOR = 0.2
EMBEDDED_AT_ONCE = 32
SHORTLIST = 64
SNIPPET_CHARS = 300
_HEADINGS = re.compile(r"\A(?:\s*#{1,6}[ \t][^\n]*(?:\n|\Z))+")


@dataclass(frozen=True, slots=True)
class NoteHit:
    """A note by its best section."""

    path: str
    title: str
    heading: str
    content: str
    score: float
    tags: tuple[str, ...]
    memory_id: str | None
    space: str | None
    mtime_ns: int


@dataclass(frozen=True, slots=True)
class _Place:
    note: IndexedNote
    section: IndexedSection


@dataclass(slots=True)
class Meaning:
    """Who reads sections, and what was read already, by digest. `fresh` is how many were read since it was kept."""

    embedder: Embedder
    vectors: dict[str, Vectors]
    fresh: int = 0

    def read(self, texts: dict[str, str]) -> None:
        new = {digest: text for digest, text in texts.items() if digest not in self.vectors}
        if new:
            rows = self.embedder.embed(list(new.values()))
            self.vectors |= dict(zip(new, rows, strict=True))
            self.fresh += len(new)


def search(
    vault: Vault,
    index: VaultIndex,
    query: str | None,
    tags: Sequence[str],
    limit: int,
    meaning: Meaning | None = None,
    may_see: Callable[[IndexedNote], bool] = lambda note: True,
    beside: Sequence[str] = (),
) -> tuple[list[NoteHit], list[float]]:
    """The best first; without a question, those last written first. And what the same measure makes of the texts
    `beside`, so that both can stand in one order."""
    wanted = {one.casefold().lstrip("#") for one in tags}
    notes = [one for one in index.notes.values() if wanted <= {tag.casefold() for tag in one.tags}]
    if query is None:
        newest = sorted(notes, key=lambda one: (-one.seen.mtime_ns, one.seen.path))
        ranked, shares = [(1.0, _Place(one, one.sections[0])) for one in newest], [0.0] * len(beside)
    else:
        places = [_Place(note, one) for note in notes for one in note.sections]
        terms = list(dict.fromkeys(words(query)))
        said = _by_words([*(one.section for one in places), *map(section_of_text, beside)], terms)
        ranked = _ranked(vault, places, {n: said[n] for n in said if n < len(places)}, query, meaning)
        share = 1.0 if meaning is None else WORDS_SHARE
        shares = [said.get(n, 0.0) * share for n in range(len(places), len(places) + len(beside))]
    shown = (_shown(vault, place, score) for score, place in ranked if may_see(place.note))
    return list(islice((one for one in shown if one is not None), limit)), shares


def _ranked(
    vault: Vault, places: list[_Place], scores: dict[int, float], query: str, meaning: Meaning | None
) -> list[tuple[float, _Place]]:
    if meaning is not None and places:
        first = sorted(scores, key=lambda one: (-scores[one], one))[:SHORTLIST]
        meaning.read(_texts(vault, [places[one] for one in first], meaning, EMBEDDED_AT_ONCE))
        scores = _with_meaning(places, scores, query, meaning)
    best: dict[str, tuple[float, int]] = {}
    for number, score in scores.items():
        path = places[number].note.seen.path
        if score >= FLOOR and score > best.get(path, (0.0, 0))[0]:
            best[path] = score, number
    ranked = sorted(best.items(), key=lambda one: (-one[1][0], one[0]))
    return [(score, places[number]) for _, (score, number) in ranked]


def _by_words(sections: Sequence[IndexedSection], terms: list[str]) -> dict[int, float]:
    """For each section that has one of the terms, how much of what was asked it says. A word that stands nowhere is as
    rare as the others on average: it may be another word for the same."""
    having = {term: [n for n, one in enumerate(sections) if term in one.counts] for term in terms}
    rarity = {term: math.log(1 + len(sections) / len(n)) for term, n in having.items() if n}
    if not rarity:
        return {}
    total = sum(rarity.values()) / len(rarity) * len(terms)
    usual = max(sum(one.length for one in sections) / len(sections), 1.0)
    scores: dict[int, float] = {}
    for term, rare in rarity.items():
        for number in having[term]:
            section = sections[number]
            slow = SATURATION * (1 - LENGTH_MATTERS + LENGTH_MATTERS * section.length / usual)
            said = section.counts[term] / (section.counts[term] + slow)
            scores[number] = scores.get(number, 0.0) + rare * said / total
    return scores


def _with_meaning(places: list[_Place], scores: dict[int, float], query: str, meaning: Meaning) -> dict[int, float]:
    import numpy as np

    read = [n for n, one in enumerate(places) if one.section.hash in meaning.vectors]
    if not read:
        return scores
    rows = np.stack([meaning.vectors[places[n].section.hash] for n in read])
    cosines = rows @ meaning.embedder.embed_question(query)
    near = np.clip((cosines - NEAR) / (NEAREST - NEAR), 0.0, 1.0)
    both = dict(scores)
    for number, one in zip(read, near.tolist(), strict=True):
        both[number] = WORDS_SHARE * scores.get(number, 0.0) + (1 - WORDS_SHARE) * one
    return both


def read_for_meaning(vault: Vault, index: VaultIndex, meaning: Meaning) -> Iterator[tuple[int, int]]:
    """Embeds every section that was not yet, a batch at a time; tells how many are done, of how many."""
    every = [_Place(note, one) for note in index.notes.values() for one in note.sections]
    due = [one for one in every if one.section.hash not in meaning.vectors]
    for start in range(0, len(due), EMBEDDED_AT_ONCE):
        meaning.read(_texts(vault, due[start : start + EMBEDDED_AT_ONCE], meaning, EMBEDDED_AT_ONCE))
        yield min(start + EMBEDDED_AT_ONCE, len(due)), len(due)


def _texts(vault: Vault, places: Sequence[_Place], meaning: Meaning, most: int) -> dict[str, str]:
    """The texts, by digest, of those that nobody has read; what has changed since is left for the next refresh."""
    due = [one for one in places if one.section.hash not in meaning.vectors][:most]
    found = {}
    for one in due:
        text = _text(vault, one)
        if text is not None:
            found[one.section.hash] = f"{one.note.title}: {text}"
    return found


def _text(vault: Vault, place: _Place) -> str | None:
    try:
        note = read_note(place.note.seen.path, vault.read(place.note.seen))
    except Unreadable:
        return None
    text = note.text[place.section.start : place.section.end]
    return text if section_hash(note.title, text) == place.section.hash or not text else None


def without_headings(text: str) -> str:
    """Headings at its beginning are told beside it."""
    return _HEADINGS.sub("", text)


def _shown(vault: Vault, place: _Place, score: float) -> NoteHit | None:
    """None if the note has gone or changed since it was indexed."""
    text, note = _text(vault, place), place.note
    if text is None:
        return None
    short = " ".join(without_headings(text).split())
    return NoteHit(
        path=note.seen.path,
        title=note.title,
        heading=place.section.heading,
        content=short if len(short) <= SNIPPET_CHARS else short[: SNIPPET_CHARS - 1].rsplit(" ", 1)[0] + "…",
        score=round(score, 4),
        tags=note.tags,
        memory_id=note.memory_id,
        space=note.space,
        mtime_ns=note.seen.mtime_ns,
    )
