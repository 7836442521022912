"""Who vouches for an edge: levels, countersignatures, and a report that names each signed edge that was changed."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.conftest import Doors, HandClock

from treering.door import Treering
from treering.errors import Conflict, Forbidden, InvalidRequest, NotFound
from treering.model.changes import Attested, Changes, EdgeAdded, KeyBound
from treering.model.edge import Edge
from treering.model.identity import Identity
from treering.model.journal import Entry, Head, countersign_message, edge_hash, edge_message, seal
from treering.store import open_store
from treering.store.contract import EdgeFilter, Scope, Store

ANN, BOB, EVE = (Identity.from_secret(letter * 42 + "A") for letter in "ABE")


@pytest.fixture
def ann(doors: Doors) -> Treering:
    return doors("ann", identity=ANN)  # type: ignore[no-any-return]


@pytest.fixture
def bob(doors: Doors) -> Treering:
    return doors("bob", identity=BOB)  # type: ignore[no-any-return]


def known(door: Treering, **more: Any) -> str:
    return door.assert_fact("Ada", "KNOWS", "Bo", **more).facts[0].id


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


# forgeries in a chain that is made anew around them


def rechained(entries: list[list[Any]], signers: dict[str, Identity], clock: HandClock) -> list[Entry]:
    """A whole chain with these changes: [actor, change, …] an entry."""
    head, made = Head(), []
    for number, (actor, *changes) in enumerate(entries):
        at = clock.now.replace(microsecond=number)
        entry = seal(
            Changes("x", tuple(changes)), space="lab", head=head, at=at, actor=actor, identity=signers.get(actor)
        )
        made.append(entry)
        head = entry.head()
    return made


def changes_of(store: Store) -> list[list[Any]]:
    return [[entry.actor, *entry.changes()] for entry in store.entries("lab")]


def refused(store: Store, entries: list[Entry], clock: HandClock, tmp_path: Path) -> str:
    """What verify says of a store that took such a journal over by hand; import does not take it."""
    from treering.model.journal import write_line

    path = tmp_path / "forged.jsonl"
    path.write_text("\n".join(write_line(entry) for entry in entries) + "\n")
    with pytest.raises(Conflict) as told:
        Treering(store, clock=clock).import_journal(str(path))
    store.replay(entries)
    [found] = Treering(store, clock=clock).verify().differences
    assert found.what in str(told.value)
    return found.what


def forged(change: Any, **fields: Any) -> Any:
    return replace(change, **fields)


def _signed(edge: Edge) -> Edge:
    return replace(edge, signature=ANN.sign(edge_message(edge)))


def _rewrite(told: list[list[Any]]) -> None:
    edge = _signed(replace(told[0][-1].edge, relation="LIKES"))
    told[0][-1], told[1][2] = EdgeAdded(edge), replace(told[1][2], edge_hash=edge_hash(edge))


FORGERIES: dict[str, tuple[Callable[[list[list[Any]]], None], str]] = {
    "made with a wrong key": (
        lambda told: told[1].__setitem__(
            2,
            forged(
                told[1][2], signature=EVE.sign(countersign_message(told[1][2].edge_id, "bob", told[1][2].edge_hash))
            ),
        ),
        "by 'bob' does not hold",
    ),
    "stolen from the edge itself": (
        lambda told: told[1].__setitem__(2, forged(told[1][2], signature=told[0][-1].edge.signature)),
        "by 'bob' does not hold",
    ),
    "in another's name": (
        lambda told: told[1].__setitem__(2, forged(told[1][2], actor="ann")),
        "by 'ann' was written by 'bob'",
    ),
    "of another edge": (
        lambda told: told[1].__setitem__(2, forged(told[1][2], edge_hash="0" * 64)),
        "is of another edge than was written",
    ),
    "under an edge that was changed afterwards": (
        lambda told: told[0].__setitem__(-1, EdgeAdded(_signed(replace(told[0][-1].edge, relation="LIKES")))),
        "is of another edge than was written",
    ),
    "moved along with an edge that its observer rewrote": (_rewrite, "by 'bob' does not hold"),
    "with a key bound in another's name": (
        lambda told: told[1].__setitem__(1, KeyBound("cy", BOB.public)),
        "binds 'cy' to a key, and was written by 'bob'",
    ),
}


@pytest.mark.parametrize("name", FORGERIES)
def test_a_countersignature_that_is_forged_is_refused_and_found(
    name: str, ann: Treering, bob: Treering, store: Store, new_store: Callable[[str], Store], clock: HandClock,
    tmp_path: Path,
) -> None:  # fmt: skip
    bob.attest(known(ann))
    told = changes_of(store)
    assert [type(one) for one in told[1][1:]] == [KeyBound, Attested]
    twist, said = FORGERIES[name]
    twist(told)
    kind = "reference" if store.describe()["engine"] == "reference" else "memory"
    assert said in refused(new_store(kind), rechained(told, {"ann": ANN, "bob": BOB}, clock), clock, tmp_path)


def test_the_writer_of_anothers_observation_cannot_pass_for_a_peer_even_by_hand(
    store: Store, new_store: Callable[[str], Store], doors: Doors, clock: HandClock, tmp_path: Path
) -> None:
    ann = doors("ann", identity=ANN)
    ann.add("Told", triples=[["Ada", "KNOWS", "Bo"]], observed_by="ghost")
    told = changes_of(store)
    edge = next(one.edge for one in told[0] if isinstance(one, EdgeAdded))
    signature = ANN.sign(countersign_message(edge.id, "ann", edge_hash(edge)))
    told.append(["ann", Attested(edge.id, "ann", edge_hash(edge), signature)])
    what = refused(new_store("memory"), rechained(told, {"ann": ANN}, clock), clock, tmp_path)
    assert "is by who wrote the edge down for another" in what


def test_an_entry_stolen_from_another_journal_does_not_fit_its_chain(
    store: Store, new_store: Callable[[str], Store], ann: Treering, doors: Doors, clock: HandClock
) -> None:
    known(ann)
    clock.advance(hours=1)
    doors("ann", identity=ANN, space="vault").assert_fact("Ada", "OWNS", "Vault")
    [stolen] = store.entries("vault")
    for posing in (replace(stolen, space="lab"), replace(stolen, space="lab", seq=2)):
        there = new_store("memory")
        with pytest.raises(Conflict, match=r"cannot be taken over|histories parted"):
            there.replay([*store.entries("lab"), posing])


def test_an_edge_stolen_from_another_actor_is_not_self_signed(
    store: Store, new_store: Callable[[str], Store], ann: Treering, clock: HandClock, tmp_path: Path
) -> None:
    """Eve writes down, in an entry of her own, an edge with the signature that Ann made for it."""
    known(ann)
    [[_, bound, *made]] = changes_of(store)
    chain = rechained([["eve", KeyBound("eve", EVE.public), *made]], {"eve": EVE}, clock)
    there = new_store("memory")
    assert isinstance(bound, KeyBound)
    assert "the signature of edge" in refused(there, chain, clock, tmp_path)
    [broken] = Treering(there).verify().tampered
    assert (broken.actor, broken.relation) == ("eve", "KNOWS")


# tampering with the file


@pytest.fixture
def signed_file(tmp_path: Path, clock: HandClock) -> tuple[Path, str]:
    """A file with one signed and countersigned fact, and the fact's id."""
    path = tmp_path / "signed.db"
    store = open_store(str(path))
    ann, bob = (
        Treering(store, clock=clock, actor=name, identity=key, space="lab")
        for name, key in (("ann", ANN), ("bob", BOB))
    )
    edge = known(ann, valid_until="2030-01-01T00:00:00Z")
    bob.attest(edge)
    ann.assert_fact("Ada", "LIKES", "Tea")
    store.close()
    return path, edge


def tampered(path: Path, sql: str, *params: Any) -> Any:
    with closing(sqlite3.connect(path)) as raw, raw:
        assert raw.execute(sql, params).rowcount == 1
    store = open_store(str(path))
    try:
        return Treering(store).verify()
    finally:
        store.close()


OTHER = "01900000-0000-7000-8000-000000000000"
SIGNED_FIELDS = {
    "source_id": OTHER,
    "target_id": OTHER,
    "relation": "HATES",
    "observed_by": "eve",
    "valid_from": 0,
    "valid_until": 1_600_000_000_000_000,
    "signature": EVE.sign(b"x"),
}


@pytest.mark.parametrize("column", SIGNED_FIELDS)
def test_a_signed_field_changed_in_the_table_names_the_edge_and_the_field(
    signed_file: tuple[Path, str], column: str
) -> None:
    path, edge = signed_file
    found = tampered(path, f"UPDATE edge SET {column} = ? WHERE id = ?", SIGNED_FIELDS[column], edge)
    [broken] = found.tampered
    assert not found.ok
    assert (broken.space, broken.edge_id, broken.relation, broken.actor) == ("lab", edge, "KNOWS", "ann")
    assert broken.what.startswith(f"{column} is ")
    assert broken.what.endswith(" in the journal, for which the signature holds")
    assert edge in str(broken)


def test_what_differs_is_told_with_both_values(signed_file: tuple[Path, str]) -> None:
    path, edge = signed_file
    found = tampered(path, "UPDATE edge SET valid_until = ? WHERE id = ?", SIGNED_FIELDS["valid_until"], edge)
    assert found.tampered[0].what == (
        "valid_until is 2020-09-13T12:26:40Z in the table, 2030-01-01T00:00:00Z in the journal, "
        "for which the signature holds"
    )


JOURNAL_FIELDS = {
    "relation": ('"relation":"KNOWS"', '"relation":"HATES"'),
    "observed_by": ('"observed_by":"ann"', '"observed_by":"eve"'),
    "valid_until": ("2030-01-01T00:00:00Z", "2031-01-01T00:00:00Z"),
    "valid_from": ('"valid_from":"2026-', '"valid_from":"2025-'),
}


@pytest.mark.parametrize("column", JOURNAL_FIELDS)
def test_a_signed_field_changed_in_the_journal_names_the_edge_and_the_field(
    signed_file: tuple[Path, str], column: str
) -> None:
    path, edge = signed_file
    found = tampered(path, "UPDATE journal SET payload = REPLACE(payload, ?, ?) WHERE seq = 1", *JOURNAL_FIELDS[column])
    [broken] = found.tampered
    assert (broken.edge_id, broken.actor) == (edge, "ann")
    assert broken.what.startswith(f"{column} is ")
    assert broken.what.endswith(" in the table, for which the signature holds")
    assert [one.seq for one in found.differences] == [1]


def test_an_end_changed_in_the_journal_and_the_table_is_named_for_neither_holds(signed_file: tuple[Path, str]) -> None:
    path, edge = signed_file
    with closing(sqlite3.connect(path)) as raw, raw:
        raw.execute("UPDATE edge SET relation = 'LOVES' WHERE id = ?", (edge,))
    found = tampered(path, "UPDATE journal SET payload = REPLACE(payload, 'KNOWS', 'HATES') WHERE seq = 1")
    assert found.tampered[0].what == (
        "relation is HATES in the journal, LOVES in the table, and the signature holds for neither"
    )
    with closing(sqlite3.connect(path)) as raw, raw:
        raw.execute("UPDATE edge SET relation = 'HATES' WHERE id = ?", (edge,))
    store = open_store(str(path))
    [broken] = Treering(store).verify().tampered
    store.close()
    assert broken.what == "its signature does not hold for what the journal says"


@pytest.mark.parametrize(
    ("sql", "said"),
    [
        ("UPDATE attestation SET signature = 'x' WHERE edge_id = ?", "the countersignature of bob: signature is x"),
        ("DELETE FROM attestation WHERE edge_id = ?", "the countersignature of bob: is in the journal, and gone"),
        ("UPDATE attestation SET actor = 'eve' WHERE edge_id = ?", "the countersignature of eve: is in the table, and"),
        (
            "UPDATE edge_window SET valid_until = 7 WHERE edge_id = ?",
            "the window known from 2026-01-01T12:00:00Z: valid",
        ),
    ],
)
def test_a_countersignature_or_window_changed_in_the_table_names_the_edge(
    signed_file: tuple[Path, str], sql: str, said: str
) -> None:
    path, edge = signed_file
    found = tampered(path, sql, edge)
    assert any(one.edge_id == edge and one.what.startswith(said) for one in found.tampered), found.tampered


def test_a_countersignature_changed_in_the_journal_names_the_edge(signed_file: tuple[Path, str]) -> None:
    path, edge = signed_file
    found = tampered(
        path, 'UPDATE journal SET payload = REPLACE(payload, \'"signature":"\', \'"signature":"x\') WHERE seq = 2'
    )
    [broken] = found.tampered
    assert (broken.edge_id, broken.relation, broken.actor) == (edge, "KNOWS", "bob")
    assert broken.what == "the countersignature of bob does not hold"


def test_what_is_not_signed_is_a_difference_and_no_broken_signature(signed_file: tuple[Path, str]) -> None:
    path, edge = signed_file
    found = tampered(path, "UPDATE edge SET confidence = 0.5 WHERE id = ?", edge)
    assert (found.ok, found.tampered) == (False, ())
    assert [one.key for one in found.differences] == [edge]


def test_every_edge_that_was_tampered_with_is_named_and_the_doctor_mends_them(tmp_path: Path, clock: HandClock) -> None:
    store = open_store(str(tmp_path / "many.db"))
    ann = Treering(store, clock=clock, actor="ann", identity=ANN, space="lab")
    ids = sorted(ann.assert_fact("Ada", "KNOWS", f"P{n}").facts[0].id for n in range(5))
    with closing(sqlite3.connect(tmp_path / "many.db")) as raw, raw:
        raw.execute("UPDATE edge SET relation = 'HATES' WHERE id IN (?, ?)", ids[1:3])
        raw.execute("DELETE FROM edge_window WHERE edge_id = ?", (ids[4],))
        raw.execute("DELETE FROM edge WHERE id = ?", (ids[4],))
    found = ann.verify()
    assert sorted({one.edge_id for one in found.tampered}) == [ids[1], ids[2], ids[4]]
    assert ann.doctor(repair=True).ok
    assert ann.verify().tampered == ()
    store.close()


def test_an_edge_changed_after_an_entry_that_cannot_be_read_is_named_too(tmp_path: Path, clock: HandClock) -> None:
    path = tmp_path / "torn.db"
    store = open_store(str(path))
    ann = Treering(store, clock=clock, actor="ann", identity=ANN, space="lab")
    ann.assert_fact("Ada", "KNOWS", "Bo")
    ann.assert_fact("Ada", "KNOWS", "Cy")
    last = ann.assert_fact("Ada", "KNOWS", "Di").facts[0].id
    store.close()
    with closing(sqlite3.connect(path)) as raw, raw:
        raw.execute("UPDATE journal SET payload = 'torn' WHERE seq = 2")
    found = tampered(path, "UPDATE journal SET payload = REPLACE(payload, 'KNOWS', 'HATES') WHERE seq = 3")
    assert last in {one.edge_id for one in found.tampered}


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
