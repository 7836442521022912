"""Which clauses make one statement? A fact with what only elaborates it, never two that could change apart."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime

from treering.ingest.extract.contract import Claim, Stance
from treering.ingest.extract.rules import lexicon
from treering.ingest.extract.rules.clauses import Clause
from treering.ingest.extract.rules.engine import Found
from treering.ingest.extract.rules.kinds import kind_of
from treering.ingest.extract.rules.moods import Mood, Spoken
from treering.ingest.extract.rules.times import windows_in, worth_until
from treering.model.memory import Kind

# fmt: off
_FAMILIES = {
    "work": ("WORKS_FOR", "HAS_ROLE"), "home": ("LIVES_IN", "BORN_IN", "FROM"),
    "love": ("PARTNER_OF", "MARRIED_TO", "ENGAGED_TO"), "tool": ("USES", "PREFERS"), "taste": ("LIKES", "DISLIKES"),
    "thing": ("OWNS", "PURCHASED"), "health": ("ALLERGIC_TO", "HAS_CONDITION", "TAKES"), "trip": ("VISITED", "PLANNED"),
    "mind": ("SPEAKS", "KNOWS"),
}
_FAMILY = {relation: family for family, relations in _FAMILIES.items() for relation in relations}
# fmt: on


_DOUBTED = frozenset((Mood.GUESSED, Mood.REPORTED))


def _topic(claim: Claim) -> tuple[str, str]:
    if claim.relation in ("MANAGES", "SUPERVISES"):
        return claim.subject, f"{claim.relation} {claim.object}"
    return claim.subject, _FAMILY.get(claim.relation, claim.relation)


@dataclass(slots=True)
class ReadClause:
    """A clause with everything that was found in it."""

    spoken: Spoken
    found: list[Found]
    claims: list[Claim]
    kin: list[Claim]
    perhaps: list[Claim] = field(default_factory=list)

    @property
    def topics(self) -> set[tuple[str, str]]:
        return {_topic(claim) for claim in self.claims}

    @property
    def subject(self) -> str:
        subject = self.spoken.clause.subject
        return " and ".join(phrase.label for phrase in subject)


@dataclass(slots=True)
class StatementGroup:
    reads: list[ReadClause] = field(default_factory=list)

    @property
    def topics(self) -> set[tuple[str, str]]:
        return set().union(*(read.topics for read in self.reads)) if self.reads else set()

    @property
    def subjects(self) -> set[str]:
        return {read.subject for read in self.reads if read.subject}

    @property
    def claims(self) -> list[Claim]:
        return [claim for read in self.reads for claim in read.claims]

    @property
    def last(self) -> ReadClause:
        return self.reads[-1]


def grouped(reads: list[ReadClause]) -> list[StatementGroup]:
    groups: list[StatementGroup] = []
    listed = _listed(reads)
    for read in reads:
        listed_too = read.spoken.clause.sentence in listed and _stands(read)
        if not groups or listed_too or _parts(groups[-1], read):
            groups.append(StatementGroup([*_own_beginning(groups, read), read]))
        else:
            groups[-1].reads.append(read)
    return _leads_forward(groups)


def _own_beginning(groups: list[StatementGroup], read: ReadClause) -> list[ReadClause]:
    """What was said before it in its own sentence and means nothing by itself: "Work is fine, still at Volvo"."""
    taken: list[ReadClause] = []
    if not groups or not read.claims:
        return taken
    last = groups[-1].reads
    while len(last) > 1 and last[-1].spoken.clause.sentence == read.spoken.clause.sentence and not last[-1].claims:
        if last[0].spoken.clause.sentence == read.spoken.clause.sentence:
            break
        taken.insert(0, last.pop())
    return taken


def _leads_forward(groups: list[StatementGroup]) -> list[StatementGroup]:
    """A beginning that says nothing by itself ("Quick announcement:", "ok long one.") goes with what follows it."""
    joined: list[StatementGroup] = []
    for group in groups:
        if joined and all(_only_leads(read) for read in joined[-1].reads):
            joined[-1].reads += group.reads
        else:
            joined.append(group)
    return joined


def _only_leads(read: ReadClause) -> bool:
    return (
        not read.spoken.clause.has_verb
        and not read.claims
        and not (read.spoken.clause.heading and _names_something(read))
    )


def _listed(reads: list[ReadClause]) -> set[int]:
    """Sentences that list three or more things said of different subjects: each is a statement."""
    by_sentence: dict[int, list[str]] = {}
    for read in reads:
        if _stands(read):
            by_sentence.setdefault(read.spoken.clause.sentence, []).append(read.subject)
    return {
        number for number, subjects in by_sentence.items() if len(subjects) >= 3 and len(set(subjects)) == len(subjects)
    }


def _stands(read: ReadClause) -> bool:
    return read.spoken.clause.said_subject and read.spoken.clause.subject[0].sort in "inc"


def _parts(group: StatementGroup, read: ReadClause) -> bool:
    """Whether a clause begins a statement of its own."""
    if read.spoken.mood is Mood.ASKED or _leans(group, read):
        return False
    mine, theirs = read.topics, group.topics
    clause = read.spoken.clause
    if _lasts_otherwise(group, read):
        return True
    if clause.head:
        return True
    if clause.heading:
        return (bool(read.claims or read.kin) or _names_something(read)) and any(
            _names_something(one) for one in group.reads
        )
    if mine and theirs:
        if not clause.said_subject and _kind(read) is Kind.EPISODE is _kind(group.last):
            return False
        other = clause.said_subject and clause.subject[0].sort in "nc" and read.subject not in group.subjects
        return not mine & theirs or other
    if not clause.has_verb:
        return bool(mine)
    if _differ_in_day(group, read):
        return True
    subject = read.spoken.clause.subject
    if mine:
        return _full(group) and (read.subject not in group.subjects or _kind(read) is not _kind(group.last))
    if not _full(group) or not clause.said_subject:
        return False
    new = subject[0].sort in "n" and read.subject not in group.subjects
    other = subject[0].sort == "i" and bool(theirs) and read.subject not in group.subjects
    introduced = bool(theirs and read.kin) and read.subject not in group.subjects
    return (
        (new and subject[0].kind in ("person", None))
        or introduced
        or (other and _kind(read) is not _kind(group.last))
        or _of_other_kin(read, group)
    )


def _lasts_otherwise(group: StatementGroup, read: ReadClause) -> bool:
    """Whether a sentence of its own stays where the one before it passes, or the other way round: "I've a dentist
    appointment tomorrow at 10am. I play the cello"."""
    clause = read.spoken.clause
    before = [one.spoken.clause for one in group.reads]
    if clause.sentence == before[-1].sentence or not (clause.has_verb and _stands(read)) or not _full(group):
        return False
    stays, stayed = worth_until([clause]) is None, worth_until(before) is None
    return (stayed and not stays) or (stays and not stayed and _is_of_somebody(clause))


def _is_of_somebody(clause: Clause) -> bool:
    """Whether it tells of the speaker, of somebody by name or of somebody's, and leans on nothing that was said before:
    neither "the doctor insists" nor "I'll drive her there"."""
    subject = clause.subject[0]
    spoken_of = [p for p in clause.reading.phrases if clause.start <= p.start < clause.end]
    leans = any(p.sort == "p" for p in spoken_of) or bool(clause.words & {"it", "that", "this", "there", "then"})
    return (subject.sort in "in" or subject.whose is not None) and not leans


def _leans(group: StatementGroup, read: ReadClause) -> bool:
    """What is supposed, guessed or hearsay is so only with the words that say so: "I heard Ann left and Bo stayed"."""
    last, one = group.last.spoken, read.spoken
    if last.clause.sentence != one.clause.sentence:
        return False
    return one.mood is Mood.SUPPOSED or (one.mood in _DOUBTED and one.mood is last.mood and not one.offset)


def _names_something(read: ReadClause) -> bool:
    clause = read.spoken.clause
    return any(p.sort == "n" and clause.start <= p.start < clause.end for p in clause.reading.phrases) or bool(
        read.claims
    )


def _of_other_kin(read: ReadClause, group: StatementGroup) -> bool:
    subject = read.spoken.clause.subject[0]
    return subject.sort == "c" and lexicon.last_word(subject.noun) in lexicon.KIN and read.subject not in group.subjects


def _full(group: StatementGroup) -> bool:
    return any(read.spoken.clause.has_verb for read in group.reads)


def _kind(read: ReadClause) -> Kind:
    return kind_of([read.spoken], read.found, read.claims)


def _differ_in_day(group: StatementGroup, read: ReadClause) -> bool:
    if not read.spoken.clause.said_subject or read.spoken.clause.sentence != group.last.spoken.clause.sentence:
        return False
    old, new = _days([r.spoken.clause for r in group.reads]), _days([read.spoken.clause])
    return bool(old and new and not old & new)


def _days(clauses: list[Clause]) -> set[datetime | None]:
    """When they begin; what recurs is on no day."""
    return {one.start for one in windows_in(clauses) if one.start or one.end is None}


def ending(claims: list[Claim]) -> list[Claim]:
    return [claim for claim in claims if claim.stance is not Stance.HOLDS]
