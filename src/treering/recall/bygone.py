"""Which hits only name what is no longer the answer? Judged with what gave way, where the present is asked about.

Who leads the scouts now is Petra. That Oskar, who did, once asked for tent pegs has nothing to do with it, and beside
her name his would be read as an answer. Who asks about Oskar himself, or about tent pegs, gets it as before.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from treering.language.words import words
from treering.recall.asked_facts import OWNER
from treering.recall.asked_now import Asked
from treering.recall.stated import Statement
from treering.store.contract import Reader

HALF = 0.5
"""What is less than half as near to the question as its answer has nothing to do with it."""
WHY = "took the place of all that it names"


@dataclass(frozen=True, slots=True)
class Replaced:
    """The statement `by` stands in the place of `id`, whose words these are."""

    id: str
    by: str
    text: str


def bygone(
    asked: Asked, statements: Sequence[Statement], replaced: Sequence[Replaced], reader: Reader
) -> Iterator[tuple[str, str]]:
    """Each that names only what was there before, with what stands in the place of that."""
    if asked.several or asked.yes_or_no:
        return  # of several, others may stand; and what was there before says no as well
    by_id, thing = {one.id: one for one in statements}, asked.stems - asked.whom
    told = [way for way in replaced if way.by in by_id and not thing.isdisjoint(words(way.text))]
    gone = _named(reader, [way.id for way in told]) if told else {}
    for way in told:
        answer = by_id[way.by]
        left = _without(gone[way.id], {OWNER, *words(answer.speaker or "")}) - asked.entities
        for one in statements:
            if _only_names(one, _gone(asked, left, answer), answer) and _is_beside_the_point(asked, one, answer):
                yield one.id, answer.id


def _named(reader: Reader, memory_ids: Sequence[str]) -> Mapping[str, dict[str, str]]:
    """The names of the entities that each mentions, by id."""
    mentioned = reader.mentioned(memory_ids)
    names = {one.id: one.name for one in reader.entities(ids=sorted({entity for _, entity in mentioned}))}
    found: dict[str, dict[str, str]] = defaultdict(dict)
    for memory_id, entity_id in mentioned:
        found[memory_id][entity_id] = names.get(entity_id, "")
    return found


def _without(named: Mapping[str, str], speakers: set[str]) -> frozenset[str]:
    return frozenset(entity for entity, name in named.items() if speakers.isdisjoint(words(name)))


def _gone(asked: Asked, named: frozenset[str], answer: Statement) -> frozenset[str]:
    """What the answer does not name. Where somebody is asked for, it may: "Petra took over from Oskar"."""
    from_them = asked.wants_somebody and named <= answer.entities and answer.entities - named
    return named if from_them else named - answer.entities


def _only_names(one: Statement, gone: frozenset[str], answer: Statement) -> bool:
    return not gone.isdisjoint(one.entities) and one.entities <= gone | answer.entities


def _is_beside_the_point(asked: Asked, one: Statement, answer: Statement) -> bool:
    """It does not speak of what is asked for, nor was it said in one breath with the answer."""
    if one.said_at == answer.said_at:
        return False
    return asked.stems.isdisjoint(one.stems) and one.near < HALF * answer.near
