"""A countersignature, an entry or an edge that was forged or stolen is refused, and found where it got in."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.conftest import Doors, HandClock
from tests.contract.attesting import ANN, BOB, EVE, ann, bob, known

from treering.door import Treering
from treering.errors import Conflict
from treering.model.changes import Attested, Changes, EdgeAdded, KeyBound
from treering.model.edge import Edge
from treering.model.identity import Identity
from treering.model.journal import Entry, Head, countersign_message, edge_hash, edge_message, seal
from treering.store.contract import Store

__all__ = ["ann", "bob"]


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
