"""What may a caller hand in to be remembered? A text, a conversation, or statements that an agent has drawn itself."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from treering.errors import CallerError, InvalidRequest, LimitExceeded
from treering.ingest.draft import DraftEntity
from treering.ingest.extract.contract import Claim, Cue, Extracted, Extraction, Mentioned, Stance
from treering.ingest.hear import SharedFields, Utterance, messages_of
from treering.model import limits
from treering.model.fact import Statement
from treering.model.memory import memory_kind
from treering.model.source import SourceKind
from treering.model.time import utc_or_none

_FIELDS = frozenset(
    {"content", "kind", "entities", "triples", "event_time", "event_end", "expires_at", "importance", "confidence",
     "cue"}
)  # fmt: skip
_TIMES = ("event_time", "event_end", "expires_at")


@dataclass(frozen=True, slots=True)
class Telling:
    """All of one call: what is said, in order, and how it is to be kept. `drawn`: by the number of what was said, the
    statements that the caller drew from it."""

    said: tuple[Utterance, ...]
    manner: SharedFields
    extractor: str | None = None
    drawn: Mapping[int, Extraction] = field(default_factory=dict)


def telling(
    content: str | None,
    messages: Sequence[Mapping[str, Any]] | None,
    drafts: Sequence[Mapping[str, Any]] | None,
    said: Utterance,
    manner: SharedFields,
    extractor: str | None,
) -> Telling:
    """One of content and messages, or drafts, which may come with the content they were drawn from."""
    given = [name for name, one in (("content", content), ("messages", messages), ("drafts", drafts)) if one]
    if messages and len(given) > 1:
        raise InvalidRequest(
            f"messages: come alone, not with {' and '.join(one for one in given if one != 'messages')}"
        )
    if drafts:
        drawn = [_drawn(number, draft) for number, draft in enumerate(drafts)]
        if content is None:
            return _one_source_a_draft(drafts, drawn, said, manner)
        whole = _whole(drawn, content)
        return Telling((replace(_as(said, content), drafts=tuple(drafts)),), manner, extractor, {0: whole})
    if messages:
        return Telling(tuple(messages_of(messages, said)), manner, extractor)
    if content is None or not content.strip():
        raise InvalidRequest("content: there is nothing to remember; give a text, messages or drafts")
    return Telling((_as(said, content),), manner, extractor)


def _as(said: Utterance, content: str, key: str | None = None) -> Utterance:
    return Utterance(content, said.speaker, said.session, said.at, key or said.key, said.kind)


def drawn_from(content: str, drafts: Sequence[Mapping[str, Any]]) -> Extraction:
    """Statements that a caller drew from a source, read once more."""
    return _whole([_drawn(number, draft) for number, draft in enumerate(drafts)], content)


def _whole(drawn: list[Extracted], content: str) -> Extraction:
    return Extraction(extracted=tuple(_placed(drawn, content)), extractor="caller")


def _one_source_a_draft(
    drafts: Sequence[Mapping[str, Any]], drawn: list[Extracted], said: Utterance, manner: SharedFields
) -> Telling:
    notes = Utterance("", said.speaker, said.session, said.at, None, SourceKind.NOTE)
    keys = [None if said.key is None else said.key if len(drawn) == 1 else f"{said.key}/{n}" for n in range(len(drawn))]
    told = tuple(
        replace(_as(notes, one.content, key), drafts=(draft,))
        for draft, one, key in zip(drafts, drawn, keys, strict=True)
    )
    extractions = {n: Extraction(extracted=(one,), extractor="caller") for n, one in enumerate(drawn)}
    return Telling(told, manner, None, extractions)


def _placed(drawn: list[Extracted], content: str) -> Iterator[Extracted]:
    """Each with its place in the content, where its words stand there; else it rests on all of it. The same words twice
    are at two places, as far as there are two."""
    after: dict[str, int] = {}
    for one in drawn:
        start = content.find(one.content, after.get(one.content, 0))
        start = start if start >= 0 else content.find(one.content)
        after[one.content] = start + len(one.content)
        yield replace(one, span=(start, start + len(one.content)) if start >= 0 else (0, len(content)))


def _drawn(number: int, draft: Mapping[str, Any]) -> Extracted:
    try:
        if "content" not in draft:
            raise InvalidRequest("a draft is an object with at least content")
        unknown = sorted(set(draft) - _FIELDS)
        if unknown:
            raise InvalidRequest(
                f"{', '.join(unknown)}: not a field of a draft; there are {', '.join(sorted(_FIELDS))}"
            )
        given = {name: draft[name] for name in ("importance", "confidence") if draft.get(name) is not None}
        times: dict[str, Any] = {name: utc_or_none(draft.get(name), name) for name in _TIMES}
        entities = [DraftEntity.read(one) for one in draft.get("entities") or ()]
        claims = [_claim(one) for one in draft.get("triples") or ()]
        _few_enough("entities", entities, limits.ENTITIES_OF_A_MEMORY)
        _few_enough("triples", claims, limits.TRIPLES_OF_A_MEMORY)
        return Extracted(
            content=draft["content"],
            span=(0, len(draft["content"])),
            kind=memory_kind(draft.get("kind") or "semantic"),
            entities=tuple(Mentioned(one.name, one.kind) for one in entities),
            claims=tuple(claims),
            cue=Cue(draft["cue"]) if draft.get("cue") else None,
            **times,
            **given,
        )
    except CallerError as error:
        raise type(error)(f"drafts[{number}].{error}") from None
    except (TypeError, ValueError) as error:
        raise InvalidRequest(f"drafts[{number}]: {error}") from None


def _few_enough(name: str, given: Sequence[object], most: int) -> None:
    if len(given) > most:
        raise LimitExceeded(f"{name}: {len(given):,} given; a memory takes at most {most:,}")


def _claim(given: Any) -> Claim:
    more = {}
    if isinstance(given, Mapping):
        more = {name: given[name] for name in ("stance", "instead_of") if given.get(name) is not None}
        given = {name: value for name, value in given.items() if name not in ("stance", "instead_of")}
    fact = Statement.read(given)
    return Claim(
        subject=fact.subject,
        relation=fact.relation,
        object=fact.object,
        valid_from=fact.valid_from,
        valid_until=fact.valid_until,
        confidence=fact.confidence,
        stance=Stance(more.get("stance", Stance.HOLDS)),
        instead_of=more.get("instead_of"),
    )
