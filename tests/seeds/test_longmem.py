"""LongMem's page on graph memory, section by section. A test's docstring is the promise, in our words."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from tests.conftest import HandClock
from tests.seeds.conftest import Http, Tools

from treering.door import Treering

PEOPLE = "people"


@pytest.fixture
def tools(door: Treering) -> Tools:
    return Tools(door, "longmem")


@pytest.fixture
def http(served: Callable[[str, str], Http]) -> Http:
    return served("longmem", "/v1/memory")


def told(http: Http, content: str, collection: str = PEOPLE, **more: Any) -> list[dict[str, Any]]:
    answer = http.ok("POST", f"/collections/{collection}/remember?sync=true", {"content": content, **more})
    return list(answer["facts"])


def texts(http: Http, query: str, collection: str = PEOPLE) -> list[str]:
    found = http.ok("POST", f"/collections/{collection}/search", {"query": query, "min_score": 0})
    return [one["text"] for one in found["results"]]


def test_what_was_said_is_read_into_typed_facts(http: Http) -> None:
    """remember turns messy input into facts, each a fact, a preference or an episode."""
    facts = told(http, "Alex works at Google. Alex prefers morning meetings. Alex met Kim yesterday.")
    kinds = {one["type"] for one in facts}
    assert {"fact", "preference", "episode"} >= kinds
    assert any("Google" in one["text"] and one["type"] == "fact" for one in facts)
    assert any("morning" in one["text"] and one["type"] == "preference" for one in facts)


def test_a_fact_that_is_bound_to_a_time_expires(http: Http, clock: HandClock) -> None:
    """What holds only for today gets an expires_at and leaves search afterwards."""
    [fact] = told(http, "I have a dentist appointment today at 3pm.", at=clock.now.isoformat())
    assert fact["expires_at"] is not None
    assert texts(http, "dentist appointment") != []
    clock.advance(days=3)
    assert texts(http, "dentist appointment") == []


def test_a_fact_that_replaces_another_updates_it(http: Http, clock: HandClock) -> None:
    """A contradicting fact updates the older, which is no longer latest and leaves search; the edge says why."""
    [old] = told(http, "Alex works at Google.")
    clock.advance(days=30)
    [new] = told(http, "Alex works at Stripe now.")
    assert (new["relation"], new["related_id"], new["is_latest"]) == ("updates", old["id"], True)
    assert new["why"]
    assert http.ok("GET", f"/collections/{PEOPLE}/memories/{old['id']}")["is_latest"] is False
    assert all("Google" not in one for one in texts(http, "Where does Alex work?"))


def test_why_two_memories_are_related_is_told(http: Http, clock: HandClock) -> None:
    """An edge records why: /related tells it, with direction and since when."""
    [old] = told(http, "Alex works at Google.")
    clock.advance(days=30)
    [new] = told(http, "Alex works at Stripe now.")
    [related] = http.ok("GET", f"/collections/{PEOPLE}/memories/{new['id']}/related")["related"]
    assert (related["id"], related["relation"], related["direction"]) == (old["id"], "updates", "outgoing")
    assert related["why"]
    assert related["since"].startswith("2026-01-31")


def test_unrelated_facts_are_stored_side_by_side(http: Http) -> None:
    """none: an unrelated fact is stored independently."""
    told(http, "Alex works at Google.")
    [other] = told(http, "Kim plays the cello.")
    assert (other["relation"], other["related_id"]) == ("none", None)


def test_superseded_facts_are_not_deleted(http: Http, clock: HandClock) -> None:
    """What was superseded can be read by its id, and is listed with what is archived."""
    [old] = told(http, "Alex works at Google.")
    clock.advance(days=30)
    told(http, "Alex works at Stripe now.")
    assert http.ok("GET", f"/collections/{PEOPLE}/memories/{old['id']}")["text"] == old["text"]
    every = http.ok("GET", f"/collections/{PEOPLE}/memories", include_archived="true")["memories"]
    assert old["id"] in [one["id"] for one in every]
    latest = http.ok("GET", f"/collections/{PEOPLE}/memories")["memories"]
    assert old["id"] not in [one["id"] for one in latest]


def test_remembering_is_asked_for_now_and_done_later(http: Http, door: Treering) -> None:
    """remember answers 202 with a job_id at once; the job tells how far it is and then the facts."""
    job = http.ok("POST", f"/collections/{PEOPLE}/remember", {"content": "Alex works at Google."}, 202)
    number = job["job_id"]
    assert http.ok("GET", f"/extract/job/{number}")["facts"] == []
    door.run_jobs()
    done = http.ok("GET", f"/extract/job/{number}")
    assert (done["status"], [one["text"] for one in done["facts"]]) == ("completed", ["Alex works at Google"])


def test_it_can_be_said_when_where_and_by_whom(http: Http, door: Treering) -> None:
    """remember takes at, session and speaker, in the body or the query."""
    [fact] = told(http, "I work at Google.", at="2024-03-01T09:00:00Z", session="s1", speaker="Alex")
    memory = door.get(fact["id"], space=PEOPLE)
    assert memory.said_at.isoformat() == "2024-03-01T09:00:00+00:00"
    source = door.recall("Google", space=PEOPLE).hits[0].sources[0]
    assert (source.session, source.speaker) == ("s1", "Alex")
    path = f"/collections/{PEOPLE}/remember?sync=true&at=2023-01-01&speaker=Kim"
    [other] = http.ok("POST", path, {"content": "I play the cello."})["facts"]
    assert door.get(other["id"], space=PEOPLE).said_at.year == 2023


def test_agents_can_remember_too(tools: Tools) -> None:
    """The tools have remember: facts with what they update come back at once."""
    assert "remember" in tools.names()
    [fact] = tools("remember", content="Alex works at Google.", collection=PEOPLE)["facts"]
    assert (fact["type"], fact["relation"], fact["is_latest"]) == ("fact", "none", True)


def test_a_profile_sums_up_what_holds_in_the_third_person(http: Http) -> None:
    """A collection's profile is a short text of its current facts and preferences, ready for a prompt."""
    told(http, "Alex works at Google. Alex prefers morning meetings.")
    profile = http.ok("GET", f"/collections/{PEOPLE}/profile")["profile"]
    assert "Google" in profile
    assert "morning" in profile


def test_adding_and_dropping_files_asks_no_language_model(http: Http, door: Treering) -> None:
    """add embeds and stores a text as it stands, and nothing is read out of it."""
    made = http.ok("POST", f"/collections/{PEOPLE}/memories", {"text": "Alex works at Google."}, 201)
    assert made["text"] == "Alex works at Google."
    assert door.facts(space=PEOPLE) == []


@pytest.mark.parametrize("name", ["team/alpha", "team/alpha/notes"])
def test_a_collection_may_have_slashes_in_its_name(http: Http, name: str) -> None:
    """A collection named with slashes is written, read, searched and listed like any other."""
    made = http.ok("POST", f"/collections/{name}/memories", {"text": "The canteen has soup."}, 201)
    [fact] = told(http, "Alex works at Google.", name)
    assert http.ok("GET", f"/collections/{name}/memories/{made['id']}")["collection"] == name
    assert http.ok("GET", f"/collections/{name}/memories/{fact['id']}/related")["related"] == []
    assert http.ok("GET", f"/collections/{name}")["count"] == 2
    assert texts(http, "soup", name) == ["The canteen has soup."]
    assert name in [one["name"] for one in http.ok("GET", "/collections")["collections"]]
    assert http.ok("DELETE", f"/collections/{name}")["deleted"] is True


def test_what_was_deleted_can_be_brought_back_with_what_went_along(http: Http, clock: HandClock) -> None:
    """Deleting hides a fact and the one it replaced; restoring brings both back, and it is told when it was deleted."""
    [old] = told(http, "Alex works at Google.")
    clock.advance(days=30)
    [new] = told(http, "Alex works at Stripe now.")
    path = f"/collections/{PEOPLE}/memories/{new['id']}"
    http.ok("DELETE", path)
    assert http("GET", path).status_code == 404
    assert http.ok("GET", path, include_deleted="true")["forgotten_at"].startswith("2026-01-31")
    assert http("GET", f"/collections/{PEOPLE}/memories/{old['id']}").status_code == 404
    assert set(http.ok("POST", f"{path}/restore")["memories"]) == {old["id"], new["id"]}
    assert http.ok("GET", path)["is_latest"] is True
    assert http.ok("GET", f"/collections/{PEOPLE}/memories/{old['id']}")["is_latest"] is False
    assert http("POST", f"{path}/restore").status_code == 404
