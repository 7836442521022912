"""What an attack found besides: ids that stand for others, addresses that change something or hold a secret, settings
that a writer could reach, answers without an end, a page without a policy."""

from __future__ import annotations

import base64
import hashlib
from dataclasses import replace
from typing import Any

import pytest
from starlette.testclient import TestClient
from tests.faces.rest.conftest import Serving
from tests.faces.rest.test_access import bearing

from treering.door import OPERATIONS, Treering
from treering.errors import Conflict
from treering.faces.dialects import DIALECTS
from treering.faces.rest.describe import document
from treering.model import limits
from treering.store.verify import Difference

LAB = "/v1/spaces/lab"


def key(served: Treering, role: str, *spaces: str) -> dict[str, str]:
    return bearing(served.key_create(f"{role}-{len(spaces)}", spaces=list(spaces), role=role).secret)


def shadowed(http: TestClient, served: Treering, space: str) -> str:
    """Somebody who may write in `lab` brings a memory under the id of one of another space."""
    theirs = served.add("Theirs", space=space).id
    one = {"id": theirs, "title": "t", "content": "Mine", "namespace": "lab", "tier": "mid"}
    bob = key(served, "write", "lab")
    assert http.post("/api/v1/import", json={"memories": [one]}, headers=bob).json()["imported"] == 1
    return theirs


@pytest.mark.parametrize("space", ["other", "lab/below"])
def test_an_id_that_two_namespaces_have_is_nobodys_until_one_is_named(
    serving: Serving, served: Treering, space: str
) -> None:
    http = serving()
    one, root = shadowed(http, served, space), key(served, "admin", "*")
    ways: list[tuple[str, str, dict[str, Any]]] = [
        ("GET", f"/api/v1/memories/{one}", {}),
        ("PUT", f"/api/v1/memories/{one}", {"json": {"content": "Changed"}}),
        ("DELETE", f"/api/v1/memories/{one}", {}),
        ("GET", f"/api/v1/links/{one}", {}),
        ("POST", "/api/v1/forget", {"json": {"ids": [one]}}),
    ]
    for method, path, more in ways:
        told = http.request(method, path, headers=root, **more)
        assert (told.status_code, "lab" in told.text, space in told.text) == (409, True, True), (method, path)
    said = {name: http.get(f"/api/v1/memories/{one}?namespace={name}", headers=root) for name in ("lab", space)}
    assert [answer.json()["memory"]["content"] for answer in said.values()] == ["Mine", "Theirs"]
    eve = key(served, "read", space, "elsewhere")
    assert http.get(f"/api/v1/memories/{one}", headers=eve).json()["memory"]["content"] == "Theirs"
    deleted = http.delete(f"/api/v1/memories/{one}?namespace=lab", headers=root)
    assert deleted.status_code == 200
    assert served.get(one, space=space).state == "active"
    assert served.get(one, space="lab").state == "forgotten"


def test_nor_do_other_systems_words_choose(serving: Serving, served: Treering) -> None:
    one, root = shadowed(serving(), served, "other"), key(served, "admin", "*")
    told = serving(dialect="crosmos").get(f"/api/v1/memories/{one}", headers=root)
    assert (told.status_code, "other" in told.text) == (409, True)
    longmem = DIALECTS["longmem"]
    with pytest.raises(Conflict, match="in each of lab, other; give its collection"):
        longmem.answer(served, "get_memory", {"memory_id": one})
    assert longmem.answer(served, "get_memory", {"memory_id": one, "collection": "other"})["text"] == "Theirs"


def test_what_was_brought_to_two_namespaces_is_known_when_it_comes_again(serving: Serving, served: Treering) -> None:
    http = serving()
    one, root = shadowed(http, served, "other"), key(served, "admin", "*")
    again = {"id": one, "title": "t", "content": "Mine", "namespace": "lab", "tier": "mid"}
    told = http.post("/api/v1/import", json={"memories": [again]}, headers=root).json()
    assert (told["imported"], told["skipped"], told["ids"]) == (0, 1, {one: one})


def test_the_door_does_not_choose_between_a_space_and_those_below(serving: Serving, served: Treering) -> None:
    one, root = shadowed(serving(), served, "lab/below"), key(served, "admin", "*")
    http = serving()
    assert http.get(f"{LAB}/get?id={one}&children=true", headers=root).status_code == 409
    assert http.get(f"{LAB}/get?id={one}", headers=root).json()["content"] == "Mine"


# addresses


@pytest.mark.parametrize("method", ["GET", "HEAD"])
def test_who_follows_a_link_sets_nothing_back(http: TestClient, method: str) -> None:
    http.get(f"{LAB}/status")
    told = http.request(method, "/v1/timings?reset=true")
    assert told.status_code == 400
    assert "status" in str(http.get("/v1/timings").json())
    assert http.post("/v1/timings", json={"reset": True}).status_code == 200
    assert "status" not in str(http.get("/v1/timings").json())


@pytest.mark.parametrize("path", ["/v1/backup_rehearse", "/v1/backup"])
def test_a_passphrase_is_in_no_address(http: TestClient, path: str) -> None:
    told = http.get(f"{path}?passphrase=some+words+drawn+by+chance")
    assert (told.status_code, "body of a POST" in told.text, "drawn" in told.text) == (400, True, False)


def test_what_does_not_belong_in_an_address_is_not_described_there() -> None:
    marked = {(name, one) for name, each in OPERATIONS.items() for one in each.by_body}
    assert {("timings", "reset"), ("backup", "passphrase"), ("backup_rehearse", "passphrase")} == marked
    for path, ways in document()["paths"].items():
        named = {one["name"] for told in ways.values() for one in told.get("parameters", ()) if one["in"] == "query"}
        assert named.isdisjoint({"passphrase"}), path
    assert not document()["paths"]["/v1/timings"]["get"]["parameters"]


# roles


def test_relations_of_a_space_are_for_its_admin_to_say_and_to_take_back(serving: Serving, served: Treering) -> None:
    http, writer, admin = serving(), key(served, "write", "lab"), key(served, "admin", "lab")
    row = {"name": "mentored by", "gloss": "who mentors somebody", "cardinality": "one"}
    assert http.post(f"{LAB}/relation_set", json=row, headers=writer).status_code == 403
    assert http.post(f"{LAB}/relation_set", json=row, headers=admin).status_code == 200
    seq = served.status().seq
    assert http.post(f"{LAB}/relation_remove", json={"name": "MENTORED_BY"}, headers=writer).status_code == 403
    for dry_run in (True, False):
        told = http.post(f"{LAB}/undo", json={"what": str(seq), "dry_run": dry_run}, headers=writer)
        assert told.status_code == 403
    assert http.post(f"{LAB}/undo", json={"what": str(seq)}, headers=admin).json()["relations"] == ["MENTORED_BY"]


def test_who_may_write_may_say_what_a_space_is_for(serving: Serving, served: Treering) -> None:
    """Making a collection says it, in other systems' words; nothing is decided by it."""
    http, writer, reader = serving(), key(served, "write", "lab"), key(served, "read", "lab")
    assert http.post(f"{LAB}/describe", json={"description": "x"}, headers=reader).status_code == 403
    assert http.post(f"{LAB}/describe", json={"description": "x"}, headers=writer).status_code == 200


# answers


def test_pairs_that_say_the_same_are_told_up_to_a_number(
    http: TestClient, served: Treering, monkeypatch: pytest.MonkeyPatch
) -> None:
    served.add_many([{"content": "The very same"} for _ in range(40)])
    asked = {"find_duplicates": True, "duplicate_threshold": 0.0}
    whole = http.post(f"{LAB}/cluster", json=asked).json()
    assert whole["duplicates_found"] > 100
    assert "more" not in whole["message"]
    monkeypatch.setattr(limits, "DUPLICATES", 25)
    told = http.post(f"{LAB}/cluster", json=asked).json()
    assert (told["duplicates_found"], len(told["duplicates"])) == (25, 25)
    assert "there may be more" in told["message"]
    assert told["duplicates"] == whole["duplicates"][:25]


def test_every_answer_says_what_a_browser_may_do_with_it(http: TestClient) -> None:
    docs = http.get("/docs")
    policy = docs.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "frame-ancestors 'none'" in policy
    assert "unsafe" not in policy
    for path in ("/v1/whoami", f"{LAB}/status", "/healthz", "/openapi.json", "/v1/nothing", "/api/v1/memories"):
        told = http.get(path).headers
        assert told["content-security-policy"] == "default-src 'none'; frame-ancestors 'none'", path
        assert told["x-content-type-options"] == "nosniff", path


def test_the_page_of_the_description_shows_its_own_style(http: TestClient) -> None:
    """By the hash that a browser would make of what stands between the tags."""
    told = http.get("/docs")
    style = told.text.partition("<style>")[2].partition("</style>")[0]
    mark = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    assert f"style-src 'sha256-{mark}'" in told.headers["content-security-policy"]
    assert "<script" not in told.text


def test_asking_for_a_memory_in_ai_memorys_words_counts_as_an_access_of_who_may_write(
    serving: Serving, served: Treering
) -> None:
    """As that system's own document has it."""
    one, http = served.add("Known").id, serving()
    writer, reader = key(served, "write", "lab"), key(served, "read", "lab")
    counts = [
        http.get(f"/api/v1/memories/{one}", headers=who).json()["memory"]["access_count"]
        for who in (reader, writer, reader, writer)
    ]
    assert counts == [0, 1, 1, 2]
    assert http.get(f"{LAB}/get?id={one}", headers=writer).json()["use_count"] == 2


def test_verify_tells_readers_that_all_holds_and_not_how_much_there_is(serving: Serving, served: Treering) -> None:
    http, reader, admin = serving(), key(served, "read", "lab"), key(served, "admin", "lab")
    served.add("Open", entities=["Ada"])
    served.add("Secret", visibility="private", entities=["Lair", "Den"])
    told = http.get(f"{LAB}/verify", headers=reader).json()
    assert (told["ok"], told["entries"], told["spaces"]) == (True, 2, ["lab"])
    assert (told["rows"], told["purged_changes"], told["signatures"], told["edges"]) == (None, None, {}, {})
    whole = http.get(f"{LAB}/verify", headers=admin).json()
    assert (whole["edges"]["unsigned"], whole["rows"] > 0, whole["purged_changes"]) == (3, True, 0)
    every = key(served, "read", "*")
    assert http.get("/v1/verify", headers=every).json()["edges"] == {}


def test_nor_which_private_row_does_not_hold(serving: Serving, served: Treering) -> None:
    secret = served.add("Secret", visibility="private").id
    damaged = served.verify()
    difference = Difference(space="lab", what=f"{secret} differs", seq=1, table="memory", key=secret)
    broken = replace(damaged, ok=False, differences=(difference,)).for_readers()
    assert secret not in str(broken.to_dict())
    assert (broken.ok, broken.differences[0].seq) == (False, 1)
