"""How is an English sentence built? Words, their kinds and what hangs on what, from spaCy's small English model.

The model is read once, at the first text (`model`). People write "i" and "dont" where it learned "I" and "don't": it is
shown the tidy form, and every answer is about the text as it was written, character for character.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, cast

from treering.errors import InvalidRequest
from treering.installed import Once
from treering.language import gazetteer
from treering.language.model import load
from treering.language.word_kinds import WordKinds
from treering.language.word_vectors import WordVectors

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.pipeline import AttributeRuler, Lemmatizer, Tok2Vec
    from spacy.tokens import Doc

LONGEST_TEXT = 100_000  # the parse of a longer one takes minutes and gigabytes
TEXTS_AT_ONCE = 64
TEXT = "treering.text"

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
    with _reading:  # spaCy's store of words is not made for several writers
        written = [model.make_doc(_readable(text)) for text in texts]
        shown = [_tidy(doc) for doc in written]
        for start in range(0, len(shown), TEXTS_AT_ONCE):
            _parse(model, shown[start : start + TEXTS_AT_ONCE])
        return [tidy if tidy is doc else _as_written(doc, tidy) for doc, tidy in zip(written, shown, strict=True)]


def _parse(model: Language, docs: list[Doc]) -> None:
    """As the model's own pipeline does it, without what that does around each step."""
    first: Any = model.get_pipe("tok2vec")
    first.set_annotations(docs, _vectors.get().of(docs))
    for step in ("tagger", "parser"):
        pipe: Any = model.get_pipe(step)
        pipe.set_annotations(docs, pipe.predict(docs))
    kinds = _kinds.get()
    for doc in docs:
        kinds.tell(doc)


def written(doc: Doc) -> str:
    """The text of a document. spaCy puts it together anew at each call: slow where a long one is asked often."""
    if TEXT not in doc.user_data:
        doc.user_data[TEXT] = doc.text
    text: str = doc.user_data[TEXT]
    return text


def _readable(text: str) -> str:
    if len(text) > LONGEST_TEXT:
        raise InvalidRequest(f"text: {len(text)} characters are too many to parse at once; at most {LONGEST_TEXT}")
    # half a surrogate pair cannot be stored; a question mark keeps every other character in its place
    return text.encode("utf-8", "replace").decode("utf-8")


def _tidy(doc: Doc) -> Doc:
    """The document itself when there is nothing to tidy, and else another of as many words."""
    from spacy.tokens import Doc

    said = [token.text for token in doc]
    words = list(map(_tidy_word, said))
    if words == said:
        return doc
    return Doc(doc.vocab, words=words, spaces=[bool(token.whitespace_) for token in doc])


@lru_cache(maxsize=1 << 14)
def _tidy_word(word: str) -> str:
    if not word.islower():
        return word
    name = TIDY.get(word) or gazetteer.capitalised(word)
    return name if name and (word in TIDY or not word_classes(word) & {"verb", "adj", "adv"}) else word


def _as_written(doc: Doc, tidy: Doc) -> Doc:
    attributes: list[int | str] = ["TAG", "POS", "MORPH", "LEMMA", "HEAD", "DEP"]
    read: Any = tidy.to_array(attributes)
    return doc.from_array(attributes, read)


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
    lemmatizer: Any = _model.get().get_pipe("lemmatizer")
    index, exceptions, rules = (lemmatizer.lookups.get_table(f"lemma_{name}") for name in ("index", "exc", "rules"))
    return {
        kind: (frozenset(index[kind]), frozenset(exceptions[kind]), rules[kind])
        for kind in ("noun", "verb", "adj", "adv")
    }


def _word_kinds() -> WordKinds:
    model = _model.get()
    ruler, lemmatizer = model.get_pipe("attribute_ruler"), model.get_pipe("lemmatizer")
    return WordKinds(cast("AttributeRuler", ruler), cast("Lemmatizer", lemmatizer))


_model = Once(load)
_vectors = Once(lambda: WordVectors(cast("Tok2Vec", _model.get().get_pipe("tok2vec")).model))
_kinds = Once(_word_kinds)
_words = Once(_word_tables)
