"""What a question finds: by words, time, graph and state. Meaning is tried in test_meaning.py."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from tests.conftest import Doors, HandClock

import treering
from treering.door import Treering
from treering.errors import InvalidRequest
from treering.recall import graph
from treering.recall.answer import Answer
from treering.recall.visibility import MOST_CACHED


def keys(answer: Answer) -> list[str | None]:
    return [hit.sources[0].key for hit in answer]


def told(answer: Answer) -> list[str]:
    return [hit.memory.content for hit in answer]


@pytest.fixture
def talk(mem: Treering, clock: HandClock) -> Treering:
    """Two sessions of two people, a day apart."""
    turns = [
        ("s1", "Melanie", "I signed up for a pottery class yesterday."),
        ("s1", "Caroline", "Lovely! What will you make first?"),
        ("s1", "Melanie", "A blue bowl for my sister Ruth."),
        ("s2", "Caroline", "The adoption agency called me back."),
        ("s2", "Melanie", "That is wonderful news."),
        ("s2", "Caroline", "I bought two train tickets to Lisbon."),
    ]
    for number, (session, speaker, content) in enumerate(turns):
        if number == 3:
            clock.advance(days=1)
        clock.advance(minutes=1)
        mem.add(content, speaker=speaker, session=session, key=f"t{number}")
    clock.advance(days=1)
    return mem


# words


def test_the_words_of_a_question_find_the_memory_that_has_them_in_any_form(talk: Treering) -> None:
    assert keys(talk.recall("Who buys a ticket?"))[0] == "t5"
    assert keys(talk.recall("classes of pottery"))[0] == "t0"


def test_a_turn_is_found_by_the_words_of_its_neighbour(talk: Treering) -> None:
    answer = talk.recall("Which bowl will Ruth get?", limit=2)
    assert keys(answer) == ["t2", "t1"]
    assert answer[1].why == "its neighbours have the words"


def test_quoted_words_must_stand_together_to_count(mem: Treering) -> None:
    mem.add("the cat was black as the night", key="apart")
    mem.add("a black cat crossed the road in the night", key="together")
    assert keys(mem.recall('a "black cat" in the night'))[0] == "together"
    assert keys(mem.recall('"cat was black"'))[0] == "apart"


def test_the_beginning_of_a_name_finds_the_name(talk: Treering) -> None:
    talk.add("Rebecca likes figs", key="figs")
    assert keys(talk.recall("What about Reb?"))[0] == "figs"
    assert keys(talk.recall("what about reb?")) == []


def test_title_and_tags_are_searched_too(mem: Treering) -> None:
    mem.add("We meet at nine", title="Standup", tags=["calendar"], key="titled")
    mem.add("We meet at ten", key="plain")
    assert keys(mem.recall("standup")) == ["titled"]
    assert keys(mem.recall("calendar")) == ["titled"]


def test_a_session_id_is_never_searched(mem: Treering) -> None:
    mem.add("nothing of the kind", session="zanzibar", key="k")
    assert not mem.recall("zanzibar")


@pytest.mark.parametrize("question", ["zebra", "the of and", "?!", "🦓", "who is it", "a" * 10_000])
def test_a_question_about_nothing_known_finds_nothing(talk: Treering, question: str) -> None:
    answer = talk.recall(question)
    assert not answer.hits
    assert len(answer) == 0


def test_an_empty_space_and_one_that_is_not_there_answer_with_nothing(mem: Treering) -> None:
    assert not mem.recall("anything").hits
    assert not mem.recall("anything", space="no/such").hits


def test_other_scripts_are_found_by_their_own_words(mem: Treering) -> None:
    mem.add("我喜欢北京烤鸭", key="zh")
    mem.add("Я люблю борщ", key="ru")
    mem.add("Der Fluß fließt nach Zürich", key="de")
    assert keys(mem.recall("北京"))[0] == "zh"
    assert keys(mem.recall("борщ"))[0] == "ru"
    assert keys(mem.recall("zurich"))[0] == "de"


def test_the_same_words_twice_are_one_hit_with_both_sources(mem: Treering, clock: HandClock) -> None:
    mem.add("The gate code is blue", speaker="Ann", key="first")
    clock.advance(days=1)
    mem.add("the GATE code is blue!", speaker="Ann", key="again")
    mem.add("The gate code is blue", speaker="Bob", key="another")
    answer = mem.recall("gate code")
    assert sorted(tuple(sorted(str(source.key) for source in hit.sources)) for hit in answer) == [
        ("again", "first"),
        ("another",),
    ]
    assert sorted(hit.supporters for hit in answer) == [0, 1]


# time


def test_a_time_in_the_question_prefers_what_happened_then(mem: Treering) -> None:
    for year in (2021, 2022, 2023):
        mem.add(f"We went to the lake with number {year % 7}", event_time=f"{year}-06-10T00:00:00Z", key=str(year))
    assert keys(mem.recall("When did we go to the lake in June 2022?"))[0] == "2022"
    assert keys(mem.recall("the lake, summer of 2021"))[0] == "2021"
    assert set(keys(mem.recall("the lake in June 2022"))) == {"2021", "2022", "2023"}  # it never filters


def test_a_question_of_nothing_but_a_time_finds_what_happened_then(talk: Treering) -> None:
    assert set(keys(talk.recall("yesterday"))[:3]) <= {"t3", "t4", "t5"}
    assert talk.recall("yesterday").windows[0].text == "yesterday"


def test_the_window_leans_on_the_moment_of_the_reading(mem: Treering, clock: HandClock) -> None:
    mem.add("Ran the race", event_time="2024-05-05T00:00:00Z", at="2024-05-05T00:00:00Z", key="old")
    mem.add("Ran the race again", event_time="2025-12-20T00:00:00Z", at="2025-12-20T00:00:00Z", key="new")
    answer = mem.recall("the race last month", as_of=clock.now)
    assert keys(answer)[0] == "new"
    assert answer.windows[0].start is not None
    assert answer.windows[0].start.month == 12


# views and states


@pytest.fixture
def moved(mem: Treering, clock: HandClock) -> dict[str, str]:
    old = mem.add("Sam lives in Austin", key="old").id
    clock.advance(days=10)
    new = mem.revise(old, "Sam lives in Berlin", key="new").id
    clock.advance(days=10)
    return {"old": old, "new": new}


def test_what_was_replaced_is_out_of_the_present_and_labelled_in_history(mem: Treering, moved: dict[str, str]) -> None:
    assert keys(mem.recall("Where does Sam live?")) == ["new"]
    answer = mem.recall("Where does Sam live?", view="history")
    states = {hit.sources[0].key: (hit.state.value, hit.superseded_by, hit.supersedes) for hit in answer}
    assert states == {
        "old": ("superseded", moved["new"], ()),
        "new": ("active", None, (moved["old"],)),
    }


@pytest.mark.parametrize(
    ("question", "view"),
    [
        ("Where does Sam live?", "current"),
        ("Where does Sam live now?", "current"),
        ("Where did Sam use to live before?", "history"),
        ("Where did Sam live in 2019?", "history"),
        ("Where was Sam's previous home?", "history"),
        ("Where did Sam use to live?", "history"),
        ("Has Sam ever lived in Berlin?", "history"),
        ("Where was Sam living prior to the flood?", "history"),
        ("Where was Sam living before Munich?", "history"),
        ("Where was Sam's first flat?", "history"),
        ("What is Sam's old address?", "history"),
        ("How old is Sam?", "current"),
        ("What is Sam's last name?", "current"),
        ("What should Sam pack before the trip?", "current"),
    ],
)
def test_auto_looks_into_history_when_the_question_is_about_the_past(
    mem: Treering, moved: dict[str, str], question: str, view: str
) -> None:
    answer = mem.recall(question)
    assert answer.view.value == view
    assert ("old" in keys(answer)) == (view == "history")


def test_as_of_and_known_at_answer_as_it_was(mem: Treering, clock: HandClock, moved: dict[str, str]) -> None:
    then = clock.now - timedelta(days=15)
    assert keys(mem.recall("Sam lives", as_of=then)) == ["old"]
    assert keys(mem.recall("Sam lives", known_at=then, as_of=clock.now)) == ["old"]
    assert keys(mem.recall("Sam lives", as_of=then - timedelta(days=30))) == []


def test_expired_forgotten_and_restored(mem: Treering, clock: HandClock) -> None:
    plan = mem.add("Dentist at nine", expires_at=clock.now + timedelta(days=1), key="plan").id
    assert keys(mem.recall("dentist")) == ["plan"]
    clock.advance(days=2)
    assert keys(mem.recall("dentist")) == []
    assert [hit.state.value for hit in mem.recall("dentist", view="history")] == ["expired"]
    mem.forget(plan)
    assert keys(mem.recall("dentist", view="history")) == []
    mem.restore(plan)
    assert keys(mem.recall("dentist", view="history")) == ["plan"]


def test_both_sides_of_a_contradiction_are_shown_whatever_the_view(mem: Treering, moved: dict[str, str]) -> None:
    other = mem.add("Sam says home is Lisbon", key="other").id
    mem.link(other, moved["old"], "contradicts", why="cannot both be")
    [hit] = [hit for hit in mem.recall("Where is Sam's home, Lisbon?", view="current") if hit.memory.id == other]
    assert [(one.content, one.state.value, one.why) for one in hit.conflicts] == [
        ("Sam lives in Austin", "superseded", "cannot both be")
    ]


def test_a_supporting_memory_is_counted(mem: Treering) -> None:
    claim = mem.add("The bridge is closed", key="claim").id
    mem.link(mem.add("A sign says: no passage").id, claim, "supports")
    assert [hit.supporters for hit in mem.recall("bridge closed")] == [1]


# filters and wishes


def test_filters_narrow_before_the_search(mem: Treering, clock: HandClock) -> None:
    for number in range(60):
        mem.add(f"apple pie recipe number {number}", speaker="Ann", session="many")
    rare = mem.add("an apple", speaker="Bob", session="few", tags=["rare", "red"], kind="episode", entities=["Eve"]).id
    for narrowed in (
        {"tags": ["rare"]},
        {"tags": ["red", "rare"]},
        {"speaker": "Bob"},
        {"session": "few"},
        {"kinds": ["episode"]},
        {"entities": ["Eve"]},
        {"since": clock.now, "speaker": "Bob"},
    ):
        assert [hit.memory.id for hit in mem.recall("apple pie recipe", limit=3, **narrowed)] == [rare], narrowed
    for nobody in ({"tags": ["rare", "blue"]}, {"speaker": "Cy"}, {"entities": ["Nobody"]}, {"until": "2020-01-01"}):
        assert not mem.recall("apple pie recipe", **nobody).hits, nobody


def test_a_filtered_hit_scores_as_it_does_unfiltered(talk: Treering) -> None:
    whole = {hit.memory.id: hit.score for hit in talk.recall("pottery class bowl", limit=6)}
    for hit in talk.recall("pottery class bowl", speaker="Melanie"):
        assert hit.score == whole[hit.memory.id]


def test_limit_budget_and_least_score_bound_the_answer(talk: Treering) -> None:
    full = talk.recall("Melanie Caroline pottery bowl tickets adoption", limit=50)
    assert len(full) > 3
    assert len(talk.recall("Melanie Caroline pottery bowl tickets adoption", limit=2)) == 2
    small = talk.recall("Melanie Caroline pottery bowl tickets adoption", budget_tokens=12)
    assert 0 < small.tokens <= 12
    scores = [hit.score for hit in full]
    assert [hit.score for hit in talk.recall(full.query, limit=50, min_score=scores[1])] == [
        score for score in scores if score >= scores[1]
    ]


def test_neighbouring_turns_come_along_when_asked_for(talk: Treering) -> None:
    [hit] = talk.recall("pottery class", limit=1, neighbours=1)
    assert ([one.content for one in hit.before], [one.content for one in hit.after]) == (
        [],
        ["Lovely! What will you make first?"],
    )
    [hit] = talk.recall("blue bowl", limit=1, neighbours=5)
    assert [len(hit.before), len(hit.after)] == [2, 0]


def test_sources_are_named_and_quoted_unless_not_wanted(talk: Treering) -> None:
    [source] = talk.recall("tickets to Lisbon", limit=1)[0].sources
    assert (source.key, source.speaker, source.session) == ("t5", "Caroline", "s2")
    assert source.text == "I bought two train tickets to Lisbon."
    assert source.span == (0, len(source.text))
    assert talk.recall("tickets to Lisbon", limit=1, include_source=False)[0].sources[0].text is None


def test_recency_is_preferred_when_the_present_is_asked_for(mem: Treering, clock: HandClock) -> None:
    mem.add("The project lead is Ann of Oslo", key="old")
    clock.advance(days=200)
    mem.add("The project lead is Bob of Oslo", key="new")
    clock.advance(days=1)
    assert keys(mem.recall("Who is the project lead now?"))[0] == "new"
    assert keys(mem.recall("Who is the project lead?", recency_bias=1.0))[0] == "new"


def test_spaces_below_are_read_when_asked_for(mem: Treering) -> None:
    mem.add("parrots talk", space="zoo", key="top")
    mem.add("parrots fly", space="zoo/birds", key="below")
    mem.add("parrots sleep", space="zoology", key="beside")
    assert keys(mem.recall("parrots", space="zoo")) == ["top"]
    assert set(keys(mem.recall("parrots", space="zoo", children=True))) == {"top", "below"}
    assert [one.space for one in mem.recall("parrots", space="zoo", children=True).index] == ["zoo", "zoo/birds"]


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"query": ""}, "query"),
        ({"query": "x", "limit": 0}, "limit"),
        ({"query": "x", "view": "some"}, "view"),
        ({"query": "x", "min_score": 2}, "min_score"),
        ({"query": "x", "as_of": "yesterday"}, "as_of"),
        ({"query": "x", "kinds": ["nonsense"]}, "kind"),
    ],
)
def test_a_wish_that_cannot_be_is_refused_by_name(mem: Treering, wrong: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidRequest, match=message):
        mem.recall(**wrong)


# the graph


def test_a_name_in_the_question_finds_what_mentions_it_without_the_word(mem: Treering) -> None:
    mem.add("She plays the cello", entities=["Ruth"], key="cello")
    mem.add("He plays chess", entities=["Otto"], key="chess")
    assert keys(mem.recall("Ruth"))[0] == "cello"
    mem.entity_register("Ruth", aliases=["Ruthie"])
    answer = mem.recall("What does Ruthie play?", explain=True)
    assert keys(answer)[0] == "cello"
    assert answer[0].explanation is not None
    assert answer[0].explanation.path == ("Ruth",)


def test_the_walk_crosses_a_fact_to_what_stands_behind_it(mem: Treering) -> None:
    mem.add("Otto leads the cello group", entities=["Otto", "Cello Group"], triples=[["Otto", "LEADS", "Cello Group"]])
    behind = mem.add("It meets on Mondays in the barn", entities=["Cello Group"], key="barn").id
    mem.add("The dog barks", entities=["Rex"], key="dog")
    answer = mem.recall("Otto", explain=True)
    [hit] = [hit for hit in answer if hit.memory.id == behind]
    assert hit.explanation is not None
    assert hit.explanation.path == ("Otto", "LEADS", "Cello Group")
    assert hit.explanation.signals["graph"].score > 0
    assert "dog" not in keys(answer)


def test_a_fact_that_does_not_hold_at_the_moment_is_not_walked(mem: Treering, clock: HandClock) -> None:
    mem.assert_fact("Otto", "LEADS", "Cello Group", valid_from="2020-01-01", valid_until="2021-01-01")
    mem.add("It meets on Mondays in the barn", entities=["Cello Group"], event_time="2019-01-01T00:00:00Z", key="barn")
    mem.add("Otto is tall", entities=["Otto"], event_time="2019-01-01T00:00:00Z", key="tall")
    assert keys(mem.recall("Otto")) == ["tall"]
    assert set(keys(mem.recall("Otto", as_of="2020-06-01"))) == {"tall", "barn"}


def test_an_entity_that_everything_mentions_counts_little(mem: Treering) -> None:
    for number in range(40):
        mem.add(f"remark {number} of the evening", entities=["Ann"], speaker="Ann")
    mem.add("the violin was sold", entities=["Ann", "Stradivari"], speaker="Ann", key="violin")
    answer = mem.recall("What of Ann and the Stradivari?", explain=True)
    assert keys(answer)[0] == "violin"
    explained = [hit.explanation for hit in answer if hit.explanation is not None]
    assert explained[0].signals["graph"].score > 2 * explained[1].signals["graph"].score


def test_how_little_it_counts_goes_by_all_that_mention_it_and_not_by_those_looked_at(mem: Treering) -> None:
    some = graph.MENTIONS_EACH
    mem.add_many(
        [
            {"content": f"remark {number} of the evening", "entities": ["Ann", "Bea"] if number < some else ["Ann"]}
            for number in range(4 * some)
        ]
    )
    tied = []
    for name, thing in (("Ann", "violin"), ("Bea", "cello")):
        mem.add(f"the {thing} was sold", entities=[name])
        (hit,) = mem.recall(f"What of {name} and the {thing}?", limit=1, explain=True)
        assert hit.explanation is not None
        tied.append(hit.explanation.signals["graph"].score)
    assert 0 < 2 * tied[0] < tied[1]


# what it must never do


def test_asking_writes_nothing(file_mem: Treering, db_path: Path) -> None:
    file_mem.add("The kettle is red", entities=["Kettle"])
    before = [(one.name, one.stat().st_mtime_ns, one.read_bytes()) for one in sorted(db_path.parent.iterdir())]
    for view in ("auto", "current", "history"):
        file_mem.recall("kettle red", view=view, explain=True, neighbours=3)  # type: ignore[arg-type]
    after = [(one.name, one.stat().st_mtime_ns, one.read_bytes()) for one in sorted(db_path.parent.iterdir())]
    assert [one for one in after if "-shm" not in one[0]] == [one for one in before if "-shm" not in one[0]]


def test_the_same_question_to_the_same_state_has_the_same_answer_after_reopening(
    db_path: Path, clock: HandClock
) -> None:
    def ask() -> list[Answer]:
        with treering.open(db_path, clock=clock, actor="ann") as mem:
            return [mem.recall(question, explain=True) for question in ("blue bowl", "tickets in January", "Ruth")]

    with treering.open(db_path, clock=clock, actor="ann") as mem:
        for number in range(30):
            mem.add(f"blue bowl {number} with tickets", entities=["Ruth"], session=f"s{number % 4}", speaker="Ann")
        here = [mem.recall(question, explain=True) for question in ("blue bowl", "tickets in January", "Ruth")]
    assert ask() == here
    assert ask() == ask()


def test_a_space_answers_exactly_as_it_would_alone(new_store: Any, clock: HandClock) -> None:
    alone, crowded = (Treering(new_store("sqlite"), clock=clock, actor="ann") for _ in range(2))
    for number in range(300):
        crowded.add(f"blue bowl of pottery number {number} in Lisbon", space="large", entities=["Ruth", "Lisbon"])
    for mem in (alone, crowded):
        clock.now += timedelta(0)
        mem.add("a blue bowl for Ruth", space="small", entities=["Ruth"], speaker="Ann", session="s", key="a")
        mem.add("pottery is fun", space="small", entities=["Ruth"], speaker="Bob", session="s", key="b")
        mem.add("Lisbon by train", space="small", entities=["Lisbon"], speaker="Bob", session="t", key="c")
    for question in ("blue bowl", "pottery in Lisbon", "Who is Ruth?", "number 17"):
        answers = [mem.recall(question, space="small", explain=True) for mem in (alone, crowded)]
        seen = [[(hit.sources[0].key, hit.score, hit.why, hit.explanation) for hit in answer] for answer in answers]
        assert seen[0] == seen[1]


def test_what_is_private_to_others_changes_nothing_in_an_answer(doors: Doors, clock: HandClock) -> None:
    ann, bob = doors("ann", "bob")

    def write(secrets: bool, space: str) -> None:
        ann.add("the blue bowl broke", space=space, speaker="Ann", session="s", key="1", entities=["Bowl"])
        if secrets:
            ann.add(
                "blue bowl secret", space=space, speaker="Ann", session="s", visibility="private", entities=["Ruth"]
            )
            ann.add("bowl and bowl", space=space, speaker="Ann", session="s", visibility="private", entities=["Bowl"])
        ann.add("then we glued it", space=space, speaker="Bob", session="s", key="2", entities=["Bowl"])
        ann.add("a bowl of soup", space=space, speaker="Bob", session="t", key="3")

    write(False, "open")
    write(True, "kept")
    for question in ("blue bowl", "What broke?", "Ruth", "secret", "glue"):
        seen = [
            [
                (hit.sources[0].key, hit.score, hit.why, hit.explanation, hit.before, hit.supporters)
                for hit in bob.recall(question, space=space, explain=True)
            ]
            for space in ("open", "kept")
        ]
        assert seen[0] == seen[1], question
    assert "blue bowl secret" in told(ann.recall("secret", space="kept"))


def test_a_forgotten_turn_lends_its_words_to_nobody(talk: Treering) -> None:
    bowl = next(hit.memory.id for hit in talk.recall("blue bowl") if hit.sources[0].key == "t2")
    talk.forget(bowl)
    assert not talk.recall("blue bowl Ruth").hits


def test_a_purged_memory_is_gone_from_the_index_in_memory(talk: Treering) -> None:
    bowl = next(hit.memory.id for hit in talk.recall("blue bowl") if hit.sources[0].key == "t2")
    talk.purge(bowl, "asked to")
    assert not talk.recall("blue bowl Ruth").hits
    assert keys(talk.recall("pottery class"))[0] == "t0"


def test_what_another_door_writes_is_found_at_once(doors: Doors) -> None:
    ann, bob = doors("ann", "bob")
    assert not ann.recall("heron").hits
    bob.add("A heron on the roof", key="heron")
    assert keys(ann.recall("heron")) == ["heron"]


# explaining


def test_an_explained_hit_adds_up(talk: Treering) -> None:
    for hit in talk.recall("When did Melanie sign up for the pottery class in January 2026?", explain=True):
        told_of = hit.explanation
        assert told_of is not None
        parts = sum(signal.score for signal in told_of.signals.values()) + sum(told_of.modifiers.values())
        assert parts == pytest.approx(told_of.total, abs=0.01)
        assert set(told_of.signals) == {"semantic", "keyword", "graph", "temporal"}


def test_an_answer_says_what_ran_and_how_much_the_index_knows(talk: Treering) -> None:
    answer = talk.recall("pottery in January 2026")
    assert answer.signals == ("keyword", "temporal")
    [state] = answer.index
    assert (state.space, state.memories, state.embedder, state.embedded) == ("lab", 6, None, 0)
    assert {"read", "index", "sight", "weigh", "select", "load", "total"} <= answer.milliseconds.keys()
    assert answer.to_dict()["windows"][0]["text"] == "January 2026"


def test_the_window_that_is_named_is_the_one_the_memory_lies_in(mem: Treering) -> None:
    for month in ("2021-03", "2023-06"):
        mem.add(f"a day at the lake with {month[:4]} people", event_time=f"{month}-10T00:00:00Z", key=month)
    answer = mem.recall("Did we go to the lake in March 2021 or in June 2023?", explain=True)
    windows = {hit.sources[0].key: hit.explanation and hit.explanation.window for hit in answer}
    assert {key: window and window.text for key, window in windows.items()} == {
        "2021-03": "March 2021",
        "2023-06": "June 2023",
    }


def test_a_name_that_everything_mentions_does_not_make_a_question_relevant(mem: Treering) -> None:
    for number in range(20):
        mem.add(f"remark {number}", entities=["Sam"])
    assert not mem.recall("Sam and the opera").hits
    mem.add("was in tears at the end", entities=["Tosca"], key="tosca")
    assert keys(mem.recall("Sam and Tosca"))[0] == "tosca"


def test_the_best_of_every_source_comes_before_a_second_one_of_any(mem: Treering) -> None:
    drafts = [{"content": f"Sam bakes {bread} bread"} for bread in ("rye", "rye and barley")]
    mem.remember("I bake rye bread, and rye and barley bread.", drafts=drafts, key="both")
    mem.remember("Kim eats bread", drafts=[{"content": "Kim eats bread"}], key="other")
    assert keys(mem.recall("Who bakes rye bread?", limit=3)) == ["both", "other", "both"]


# what is kept in memory


def test_of_very_many_who_ask_no_more_is_kept_than_what_the_last_of_them_may_see(mem: Treering) -> None:
    mem.add("Ada keeps the key under the mat", key="open")
    for number in range(40):
        who = f"agent:{number}"
        mem.acting_for(who).add(f"Ada told {number} alone of the key", visibility="private", key=f"private {number}")
    for _ in range(2):
        for number in range(40):
            found = keys(mem.recall("Where is Ada's key?", principal=f"agent:{number}"))
            assert set(found) == {"open", f"private {number}"}
    kept = [place.cached for place in mem._finder._cache._kept.values()]
    assert all(one is not None and len(one.visibility._kept) <= MOST_CACHED for one in kept)
    assert kept


def test_what_is_superseded_forgotten_or_private_to_others_is_gone_from_the_very_next_answer(mem: Treering) -> None:
    old = mem.add("The office is in Oslo", key="old")
    assert keys(mem.recall("Where is the office?")) == ["old"]
    new = mem.add("The office is in Rome", key="new")
    assert set(keys(mem.recall("Where is the office?"))) == {"old", "new"}
    mem.link(new.id, old.id, "extends")
    assert set(keys(mem.recall("Where is the office?"))) == {"old", "new"}
    mem.link(new.id, old.id, "supersedes")
    assert keys(mem.recall("Where is the office?")) == ["new"]
    mem.forget(new.id)
    assert keys(mem.recall("Where is the office?")) == ["old"]
    mem.acting_for("bo").add("The office is in Turin", visibility="private", key="private")
    assert keys(mem.recall("Where is the office?")) == ["old"]
    mem.restore(new.id)
    assert keys(mem.recall("Where is the office?")) == ["new"]
