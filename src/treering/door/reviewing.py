"""The part of the door for what waits for somebody to decide, here and in an issue tracker."""

from __future__ import annotations

from typing import TypeVar

from treering import parameters as p
from treering.door.tending import Tends
from treering.model.review import ReviewItem, ReviewKind, ReviewStatus, Urgency
from treering.operation import READS, WRITES, WRITES_ONCE, operation
from treering.upkeep import beads
from treering.upkeep import review as review_room
from treering.upkeep.review import Proposed, Reviewed

T = TypeVar("T")


class Reviews(Tends):
    """What is in doubt is decided."""

    @operation(READS)
    def review_list(
        self,
        kind: p.OneReviewWord = None,
        *,
        status: p.ReviewState = None,
        urgency: p.OneUrgency = None,
        limit: p.Limit = 50,
        space: p.Space = None,
        principal: p.Principal = None,
    ) -> p.ReviewItems:
        """What waits for somebody to decide, the most urgent first; or, by status, what was decided."""
        chosen = (kind and ReviewKind(kind), status and ReviewStatus(status), urgency and Urgency(urgency))
        with self._reading(space, principal=principal) as reader:
            return review_room.listed(self._upkeep_space(space), reader, *chosen, limit)

    @operation(READS)
    def review_get(self, id: p.ReviewId, *, space: p.Space = None, principal: p.Principal = None) -> ReviewItem:
        """One review item: the memories it is about, why, and what applying it would do."""
        with self._reading(space, principal=principal) as reader:
            return review_room.one_item(self._upkeep_space(space), reader, id)

    @operation(WRITES_ONCE)
    def review_create(
        self,
        kind: p.ReviewWord,
        action: p.Action,
        *,
        memory_ids: p.About = (),
        entity_ids: p.AboutEntities = (),
        urgency: p.ReviewUrgency = "medium",
        proposal: p.Proposal = None,
        reason: p.ReviewReason = "",
        space: p.Space = None,
    ) -> ReviewItem:
        """Put something before whoever decides. The same again is answered, not doubled."""
        about = (tuple(memory_ids), action, proposal or {}, reason, tuple(entity_ids))
        return review_room.create(self._upkeep_space(space), Proposed(ReviewKind(kind), Urgency(urgency), *about))

    @operation(WRITES_ONCE)
    def review_claim(
        self, id: p.ReviewId, *, lease_seconds: p.ClaimSeconds = 900.0, space: p.Space = None
    ) -> ReviewItem:
        """Take an item: nobody else can decide it until your time has run out."""
        return review_room.claim(self._upkeep_space(space), id, lease_seconds)

    @operation(WRITES)
    def review_apply(self, id: p.ReviewId, *, note: p.Note = None, space: p.Space = None) -> Reviewed:
        """Do what an item proposes, in one write, and close it. `undo` with its seq takes it back."""
        upkeep = self._upkeep_space(space)
        done = review_room.apply(upkeep, id, note)
        beads.ended(upkeep, done.item, note)
        return done

    @operation(WRITES)
    def review_dismiss(self, id: p.ReviewId, *, note: p.Note = None, space: p.Space = None) -> ReviewItem:
        """Decide against an item: nothing changes, and the same is not asked again."""
        return self._ended(id, ReviewStatus.DISMISSED, note, space)

    @operation(WRITES)
    def review_close(self, id: p.ReviewId, *, note: p.Note = None, space: p.Space = None) -> ReviewItem:
        """Close an item that was dealt with in some other way."""
        return self._ended(id, ReviewStatus.CLOSED, note, space)

    def _ended(self, item_id: str, status: ReviewStatus, note: str | None, space: str | None) -> ReviewItem:
        """With the issue that stands for it, where a tracker knows it."""
        upkeep = self._upkeep_space(space)
        item = review_room.close(upkeep, item_id, status, note)
        beads.ended(upkeep, item, note)
        return item

    @operation(WRITES_ONCE)
    def review_reopen(self, id: p.ReviewId, *, space: p.Space = None) -> ReviewItem:
        """Have a decision made once more: the item waits again. `undo` takes back what was applied."""
        return review_room.reopen(self._upkeep_space(space), id)

    # the same in the words of an issue tracker

    @operation(WRITES_ONCE)
    def create_consolidation_issue(
        self,
        agent: p.AgentWord,
        memory_ids: p.About,
        action: p.Action,
        urgency: p.ReviewUrgency = "medium",
        *,
        space: p.Space = None,
    ) -> beads.Issue:
        """Make an issue labelled consolidation:<agent>, in the tracker beads if it is installed, else a review item.

        Only ids go to the tracker, never words; what concerns a private memory stays in the review queue.
        """
        return beads.create(self._upkeep_space(space), agent, tuple(memory_ids), action, urgency)

    @operation(READS)
    def query_consolidation_issues(
        self,
        agent: p.OneAgent = None,
        status: p.IssueStatus = "open",
        *,
        limit: p.Limit = 50,
        space: p.Space = None,
        principal: p.Principal = None,
    ) -> p.Issues:
        """Issues of the agents, in the tracker beads if it is installed, and in the review queue."""
        with self._reading(space, principal=principal) as reader:
            return beads.query(self._upkeep_space(space), reader, agent, status, limit)

    @operation(WRITES)
    def claim_issue(self, id: p.IssueId, *, space: p.Space = None) -> bool:
        """Take an issue; false if somebody else has it or it is closed."""
        return beads.claim(self._upkeep_space(space), id)

    @operation(WRITES)
    def close_issue(self, id: p.IssueId, reason: p.IssueReason, *, space: p.Space = None) -> beads.Issue:
        """Close an issue, with how it was dealt with."""
        return beads.close(self._upkeep_space(space), id, reason)
