"""Whatever a model writes about whatever was said: no text is lost, and what was not said becomes no name."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from hypothesis import event, given, settings
from hypothesis import strategies as st
from tests.conftest import examples

from treering.ingest.extract.contract import Heard
from treering.ingest.extract.llm import ModelExtractor, ReadingPolicy
from treering.ingest.extract.none import AsItStands
from treering.language.sentences import sentences
from treering.language.words import spelled
from treering.mind.model import Completion, ModelMessage

SAID = datetime(2026, 2, 10, 9, tzinfo=UTC)
WORDS = ("I", "left", "Google", "Anna", "Ünal", "boats", "42", "<b>", "tea.", "choir?", "東京", "\n", "peanuts")

said = st.lists(st.sampled_from(WORDS), min_size=1, max_size=12).map(" ".join).filter(str.strip)
odd = st.one_of(st.none(), st.integers(), st.text(max_size=8), said, st.lists(said, max_size=2))
times = st.sampled_from(
    (None, None, None, None, "2026-02-10T00:00:00Z", "9999-12-31", "0001-01-01", "0000-01-01", "May", "")
)


def shaped(fields: Mapping[str, Any]) -> st.SearchStrategy[dict[str, Any]]:
    """Mostly as it should be, with now and then a value of any other kind, or one too few."""
    return _mostly(st.fixed_dictionaries(dict(fields)), st.fixed_dictionaries({}, optional=dict.fromkeys(fields, odd)))


def answers_about(text: str) -> st.SearchStrategy[str]:
    """What a model may write about it: by and large in its words, or anything at all."""
    words = st.sampled_from(text.split())
    names = _mostly(words, st.sampled_from(("User", "Mozilla", "")))
    entities = shaped({"name": names, "kind": st.sampled_from((None, "person")), "role": st.none() | names})
    claims = shaped({
        "subject": names, "relation": st.sampled_from(("WORKS_FOR", "works for", "ADMIN_OF")), "object": names,
        "stance": st.sampled_from(("holds", "ends", "never")), "valid_from": times, "valid_until": times,
        "instead_of": st.none() | names,
    })  # fmt: skip
    statements = shaped({
        "content": st.lists(names, min_size=1, max_size=6).map(lambda some: " ".join(["User", *some])), "quote": words,
        "kind": st.sampled_from(("episode", "semantic")), "certainty": st.sampled_from(("sure", "unsure")),
        "event_time": times, "event_end": st.none(), "expires_at": st.none(), "cue": st.sampled_from((None, "change")),
        "entities": st.lists(entities, max_size=1), "claims": st.lists(claims, max_size=1),
    })  # fmt: skip
    whole = st.lists(statements, min_size=1, max_size=2).map(lambda some: json.dumps({"statements": some}))
    return _mostly(whole, st.one_of(odd.map(json.dumps), st.text()))


def _mostly(right: st.SearchStrategy[Any], wrong: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.integers(0, 9).flatmap(lambda mood: right if mood else wrong)


class Scripted:
    name = "scripted"

    def __init__(self, answers: Sequence[str]) -> None:
        self._answers = list(answers)

    def complete(self, messages: Sequence[ModelMessage], *, schema: Mapping[str, Any], max_tokens: int) -> Completion:
        return Completion(self._answers.pop() if len(self._answers) > 1 else self._answers[0], 1, 1)


@settings(max_examples=examples(100), deadline=None)
@given(text=said, data=st.data())
def test_no_text_is_lost_and_no_name_invented(text: str, data: st.DataObject) -> None:
    written = data.draw(st.lists(answers_about(text), min_size=1, max_size=3))
    reading = ModelExtractor(Scripted(written), AsItStands(), space="lab", policy=ReadingPolicy(part_characters=40))
    (found,) = reading.extract([Heard(text=text, at=SAID)])
    event(found.extractor)
    known = set(spelled(text)) | {"user"}
    spans = [one.span for one in found.extracted]
    for start, end in sentences(text):
        assert any(begin < end and start < stop for begin, stop in spans)
    for one in found.extracted:
        assert 0 <= one.span[0] <= one.span[1] <= len(text)
        named = [entity.name for entity in one.entities]
        named += [name for claim in one.claims for name in (claim.subject, claim.object, claim.instead_of or "")]
        assert {word.rstrip("s") for word in spelled(" ".join(named))} <= {word.rstrip("s") for word in known}
    assert found.extractor in ("llm", "none")
    assert found.trouble or found.extractor == "llm"
