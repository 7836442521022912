"""A language model as judge of what replaces what. Questions do not wait for it: their roles are the learned judge's,
and so is every verdict that the model does not give.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from pydantic import BaseModel, Field, ValidationError

from treering.errors import Unavailable
from treering.mind.judging import Asking, FoundStatement, Judge, Judged, Pair, Roled, Verdict
from treering.mind.model import LanguageModel
from treering.mind.prompts.judging import pair_verdicts

TOKENS_A_PAIR = 60
"""What a verdict takes at most to be written."""


class _Told(BaseModel):
    of: int
    verdict: Verdict
    score: float = Field(ge=0, le=1)


class _Answer(BaseModel):
    verdicts: list[_Told]


class ModelJudge:
    def __init__(self, model: LanguageModel, learned: Judge) -> None:
        self._model, self._learned = model, learned

    @property
    def name(self) -> str:
        return f"llm {self._model.name}"

    def judge(self, pairs: Sequence[Pair]) -> list[Judged]:
        """Those that the model leaves out, or says nonsense of, are judged by the other, which is named with them."""
        told = self._asked(pairs) if pairs else {}
        left = [place for place in range(len(pairs)) if place not in told]
        for place, judged in zip(left, self._learned.judge([pairs[place] for place in left]), strict=True):
            told[place] = replace(judged, by=judged.by or self._learned.name)
        return [told[place] for place in range(len(pairs))]

    def roles(self, question: str, statements: Sequence[FoundStatement]) -> list[Roled]:
        return self._learned.roles(question, statements)

    def asking(self, question: str) -> Asking:
        return self._learned.asking(question)

    def _asked(self, pairs: Sequence[Pair]) -> dict[int, Judged]:
        most = TOKENS_A_PAIR * (len(pairs) + 1)
        try:
            done = self._model.complete(pair_verdicts(pairs), schema=_SCHEMA, max_tokens=most)
            answer = _Answer.model_validate_json(done.text)
        except (Unavailable, ValidationError):
            return {}
        found: dict[int, Judged] = {}
        for one in answer.verdicts:
            if one.of - 1 not in found:
                score = round(one.score, 3)
                found[one.of - 1] = Judged(one.verdict, score, ((one.verdict, score),), by=self.name)
        return found


_SCHEMA: dict[str, Any] = _Answer.model_json_schema()
