"""English read by the parser: the text's own places, whatever the parser was shown, and the right files."""

from __future__ import annotations

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from treering.errors import Corrupted, InvalidRequest
from treering.language import english
from treering.language.parse import model


@pytest.mark.parametrize(
    "text",
    [
        "im moving to lisbon w/ my friend bartek rn, i dont like it",
        "I’ve never been 🙂 there…",  # noqa: RUF001
        "  two  blanks\n\nand lines ",
        "half a pair \ud83d here",
        "",
        "我搬到柏林了",
    ],
)
def test_places_are_those_of_the_text_as_it_was_written(text: str) -> None:
    doc = english.read(text)
    assert len(doc.text) == len(text)
    for token in doc:
        written = text[token.idx : token.idx + len(token.text)]
        assert written == token.text or "\ud83d" in written


def test_a_text_typed_in_haste_is_parsed_like_a_tidy_one() -> None:
    hasty = english.read("i dont live in lisbon")
    tidy = english.read("I don't live in Lisbon")
    assert [token.tag_ for token in hasty] == [token.tag_ for token in tidy]
    assert [token.dep_ for token in hasty] == [token.dep_ for token in tidy]
    assert [token.text for token in hasty] == ["i", "do", "nt", "live", "in", "lisbon"]


def test_many_texts_are_read_as_each_one_is() -> None:
    texts = ["I moved to Bergen.", "my cat sleeps", "", "she told him that it was late"] * 20
    together = english.read_many(texts)
    assert [doc.text for doc in together] == texts
    for doc, text in zip(together[:4], texts[:4], strict=True):
        alone = english.read(text)
        assert [(t.tag_, t.dep_, t.head.i) for t in doc] == [(t.tag_, t.dep_, t.head.i) for t in alone]


def test_several_threads_may_read() -> None:
    texts = [f"Reader number {number} lives in Bergen" for number in range(40)]
    with ThreadPoolExecutor(4) as pool:
        assert [doc.text for doc in pool.map(english.read, texts)] == texts


def test_reading_takes_numpy_and_no_library_of_language() -> None:
    code = (
        "import sys; from treering.language import english; english.read('I live in Oslo.');"
        "assert not {'spacy', 'thinc', 'onnxruntime', 'tokenizers'} & set(sys.modules), sorted(sys.modules)"
    )
    subprocess.run([sys.executable, "-W", "error", "-c", code], check=True)


def test_a_text_beyond_measure_is_refused() -> None:
    with pytest.raises(InvalidRequest, match="100001 characters"):
        english.read("x" * (english.LONGEST_TEXT + 1))


def test_a_changed_model_file_is_refused_with_the_way_to_mend_it(tmp_path: Path) -> None:
    for name in model.DIGESTS:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"changed")
    with pytest.raises(Corrupted, match="reinstall the package"):
        model.load(tmp_path)


def test_words_are_known_in_whatever_form() -> None:
    assert english.word_classes("migrated") == {"verb"}
    assert "noun" in english.word_classes("geese")
    assert english.word_classes("bartek") == frozenset()
