"""WHO JUDGES? Judges behind one contract (`judging`); `open_judge` is the only place that chooses.

Importing this page loads no library; nothing is read before something is judged.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from treering.errors import InvalidRequest

if TYPE_CHECKING:
    from treering.mind.judging import Judge
    from treering.mind.model import LanguageModel
    from treering.mind.reading import MessageReader
    from treering.mind.turnreader import TurnReader

JUDGES = ("turnreader", "llm")
"""`llm`: a language model judges what is written, and the default one whatever that leaves open."""
DEFAULT_JUDGE, NO_JUDGE = "turnreader", "none"

__all__ = ["DEFAULT_JUDGE", "JUDGES", "NO_JUDGE", "judge_by_model", "open_judge", "open_reader"]


@cache
def open_judge(name: str) -> Judge:
    """One for all doors of a process: it holds no state but its weights."""
    if name == "turnreader":
        return _turnreader()
    raise InvalidRequest(f"judge: {name!r} is not one of {', '.join(JUDGES)} or {NO_JUDGE}; see TREERING_JUDGE")


def judge_by_model(model: LanguageModel) -> Judge:
    from treering.mind.llm_judge import ModelJudge

    return ModelJudge(model, open_judge(DEFAULT_JUDGE))


def open_reader() -> MessageReader:
    """Who reads messages: the same model."""
    return _turnreader()


@cache
def _turnreader() -> TurnReader:
    from treering.mind.turnreader import TurnReader

    return TurnReader()
