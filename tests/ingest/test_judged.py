"""What replaces what, as the judge says: nothing is swallowed, what is sure acts, what is in doubt is proposed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta

import pytest
from tests.conftest import HandClock
from tests.recall.hashing import Hashing

import treering
from treering import Treering
from treering.mind.judging import AnswerRole, Asking, FoundStatement, Judged, Pair, Roled, Verdict
from treering.model.memory import State


class Fixed:
    """Says of every pair what it was told to say."""

    name = "fixed"

    def __init__(self, verdict: Verdict, score: float) -> None:
        self.verdict, self.score = verdict, score
        self.asked: list[Pair] = []

    def judge(self, pairs: Sequence[Pair]) -> list[Judged]:
        self.asked += pairs
        return [Judged(self.verdict, self.score, ((self.verdict, self.score),)) for _ in pairs]

    def roles(self, question: str, statements: Sequence[FoundStatement]) -> list[Roled]:
        return [Roled(AnswerRole.NOW, 0.9, ((AnswerRole.NOW, 0.9),)) for _ in statements]

    def asking(self, question: str) -> Asking:
        return Asking.NOW


def opened(clock: HandClock, judge: Fixed | str) -> Treering:
    embedder = Hashing() if isinstance(judge, Fixed) else "turnfinder"
    return treering.open(":memory:", clock=clock, embedder=embedder, judge=judge, extractor="none")


def told(mem: Treering, clock: HandClock, *texts: str) -> list[treering.Receipt]:
    found = []
    for text in texts:
        clock.advance(days=10)
        found.append(mem.remember(text, session=str(len(found)), speaker="User"))
    return found


def test_a_sure_verdict_supersedes_and_says_by_whom(clock: HandClock) -> None:
    mem = opened(clock, Fixed(Verdict.REPLACES, 0.97))
    old, new = told(mem, clock, "The gate code is 4411 this year", "The gate code is 9053 this year")
    link = next(edge for edge in new.edges if edge.relation == "supersedes")
    assert mem.get(old.memories[0].id).state is State.SUPERSEDED
    assert link.rule == "replaced"
    assert link.why == "judged to replace it, 0.97, by fixed"


def test_a_doubtful_verdict_changes_nothing_and_is_put_to_somebody(clock: HandClock) -> None:
    mem = opened(clock, Fixed(Verdict.ENDS, 0.7))
    old, _ = told(mem, clock, "The gate code is 4411 this year", "The gate code is 9053 this year")
    assert mem.get(old.memories[0].id).state is State.ACTIVE
    mem.run_scheduled()
    waiting = [one for one in mem.review_list() if one.kind == "contradiction"]
    assert [one.reason for one in waiting] == ["judged to end it, 0.70, by fixed"]


def test_a_statement_that_says_more_than_one_thing_does_not_leave_as_a_whole(clock: HandClock) -> None:
    mem = opened(clock, Fixed(Verdict.REPLACES, 0.99))
    long = "The gate code is 4411 this year and the yard has a bell, a lamp, two cats and a tall fence"
    old, new = told(mem, clock, long, "The gate code is 9053 this year")
    assert mem.get(old.memories[0].id).state is State.ACTIVE
    assert [edge.rule for edge in new.edges if edge.relation == "related_to"] == ["proposed"]


def test_a_verdict_can_be_undone(clock: HandClock) -> None:
    mem = opened(clock, Fixed(Verdict.REPLACES, 0.97))
    old, new = told(mem, clock, "The gate code is 4411 this year", "The gate code is 9053 this year")
    mem.undo(str(new.entries[-1]))
    assert mem.get(old.memories[0].id).state is State.ACTIVE


def test_what_happened_is_not_replaced_by_what_happened_next(clock: HandClock) -> None:
    mem = opened(clock, Fixed(Verdict.REPLACES, 0.99))
    mem.add("Visited the harbour museum with Ann", kind="episode", event_time="2025-01-02T00:00:00Z", at=clock.now)
    first = mem.list()[0]
    told(mem, clock, "Visited the harbour museum with Bo")
    assert mem.get(first.id).state is State.ACTIVE


def test_said_again_in_the_same_words_is_evidence_and_no_second_memory(clock: HandClock) -> None:
    mem = opened(clock, Fixed(Verdict.SAME, 0.95))
    first, again = told(mem, clock, "The gate code is 4411 this year", "The gate code is 4411 this year")
    assert not again.memories
    assert again.duplicates[0].memory_id == first.memories[0].id


def test_what_was_said_otherwise_in_between_is_not_swallowed_though_the_judge_sees_nothing(clock: HandClock) -> None:
    """One word in the place of another is enough; other words in between are another matter."""
    mem = opened(clock, Fixed(Verdict.SAME, 0.95))
    first, other, back = "The gate code is 4411 this year", "The gate code is 9053 this year", "The gate has a new lock"
    assert [len(one.memories) for one in told(mem, clock, first, other, first)] == [1, 1, 1]
    mem = opened(clock, Fixed(Verdict.SAME, 0.95))
    assert [len(one.memories) for one in told(mem, clock, first, back, first)] == [1, 1, 0]


@pytest.mark.parametrize(
    ("one", "other", "kept"),
    [
        ("I speak French with my aunt", "I speak Dutch with my aunt", 0),
        ("The login tests pass on main", "The login tests don't pass on main", 1),
    ],
)
def test_one_more_of_a_kind_in_between_leaves_a_repetition_one_and_a_denial_does_not(
    clock: HandClock, one: str, other: str, kept: int
) -> None:
    class SeesOneMore(Fixed):
        def judge(self, pairs: Sequence[Pair]) -> list[Judged]:
            seen = [Verdict.SAME if pair.older == pair.newer else Verdict.ADDS for pair in pairs]
            return [Judged(verdict, self.score, ((verdict, self.score),)) for verdict in seen]

    mem = opened(clock, SeesOneMore(Verdict.SAME, 0.95))
    assert [len(receipt.memories) for receipt in told(mem, clock, one, other, one)] == [1, 1, kept]


def test_a_fact_that_was_to_begin_later_never_held_when_its_statement_makes_way(clock: HandClock) -> None:
    mem = opened(clock, Fixed(Verdict.ENDS, 0.97))
    begins = clock.now + timedelta(days=90)
    planned = {"subject": "Ines", "relation": "WORKS_FOR", "object": "Hatch", "valid_from": begins}
    mem.remember(drafts=[{"content": "Ines starts at the Hatch office soon", "triples": [planned]}])
    clock.advance(days=10)
    receipt = mem.remember(drafts=[{"content": "Ines starts at the Hatch office no more"}])
    assert [(one.target, one.valid_until) for one in receipt.closed] == [("Hatch", begins)]
    assert mem.facts(subject="Ines", as_of=begins + timedelta(days=1)) == []
    assert mem.verify().ok


def test_what_is_no_longer_so_ends_with_the_facts_that_said_so(clock: HandClock) -> None:
    with treering.open(":memory:", clock=clock, embedder="turnfinder", judge="turnreader", extractor="reader") as mem:
        told(mem, clock, "My budget is 300 euros.", "My budget is no longer 300 euros.")
        assert [one for one in mem.facts() if one.relation == "BUDGET"] == []


OPPOSITES = [
    ("I am allergic to {v}.", "I am not allergic to {v}.", "Am I allergic to {v}?", ("penicillin", "walnuts", "latex")),
    ("The {v} server is up.", "The {v} server is down.", "Is the {v} server up?", ("staging", "build", "mail")),
    ("Use {v} for formatting.", "Do not use {v} for formatting.", "Should {v} be used?", ("Black", "ruff", "gofmt")),
    ("The {v} flag is on.", "The {v} flag is off.", "Is the {v} flag on?", ("dark_mode", "beta_search", "fast_path")),
    ("The {v} tests pass.", "The {v} tests don't pass.", "Do the {v} tests pass?", ("checkout", "login", "billing")),
    ("{v} is coming to dinner.", "{v} is not coming to dinner.", "Is {v} coming to dinner?", ("Ada", "Tom", "Priya")),
]  # fmt: skip
PAIRS = [
    (one.format(v=v), other.format(v=v), ask.format(v=v))
    for so, not_so, ask, values in OPPOSITES
    for v in values
    for one, other in ((so, not_so), (not_so, so))
]


@pytest.fixture(scope="module")
def mem() -> Iterator[Treering]:
    later = HandClock(datetime(2025, 6, 1, tzinfo=UTC))  # when all that is told has been said
    with treering.open(":memory:", clock=later, embedder="turnfinder", judge="turnreader", extractor="none") as door:
        yield door


@pytest.mark.parametrize(("one", "other", "question"), PAIRS)
def test_opposites_are_kept_and_the_later_one_answers_also_when_it_returns(
    mem: Treering, one: str, other: str, question: str
) -> None:
    space = mem.space(f"pairs/{PAIRS.index((one, other, question))}")
    for days, text in ((0, one), (10, other), (40, one)):
        at = datetime(2025, 2, 1 + days % 28, 9, days // 28, tzinfo=UTC).replace(month=2 + days // 28)
        receipt = space.remember(text, at=at, session=str(days), speaker="User")
        assert receipt.memories, f"{text!r} was swallowed"
        first = space.recall(question, limit=3).hits[0]
        assert first.sources[0].id in receipt.source_ids
