"""What does recall know of a space without asking the store? Every memory as numbers: words, vectors, times.

The index learns memories in the order in which they became known and never forgets one: the state at an earlier known
time is a prefix of it. What may be seen at a moment is not decided here (`sight`), nor what is a good answer.
"""

from __future__ import annotations

from itertools import islice
from typing import Any

import numpy as np

from treering.language.words import spelled, stems, words
from treering.model.entity import fold
from treering.recall.cues import flags_of
from treering.recall.index.columns import MemoryColumn, Numbers
from treering.recall.index.distant import Distant
from treering.recall.index.nearness import Vectors
from treering.recall.index.postings import Postings
from treering.store.contract import Snapshot, Text

BATCH = 4_096
KINDS = ("episode", "semantic", "viewpoint")
TITLE_TIMES, TAG_TIMES = 2, 1
COLUMNS: dict[str, type] = {
    "recorded_at": np.int64,
    "valid_from": np.int64,
    "expires_at": np.int64,
    "begins": np.int64,  # when it happened, else when it was said
    "ends": np.int64,
    "said": np.int64,
    "session": np.int32,
    "speaker": np.int32,
    "kind": np.uint8,
    "flags": np.uint16,
    "length": np.int32,
    "importance": np.float32,
    "confidence": np.float32,
    "previous": np.int32,  # the memory before it in its session, -1 if it is the first
    "following": np.int32,  # the one after it: -1, until there is one
}


class SpaceIndex:
    """One space as one embedder reads it; `embedder` none is an index of words and times alone."""

    def __init__(self, space: str, embedder: str | None = None, dims: int = 0, distant: bool = False) -> None:
        """`distant`: the store measures what is near, and vectors of memories stay there until they are looked at."""
        self.space, self.embedder, self.dims = space, embedder, dims
        self.seq, self.hash = 0, ""
        """An entry of the journal up to which everything is learned."""
        self.known = 0
        """The known time up to which memories are learned."""
        self.place = 0
        """The place up to which vectors are learned."""
        self.last_vector = ""
        """The mark of the vectors that lie there."""
        self.purges = 0
        """How many the store had seen when the learning began."""
        self.stamp = ""
        """When the store's tables were last made anew."""
        self.ids: list[str] = []
        self.number: dict[str, int] = {}
        self.sessions: dict[str, int] = {}
        self.session_ends: list[int] = []
        self._told: dict[str, tuple[tuple[int, int], str, int, int]] = {}
        """Of each session the last statement: when it was written and said, its words, and where it stands."""
        self.speakers: dict[str, int] = {}
        """Who goes through these or the next takes a copy to go through: another thread may be learning."""
        self.speaker_words: dict[str, list[int]] = {}
        """Who answers to each word of the speakers' names."""
        self.tagged: dict[str, list[int]] = {}
        self.columns = {name: MemoryColumn(kind) for name, kind in COLUMNS.items()}
        self.words = Postings()
        self.vectors = (Distant(dims) if distant else Vectors(dims)) if embedder else None
        self.entity_ids: list[str] = []
        self.entity_vectors = Vectors(dims) if embedder else None

    def __len__(self) -> int:
        return len(self.ids)

    def __getitem__(self, column: str) -> Numbers:
        return self.columns[column].rows

    def follow(self, snapshot: Snapshot) -> int:
        """Learns what is new; answers how many memories that were."""
        before, place = len(self), self.place
        texts = snapshot.texts(self.space, after=self.known)
        while batch := list(islice(texts, BATCH)):
            self._learn(batch)
        self.words.file()
        if self.vectors is not None:
            self._learn_vectors(snapshot)
        if len(self) > before or self.place > place:
            head = snapshot.head(self.space)
            self.seq, self.hash = head.seq, head.hash
        return len(self) - before

    # words, times, neighbours

    def _learn(self, texts: list[Text]) -> None:
        first = len(self)
        read = [text.read for text in texts]
        words_of = [spelled(one) for one in read]
        rows = self._rows(texts)
        rows["flags"] = [
            flags_of(one, text.speaker, some) for one, text, some in zip(read, texts, words_of, strict=True)
        ]
        rows["length"] = self.words.add(_said(text, some) for text, some in zip(texts, words_of, strict=True))
        for name, column in self.columns.items():
            column.extend(rows[name])
        following = self["following"]
        for number, (text, previous) in enumerate(zip(texts, rows["previous"], strict=True), first):
            if previous >= 0 and following[previous] < 0:
                following[previous] = number
            for tag in text.tags:
                self.tagged.setdefault(tag, []).append(number)
        if self.vectors is not None:
            self.vectors.make_room(first + len(texts))
        for number, text in enumerate(texts, first):
            self.number[text.id] = number
            self.ids.append(text.id)
        self.known = texts[-1].recorded_at

    def _rows(self, texts: list[Text]) -> dict[str, Any]:
        """The columns of some memories, but for those that are counted or found in their words."""
        placed = [self._placed(text, number) for number, text in enumerate(texts, len(self))]
        sessions = [session for session, _ in placed]
        begins = [text.said_at if text.event_time is None else text.event_time for text in texts]
        same = ("recorded_at", "valid_from", "expires_at", "importance", "confidence")
        return {
            **{name: [getattr(text, name) for text in texts] for name in same},
            "begins": begins,
            "ends": [at if text.event_end is None else text.event_end for text, at in zip(texts, begins, strict=True)],
            "session": sessions,
            "speaker": [self._speaker(text.speaker) for text in texts],
            "kind": [KINDS.index(text.kind) for text in texts],
            "said": [text.said_at for text in texts],
            "previous": [previous for _, previous in placed],
            "following": [-1] * len(texts),
        }

    def _speaker(self, name: str | None) -> int:
        if not name:
            return -1
        if name not in self.speakers:
            self.speakers[name] = len(self.speakers)
            self.learn_name(name)
        return self.speakers[name]

    def learn_name(self, name: str) -> None:
        """By which words a question may name this speaker."""
        for word in set(spelled(name)):
            self.speaker_words.setdefault(word, []).append(self.speakers[name])

    def spelled_like(self, name: str) -> list[str]:
        """The speakers who are named so, in capitals or not."""
        wanted = fold(name)
        return [one for one in tuple(self.speakers) if fold(one) == wanted]

    def _placed(self, text: Text, number: int) -> tuple[int, int]:
        """Its session, and the memory before it there. A clause that is told by itself too stands beside what its
        statement stands beside; what comes next comes after the statement. They are of one write, and so learned at
        once: an index that was put away in between knows no other neighbours."""
        if text.session is None:
            return self._session(None, number)
        when, said = (text.recorded_at, text.said_at), text.said or ""
        last, words_said, *stands = self._told.get(text.session, (None, "", -1, -1))
        if last == when and said and said != words_said and said in words_said:
            return stands[0], stands[1]
        session, previous = self._session(text.session, number)
        self._told[text.session] = when, said, session, previous
        return session, previous

    def _session(self, name: str | None, number: int) -> tuple[int, int]:
        """The session's number and its last memory so far. What was said in no session is one by itself."""
        if name is None:
            self.session_ends.append(number)
            return len(self.session_ends) - 1, -1
        session = self.sessions.get(name)
        if session is None:
            self.sessions[name] = len(self.session_ends)
            self.session_ends.append(number)
            return len(self.session_ends) - 1, -1
        previous, self.session_ends[session] = self.session_ends[session], number
        return session, previous

    # meaning

    def _learn_vectors(self, snapshot: Snapshot) -> None:
        assert self.embedder is not None
        held = self.vectors if isinstance(self.vectors, Distant) else None
        learned = snapshot.vectors if held is None else snapshot.read_things
        rows = learned(self.space, self.embedder, after=self.place)
        while batch := list(islice(rows, BATCH)):
            known = [row for row in batch if row.thing_id in self.number]
            others = [row for row in batch if row.thing_id not in self.number]
            if held is not None:
                held.note([self.number[row.thing_id] for row in known], [row.place for row in known])
            elif known and self.vectors is not None:
                self.vectors.take([self.number[row.thing_id] for row in known], [row.data for row in known])
            if others and self.entity_vectors is not None:
                first = len(self.entity_ids)
                self.entity_vectors.make_room(first + len(others))
                self.entity_vectors.take(range(first, first + len(others)), [row.data for row in others])
                self.entity_ids += [row.thing_id for row in others]
            self.place, self.last_vector = batch[-1].place, batch[-1].mark

    # looking around

    def first_known(self, at: int | None) -> int:
        """How many memories had become known by then; all if no time is given."""
        if at is None:
            return len(self)
        return int(np.searchsorted(self["recorded_at"], at, side="right"))


def _said(text: Text, words_of: list[str]) -> list[str]:
    """The words of a memory, those of its title and tags as often as they count. `words_of`: those it is read by, as
    they are spelled."""
    said = stems(words_of)
    if text.title:
        said += words(text.title) * TITLE_TIMES
    if text.tags:
        said += words(" ".join(text.tags)) * TAG_TIMES
    return said
