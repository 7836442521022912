"""The demo tells the story, and what it shows is what really happened."""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest
from rich.console import Console
from tests.faces.command import PROGRAM, Outcome, clean_environment, on_terminal, program

from treering.faces.cli.demo import PAUSE_SECONDS
from treering.faces.cli.demo.proof import flip_a_bit, occurrences
from treering.faces.cli.demo.stage import DemoStage, ShownName, spelled
from treering.faces.cli.demo.story import tell


@pytest.fixture(scope="module")
def told() -> Outcome:
    return program("demo", "--fast", COLUMNS="100")


def _chapter(told: Outcome, title: str) -> str:
    """The words of one chapter, blanks evened out."""
    after = told.out.split(f"· {title} ─", 1)[1]
    return " ".join(re.split(r"\n\d+ · ", after)[0].split())


def test_the_demo_ends_well_and_in_a_few_seconds(told: Outcome) -> None:
    assert (told.code, told.err) == (0, "")
    assert "\x1b" not in told.out
    started = time.monotonic()
    assert program("demo").code == 0
    assert time.monotonic() - started < 60


def test_what_is_told_is_read_and_a_change_changes_the_answer(told: Outcome) -> None:
    life = _chapter(told, "A life, as it is told")
    assert "greeting: kept word for word, and no memory" in life
    assert "semantic: Sam lives in Chicago [Sam LIVES_IN Chicago]" in life
    assert "episode: Sam: I left Google on 5 May (2025-05-05) and joined Anthropic" in life
    assert "closed: Sam WORKS_FOR Google, held 2021-09-01 → 2025-05-05, by the rule 'ended'" in life
    assert "closed: Alex WORKS_FOR Square, never held, by the rule 'corrected'" in life
    before, after = life.split("mem.recall(")[1:]
    assert "“Sam: I've worked at Google since September 2021.”" in before
    assert "“Sam works at Anthropic”" in after


def test_what_is_true_now_is_shown(told: Outcome) -> None:
    now = _chapter(told, "What is true now")
    for fact in ("Sam WORKS_FOR Anthropic", "Sam LIVES_IN Austin", "Sam USES Neovim", "Alex WORKS_FOR Stripe"):
        assert fact in now
    assert not {"Google", "Chicago", "Code", "Square"} & set(now.split())


def test_what_was_true_then_is_shown(told: Outcome) -> None:
    then = _chapter(told, "What was true then")
    assert "Sam WORKS_FOR Google 2021-09-01 → 2025-05-05" in then
    assert "Sam LIVES_IN Chicago 2024-03-04 09:00 → 2025-06-01" in then
    assert "Sam USES VS Code" in then
    assert "Alex WORKS_FOR Stripe" in then


def test_what_was_believed_before_the_late_news_and_before_the_correction_is_shown(told: Outcome) -> None:
    believed = _chapter(told, "What was believed then")
    assert believed.index("Sam LIVES_IN Austin") < believed.index("Sam LIVES_IN Chicago")
    assert believed.index("Alex WORKS_FOR Stripe") < believed.index("Alex WORKS_FOR Square")
    assert 'as_of="2025-07-01", known_at="2025-08-01")' in believed


def test_the_supersession_names_its_rule_and_its_evidence(told: Outcome) -> None:
    why = _chapter(told, "Why")
    assert "closed at 2025-05-05T00:00:00Z" in why
    assert "by the rule ended" in why
    assert "“Sam: I left Google on 5 May (2025-05-05) and joined Anthropic.” (active, said 2025-05-12)" in why
    assert "“Sam: I use VS Code for everything.” (superseded" in why


def test_a_question_is_answered_by_meaning_then_at_an_earlier_day_then_not_at_all(told: Outcome) -> None:
    asked = _chapter(told, "Questions in plain words").split("mem.recall(")
    assert '"Does Sam have a food allergy?"' in asked[1]
    assert "“Sam: Peanuts make my throat swell up.” close in meaning" in asked[1]
    assert "has " not in asked[1].split("”")[1].split("The same question")[0]  # no word in common
    assert "“Sam uses Neovim”" in asked[2]
    assert 'as_of="2024-12-24"' in asked[3]
    assert "“Sam: I use VS Code for everything.”" in asked[3]
    assert asked[4].endswith("nothing known about that")


def test_what_speaks_for_an_answer_and_against_one_is_shown(told: Outcome) -> None:
    explained, kept_out = _chapter(told, "What speaks for an answer").split("mem.why_not(")
    assert "I left Google on 5 May (2025-05-05) and joined Anthropic" in explained
    for signal in ("semantic +", "keyword +", "graph +", "temporal +"):
        assert signal in explained
    assert "window May 2025, 0 days outside" in explained
    because, block = kept_out.split("mem.context(")
    assert "It is superseded by" in because
    assert "Neovim" in because
    assert '"Sam uses Neovim"' in block.split("## No longer current")[0]
    assert '"Sam: I use VS Code for everything." - replaced by [' in block
    [used, budget] = re.findall(r"about (\d+) of (\d+) tokens", block)[0]
    assert int(used) <= int(budget)


def test_the_story_is_the_same_whoever_the_environment_says_should_read(told: Outcome) -> None:
    other = program("demo", "--fast", COLUMNS="100", TREERING_EMBEDDER="none", TREERING_EXTRACTOR="none")
    assert _chapter(other, "Questions in plain words") == _chapter(told, "Questions in plain words")


def test_a_write_is_undone_and_what_it_closed_is_open_again(told: Outcome) -> None:
    joke, undone = _chapter(told, "Undo").split("mem.undo(str(denver.seq)")
    assert "closed: Sam LIVES_IN Austin" in joke
    assert "2 memories forgotten, 1 fact open again" in undone
    assert undone.endswith("Sam LIVES_IN Austin 2025-06-01 →")


def test_a_memory_is_forgotten_and_restored_with_its_edges(told: Outcome) -> None:
    chapter = _chapter(told, "Forget, and restore")
    [gone] = re.findall(r"forgotten, and (\d+) edges went along", chapter)
    [back] = re.findall(r"restored, and the same (\d+) edges came back", chapter)
    assert gone == back != "0"
    assert "Alex WORKS_FOR Square" in chapter.split("restored")[0]
    assert "Stripe" not in chapter.split("restored")[0]
    assert "Alex WORKS_FOR Stripe" in chapter.split("restored")[1]


def test_the_purge_leaves_no_byte_and_the_chain_still_holds(told: Outcome) -> None:
    chapter = _chapter(told, "Purge: not a byte left")
    before, after = chapter.split("mem.purge(")
    assert re.search(r"\d+ times in life\.db", before)
    assert "nowhere: not in life.db" in after
    assert "NotFound" in after
    verified = _chapter(told, "Can it be trusted?").split("Now one bit")[0]
    assert "✓ everything holds together" in verified
    assert re.search(r"purged [1-9]\d* changes removed", verified)


def test_a_flipped_bit_is_caught_and_named_in_a_table_and_in_the_journal(told: Outcome) -> None:
    _, table, journal = _chapter(told, "Can it be trusted?").split("Now one bit")
    for part in (table, journal):
        assert "'I' is now 'H'" in part
        assert "✗ 1 difference found" in part
    assert re.search(r"sam: (memory|source) [0-9a-f-]{36}: column content differs", table)
    assert "sam: entry 9: payload_hash does not match the changes" in journal


def test_the_throw_away_store_is_thrown_away(tmp_path: Path) -> None:
    assert program("demo", "--fast", TMPDIR=str(tmp_path)).code == 0
    assert list(tmp_path.iterdir()) == []


def test_a_narrow_terminal_and_one_without_colour_can_show_it_too() -> None:
    shown = on_terminal("demo", "--fast", "--no-color", columns=60)
    assert shown.code == 0
    assert "\x1b" not in shown.out
    assert max(len(line) for line in shown.out.splitlines()) <= 60


def test_a_terminal_gets_it_in_colour_with_short_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    waited: list[float] = []
    monkeypatch.setattr(time, "sleep", waited.append)
    with tempfile.TemporaryFile("w+", encoding="utf-8") as file:
        tell(DemoStage(Console(file=file, force_terminal=True, color_system="truecolor", width=100), PAUSE_SECONDS))
        file.seek(0)
        assert "\x1b[" in file.read()
    assert 0 < sum(waited) <= 10


def test_a_reader_who_goes_away_does_not_make_it_complain() -> None:
    running = subprocess.Popen(
        [*PROGRAM, "demo", "--fast"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=clean_environment()
    )
    assert running.stdout is not None
    assert running.stderr is not None
    running.stdout.close()
    complaint = running.stderr.read()
    running.stderr.close()
    assert (running.wait(60), complaint) == (141, b"")


# what the story is told with


def test_a_call_is_spelled_as_python_that_can_be_read_back() -> None:
    written = spelled("mem.add", ('say "hi"', ["a", ("b", 1)]), {"id": ShownName.of("job.id", "x"), "deep": True}, 30)
    assert max(len(line) for line in written.splitlines()) <= 30
    compile(written, "call", "eval")
    assert "id=job.id" in written
    assert spelled("mem.facts", (), {}, 80) == "mem.facts()"


def test_occurrences_are_counted_in_every_file(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"xx-needle-needle")
    (tmp_path / "b").write_bytes(b"hay")
    assert occurrences(tmp_path, b"needle") == {"a": 2, "b": 0}


def test_one_bit_is_flipped_where_it_was_meant(tmp_path: Path) -> None:
    file = tmp_path / "bytes"
    file.write_bytes(b'bare words {"content":"bare words"}')
    assert flip_a_bit(file, b"bare words", in_journal=True) == "byte 23 of 35: 'b' is now 'c'"
    assert file.read_bytes() == b'bare words {"content":"care words"}'
    with pytest.raises(LookupError):
        flip_a_bit(file, b"no such words", in_journal=False)


def test_python_runs_it_without_the_program_on_the_path() -> None:
    ended = subprocess.run(
        [sys.executable, "-m", "treering.faces.cli", "demo", "--help"], capture_output=True, text=True, check=True
    )
    assert "--fast" in ended.stdout
