"""What is listed under a heading? "hobbies: pottery, birding" says what is liked, "stuff I pay for: ..." what is subscribed to."""

from __future__ import annotations

from treering.ingest.extract.contract import Claim
from treering.ingest.extract.rules.clauses import Clause
from treering.ingest.extract.rules.headings import heading_relation
from treering.ingest.extract.rules.phrases import Phrase


def listed_claims(clause: Clause) -> list[Claim]:
    relation = heading_relation(clause.heading) if clause.heading else None
    if relation is None or clause.has_verb:
        return []
    if relation == "LIVES_IN":
        things = [p for p in _things(clause) if p.kind == "place"]
    else:
        things = _things(clause)
    return [
        Claim(subject=clause.reading.me, relation=relation, object=thing.label)
        for thing in things
        if thing.label != clause.reading.me
    ]


def _things(clause: Clause) -> list[Phrase]:
    """The named things of an item, else its first noun."""
    inside = [p for p in clause.reading.phrases if clause.start <= p.start < clause.end and p.sort in "nc"]
    named = [p for p in inside if p.sort == "n" and p.kind != "person"]
    return named[:1] or inside[:1]
