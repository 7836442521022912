"""How does another embedder take a space over? It reads everything beside the old one, in small steps that are kept,
and takes over when nothing is left to read. Broken off, it goes on where it was."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from treering.mind.contract import Choice, Embedder, Passage
from treering.model.changes import Changes, SettingChanged
from treering.model.embedding import Embedded
from treering.model.value import Value
from treering.store.contract import Act, Store, Unread

STEP = 64  # things read between two commits: a second or two of work that a kill may cost
NOTHING = "none"

Progress = Callable[[int, int], None]
"""Told after each step how much is done, of how much there was to do."""


@dataclass(frozen=True, slots=True)
class Work:
    """`present` reads the space now, `wanted` is to read it; `limit` is how much of it now."""

    space: str
    present: str
    wanted: str | None
    limit: int | None


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Reembedded(Value):
    """What was read. Not complete: something is left to read, and the space's embedder is as it was."""

    space: str
    embedder: str
    read: int
    complete: bool
    switched: bool = False


def reembed(store: Store, minds: Choice, work: Work, progress: Progress) -> Reembedded:
    """Reads what the wanted embedder has not read yet, oldest first."""
    name = work.wanted or work.present
    embedder = minds.reads(name, [])
    if embedder is None:
        return Reembedded(space=work.space, embedder=NOTHING, read=0, complete=True, switched=name != work.present)
    read, of = 0, store.left(work.space, embedder.name)
    of = of if work.limit is None else min(of, work.limit)
    while work.limit is None or read < work.limit:
        most = STEP if work.limit is None else min(STEP, work.limit - read)
        left = store.unread(work.space, embedder.name, most)
        if not left:
            break
        store.keep_vectors(work.space, _vectors(embedder, left))
        read += len(left)
        progress(read, max(of, read))
    complete = not store.unread(work.space, embedder.name, 1)
    switched = complete and embedder.name != work.present
    return Reembedded(space=work.space, embedder=embedder.name, read=read, complete=complete, switched=switched)


def _vectors(embedder: Embedder, things: list[Unread]) -> list[Embedded]:
    from treering.mind.packing import pack

    passages = [Passage.said(one.speaker, one.text) for one in things]
    rows = embedder.embed_passages(passages)
    return [Embedded(one.thing_id, embedder.name, pack(each)) for one, each in zip(things, rows, strict=True)]


def take_over(act: Act, done: Reembedded) -> tuple[Changes, Reembedded]:
    """From now on the space is read by the new embedder, in every process."""
    return Changes("reembed", (SettingChanged("embedder", done.embedder),)), done


def forget_others(store: Store, done: Reembedded) -> None:
    for name in store.embedders(done.space):
        if name != done.embedder:
            store.drop_vectors(done.space, name)
