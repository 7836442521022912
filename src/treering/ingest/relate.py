"""What does a new statement do to what is known? It may end a fact, take a memory's place, add to it, contradict it.

Structure first: facts of the same subject and relation. Likeness alone is a poor judge of contradiction, so nearness in
meaning only says where to look; words decide. Every outcome is an edge that names its rule, score and evidence, and
none removes anything.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from treering.ingest.add import Adding
from treering.ingest.extract.contract import Claim, Cue, Extracted, Mentioned, Stance
from treering.ingest.receipt import EdgeTold, Triple
from treering.ingest.resolve import PERSON, Resolving
from treering.ingest.takes_place import Pair, denies, says_much, takes_place
from treering.ingest.values import clash, is_value, topic
from treering.language.rewording import as_read
from treering.language.words import words
from treering.model.changes import EdgeAdded, EdgeClosed
from treering.model.edge import KNOWN_FACTS, MENTION, Edge, Link
from treering.model.entity import Entity, fold
from treering.model.memory import Kind, Memory, MemoryRecord, State, View, Visibility
from treering.model.source import Source
from treering.model.time import MICROSECOND
from treering.store.contract import EdgeFilter, MemoryFilter, Reader
from treering.store.making_way import MakingWay

GATE = 0.40
"""Below this cosine two statements are not looked at together. Words decide, so that it need not be high."""
SAME = 0.93
"""Above it, and in the same words, they say the same."""
SAYS_MORE = 0.72
SURE = 0.6
"""A claim less certain than this closes nothing."""

NAMED, PLANNED, POSSIBLE_SAME = "NAMED", "PLANNED", "POSSIBLE_SAME"
HAVING = frozenset({"OWNS", "USES", "SUBSCRIBES_TO", "PREFERS", "TAKES", "PURCHASED"})
"""What is no longer had is no longer used either."""
HABITS = frozenset(
    {"LIKES", "PREFERS", "TAKES", "USES", "SUBSCRIBES_TO", "FOLLOWS_DIET", "MEMBER_OF", "PARTNER_OF", "PLANNED"}
)
MUTUAL = frozenset({"PARTNER_OF", "MARRIED_TO", "ENGAGED_TO", "FRIEND_OF", "KNOWS", "MET"})
BY_THE_WAY = frozenset({"FRIEND_OF", "KNOWS", "PARENT_OF", "MET", "FROM", "BORN_IN", POSSIBLE_SAME})
"""Facts that a memory states beside what it is about: they go on standing when that has ended."""
IN_OTHER_WORDS, SHORT = frozenset({"HAS_ROLE", "FOLLOWS_DIET", "HAS_CONDITION"}), 3
HELD_BY_ONE = frozenset({"HAS_ROLE", "MANAGES", "SUPERVISES", "OWNS"})
"""Where one takes over, who had it before has it no more."""


@dataclass(frozen=True, slots=True)
class Near:
    """A memory that is near a new statement in meaning."""

    memory_id: str
    cosine: float


Close = tuple[Memory, float]
"""A memory near a new statement, and its cosine."""


def _since(claim: Claim, said: Extracted, memory: MemoryRecord) -> datetime:
    """From when the fact holds, or no longer holds. Of what is only said to have lasted until some time, it is known
    that it held just before, and not since when."""
    otherwise = said.event_time or memory.said_at
    if claim.valid_from is None and claim.valid_until is not None and claim.valid_until <= otherwise:
        return claim.valid_until - MICROSECOND
    return claim.valid_from or otherwise


def _ends_something(said: Extracted) -> bool:
    return any(claim.stance is Stance.ENDS for claim in said.claims)


@dataclass
class Relating:
    """Facts and links of the statements of one write."""

    adding: Adding
    resolving: Resolving
    functional: frozenset[str]
    added: dict[str, Edge] = field(default_factory=dict)
    closed: list[EdgeTold] = field(default_factory=list)
    links: list[Edge] = field(default_factory=list)
    conflicts: list[tuple[str, str, str]] = field(default_factory=list)
    heard: dict[str, Source] = field(default_factory=dict)
    """The sources of this write, by id."""
    superseded: dict[str, str] = field(default_factory=dict)
    """Old memory to new, in this write."""
    way: MakingWay = field(init=False)

    def __post_init__(self) -> None:
        self.way = MakingWay(self.adding.act.reader, self.added)

    # facts

    def claims(self, memory: MemoryRecord, said: Extracted) -> tuple[Triple, ...]:
        """The facts it states, as they will stand; what it ends is ended."""
        told = []
        for claim in sorted(said.claims, key=lambda one: one.stance is Stance.HOLDS):  # what ends makes room first
            if claim.relation == NAMED:
                self.resolving.is_called(claim.subject, claim.object, memory.visibility is Visibility.SPACE)
                continue
            subject, object_ = self._end(claim.subject, said), self._end(claim.object, said)
            since = _since(claim, said, memory)
            before = len(self.way.closed)
            if claim.stance is Stance.HOLDS:
                told.append(self._holds(memory, said, claim, subject, object_, since))
            elif claim.stance is Stance.ENDS:
                self._ends(memory, claim, subject, object_, since)
            else:
                self._never(memory, claim, subject, object_)
            self._follow(memory, self.way.closed[before:], since)
        return tuple(told)

    def _end(self, name: str, said: Extracted) -> Entity:
        same = (one for one in said.entities if fold(one.name) == fold(name))
        return self.resolving.entity(next(same, Mentioned(name)))

    def _holds(
        self,
        memory: MemoryRecord,
        said: Extracted,
        claim: Claim,
        subject: Entity,
        object_: Entity,
        since: datetime,
    ) -> Triple:
        standing = [one for one in self._values(subject, claim.relation) if not one.period.empty]
        same = [one for one in standing if self._is_the_same(one, object_, said.cue)]
        for one in same:
            if one.period.holds(since):
                return Triple(subject.name, claim.relation, object_.name, one.valid_from, one.valid_until)
        edge = self._edge(memory, subject, claim, object_, since)
        if edge.valid_until is None:
            later = min((one.valid_from for one in same if one.valid_from > since), default=None)
            edge = replace(edge, valid_until=later)
        edge = self._in_its_place(memory, said, claim, edge, standing)
        self._no_longer_planned(memory, edge)
        self.added[edge.id] = edge
        return Triple(subject.name, claim.relation, object_.name, edge.valid_from, edge.valid_until)

    def _is_the_same(self, edge: Edge, object_: Entity, cue: Cue | None) -> bool:
        """The same value, or the same in other words: a vet is a veterinarian, and a junior architect an architect,
        unless something is said to have changed."""
        if self.way.entity(edge.target_id) == self.way.entity(object_.id):
            return True
        known = self._reader.entity(edge.target_id)
        if known is None or cue is not None or edge.relation not in IN_OTHER_WORDS:
            return False
        was, is_ = fold(known.name), fold(object_.name)
        short, long = sorted((was, is_), key=len)
        return (len(short) >= SHORT and long.startswith(short)) or set(words(is_)) <= set(words(was))

    def _in_its_place(
        self, memory: MemoryRecord, said: Extracted, claim: Claim, edge: Edge, standing: list[Edge]
    ) -> Edge:
        """The new fact, once those that it competes with have ended or are said to contradict it."""
        others = [one for one in standing if self.way.entity(one.target_id) != self.way.entity(edge.target_id)]
        an_attribute = claim.relation not in KNOWN_FACTS and is_value(claim.object)
        one_at_a_time = claim.relation in self.functional or an_attribute
        if min(claim.confidence, memory.confidence) < SURE:
            if one_at_a_time:
                self._contradicts(memory, [one for one in others if one.period.holds(edge.valid_from)], "not certain")
            self.way.note(edge)
            return edge
        if claim.instead_of:
            self._replaced(memory, claim, edge)
        if said.cue is Cue.CORRECTION and one_at_a_time:
            wrong = [one for one in others if one.valid_until is None and one.id not in self.added]
            for one in wrong:
                self._close(one, one.valid_from, "corrected", memory)
            first = min((one.valid_from for one in wrong), default=edge.valid_from)
            edge = edge if claim.valid_from else replace(edge, valid_from=min(first, edge.valid_from))
            self.way.note(edge)
            return edge
        if said.cue is Cue.CHANGE and claim.relation in HELD_BY_ONE:
            self._taken_over(memory, edge)
        if said.cue is Cue.CHANGE and claim.relation in HAVING:
            self._returned(memory, edge)
            self._only_one(memory, edge, others)
        if said.cue is Cue.CORRECTION:
            for one in others:
                if one.valid_until is None and self._just_said(one, memory):
                    self._close(one, one.valid_from, "corrected", memory)
        over = edge.valid_until is not None and edge.valid_until <= memory.said_at
        if one_at_a_time and over:
            edge = self._only_the_past(memory, edge, others)
        elif one_at_a_time:
            self.added[edge.id] = edge = self.way.for_(edge)
            self._until_then(memory, edge)
            return edge
        self.way.note(edge)
        return edge

    def _no_longer_planned(self, memory: MemoryRecord, edge: Edge) -> None:
        """What has come about is planned no more."""
        if edge.relation != PLANNED:
            for one in self._of_subject(edge.source_id, {PLANNED}):
                same = self.way.entity(one.target_id) == self.way.entity(edge.target_id)
                if same and one.valid_until is None and one.id not in self.added:
                    self._close(one, max(one.valid_from, edge.valid_from), "done", memory)

    def _until_then(self, memory: MemoryRecord, edge: Edge) -> None:
        """What is said to hold until something that is known to come: from then on that stands in its place."""
        if edge.valid_until is None or edge.valid_until <= memory.said_at:
            return
        for one in self.way.values(edge.source_id, edge.relation):
            if one.valid_from == edge.valid_until and one.memory_id and self._reader.memory(one.memory_id):
                self.links.append(
                    self._linked(
                        one.memory_id, memory.id, Link.SUPERSEDES, one.valid_from, "to come", None, 1.0, memory
                    )
                )
                return

    def _only_the_past(self, memory: MemoryRecord, edge: Edge, others: list[Edge]) -> Edge:
        """What is over closes nothing that still holds: where the two overlap, they contradict each other."""
        clashing = [one for one in others if one.period.holds(edge.valid_from) and one.valid_until is None]
        self._contradicts(memory, clashing, "both are said to have held then")
        return edge

    def _replaced(self, memory: MemoryRecord, claim: Claim, edge: Edge) -> None:
        """The value whose place it takes, by name, in whatever relation of having it stood."""
        relations = HAVING | {claim.relation} if claim.relation in HAVING else {claim.relation}
        for one in self._of_subject(edge.source_id, relations):
            stands = one.valid_until is None or one.valid_until > edge.valid_from
            if stands and self._is_called(one.target_id, claim.instead_of or ""):
                self._close(one, max(one.valid_from, edge.valid_from), "replaced", memory)

    def _returned(self, memory: MemoryRecord, edge: Edge) -> None:
        """What is had again had once made way for something else: that makes way now."""
        for before in self._of_subject(edge.source_id, HAVING):
            same = self.way.entity(before.target_id) == self.way.entity(edge.target_id)
            if not same or before.closed_evidence is None:
                continue
            which = EdgeFilter(evidence_id=before.closed_evidence, relations=tuple(sorted(HAVING)), include_closed=True)
            for one in self._reader.edges(which):
                other = one.source_id == before.source_id and one.target_id != before.target_id
                if other and one.period.holds(edge.valid_from):
                    self._close(one, edge.valid_from, "returned", memory)

    def _only_one(self, memory: MemoryRecord, edge: Edge, others: list[Edge]) -> None:
        """Where a thing is said to have changed what it uses, and it was known to use one, that is what has changed. Of
        people one cannot say so: they use many things."""
        subject = self.resolving.known(edge.source_id)
        standing = [one for one in others if one.period.holds(edge.valid_from)]
        if subject is not None and subject.kind != PERSON and len(standing) == 1:
            self._close(standing[0], edge.valid_from, "replaced", memory)

    def _just_said(self, edge: Edge, memory: MemoryRecord) -> bool:
        old = self._reader.memory(edge.memory_id) if edge.memory_id else None
        return old is not None and self._same_session(old, memory)

    def _taken_over(self, memory: MemoryRecord, edge: Edge) -> None:
        which = EdgeFilter(target_ids=(edge.target_id,), relations=(edge.relation,), include_closed=True)
        for one in self._reader.edges(which):
            other = self.way.entity(one.source_id) != self.way.entity(edge.source_id)
            if other and one.period.holds(edge.valid_from):
                self._close(one, edge.valid_from, "taken over", memory)

    def _ends(self, memory: MemoryRecord, claim: Claim, subject: Entity, object_: Entity, since: datetime) -> None:
        if min(claim.confidence, memory.confidence) < SURE:
            return
        relations = HAVING | {claim.relation} if claim.relation in HAVING else {claim.relation}
        ended = False
        for one in self._touching(subject, object_, relations):
            if one.valid_from <= since and (one.valid_until is None or one.valid_until > since):
                self._close(one, since, "ended", memory)
            elif one.valid_until is None and self._begins_when_said(one):
                self._close(one, one.valid_from, "ended", memory)  # it was over before it was spoken of
            ended = ended or (one.valid_from <= since and one.valid_until is None) or one.valid_until == since
        if not ended:
            # it held just before; since when is not known
            began = claim.valid_from and claim.valid_until
            edge = self._edge(memory, subject, claim, object_, began or since - MICROSECOND)
            edge = replace(edge, valid_until=since, rule="ended")
            self.added[edge.id] = edge
            self.way.note(edge)

    def _begins_when_said(self, edge: Edge) -> bool:
        """Nobody said since when: it is only known to have held when it was spoken of."""
        said = self._reader.memory(edge.memory_id) if edge.memory_id else None
        return said is not None and said.event_time is None and edge.valid_from == said.said_at

    def _never(self, memory: MemoryRecord, claim: Claim, subject: Entity, object_: Entity) -> None:
        if min(claim.confidence, memory.confidence) < SURE:
            return
        for one in self._touching(subject, object_, {claim.relation}):
            if not one.period.empty:
                self._close(one, one.valid_from, "corrected", memory)

    def _touching(self, subject: Entity, object_: Entity, relations: Iterable[str]) -> Iterator[Edge]:
        wanted = frozenset(relations)
        for one in self._of_subject(subject.id, wanted):
            if self.way.entity(one.target_id) == self.way.entity(object_.id) or self._is_called(
                one.target_id, object_.name
            ):
                yield one
        if wanted & MUTUAL:
            which = EdgeFilter(source_ids=(object_.id,), relations=tuple(wanted & MUTUAL), include_closed=True)
            yield from (one for one in self._reader.edges(which) if one.target_id == self.way.entity(subject.id))

    def _of_subject(self, subject_id: str, relations: Iterable[str]) -> Iterator[Edge]:
        for relation in sorted(relations):
            yield from self.way.values(subject_id, relation)

    def _values(self, subject: Entity, relation: str) -> list[Edge]:
        return list(self.way.values(subject.id, relation))

    def _is_called(self, entity_id: str, name: str) -> bool:
        """Whether it goes by this name, or by a longer one that holds all its words."""
        entity = self._reader.entity(entity_id)
        names = [entity.name, *entity.aliases] if entity else []
        said = set(words(name))
        return any(fold(one) == fold(name) or (said and said <= set(words(one))) for one in names)

    def _edge(self, memory: MemoryRecord, subject: Entity, claim: Claim, object_: Entity, since: datetime) -> Edge:
        until = claim.valid_until if claim.valid_until is None or claim.valid_until > since else None
        return Edge(
            id=self.adding.act.mint(),
            space=memory.space,
            source_id=subject.id,
            target_id=object_.id,
            relation=claim.relation,
            confidence=min(claim.confidence, memory.confidence),
            valid_from=since,
            valid_until=until,
            recorded_at=memory.recorded_at,
            memory_id=memory.id,
            observed_by=memory.observed_by,
            rule="stated",
        )

    def _close(self, edge: Edge, until: datetime, rule: str, memory: MemoryRecord) -> None:
        until = max(until, edge.valid_from)
        if edge.id in self.added:
            self.added[edge.id] = replace(self.added[edge.id], valid_until=until)
            return
        ends_now = [one.valid_until for one in self.way.closed if one.edge_id == edge.id]
        previous = ends_now[-1] if ends_now else edge.valid_until
        if not ends_now or until < ends_now[-1]:  # two rules may see the same end: it is closed once
            self.way.closed.append(EdgeClosed(edge.id, until, previous, rule, memory.id))

    # memories

    def _follow(self, memory: MemoryRecord, closings: list[EdgeClosed], since: datetime) -> None:
        """A memory whose facts have all ended leaves the present; with it goes the change that had led there."""
        if not closings:
            return
        ids = tuple(one.edge_id for one in closings)
        edges = self._reader.edges(EdgeFilter(ids=ids, include_closed=True))
        rules = {one.edge_id: one for one in closings}
        for edge in edges:
            self._goes_with_it(memory, edge, rules[edge.id].valid_until)
        for edge in edges:
            closing = rules[edge.id]
            self.closed.append(self._told(edge, closing.valid_until, closing.rule, memory.id))
            old = self._reader.memory(edge.memory_id) if edge.memory_id else None
            if old is not None and (self._says_nothing_more(old) or self._is_about_the_role(old, edge)):
                at = max(closing.valid_until, since) if closing.rule != "corrected" else memory.said_at
                self.supersede(memory, old, at, closing.rule, 1.0, f"{edge.relation} {closing.rule}")
            for sibling in self._that_led_there(old, edge) if old is not None else ():
                self.supersede(memory, sibling, closing.valid_until, closing.rule, 1.0, "what it led to has ended")

    def _says_nothing_more(self, old: Memory) -> bool:
        """All the facts it states have ended, but for those said by the way: "my friend Ada lives in Oslo". A long
        statement says more than its facts."""
        if says_much(old.content):
            return False
        ended = {one.edge_id for one in self.way.closed}
        facts = self._reader.edges(EdgeFilter(evidence_id=old.id, facts_only=True, include_closed=True))
        return all(fact.id in ended or fact.valid_until is not None or fact.relation in BY_THE_WAY for fact in facts)

    def _is_about_the_role(self, old: Memory, edge: Edge) -> bool:
        """It says in so many words what role somebody has; where they have it may still stand."""
        role = self._reader.entity(edge.target_id)
        return (
            not says_much(old.content)
            and edge.relation == "HAS_ROLE"
            and role is not None
            and fold(role.name) in fold(old.content)
        )

    def _goes_with_it(self, memory: MemoryRecord, edge: Edge, until: datetime) -> None:
        """A role ends with the job it was said of."""
        if edge.relation not in ("WORKS_FOR", "STUDIED_AT") or edge.memory_id is None:
            return
        which = EdgeFilter(evidence_id=edge.memory_id, relations=("HAS_ROLE",), include_closed=True)
        ended = {one.edge_id for one in self.way.closed}
        for role in self._reader.edges(which):
            if role.source_id == edge.source_id and role.valid_until is None and role.id not in ended:
                self._close(role, max(until, role.valid_from), "ended with it", memory)
                self.closed.append(self._told(role, max(until, role.valid_from), "ended with it", memory.id))

    def _that_led_there(self, old: Memory, edge: Edge) -> Iterator[Memory]:
        name = self._reader.entity(edge.target_id)
        for one in self._reader.memories(MemoryFilter(view=View.CURRENT, source_id=old.source_id)):
            speaks_of_it = name is not None and fold(name.name) in fold(one.content)
            if one.id != old.id and one.kind is Kind.EPISODE and speaks_of_it and self._says_nothing_more(one):
                yield one

    def supersede(self, memory: MemoryRecord, old: Memory, at: datetime, rule: str, score: float, why: str) -> None:
        if old.id in self.superseded or old.id == memory.id or old.state not in (State.ACTIVE, State.PROMOTED):
            return
        self.superseded[old.id] = memory.id
        previous = old.valid_until.isoformat() if old.valid_until else None
        self._link(memory, old.id, Link.SUPERSEDES, max(at, old.valid_from), rule, why, score, previous)

    def _contradicts(self, memory: MemoryRecord, edges: Iterable[Edge], why: str) -> None:
        for edge in edges:
            if edge.memory_id is not None and edge.memory_id != memory.id and self._reader.memory(edge.memory_id):
                self.conflicts.append((memory.id, edge.memory_id, why))
                self._link(memory, edge.memory_id, Link.CONTRADICTS, memory.holds_from, "no order in time", why, 1.0)

    def extends(self, memory: MemoryRecord, old: Memory, score: float) -> None:
        self._link(memory, old.id, Link.EXTENDS, memory.holds_from, "says more", None, score)

    def _link(
        self,
        memory: MemoryRecord,
        target_id: str,
        relation: Link,
        since: datetime,
        rule: str,
        why: str | None,
        score: float,
        previous: str | None = None,
    ) -> None:
        self.links.append(self._linked(memory.id, target_id, relation, since, rule, why, score, memory, previous))

    def _linked(
        self,
        source_id: str,
        target_id: str,
        relation: Link,
        since: datetime,
        rule: str,
        why: str | None,
        score: float,
        evidence: MemoryRecord,
        previous: str | None = None,
    ) -> Edge:
        act = self.adding.act
        meta: dict[str, Any] = {"score": round(score, 4)}
        if previous is not None:
            meta["previous"] = previous
        return Edge(
            id=act.mint(),
            space=act.space,
            source_id=source_id,
            target_id=target_id,
            relation=relation.value,
            valid_from=since,
            recorded_at=act.at,
            memory_id=evidence.id,
            observed_by=evidence.observed_by,
            rule=rule,
            why=why,
            meta=meta,  # type: ignore[arg-type]  # Edge copies and freezes it
        )

    # what is near

    def same_as(self, source: Source, said: Extracted, near: Iterable[Close]) -> tuple[Memory, float] | None:
        """A memory that says the same: the same words of the same speaker, and no other value."""
        for old, cosine in near:
            if cosine < SAME or old.id in self.superseded or said.event_time:
                continue
            said_by = self._reader.source(old.source_id)
            same_speaker = said_by is not None and fold(said_by.speaker or "") == fold(source.speaker or "")
            same_words = set(words(said.content)) <= set(words(old.content))
            if same_speaker and same_words and not clash(old.content, said.content):
                return old, cosine
        return None

    def close_to(self, near: Iterable[Near]) -> list[Close]:
        """Those near enough to be looked at that hold now, the nearest first."""
        cosines = {one.memory_id: one.cosine for one in near if one.cosine >= GATE}
        if not cosines:
            return []
        found = self._reader.memories(MemoryFilter(view=View.CURRENT, ids=tuple(cosines)))
        return sorted(((memory, cosines[memory.id]) for memory in found), key=lambda pair: (-pair[1], pair[0].id))

    def near(self, memory: MemoryRecord, said: Extracted, near: Iterable[Close]) -> None:
        """What its words say of memories near it: that it takes the place of one, or adds to it."""
        best: tuple[float, Memory] | None = None
        speaks_of_change = said.cue is not None or denies(self._said(memory)) or _ends_something(said)
        for old, cosine in near:
            if old.source_id == memory.source_id or old.id in self.superseded:
                continue
            rule = self._rule(old, memory, said) if speaks_of_change else None
            if rule is not None:
                at = memory.said_at if said.cue is Cue.CORRECTION else memory.event_time or memory.said_at
                self._let_go(memory, old, at, rule)
                self.supersede(memory, old, at, rule, cosine, "another value of the same thing")
            elif cosine >= SAYS_MORE and (best is None or cosine > best[0]):
                best = cosine, old
        if best is not None and topic(memory.content) & topic(best[1].content):
            self.extends(memory, best[1], best[0])

    def _rule(self, old: Memory, memory: MemoryRecord, said: Extracted) -> str | None:
        """By which the new statement takes the old one's place. What happened has happened: an event makes way only for
        a correction, or if it was still to come."""
        happened = old.kind is Kind.EPISODE and (old.event_time or old.said_at) <= memory.said_at
        if said.cue is Cue.CORRECTION:
            if self._of_somebody_else(old, said):
                return None
        elif happened:
            return None
        pair = Pair(
            self._said(old),
            self._said(memory),
            said.cue,
            self._names(old),
            frozenset(one.name for one in said.entities),
            self._same_session(old, memory),
        )
        rule = "ended" if self._ended_by_name(pair, said) else takes_place(pair)
        return rule if rule == "called off" or self._only_values(old) else None

    def _of_somebody_else(self, old: Memory, said: Extracted) -> bool:
        """Both state facts of people, and not of the same ones: what Alex does is no news of Sam."""
        facts = self._reader.edges(EdgeFilter(evidence_id=old.id, facts_only=True, include_closed=True))
        before = [self._reader.entity(fact.source_id) for fact in facts]
        after = [self._end(claim.subject, said) for claim in said.claims if claim.relation != NAMED]
        if not all(one is not None and one.kind == PERSON for one in (*before, *after)):
            return False
        was, is_ = ({self.way.entity(one.id) for one in some if one is not None} for some in (before, after))
        return bool(was and is_) and was.isdisjoint(is_)

    def _ended_by_name(self, pair: Pair, said: Extracted) -> bool:
        """It says that something has ended of which the old one spoke, and of nothing else that has a name."""
        over = [claim for claim in said.claims if claim.stance is Stance.ENDS and claim.relation in HABITS]
        ended = [claim.object if fold(claim.object) != self._i else claim.subject for claim in over]
        spoken = set(words(pair.old))
        found = [one for one in ended if words(one) and set(words(one)) <= spoken]
        return bool(found) and all(
            any(fold(name) in fold(one) or fold(one) in fold(name) for one in found) for name in pair.old_names
        )

    @property
    def _i(self) -> str:
        return fold(self.resolving.first_person)

    def _names(self, old: Memory) -> frozenset[str]:
        which = EdgeFilter(source_ids=(old.id,), relations=(MENTION,), include_closed=True)
        named = (self._reader.entity(edge.target_id) for edge in self._reader.edges(which))
        return frozenset(one.name for one in named if one is not None)

    def _only_values(self, old: Memory) -> bool:
        """It states nothing that would still stand: no fact, or only such as have one value at a time."""
        ended = {one.edge_id for one in self.way.closed}
        facts = self._reader.edges(EdgeFilter(evidence_id=old.id, facts_only=True, include_closed=True))
        return all(
            fact.id in ended
            or fact.valid_until is not None
            or fact.relation in BY_THE_WAY | self.functional
            or fact.relation not in KNOWN_FACTS
            for fact in facts
        )

    def _let_go(self, memory: MemoryRecord, old: Memory, at: datetime, rule: str) -> None:
        """The facts of a memory whose place is taken end with it."""
        ended = {one.edge_id for one in self.way.closed}
        for fact in self._reader.edges(EdgeFilter(evidence_id=old.id, facts_only=True, include_closed=True)):
            if fact.id not in ended and fact.valid_until is None and fact.relation not in BY_THE_WAY:
                until = fact.valid_from if rule in ("denied", "untrue", "corrected") else max(at, fact.valid_from)
                self._close(fact, until, rule, memory)
                self.closed.append(self._told(fact, until, rule, memory.id))

    def _said(self, memory: MemoryRecord) -> str:
        """In the words of the speaker: dates that were worked out are nobody's words."""
        source = self._reader.source(memory.source_id) or self.heard.get(memory.source_id)
        return memory.content if source is None else as_read(memory.content, source.content[slice(*memory.span)])

    def _same_session(self, old: Memory, memory: MemoryRecord) -> bool:
        before, now = (self._reader.source(one) or self.heard.get(one) for one in (old.source_id, memory.source_id))
        return before is not None and now is not None and before.session == now.session is not None

    # what was decided

    @property
    def _reader(self) -> Reader:
        return self.adding.act.reader

    def changes(self) -> Iterator[EdgeAdded | EdgeClosed]:
        sign = self.adding.act.writer.sign
        yield from (EdgeAdded(sign(edge)) for edge in self.added.values())
        yield from self.way.closed
        yield from (EdgeAdded(sign(edge)) for edge in self.links)

    def told(self) -> tuple[EdgeTold, ...]:
        return tuple(
            self._told(edge, edge.valid_until, edge.rule or "", edge.memory_id)
            for edge in (*self.added.values(), *self.links)
        )

    def _told(self, edge: Edge, until: datetime | None, rule: str, evidence: str | None) -> EdgeTold:
        return EdgeTold(
            id=edge.id,
            source=self._name(edge.source_id),
            relation=edge.relation,
            target=self._name(edge.target_id),
            valid_from=edge.valid_from,
            valid_until=until,
            rule=rule,
            evidence=evidence,
            why=edge.why,
        )

    def _name(self, node_id: str) -> str:
        """An entity by its name, a memory by its id."""
        entity = self._reader.entity(node_id)
        if entity is not None:
            return entity.name
        made = (one.entity for one in self.resolving.naming.added if hasattr(one, "entity"))
        return next((one.name for one in made if one.id == node_id), node_id)
