"""The part of the door for those who look into who did what: the audit trail of a server."""

from __future__ import annotations

from treering import parameters as p
from treering.access import audit as audit_room
from treering.access.audit import AuditExport, AuditPage, AuditVerification
from treering.door.ground import Ground
from treering.files import OnDisk
from treering.model.time import utc_or_none
from treering.operation import READS, operation
from treering.store.trail import TrailFilter


class Audits(Ground):
    """What a server has recorded, where it was told to (TREERING_AUDIT)."""

    @operation(READS)
    def audit_search(
        self,
        *,
        space: p.OneSpace = None,
        children: p.Children = False,
        kinds: p.AuditKinds = (),
        caller: p.OfCaller = None,
        key: p.OfKey = None,
        request: p.OfRequest = None,
        operation: p.OfOperation = None,
        outcome: p.Outcome = None,
        since: p.AuditSince = None,
        until: p.AuditUntil = None,
        after: p.AfterRecord = 0,
        order: p.AuditOrder = "newest",
        limit: p.Limit = 50,
    ) -> AuditPage:
        """Who read what, signed in, was refused or took something out: the server's records, by whatever is known."""
        asked = TrailFilter(
            kinds=tuple(kinds),
            space=space,
            children=children,
            caller=caller,
            key=key,
            request=request,
            operation=operation,
            outcome=outcome,
            since=utc_or_none(since, "since"),
            until=utc_or_none(until, "until"),
            after=after,
            newest_first=order == "newest",
        )
        return audit_room.page(self._store.trail, asked, limit)

    @operation(READS)
    def audit_export(self, path: p.NewFile, *, since: p.AuditSince = None, until: p.AuditUntil = None) -> AuditExport:
        """Write the audit trail as JSON Lines, each record with its hash: the chain can be checked without a store."""
        target = self._place(path, "path")
        asked = TrailFilter(since=utc_or_none(since, "since"), until=utc_or_none(until, "until"))
        shown = str(path) if isinstance(path, OnDisk) else target.name
        return audit_room.export(self._store.trail, target, asked, shown)

    @operation(READS)
    def audit_verify(self, *, seen: p.SeenHead = None) -> AuditVerification:
        """Recompute the hash chain of the audit trail.

        Note the head that it tells in another place: given later, it shows whether records were taken from the end.
        """
        return audit_room.verify(self._store.trail, seen)
