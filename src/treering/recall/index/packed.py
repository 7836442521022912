"""How does an index become plain arrays, and an index again? Every list, set and name of it as numbers and bytes.

Nothing is said here about files (`snapshot`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import pairwise

import numpy as np

from treering.recall.index.columns import MemoryColumn, Numbers
from treering.recall.index.nearness import Vectors
from treering.recall.index.postings import Postings
from treering.recall.index.space import COLUMNS, SpaceIndex

Arrays = dict[str, Numbers]


def pack(index: SpaceIndex) -> Arrays:
    """Views where columns only grow, copies of what may change: it stays as it is while the index goes on learning."""
    arrays: Arrays = {f"column.{name}": index[name] for name in COLUMNS}
    arrays["column.following"] = index["following"].copy()
    arrays["session.number"] = np.fromiter(index.sessions.values(), np.int32)
    arrays["session.ends"] = np.asarray(index.session_ends, np.int32)
    for name, strings in (
        ("id", index.ids),
        ("session", index.sessions),
        ("speaker", index.speakers),
        ("tag", index.tagged),
        ("word", index.words.spelling()),
        ("entity", index.entity_ids),
    ):
        arrays |= _named(name, _pack_strings(strings))
    arrays |= _named("tagged", _pack_lists(index.tagged.values()))
    arrays |= _named("posting", index.words.arrays())
    for name, vectors in (("vector", index.vectors), ("entity_vector", index.entity_vectors)):
        arrays |= _named(name, {} if vectors is None else vectors.arrays())
    return arrays


def unpack(index: SpaceIndex, arrays: Mapping[str, Numbers]) -> None:
    """Gives an empty index what another one had learned."""
    strings = {
        name: _unpack_strings(_part(arrays, name)) for name in ("id", "session", "speaker", "tag", "word", "entity")
    }
    index.ids, index.entity_ids = strings["id"], strings["entity"]
    index.number = {one: number for number, one in enumerate(index.ids)}
    index.sessions = dict(zip(strings["session"], arrays["session.number"].tolist(), strict=True))
    index.session_ends = arrays["session.ends"].tolist()
    index.speakers = {one: number for number, one in enumerate(strings["speaker"])}
    for one in index.speakers:
        index.learn_name(one)
    index.tagged = dict(zip(strings["tag"], _unpack_lists(_part(arrays, "tagged")), strict=True))
    index.columns = {name: MemoryColumn(kind, start=arrays[f"column.{name}"]) for name, kind in COLUMNS.items()}
    index.columns["following"] = MemoryColumn(np.int32, start=arrays["column.following"].copy())  # set later
    index.words = Postings.from_arrays(strings["word"], _part(arrays, "posting"))
    if index.vectors is not None and index.entity_vectors is not None:
        index.vectors = Vectors.from_arrays(index.vectors.dims, _part(arrays, "vector"))
        index.entity_vectors = Vectors.from_arrays(index.entity_vectors.dims, _part(arrays, "entity_vector"))


def _named(name: str, arrays: Arrays) -> Arrays:
    return {f"{name}.{part}": array for part, array in arrays.items()}


def _part(arrays: Mapping[str, Numbers], name: str) -> Arrays:
    return {key.removeprefix(f"{name}."): array for key, array in arrays.items() if key.startswith(f"{name}.")}


def _pack_strings(strings: Iterable[str]) -> Arrays:
    """Joined, with the number of characters of each."""
    every = list(strings)
    joined = np.frombuffer("".join(every).encode(), np.uint8)
    return {"text": joined, "lengths": np.fromiter(map(len, every), np.int32)}


def _unpack_strings(arrays: Arrays) -> list[str]:
    text = arrays["text"].tobytes().decode()
    ends = [0, *np.cumsum(arrays["lengths"], dtype=np.int64).tolist()]
    return [text[start:end] for start, end in pairwise(ends)]


def _pack_lists(lists: Iterable[list[int]]) -> Arrays:
    every = list(lists)
    flat = np.fromiter((one for some in every for one in some), np.int32)
    return {"flat": flat, "lengths": np.fromiter(map(len, every), np.int32)}


def _unpack_lists(arrays: Arrays) -> list[list[int]]:
    flat = arrays["flat"].tolist()
    ends = [0, *np.cumsum(arrays["lengths"], dtype=np.int64).tolist()]
    return [flat[start:end] for start, end in pairwise(ends)]
