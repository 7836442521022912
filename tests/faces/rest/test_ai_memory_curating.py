"""ai-memory over HTTP: what is alike, clashes or becomes one; the archive; what namespaces inherit and count."""

from __future__ import annotations

from starlette.testclient import TestClient
from tests.conftest import HandClock
from tests.faces.rest.ai_memory import NS, Calls, call, ends_of
from tests.faces.rest.routes import NEVER

from treering.door import Treering
from treering.model.namespaces import space_of

__all__ = ["call"]


def test_a_consolidation_names_all_authors_and_its_sources_stay(http: TestClient) -> None:
    notes = [Calls(http, **{"X-Agent-Id": who}).stored(f"N{who}", f"Note of {who}") for who in ("ann", "bob", "ann2")]
    call = Calls(http, **{"X-Agent-Id": "cy"})
    made = call.ok("POST", "/consolidate", {"ids": notes, "title": "All", "summary": "Sum", "namespace": NS}, 201)
    got = call.ok("GET", f"/memories/{made['id']}")["memory"]
    assert (got["title"], got["content"]) == ("All", "Sum")
    assert got["metadata"]["consolidated_from_agents"] == ["ann", "ann2", "bob"]
    assert [call.ok("GET", f"/memories/{one}")["memory"]["id"] for one in notes] == notes
    walk = call.ok("POST", "/kg/query", {"start_id": made["id"]})
    assert sorted(edge["target_id"] for edge in walk["edges"]) == sorted(notes)
    for wrong, status in (({"ids": notes[:1]}, 400), ({"ids": ["x"] * 101}, 413), ({"ids": [notes[0], NEVER]}, 404)):
        assert call("POST", "/consolidate", {"title": "T", "namespace": NS, **wrong}).status_code == status


def test_what_clashes_about_a_topic_is_found_unlinked(call: Calls) -> None:
    blue = call.stored("One", "The sky is blue")
    red = call.stored("Two", "The sky is red")
    call.stored("Three", "The sky has many clouds over the mountains on autumn mornings")
    told = call.ok("GET", "/contradictions", topic="sky", namespace=NS)
    assert told["count"] == len(told["memories"]) == 3
    assert [(link["source_id"], link["target_id"]) for link in told["links"]] == [(red, blue)]
    slow = call.stored("Slow", "Deploys take long", metadata={"topic": "deploys"})
    fast = call.stored("Fast", "It is quick", metadata={"topic": "deploys"})
    told = call.ok("GET", "/contradictions", topic="deploys", namespace=NS)
    assert {one["id"] for one in told["memories"]} == {slow, fast}
    assert len(told["links"]) == 1
    assert call("GET", "/contradictions", namespace=NS).status_code == 400


def test_a_duplicate_is_told_and_so_is_the_nearest_that_is_none(call: Calls) -> None:
    empty = call.ok("POST", "/check_duplicate", {"content": "Anything", "namespace": NS})
    assert (empty["is_duplicate"], empty["matches"], empty["threshold"]) == (False, [], 0.85)
    one = call.stored("Db", "We use Postgres 15 as the main database of the shop")
    same = call.ok("POST", "/check_duplicate", {"content": "We use Postgres 15 as the main database of the shop"})
    assert (same["is_duplicate"], same["matches"][0]["id"], same["matches"][0]["similarity"]) == (True, one, 1.0)
    near = call.ok("POST", "/check_duplicate", {"content": "We use Postgres 15 as main database of the shop"})
    assert (near["is_duplicate"], near["matches"][0]["id"]) == (True, one)
    far = call.ok("POST", "/check_duplicate", {"title": "T", "content": "Bees dance", "namespace": NS})
    assert (far["is_duplicate"], [match["id"] for match in far["matches"]]) == (False, [one])
    assert far["matches"][0]["similarity"] < 0.85
    assert call.ok("POST", "/check_duplicate", {"content": "Bees dance", "threshold": 0.0})["is_duplicate"] is True
    assert call.ids() == [one]


# the archive


def test_the_archive_is_listed_restored_dropped_and_counted(call: Calls, clock: HandClock) -> None:
    one, two, three = (call.stored(name) for name in ("One", "Two", "Three"))
    assert call.ok("POST", "/archive", {"ids": [two], "reason": "done"}) == {
        "archived": [two],
        "missing": [],
        "count": 1,
        "reason": "done",
    }
    clock.advance(hours=1)
    both = call.ok("POST", "/archive", {"ids": [one, NEVER]})
    assert (both["archived"], both["missing"]) == ([one], [NEVER])
    listed = call.ok("GET", "/archive")["archived"]
    assert [(kept["id"], kept["archive_reason"]) for kept in listed] == [(one, None), (two, "done")]
    assert [kept["id"] for kept in call.ok("GET", "/archive", limit=1)["archived"]] == [one]
    assert call.ids() == [three]
    assert call("GET", f"/memories/{one}").status_code == 404
    assert call.ok("GET", "/archive/stats") == {
        "archived_total": 2,
        "total": 2,
        "by_namespace": [{"namespace": NS, "count": 2}],
    }
    assert call.ok("POST", f"/archive/{two}/restore")["restored"] is True
    assert set(call.ids()) == {two, three}
    assert call.ok("DELETE", f"/archive/{one}") == {"deleted": True, "id": one}
    assert call.ok("GET", "/archive/stats")["total"] == 0
    for method, path in (("POST", f"/archive/{two}/restore"), ("DELETE", f"/archive/{two}"), ("DELETE", "/archive/x")):
        assert call(method, path).status_code == 404
    assert call.ok("POST", f"/archive/{one}/restore")["memory"]["title"] == "One"


# namespaces


def test_a_namespace_inherits_standing_instructions(call: Calls) -> None:
    company = call.stored("Company", "Be kind", namespace="acme")
    team = call.stored("Team", "Write tests", namespace="acme/Team:x")
    call.stored("Deep", namespace="acme/Team:x/deep")
    call.ok("POST", "/namespaces", {"namespace": "acme", "id": company}, 201)
    call.ok("POST", "/namespaces", {"namespace": "acme/Team:x", "id": team}, 201)
    assert call.ok("GET", "/namespaces")["namespaces"] == ["acme", "acme/Team:x", "acme/Team:x/deep"]
    own = call.ok("GET", "/namespaces", namespace="acme/Team:x")
    assert (own["id"], own["memory"]["content"], own["count"]) == (team, "Write tests", 1)
    assert call.ok("GET", "/namespaces", namespace="acme/Team:x/deep")["id"] is None
    inherited = call.ok("GET", "/namespaces", namespace="acme/Team:x/deep", inherit="true")
    assert (inherited["id"], inherited["inherited_from"]) == (team, "acme/Team:x")
    assert [one["id"] for one in inherited["standards"]] == [company, team]
    call.ok("POST", "/namespaces", {"namespace": "other", "id": team, "parent": "acme"}, 201)
    assert call.ok("GET", "/namespaces", namespace="other", inherit=True)["chain"] == ["acme", "other"]
    assert call.ok("DELETE", "/namespaces", namespace="acme/Team:x")["cleared"] is True
    assert call.ok("GET", "/namespaces", namespace="acme/Team:x")["id"] is None
    assert call.ok("GET", f"/memories/{team}")["memory"]["title"] == "Team"
    assert call("POST", "/namespaces", {"namespace": "acme", "id": NEVER}).status_code == 404
    assert call("DELETE", "/namespaces").status_code == 400


def test_a_taxonomy_counts_truly_however_much_is_cut(call: Calls) -> None:
    for name, count in {"top": 1, "top/A:b": 2, "top/A:b/deep": 3, "top/c": 4, "else": 5}.items():
        call.ok(
            "POST",
            "/memories/bulk",
            [{"title": "t", "content": f"{name} {n}", "namespace": name} for n in range(count)],
            201,
        )
    tree = call.ok("GET", "/taxonomy", root="top")
    assert (tree["namespace"], tree["count"], tree["subtree_count"]) == ("top", 1, 10)
    assert [(one["namespace"], one["subtree_count"]) for one in tree["children"]] == [("top/A:b", 5), ("top/c", 4)]
    cut = call.ok("GET", "/taxonomy", prefix="top", depth=1, limit=1)
    assert (cut["subtree_count"], cut["truncated"], len(cut["children"])) == (10, True, 1)
    assert (cut["children"][0]["subtree_count"], cut["children"][0]["children"]) == (5, [])
    assert call.ok("GET", "/taxonomy")["subtree_count"] == 15


# consolidating at once


def test_several_become_one_in_one_write_or_not_at_all(call: Calls, served: Treering) -> None:
    notes = [call.stored(f"Week {n}") for n in range(3)]
    space = space_of(NS)
    before = served.status(space=space).seq
    made = call.ok("POST", "/consolidate", {"ids": notes, "title": "Retro", "namespace": NS}, 201)["id"]
    assert served.status(space=space).seq == before + 1
    links = call.ok("GET", f"/links/{made}")["links"]
    assert sorted(ends_of(links)) == sorted((made, "derived_from", one) for one in notes)
    served.undo(str(before + 1), space=space)
    assert sorted(call.ids()) == sorted(notes)
