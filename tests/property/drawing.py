"""What is a random history made of? Operations with symbolic references ("the third memory of this space"), so that a
history can be drawn, shrunk and printed; and the moments at which it is asked about."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from hypothesis import strategies as st

from treering.model.edge import Link
from treering.model.memory import Kind
from treering.model.time import MICROSECOND

START = datetime(2026, 1, 1, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)
ACTORS = ("ann", "ben")
SPACES = ("acme", "acme/lab", "acme-2")
PRINCIPALS = (None, "ann", "ben", "eve")
NOBODY = "00000000-0000-7000-8000-000000000000"
NAMES = ("Ann", "ann", "Ben", "Acme", "ＡＣＭＥ", "Berlin", "Zoë")  # noqa: RUF001  full width, to be folded
RELATIONS = ("WORKS_FOR", "LIVES_IN", "KNOWS", "USES")
CONTENTS = ("Ann works for Acme", "Ann lives in Berlin", "Ben", "Ben met Zoë at 3 pm", "tea, not coffee")
TAGS = ("work", "home")
KEYS = ("k1", "k2")
SESSIONS = ("monday", "friday")
TITLES = ("Ann", "plan")
OWN_ROWS: dict[str, Any] = {"relations": {"KNOWS": {"cardinality": "one"}, "LIVES_IN": {"cardinality": "many"}}}
KEPT: tuple[dict[str, Any], ...] = (  # so that memories fade, are promoted and outlive their tiers within hours
    {"retention": {"collect_below": 1.0, "fading_below": 1.2}, "promotion": {"min_age_days": 0.0, "uses": 2}},
    {"tiers": {"enabled": True, "short_hours": 0.5, "mid_days": 0.05}},
    {"decay": {"model": "two_component", "half_life_days": 0.1}, "reinforcement": {"enabled": False}},
)


@dataclass(frozen=True)
class Ref:
    """The nth thing of its kind in the operation's space; every 13th is looked for in all spaces."""

    kind: str
    n: int


@dataclass(frozen=True)
class Op:
    name: str
    args: dict[str, Any] = field(default_factory=dict)
    space: str = SPACES[0]
    actor: str = ACTORS[0]


@dataclass(frozen=True)
class Question:
    """A moment by places among the times that the history knows, so that it falls on window ends; `shift` moves it
    one microsecond off."""

    as_of: int
    known_at: int | None
    principal: str | None = "ann"
    children: bool = False
    space: str = SPACES[0]
    shift: tuple[int, int] = (0, 0)


def at(hours: float, micros: int = 0) -> datetime:
    return START + hours * HOUR + micros * MICROSECOND


def _maybe(what: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.none() | what


_times = st.builds(at, st.integers(-4, 8), st.sampled_from((0, 0, 0, 0, -1, 1)))
_names = st.sampled_from(NAMES)
_memories = st.builds(Ref, st.just("memory"), st.integers(0, 12))
_entities = _names | st.builds(Ref, st.just("entity"), st.integers(0, 12))
_edges = st.builds(Ref, st.just("edge"), st.integers(0, 25))
_links = st.sampled_from((*Link, "supersedes", "derived_from", "supersedes", "likes"))
_why = _maybe(st.just("because"))
_relations = st.sampled_from(RELATIONS)

_window = st.fixed_dictionaries({}, optional={"valid_from": _times, "valid_until": _times})
_statement = st.builds(
    lambda s, r, o, window, memory: {
        "subject": s,
        "relation": r,
        "object": o,
        **window,
        **({"memory_id": memory} if memory else {}),
    },
    _entities,
    _relations,
    _entities,
    _window,
    _maybe(_memories),
)
_triple = st.builds(
    lambda s, r, o, window: {"subject": s, "relation": r, "object": o, **window}, _names, _relations, _names, _window
)
_privacy = st.sampled_from(
    (
        {},
        {},
        {"visibility": "private"},
        {"visibility": "private", "visible_to": ["ben"]},
        {"visibility": "private", "observed_by": "eve"},
        {"observed_by": "eve"},
        {"visible_to": ["ben"]},
    )
)
_draft = st.builds(
    lambda one, privacy: {**one, **privacy},
    st.fixed_dictionaries(
        {"content": st.sampled_from(CONTENTS)},
        optional={
            "kind": st.sampled_from(Kind),
            "title": st.sampled_from(TITLES),
            "tags": st.lists(st.sampled_from(TAGS), max_size=2),
            "event_time": _times,
            "event_end": _times,
            "expires_at": _times,
            "at": _times,
            "entities": st.lists(_names, max_size=2),
            "triples": st.lists(_triple, max_size=2),
            "speaker": st.sampled_from(ACTORS),
            "session": st.sampled_from(SESSIONS),
            "key": st.sampled_from(KEYS),
        },
    ),
    _privacy,
)
_revision = st.fixed_dictionaries(
    {"id": _memories, "content": st.sampled_from(CONTENTS)},
    optional={
        "event_time": _times,
        "expires_at": _times,
        "at": _times,
        "triples": st.lists(_triple, min_size=1, max_size=2),
        "entities": st.lists(_names, max_size=2),
        "key": st.sampled_from(KEYS),
        "why": _why,
    },
)
_ended_edge = st.fixed_dictionaries({"edge": _edges})
_claim = st.builds(
    lambda subject, relation, object_, since, more: {
        "subject": subject,
        "relation": relation,
        "object": object_,
        **({"valid_from": since} if since else {}),
        **more,
    },
    st.sampled_from(("Ann", "Ann", "Ben", "User")),  # few, so that what is told meets what is known
    st.sampled_from(("LIVES_IN", "LIVES_IN", "USES", "PARTNER_OF", "NAMED")),
    st.sampled_from(("Acme", "Berlin", "Zoë")),
    _maybe(_times),
    st.fixed_dictionaries(
        {},
        optional={
            "stance": st.sampled_from(("holds", "holds", "ends", "never")),
            "instead_of": st.sampled_from(("Acme", "Berlin")),
            "confidence": st.sampled_from((0.4, 1.0)),
        },
    ),
)
_drawn = st.fixed_dictionaries(
    {"content": st.sampled_from(CONTENTS), "triples": st.lists(_claim, min_size=1, max_size=2)},
    optional={
        "kind": st.sampled_from(Kind),
        "event_time": _times,
        "expires_at": _times,
        "cue": st.sampled_from(("change", "correction")),
        "entities": st.lists(
            st.builds(lambda name, kind: {"name": name, "kind": kind}, _names, st.sampled_from(("person", "place"))),
            max_size=2,
        ),
    },
)
_told = st.builds(
    lambda what, how, privacy: {**what, **how, **privacy},
    st.fixed_dictionaries({"drafts": st.lists(_drawn, min_size=1, max_size=2)})
    | st.fixed_dictionaries({"content": st.sampled_from(CONTENTS)}, optional={"extractor": st.just("llm")})
    | st.fixed_dictionaries(
        {"content": st.just(". ".join(CONTENTS)), "drafts": st.lists(_drawn, min_size=1, max_size=2)}
    )
    | st.fixed_dictionaries({"messages": st.just([{"content": CONTENTS[0]}, {"content": CONTENTS[1], "role": "ben"}])}),
    st.fixed_dictionaries(
        {},
        optional={
            "at": _times,
            "speaker": st.sampled_from(ACTORS),
            "session": st.sampled_from(SESSIONS),
            "key": st.sampled_from(KEYS),
            "dry_run": st.booleans(),
        },
    ),
    _privacy,
)
_undoable = st.builds(Ref, st.just("entry"), st.integers(0, 25)) | _edges
_KINDS: dict[str, tuple[int, st.SearchStrategy[dict[str, Any]]]] = {
    "add": (8, _draft),
    "add_many": (2, st.fixed_dictionaries({"items": st.lists(_draft, min_size=1, max_size=3)})),
    "revise": (4, _revision),
    "link": (
        4,
        st.fixed_dictionaries(
            {"source": _memories, "target": _memories, "relation": _links},
            optional={"valid_from": _times, "why": _why, "strength": st.just(0.5)},
        ),
    ),
    "unlink": (2, _ended_edge),
    "invalidate": (4, st.fixed_dictionaries({"edge": _edges}, optional={"at": _times, "why": _why})),
    "reopen": (3, _ended_edge),
    "forget": (3, st.fixed_dictionaries({"id": _memories | _edges}, optional={"dry_run": st.booleans()})),
    "restore": (3, st.fixed_dictionaries({"id": _memories | _edges}, optional={"why": _why})),
    "purge": (
        4,
        st.fixed_dictionaries({"id": _memories, "why": st.just("asked")}, optional={"dry_run": st.booleans()}),
    ),
    "entity_register": (
        3,
        st.fixed_dictionaries({"name": _names}, optional={"aliases": st.lists(_names, max_size=2, unique=True)}),
    ),
    "entity_merge": (3, st.fixed_dictionaries({"entity": _entities, "into": _entities}, optional={"why": _why})),
    "entity_split": (2, st.fixed_dictionaries({"entity_id": _entities})),
    "assert_fact": (5, st.builds(lambda one, sup: {**one, "supersede": sup}, _statement, st.booleans())),
    "assert_facts": (
        2,
        st.fixed_dictionaries(
            {"facts": st.lists(_statement, min_size=1, max_size=3)}, optional={"supersede": st.booleans()}
        ),
    ),
    "attest": (3, st.fixed_dictionaries({"id": _edges})),
    "settings": (
        2,
        st.fixed_dictionaries(
            {"changes": st.sampled_from(({}, {"functional_relations": ["KNOWS", "LIVES_IN"]}, OWN_ROWS, *KEPT))}
        ),
    ),
    "touch": (3, st.fixed_dictionaries({"id": _memories}, optional={"boost": st.booleans(), "dry_run": st.booleans()})),
    "observe": (
        3,
        st.fixed_dictionaries(
            {"ids": st.lists(_memories, min_size=1, max_size=3)},
            optional={"context_tags": st.lists(st.sampled_from((*TAGS, "chess")), max_size=2)},
        ),
    ),
    "promote": (
        2,
        st.fixed_dictionaries({"id": _memories}, optional={"force": st.booleans(), "dry_run": st.booleans()})
        | st.fixed_dictionaries({"auto": st.just(True)}),
    ),
    "gc": (
        2,
        st.fixed_dictionaries(
            {"dry_run": st.sampled_from((False, False, True))},
            optional={"archive": st.booleans(), "limit": st.integers(1, 3)},
        ),
    ),
    "expire": (1, st.fixed_dictionaries({}, optional={"dry_run": st.booleans()})),
    "remember": (6, _told),
    "undo": (4, st.fixed_dictionaries({"what": _undoable}, optional={"dry_run": st.booleans()})),
    "resume": (1, st.just({})),
    "clock": (
        5,
        st.fixed_dictionaries({"hours": st.sampled_from((1, 1, 2, 5, -1, -3)), "micros": st.sampled_from((0, 1))}),
    ),
}

_spaces = st.sampled_from((SPACES[0], SPACES[0], SPACES[0], SPACES[1], SPACES[2]))
operations = st.sampled_from([name for name, (weight, _) in _KINDS.items() for _ in range(weight)]).flatmap(
    lambda name: st.builds(Op, st.just(name), _KINDS[name][1], _spaces, st.sampled_from(ACTORS))
)
_REMEMBERING = ("remember", "remember", "remember", "undo", "undo", "resume", "forget", "restore", "purge", "clock")
about_remembering = st.sampled_from(_REMEMBERING).flatmap(
    lambda name: st.builds(Op, st.just(name), _KINDS[name][1], st.just(SPACES[0]), st.sampled_from(ACTORS))
)
first_told = st.builds(Op, st.just("remember"), _told, st.just(SPACES[0]), st.sampled_from(ACTORS))
beginnings = st.builds(Op, st.just("add"), _draft, st.sampled_from(SPACES[:2]), st.sampled_from(ACTORS))
questions = st.builds(
    Question,
    as_of=st.integers(0, 60),
    known_at=_maybe(st.integers(0, 40)),
    principal=st.sampled_from(PRINCIPALS),
    children=st.booleans(),
    space=_spaces,
    shift=st.tuples(st.sampled_from((0, 0, -1, 1)), st.sampled_from((0, 0, -1, 1))),
)
