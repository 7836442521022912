"""Which language is a text in? Told by its words, and left to English where they tell of none."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from training.data import english_slots

from treering.language.frequent import Frequent
from treering.language.languages import Tongue
from treering.language.when.words import LEXICON
from treering.language.which import TellingWords, language_of, tongues_of

HERE = Path(__file__).parent
REPOSITORY = HERE.parents[1]
OTHERS = [tongue for tongue in Tongue if tongue is not Tongue.ENGLISH]
TABLES = [path for tongue in OTHERS for path in sorted(HERE.glob(f"when_{tongue.value}*.txt"))]
ENGLISH_WORDS = st.sampled_from(
    [*LEXICON, "the", "a", "of", "in", "on", "ago", "we", "met", "Ana", "3", "2019", "5pm", ",", "-"]
)


def foreign(texts: list[str]) -> list[str]:
    return [text for text in texts if language_of(text) is not Tongue.ENGLISH]


def lines(path: Path) -> list[str]:
    return path.read_text("utf-8").splitlines()


@pytest.mark.parametrize("module", ["windows", "direction", "false_alarms", "anchors", "holidays"])
def test_every_english_sentence_of_the_tests_of_times_is_read_as_english(module: str) -> None:
    written = re.findall(r'"([^"\n]+)"', (HERE / f"test_when_{module}.py").read_text("utf-8"))
    assert len(written) > 20
    assert foreign(written) == []


def test_every_english_line_of_the_tables_is_read_as_english() -> None:
    examples = [line.partition(" = ")[0] for line in lines(HERE / "when_examples.txt")]
    beside = [line.split("|")[3] for path in TABLES for line in lines(path)]
    assert len(beside) > 100
    assert foreign(examples + beside) == []


def test_every_paragraph_of_the_docs_is_read_as_english_but_for_what_it_quotes() -> None:
    pages = [page.read_text("utf-8") for page in (REPOSITORY / "docs").rglob("*.md")]
    plain = [re.sub(r"(?s)```.*?```", "", page) for page in pages]
    assert foreign([re.sub(r'"[^"]*"', "", part) for page in plain for part in page.split("\n\n")]) == []


def test_what_the_models_learned_from_in_english_is_read_as_english() -> None:
    """But one in five thousand: a name among few words may win, and a few are told in another language."""
    said = [
        text
        for folder in ("threads", "messages")
        for path in sorted((REPOSITORY / "training/data" / folder).glob("*.jsonl"))
        for text in re.findall(r'"((?:[^"\\]|\\.){40,})"', path.read_text("utf-8"))
    ]
    assert len(said) > 20_000
    assert len(foreign(said)) < len(said) / 5_000


@given(st.lists(ENGLISH_WORDS, max_size=12).map(" ".join))
def test_no_heap_of_english_time_words_is_taken_for_another_language(text: str) -> None:
    assert language_of(text) is Tongue.ENGLISH


@pytest.mark.parametrize("path", TABLES, ids=[path.name for path in TABLES])
def test_the_sentences_of_a_table_are_read_as_of_its_language(path: Path) -> None:
    sentences = [line.split("|")[0] for line in lines(path)]
    assert [text for text in sentences if language_of(text).value != path.stem.split("_")[1]] == []


def test_a_text_without_a_word_that_tells_may_be_in_any_language() -> None:
    assert tongues_of("vale") == tuple(Tongue)
    assert tongues_of("vale the") == (Tongue.ENGLISH,)
    assert tongues_of("vale, gracias") == (Tongue.SPANISH,)


def test_of_several_languages_the_one_with_more_of_its_own_words_wins() -> None:
    """Two made-up ones beside English: each needs a word or a sign of its own, and more of them than English has."""
    known = TellingWords(
        {
            "en": Frequent(common=frozenset(("the", "of"))),
            "a": Frequent(common=frozenset(("lo", "de")), telling=frozenset(("zib",)), plain=frozenset(("lo", "de"))),
            "b": Frequent(common=frozenset(("lo",)), telling=frozenset(("zab",)), signs=re.compile("ß")),
        }
    )
    told = {
        "zib lo de zab": "a", "zab lo zib ß": "b", "ß": "b", "lo de": "a", "lo lo": None, "Lo de": None, "zib": "a",
        "lo de the": "en", "zib the of": "en", "zib the zib": "a", "": None,
    }  # fmt: skip
    assert {text: known.told(text) for text in told} == told


def test_training_in_english_leaves_out_what_is_told_in_another_language(tmp_path: Path) -> None:
    (tmp_path / "slots").mkdir()
    for name in ("life", *(tongue.value for tongue in OTHERS)):
        slot = {"slot": name, "values": ["a", "b", "c", "d"], "state_1": ["I own {v}"]}
        (tmp_path / "slots" / f"{name}.jsonl").write_text(json.dumps(slot), encoding="utf-8")
    assert [slot["slot"] for slot in english_slots(tmp_path)] == ["life"]
