"""What a question finds by names: mentions, and facts that are walked."""

from __future__ import annotations

from tests.conftest import HandClock
from tests.recall.talks import keys

from treering.door import Treering
from treering.recall import graph


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
