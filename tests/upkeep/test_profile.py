"""A profile: what holds of a space or an entity, in sentences that cite their memories."""

from __future__ import annotations

import re

import pytest
from tests.conftest import Doors, HandClock

from treering.door import Treering
from treering.errors import CallerError, NotFound

CITED = re.compile(r"^- .+ \[([0-9a-f]{8,})\]$", re.MULTILINE)


def told(mem: Treering, **more: object) -> list[str]:
    return [one.text for one in mem.profile(**more).sentences]  # type: ignore[arg-type]


def test_every_sentence_is_a_statement_and_cites_its_memory(mem: Treering) -> None:
    work = mem.add("Ada works at Google")
    tea = mem.add("Ada likes tea", kind="preference")
    mem.add("Ada met Bo at noon", kind="episode")
    profile = mem.profile()
    assert str(profile) == (
        f"Facts:\n- Ada works at Google. [{work.id[-8:]}]\n\nPreferences:\n- Ada likes tea. [{tea.id[-8:]}]"
    )
    assert profile.citations == (work.id, tea.id)
    assert profile.tokens == -(-len(profile.text) // 4) <= profile.budget_tokens
    assert profile.left_out == 0


def test_what_matters_and_is_recent_comes_first(mem: Treering, clock: HandClock) -> None:
    mem.add("Ada is a doctor", importance=0.9)
    mem.add("Ada owns a bike", importance=0.5)
    clock.advance(days=100)
    mem.add("Ada owns a boat", importance=0.5)
    mem.add("Ada has a cold", importance=0.3)
    assert told(mem) == ["Ada is a doctor.", "Ada owns a boat.", "Ada owns a bike.", "Ada has a cold."]


def test_what_is_superseded_forgotten_or_expired_is_not_told(mem: Treering, clock: HandClock) -> None:
    home = mem.add("Ada lives in Berlin").id
    gone = mem.add("Ada is ill").id
    mem.add("Ada is on leave", expires_at="2026-01-02T00:00:00Z")
    clock.advance(hours=1)
    mem.revise(home, "Ada lives in Paris")
    mem.forget(gone)
    clock.advance(days=2)
    assert told(mem) == ["Ada lives in Paris."]


def test_a_memory_whose_fact_was_closed_is_not_told_though_it_stands(mem: Treering, clock: HandClock) -> None:
    mem.add("Ada works at Google", triples=[["Ada", "WORKS_FOR", "Google"]])
    mem.add("Ada works at Acme and lives in Rome", triples=[["Ada", "WORKS_FOR", "Acme"], ["Ada", "LIVES_IN", "Rome"]])
    before = clock.advance(hours=1)
    clock.advance(days=1)
    mem.invalidate("Ada", "Google", "WORKS_FOR")
    clock.advance(days=1)
    assert told(mem) == ["Ada works at Acme and lives in Rome."]
    mem.invalidate("Ada", "Acme", "WORKS_FOR")
    clock.advance(days=1)
    assert told(mem) == []
    assert len(told(mem, as_of=before)) == 2


def test_a_fact_that_was_stated_as_over_does_not_silence_the_one_that_holds(mem: Treering, clock: HandClock) -> None:
    mem.add(
        "Ada left Google for Acme",
        triples=[
            {"subject": "Ada", "relation": "WORKS_FOR", "object": "Google", "valid_until": "2026-01-01T12:00:00Z",
             "valid_from": "2020-01-01T00:00:00Z"},
            ["Ada", "WORKS_FOR", "Acme"],
        ],
    )  # fmt: skip
    mem.add(
        "Ada was in Rome for a year",
        triples=[
            {"subject": "Ada", "relation": "LIVES_IN", "object": "Rome", "valid_from": "2020-01-01T00:00:00Z",
             "valid_until": "2021-01-01T00:00:00Z"},
        ],
    )  # fmt: skip
    clock.advance(days=1)
    assert told(mem) == ["Ada left Google for Acme."]


def test_where_somebody_lived_before_is_not_told_though_nothing_took_its_place(mem: Treering, clock: HandClock) -> None:
    mem.remember("I moved to Ghent in March.", speaker="Ada", at="2025-04-01T09:00:00Z")
    mem.remember("I live in Oslo.", speaker="Ada", at="2025-12-01T09:00:00Z")
    mem.remember("I work at Acme.", speaker="Ada", at="2025-12-01T09:00:00Z")
    clock.advance(days=1)
    everything = " ".join(told(mem))
    assert "Oslo" in everything
    assert "Acme" in everything
    assert "Ghent" not in everything


def test_words_in_the_first_person_are_quoted_with_who_said_them(mem: Treering) -> None:
    mem.add("I like jazz", kind="preference", speaker="Kim")
    mem.add("We’re out of milk")  # noqa: RUF001
    mem.add("Ada said it was fine")
    assert told(mem) == ["“We’re out of milk.”", "Ada said it was fine.", "Kim: “I like jazz.”"] or told(mem) == [  # noqa: RUF001
        "Ada said it was fine.",
        "“We’re out of milk.”",  # noqa: RUF001
        "Kim: “I like jazz.”",
    ]


@pytest.mark.parametrize("budget", [1, 5, 12, 20, 33, 50, 100, 1000])
def test_it_never_takes_more_than_its_budget(mem: Treering, budget: int) -> None:
    for n in range(30):
        mem.add(f"Ada owns thing number {n} of many" + ", and more of it" * (n % 4))
    profile = mem.profile(budget_tokens=budget)
    assert profile.tokens <= budget
    assert len(profile.sentences) + profile.left_out == 30
    assert len(CITED.findall(profile.text)) == len(profile.sentences)
    assert bool(profile.sentences) == (budget >= 20)


def test_it_tells_at_most_so_many_memories(mem: Treering) -> None:
    mem.add_many([{"content": f"Fact {n}"} for n in range(120)])
    assert len(mem.profile(budget_tokens=100_000).sentences) == 80
    assert len(mem.profile(limit=3, budget_tokens=100_000).sentences) == 3
    with pytest.raises(CallerError, match="limit"):
        mem.profile(limit=81)


def test_an_entity_has_a_profile_of_what_mentions_it(mem: Treering) -> None:
    mem.add("Ada likes tea", entities=["Ada"], kind="preference")
    mem.add("Bo likes coffee", entities=["Bo"], kind="preference")
    mem.entity_register("Ada", aliases=["Adele"])
    assert told(mem, entity="Ada") == told(mem, entity="adele") == ["Ada likes tea."]
    assert mem.profile("Adele").entity == "Ada"
    with pytest.raises(NotFound, match="entity"):
        mem.profile("Nobody")


def test_a_private_memory_is_told_only_to_those_who_may_see_it(doors: Doors) -> None:
    ann, bob = doors("ann", "bob")
    ann.add("Ada is here", entities=["Ada"])
    ann.add("Ada is ill", visibility="private", visible_to=["doc"], entities=["Ada"])
    assert told(bob) == told(bob, entity="Ada") == ["Ada is here."]
    assert bob.profile().left_out == 0
    assert len(told(ann)) == len(told(bob, principal="doc")) == 2


def test_it_is_told_as_it_was_known_then(mem: Treering, clock: HandClock) -> None:
    home = mem.add("Ada lives in Berlin").id
    clock.advance(days=1)
    then = clock.now
    clock.advance(days=1)
    mem.revise(home, "Ada lives in Paris")
    clock.advance(days=1)
    assert told(mem, known_at=then) == told(mem, as_of=then) == ["Ada lives in Berlin."]
    assert told(mem) == ["Ada lives in Paris."]


def test_the_same_words_are_told_once_and_long_ones_by_their_beginning(mem: Treering) -> None:
    mem.add("Ada likes tea")
    mem.add("Ada likes tea!")
    mem.add("Bo is a baker. " + "He bakes bread every day. " * 30)
    mem.add("Cy " + "and so on " * 60)
    short, baker, on = sorted(told(mem), key=len)
    assert short.startswith("Ada likes tea")
    assert baker.startswith("Bo is a baker. He bakes") or on.startswith("Bo is a baker. He bakes")
    assert all(len(one) <= 280 for one in (baker, on))


def test_what_a_file_says_is_not_told(mem: Treering) -> None:
    mem.add_file(b"# Manual\n\nPlug it in.\n", name="manual.md")
    mem.add("Ada likes tea")
    assert told(mem) == ["Ada likes tea."]


def test_an_empty_space_has_an_empty_profile(mem: Treering) -> None:
    assert (str(mem.profile()), mem.profile().tokens, mem.profile().sentences) == ("", 0, ())


def test_spaces_below_are_told_if_asked_for(mem: Treering) -> None:
    mem.add("Ada is here", space="team/a")
    mem.add("Bo is there", space="team/b")
    assert sorted(told(mem, space="team", children=True)) == ["Ada is here.", "Bo is there."]
    assert told(mem, space="team") == []
