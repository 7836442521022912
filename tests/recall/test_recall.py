"""What a question finds by words and by time, and how it is explained. Meaning is tried in test_meaning.py."""

from __future__ import annotations

import pytest
from tests.conftest import HandClock
from tests.recall.talks import keys, talk

from treering.door import Treering

__all__ = ["talk"]


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
