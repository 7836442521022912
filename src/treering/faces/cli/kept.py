"""What is shown of upkeep? Scores with bars and bands, what was put away or promoted and why, and a space's health."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime

from treering.faces.cli.blocks import Block, Cell, Line, Pairs, Rows, TableColumn, Tone, cell, id_cell, time_cell
from treering.faces.cli.headline import count, said
from treering.upkeep.decay import Band
from treering.upkeep.expire import Expired
from treering.upkeep.forget import Forgetting
from treering.upkeep.gc import Collected
from treering.upkeep.health import Health
from treering.upkeep.promote import Candidate, Promoted
from treering.upkeep.use import Observation, Score, Touched

_BANDS: dict[Band, Tone] = {Band.STRONG: "good", Band.ACTIVE: "plain", Band.FADING: "warn", Band.FADED: "bad"}
_BAR, _LONGEST = "█", 10
_MOST_SHOWN = 20


def touched(one: Touched) -> Iterator[Block]:
    yield from said(one)
    yield Pairs(
        (
            ("score", Cell(f"{one.old_score:.2f} → {one.new_score:.2f}", f"{one.old_score} → {one.new_score}")),
            ("band", cell(one.band.value, _BANDS[one.band])),
            ("uses", cell(f"{one.use_count:,}")),
            ("strength", cell(f"{one.strength:g}")),
            ("memory", cell(one.id, "quiet")),
        )
    )


def observation(seen: Observation) -> Iterator[Block]:
    if seen.reason is not None:
        yield Line(seen.reason, "warn")
        return
    yield from said(seen)
    columns = (
        TableColumn("id"),
        TableColumn("status", main=True),
        TableColumn("uses"),
        TableColumn("strength"),
        TableColumn("score"),
    )
    rows = tuple(
        (
            id_cell(one.id),
            cell(one.status + (" in another domain" if one.cross_domain else ""), _status_tone(one.status)),
            cell(one.use_count or ""),
            cell("" if one.strength is None else f"{one.strength:g}"),
            cell("" if one.score is None else f"{one.score:.2f}"),
        )
        for one in seen.results
    )
    yield Rows(columns, rows, "none")


def _status_tone(status: str) -> Tone:
    return "good" if status == "reinforced" else "warn"


def scores(found: Sequence[Score]) -> Rows:
    columns = (
        TableColumn("id"),
        TableColumn("score"),
        TableColumn("band"),
        TableColumn("uses"),
        TableColumn("last used"),
        TableColumn("fades"),
        TableColumn("content", main=True),
    )
    rows = tuple(
        (
            id_cell(one.id),
            _bar(one.score, one.band),
            cell(one.band.value, _BANDS[one.band]),
            cell(f"{one.use_count:,}"),
            time_cell(one.last_used),
            time_cell(one.fading_at),
            cell(one.content),
        )
        for one in found
    )
    return Rows(columns, rows, "none")


def _bar(score: float, band: Band) -> Cell:
    return Cell(f"{score:.2f} {_BAR * min(_LONGEST, round(score * _LONGEST))}".rstrip(), str(score), _BANDS[band])


def forgetting(found: Forgetting) -> Iterator[Block]:
    yield from matches(found)
    if found.matches and not found.forgotten:
        yield Line(f"to forget exactly these: --confirm {found.token}", "warn")


def matches(found: Forgetting) -> Iterator[Block]:
    yield from said(found)
    columns = (TableColumn("id"), TableColumn("relevance"), TableColumn("content", main=True))
    rows = tuple((id_cell(one.id), cell(f"{one.relevance:.2f}"), cell(one.content)) for one in found.matches)
    yield Rows(columns, rows, "nothing is known that is clearly about that")


def collected(done: Collected) -> Iterator[Block]:
    yield from said(done)
    columns = (TableColumn("id"), TableColumn("score"), TableColumn("content", main=True))
    shown = done.memories[:_MOST_SHOWN]
    rows = tuple((id_cell(one.id), Cell(f"{one.score:.4f}", str(one.score)), cell(one.content)) for one in shown)
    yield Rows(columns, rows, f"nothing has faded below {done.threshold:g}")
    yield from _more(len(done.ids))
    if done.left:
        yield Line(f"{done.left:,} more are below {done.threshold:g}; the same command goes on", "quiet", True)
    kept = _counts(done.kept)
    yield Pairs((("looked at", cell(f"{done.looked_at:,}")), *((("left alone", cell(kept)),) if kept else ())))


def promoted(done: Promoted) -> Iterator[Block]:
    yield from said(done)
    if done.candidates:
        yield _candidates(done.candidates, "good")
    if done.refused:
        yield Line("not promoted", "warn", for_people=True)
        yield _candidates(done.refused, "warn")
    if not done.candidates and not done.refused:
        yield Line("no memory meets the criteria", "quiet")
    if done.notes:
        yield Pairs(tuple(("note", cell(path)) for path in done.notes.values()))


def _candidates(some: Sequence[Candidate], tone: Tone) -> Rows:
    columns = (
        TableColumn("id"),
        TableColumn("score"),
        TableColumn("uses"),
        TableColumn("reason", main=True),
        TableColumn("content", main=True),
    )
    rows = (
        (
            id_cell(one.id),
            Cell(f"{one.score:.2f}", str(one.score)),
            cell(f"{one.use_count:,}"),
            cell(one.reason, tone),
            cell(one.content),
        )
        for one in some[:_MOST_SHOWN]
    )
    return Rows(columns, tuple(rows), "none")


def expired(done: Expired) -> Iterator[Block]:
    yield from said(done)
    rows = tuple(
        (id_cell(one), cell(f"outlived its tier, {tier}", "warn")) for tier, ids in done.archived.items() for one in ids
    )
    past = tuple((id_cell(one), cell("past its own time", "quiet")) for one in done.ids)
    yield Rows((TableColumn("id"), TableColumn("what", main=True)), (*rows, *past)[:_MOST_SHOWN], "nothing is over")
    yield from _more(len(rows) + len(past))
    yield Pairs((("expired", cell(f"{done.expired:,}")), ("archived", cell(f"{len(rows):,}"))))


def health(found: Health) -> Iterator[Block]:
    yield Pairs(tuple(_health(found)))


def _health(found: Health) -> Iterator[tuple[str, Cell]]:
    yield "space", cell(found.space, "name")
    yield "memories", cell(_counts(found.states) or "none yet", "good" if found.memories else "quiet")
    if not found.memories:
        return
    yield "tiers", cell(_counts(found.tiers))
    yield "bands", cell(f"{_counts(found.bands)}; mean score {found.mean_score:.2f}")
    yield "in danger", cell(f"{found.in_danger:,} fade and want a review", "warn" if found.in_danger else "plain")
    doubts: Iterable[tuple[str, int | None]] = (
        ("stale", found.stale),
        ("conflicts", found.conflicts),
        (_duplicates(found), found.duplicates),
        ("orphans", found.orphans),
        ("to review", found.review_backlog),
    )
    for name, number in doubts:
        if number is not None:
            yield name, cell(f"{number:,}", "warn" if number else "plain")
    yield "learned", cell(", ".join(f"{number:,} in the last {span}" for span, number in found.growth.items()))
    yield "entities", cell(f"{found.entities:,}")
    yield "edges", cell(f"{found.edges:,}")
    yield "last upkeep", _ever(found.last_upkeep)


def _duplicates(found: Health) -> str:
    """Where not all were looked at, that is said."""
    return "duplicates" if found.duplicates_among >= found.memories else f"duplicates of {found.duplicates_among:,}"


def _ever(at: datetime | None) -> Cell:
    return cell("never", "warn") if at is None else time_cell(at)


def _counts(numbers: Mapping[str, int]) -> str:
    return ", ".join(f"{number:,} {name}" for name, number in numbers.items() if number)


def _more(number: int) -> Iterator[Block]:
    if number > _MOST_SHOWN:
        yield Line(f"and {count(number - _MOST_SHOWN, 'more', 'more')}", "quiet", for_people=True)
