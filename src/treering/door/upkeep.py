"""The part of the door for what time, and those who keep house, do to memories."""

from __future__ import annotations

from dataclasses import replace
from typing import TypeVar

from treering import parameters as p
from treering.door.notes import Notes
from treering.door.reading import open_reader_late
from treering.door.upkeep_space import DoorUpkeepSpace
from treering.errors import InvalidRequest
from treering.graph.support import stale
from treering.ingest.advise.advice import RecallAdvice, SaveAdvice
from treering.model import limits
from treering.model.changes import Changes, Purged
from treering.model.memory import Memory, State
from treering.operation import READS, REMOVES, WRITES, WRITES_ONCE, operation
from treering.store.contract import Act
from treering.store.leaving import leaving
from treering.timings import Timed
from treering.upkeep import expire as expire_room
from treering.upkeep import gc as gc_room
from treering.upkeep import promote as promote_room
from treering.upkeep import survey as survey_room
from treering.upkeep import use as use_room
from treering.upkeep.auto_recall import AutoRecalled, AutoRecallPolicy
from treering.upkeep.expire import Expired
from treering.upkeep.forget import (
    Archived,
    Forgetting,
    Hidden,
    Match,
    archive,
    clear_matches,
    forget_found,
    forget_one,
    restore_one,
)
from treering.upkeep.gc import Collected
from treering.upkeep.health import Elsewhere, Health, health
from treering.upkeep.profile import WrittenProfile, profile
from treering.upkeep.promote import Promoted
from treering.upkeep.purge import PurgeReport, purge, same_words
from treering.upkeep.review import counted
from treering.upkeep.smooth import smoothed
from treering.upkeep.survey import Surveyed, Which
from treering.upkeep.use import Observation, Touched

T = TypeVar("T")


class Keeps(Notes):
    """Memories are used, fade, are put away, brought back and removed."""

    @operation(WRITES)
    def touch(
        self, id: p.MemoryId, boost: p.Boost = False, *, space: p.Space = None, dry_run: p.DryRun = False
    ) -> Touched:
        """Record that a memory was used: it counts once more and fades anew from now. Answers old and new score."""
        return self._write(space, lambda act: use_room.touch(act, id, boost), dry_run)

    @operation(WRITES)
    def observe(
        self,
        ids: p.UsedIds,
        context_tags: p.ContextTags = (),
        *,
        space: p.Space = None,
        dry_run: p.DryRun = False,
    ) -> Observation:
        """Record which memories were really used in an answer, so that what proves useful stays.

        One that was of use in another domain, where the tags of the conversation and its own have little in common,
        grows stronger. A space can switch this off (setting `reinforcement`).
        """
        return self._write(space, lambda act: use_room.observe(act, ids, context_tags), dry_run)

    @operation(READS)
    def scores(
        self,
        ids: p.MemoryIds,
        *,
        space: p.Space = None,
        known_at: p.KnownAt = None,
        principal: p.Principal = None,
        children: p.Children = False,
    ) -> p.Scores:
        """How much is left of memories: decay score and band, uses, strength, and when each will have faded."""
        with self._reading(space, None, known_at, principal, children) as reader:
            return use_room.scores(reader, ids)

    @operation(READS)
    def survey(
        self,
        which: p.WhichStanding = Which.ACTIVE,
        *,
        offset: p.Offset = 0,
        limit: p.Limit = 50,
        most: p.MostSurveyed = None,
        space: p.Space = None,
        known_at: p.KnownAt = None,
        principal: p.Principal = None,
        children: p.Children = False,
    ) -> Surveyed:
        """Memories of one standing, a page of them with scores, names and links, and averages over all of them."""
        with self._reading(space, None, known_at, principal, children) as reader:
            return survey_room.survey(reader, Which(which), offset, limit, most)

    @operation(WRITES_ONCE)
    def forget(
        self,
        id: p.IdOrQuery = None,
        *,
        query: p.ForgetQuery = None,
        confirm: p.Confirm = None,
        limit: p.Hits = 10,
        space: p.Space = None,
        why: p.Why = None,
        dry_run: p.DryRun = False,
    ) -> Hidden | Forgetting:
        """Hide a memory, its edges and what was told in parts of its words from every reading; nothing is removed.

        With a query instead of an id it only shows what would be hidden; the same again with the token it answers as
        `confirm` hides exactly that.
        """
        if (id is None) == (query is None):
            raise InvalidRequest("id: give the id of a memory or edge, or a query; one of the two")
        if id is not None:
            if confirm is not None:
                raise InvalidRequest("confirm: goes with a query; an id needs none")
            return self._write(space, lambda act: forget_one(act, id, why), dry_run)
        assert query is not None
        door = self.unnoticed().without_judge()  # who judges lifts what answers beyond what relevance tells apart
        answer = door.recall(query, space=space, limit=limit, view="current", include_source=False)
        hits = [Match(id=hit.memory.id, content=hit.memory.content, relevance=hit.score) for hit in answer]
        found = clear_matches(hits, by_meaning="semantic" in answer.signals)
        return self._write(space, lambda act: forget_found(act, query, found, confirm, why), dry_run)

    @operation(WRITES_ONCE)
    def archive(
        self, id: p.MemoryId, *, space: p.Space = None, why: p.Why = None, dry_run: p.DryRun = False
    ) -> Archived:
        """Put a memory away, out of lists and answers about what holds. Its id still finds it; `restore` undoes it."""
        return self._write(space, lambda act: archive(act.reader, id, why), dry_run)

    @operation(WRITES_ONCE)
    def restore(self, id: p.Id, *, space: p.Space = None, why: p.Why = None, dry_run: p.DryRun = False) -> Hidden:
        """Bring back what was forgotten or archived, exactly as it was."""
        return self._write(space, lambda act: restore_one(act.reader, id, why), dry_run)

    @operation(WRITES_ONCE)
    def gc(
        self,
        *,
        dry_run: p.Preview = True,
        archive: p.Archive = True,
        limit: p.MostCollected = None,
        space: p.Space = None,
    ) -> Collected:
        """Put away what has faded below the threshold, the weakest first. Only shows it, unless dry_run is false.

        Nothing is ever purged. What is identity-defining, was promoted, or is what others rest on stays.
        """
        with self._reading(space) as reader:
            found = gc_room.weakest(reader, limit)
        return self._write(space, lambda act: gc_room.collect(act, found, archive), dry_run)

    @operation(WRITES_ONCE)
    def promote(
        self,
        id: p.PromoteId = None,
        *,
        auto: p.Auto = False,
        dry_run: p.DryRun = False,
        target: p.PromotionTarget = None,
        force: p.Force = False,
        limit: p.MostCollected = None,
        vault: p.VaultFolder = None,
        space: p.Space = None,
    ) -> Promoted:
        """Make what has proved itself long-term: a high score, or many uses of late, and older than a day.

        Give an id, or `auto` for all that meet the criteria. What does not is refused with what it lacks, unless forced.
        Where there is a vault each gets a note, if all may see the memory; a note that is there is never changed.
        """
        if (id is None) == (not auto):
            raise InvalidRequest("id: give the id of a memory, or auto to look for candidates; one of the two")
        if auto and force:
            raise InvalidRequest("force: is for one memory by id; auto would promote everything")
        place = None if target == "long" else self._vault_to_write(vault, needed=target == "obsidian")
        with self._reading(space) as reader:
            chosen = promote_room.promising(reader, limit) if id is None else promote_room.one_memory(reader, id)
        to = "long" if place is None else "obsidian"
        done = self._write(space, lambda act: promote_room.promote(act, chosen, force, to), dry_run)
        if place is None:
            return done
        before = [one.id for one in done.refused if one.id == id and self.get(id, space=space).state is State.PROMOTED]
        return replace(done, notes=self._write_notes(place, [*done.promoted_ids, *before], space, dry_run))

    @operation(WRITES_ONCE)
    def expire(self, *, dry_run: p.DryRun = False, limit: p.MostCollected = None, space: p.Space = None) -> Expired:
        """Put away what outlived its tier, if the space has lifetimes for tiers, and say what is past its own time."""
        with self._reading(space) as reader:
            found = expire_room.over(reader, limit)
        return self._write(space, lambda act: expire_room.expire(act, found), dry_run)

    @operation(READS)
    def health(
        self,
        *,
        space: p.Space = None,
        known_at: p.KnownAt = None,
        principal: p.Principal = None,
        children: p.Children = False,
    ) -> Health:
        """How a space is doing: what there is, what fades, what is in doubt, and when it was last looked after."""
        upkeep, run = DoorUpkeepSpace(self, space or self._space), self._store.tending.run(space or self._space)
        with self._reading(space, None, known_at, principal, children) as reader:
            waiting = sum(counted(upkeep, reader).values())
            ended = None if run is None or known_at is not None else run.ended_at
            old = len(stale(reader, limits.BATCH))
            return health(reader, upkeep.space, Elsewhere(stale=old, review_backlog=waiting, last_upkeep=ended))

    @operation(REMOVES)
    def purge(self, id: p.PurgedId, why: p.Reason, *, space: p.Space = None, dry_run: p.DryRun = False) -> PurgeReport:
        """Remove a memory's bytes everywhere, with all that quotes it. This alone cannot be undone.

        Also of a source that no memory rests on, by its id. Notes of the vault that quote it go too, if Treering wrote
        them and nobody has changed them since; others are named.
        """
        words, quoted, purged = list[str](), list[Memory](), list[Purged]()

        def planned(act: Act) -> tuple[Changes, PurgeReport]:
            changes, report = purge(act.reader, id, why)
            changes = Changes("purge", (*changes, *leaving(act, report.memories, "purged")))
            quoted[:] = [one for each in report.memories if (one := act.reader.memory(each)) is not None]
            source = None if quoted else act.reader.source(id)
            words[:] = [source.content] if source else [one.content for one in quoted if one.id == id]
            purged[:] = [one for one in changes if isinstance(one, Purged)]
            return changes, report

        report = self._write(space, planned, dry_run)
        if not dry_run:
            # the bytes first: whatever happens in the vault, they are gone
            self._drop_indexes(space or self._space)
            report = replace(report, scrubbed=self._store.scrub())
            report = self._probed(space, report, purged[0], words[0])
        report = replace(report, jobs=self._store.jobs.saying(space or self._space, self._writer.actor, words[0]))
        notes = self._remove_notes(quoted, dry_run)
        return replace(report, notes_removed=notes.removed, notes_left=notes.left)

    def _probed(self, space: str | None, report: PurgeReport, purged: Purged, words: str) -> PurgeReport:
        """With what is found of it now that all is done."""
        ids = {one.id for one in purged.gone}
        seen = self._store.probe(space or self._space, ids, min((cut.seq for cut in purged.cuts), default=1))
        with self._reading(space) as reader:
            found = tuple(same_words(reader, words, ()))
        return replace(report, probed=len(seen.places), remains=seen.found, found=found)

    @operation(READS)
    def profile(
        self,
        entity: p.ProfileOf = None,
        *,
        space: p.Space = None,
        budget_tokens: p.Budget = 1_000,
        limit: p.ProfileLimit = 80,
        smooth: p.Smooth = "auto",
        as_of: p.AsOf = None,
        known_at: p.KnownAt = None,
        principal: p.Principal = None,
        children: p.Children = False,
    ) -> WrittenProfile:
        """What holds of a space or an entity in a few cited sentences: facts and preferences, what matters first.

        Where a language model reads the space, it also words them in the third person: each still says what its memory
        says, and else stays as it was said.
        """
        with self._reading(space, as_of, known_at, principal, children) as reader:
            told = profile(reader, space or self._space, entity, limit, budget_tokens)
            by_model = reader.setting("extractor") or self._extractors.default
        if smooth == "never" or (smooth == "auto" and by_model != "llm"):
            return told
        if self._wording is None:
            return replace(told, trouble="no language model is set up; TREERING_LLM and its like say how to reach one")
        return smoothed(told, self._wording.of(space or self._space))

    @operation(READS)
    def analyze_message(self, text: p.Message) -> SaveAdvice:
        """Whether a message is worth remembering: above 0.7 save it, from 0.4 on ask. Changes nothing."""
        from treering.ingest.advise.saving import analyze_message

        return analyze_message(text, self._now(), open_reader_late)

    @operation(WRITES)
    def auto_recall(
        self,
        text: p.Message,
        *,
        context_tags: p.ContextTags = (),
        space: p.Space = None,
        dry_run: p.DryRun = False,
    ) -> AutoRecalled:
        """Keep alive what a message speaks of: the nearest memories count as used, each once in five minutes.

        A message that only asks, or says too little, reinforces nothing. A space can switch this off, and set how near
        and how often (setting `auto_recall`).
        """
        from treering.ingest.advise.talk import topics_of

        policy = AutoRecallPolicy(**self._setting("auto_recall", space))
        if not policy.enabled:
            return AutoRecalled(enabled=False, reason="auto_recall is switched off in this space", dry_run=dry_run)
        topics = topics_of(text, open_reader_late)
        if not topics:
            reason = "the message only asks, or says too little to be about anything"
            return AutoRecalled(reason=reason, dry_run=dry_run)
        answer = self.unnoticed().recall(text, space=space, limit=policy.most, view="current", include_source=False)
        least = policy.relevance * max((hit.score for hit in answer), default=0.0)
        found = [hit.memory for hit in answer if hit.score >= least]
        ready = [one.id for one in policy.ready(found, self._now())]
        if ready:
            self.observe(ready, [*context_tags, *topics][: limits.TAGS], space=space, dry_run=dry_run)
        return AutoRecalled(
            topics=tuple(topics),
            found=tuple(one.id for one in found),
            reinforced=tuple(ready),
            cooling=tuple(one.id for one in found if one.id not in ready),
            reason=None if found else "nothing that is known has to do with it",
            dry_run=dry_run,
        )

    @operation(READS)
    def timings(self, reset: p.ResetTimings = False) -> Timed:
        """How long operations take in this process, each by name; they can be set back after being told."""
        told = self._timings.told()
        if reset:
            self._timings.reset()
        return told

    @operation(READS)
    def analyze_for_recall(self, text: p.Message) -> RecallAdvice:
        """Whether a message wants something remembered, and what to look for. Changes nothing."""
        from treering.ingest.advise.searching import analyze_for_recall

        return analyze_for_recall(text, self._now(), open_reader_late)
