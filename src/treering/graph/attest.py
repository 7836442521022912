"""Who else vouches for an edge? An actor puts its own signature under what somebody observed.

What is signed is the edge as it was first written: its ends, relation, observer and window. Closing its window later
does not undo that it was vouched for.
"""

from __future__ import annotations

from treering.errors import Forbidden, InvalidRequest
from treering.model.changes import Attested, Changes, EdgeAdded
from treering.model.edge import Edge
from treering.model.identity import Attestation, attestation
from treering.model.journal import countersign_message, edge_hash
from treering.model.value import Value
from treering.store.contract import Act, EdgeFilter, Event
from treering.store.naming import missing
from treering.values import dataclass


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Vouched(Value):
    """How far the edge is vouched for now. `attested_by` are those who put their signature under it afterwards;
    `changed` is false if the actor had signed it before."""

    edge_id: str
    relation: str
    source_id: str
    target_id: str
    observed_by: str | None
    attestation: Attestation
    attested_by: tuple[str, ...]
    changed: bool


def attest(act: Act, edge_id: str) -> tuple[Changes, Vouched]:
    writer = act.writer
    if writer.identity is None:
        raise InvalidRequest(
            f"actor: {writer.actor!r} has no key to sign with; make one with `treering keys identity`, or open with one"
        )
    found = act.reader.edges(EdgeFilter(ids=(edge_id,), include_closed=True))
    if not found:
        raise missing(act.reader, edge_id, "id", "edge")
    added, peers = _said(act.reader.events(edge_id))
    if added is None or not isinstance(added.change, EdgeAdded):
        raise missing(act.reader, edge_id, "id", "edge")
    edge = added.change.edge
    signed = edge.signature is not None and edge.observed_by == writer.actor
    if signed or writer.actor in peers:
        return Changes("attest"), _vouched(found[0], edge, peers, False)
    if added.actor == writer.actor != edge.observed_by:
        raise Forbidden(
            f"id: {writer.actor!r} wrote edge {edge_id} down for {edge.observed_by!r}; its observer or somebody else "
            "must vouch for it"
        )
    hash_ = edge_hash(edge)
    signature = writer.identity.sign(countersign_message(edge_id, writer.actor, hash_))
    change = Attested(edge_id, writer.actor, hash_, signature)
    return Changes("attest", (change,)), _vouched(found[0], edge, (*peers, writer.actor), True)


def _said(events: list[Event]) -> tuple[Event | None, tuple[str, ...]]:
    """How the edge was written, and who has put a signature under it since."""
    added = next((event for event in events if isinstance(event.change, EdgeAdded)), None)
    return added, tuple(event.change.actor for event in events if isinstance(event.change, Attested))


def _vouched(seen: Edge, written: Edge, peers: tuple[str, ...], changed: bool) -> Vouched:
    by_observer = written.signature is not None or written.observed_by in peers
    return Vouched(
        edge_id=seen.id,
        relation=seen.relation,
        source_id=seen.source_id,
        target_id=seen.target_id,
        observed_by=seen.observed_by,
        attestation=attestation(by_observer, any(one != written.observed_by for one in peers)),
        attested_by=tuple(sorted(peers)),
        changed=changed,
    )
