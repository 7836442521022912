"""What kept a memory out: every way there is, the decisive one first, and not a word to those who may not know."""

from __future__ import annotations

from typing import Any

import pytest
from tests.conftest import Doors, HandClock

import treering
from treering.door import Treering
from treering.errors import InvalidRequest, NotFound
from treering.mind import open_embedder
from treering.model.changes import Changes, Marked, Thing
from treering.model.memory import Mark
from treering.model.time import to_text
from treering.store import open_store
from treering.store.contract import Store, Writer

QUESTION = "Where does Ada work?"


@pytest.fixture
def job(mem: Treering) -> str:
    return str(mem.add("Ada works at Acme", speaker="Eve", session="s1", tags=["work"], entities=["Ada"]).id)


@pytest.fixture(scope="module")
def meaning() -> Any:
    return open_embedder("turnfinder")


# it was found


def test_a_memory_that_was_found_is_told_so(mem: Treering, job: str) -> None:
    mem.add("Ada likes tea")
    told = mem.why_not(QUESTION, job)
    hit = mem.recall(QUESTION, explain=True)[0]
    assert (told.found, told.rank, told.score) == (True, 1, hit.score)
    assert told.reasons == (f"It was found: number 1 of {len(mem.recall(QUESTION))}.",)
    assert told.explanation == hit.explanation
    assert told.needed == mem.recall(QUESTION)[-1].score
    assert (told.query, told.memory_id) == (QUESTION, job)


# it may not be known of


def test_an_id_nobody_has_is_not_found(mem: Treering, job: str) -> None:
    with pytest.raises(NotFound, match="there is no memory 'nobody'"):
        mem.why_not(QUESTION, "nobody")
    with pytest.raises(NotFound, match="there is no memory"):
        mem.why_not(QUESTION, job, space="elsewhere")
    with pytest.raises(NotFound, match="there is no memory"):
        mem.why_not(QUESTION, "nobody", known_at="2020-01-01T00:00:00Z")


def test_a_purged_memory_is_told_to_be_gone(mem: Treering, job: str) -> None:
    mem.purge(job, "asked to")
    with pytest.raises(NotFound, match="was purged"):
        mem.why_not(QUESTION, job)


@pytest.mark.parametrize("more", [{}, {"known_at": "2020-01-01T00:00:00Z"}, {"tags": ["hush"]}, {"view": "history"}])
def test_a_memory_private_to_another_is_as_one_that_never_was(doors: Doors, more: dict[str, Any]) -> None:
    ann, bob = doors("ann", "bob")
    ann.add("Ada is here")
    hidden = ann.add("Ada works in secret", visibility="private").id
    with pytest.raises(NotFound) as real:
        bob.why_not(QUESTION, hidden, **more)
    never = hidden[:-4] + "0000"
    with pytest.raises(NotFound) as unreal:
        bob.why_not(QUESTION, never, **more)
    assert str(real.value).replace(hidden, "ID") == str(unreal.value).replace(never, "ID")
    assert ann.why_not(QUESTION, hidden).found


# it is not known or valid at the moment


def test_not_known_yet(mem: Treering, clock: HandClock) -> None:
    mem.add("Ada is here")
    before = clock.now
    clock.advance(days=1)
    memory = mem.get(mem.add("Ada works at Acme").id)
    told = mem.why_not(QUESTION, memory.id, known_at=before)
    assert told.reasons == (
        f"It was not known at {to_text(before)}: it was recorded at {to_text(memory.recorded_at)}.",
    )
    assert (told.found, told.rank, told.score, told.explanation) == (False, None, None, None)


def test_not_known_yet_before_there_was_anything(mem: Treering, job: str) -> None:
    [reason] = mem.why_not(QUESTION, job, known_at="2020-01-01T00:00:00Z").reasons
    assert reason.startswith("It was not known at 2020-01-01T00:00:00Z")


def test_not_valid_yet(mem: Treering, job: str) -> None:
    told = mem.why_not(QUESTION, job, as_of="2025-01-01T00:00:00Z")
    assert told.reasons == ("It holds from 2026-01-01T12:00:00Z, and what is asked for is 2025-01-01T00:00:00Z.",)


# its state is not in view


def test_superseded_and_by_what(mem: Treering, clock: HandClock, job: str) -> None:
    clock.advance(days=1)
    new = mem.revise(job, "Ada works at Globex")
    told = mem.why_not(QUESTION, job)
    assert told.reasons == (
        f"It is superseded by {new.id} ('Ada works at Globex') since 2026-01-02T12:00:00Z; the view history shows it.",
    )
    assert mem.why_not(QUESTION, job, view="history").found
    assert mem.why_not("Where did Ada work before?", job).found


def test_expired(mem: Treering, clock: HandClock) -> None:
    memory = mem.add("Ada works late today", expires_at="2026-01-02T00:00:00Z").id
    clock.advance(days=1)
    assert mem.why_not(QUESTION, memory).reasons == (
        "It is expired since 2026-01-02T00:00:00Z; the view history shows it.",
    )
    assert mem.why_not(QUESTION, memory, view="history").found


@pytest.mark.parametrize("view", ["current", "history"])
def test_forgotten(mem: Treering, job: str, view: str) -> None:
    mem.forget(job)
    assert mem.why_not(QUESTION, job, view=view).reasons == (
        "It is forgotten, and no view of a question shows it; restore brings it back.",
    )
    mem.restore(job)
    assert mem.why_not(QUESTION, job, view=view).found


def test_archived(mem: Treering, store: Store, clock: HandClock, job: str) -> None:
    marked = Changes("archive", (Marked(Thing.MEMORY, job, Mark.ARCHIVED, True),))
    store.write("lab", Writer("ann"), clock.now, lambda reader, at: marked)
    assert mem.why_not(QUESTION, job).reasons == (
        "It is archived, and no view of a question shows it; list shows it with view all.",
    )


# a filter leaves it out


def test_a_door_that_looks_among_some_answers_with_these_alone(mem: Treering, job: str) -> None:
    other = mem.add("Ada works in Oslo").id
    assert {hit.memory.id for hit in mem.recall(QUESTION)} == {job, other}
    assert [hit.memory.id for hit in mem.among([other, "nobody"]).recall(QUESTION)] == [other]
    assert mem.among([]).recall(QUESTION).hits == ()
    told = mem.among([other]).why_not(QUESTION, job)
    assert told.reasons == ("The filter among leaves it out: it is none of the memories that were named.",)


FILTERS: dict[str, tuple[dict[str, Any], str]] = {
    "kinds": ({"kinds": ["episode", "preference"]}, "it is of kind semantic"),
    "tags": ({"tags": ["work", "home"]}, "its tags are work"),
    "entities": ({"entities": ["Bo", "Nobody"]}, "it mentions none of Bo, Nobody"),
    "session": ({"session": "s2"}, "it was said in s1"),
    "speaker": ({"speaker": "Bo"}, "it was said by Eve"),
    "since": ({"since": "2026-02-01T00:00:00Z"}, "it holds from 2026-01-01T12:00:00Z"),
    "until": ({"until": "2025-02-01T00:00:00Z"}, "it holds from 2026-01-01T12:00:00Z"),
}


@pytest.mark.parametrize("name", FILTERS)
def test_a_filter_that_leaves_it_out_is_named(mem: Treering, job: str, name: str) -> None:
    mem.add("Bo works at Globex", entities=["Bo"])
    given, because = FILTERS[name]
    told = mem.why_not(QUESTION, job, **given)
    assert told.reasons == (f"The filter {name} leaves it out: {because}.",)
    assert (told.found, told.rank) == (False, None)


def test_filters_that_let_it_pass_are_not_named(mem: Treering, job: str) -> None:
    fitting = {"kinds": ["fact"], "tags": ["work"], "entities": ["Ada"], "session": "s1", "speaker": "Eve"}
    assert mem.why_not(QUESTION, job, **fitting, since="2025-01-01", until="2027-01-01").found
    told = mem.why_not(QUESTION, job, **{**fitting, "session": "s9"})
    assert told.reasons == ("The filter session leaves it out: it was said in s1.",)


def test_everything_that_keeps_it_out_is_told(mem: Treering, job: str) -> None:
    mem.forget(job)
    told = mem.why_not(QUESTION, job, kinds=["episode"], speaker="Bo", as_of="2025-01-01T00:00:00Z")
    assert [reason.split()[:3] for reason in told.reasons] == [
        ["It", "holds", "from"],
        ["It", "is", "forgotten,"],
        ["The", "filter", "kinds"],
        ["The", "filter", "speaker"],
    ]


# others came before it


def test_nothing_known_has_to_do_with_the_question(mem: Treering, job: str) -> None:
    told = mem.why_not("purple elephants", job)
    assert told.reasons[0].startswith("Nothing known has enough to do with the question: the nearest reaches 0.00 of ")
    assert told.reasons[0].endswith(" that are needed, this memory 0.00.")
    assert (told.found, told.needed, told.rank) == (False, None, 1)
    assert told.score is not None


def test_too_little_speaks_for_it(mem: Treering, job: str) -> None:
    other = mem.add("The lake is deep").id
    told = mem.why_not(QUESTION, other)
    assert told.reasons == ("Too little speaks for it by itself: 0.00 of the 0.05 that are needed.",)
    assert (told.found, told.rank) == (False, 2)


def test_its_score_is_below_what_is_wanted(mem: Treering, job: str) -> None:
    told = mem.why_not(QUESTION, job, min_score=0.99)
    assert told.reasons == (f"Its score {told.score} is below min_score 0.99.",)
    assert told.needed is None


def test_others_outrank_it_and_the_weakest_signal_is_named(mem: Treering, job: str) -> None:
    other = mem.add("Ada likes her work and tea and a long walk").id
    [last] = mem.recall(QUESTION, limit=1, explain=True)
    told = mem.why_not(QUESTION, other, limit=1)
    assert (told.found, told.rank, told.needed) == (False, 2, last.score)
    assert told.explanation is not None
    own, theirs = told.explanation.signals, last.explanation.signals
    weakest = max(own, key=lambda name: theirs[name].score - own[name].score)
    assert told.reasons == (
        f"It is number 2 of 2 by score: {told.score}, and the last hit has {last.score}; it is weakest in {weakest}, "
        f"{own[weakest].score:.2f} against {theirs[weakest].score:.2f}.",
    )


def test_a_hit_with_the_same_words_stands_for_it(mem: Treering, clock: HandClock, job: str) -> None:
    clock.advance(days=1)
    again = mem.add("Ada works at ACME!", speaker="Eve").id
    shown = mem.recall(QUESTION)
    assert len(shown) == 1
    [hidden] = {job, again} - {shown[0].memory.id}
    told = mem.why_not(QUESTION, hidden)
    assert told.reasons == (
        f"It says the same as a hit above it, {shown[0].memory.id}, and adds to the support of that.",
    )
    assert (told.found, told.rank) == (False, 2)


def test_a_question_for_a_list_goes_round_the_sessions(mem: Treering) -> None:
    mem.add("Lake Como", session="s1")
    second = mem.add("Lake Garda", session="s1").id
    elsewhere = mem.add("Lake Orta", session="s2", importance=0.5).id
    question = "Which are the lakes?"
    assert elsewhere in {hit.memory.id for hit in mem.recall(question, limit=2)}
    told = mem.why_not(question, second, limit=2)
    assert (told.found, told.rank) == (False, 2)
    assert told.reasons == (
        "It is number 2 of 3 by score, but where many are asked for, hits of other sessions go before.",
    )


def test_not_embedded_yet(clock: HandClock, meaning: Any) -> None:
    mem = Treering(open_store(":memory:"), clock=clock, space="lab", embedder=meaning)
    mem.add_many([{"content": f"I adopted {pet} from the shelter"} for pet in ("a kitten", "a puppy", "an old cat")])
    unread = mem.add_many([{"content": "I feed my two parrots daily"}], embed_later=True).id
    told = mem.why_not("Which animals did I adopt from the shelter?", unread, limit=3)
    assert told.reasons[0] == "It is not embedded yet, so only words, graph and time can find it; reembed has it read."
    assert len(told.reasons) == 2
    mem.reembed()
    assert "It is not embedded yet" not in " ".join(
        mem.why_not("Which animals did I adopt from the shelter?", unread, limit=3).reasons
    )


def test_one_read_and_one_unread_memory_are_asked_side_by_side(clock: HandClock, meaning: Any) -> None:
    mem = Treering(open_store(":memory:"), clock=clock, space="lab", embedder=meaning)
    mem.add("I adopted a kitten")
    mem.add_many([{"content": "I feed parrots"}], embed_later=True)
    assert mem.recall("Which kitten did I adopt?")[0].memory.content == "I adopted a kitten"


def test_it_changes_nothing_and_tells_the_same_twice(mem: Treering, job: str) -> None:
    before = mem.status().seq
    assert mem.why_not(QUESTION, job) == mem.why_not(QUESTION, job)
    assert mem.status().seq == before


def test_bad_wishes_are_refused_as_those_of_recall(mem: Treering, job: str) -> None:
    with pytest.raises(InvalidRequest, match="view"):
        mem.why_not(QUESTION, job, view="everything")
    with pytest.raises(InvalidRequest, match="limit"):
        mem.why_not(QUESTION, job, limit=0)


def test_a_hit_of_the_same_source_stands_before_it(clock: HandClock) -> None:
    with treering.open(":memory:", clock=clock, embedder="none", extractor="reader") as mem:
        mem.remember("I moved to Porto today.", at=clock.now, speaker="User", session="a")
        mem.remember("Rita paints Porto from a boat.", at=clock.advance(days=1), speaker="User", session="b")
        for number in range(4):
            mem.remember(f"Bus {number} is late.", at=clock.advance(days=1), speaker="User", session="c")
        hits = {hit.memory.id for hit in mem.recall("Porto", limit=2)}
        behind = next(one for one in mem.list() if one.id not in hits and "Porto" in one.content)
        (reason,) = mem.why_not("Porto", behind.id, limit=2).reasons
        assert "its source already gave a hit" in reason
