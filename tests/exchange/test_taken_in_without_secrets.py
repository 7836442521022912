"""A secret in any text of anything that is taken in from elsewhere is nowhere in the store."""

from __future__ import annotations

import hashlib
import json
import re
import sqlite3
from base64 import b64encode
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from tests.exchange import elsewhere
from tests.faces.command import WORDS_ALONE, Here

from treering.exchange import importers, others
from treering.exchange.importers import read_export
from treering.ingest.files.chats import chat_of
from treering.language.masking import Masking
from treering.language.secrets import looks_random, masked

_STRUCTURE = re.compile(
    r"(?:.*_)?(?:id|ids|uuid|hash|at|iso|time|date)|type|status|tier|namespace|event|relation|parent|children|"
    r"current_node|content_type|kind|embed|labels"
)
"""Fields that say what a record is, or name it: none of these is a text."""


class Planted:
    """Puts another secret into each text that it is given."""

    def __init__(self) -> None:
        self.secrets: list[str] = []

    def __call__(self, value: Any) -> Any:
        return self._into(value, "")

    def _into(self, value: Any, name: str) -> Any:
        match value:
            case dict():
                return {key: self._into(one, key) for key, one in value.items()}
            case list():
                return [self._into(one, name) for one in value]
            case str() if value and not _STRUCTURE.fullmatch(name):
                return self._said(value)
        return value

    def _said(self, value: str) -> str:
        drawn = _drawn(len(self.secrets))
        token, password = f"ghp_{drawn.ljust(36, 'x')}", f"p4ss{drawn[:8]}"
        self.secrets.append((token, password, drawn)[len(self.secrets) % 3])
        return (f"{value} {token}", f"{value} password={password} ", f"{value} {drawn}")[(len(self.secrets) - 1) % 3]


def _drawn(number: int) -> str:
    """Small letters, capitals and digits in no order; always the same for a number."""
    for salt in range(1_000):
        word = b64encode(hashlib.sha256(f"{number}/{salt}".encode()).digest(), b"xy").decode()[:28]
        if word.isalnum() and looks_random(word):
            return word
    raise AssertionError("no word looks random")


@pytest.fixture
def here(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Here:
    for name, value in WORDS_ALONE.items():
        monkeypatch.setenv(name, value)
    (tmp_path / "store").mkdir()
    return Here(tmp_path / "store" / "w.db", capsys, monkeypatch)


def _import(here: Here, path: Path) -> Any:
    mapping = [one for pair in elsewhere.RECORDS for one in ("--map", pair)] if path.name == "mine.jsonl" else []
    done = here("import", str(path), "--space", "in", *mapping, "--json")
    assert done.code == 0, done.err
    return done.json


def _bytes(store: Path) -> bytes:
    """All that lies there: the store, what lies beside it, and its tables as text, where a page may cut a word."""
    whole = [path.read_bytes() for path in store.parent.rglob("*") if path.is_file()]
    with closing(sqlite3.connect(store)) as file:
        whole += ["\n".join(file.iterdump()).encode()]
    return b"\n".join(whole).lower()


@pytest.mark.parametrize("sample", elsewhere.EVERY, ids=lambda one: one.__name__)
def test_a_secret_in_any_text_is_nowhere_in_the_store(
    sample: Callable[[Path, Any], Path], here: Here, tmp_path: Path
) -> None:
    planted, came = Planted(), tmp_path / "came"
    came.mkdir()
    path = sample(came, planted)
    assert planted.secrets
    _import(here, path)
    kept = here("list", "--space", "in", "--view", "all", "--limit", "100", "--json").json["memories"]
    assert any("[masked: " in one["content"] for one in kept), "what stands around it is kept"
    here("recall", "What did Ann say about it?", "--space", "in")  # so that an index lies beside it
    data = _bytes(here.store)
    found = [one for one in planted.secrets if one.lower().encode() in data]
    assert not found, f"{len(found)} of {len(planted.secrets)} are in the store"
    before = len(kept)
    _import(here, path)
    again = here("list", "--space", "in", "--view", "all", "--limit", "100", "--json").json["memories"]
    assert len(again) == before, "what was masked is known when it comes again"


def test_every_form_has_a_sample() -> None:
    """Who writes an importer plants secrets in what it reads."""
    assert set(elsewhere.BY_STEPS) == set(importers.FORMS)
    assert set(elsewhere.BY_STATE) == set(others.SYSTEMS)


def test_who_wants_to_keep_secrets_keeps_them(here: Here, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TREERING_SECRETS", "keep")
    for number, sample in enumerate((elsewhere.claude, elsewhere.mem0, elsewhere.ai_memory, elsewhere.vault)):
        planted, came = Planted(), tmp_path / str(number)
        came.mkdir()
        _import(here, sample(came, planted))
        data = _bytes(here.store)
        assert sum(one.lower().encode() in data for one in planted.secrets) >= len(planted.secrets) / 2
    monkeypatch.setenv("TREERING_SECRETS", "perhaps")
    assert "TREERING_SECRETS: 'perhaps' is not one of mask, keep" in here("list").err


def test_what_was_masked_is_told(here: Here, tmp_path: Path) -> None:
    planted, token = Planted(), "ghp_" + "a1B2c3D4" * 5
    notes = tmp_path / "a.md"
    notes.write_text(f"# Ops\n\nThe key is {token}.\n", "utf-8")
    assert "masked as secrets: 1 × github token" in here("add-file", str(notes)).out  # noqa: RUF001
    assert sum(_import(here, elsewhere.mem0(tmp_path, planted))["masked"].values()) >= 1
    assert sum(_import(here, elsewhere.vault(tmp_path, planted))["masked"].values()) >= 1
    assert sum(_import(here, elsewhere.ai_memory(tmp_path, planted))["masked"].values()) >= 1


def test_what_is_named_as_a_secret_once_is_masked_in_all_of_a_file() -> None:
    said = [{"role": "user", "content": "the password is hunter2hunter"}, {"role": "bot", "content": "hunter2hunter!"}]
    assert Masking().value(said)[1]["content"] == "[masked: secret]!"
    assert [one.content for one in chat_of(Masking().value(said)).messages][1] == "[masked: secret]!"  # type: ignore[union-attr]


def test_a_word_that_people_use_is_masked_only_where_it_is_a_secret() -> None:
    """One line of somebody's code does not take a word out of all conversations."""
    said = [
        {"role": "assistant", "content": 'api_key = "assistant"'},
        {"role": "user", "content": 'token: "2024-01-05" and the assistant came on 2024-01-05'},
    ]
    clean = Masking().value(said)
    assert clean[0] == {"role": "assistant", "content": 'api_key = "[masked: password]"'}
    assert clean[1]["content"].endswith("and the assistant came on 2024-01-05")


def test_a_field_is_a_secret_by_its_name_and_an_id_is_none() -> None:
    told = {"db_password": "tulip", "id": _drawn(1), "session_id": _drawn(2), "tokens": "12", "password": "required"}
    assert Masking().value(told) == {**told, "db_password": "[masked: password]"}


def test_a_document_that_speaks_of_a_key_is_not_cut_there() -> None:
    text = "A file begins with -----BEGIN RSA " + "PRIVATE KEY----- and that is all.\n\nThe rest of this page stays."
    assert masked(text).endswith("and that is all.\n\nThe rest of this page stays.")


def test_ids_that_hold_no_secret_come_as_they_were(tmp_path: Path) -> None:
    drawn = _drawn(7)
    path = tmp_path / "mem0.json"
    path.write_text(json.dumps([{"id": drawn, "memory": "Likes tea"}]), "utf-8")
    taken = read_export(path)
    assert taken is not None
    assert [one.key for one in taken.steps] == [drawn]  # type: ignore[union-attr]
