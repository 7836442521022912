"""`verify` finds a signature that was stripped, replaced, moved or made for something else."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any

from tests.conftest import HandClock
from tests.contract.damage import SECRET, Bench

from treering.door import Treering
from treering.model.identity import Identity
from treering.store.contract import Store


def signed_rows(bench: Bench) -> list[dict[str, Any]]:
    return [row for row in bench.rows("journal") if row["signature"]]


SWAP = "UPDATE journal SET signature = ? WHERE space_id = ? AND seq = ?"


def test_a_signature_that_is_stripped_replaced_or_moved_names_its_entry(bench: Bench) -> None:
    rows = signed_rows(bench)
    assert len(rows) > 10
    stranger = Identity.generate()
    for row, neighbour in list(pairwise(rows))[::4]:
        signature = row["signature"]
        respelled = signature[:-1] + {"A": "B", "Q": "R", "g": "h", "w": "x"}[signature[-1]]
        for wrong in (None, "", "!", stranger.sign(bytes.fromhex(row["hash"])), neighbour["signature"], respelled):
            found = bench.verify_after(SWAP, (wrong, row["space_id"], row["seq"]))
            assert [one.seq for one in found.differences] == [row["seq"]], wrong


def test_a_signature_on_an_entry_whose_actor_has_no_key_is_not_taken_for_one(bench: Bench) -> None:
    row = next(row for row in bench.rows("journal") if row["actor"] == "bob")
    found = bench.verify_after(SWAP, (Identity.generate().sign(b"x"), row["space_id"], row["seq"]))
    assert [one.seq for one in found.differences] == [row["seq"]]


def test_verify_counts_who_vouches_for_what(bench: Bench) -> None:
    bench.write(bench.healthy)
    found = bench.verify()
    signed = len(signed_rows(bench))
    assert found.signatures == {"unsigned": found.entries - signed, "self_signed": signed, "peer_attested": 0}
    assert found.spaces == ("lab", "other")
    assert set(found.heads) == {"lab", "other"}
    assert found.purged_changes > 0
    assert found.rows > 100


def test_an_edge_whose_signature_was_made_for_another_edge_is_named(
    new_store: Callable[[str], Store], clock: HandClock
) -> None:
    """Even when the whole chain around it is forged anew: only the actor can sign an edge."""
    from treering.model.changes import Changes, EdgeAdded, KeyBound
    from treering.model.journal import edge_message, seal

    identity = Identity.from_secret(SECRET)
    for kind in ("reference", "memory"):
        store, other = new_store(kind), new_store(kind)
        door = Treering(store, clock=clock, actor="ann", identity=identity, space="lab")
        door.assert_fact("Ada", "KNOWS", "Bo")
        [entry] = store.entries("lab")
        bound, *made, said = entry.changes() if callable(entry.changes) else entry.changes
        assert isinstance(bound, KeyBound)
        assert isinstance(said, EdgeAdded)
        assert identity.sign(edge_message(said.edge)) == said.edge.signature
        turned = EdgeAdded(
            type(said.edge)(
                **{
                    name: getattr(said.edge, name)
                    for name in ("id", "space", "relation", "valid_from", "recorded_at", "observed_by", "signature")
                },
                source_id=said.edge.target_id,
                target_id=said.edge.source_id,
            )
        )
        forged = seal(
            Changes("assert_facts", (bound, *made, turned)),
            space="lab",
            head=type(store.head("lab"))(),
            at=entry.at,
            actor="ann",
            identity=identity,
        )
        other.replay([forged])
        [found] = Treering(other).verify().differences
        assert (found.seq, said.edge.id in found.what) == (1, True)
