"""What does a prompt need to know? The hits of a question as one block of text, within a budget.

Recall decides what is in it and `quote` how it is written; here is decided how much fits, and in which order it stands.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from datetime import datetime

from treering.language.tokens import characters_within, tokens_of
from treering.model import limits
from treering.model.memory import SHOWN, WRITTEN_BY, Kind, Memory, State, View
from treering.recall.answer import Answer, Context, Hit
from treering.recall.find import Finder
from treering.recall.quote import CURRENT, FORMS, NAME_CHARS, PAST, Form, QuotedMemory, SideNote, clean, section_of
from treering.recall.wish import FEW, Wish
from treering.store.contract import MemoryFilter, Scope, Store
from treering.values import dataclass

LEAST_TOKENS = 10  # what the shortest entry takes: more hits than this allows for cannot fit
LARGEST_SHARE = 2  # one memory takes at most half of the budget; what is longer is cut
CITED_CHARS = 8  # the end of an id is what tells it from its neighbours


def context(store: Store, finder: Finder, scope: Scope, wish: Wish, form: str) -> Context:
    budget = wish.budget_tokens or 0
    enough = min(limits.HITS, budget // LEAST_TOKENS + 1)
    answer = finder.recall(
        scope, replace(wish, limit=enough, only_answers=True, budget_tokens=None, include_source=False)
    )
    replacing = _replacing(store, scope, answer)
    reported = _reported(store, scope, answer, replacing)
    scribe = _Scribe(FORMS[form], _cited(answer, replacing), replacing, reported, budget // LARGEST_SHARE)
    kept = _arranged(_fitting(scribe, answer, budget), answer.judged_by is not None)
    text = scribe.block(kept) if kept else ""
    return Context(
        query=wish.query,
        text=text,
        format=form,
        tokens=tokens_of(text),
        budget_tokens=budget,
        citations=tuple(dict.fromkeys(one for hit in kept for one in (hit.memory.id, *_beside(hit, replacing)))),
        left_out=len(answer) - len(kept),
        as_of=answer.as_of,
        view=answer.view,
    )


def _replacing(store: Store, scope: Scope, answer: Answer) -> dict[str, Memory]:
    """What replaced the hits that are superseded."""
    ids = tuple(sorted({hit.superseded_by for hit in answer if hit.superseded_by and section_of(hit) == PAST}))
    if not ids:
        return {}
    with store.reader(scope) as reader:
        return {memory.id: memory for memory in reader.memories(MemoryFilter(view=View.ALL, ids=ids))}


Reported = Mapping[str, Mapping[str, str]]
"""By the id of a memory that one reports in another's name: for whom, and who has written it."""


def _reported(store: Store, scope: Scope, answer: Answer, replacing: dict[str, Memory]) -> Reported:
    """Of the hits and of what stands beside them."""
    known = {memory.id: memory for memory in (*(hit.memory for hit in answer), *replacing.values())}
    ids = tuple(sorted({one.memory_id for hit in answer for one in hit.conflicts} - known.keys()))
    if ids:
        with store.reader(scope) as reader:
            known |= {memory.id: memory for memory in reader.memories(MemoryFilter(view=View.ALL, ids=ids))}
    return {
        one.id: {
            "reported_for": clean(one.observed_by or "", NAME_CHARS),
            "written_by": clean(str(one.meta[WRITTEN_BY]), NAME_CHARS),
        }
        for one in known.values()
        if one.meta.get(WRITTEN_BY)
    }


def _cited(answer: Answer, replacing: dict[str, Memory]) -> dict[str, str]:
    """For every id that may be cited its end, as long as it takes to be the only one."""
    ids = {one for hit in answer for one in (hit.memory.id, *_beside(hit, replacing))}
    size = CITED_CHARS
    while len({one[-size:] for one in ids}) < len(ids):
        size += 1
    return {one: one[-size:] for one in ids}


def _beside(hit: Hit, replacing: dict[str, Memory]) -> Iterator[str]:
    """The ids of what stands beside a hit, in the order in which it does."""
    if hit.superseded_by in replacing:
        yield hit.superseded_by
    yield from (conflict.memory_id for conflict in hit.conflicts)


def _fitting(scribe: _Scribe, answer: Answer, budget: int) -> list[Hit]:
    """The best first, and of those that follow each that still fits. What stands beside a hit is counted as if it were
    quoted there; it takes less if it turns out to have an entry of its own."""
    kept, sections = [], dict[str, list[str]]({CURRENT: [], PAST: []})
    for hit in answer:
        entries = sections[section_of(hit)]
        entries.append(scribe.entry(hit, frozenset()))
        if tokens_of(scribe.form.block(sections)) <= budget:
            kept.append(hit)
        else:
            entries.pop()
    return kept


def _arranged(hits: list[Hit], judged: bool) -> list[Hit]:
    """What holds before what no longer does. A few that a judge has taken for answers by rank. Otherwise what lasts by
    rank; then what happened or was said in a conversation by time, because there the order tells something."""
    if judged and len(hits) <= FEW:
        return sorted(hits, key=lambda hit: section_of(hit) != CURRENT)
    found: dict[tuple[str, bool], list[Hit]] = defaultdict(list)
    for hit in hits:
        found[section_of(hit), _in_time(hit)].append(hit)
    for happened in (found[CURRENT, True], found[PAST, True]):
        happened.sort(key=lambda hit: (_time_of(hit), hit.memory.recorded_at, hit.memory.id))
    return [hit for section in (CURRENT, PAST) for timely in (False, True) for hit in found[section, timely]]


def _in_time(hit: Hit) -> bool:
    return hit.memory.kind is Kind.EPISODE or _session(hit) is not None


def _session(hit: Hit) -> str | None:
    return hit.sources[0].session if hit.sources else None


def _time_of(hit: Hit) -> datetime:
    """Turns of a conversation follow each other as they were said, whatever time they tell of."""
    told = hit.memory.event_time if _session(hit) is None else None
    return told or hit.memory.said_at


@dataclass(frozen=True, slots=True)
class _Scribe:
    """Writes hits down: in which form, under which short ids, and with how many tokens of each at most."""

    form: Form
    cited: dict[str, str]
    replacing: dict[str, Memory]
    reported: Reported
    most: int

    def block(self, hits: list[Hit]) -> str:
        standing = frozenset(hit.memory.id for hit in hits)
        sections: dict[str, list[str]] = {CURRENT: [], PAST: []}
        for hit in hits:
            sections[section_of(hit)].append(self.entry(hit, standing))
        return self.form.block(sections)

    def entry(self, hit: Hit, standing: frozenset[str]) -> str:
        """`standing`: what has an entry of its own, and is not quoted again beside another."""
        memory, over = hit.memory, section_of(hit) == PAST
        speaker = clean((hit.sources[0].speaker if hit.sources else None) or "", NAME_CHARS)
        return self.form.entry(
            QuotedMemory(
                id=self.cited[memory.id],
                said=_written(memory.said_at),
                happened=_happened(memory),
                speaker=speaker or None,
                state=hit.state.value if over else None,
                until=_written(memory.valid_until) if over and memory.valid_until else None,
                text=self._cut(memory.content),
                asides=tuple(self._asides(hit, standing)),
                **self.reported.get(memory.id, {}),
            )
        )

    def _cut(self, text: str) -> str:
        return clean(text, characters_within(text, self.most))

    def _asides(self, hit: Hit, standing: frozenset[str]) -> Iterable[SideNote]:
        new = self.replacing.get(hit.superseded_by or "")
        if new is not None:
            yield self._aside("replaced_by", new.id, standing, new.valid_from, new.state, new.content)
        for other in hit.conflicts:
            yield self._aside("conflicts_with", other.memory_id, standing, other.valid_from, other.state, other.content)

    def _aside(
        self, what: str, memory_id: str, standing: frozenset[str], since: datetime, state: State, text: str
    ) -> SideNote:
        if memory_id in standing:
            return SideNote(what=what, id=self.cited[memory_id])
        holds = state in SHOWN[View.CURRENT]
        return SideNote(
            what=what,
            id=self.cited[memory_id],
            since=_written(since),
            state=None if holds else state.value,
            text=self._cut(text),
            **self.reported.get(memory_id, {}),
        )


def _written(at: datetime) -> str:
    day, time = at.isoformat()[:10], at.isoformat()[11:16]
    return day if time == "00:00" else f"{day} {time}"


def _happened(memory: Memory) -> str | None:
    """When it happened, if that is another day than when it was said."""
    start, end = memory.event_time, memory.event_end
    if start is None or (start.date() == memory.said_at.date() and end is None):
        return None
    return _written(start) if end is None else f"{_written(start)} to {_written(end)}"
