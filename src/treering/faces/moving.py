"""HOW is another memory taken over? Step by step through the door, each step under a key of its own: broken off, it
goes on where it stopped, and done again it changes nothing. What could not be taken is told, and the rest is taken."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from treering.errors import CallerError, Conflict, InvalidRequest
from treering.exchange.importers import ExportRead, RecordAdded, RecordGone, read_export
from treering.faces.frameworks.records import tag_of
from treering.language.masking import Masking
from treering.model import limits
from treering.model.memory import State
from treering.model.value import Value
from treering.values import dataclass

if TYPE_CHECKING:
    from treering.door import Treering

Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class BroughtIn(Value):
    """`form`: whose it was. `known`: steps that were done before. `masked`: secrets by kind. `left_out`: what could not
    be taken, and why."""

    form: str
    space: str
    steps: int = 0
    added: int = 0
    revised: int = 0
    forgotten: int = 0
    archived: int = 0
    known: int = 0
    masked: dict[str, int] = field(default_factory=dict)
    left_out: tuple[str, ...] = ()
    dry_run: bool = False


def bring_in(
    door: Treering,
    path: Path,
    *,
    space: str | None = None,
    mapping: Sequence[str] = (),
    dry_run: bool = False,
    progress: Progress = lambda done, of: None,
) -> BroughtIn:
    masking = Masking(door.masks_secrets)
    taken = read_export(path, mapping, masking)
    if taken is None:
        raise InvalidRequest(
            f"file: {path} is no export that is known; `treering import` takes documents and chats too"
        )
    done = do_steps(door, taken, space or door.bound_space, dry_run=dry_run, progress=progress)
    return replace(done, masked=dict(masking.found))


def do_steps(
    door: Treering, taken: ExportRead, space: str, *, dry_run: bool = False, progress: Progress = lambda done, of: None
) -> BroughtIn:
    counts: dict[str, Any] = {"added": 0, "revised": 0, "forgotten": 0, "archived": 0, "known": 0}
    left_out = list(taken.left_out)
    if dry_run:
        counts["added"] = sum(isinstance(one, RecordAdded) and one.of is None for one in taken.steps)
        counts["revised"] = sum(isinstance(one, RecordAdded) and one.of is not None for one in taken.steps)
        counts["forgotten"] = sum(isinstance(one, RecordGone) for one in taken.steps)
    else:
        mover = _Mover(door, taken.form, space, counts, left_out)
        for number, step in enumerate(taken.steps, 1):
            mover.do(step)
            progress(number, len(taken.steps))
    told = tuple(left_out)
    done = BroughtIn(form=taken.form, space=space, steps=len(taken.steps), left_out=told, dry_run=dry_run)
    return replace(done, **counts)


class _Mover:
    def __init__(self, door: Treering, form: str, space: str, counts: dict[str, int], left_out: list[str]) -> None:
        self._door, self._form, self._space = door, form, space
        self._counts, self._left_out = counts, left_out
        self._ids: dict[str, list[str]] = {}
        """By the key there, the memories that stand for it and for those whose place it took."""

    def do(self, step: RecordAdded | RecordGone) -> None:
        try:
            if isinstance(step, RecordGone):
                self._gone(step)
            else:
                self._add(step)
        except CallerError as error:
            self._left_out.append(f"{step.of if isinstance(step, RecordGone) else step.key}: {error}")

    def _add(self, step: RecordAdded) -> None:
        key, given = self._key(step.key), self._given(step)
        before = self._ids.get(step.of or "", [])
        try:
            receipt = self._written(step, key, given, before)
        except Conflict:  # it says something else than when it was taken last
            receipt = self._renewed(step, key, given)
        ids = [one.id for one in receipt.memories]
        self._ids[step.key] = [*before, *ids]
        name = "known" if receipt.repeated else "revised" if before else "added"
        self._counts[name] += 1

    def _written(self, step: RecordAdded, key: str, given: dict[str, Any], before: Sequence[str]) -> Any:
        if before:
            more = {name: one for name, one in given.items() if name not in ("session", "speaker")}
            return self._door.revise(before[-1], step.content, space=self._space, key=key, extractor="none", **more)
        return self._door.add(step.content, space=self._space, key=key, **given)

    def _renewed(self, step: RecordAdded, key: str, given: dict[str, Any]) -> Any:
        found = self._door.list(space=self._space, tags=(tag_of(key),), order="newest", limit=1).memories
        if not found:
            raise InvalidRequest("it was taken in before, says something else now, and what it said was forgotten here")
        digest = hashlib.sha256(step.content.encode()).hexdigest()[:12]
        more = {name: one for name, one in given.items() if name not in ("session", "speaker")}
        return self._door.revise(
            found[0].id, step.content, space=self._space, key=f"{key[:180]}@{digest}", extractor="none", **more
        )

    def _given(self, step: RecordAdded) -> dict[str, Any]:
        told = {
            "at": step.at,
            "title": step.title,
            "kind": step.kind,
            "meta": dict(step.meta),
            "importance": step.importance,
            "entities": list(step.entities)[: limits.ENTITIES_OF_A_MEMORY],
            "triples": list(step.triples)[: limits.TRIPLES_OF_A_MEMORY],
            "session": step.session,
            "speaker": step.speaker,
            "expires_at": step.expires_at,
        }
        tags = (*step.tags[: limits.TAGS - 2], f"from-{self._form}", tag_of(self._key(step.key)))
        fitting = tuple(tag[: limits.TAG_CHARS] for tag in tags)
        return {"tags": fitting, **{name: one for name, one in told.items() if one not in (None, [], {})}}

    def _gone(self, step: RecordGone) -> None:
        done = False
        for memory_id in self._ids.get(step.of, []):
            state = self._door.get(memory_id, space=self._space).state
            if step.archived and state in (State.ACTIVE, State.PROMOTED):
                self._door.archive(memory_id, space=self._space, why=step.why)
                done = True
            elif not step.archived and state is not State.FORGOTTEN:
                self._door.forget(memory_id, space=self._space, why=step.why)
                done = True
        self._counts["known" if not done else "archived" if step.archived else "forgotten"] += 1

    def _key(self, key: str) -> str:
        whole = f"{self._form}/{key}"
        if len(whole) <= limits.KEY_CHARS - 20:
            return whole
        return f"{self._form}/{hashlib.sha256(whole.encode()).hexdigest()}"


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class ConversationsTaken(Value):
    """What became of an account's conversations, which were too many for one file. `known`: parts of which nothing was
    new."""

    parts: int
    memories: int = 0
    known: int = 0
    notes: tuple[str, ...] = ()
    dry_run: bool = False

    def and_one(self, receipt: Any) -> ConversationsTaken:
        told = (f"part {self.parts + 1}: {one}" for one in receipt.notes)
        return replace(
            self,
            parts=self.parts + 1,
            memories=self.memories + len(receipt.memories),
            known=self.known + receipt.repeated,
            notes=(*self.notes, *told),
            dry_run=receipt.dry_run,
        )


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class TranscriptsTaken(Value):
    """What became of the transcripts of coding agents. `masked`: secrets by kind."""

    transcripts: int
    spaces: tuple[str, ...] = ()
    turns: int = 0
    notes: int = 0
    replaced: int = 0
    masked: dict[str, int] = field(default_factory=dict)
    left_out: tuple[str, ...] = ()
    dry_run: bool = False


def take_transcripts(
    door: Treering,
    paths: Sequence[Path],
    space: str | None,
    person: str | None,
    *,
    dry_run: bool = False,
    progress: Progress = lambda done, of: None,
) -> TranscriptsTaken:
    """Into the space of each one's project, if none is named; then what was promised is done."""
    from treering.exchange.transcripts import read_transcript
    from treering.faces.hooks.project import project_of
    from treering.faces.hooks.taking import TakingTarget, take_turns

    found, turns, notes, replaced = Counter[str](), 0, 0, 0
    spaces: dict[str, None] = {}
    left_out: list[str] = []
    for number, path in enumerate(paths, 1):
        read = read_transcript(path)
        own = space or project_of(read.folder or path.parent).space
        session = f"{read.client}:{read.session or path.stem}"[: limits.NAME_CHARS]
        spaces[own] = None
        taken = take_turns(door, read.turns, TakingTarget(own, session, person))
        turns, notes, replaced = turns + taken.turns, notes + taken.notes, replaced + taken.replaced
        found += taken.masked
        left_out += [f"{path.name}: {one}" for one in taken.trouble]
        left_out += [f"{path.name}: {read.left_out} lines that are no JSON"] if read.left_out else []
        progress(number, len(paths))
    if not dry_run:
        door.run_jobs()
    return TranscriptsTaken(
        transcripts=len(paths), spaces=tuple(spaces), turns=turns, notes=notes, replaced=replaced, masked=dict(found),
        left_out=tuple(left_out), dry_run=dry_run,
    )  # fmt: skip
