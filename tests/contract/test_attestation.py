"""Who vouches for an edge: levels and countersignatures, everywhere they are shown."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.conftest import Doors, HandClock
from tests.contract.attesting import ANN, BOB, EVE, ann, bob, known

from treering.door import Treering
from treering.errors import Forbidden, InvalidRequest, NotFound
from treering.store.contract import EdgeFilter, Scope, Store

__all__ = ["ann", "bob"]


def level(door: Treering, **more: Any) -> str:
    [fact] = door.facts(relation="KNOWS", **more)
    return fact.attestation.value


# levels


def test_an_edge_of_an_actor_without_a_key_is_unsigned_everywhere_it_is_shown(mem: Treering) -> None:
    stated = mem.assert_fact("Ada", "KNOWS", "Bo").facts[0]
    assert stated.attestation == level(mem) == mem.history(stated.id).attestation == "unsigned"
    assert mem.verify().edges == {"unsigned": 1, "self_signed": 0, "peer_attested": 0}


def test_an_edge_that_its_observer_signed_is_self_signed_everywhere_it_is_shown(ann: Treering) -> None:
    stated = ann.assert_fact("Ada", "KNOWS", "Bo").facts[0]
    assert stated.attestation == level(ann) == ann.history(stated.id).attestation == "self_signed"
    link = ann.link(ann.add("one").id, ann.add("two").id)
    assert link.edge.attestation == "self_signed"
    assert ann.verify().edges == {"unsigned": 0, "self_signed": 2, "peer_attested": 0}


def test_an_edge_that_somebody_else_countersigned_is_peer_attested_everywhere_it_is_shown(
    ann: Treering, bob: Treering, clock: HandClock
) -> None:
    edge = known(ann)
    before = clock.now
    clock.advance(days=1)
    told = bob.attest(edge)
    assert (told.attestation, told.attested_by, told.changed) == ("peer_attested", ("bob",), True)
    assert (told.relation, told.observed_by) == ("KNOWS", "ann")
    assert level(ann) == ann.history(edge).attestation == "peer_attested"
    assert [(one.type, one.what, one.actor) for one in ann.history(edge).events][1:] == [
        ("attested", "vouched for by bob", "bob")
    ]
    assert level(ann, known_at=before) == "self_signed"
    assert ann.verify().edges == {"unsigned": 0, "self_signed": 0, "peer_attested": 1}


def test_an_edge_that_nobody_signed_can_be_vouched_for_by_another_and_by_its_observer(
    doors: Doors, bob: Treering
) -> None:
    edge = known(doors("ann"))
    assert doors("ann", identity=ANN).attest(edge).attestation == "self_signed"
    assert level(bob) == "self_signed"
    assert bob.verify().edges["self_signed"] == 1
    assert bob.attest(edge).attested_by == ("ann", "bob")
    assert level(bob) == "peer_attested"
    assert bob.verify().edges["peer_attested"] == 1


def test_vouching_again_or_for_what_one_signed_changes_nothing(ann: Treering, bob: Treering) -> None:
    edge = known(ann)
    bob.attest(edge)
    seq = ann.status().seq
    assert not bob.attest(edge).changed
    assert not ann.attest(edge).changed
    assert ann.attest(edge).attestation == "peer_attested"
    assert ann.status().seq == seq


def test_what_is_written_down_for_another_is_not_signed_nor_vouched_for_by_the_writer(
    ann: Treering, doors: Doors, bob: Treering
) -> None:
    ann.add("Bo told me", triples=[["Ada", "KNOWS", "Bo"]], observed_by="bob")
    [fact] = ann.facts()
    assert fact.attestation == "unsigned"
    with pytest.raises(Forbidden, match=r"'ann' wrote edge .* down for 'bob'; its observer or somebody else"):
        ann.attest(fact.id)
    assert bob.attest(fact.id).attestation == "self_signed"
    assert doors("eve", identity=EVE).attest(fact.id).attestation == "peer_attested"
    assert ann.verify().ok


def test_who_has_no_key_cannot_vouch_and_is_told_how_to_make_one(ann: Treering, doors: Doors) -> None:
    edge = known(ann)
    with pytest.raises(InvalidRequest, match="'cy' has no key to sign with; make one with `treering keys identity`"):
        doors("cy").attest(edge)
    with pytest.raises(NotFound, match="id: there is no edge"):
        ann.attest(ann.add("no edge").id)


def test_an_edge_stays_vouched_for_when_its_window_is_closed_and_is_out_of_sight_when_forgotten(
    ann: Treering, bob: Treering, clock: HandClock
) -> None:
    edge = known(ann)
    clock.advance(days=1)
    ann.invalidate("Ada", "Bo", "KNOWS")
    assert bob.attest(edge).attestation == "peer_attested"
    assert level(ann, include_closed=True) == "peer_attested"
    assert ann.verify().ok
    ann.forget(edge)
    with pytest.raises(NotFound):
        bob.attest(edge)


def test_a_purge_takes_countersignatures_along(ann: Treering, bob: Treering, store: Store) -> None:
    said = ann.add("Ada knows Bo", triples=[["Ada", "KNOWS", "Bo"]])
    [fact] = ann.facts()
    bob.attest(fact.id)
    ann.purge(said.id, "asked to")
    found = ann.verify()
    assert (found.ok, found.edges["peer_attested"]) == (True, 0)
    payloads = "".join(entry.payload() for entry in store.entries("lab"))
    assert "edge_hash" not in payloads
    assert all(row.table != "attestation" for row in store.rows("lab"))


def test_an_attestation_cannot_be_undone(ann: Treering, bob: Treering) -> None:
    bob.attest(known(ann))
    with pytest.raises(InvalidRequest, match="cannot be undone: attested"):
        bob.undo(str(bob.status().seq))


def test_signers_are_listed_by_space_and_name_as_far_as_they_were_known(
    doors: Doors, ann: Treering, clock: HandClock
) -> None:
    ann.add("one")
    before = clock.now
    clock.advance(hours=1)
    doors("bob", identity=BOB).add("two")
    doors("bob", identity=EVE, space="lab/deep").add("three")
    doors("cy").add("four")
    told = [(one.space, one.actor, one.public_key) for one in ann.signers(children=True)]
    assert told == [("lab", "ann", ANN.public), ("lab", "bob", BOB.public), ("lab/deep", "bob", EVE.public)]
    assert [one.actor for one in ann.signers()] == ["ann", "bob"]
    assert [(one.actor, one.since) for one in ann.signers(known_at=before)] == [("ann", before)]


# elsewhere


@pytest.mark.parametrize("kind", ["reference", "sqlite"])
def test_a_journal_taken_over_elsewhere_keeps_its_levels(
    ann: Treering, bob: Treering, kind: str, new_store: Callable[[str], Store], tmp_path: Path, clock: HandClock
) -> None:
    one = known(ann)
    ann.add("Ada likes tea", triples=[["Ada", "LIKES", "Tea"]])
    bob.attest(one)
    ann.export(str(tmp_path / "out.jsonl"))
    there = Treering(new_store(kind), clock=clock, actor="cy", space="lab")
    there.import_journal(str(tmp_path / "out.jsonl"))
    assert {fact.relation: fact.attestation.value for fact in there.facts()} == {
        "KNOWS": "peer_attested",
        "LIKES": "self_signed",
    }
    assert there.verify().edges == ann.verify().edges


# both stores


def test_reference_and_sqlite_agree_on_levels_at_every_known_time(
    new_store: Callable[[str], Store], clock: HandClock
) -> None:
    stores = [new_store("reference"), new_store("sqlite")]
    first = Treering(stores[0], clock=clock, actor="ann", identity=ANN, space="lab")
    moments = [clock.now]
    ids = [known(first), known(Treering(stores[0], clock=clock, actor="cy", space="lab"))]
    for key, name in ((BOB, "bob"), (EVE, "eve")):
        for edge in ids:
            moments.append(clock.advance(hours=1))
            Treering(stores[0], clock=clock, actor=name, identity=key, space="lab").attest(edge)
    stores[1].replay(stores[0].entries("lab"))
    told: list[list[list[str]]] = []
    for store in stores:
        levels = []
        for moment in moments:
            with store.reader(Scope("lab", clock.now, known_at=moment)) as reader:
                levels.append([edge.attestation.value for edge in reader.edges(EdgeFilter(include_closed=True))])
        told.append(levels)
    assert told[0] == told[1]
    assert told[0][0] == ["self_signed"]
    assert told[0][1] == ["peer_attested", "unsigned"]
    assert told[0][-1] == ["peer_attested", "peer_attested"]
