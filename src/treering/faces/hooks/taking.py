"""WHAT becomes of a transcript? Its turns are remembered as jobs, word for word but for secrets, in the space of the
project; what a later session must know is kept as notes beside them, and a later note takes the place of an earlier.

Nothing is written twice: every turn and note has a key of its own, so that a reading that broke off is done again.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import field
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from treering.errors import Conflict, TreeringError
from treering.exchange.transcripts import read_transcript
from treering.exchange.transcripts.later import KeptSentence, replaces
from treering.exchange.transcripts.notable import Notable, What, notables
from treering.exchange.transcripts.turn import TranscriptTurn
from treering.language.masking import Masking
from treering.model.limits import KEY_CHARS, PAGE
from treering.values import dataclass

if TYPE_CHECKING:
    from treering.door import Treering
    from treering.model.memory import Memory

NOTE = "coding-note"
"""The tag of notes; each has its kind as a second one."""
TURN = "coding-turn"
_IMPORTANCE = {What.INSTRUCTION: 0.85, What.DECISION: 0.8, What.COMMAND: 0.7, What.FIX: 0.7, What.OPEN: 0.65}


@dataclass(slots=True)
class TranscriptTaken:
    """What was taken of one transcript. `masked`: secrets by kind; `trouble`: what could not be taken, and why."""

    turns: int = 0
    notes: int = 0
    replaced: int = 0
    masked: Counter[str] = field(default_factory=Counter)
    end: int = 0
    trouble: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class TakingTarget:
    """Into which space, under which session; `person` is the space of what is meant for all projects."""

    space: str
    session: str
    person: str | None = None


def take(
    door: Treering, path: Path | None, told: Sequence[TranscriptTurn], where: TakingTarget, start: int = 0
) -> TranscriptTaken:
    """What a transcript says from `start` on; only without a transcript what the event itself told, for it stands there
    under another id."""
    if path is None or not path.exists():
        return take_turns(door, told, where, start)
    read = read_transcript(path, start)
    return take_turns(door, read.turns, where, read.end)


def take_turns(door: Treering, turns: Iterable[TranscriptTurn], where: TakingTarget, end: int = 0) -> TranscriptTaken:
    masking = Masking(door.masks_secrets)
    clean = masking.value(list(turns))
    taken = TranscriptTaken(end=end, masked=masking.found)
    for turn in clean:
        if turn.text:
            taken.turns += _promise(door, turn, where, taken)
    notes = notables(clean)
    taken.notes, taken.replaced = keep_notes(door, notes, where.space, where.session)
    everywhere = [one for one in notes if one.everywhere]
    if where.person is not None and everywhere:
        keep_notes(door, everywhere, where.person, where.session)
    return taken


def _promise(door: Treering, turn: TranscriptTurn, where: TakingTarget, taken: TranscriptTaken) -> int:
    """What a person says is read as the space reads; what agents and tools say is kept as it stands."""
    now = door.now()
    try:
        promised = door.enqueue(
            turn.text,
            space=where.space,
            speaker=turn.role,
            session=where.session,
            at=turn.at,
            key=_key("turn", where.session, turn.id),
            tags=(TURN,),
            extractor=None if turn.role == "user" else "none",
        )
    except Conflict:
        return 0  # a turn that was longer when it was read again: what was said first stays
    except TreeringError as error:
        taken.trouble.append(f"turn {turn.id}: {error}")
        return 0
    return int(promised.created_at >= now)  # else it was promised before


def keep_notes(door: Treering, notes: Sequence[Notable], space: str, session: str) -> tuple[int, int]:
    """How many were kept, and how many of those before made way."""
    if not notes:
        return 0, 0
    there = notes_of(door, space)
    kept = made_way = 0
    for note in notes:
        if any(_is_same(one, note) for one in there):
            continue
        older = [one for one in there if _is_before(one, note) and replaces(note, kept_of(one))]
        if note.what is What.DONE and not older:
            continue
        newer = [one for one in there if not _is_before(one, note) and _takes_place(one, note)]
        added = _written(door, note, older, space, session)
        if added is None:
            continue
        for one in newer:
            door.link(one.id, added.id, "supersedes", space=space, why="said later")
        gone = {one.id for one in older}
        there = [one for one in there if one.id not in gone] + ([] if newer else [added])
        kept, made_way = kept + 1, made_way + len(older)
    return kept, made_way


def notes_of(door: Treering, space: str) -> list[Memory]:
    """Those that hold, the newest last."""
    found: list[Memory] = []
    cursor = None
    while True:
        page = door.list(space=space, tags=(NOTE,), limit=PAGE, cursor=cursor)
        found += page.memories
        cursor = page.next
        if cursor is None:
            return found


class NotesKept:
    """The notes of spaces, read again only where something was written since."""

    def __init__(self, door: Treering) -> None:
        self._door = door
        self._read: dict[str, tuple[int, list[Memory]]] = {}

    def of(self, space: str) -> list[Memory]:
        seq = next((one.seq for one in self._door.spaces(prefix=space) if one.name == space), 0)
        known = self._read.get(space)
        if known is None or known[0] != seq:
            known = self._read[space] = seq, notes_of(self._door, space) if seq else []
        return known[1]


def kept_of(memory: Memory) -> KeptSentence:
    told = memory.meta
    return KeptSentence(
        str(told.get("what") or ""), str(told.get("text") or ""), told.get("purpose"), bool(told.get("told", True))
    )


def _written(door: Treering, note: Notable, older: Sequence[Memory], space: str, session: str) -> Memory | None:
    text = f"To {note.purpose}: {note.text}" if note.what is What.COMMAND else note.text
    meta = {"what": note.what.value, "text": note.text, "purpose": note.purpose, "told": note.told, "session": session}
    how: dict[str, Any] = {
        "tags": (NOTE, note.what.value),
        "meta": {name: one for name, one in meta.items() if one is not None},
    }
    key = _key("note", session, note.key)
    if older:
        receipt = door.revise(
            older[-1].id, text, space=space, at=note.at, key=key, why="said later", extractor="none",
            importance=_IMPORTANCE.get(note.what, 0.6), **how,
        )  # fmt: skip
    else:
        receipt = door.add(
            text, space=space, at=note.at, key=key, session=session, speaker="user" if note.told else "tool",
            importance=_IMPORTANCE.get(note.what, 0.6), **how,
        )  # fmt: skip
    if receipt.repeated or not receipt.memories:
        return None
    added = door.get(receipt.memories[-1].id, space=space)
    for one in older[:-1]:
        door.link(added.id, one.id, "supersedes", space=space, why="said later")
    return added


def _is_same(memory: Memory, note: Notable) -> bool:
    told = memory.meta
    return told.get("what") == note.what.value and str(told.get("text", "")).casefold() == note.text.casefold()


def _is_before(memory: Memory, note: Notable) -> bool:
    return note.at is None or memory.said_at <= note.at


def _takes_place(memory: Memory, note: Notable) -> bool:
    """Whether one that was said later, and is here already, counts instead of it."""
    kept = kept_of(memory)
    if kept.what not in set(What):
        return False
    later = Notable(What(kept.what), kept.text, "", 0, purpose=kept.purpose, told=kept.told)
    return replaces(later, KeptSentence(note.what, note.text, note.purpose, note.told))


def _key(kind: str, session: str, part: str) -> str:
    whole = f"{kind}/{session}/{part}"
    return whole if len(whole) <= KEY_CHARS else f"{kind}/{hashlib.sha256(whole.encode()).hexdigest()}"


def latest(memories: Iterable[Memory]) -> list[Memory]:
    """The newest first, by when it was said."""

    def said(memory: Memory) -> tuple[datetime, str]:
        return memory.said_at, memory.id

    return sorted(memories, key=said, reverse=True)
