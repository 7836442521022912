"""What if a language model words a profile? It is given the sentences and says each in the third person. Each answer is
held against its statement: the same names, numbers, times, denials and words that carry it, or the statement stays.

So a profile reads better with a model, cites the same memories, and says nothing that was not said. A model that is
down, mad or too dear changes nothing.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from treering.errors import TreeringError
from treering.language.sentences import sentences
from treering.mind.model import LanguageModel
from treering.mind.prompts.profile import profile_wording
from treering.upkeep.duplicates import worded_anew
from treering.upkeep.profile import SENTENCE_CHARS, WrittenProfile, retold

TOKENS_A_SENTENCE = 60
TOKENS_BESIDES = 200
TROUBLE_CHARS = 300
SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "properties": {
        "sentences": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {"of": {"type": "integer"}, "text": {"type": "string"}},
                "required": ["of", "text"],
                "additionalProperties": False,
            },
        }
    },
    "required": ["sentences"],
    "additionalProperties": False,
}
_SAID_BY = re.compile(r"(?:(?P<speaker>[^“]+): )?“(?P<words>.+)”")
_NOBODY = "User"
"""Who speaks, where nobody is named."""


def smoothed(profile: WrittenProfile, model: LanguageModel) -> WrittenProfile:
    if not profile.sentences:
        return profile
    before = [one.text for one in profile.sentences]
    try:
        answer = model.complete(
            profile_wording(before), schema=SCHEMA, max_tokens=TOKENS_BESIDES + TOKENS_A_SENTENCE * len(before)
        )
        worded = _read(answer.text, len(before))
    except (TreeringError, _Unfit) as error:
        return replace(profile, trouble=_line(f"{model.name}: {error}"))
    after = [worded[n] if n in worded and _is_faithful(text, worded[n]) else text for n, text in enumerate(before, 1)]
    kept = sum(new is old for new, old in zip(after, before, strict=True))
    told = retold(profile, after)
    if told.tokens > told.budget_tokens:
        return replace(profile, trouble=_line(f"{model.name}: its words would take more than the budget"))
    trouble = f"{model.name}: {kept} of {len(before)} would have said something else, and stand as they were said"
    return replace(told, worded_by=model.name if kept < len(before) else None, trouble=_line(trouble) if kept else None)


class _Unfit(Exception):
    """An answer that is none."""


def _read(answer: str, count: int) -> dict[int, str]:
    """By number. Which statement one is about must be beyond doubt: of two for the same, none."""
    try:
        given = json.loads(answer)["sentences"]
        pairs = [(int(one["of"]), " ".join(str(one["text"]).split())) for one in given]
    except (ValueError, TypeError, KeyError) as error:
        raise _Unfit(f"its answer was unfit ({type(error).__name__})") from None
    numbers = [number for number, _ in pairs]
    return {number: text for number, text in pairs if 1 <= number <= count and numbers.count(number) == 1}


def _is_faithful(statement: str, text: str) -> bool:
    if not text or len(text) > SENTENCE_CHARS or len(list(sentences(text))) != 1 or "“" in text:
        return False
    said = _SAID_BY.fullmatch(statement)
    if said is None:
        return worded_anew(statement, text)
    return worded_anew(said["words"], text, said["speaker"] or _NOBODY)


def _line(trouble: str) -> str:
    return " ".join(trouble.split())[:TROUBLE_CHARS]
