"""The part of the door for notes: a vault is searched beside memories, and taken in."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, replace
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from treering import parameters as p
from treering.door.recalling import Recalls
from treering.errors import InvalidRequest
from treering.exchange.vault.importing import VaultImported
from treering.exchange.vault.index import Indexed
from treering.exchange.vault.unified import Unified, UnifiedHit
from treering.ingest.draft import Draft
from treering.language.masking import Masking
from treering.mind.contract import Embedder
from treering.model.memory import SHOWN, WRITTEN_BY, Memory, View, Visibility
from treering.model.value import Value
from treering.operation import READS, WRITES_ONCE, operation
from treering.store.contract import MemoryFilter, Reader, Scope
from treering.upkeep.use import scores
from treering.values import dataclass

if TYPE_CHECKING:
    from treering.exchange.vault.index import IndexedNote
    from treering.exchange.vault.place import Vault
    from treering.exchange.vault.removing import NotesOf

AT_ONCE = 50
"""Notes that are taken in with one write."""


@dataclass(frozen=True, slots=True, repr=False)
class NotesFound(Value):
    """Paths inside the vault, by the id of the memory."""

    notes: dict[str, str]
    count: int


class Notes(Recalls):
    """Notes of an Obsidian vault, beside memories."""

    @operation(READS)
    def search_unified(
        self,
        query: p.AnyQuery = None,
        *,
        tags: p.WithTags = (),
        limit: p.Hits = 10,
        stm_weight: p.MemoryWeight = 1.0,
        ltm_weight: p.NoteWeight = 0.7,
        window_days: p.WindowDays = None,
        min_score: p.LeastDecay = None,
        verbose: p.Verbose = False,
        vault: p.VaultFolder = None,
        space: p.Space = None,
        as_of: p.AsOf = None,
        known_at: p.KnownAt = None,
        principal: p.Principal = None,
        children: p.Children = False,
    ) -> Unified:
        """Search memories and the notes of the vault together, in one ranking; each result says which it is.

        Without a query, what is newest. The vault is indexed as far as it changed since. Without a vault, or at another
        moment than the present, memories alone: a folder has no past.
        """
        from treering.exchange.vault.unified import of_note, unified, written

        scope = self._scope(space, as_of, known_at, principal, children)
        since = None if window_days is None else self._now() - timedelta(days=window_days)
        memories = self._unified_memories(scope, query, MemoryFilter(tags=tuple(tags), since=since), limit, min_score)
        place, notes, told = self._vault_of(vault, needed=False), [], None
        if place is not None and as_of is None and known_at is None:
            with self._store.reader(scope) as reader:
                reads, beside = self._note_embedder(scope.space), [one.content for one in memories]
                hits, shares, told = self._vaults.search(
                    scope.space, place, query, tags, limit, reads, _may_see(reader), beside
                )
            notes = [of_note(hit) for hit in hits]
            # by the measure of notes if that says more: recall's own is made to be compared among memories
            memories = [replace(one, score=max(one.score, share)) for one, share in zip(memories, shares, strict=True)]
        results = unified(memories, notes, (stm_weight, ltm_weight), limit)
        return Unified(
            query=query,
            results=results,
            text=written(query, results, verbose),
            vault=None if told is None else told.vault,
            notes=0 if told is None else told.notes,
            unread=() if told is None else told.unread,
        )

    @operation(READS)
    def index_vault(
        self, vault: p.VaultFolder = None, *, embed: p.EmbedNotes = False, space: p.Space = None
    ) -> Indexed:
        """Bring the index of a vault up to date, as every search does; it lies beside the store and changes nothing."""
        place, name = self._vault_of(vault), space or self._space
        assert place is not None
        return self._vaults.index(name, place, self._note_embedder(name) if embed else None, self._progress)

    @operation(READS)
    def notes_of(self, ids: p.MemoryIds, *, space: p.Space = None) -> NotesFound:
        """Where in the vault the notes of memories lie, by id; those that have none are left out."""
        vault = self._vault_of(None, needed=False)
        if vault is None:
            return NotesFound({}, 0)
        there = self._vaults.notes_of_memories(space or self._space, vault)
        with self._reading(space) as reader:
            found = {one: there[one] for one in ids if one in there and reader.memory(one) is not None}
        return NotesFound(found, len(found))

    @operation(WRITES_ONCE)
    def import_vault(
        self,
        vault: p.VaultFolder = None,
        *,
        space: p.Space = None,
        tags: p.Tags = (),
        meta: p.Meta = None,
        visibility: p.Visibility = Visibility.SPACE,
        embed_later: p.EmbedLater = False,
        dry_run: p.DryRun = False,
    ) -> VaultImported:
        """Remember the notes of a vault: each a source with a memory a section, tags and links with them.

        What is known as it stands is passed over, so it can be broken off and run again. A section that changed takes the
        place of what its note said before.
        """
        place = self._vault_of(vault)
        assert place is not None
        if meta and WRITTEN_BY in meta:
            raise InvalidRequest(f"meta: {WRITTEN_BY} says who has written it, and is written here; leave it out")
        given = Draft(content=str(place.root), tags=tags, meta=meta, visibility=Visibility(visibility))
        return self._import_notes(place, given, space, embed_later, dry_run)

    def _import_notes(
        self, vault: Vault, given: Draft, space: str | None, embed_later: bool, dry_run: bool
    ) -> VaultImported:
        from treering.exchange.vault.importing import read_notes
        from treering.ingest import notes as note_room

        seen, masking = list(vault.notes()), Masking(self._masks_secrets)
        done = VaultImported(
            vault=str(vault.root), space=space or self._space, unread=tuple(vault.passed), dry_run=dry_run
        )
        for start in range(0, len(seen), AT_ONCE):
            read = read_notes(vault, seen[start : start + AT_ONCE], masking)
            texts = [note_room.NoteText(**one) for one in read.notes]
            with self._reading(space) as reader:
                new = note_room.new_among(reader, texts, given, self._writer.actor)
            reading = self._read(space, note_room.drafts_of(new, given), dry_run or embed_later)
            part = self._write(space, lambda act: note_room.add_notes(act, texts, given, reading), dry_run)  # noqa: B023
            done = done.with_part(read, asdict(part))
            self._progress(min(start + AT_ONCE, len(seen)), len(seen))
        return replace(done, masked=dict(masking.found))

    def _write_notes(self, vault: Vault, memory_ids: Sequence[str], space: str | None, dry_run: bool) -> dict[str, str]:
        """A note for each of these memories that has none: its path inside the vault, by id."""
        from treering.exchange.vault.drafting import note_drafts
        from treering.exchange.vault.writing import write_note

        there = self._vaults.notes_of_memories(space or self._space, vault)
        with self._reading(space) as reader:
            drafts = list(note_drafts(reader, memory_ids))
        return {
            draft.memory.id: there.get(draft.memory.id) or write_note(vault, draft, dry_run=dry_run).path
            for draft in drafts
        }

    def _remove_notes(self, purged: Sequence[Memory], dry_run: bool) -> NotesOf:
        """Notes of the vault that quote these. A vault that cannot be looked into holds up no purge, and is named."""
        from treering.exchange.vault.removing import NotesOf, remove_notes

        try:
            place = self._vault_of(None, needed=False) if purged else None
        except InvalidRequest:
            return NotesOf(left=(str(self._vault),))
        return NotesOf() if place is None else remove_notes(place, purged, dry_run, self._progress)

    def _unified_memories(
        self, scope: Scope, query: str | None, which: MemoryFilter, limit: int, least: float | None
    ) -> list[UnifiedHit]:
        """By how well they answer; without a question, by how much is left of them. `least`: only what has so much left."""
        if query is not None:
            from treering.recall.wish import Looking, Wish

            wish = Wish(query=query, limit=limit, view=Looking.CURRENT, which=which, include_source=False)
            hits = [(hit.memory, hit.score, hit.why) for hit in self._finder.recall(scope, wish)]
        with self._store.reader(scope) as reader:
            if query is None:
                newest = reader.memories(replace(which, newest_first=True, limit=limit))
                hits = [(memory, 1.0, "") for memory in newest]
            left = {one.id: one.score for one in scores(reader, [memory.id for memory, _, _ in hits])}
        return [
            _of_memory(memory, min(1.0, left[memory.id]) if query is None else score, why or None)
            for memory, score, why in hits
            if left[memory.id] >= (least or 0.0)
        ]

    def _vault_of(self, given: str | Path | None, needed: bool = True) -> Vault | None:
        from treering.exchange.vault.place import Vault

        path = self._vault if given is None else self._place(given, "vault")
        if path is None and needed:
            raise InvalidRequest("vault: no vault is set; give its folder, or set TREERING_VAULT")
        return None if path is None else Vault.opened(path)

    def _vault_to_write(self, given: str | Path | None, needed: bool) -> Vault | None:
        """Before anything is promoted: that notes can be written there, or nowhere."""
        from treering.exchange.vault.writing import FOLDER

        vault = self._vault_of(given, needed)
        if vault is not None:
            vault.folder(FOLDER, make=False)
        return vault

    def _note_embedder(self, space: str) -> Embedder | None:
        with self._reading(space) as reader:
            return self._minds.reads(reader.setting("embedder"), self._store.embedders(space))


def _of_memory(memory: Memory, score: float, why: str | None) -> UnifiedHit:
    return UnifiedHit(
        kind="memory",
        content=memory.content,
        score=score,
        title=memory.title,
        tags=memory.tags,
        id=memory.id,
        at=memory.said_at,
        why=why,
    )


def _may_see(reader: Reader) -> Callable[[IndexedNote], bool]:
    """A note that was written for a memory is seen by those who see the memory, as long as it holds."""

    def may_see(note: IndexedNote) -> bool:
        if note.memory_id is None:
            return True
        memory = reader.memory(note.memory_id)
        return memory is not None and memory.state in SHOWN[View.CURRENT]

    return may_see
