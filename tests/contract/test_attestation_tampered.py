"""Each signed edge that was changed in the table or the journal is named, with the field."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from tests.conftest import HandClock
from tests.contract.attesting import ANN, BOB, EVE, ann, bob, known

from treering.door import Treering
from treering.store import open_store

__all__ = ["ann", "bob"]


@pytest.fixture
def signed_file(tmp_path: Path, clock: HandClock) -> tuple[Path, str]:
    """A file with one signed and countersigned fact, and the fact's id."""
    path = tmp_path / "signed.db"
    store = open_store(str(path))
    ann, bob = (
        Treering(store, clock=clock, actor=name, identity=key, space="lab")
        for name, key in (("ann", ANN), ("bob", BOB))
    )
    edge = known(ann, valid_until="2030-01-01T00:00:00Z")
    bob.attest(edge)
    ann.assert_fact("Ada", "LIKES", "Tea")
    store.close()
    return path, edge


def tampered(path: Path, sql: str, *params: Any) -> Any:
    with closing(sqlite3.connect(path)) as raw, raw:
        assert raw.execute(sql, params).rowcount == 1
    store = open_store(str(path))
    try:
        return Treering(store).verify()
    finally:
        store.close()


OTHER = "01900000-0000-7000-8000-000000000000"
SIGNED_FIELDS = {
    "source_id": OTHER,
    "target_id": OTHER,
    "relation": "HATES",
    "observed_by": "eve",
    "valid_from": 0,
    "valid_until": 1_600_000_000_000_000,
    "signature": EVE.sign(b"x"),
}


@pytest.mark.parametrize("column", SIGNED_FIELDS)
def test_a_signed_field_changed_in_the_table_names_the_edge_and_the_field(
    signed_file: tuple[Path, str], column: str
) -> None:
    path, edge = signed_file
    found = tampered(path, f"UPDATE edge SET {column} = ? WHERE id = ?", SIGNED_FIELDS[column], edge)
    [broken] = found.tampered
    assert not found.ok
    assert (broken.space, broken.edge_id, broken.relation, broken.actor) == ("lab", edge, "KNOWS", "ann")
    assert broken.what.startswith(f"{column} is ")
    assert broken.what.endswith(" in the journal, for which the signature holds")
    assert edge in str(broken)


def test_what_differs_is_told_with_both_values(signed_file: tuple[Path, str]) -> None:
    path, edge = signed_file
    found = tampered(path, "UPDATE edge SET valid_until = ? WHERE id = ?", SIGNED_FIELDS["valid_until"], edge)
    assert found.tampered[0].what == (
        "valid_until is 2020-09-13T12:26:40Z in the table, 2030-01-01T00:00:00Z in the journal, "
        "for which the signature holds"
    )


JOURNAL_FIELDS = {
    "relation": ('"relation":"KNOWS"', '"relation":"HATES"'),
    "observed_by": ('"observed_by":"ann"', '"observed_by":"eve"'),
    "valid_until": ("2030-01-01T00:00:00Z", "2031-01-01T00:00:00Z"),
    "valid_from": ('"valid_from":"2026-', '"valid_from":"2025-'),
}


@pytest.mark.parametrize("column", JOURNAL_FIELDS)
def test_a_signed_field_changed_in_the_journal_names_the_edge_and_the_field(
    signed_file: tuple[Path, str], column: str
) -> None:
    path, edge = signed_file
    found = tampered(path, "UPDATE journal SET payload = REPLACE(payload, ?, ?) WHERE seq = 1", *JOURNAL_FIELDS[column])
    [broken] = found.tampered
    assert (broken.edge_id, broken.actor) == (edge, "ann")
    assert broken.what.startswith(f"{column} is ")
    assert broken.what.endswith(" in the table, for which the signature holds")
    assert [one.seq for one in found.differences] == [1]


def test_an_end_changed_in_the_journal_and_the_table_is_named_for_neither_holds(signed_file: tuple[Path, str]) -> None:
    path, edge = signed_file
    with closing(sqlite3.connect(path)) as raw, raw:
        raw.execute("UPDATE edge SET relation = 'LOVES' WHERE id = ?", (edge,))
    found = tampered(path, "UPDATE journal SET payload = REPLACE(payload, 'KNOWS', 'HATES') WHERE seq = 1")
    assert found.tampered[0].what == (
        "relation is HATES in the journal, LOVES in the table, and the signature holds for neither"
    )
    with closing(sqlite3.connect(path)) as raw, raw:
        raw.execute("UPDATE edge SET relation = 'HATES' WHERE id = ?", (edge,))
    store = open_store(str(path))
    [broken] = Treering(store).verify().tampered
    store.close()
    assert broken.what == "its signature does not hold for what the journal says"


@pytest.mark.parametrize(
    ("sql", "said"),
    [
        ("UPDATE attestation SET signature = 'x' WHERE edge_id = ?", "the countersignature of bob: signature is x"),
        ("DELETE FROM attestation WHERE edge_id = ?", "the countersignature of bob: is in the journal, and gone"),
        ("UPDATE attestation SET actor = 'eve' WHERE edge_id = ?", "the countersignature of eve: is in the table, and"),
        (
            "UPDATE edge_window SET valid_until = 7 WHERE edge_id = ?",
            "the window known from 2026-01-01T12:00:00Z: valid",
        ),
    ],
)
def test_a_countersignature_or_window_changed_in_the_table_names_the_edge(
    signed_file: tuple[Path, str], sql: str, said: str
) -> None:
    path, edge = signed_file
    found = tampered(path, sql, edge)
    assert any(one.edge_id == edge and one.what.startswith(said) for one in found.tampered), found.tampered


def test_a_countersignature_changed_in_the_journal_names_the_edge(signed_file: tuple[Path, str]) -> None:
    path, edge = signed_file
    found = tampered(
        path, 'UPDATE journal SET payload = REPLACE(payload, \'"signature":"\', \'"signature":"x\') WHERE seq = 2'
    )
    [broken] = found.tampered
    assert (broken.edge_id, broken.relation, broken.actor) == (edge, "KNOWS", "bob")
    assert broken.what == "the countersignature of bob does not hold"


def test_what_is_not_signed_is_a_difference_and_no_broken_signature(signed_file: tuple[Path, str]) -> None:
    path, edge = signed_file
    found = tampered(path, "UPDATE edge SET confidence = 0.5 WHERE id = ?", edge)
    assert (found.ok, found.tampered) == (False, ())
    assert [one.key for one in found.differences] == [edge]


def test_every_edge_that_was_tampered_with_is_named_and_the_doctor_mends_them(tmp_path: Path, clock: HandClock) -> None:
    store = open_store(str(tmp_path / "many.db"))
    ann = Treering(store, clock=clock, actor="ann", identity=ANN, space="lab")
    ids = sorted(ann.assert_fact("Ada", "KNOWS", f"P{n}").facts[0].id for n in range(5))
    with closing(sqlite3.connect(tmp_path / "many.db")) as raw, raw:
        raw.execute("UPDATE edge SET relation = 'HATES' WHERE id IN (?, ?)", ids[1:3])
        raw.execute("DELETE FROM edge_window WHERE edge_id = ?", (ids[4],))
        raw.execute("DELETE FROM edge WHERE id = ?", (ids[4],))
    found = ann.verify()
    assert sorted({one.edge_id for one in found.tampered}) == [ids[1], ids[2], ids[4]]
    assert ann.doctor(repair=True).ok
    assert ann.verify().tampered == ()
    store.close()


def test_an_edge_changed_after_an_entry_that_cannot_be_read_is_named_too(tmp_path: Path, clock: HandClock) -> None:
    path = tmp_path / "torn.db"
    store = open_store(str(path))
    ann = Treering(store, clock=clock, actor="ann", identity=ANN, space="lab")
    ann.assert_fact("Ada", "KNOWS", "Bo")
    ann.assert_fact("Ada", "KNOWS", "Cy")
    last = ann.assert_fact("Ada", "KNOWS", "Di").facts[0].id
    store.close()
    with closing(sqlite3.connect(path)) as raw, raw:
        raw.execute("UPDATE journal SET payload = 'torn' WHERE seq = 2")
    found = tampered(path, "UPDATE journal SET payload = REPLACE(payload, 'KNOWS', 'HATES') WHERE seq = 3")
    assert last in {one.edge_id for one in found.tampered}
