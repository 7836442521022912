"""Which memories does a view show, and in which state is one at this moment? Conditions of statements, each said once.

A memory is `m`, a mark `k`, an edge `e` with its window `w`; the moment and the principal are bound (`bound`).
"""

from __future__ import annotations

from treering.model.edge import Family, Link
from treering.model.memory import Mark, State, Tier, View
from treering.store.sql.bound import BELIEVED, EDGE_OPEN, EDGE_REMEMBERED, SpaceContents
from treering.store.sql.edges import EDGE
from treering.store.sql.facets import MARK_BITS

# What supersedes a memory m: the supersedes edges that stand or are to come at the moment.
SUPERSEDING = f"""{EDGE} AND e.relation = '{Link.SUPERSEDES}'
    AND w.valid_until > :as_of AND w.valid_until > e.valid_from AND {EDGE_REMEMBERED} AND {EDGE_OPEN}"""
_SUPERSEDING_M = f"{SUPERSEDING} AND e.space_id = m.space_id AND e.target_id = m.id"

_MARK_OF_M = f"mark k WHERE k.space_id = m.space_id AND k.target_id = m.id AND {BELIEVED.format('k')}"
_AS_BITS = " ".join(f"WHEN '{mark}' THEN {bit}" for mark, bit in MARK_BITS.items())

MARKED = f"(SELECT SUM(CASE k.mark {_AS_BITS} END) FROM {_MARK_OF_M})"
NOTHING = "NULL"
SUPERSEDED_FROM = f"(SELECT MIN(e.valid_from) FROM {_SUPERSEDING_M})"

# Which memories a view shows; the others are not even loaded. The states themselves are derived in the
# reader's `_state`.
EXPIRED = "m.expires_at <= :as_of"
_SUPERSEDED = f"EXISTS (SELECT 1 FROM {_SUPERSEDING_M} AND e.valid_from <= :as_of)"
FORGOTTEN = f"EXISTS (SELECT 1 FROM {_MARK_OF_M} AND k.mark = '{Mark.FORGOTTEN}')"
_ARCHIVED = f"EXISTS (SELECT 1 FROM {_MARK_OF_M} AND k.mark = '{Mark.ARCHIVED}')"
_PROMOTED = f"EXISTS (SELECT 1 FROM {_MARK_OF_M} AND k.mark = '{Mark.PROMOTED}')"
TIER = f"CASE WHEN {_PROMOTED} THEN '{Tier.LONG}' ELSE m.tier END"
_HOLDS_STATE = {
    State.FORGOTTEN: FORGOTTEN,
    State.EXPIRED: EXPIRED,
    State.SUPERSEDED: _SUPERSEDED,
    State.ARCHIVED: _ARCHIVED,
    State.PROMOTED: _PROMOTED,
    State.ACTIVE: "TRUE",
}
"""In order of precedence: a memory is in the first that holds."""
SHOWN = {
    View.CURRENT: f"m.valid_from <= :as_of AND NOT {EXPIRED}"
    f" AND NOT {FORGOTTEN} AND NOT {_ARCHIVED} AND NOT {_SUPERSEDED}",
    View.HISTORY: f"m.valid_from <= :as_of AND NOT {FORGOTTEN} AND (NOT {_ARCHIVED} OR {EXPIRED} OR {_SUPERSEDED})",
    View.ALL: "TRUE",
}


def current(held: SpaceContents) -> str:
    """The same as the view of what is current, without looking for what the spaces hold nothing of."""
    parts = [f"m.valid_from <= :as_of AND NOT {EXPIRED}"]
    parts += [f"NOT {FORGOTTEN}", f"NOT {_ARCHIVED}"] if held.marked else []
    return " AND ".join([*parts, *([f"NOT {_SUPERSEDED}"] if held.links else [])])


# Which memories a view leaves out for another reason than their own times: {0} are the conditions of the statement.
_PRIVATE_TO_OTHERS = """SELECT q.memory_id FROM principal q WHERE NOT :all_seeing{0} AND NOT EXISTS (SELECT 1 FROM
    principal r WHERE r.space_id = q.space_id AND r.memory_id = q.memory_id AND r.principal = :principal)"""
_MARKED_AS = f"""SELECT m.id FROM mark k JOIN memory m ON m.space_id = k.space_id AND m.id = k.target_id
    WHERE {BELIEVED.format("k")}{{0}} AND k.mark = '{{1}}'"""
_A_LINK = f"{{0}} AND e.family = '{Family.LINK}'"
_SUPERSEDED_NOW = f"SELECT e.target_id FROM {SUPERSEDING}{_A_LINK} AND e.valid_from <= :as_of"
HIDDEN: dict[View, tuple[tuple[str, str], ...]] = {
    View.CURRENT: (
        ("q", _PRIVATE_TO_OTHERS),
        ("k", _MARKED_AS.replace("{1}", Mark.FORGOTTEN)),
        ("k", _MARKED_AS.replace("{1}", Mark.ARCHIVED)),
        ("e", _SUPERSEDED_NOW),
    ),
    View.HISTORY: (
        ("q", _PRIVATE_TO_OTHERS),
        ("k", _MARKED_AS.replace("{1}", Mark.FORGOTTEN)),
        ("k", f"{_MARKED_AS.replace('{1}', Mark.ARCHIVED)} AND NOT {EXPIRED} AND NOT {_SUPERSEDED}"),
    ),
    View.ALL: (("q", _PRIVATE_TO_OTHERS),),
}
# The next times at which a view hides others: a supersedes edge begins or ends; an archived memory expires.
_NEXT_TURN = f"""SELECT MIN(CASE WHEN e.valid_from > :as_of THEN e.valid_from ELSE w.valid_until END)
    FROM {SUPERSEDING}{_A_LINK}"""
_NEXT_EXPIRY = f"""SELECT MIN(m.expires_at) FROM mark k JOIN memory m ON m.space_id = k.space_id AND m.id = k.target_id
    WHERE {BELIEVED.format("k")}{{0}} AND k.mark = '{Mark.ARCHIVED}' AND NOT {EXPIRED}"""
TURNS: dict[View, tuple[tuple[str, str], ...]] = {
    View.CURRENT: (("e", _NEXT_TURN),),
    View.HISTORY: (("e", _NEXT_TURN), ("k", _NEXT_EXPIRY)),
    View.ALL: (),
}


def in_state(state: State) -> str:
    """The condition of a memory m that is in this state: it holds, and none that goes before it does."""
    before: list[str] = []
    for one, holds in _HOLDS_STATE.items():
        if one is state:
            return f"({' AND '.join([*before, holds])})"
        before.append(f"NOT {holds}")
    return "FALSE"


def marks_of(bits: int | None) -> tuple[Mark, ...]:
    """The one that decides before the others first."""
    return tuple(mark for mark, bit in MARK_BITS.items() if int(bits or 0) & bit)
