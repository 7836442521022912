"""What is known leaves in other forms: records, notes and graphs, with its times, and nothing that may not be seen."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import pytest
from tests.conftest import HandClock

import treering
from treering.errors import Conflict, InvalidRequest
from treering.exchange.forms.graphml import NAMESPACE

ODD = 'He said "no" \\ & left <b>at once</b>\x07'


@pytest.fixture
def mem(clock: HandClock) -> Iterator[treering.Treering]:
    with treering.open(":memory:", clock=clock, embedder="none", actor="ann") as opened:
        opened.assert_fact("Ada", "WORKS_FOR", "Engine Ltd", valid_from="2010-01-01", valid_until="2015-01-01")
        opened.add(ODD, entities=[{"name": "Bo", "kind": "person"}], tags=["odd", "one"], speaker="Cy")
        opened.add("Ada lives in Rome", triples=[("Ada", "LIVES_IN", "Rome")], title="Home")
        opened.add("Only Dan may know", visibility="private", observed_by="dan", entities=["Secret Club"])
        gone = opened.add("Better forgotten").id
        opened.forget(gone)
        yield opened


def records(path: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def test_records_have_a_memory_a_line_with_what_it_mentions_and_states(mem: treering.Treering, tmp_path: Path) -> None:
    done = mem.export(str(tmp_path / "out.jsonl"), format="jsonl")
    told = records(tmp_path / "out.jsonl")
    assert (done.entries, done.format) == (2, "jsonl")
    assert [one["content"] for one in told] == [ODD, "Ada lives in Rome"]
    assert (told[0]["speaker"], told[0]["entities"], told[0]["tags"]) == ("Cy", ["Bo"], ["odd", "one"])
    [fact] = told[1]["facts"]  # type: ignore[misc]
    assert (fact["subject"], fact["relation"], fact["object"]) == ("Ada", "LIVES_IN", "Rome")


def test_a_graph_has_every_entity_and_memory_and_the_times_of_its_edges(mem: treering.Treering, tmp_path: Path) -> None:
    done = mem.export(str(tmp_path / "out.graphml"))
    root = ElementTree.parse(tmp_path / "out.graphml").getroot()

    def told(element: ElementTree.Element) -> dict[str, str]:
        return {one.attrib["key"].split("_", 1)[1]: one.text or "" for one in element}

    nodes = {one.attrib["id"]: told(one) for one in root.iter(f"{{{NAMESPACE}}}node")}
    edges = [(one.attrib, told(one)) for one in root.iter(f"{{{NAMESPACE}}}edge")]
    assert done.entries == len(nodes) + len(edges)
    assert {one["name"] for one in nodes.values() if one["label"] == "Entity"} == {"Ada", "Engine Ltd", "Bo", "Rome"}
    assert ODD.replace("\x07", "\ufffd") in {one.get("content") for one in nodes.values()}
    works = next((ends, said) for ends, said in edges if said["relation"] == "WORKS_FOR")
    assert [nodes[works[0][end]]["name"] for end in ("source", "target")] == ["Ada", "Engine Ltd"]
    assert (works[1]["valid_from"][:10], works[1]["valid_until"][:10]) == ("2010-01-01", "2015-01-01")
    declared = {one.attrib["id"] for one in root.iter(f"{{{NAMESPACE}}}key")}
    assert {one.attrib["key"] for one in root.iter(f"{{{NAMESPACE}}}data")} <= declared


def test_cypher_makes_every_node_before_the_edges_between_them(mem: treering.Treering, tmp_path: Path) -> None:
    done = mem.export(str(tmp_path / "out.cypher"))
    statements = [line for line in (tmp_path / "out.cypher").read_text("utf-8").split("\n") if line]
    made = [line for line in statements if line.startswith("MERGE (n:")]
    tied = [line for line in statements if line.startswith("MATCH (a:")]
    assert done.entries == len(made) + len(tied) == len(statements) - 2
    assert statements.index(tied[0]) > statements.index(made[-1])
    assert all(line.endswith(";") for line in statements)
    assert any("[r:WORKS_FOR {" in line and 'valid_until: "2015-01-01' in line for line in tied)
    assert any("(a:Memory {" in line and "[r:MENTIONS {" in line and "(b:Entity {" in line for line in tied)
    assert any(json.dumps(ODD) in line for line in made)


def test_notes_are_a_vault_with_a_note_for_each_memory_that_holds(mem: treering.Treering, tmp_path: Path) -> None:
    done = mem.export(str(tmp_path / "vault"), format="markdown")
    notes = {path.relative_to(tmp_path / "vault").as_posix(): path for path in (tmp_path / "vault").rglob("*.md")}
    assert (done.entries, len(notes)) == (2, 2)
    assert notes["default/Home.md"].read_text("utf-8").rstrip().endswith("\nAda lives in Rome")


@pytest.mark.parametrize("form", ["jsonl", "graphml", "cypher", "markdown"])
def test_what_is_private_to_others_or_forgotten_stays_here(mem: treering.Treering, tmp_path: Path, form: str) -> None:
    target = tmp_path / "out"
    mem.export(str(target), format=form)
    written = [one for one in (target, *target.rglob("*")) if one.is_file()]
    everything = "".join(one.read_text("utf-8") + one.name for one in written)
    assert "Rome" in everything
    assert "Only Dan" not in everything
    assert "Secret Club" not in everything
    assert "Better forgotten" not in everything


def test_one_space_leaves_alone(mem: treering.Treering, tmp_path: Path) -> None:
    mem.add("Elsewhere", space="other")
    assert mem.export(str(tmp_path / "a.jsonl"), format="jsonl", space="other").entries == 1
    assert mem.export(str(tmp_path / "b.jsonl"), format="jsonl").entries == 3


@pytest.mark.parametrize("form", ["journal", "jsonl", "graphml", "cypher", "markdown"])
def test_nothing_is_overwritten(mem: treering.Treering, tmp_path: Path, form: str) -> None:
    (tmp_path / "there").write_text("mine")
    with pytest.raises(Conflict, match="exists already"):
        mem.export(str(tmp_path / "there"), format=form)
    assert [one.name for one in tmp_path.iterdir()] == ["there"]
    assert (tmp_path / "there").read_text() == "mine"


def test_the_ending_tells_the_form_and_one_that_promises_something_else_is_refused(
    mem: treering.Treering, tmp_path: Path
) -> None:
    assert mem.export(str(tmp_path / "out.jsonl")).format == "journal"
    assert mem.export(str(tmp_path / "out")).format == "journal"
    assert mem.export(str(tmp_path / "out.cql")).format == "cypher"
    for name in ("out.csv", "out.md", "out.json"):
        with pytest.raises(InvalidRequest, match="does not say in which form to write; give a format"):
            mem.export(str(tmp_path / name))
