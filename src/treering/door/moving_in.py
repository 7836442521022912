"""The part of the door by which another memory is taken over, with the state that it was in."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from treering import parameters as p
from treering.access.rights import Role
from treering.door.ground import Ground
from treering.errors import CallerError, InvalidRequest
from treering.graph.entities import register
from treering.graph.gather import gather, speaking_of
from treering.ingest.moved import TakenOver, draft_of, new_among, take_in
from treering.ingest.reading import Reading
from treering.language.masking import Masking
from treering.model.changes import Changes
from treering.model.memory import written
from treering.model.moved import MovedEntity, MovedIn, MovedLink, MovedMemory, MovedRecords
from treering.operation import WRITES_ONCE, operation
from treering.store.contract import Act


class MovesIn(Ground):
    """What another system kept becomes ours."""

    @operation(WRITES_ONCE)
    def import_memories(
        self,
        path: p.OtherMemory = None,
        *,
        records: p.OtherRecords = None,
        system: p.OtherSystem = None,
        space: p.Space = None,
        dry_run: p.DryRun = False,
    ) -> MovedIn:
        """Take another memory over with its state: ids, times, uses, what was archived or promoted, and links.

        A storage folder of CortexGraph, an export or database of ai-memory, or what the routes of Crosmos or LongMem
        answered, saved as JSON; namespaces and collections become spaces unless one is named. What was taken over before
        is not taken twice, and stays as it has become here.
        """
        from treering.exchange.others import read_other, records_of

        if (path is None) == (records is None):
            raise InvalidRequest("path: give the path of a folder or file, or records; one of the two")
        masking = Masking(self._masks_secrets)
        moved = (
            read_other(self._place(path, "path"), system, masking)
            if path is not None
            else records_of(records, system, masking)
        )
        return replace(self._moved_in(moved, space, dry_run), masked=dict(masking.found))

    def _moved_in(self, moved: MovedRecords, space: str | None, dry_run: bool) -> MovedIn:
        moved = moved if self._at_hand else self._attributed_moves(moved)
        for name in {*(one.space for one in moved.memories), *(one.space for one in moved.entities)}:
            self._must_open(space or name, Role.WRITE)  # before anything is written
        left_out, parts, entities = dict(moved.left_out), dict[str, TakenOver](), 0
        by_space: dict[str, list[MovedMemory]] = {}
        for one in moved.memories:
            by_space.setdefault(space or one.space or self._space, []).append(one)
        where = {one.id: name for name, some in by_space.items() for one in some}
        for number, link in enumerate(moved.links, 1):
            ends = where.get(link.source_id), where.get(link.target_id)
            if None in ends or ends[0] != ends[1]:
                told = "leads to something that is not there" if None in ends else "joins two namespaces; name a space"
                left_out[link.id or f"link {number}"] = told
        for name, some in by_space.items():
            links = [one for one in moved.links if where.get(one.source_id) == where.get(one.target_id) == name]
            with self._reading(name) as reader:
                new = new_among(reader, moved.system, some)
            reading = self._read(name, [draft_of(moved.system, one) for one in new], dry_run, self._progress)
            parts[name] = self._write(name, _plan(moved.system, some, links, reading), dry_run)
            left_out |= parts[name].left_out
        for entity in moved.entities:
            try:
                if not dry_run:
                    self._registered(entity, space)
                entities += 1
            except CallerError as error:
                left_out[entity.name] = str(error)
        taken = {one for part in parts.values() for one in part.new}
        return MovedIn(
            system=moved.system,
            spaces=tuple(by_space),
            memories=len(taken),
            known=sum(len(part.known) for part in parts.values()),
            links=sum(part.links for part in parts.values()),
            archived=sum(one.archived is not None for one in moved.memories if one.id in taken),
            promoted=sum(one.promoted is not None for one in moved.memories if one.id in taken),
            forgotten=sum(one.forgotten is not None for one in moved.memories if one.id in taken),
            entities=entities,
            left_out=left_out,
            dry_run=dry_run,
        )

    def _attributed_moves(self, moved: MovedRecords) -> MovedRecords:
        """What comes from elsewhere is held to who brings it: others' names take the right to report for them, and who
        has written it is not theirs to say."""
        writer = self._writer.actor
        reported = {*(one.observed_by for one in moved.memories), *(one.observed_by for one in moved.links)}
        for name in reported - {None, writer}:
            if self._holder is not None:
                self._holder.may_report_for(str(name))
        return replace(
            moved,
            memories=tuple(replace(one, meta=written(one.meta, one.observed_by, writer)) for one in moved.memories),
            links=tuple(replace(one, meta=written(one.meta, one.observed_by, writer)) for one in moved.links),
        )

    def _registered(self, entity: MovedEntity, space: str | None) -> None:
        name = space or entity.space
        made = self._write(name, lambda act: register(act, entity.name, entity.aliases, entity.kind))
        with self._reading(name) as reader:
            meant = reader.entity(made.entity_id)
            ids = [] if meant is None else speaking_of(reader, meant)
        self._write(name, lambda act: gather(act, ids, frozenset({made.entity_id})))


def _plan(
    system: str, memories: Sequence[MovedMemory], links: Sequence[MovedLink], reading: Reading
) -> Callable[[Act], tuple[Changes, TakenOver]]:
    return lambda act: take_in(act, system, memories, links, reading)
