"""Each client's transcript is read into the same turns, and nothing but what was said and run comes out of it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from treering.errors import InvalidRequest
from treering.exchange.transcripts import CommandRun, read_transcript, transcript_of
from treering.exchange.transcripts.later import KeptSentence, replaces
from treering.exchange.transcripts.notable import Notable, What, notables

RECORDED = Path(__file__).parents[1] / "faces" / "hooks" / "recorded"
FILES = sorted([*RECORDED.glob("*/transcript.*"), RECORDED / "vscode" / "chat.json"])
ASKED = "Let's use Postgres for the orders service. Always run `make lint` before each commit."


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_every_client_s_transcript_says_the_same(path: Path) -> None:
    read = read_transcript(path)
    said = [(one.role, one.text) for one in read.turns if one.role != "tool"]
    assert said[0] == ("user", ASKED)
    assert [role for role, _ in said] == ["user", "assistant"]
    assert said[1][1].startswith("I set it up. The root cause was")
    runs = [run for one in read.turns for run in one.runs]
    assert runs[0].command == "make test"
    if path.parent.name == "cursor":
        assert runs == [CommandRun("make test")], "it tells neither what came of it nor what came after"
    else:
        assert [(run.command, run.ok) for run in runs] == [("make test", True), ("npm run build", False)]
    assert read.client == path.parent.name


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_what_files_tools_and_clients_put_in_becomes_no_instruction(path: Path) -> None:
    found = {(one.what, one.text) for one in notables(read_transcript(path).turns)}
    assert {text for what, text in found if what is What.INSTRUCTION} == {"Always run `make lint` before each commit."}
    assert {text for what, text in found if what is What.DECISION} == {"Let's use Postgres for the orders service."}
    assert (What.OPEN, "Still need to add retries to the uploader.") in found
    assert (What.FIX, "The root cause was a missing index on orders.created_at.") in found
    assert not any("build" in text for what, text in found if what is What.COMMAND), "it failed"


@pytest.mark.parametrize("path", [one for one in FILES if one.suffix == ".jsonl"], ids=lambda path: path.parent.name)
def test_a_transcript_that_grows_is_read_on_from_where_it_ended(path: Path, tmp_path: Path) -> None:
    lines = path.read_bytes().splitlines(keepends=True)
    whole = read_transcript(path)
    grown = tmp_path / path.name
    ids: list[str] = []
    end = 0
    for count in range(1, len(lines) + 1):
        grown.write_bytes(b"".join(lines[:count]) + b'{"half a line')
        try:
            read = read_transcript(grown, end)
        except InvalidRequest:
            continue  # nothing yet by which it could be known
        ids += [one.id for one in read.turns if one.role != "tool"]
        end = read.end
    assert ids == [one.id for one in whole.turns if one.role != "tool"]
    assert end == path.stat().st_size


def test_one_that_was_written_anew_is_read_from_its_beginning(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    path.write_bytes((RECORDED / "claude-code" / "transcript.jsonl").read_bytes())
    assert read_transcript(path, 10_000_000).turns[0].text == ASKED


def test_lines_that_are_no_json_are_counted_and_passed_over() -> None:
    data = b"not json\n" + (RECORDED / "codex" / "transcript.jsonl").read_bytes() + b"[1]\n"
    read = transcript_of(data)
    assert read is not None
    assert read.left_out == 2
    assert read.turns[0].text == ASKED


def test_something_else_is_no_transcript(tmp_path: Path) -> None:
    for data in (b"", b"{}", b"[]", b'{"type": "entity"}\n', b"\xff\xfe\x00", json.dumps([{"role": "user"}]).encode()):
        assert transcript_of(data) is None
    with pytest.raises(InvalidRequest, match="cannot be read"):
        read_transcript(tmp_path / "missing.jsonl")


def _decided(text: str, what: What = What.DECISION) -> Notable:
    return Notable(what, text, "t", 0)


REVERSALS = (
    ("Let's use Postgres for the store.", "We're going back to SQLite, Postgres was too much.", True),
    ("Always use pnpm in this repo.", "From now on use npm, not pnpm.", True),
    ("We'll use tabs for indentation.", "Actually, indent with four spaces instead.", True),
    ("Always write docstrings for public functions.", "No docstrings any more, please.", True),
    ("Never push to main directly.", "From now on we push to main directly, no feature branches.", True),
    ("Always run the slow suite before merging.", "You no longer need to run the slow suite before merging.", True),
    ("Let's use Postgres for the store.", "Let's use Redis for the cache.", False),
    ("Always use pnpm in this repo.", "Always write tests for new endpoints.", False),
    ("We'll host it on Fly.", "Let's use Stripe for payments.", False),
    ("Commit messages should always follow conventional commits.", "Always squash when merging a PR.", False),
)


@pytest.mark.parametrize(("old", "new", "expected"), REVERSALS)
def test_a_later_word_on_the_same_thing_counts(old: str, new: str, expected: bool) -> None:
    assert replaces(_decided(new), KeptSentence(What.DECISION, old)) is expected


def test_something_open_is_closed_by_word_that_it_is_done() -> None:
    left = KeptSentence(What.OPEN, "Still need to add retries to the uploader.")
    assert replaces(_decided("Retries in the uploader are implemented now.", What.DONE), left)
    assert not replaces(_decided("The login page is finished.", What.DONE), left)


def test_a_command_that_somebody_named_stays_before_one_that_only_worked() -> None:
    told = KeptSentence(What.COMMAND, "make test", "test", told=True)
    assert not replaces(Notable(What.COMMAND, "pytest -q", "t", 0, purpose="test", told=False), told)
    assert replaces(Notable(What.COMMAND, "just test", "t", 0, purpose="test"), told)
    found = KeptSentence(What.COMMAND, "npm test", "test", told=False)
    assert replaces(Notable(What.COMMAND, "pnpm test", "t", 0, purpose="test", told=False), found)
    assert not replaces(Notable(What.COMMAND, "npm test --watch", "t", 0, purpose="test", told=False), found)


NOT_KEPT = (
    "Should we use Postgres instead of SQLite?",
    "Maybe we should switch to Rust at some point.",
    "For now, use the staging key instead of the real one.",
    "Fix the failing test in auth.",
    "Can you always explain what you do?",
)


@pytest.mark.parametrize("sentence", NOT_KEPT)
def test_questions_doubts_and_requests_for_now_are_no_decisions(sentence: str) -> None:
    from treering.exchange.transcripts.turn import TranscriptTurn

    found = {one.what for one in notables([TranscriptTurn("1", "user", sentence)])}
    assert not found & {What.DECISION, What.INSTRUCTION}
