"""How is an English sentence built? Words, their kinds and what hangs on what (`parse`).

The model is read once, at the first text. People write "i" and "dont" where it learned "I" and "don't": it is shown the
tidy form, and every answer is about the text as it was written, character for character.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from functools import lru_cache

from treering.errors import InvalidRequest
from treering.installed import Once
from treering.language import gazetteer
from treering.language.parse.doc import Doc
from treering.language.parse.model import load

LONGEST_TEXT = 100_000  # the parse of a longer one takes minutes and gigabytes
TEXTS_AT_ONCE = 64

TIDY = {
    "i": "I", "m": "'m", "ve": "'ve", "nt": "n't", "u": "you", "ur": "your", "pls": "please", "plz": "please",
    "cuz": "because", "coz": "because", "bc": "because", "w/": "with", "thru": "through", "tho": "though",
    "btw": "incidentally", "tbh": "honestly", "imo": "honestly", "imho": "honestly", "ngl": "honestly",
    "rn": "now", "atm": "now", "tmrw": "tomorrow", "tmr": "tomorrow", "ppl": "people", "abt": "about", "idk": "maybe",
    "alot": "lots",
}  # fmt: skip
"""What the model is shown for a word as people type it: one word for one word, so that every place stays its own."""

_reading = threading.Lock()


def read(text: str) -> Doc:
    return read_many([text])[0]


def read_many(texts: Sequence[str]) -> list[Doc]:
    """One document a text, in order; places in a document are places in its text. Several at once take a third of the
    time that they take one by one."""
    model = _model.get()
    with _reading:  # what is kept of words is not made for several writers
        written = [model.words(_readable(text)) for text in texts]
        shown = [_tidy(doc) for doc in written]
        for start in range(0, len(shown), TEXTS_AT_ONCE):
            model.read(shown[start : start + TEXTS_AT_ONCE])
        return [tidy if tidy is doc else _as_written(doc, tidy) for doc, tidy in zip(written, shown, strict=True)]


def written(doc: Doc) -> str:
    """The text of a document."""
    return doc.text


def _readable(text: str) -> str:
    if len(text) > LONGEST_TEXT:
        raise InvalidRequest(f"text: {len(text)} characters are too many to parse at once; at most {LONGEST_TEXT}")
    # half a surrogate pair cannot be stored; a question mark keeps every other character in its place
    return text.encode("utf-8", "replace").decode("utf-8")


def _tidy(doc: Doc) -> Doc:
    """The document itself when there is nothing to tidy, and else another of as many words."""
    said = [token.text for token in doc]
    words = list(map(_tidy_word, said))
    if words == said:
        return doc
    return _model.get().words.of_words(words, [bool(token.whitespace_) for token in doc])


@lru_cache(maxsize=1 << 14)
def _tidy_word(word: str) -> str:
    if not word.islower():
        return word
    name = TIDY.get(word) or gazetteer.capitalised(word)
    return name if name and (word in TIDY or not word_classes(word) & {"verb", "adj", "adv"}) else word


def _as_written(doc: Doc, tidy: Doc) -> Doc:
    for token, read in zip(doc, tidy, strict=True):
        token.tag_, token.pos_, token.morph_, token.lemma_ = read.tag_, read.pos_, read.morph_, read.lemma_
    doc.hang([token.hangs_on for token in tidy], [token.dep_ for token in tidy])
    return doc


@lru_cache(maxsize=1 << 16)
def word_classes(word: str) -> frozenset[str]:
    """As what English knows a word in lower case, in whatever form: noun, verb, adj, adv. None: it is no English word.
    The nouns hold many names of people and places as well."""
    return frozenset(
        kind
        for kind, (index, exceptions, endings) in _words.get().items()
        if word in index
        or word in exceptions
        or any(word.endswith(old) and word[: len(word) - len(old)] + new in index for old, new in endings)
    )


def _word_tables() -> dict[str, tuple[frozenset[str], frozenset[str], list[list[str]]]]:
    """By class of word: basic forms, irregular forms, and endings with what takes their place in the basic form."""
    lemmas = _model.get().lemmas
    return {
        kind: (lemmas.index[kind], frozenset(lemmas.exceptions[kind]), lemmas.endings[kind])
        for kind in ("noun", "verb", "adj", "adv")
    }


_model = Once(load)
_words = Once(_word_tables)
