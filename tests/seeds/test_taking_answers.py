"""Who comes from Crosmos or LongMem brings along what its routes answered, in the state it was in, and can go back."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.exchange.elsewhere import IDS, crosmos, crosmos_answers, longmem, longmem_answers
from tests.faces.command import Here
from tests.seeds.conftest import Tools

from treering.door import Treering
from treering.errors import InvalidRequest
from treering.faces.dialects import DIALECTS


def _as_it_is(value: Any) -> Any:
    return value


def _ask(door: Treering, dialect: str, tool: str, **asked: Any) -> Any:
    return DIALECTS[dialect].answer(door, tool, asked)


def test_what_crosmos_knew_comes_with_types_importance_and_both_times(door: Treering, tmp_path: Path) -> None:
    """Content, type, importance, confidence, event and recording times, accesses, and what was forgotten."""
    done = door.import_memories(str(crosmos(tmp_path, _as_it_is)))
    assert (done.system, done.memories, done.forgotten, done.entities, done.left_out) == ("crosmos", 4, 1, 3, {})
    [space] = done.spaces
    job = door.get(IDS[0], space=space)
    assert (job.kind, job.importance, job.confidence, job.use_count) == ("semantic", 0.9, 0.8, 3)
    assert (str(job.event_time), str(job.said_at)) == ("2025-05-01 00:00:00+00:00", "2025-05-03 14:22:00+00:00")
    assert str(job.last_used) == "2024-01-05 10:00:00+00:00"
    assert door.get(IDS[2], space=space).state == "forgotten"
    assert [one.content for one in door.list(space=space) if one.kind == "viewpoint"] == [
        "User prefers Neovim over VS Code"
    ]


def test_an_edge_of_crosmos_holds_from_when_it_held_there(door: Treering, tmp_path: Path) -> None:
    """`valid_from` decides what was true when; what ended there has ended."""
    done = door.import_memories(str(crosmos(tmp_path, _as_it_is)))
    [space] = done.spaces

    def works(as_of: str) -> list[str]:
        return [one.object for one in door.facts(subject="User", relation="WORKS_FOR", as_of=as_of, space=space)]

    assert works("2024-01-01T00:00:00Z") == ["Google"]
    assert works("2025-06-01T00:00:00Z") == ["Anthropic"]
    assert works("2019-01-01T00:00:00Z") == []
    assert door.entity("ANT", space=space).name == "Anthropic"


def test_a_client_of_crosmos_is_told_what_it_was_told_there(door: Treering, tmp_path: Path) -> None:
    """Its own routes tell the ids and times that were there."""
    door.import_memories(str(crosmos(tmp_path, _as_it_is)))
    for came in crosmos_answers()["memories"]:
        told = _ask(door, "crosmos", "get_memory", id=came["id"], include_forgotten=True)
        same = ("id", "content", "memory_type", "importance_score", "confidence", "access_frequency", "tags", "meta")
        assert {name: told[name] for name in same} == {name: came[name] for name in same}
        for name in ("event_time", "created_at", "forgotten_at", "last_accessed_at"):
            assert (told[name] or "")[:19] == (came[name] or "")[:19], name
    back = _ask(door, "crosmos", "restore_memory", id=IDS[2])
    assert back["forgotten_at"] is None, "what was forgotten there can be restored here"


@pytest.mark.parametrize(("sample", "answers"), [(crosmos, crosmos_answers), (longmem, longmem_answers)])
def test_the_same_answers_again_change_nothing_and_go_back_as_they_came(
    sample: Any, answers: Any, door: Treering, tmp_path: Path
) -> None:
    """Taken in twice with equal results; written down again, every record is as it was, but for what is forgotten."""
    path = sample(tmp_path, _as_it_is)
    first = door.import_memories(str(path))
    seqs = {one.name: one.seq for one in door.spaces()}
    again = door.import_memories(str(path))
    assert (again.memories, again.links, again.known) == (0, 0, first.memories)
    assert {one.name: one.seq for one in door.spaces()} == seqs
    assert door.verify().ok
    [space] = first.spaces
    door.export(str(tmp_path / "back.json"), space=space, format=first.system)
    went = json.loads((tmp_path / "back.json").read_text("utf-8"))
    for name in ("memories", "edges"):
        came = {one["id"]: one for one in answers()[name] if not one.get("forgotten_at")}
        told = {one["id"]: one for one in went[name]}
        assert told.keys() == came.keys()
        for key, one in came.items():
            for field, value in one.items():
                if field not in ("source_id", "target_id") or first.system == "longmem":
                    assert _same(told[key][field], value), (name, key, field)
    again = door.import_memories(str(tmp_path / "back.json"), space="again")
    assert (again.system, again.left_out) == (first.system, {}), "what was written is read again"


def _same(told: Any, came: Any) -> bool:
    if isinstance(told, str) and isinstance(came, str) and came[:4].isdigit():
        return told[:19] == came[:19]
    return bool(told == came)


def test_what_longmem_held_to_be_latest_is_current_and_the_rest_is_history(door: Treering, tmp_path: Path) -> None:
    """Superseded facts are not deleted: the edges preserve history."""
    done = door.import_memories(str(longmem(tmp_path, _as_it_is)))
    assert (done.memories, done.links, done.archived, done.forgotten) == (7, 2, 1, 1)
    [space] = done.spaces
    states = {one.content: str(one.state) for one in door.list(space=space, view="all", limit=20)}
    assert states == {
        "Alex works at Google": "superseded",
        "Alex works at Stripe as a PM": "active",
        "Alex prefers morning meetings": "active",
        "Meeting at 3pm today": "expired",
        "Alex leads the ledger team": "active",
        "An old remark": "archived",
        "Was said by mistake": "forgotten",
    }
    [before] = [one.content for one in door.list(space=space, as_of="2024-01-02T00:00:00Z") if "works" in one.content]
    assert before == "Alex works at Google"


def test_a_client_of_longmem_is_told_what_it_was_told_there(door: Treering, tmp_path: Path) -> None:
    """Its own tools tell type, importance, filing, whether it is latest, and why it was updated."""
    door.import_memories(str(longmem(tmp_path, _as_it_is)))
    tools = Tools(door, "longmem")
    for came in longmem_answers()["memories"][:4]:
        told = tools("get_memory", memory_id=came["id"], collection="team/people")
        assert {name: told[name] for name in came if not name.endswith("_at") and name != "archived"} == {
            name: one for name, one in came.items() if not name.endswith("_at") and name != "archived"
        } | ({"is_latest": False} if came["type"] == "episode" else {})
        assert (told["created_at"][:19], told["updated_at"][:19]) == (came["created_at"][:19], came["updated_at"][:19])
    [related] = [one for one in tools("related_memory", memory_id=IDS[1])["related"] if one["relation"] == "updates"]
    assert (related["id"], related["direction"]) == (IDS[0], "outgoing")


def test_a_folder_with_a_file_for_each_route_is_taken_too(cli: Here, tmp_path: Path) -> None:
    """As somebody saves the answers one by one; `treering import` knows whose they are."""
    folder = tmp_path / "saved"
    folder.mkdir()
    for name, some in crosmos_answers().items():
        if isinstance(some, list):
            (folder / f"{name}.json").write_text(json.dumps({name: some}), "utf-8")
    told = cli("import", str(folder), "--json").json
    assert (told["system"], told["memories"], told["entities"]) == ("crosmos", 4, 3)


def test_what_is_missing_is_named_and_holds_up_nothing(door: Treering, tmp_path: Path) -> None:
    """A memory without words or time, an edge without an end: each is told with the reason."""
    bad = {"memories": [{"id": "a", "memory_type": "semantic", "content": " "}, {"id": "b", "content": "x"}],
           "edges": [{"id": "c", "source": "User", "relation": "USES"}]}  # fmt: skip
    done = door.import_memories(records=bad, system="crosmos")
    assert sorted(done.left_out) == ["a", "b", "c"]
    assert done.left_out["c"] == "source, target: an end has no name; give the entities too"
    bad = {"memories": [{"id": "a", "text": ""}], "edges": [{"relation": "updates", "source_id": "a"}]}
    assert sorted(door.import_memories(records=bad, system="longmem").left_out) == ["a", "edge 1"]
    with pytest.raises(InvalidRequest, match="read from its folder"):
        door.import_memories(records={}, system="cortexgraph")
