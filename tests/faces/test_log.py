"""The log: by module, on when asked for, and without a word of what was said."""

from __future__ import annotations

import ast
import json
import logging
import subprocess
import sys
from pathlib import Path

import pytest

import treering
from treering.faces.logs import JsonLines
from treering.settings import LOG_LEVELS

SOURCE = Path(__file__).parents[2] / "src"
SAID = ("Zanzibar", "Quillfeather", "Persimmon")
LIFE = (
    "I live in Zanzibar and work at Persimmon.",
    "My sister Quillfeather has a boat.",
    "I no longer work at Persimmon.",
    "I live in Zanzibar and work at Persimmon.",
)


def test_every_logger_has_the_name_of_its_module() -> None:
    """But for those of others, which are quietened."""
    named = [
        f"{path.relative_to(SOURCE)}: {ast.unparse(node)}"
        for path in sorted(SOURCE.rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Assign)
        and isinstance(node.value, ast.Call)
        and ast.unparse(node.value.func).endswith("getLogger")
        and [one.id for one in node.targets if isinstance(one, ast.Name)][:1] in (["log"], ["LOG"])
        and ast.unparse(node.value) != "logging.getLogger(__name__)"
    ]
    assert named == []


def _lived(caplog: pytest.LogCaptureFixture, level: int, path: Path) -> None:
    with caplog.at_level(level, "treering"), treering.open(str(path), extractor="reader", judge="turnreader") as door:
        for one in LIFE:
            door.remember(one)
        door.recall("Where do I work?")
        door.recall("Who has a boat?")
        door.context("Where do I live?")


def test_at_debug_decisions_are_told_with_ids_and_no_words(caplog: pytest.LogCaptureFixture, tmp_path: Path) -> None:
    _lived(caplog, logging.DEBUG, tmp_path / "work.db")
    loggers = {one.name for one in caplog.records}
    assert {
        "treering.ingest.journey",
        "treering.ingest.resolve",
        "treering.ingest.relate.decided",
        "treering.recall.find",
        "treering.recall.present",
        "treering.recall.index_cache",
    } <= loggers
    assert "closes WORKS_FOR" in caplog.text
    assert not [line for line in caplog.text.splitlines() if any(word.lower() in line.lower() for word in SAID)]


def test_at_info_nothing_is_told_of_what_goes_well(caplog: pytest.LogCaptureFixture, tmp_path: Path) -> None:
    _lived(caplog, logging.INFO, tmp_path / "work.db")
    assert caplog.text == ""


def _shell(tmp_path: Path, level: str) -> subprocess.CompletedProcess[str]:
    words = [sys.executable, "-m", "treering.faces.cli", "--url", str(tmp_path / "work.db"), "remember", LIFE[0]]
    env = {**_environment(tmp_path), "TREERING_LOG": level}
    return subprocess.run(words, capture_output=True, text=True, check=False, env=env)


def _environment(tmp_path: Path) -> dict[str, str]:
    import os

    return {**os.environ, "HOME": str(tmp_path), "TREERING_EMBEDDER": "none", "TREERING_JUDGE": "none"}


def test_the_program_tells_it_on_standard_error_when_asked(tmp_path: Path) -> None:
    told = _shell(tmp_path, "debug")
    assert told.returncode == 0
    assert "treering.ingest.journey: default: read by reader: " in told.stderr
    assert "treering.ingest" not in told.stdout
    assert _shell(tmp_path, "").stderr == ""


def test_a_level_that_is_none_is_refused(tmp_path: Path) -> None:
    told = _shell(tmp_path, "loud")
    assert told.returncode == 2
    assert f"TREERING_LOG: 'loud' is not one of {', '.join(LOG_LEVELS)}" in told.stderr


def test_a_server_tells_it_as_json() -> None:
    record = logging.LogRecord("treering.recall.find", logging.DEBUG, "", 1, "%d hits of %s", (3, "ünder"), None)
    told = {"level": "debug", "logger": "treering.recall.find", "told": "3 hits of ünder"}
    assert json.loads(JsonLines().format(record)) == told
