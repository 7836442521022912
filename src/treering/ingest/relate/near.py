"""What does a statement do to memories near it in meaning? The judge has read them together: here its verdicts act.

A confident verdict acts at once; a doubtful one is kept as a proposal for review. What is said again is evidence for
what was said, unless something else was said of it in between.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from treering.ingest.extract.contract import Extracted
from treering.ingest.relate.decided import Decided
from treering.ingest.relate.judged import Near
from treering.ingest.relate.standing import enough
from treering.language.en.one_thing import says_one_thing
from treering.language.words import spelled, words
from treering.mind.judging import Judged, Verdict
from treering.model.edge import LIKELY
from treering.model.entity import fold
from treering.model.memory import Kind, Memory, MemoryRecord, View
from treering.model.source import Source
from treering.store.contract import MemoryFilter

ACTS, DOUBTFUL = 0.95, 0.6
"""From the one score on a verdict acts, from the other it is proposed. A true fact wrongly closed costs ten times one
that is outdated and served."""
SAME = 0.6
AGAINST, BESIDE = 0.25, 0.5
"""From the one score on what was said in between speaks against a repetition, from the other on it is one more."""
SAYS_MORE = 0.75
"""From this cosine on a statement that leaves another standing adds to it."""
PROPOSED = "proposed"

Close = tuple[Memory, Near]


@dataclass(frozen=True)
class Nearby:
    so_far: Decided

    def close_to(self, near: Iterable[Near]) -> list[Close]:
        """Those that hold now, the nearest first."""
        found = {one.memory_id: one for one in near if one.judged is not None or one.over or one.cosine >= SAYS_MORE}
        if not found:
            return []
        memories = self.so_far.reader.memories(MemoryFilter(view=View.CURRENT, ids=tuple(found)))
        return sorted(((one, found[one.id]) for one in memories), key=lambda pair: (-pair[1].cosine, pair[0].id))

    def same_as(self, source: Source, said: Extracted, near: list[Close]) -> tuple[Memory, float] | None:
        """A memory that says the same in the same words, of the same speaker, with nothing said against it since."""
        against = [old.said_at for old, one in near if _speaks_against(one.judged, old.content, said.content)]
        for old, one in near:
            if old.id in self.so_far.superseded or not _says_it_again(one, old, said):
                continue
            said_by = self.so_far.reader.source(old.source_id)
            same_speaker = said_by is not None and fold(said_by.speaker or "") == fold(source.speaker or "")
            same_words = spelled(said.content) == spelled(old.content)
            in_between = any(at > old.said_at for at in against)
            if same_speaker and same_words and not in_between and not said.event_time:
                return old, one.cosine if one.judged is None else one.judged.of(Verdict.SAME)
        return None

    def relate(self, memory: MemoryRecord, said: Extracted, near: Iterable[Close]) -> None:
        best: tuple[float, Memory] | None = None
        for old, one in near:
            if old.source_id == memory.source_id or old.id in self.so_far.superseded:
                continue
            doubt = over(one.judged)
            if one.over and not _told_late(old, memory):
                self.so_far.doubted.append((memory, one))
            if one.judged is not None and doubt >= DOUBTFUL and may_make_way(old, memory):
                self._judged(memory, old, one.judged, one.by)
            elif one.cosine >= SAYS_MORE and doubt < DOUBTFUL and (best is None or one.cosine > best[0]):
                best = one.cosine, old
        if best is not None:
            self.so_far.extends(memory, best[1], best[0])

    def _judged(self, memory: MemoryRecord, old: Memory, judged: Judged, by: str) -> None:
        score, why = over(judged), why_over(judged, by)
        rule = "ended" if _ends(judged) else "replaced"
        if not acts(judged, old):
            self.so_far.proposes(memory, old, PROPOSED, why, score)
            self._let_guesses_go(memory, old, rule)
            return
        at = memory.event_time or memory.said_at
        self._let_go(memory, old, at, rule)
        self.so_far.supersede(memory, old, at, rule, score, why)

    def _let_guesses_go(self, memory: MemoryRecord, old: Memory, rule: str) -> None:
        """A doubtful verdict is enough for a fact that is only likely, where the new statement has one like it."""
        one_name, added = self.so_far.relations.one, self.so_far.added.values()
        told = {(one.source_id, one_name(one.relation)) for one in added if one.memory_id == memory.id}
        ended = {one.edge_id for one in self.so_far.way.closed}
        for fact in self.so_far.facts_of(old.id):
            like = (self.so_far.way.entity(fact.source_id), one_name(fact.relation)) in told
            if like and fact.id not in ended and fact.valid_until is None and fact.confidence < LIKELY:
                at = max(memory.event_time or memory.said_at, fact.valid_from)
                self.so_far.close(fact, at, rule, memory)

    def end_facts(self) -> None:
        """Those of memories that stand, once all statements of a turn have said themselves what they end."""
        for memory, one in self.so_far.doubted:
            ended = {closed.edge_id for closed in self.so_far.way.closed}
            for fact in self.so_far.facts_of(one.memory_id):
                score = one.over.get(fact.id, 0.0)
                if score >= enough(fact) and fact.id not in ended and fact.valid_until is None:
                    at = max(memory.event_time or memory.said_at, fact.valid_from)
                    why = f"judged to be over, {score:.2f}, by {one.by}"
                    self.so_far.close(fact, at, "replaced", memory, why)
                    self.so_far.closed.append(self.so_far.as_told(fact, at, "replaced", memory.id))
        self.so_far.doubted.clear()

    def _let_go(self, memory: MemoryRecord, old: Memory, at: datetime, rule: str) -> None:
        """The facts of a memory whose place is taken end with it, but for those that it states by the way."""
        ended = {one.edge_id for one in self.so_far.way.closed}
        for fact in self.so_far.facts_of(old.id):
            if fact.id not in ended and fact.valid_until is None and not self.so_far.relations.aside(fact.relation):
                until = max(at, fact.valid_from)
                self.so_far.close(fact, until, rule, memory)
                self.so_far.closed.append(self.so_far.as_told(fact, until, rule, memory.id))


def _says_it_again(one: Near, old: Memory, said: Extracted) -> bool:
    """By the judge's word; where nobody judges, only what is the same to the letter."""
    if one.judged is None:
        return fold(said.content) == fold(old.content)
    return one.judged.of(Verdict.SAME) >= SAME


def _speaks_against(judged: Judged | None, one: str, other: str) -> bool:
    """As the judge thinks; or since the two are alike but for words that only join or deny (they pass, they don't); or
    but for one word, more or in the place of another (the flag is on, off), unless they are known to stand side by
    side, as two languages that somebody speaks."""
    if over(judged) >= AGAINST:
        return True
    first, second = set(words(one)), set(words(other))
    differ = max(len(first - second), len(second - first))
    beside = judged is not None and judged.of(Verdict.ADDS) >= BESIDE
    alike = differ == 0 or (differ == 1 and bool(first & second) and not beside)
    return alike and spelled(one) != spelled(other)


def over(judged: Judged | None) -> float:
    """How sure it is that the earlier one no longer stands."""
    return judged.of(Verdict.REPLACES, Verdict.ENDS) if judged is not None else 0.0


def acts(judged: Judged, old: Memory) -> bool:
    """A statement of several things does not leave the present as a whole."""
    return over(judged) >= ACTS and says_one_thing(old.content)


def why_over(judged: Judged, by: str) -> str:
    return f"judged to {'end' if _ends(judged) else 'replace'} it, {over(judged):.2f}, by {by}"


def _ends(judged: Judged) -> bool:
    return judged.of(Verdict.ENDS) > judged.of(Verdict.REPLACES)


def may_make_way(old: Memory, memory: MemoryRecord) -> bool:
    """What happened has happened; and what is told late, of an earlier time, ends nothing that came after."""
    happened = old.kind is Kind.EPISODE and old.event_time is not None and old.event_time <= memory.said_at
    return not happened and not _told_late(old, memory)


def _told_late(old: Memory, memory: MemoryRecord) -> bool:
    return memory.event_time is not None and memory.event_time < (old.event_time or old.said_at)
