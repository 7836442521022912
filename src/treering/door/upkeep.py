"""The part of the door for what time, and those who keep house, do to memories."""

from __future__ import annotations

from dataclasses import replace
from typing import TypeVar

from treering import parameters as p
from treering.door.recalling import Recalls
from treering.ingest.advise.advice import RecallAdvice, SaveAdvice
from treering.operation import READS, REMOVES, WRITES_ONCE, operation
from treering.upkeep.forget import Hidden, set_forgotten
from treering.upkeep.profile import Profile, profile
from treering.upkeep.purge import PurgeReport, purge

T = TypeVar("T")


class Keeps(Recalls):
    """Memories are hidden, brought back and removed."""

    @operation(WRITES_ONCE)
    def forget(self, id: p.Id, *, space: p.Space = None, why: p.Why = None, dry_run: p.DryRun = False) -> Hidden:
        """Hide a memory, and the edges that touch or rest on it, from every reading; nothing is removed."""
        return self._write(space, lambda act: set_forgotten(act.reader, id, True, why), dry_run)

    @operation(WRITES_ONCE)
    def restore(self, id: p.Id, *, space: p.Space = None, why: p.Why = None, dry_run: p.DryRun = False) -> Hidden:
        """Bring back what was forgotten, exactly as it was."""
        return self._write(space, lambda act: set_forgotten(act.reader, id, False, why), dry_run)

    @operation(REMOVES)
    def purge(self, id: p.MemoryId, why: p.Reason, *, space: p.Space = None, dry_run: p.DryRun = False) -> PurgeReport:
        """Remove a memory's bytes everywhere, with all that quotes it. This alone cannot be undone."""
        words = self.get(id, space=space).content
        report = self._write(space, lambda act: purge(act.reader, id, why), dry_run)
        report = replace(report, jobs=self._store.jobs.saying(space or self._space, self._writer.actor, words))
        if dry_run:
            return report
        self._drop_indexes(space or self._space)
        return replace(report, scrubbed=self._store.scrub())

    @operation(READS)
    def profile(
        self,
        entity: p.ProfileOf = None,
        *,
        space: p.Space = None,
        budget_tokens: p.Budget = 1_000,
        limit: p.ProfileLimit = 80,
        as_of: p.AsOf = None,
        known_at: p.KnownAt = None,
        principal: p.Principal = None,
        children: p.Children = False,
    ) -> Profile:
        """What holds of a space or an entity in a few cited sentences: facts and preferences, what matters first."""
        with self._reading(space, as_of, known_at, principal, children) as reader:
            return profile(reader, space or self._space, entity, limit, budget_tokens)

    @operation(READS)
    def analyze_message(self, text: p.Message) -> SaveAdvice:
        """Whether a message is worth remembering: above 0.7 save it, from 0.4 on ask. Changes nothing."""
        from treering.ingest.advise.saving import analyze_message

        return analyze_message(text, self._now())

    @operation(READS)
    def analyze_for_recall(self, text: p.Message) -> RecallAdvice:
        """Whether a message wants something remembered, and what to look for. Changes nothing."""
        from treering.ingest.advise.searching import analyze_for_recall

        return analyze_for_recall(text, self._now())
