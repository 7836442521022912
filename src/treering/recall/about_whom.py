"""Are two statements about the same one? Whom the question is about, and whether the later one is about somebody else.

What a sister, a colleague or Ida does is no news of mine. What a doctor, a landlord or an airline does is done to
somebody, and may well be.
"""

from __future__ import annotations

import re

from treering.language.subject import leaves_out_i
from treering.recall.answering import MINE, stems_of
from treering.recall.asked_now import Asked, kin, people
from treering.recall.stated import Statement

_SOMEBODYS = re.compile(r"\b(?:my|our)(?: [\w-]+){1,2}", re.IGNORECASE)
_TELLER = re.compile(r"^(?:my |the |our )?[\w-]+ (?:says|said|told (?:me|us)|thinks) ", re.IGNORECASE)
_IS_SO = re.compile(r"\b(?:is|are|has|have|'s|lives?|works?|owns?|got|moved|started)\b|'s ", re.IGNORECASE)
_A_NAME = re.compile(r"\b[A-Z][\w'-]+")


def of_the_same(asked: Asked, old: Statement, new: Statement) -> bool:
    """Both are about whom the question is about, and the later one is not about somebody else."""
    by_name = bool(asked.entities & new.entities) and asked.entities & old.entities <= new.entities
    is_named = by_name or bool(asked.whom & new.about)
    meant = (asked.names or asked.people) & old.about
    if not (meant <= new.about or by_name) or (asked.names and not meant and not asked.thing & old.stems & new.stems):
        return False
    if not asked.whom & new.stems and asked.whom & new.about and not MINE.search(new.states):
        return False  # said by whom the question is about, of somebody else
    if old.speaker != new.speaker and not is_named:
        return bool(asked.thing & old.stems & new.stems)
    return asked.wants_somebody or is_named or not _of_somebody_else(asked, old, new)


def _of_somebody_else(asked: Asked, old: Statement, new: Statement) -> bool:
    """The clause that answers begins with somebody of whom neither the question nor the older one speaks."""
    told = [_TELLER.sub("", one) for one in new.clauses]
    clause = next((one for one in told if asked.thing & stems_of(one)), told[0] if len(told) == 1 else new.states)
    first = " ".join(clause.split()[:3])
    if leaves_out_i(clause) or MINE.search(_SOMEBODYS.sub(" ", first, count=1)):
        return False
    known = old.stems | asked.stems | new.teller
    others = (new.names | people(_A_NAME.sub(" ", first)) | kin(first)) - known
    if others.isdisjoint(stems_of(first)):
        return False
    if not (new.names | kin(first)).isdisjoint(stems_of(first)):
        return True
    done_to_me = MINE.search(_SOMEBODYS.sub(" ", clause, count=1) if _SOMEBODYS.match(clause) else clause)
    done_to_it = asked.thing & stems_of(clause) and not _IS_SO.search(clause)
    return not (done_to_me or done_to_it)


def begins_with_kin(asked: Asked, new: Statement) -> bool:
    """With somebody who leads a life of their own, of whom the question does not speak: "my cousin married a
    dentist" is no news of mine."""
    told = " ".join(new.states.split()[:3])
    return not (kin(told) - asked.stems).isdisjoint(stems_of(told))
