"""Which hits give an older value of what is asked for? Judged when a question about now is answered, and never written.

A statement may be old news for one question and stand for another: "29, live in Bristol, one greyhound" is outdated
about the home once a move is told, and not about the dog. So the question says which thing is meant, and of two hits
that speak of it the later one stands, if it says that something changed or ended, or answers with another value of the
same kind. What only may be, once was, is of somebody else or stands beside it takes nothing's place.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from treering.language.standing import adds, goes_on, names_what_changed, stays_the_same
from treering.language.subject import said_of
from treering.recall.about_whom import begins_with_kin, of_the_same
from treering.recall.another_answer import another_answer, is_open
from treering.recall.answering import another_measure, gives_a_value, named, stems_of
from treering.recall.asked_now import Asked
from treering.recall.pair import LOOSELY, RELATED, Pair
from treering.recall.stated import Statement

A_WHILE = timedelta(hours=1)
"""Between what is said in one conversation nothing has changed: it is told in several parts."""
OF_THE_SAME, ENDED, SAME = 0.52, 0.35, 0.57
"""How like in meaning two statements must be to speak of one thing where they share the question's words as well; for
one to say that the other has ended; and to say the same of it."""
NEARLY, MORE_THAN_HALF, HALF, NEAR, LEAST_NEAR = 0.8, 0.6, 0.5, 0.22, 0.2
"""How near to the question the later one must be: shares of how near the older one is, and at least so much."""
TOO_MUCH_ELSE = 2
_A_LIST = re.compile(r",|(?<!^)\b(?:and|plus|both)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Outdated:
    """`id` gives way to `by`."""

    id: str
    by: str
    why: str


def outdated(asked: Asked, statements: Sequence[Statement]) -> list[Outdated]:
    """Each that gives way, to the latest that it gives way to."""
    if not asked.about_now:
        return []
    found: dict[str, Outdated] = {}
    for pair in _pairs(asked, statements):
        why = _gives_way(pair) if of_the_same(asked, pair.old, pair.new) else None
        if why:
            found[pair.old.id] = Outdated(pair.old.id, pair.new.id, why)
    return list(found.values())


def _pairs(asked: Asked, statements: Sequence[Statement]) -> Iterator[Pair]:
    """Those worth looking at: with something in common, and not of one conversation."""
    plain = [one for one in sorted(statements, key=lambda one: one.said_at) if one.says_one_thing]
    near: dict[tuple[datetime, str], float] = {}
    for one in plain:
        breath = one.said_at, one.turn or one.id
        near[breath] = max(one.near, near.get(breath, 0.0))
    older = [one for one in plain if one.near >= LEAST_NEAR or asked.stems & one.stems]
    for new in plain:
        for old in older:
            if new.said_at - old.said_at >= A_WHILE:
                pair = Pair(asked, old, new, near[new.said_at, new.turn or new.id])
                if pair.like >= LOOSELY or asked.stems & old.stems & new.stems or (old.facts and new.facts):
                    yield pair


def _gives_way(pair: Pair) -> str | None:
    old, new = pair.old, pair.new
    told_of_the_past = new.since <= old.since and not goes_on(new.states)
    if told_of_the_past or new.stems <= old.stems or pair.belongs_to_another or pair.is_no_news:
        return None
    why = _reason(pair)
    return None if why is None or pair.of_another_kind else why


def _reason(pair: Pair) -> str | None:
    asked, new = pair.asked, pair.new
    if pair.says_it_ended and _speaks_of_it(pair):
        return "says that it has ended"
    if (pair.is_for_a_while and not asked.wants_somebody) or (new.is_to_come and not asked.wants_time):
        return None
    if pair.of_other_things and not pair.covers_itself:
        return None
    changed = pair.related and pair.says_it_changed
    if adds(new.states) and not (changed and asked.wants_a_measure):
        return None
    if asked.wants_a_measure:
        return None if pair.is_of_another else _another_measure(pair, changed) or another_answer(pair)
    if asked.several:
        return None
    if pair.other_value_of:
        return f"gives another value of {pair.other_value_of}"
    if not _answers(pair):
        return another_answer(pair)
    if is_open(asked) or pair.confirms:
        return None
    if changed and _to_the_same_point(pair) and not begins_with_kin(asked, new):
        return None if asked.yes_or_no and pair.is_of_another and not _is_about_it(pair) else "says that it has changed"
    return another_answer(pair)


def _is_about_it(pair: Pair) -> bool:
    return any(pair.asked.thing & stems_of(said_of(one)) for one in pair.new.clauses)


def _another_measure(pair: Pair, changed: bool) -> str | None:
    kind = another_measure(pair.old.text, pair.new.text)
    if kind and (changed or pair.covers_itself):
        return f"gives another {kind}"
    return "says that it has changed" if changed and pair.covers_itself else None


def _to_the_same_point(pair: Pair) -> bool:
    """A change is of what the question is about: it names the thing, or whom it is about, or what was there before, or
    is as near to the question."""
    asked, old, new = pair.asked, pair.old, pair.new
    was = asked.thing & old.stems
    if pair.like >= RELATED and not ((old.names | named(old.text)) - asked.stems).isdisjoint(new.stems):
        return True
    if _beside_the_point(pair):
        return False
    if asked.wants_somebody and asked.head in was and was & new.stems:
        return asked.head in new.stems and _names_the_thing(pair)
    if was and was <= new.stems and _names_the_thing(pair):
        return True
    if asked.names and not (asked.names & new.stems or asked.entities & new.entities):
        return False  # of whom the question is about only in that they say it
    if (asked.whom & old.about & new.stems and pair.like >= OF_THE_SAME) or pair.is_of_one_relation:
        return True
    into = any(names_what_changed(one) for one in new.clauses)
    if into and was & new.stems:
        return True
    share = HALF if asked.yes_or_no else MORE_THAN_HALF
    return pair.like >= RELATED and new.near >= (LEAST_NEAR if into else max(NEAR, share * old.near))


def _speaks_of_it(pair: Pair) -> bool:
    """What ended is what the older one speaks of, and all that it speaks of, where all there are is asked for."""
    asked, old, new = pair.asked, pair.old, pair.new
    if (asked.several and _A_LIST.search(old.text)) or _beside_the_point(pair):
        return False
    shared = old.topic & new.topic
    if shared - asked.whom and pair.like >= ENDED:
        return True
    near_enough = new.near >= (HALF if asked.yes_or_no else NEARLY) * old.near > 0
    return pair.like >= LOOSELY and near_enough and not shared.isdisjoint(asked.stems)


def _beside_the_point(pair: Pair) -> bool:
    """To be answered with yes or no, and the later one speaks of another thing, or of something else about it."""
    asked, new = pair.asked, pair.new
    was = asked.thing & pair.old.stems
    if not (asked.yes_or_no and was & new.stems):
        return False
    return (asked.subject in was and asked.subject not in new.stems) or len(was - new.stems) >= TOO_MUCH_ELSE


def _names_the_thing(pair: Pair) -> bool:
    """In a clause that does not say of it that it stays as it was."""
    return any(pair.asked.thing & stems_of(one) and not stays_the_same(one) for one in pair.new.clauses)


def _answers(pair: Pair) -> bool:
    """It holds something of the kind that is asked for."""
    asked, old, new = pair.asked, pair.old, pair.new
    if asked.wants_somebody:
        return bool(new.entities - old.entities) or bool(named(new.text) - old.stems)
    if asked.wants_place:
        return any(gives_a_value(asked, old, one) for one in (*new.clauses, *new.around))
    return not (asked.thing & new.stems) or _names_the_thing(pair)
