"""How much of anything is allowed? Every limit by name, and the checks that hold a value to it.

A check returns the value it was given or raises InvalidRequest with the field, the value and the way to mend it.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Mapping, Sequence

from treering.errors import InvalidRequest, LimitExceeded
from treering.model.meta import EMPTY, Meta

SPACE_CHARS = 200
SPACE_SEGMENTS = 8
KEY_CHARS = 200
CONTENT_CHARS = 50_000
SOURCE_BYTES = 1 << 20
TELLING_CHARS = 8 << 20
TITLE_CHARS = 500
CONTEXT_CHARS = 10_000
TAGS = 50
ORIGINS = 100
"""Memories that one is said to be derived from as it is added."""
TAG_CHARS = 100
META_BYTES = 64 << 10
DEPTH = 32
"""Of lists and objects within one another, in whatever a caller gives."""
NAME_CHARS = 200
ALIASES = 500
KIND_CHARS = 50
RELATION_CHARS = 100
WHY_CHARS = 2_000
PRINCIPALS = 100
STRENGTH = 2.0
USES = 1_000_000_000
USED_AT_ONCE = 1_000
ENTITIES_OF_A_MEMORY = 200
TRIPLES_OF_A_MEMORY = 200
BATCH = 10_000
FILE_BYTES = 50 << 20
FILE_UNPACKED_BYTES = 64 << 20
FILE_MEMORIES = 50_000
NOTE_BYTES = 4 << 20
MESSAGES = 500
PAGE = 1_000
QUERY_CHARS = 10_000
HITS = 1_000
NEIGHBOURS = 10
PROFILE_MEMORIES = 80
WINDOW_DAYS = 36_500
STEPS = 64
SEQ = (1 << 63) - 1
"""The number of a journal's entry: what every store can hold."""
WALK_DEPTH = 8
WALK_EDGES = 10_000
SEEN_NODES = 10_000
SEEN_EDGES = 50_000
PATH_DEPTH = 7
PATHS = 100
JOBS_WAITING = 100_000
JOBS_WAITING_IN_A_SPACE = 10_000
JOBS_ENDED = 1_000
JOB_BYTES = 32 << 20
FULL_QUEUE_SECONDS = 5
CLUSTER_SIZE = 100
CLUSTERS_KEPT = 10_000
DUPLICATES = 1_000
REVIEWED = 200
REVIEWS_OPEN = 10_000
REVIEWS_ENDED = 1_000

_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")
_HOLD_OTHERS = (dict, list, tuple, Mapping, Sequence)  # those that most are come first: to ask after them is quick
_BYTES = (bytes, bytearray, memoryview)
_UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")


def text(value: object, name: str, most: int, least: int = 0) -> str:
    """Text that every store can hold: no NUL, no half of a surrogate pair, within its length."""
    if not isinstance(value, str):
        raise InvalidRequest(f"{name}: {_short(value)} is not text")
    if len(value) > most:
        raise LimitExceeded(f"{name}: {len(value):,} characters; at most {most:,} are kept. Shorten or split it")
    if len(value) < least or (least and not value.strip()):
        raise InvalidRequest(f"{name}: is empty; give at least {least} character")
    if not value.isascii() or "\x00" in value:
        _must_be_storable(value, name)
    return value


def text_or_none(value: object, name: str, most: int) -> str | None:
    return None if value is None else text(value, name, most, least=1)


def _must_be_storable(value: str, name: str) -> None:
    found = _UNSTORABLE.search(value)
    if found:
        what = "a NUL character" if found[0] == "\x00" else "half of a surrogate pair"
        raise InvalidRequest(f"{name}: holds {what} at position {found.start()}; remove it")


def must_be_whole(value: object, name: str) -> None:
    """No text in it, however deep, holds half of a surrogate pair: such text can neither be stored nor sent. And it is
    not so deep that whoever writes or reads it would have to give up."""
    level, met = [value], set[int]()
    for _ in range(DEPTH + 1):
        held: list[object] = []
        for one in level:
            if isinstance(one, str):
                if not one.isascii():
                    _must_encode(one, name)
            elif isinstance(one, _HOLD_OTHERS) and not isinstance(one, _BYTES) and id(one) not in met:
                met.add(id(one))
                held.extend(one)
                if isinstance(one, Mapping):
                    held.extend(one.values())
        if not held:
            return
        level = held
    raise too_deep(name)


def too_deep(name: str) -> LimitExceeded:
    return LimitExceeded(f"{name}: lists and objects lie within one another more than {DEPTH} deep; make it flatter")


def _must_encode(value: str, name: str) -> None:
    try:
        value.encode()
    except UnicodeEncodeError as error:
        what = f"holds half of a surrogate pair at position {error.start}"
        raise InvalidRequest(f"{name}: {_short(value)} {what}; remove it") from None


def is_uuid(value: object) -> bool:
    return isinstance(value, str) and _UUID.fullmatch(value) is not None


def uuid(value: object, name: str) -> str:
    if not isinstance(value, str) or not _UUID.fullmatch(value):
        raise InvalidRequest(f"{name}: {_short(value)} is not an id; ids are lower-case UUIDs as Treering gave them")
    return value


def number(value: object, name: str, most: float = 1.0) -> float:
    if type(value) is float and 0 <= value <= most:
        return value
    if isinstance(value, bool) or not isinstance(value, int | float) or math.isnan(value):
        raise InvalidRequest(f"{name}: {_short(value)} is not a number; give one from 0 to {most:g}")
    if not 0 <= value <= most:
        raise InvalidRequest(f"{name}: {value:g} is out of bounds; give a number from 0 to {most:g}")
    return float(value)


def names(value: Iterable[str], name: str, most: int, chars: int = NAME_CHARS) -> tuple[str, ...]:
    """Distinct short texts, in the order given, each without surrounding blanks."""
    if isinstance(value, str):
        raise InvalidRequest(f"{name}: {_short(value)} is one text; give a list of texts")
    kept = tuple(dict.fromkeys(text(one, name, chars, least=1).strip() for one in value))
    if len(kept) > most:
        raise LimitExceeded(f"{name}: {len(kept):,} given; at most {most:,} are kept")
    return kept


def meta(value: object, name: str = "meta") -> Meta:
    """The caller's own JSON object, copied, so that nobody can change it afterwards."""
    if value is None or value is EMPTY:
        return EMPTY
    if not isinstance(value, Mapping) or not all(isinstance(key, str) for key in value):
        raise InvalidRequest(f"{name}: {_short(value)} is not a JSON object with text keys")
    try:
        written = json.dumps(dict(value), allow_nan=False, ensure_ascii=False)
    except (TypeError, ValueError, RecursionError) as error:
        raise InvalidRequest(f"{name}: cannot be written as JSON ({error})") from None
    _must_be_storable(written, name)
    if "\\u0000" in written:
        raise InvalidRequest(f"{name}: holds a NUL character; remove it")
    if len(written.encode()) > META_BYTES:
        raise LimitExceeded(f"{name}: {len(written.encode()):,} bytes as JSON; at most {META_BYTES:,} are kept")
    return Meta(json.loads(written)) if value else EMPTY


def _short(value: object) -> str:
    shown = repr(value)
    return shown if len(shown) <= 80 else shown[:77] + "…"
