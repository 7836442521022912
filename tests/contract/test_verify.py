"""`verify` finds and names any change of journal, table, signature or byte; `doctor` mends tables and only tables."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from tests.contract.damage import KEYS, TABLES, Bench

from treering.store.verify import Difference


@dataclass
class Damage:
    """One change by direct SQL. `key` is how verify names the row, `seq` its entry if it is of the journal."""

    name: str
    sql: str
    params: tuple[Any, ...]
    table: str
    keys: tuple[str, ...]
    seqs: tuple[int, ...] = ()

    def named_by(self, found: Difference) -> bool:
        if self.seqs:
            return found.seq in self.seqs
        if self.table == "space" and found.space in self.keys:
            return True
        place = " ".join((found.table or "", found.key or ""))
        return any(place == f"{self.table} {key}" for key in self.keys)


def another(value: Any, declared: str) -> Any:
    """A value of the same type that is not this one."""
    if value is None:
        return 7 if declared == "INTEGER" else "x"
    if isinstance(value, str):
        return value[:-1] + ("0" if value[-1:] != "0" else "1")
    if isinstance(value, float):
        return value - 0.125
    return value + 1_000_003 if value < (1 << 62) else value - 1


LATE = pytest.param(True, marks=pytest.mark.slow, id="every-row")
EVERY = pytest.mark.parametrize("every", [pytest.param(False, id="a-row"), LATE])


def damages(bench: Bench, table: str, every: bool = True) -> Iterator[Damage]:
    """Each column changed, a row removed, a stray row added; in the first row and in the last, or by turns in one."""
    rows = bench.rows(table)
    assert rows, f"no row of {table} to damage"
    raw = sqlite3.connect(":memory:")
    raw.executescript(Path("src/treering/store/sqlite/schema.sql").read_text())
    types = {name: kind for _, name, kind, *_ in raw.execute(f"PRAGMA table_info({table})")}
    raw.close()
    chosen = (rows[0], rows[-1])[: len(rows)]
    for turn, row in enumerate(chosen):
        mine = list(types.items()) if every else list(types.items())[turn :: len(chosen)]
        where = " AND ".join(f"{name} IS ?" for name in types)
        old = tuple(row[name] for name in types)
        for column, declared in mine:
            new = 3 - row[column] if column == "space_id" else another(row[column], declared)
            keys = tuple(_key(table, one) for one in (row, {**row, column: new}))
            yield Damage(
                f"{table}.{column} of {keys[0]}",
                f"UPDATE {table} SET {column} = ? WHERE {where}",
                (new, *old),
                table,
                keys,
                _seqs(table, row, column, new),
            )
        if not every and turn:
            continue
        yield Damage(
            f"{table} without {_key(table, row)}",
            f"DELETE FROM {table} WHERE {where}",
            old,
            table,
            (_key(table, row),),
            _seqs(table, row, "", None),
        )
    stray = {name: rows[-1][name] for name in types}
    changed = KEYS[table][-1]
    stray[changed] = another(stray[changed], types[changed])
    if "folded" in stray:
        stray["folded"] += " stray"
    if table == "space":
        stray["id"] += 1
    if table == "journal":
        stray["at"] += 1
    if table == "source":
        stray["key"] = None
    marks = ", ".join("?" * len(types))
    yield Damage(
        f"{table} with a stray row",
        f"INSERT INTO {table} ({', '.join(types)}) VALUES ({marks})",
        tuple(stray.values()),
        table,
        (_key(table, stray),),
        (stray["seq"],) if table == "journal" else (),
    )


def _key(table: str, row: dict[str, Any]) -> str:
    return " ".join(str(row[name]) for name in KEYS[table])


def _seqs(table: str, row: dict[str, Any], column: str, new: Any) -> tuple[int, ...]:
    """A change of an entry is seen at it; one that takes it away, at the one that then comes too early."""
    if table != "journal":
        return ()
    moved = column in ("seq", "space_id", "")
    return (row["seq"], row["seq"] + 1, *((new,) if column == "seq" else ())) if moved else (row["seq"],)


@EVERY
@pytest.mark.parametrize("table", TABLES)
def test_any_value_changed_row_removed_or_row_added_is_found_and_named(bench: Bench, table: str, every: bool) -> None:
    missed = []
    for damage in damages(bench, table, every):
        if not bench.damage(damage.sql, damage.params):
            continue
        found = bench.verify()
        by_the_engine = any(f"'{table}'" in one.what for one in found.differences if one.space == "*")
        if found.ok or not (by_the_engine or any(damage.named_by(one) for one in found.differences)):
            missed.append((damage.name, [str(one) for one in found.differences]))
    assert missed == []


@EVERY
@pytest.mark.parametrize("table", [table for table in TABLES if table not in ("journal", "space")])
def test_the_doctor_mends_any_damage_to_a_table(bench: Bench, table: str, every: bool) -> None:
    """What verify finds is mended whichever column it is in: one at every change, each in the slow group."""
    unmended, done = [], list(damages(bench, table, every))
    changed = [one for one in done if one.sql.startswith("UPDATE")]
    for damage in [one for one in done if every or one not in changed[:-1]]:
        if not bench.damage(damage.sql, damage.params):
            continue
        diagnosis = bench.doctor()
        if not diagnosis.ok or diagnosis.before.ok:
            unmended.append((damage.name, [str(one) for one in diagnosis.after.differences]))
    assert unmended == []


def test_the_doctor_mends_a_head_that_is_not_the_journals(bench: Bench) -> None:
    for column in ("head_seq", "head_at", "head_hash", "created_at"):
        row = bench.rows("space")[0]
        new = another(row[column], "INTEGER")
        assert not bench.verify_after(f"UPDATE space SET {column} = ? WHERE id = ?", (new, row["id"])).ok
        assert bench.doctor().ok, column
        assert bench.verify().ok


def test_the_doctor_removes_rows_that_belong_to_no_space(bench: Bench) -> None:
    for table in ("memory", "memory_tag", "edge", "alias", "tombstone"):
        keys = ", ".join(KEYS[table])
        first = f"(SELECT {keys} FROM {table} ORDER BY 1 LIMIT 1)"
        assert bench.damage(f"UPDATE {table} SET space_id = 99 WHERE ({keys}) = {first}")
        assert not bench.verify().ok
        assert bench.doctor().ok, table


def test_a_space_whose_head_says_that_nothing_was_written_is_not_passed_over(bench: Bench) -> None:
    found = bench.verify_after("UPDATE space SET head_seq = 0 WHERE name = 'lab'")
    assert not found.ok
    assert "lab" in {one.space for one in found.differences}


def test_the_doctor_does_not_mend_a_broken_journal_nor_touch_it(bench: Bench) -> None:
    fooled = []
    for damage in damages(bench, "journal", every=False):
        if not bench.damage(damage.sql, damage.params):
            continue
        before = journal_of(bench.path)
        diagnosis = bench.doctor()
        if diagnosis.ok or bench.verify().ok or journal_of(bench.path) != before:
            fooled.append(damage.name)
    assert fooled == []


def journal_of(path: Path) -> list[Any]:
    raw = sqlite3.connect(path)
    found = raw.execute("SELECT * FROM journal ORDER BY 1, 2").fetchall()
    raw.close()
    return found
