"""The kind of every word, found without trying every rule on it: what the model's own rules say, to the letter."""

from __future__ import annotations

from typing import Any

import pytest

from treering.ingest.extract.rules.tables import TABLE
from treering.language import english

ASKED = ("TAG", "POS", "MORPH", "LEMMA", "HEAD", "DEP", "SENT_START")
SPOKEN = (
    "I ain't gonna go, y'all, and you aint either; c'mon, let's get it, I gotta run",
    "There's nothin' in it, there are many, there were nuthin' but trees",
    "He gets it and she got it, but for that which they do not have",
    "that is all that I know of those who'd been there, if it isn't you",
    "  two  blanks\n\nand lines ",
    "\n",
    "",
    "我搬到柏林了",
    "@sam see https://example.org/x #now :) (ok) — 3.5% of $20, e.g. no. 7",
)


@pytest.mark.parametrize(
    "texts", [SPOKEN, tuple(one[0] for rule in TABLE for one in rule.examples)], ids=["odd", "all"]
)
def test_every_word_is_what_the_models_own_rules_say(texts: tuple[str, ...]) -> None:
    model = english._model.get()
    theirs = list(model.pipe([english._tidy(model.make_doc(text)) for text in texts]))
    ours = [english._tidy(model.make_doc(text)) for text in texts]
    for start in range(0, len(ours), english.TEXTS_AT_ONCE):
        english._parse(model, ours[start : start + english.TEXTS_AT_ONCE])
    for their, our in zip(theirs, ours, strict=True):
        assert _told(our) == _told(their), our.text


def _told(doc: Any) -> Any:
    return doc.to_array(list(ASKED)).tolist(), [(sentence.start, sentence.end) for sentence in doc.sents]
