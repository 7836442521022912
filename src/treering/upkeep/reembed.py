"""How does another embedder take a space over? It reads everything beside the old one, in small steps that are kept,
and takes over when nothing is left to read. Broken off, it goes on where it was."""

from __future__ import annotations

from dataclasses import replace

from treering.mind.contract import Choice, Embedder, Passage
from treering.model.changes import Changes, SettingChanged
from treering.model.embedding import Embedded
from treering.model.time import from_micros
from treering.model.value import Value
from treering.store.contract import Act, Progress, Scope, Store, UnembeddedText
from treering.values import dataclass

STEP = 64  # things read between two commits: a second or two of work that a kill may cost
NOTHING = "none"


@dataclass(frozen=True, slots=True)
class ReembedWish:
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
    left: int = 0
    complete: bool
    switched: bool = False


def reembed(store: Store, minds: Choice, work: ReembedWish, progress: Progress) -> Reembedded:
    """Reads what the wanted embedder has not read yet, oldest first."""
    name = work.wanted or work.present
    embedder = minds.reads(name, [])
    if embedder is None:
        # this door may read nothing of what others have read: then it is the space that is to change
        switched = name != work.present or (work.wanted is not None and bool(store.embedders(work.space)))
        return Reembedded(space=work.space, embedder=NOTHING, read=0, complete=True, switched=switched)
    read = _read(store, embedder, work, progress)
    left = store.left(work.space, embedder.name)
    return Reembedded(
        space=work.space,
        embedder=embedder.name,
        read=read,
        left=left,
        complete=not left,
        switched=not left and embedder.name != work.present,
    )


def _read(store: Store, embedder: Embedder, work: ReembedWish, progress: Progress, before: int = 0) -> int:
    """How much was read in all, with what was read `before`."""
    read, of = before, before + _least(store.left(work.space, embedder.name), work.limit)
    if of > read:
        progress(read, of)
    while left := store.unread(work.space, embedder.name, _least(STEP, work.limit, less=read)):
        store.keep_vectors(work.space, _vectors(embedder, left))
        read += len(left)
        progress(read, max(of, read))
    if read < of:  # what was purged meanwhile, or read by another process, is not to be read
        progress(read, read)
    return read


def _least(number: int, limit: int | None, less: int = 0) -> int:
    return number if limit is None else min(number, limit - less)


def _vectors(embedder: Embedder, things: list[UnembeddedText]) -> list[Embedded]:
    from treering.mind.packing import pack

    passages = [Passage.said(one.speaker, one.text) for one in things]
    rows = embedder.embed_passages(passages)
    return [Embedded(one.thing_id, embedder.name, pack(each)) for one, each in zip(things, rows, strict=True)]


def take_over(act: Act, done: Reembedded) -> tuple[Changes, Reembedded]:
    """From now on the space is read by the new embedder, in every process, unless another process has seen to it."""
    if act.reader.setting("embedder") == done.embedder:
        return Changes("reembed"), replace(done, switched=False)
    return Changes("reembed", (SettingChanged("embedder", done.embedder),)), done


def finish(store: Store, minds: Choice, done: Reembedded, progress: Progress) -> Reembedded:
    """Lets go of what others have read, and reads what came in while the new one took over. If yet another has taken
    over meanwhile, that one's process does it."""
    with store.reader(Scope(done.space, from_micros(0))) as reader:
        own = reader.setting("embedder")
    if own not in (None, done.embedder):
        return done
    for name in store.embedders(done.space):
        if name != done.embedder:
            store.drop_vectors(done.space, name)
    embedder = minds.reads(done.embedder, [])
    if embedder is None:
        return done
    rest = ReembedWish(done.space, done.embedder, None, None)
    return replace(done, read=_read(store, embedder, rest, progress, done.read))
