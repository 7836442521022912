"""What does every language model promise? The journeys know this page and no concrete model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol

BYTES_PER_TOKEN = 3  # of text: rather too many tokens than too few, in any language


@dataclass(frozen=True, slots=True)
class ModelMessage:
    role: Literal["system", "user", "assistant"]
    content: str


@dataclass(frozen=True, slots=True)
class Completion:
    """What a model wrote. `cut` says that it was stopped before it had ended."""

    text: str
    tokens_in: int
    tokens_out: int
    cut: bool = False


class LanguageModel(Protocol):
    """Writes JSON of a given shape. Several threads may ask at once.

    The shape is asked for, not promised: whoever asks checks the answer. Raises `Unavailable` when there is none.
    """

    @property
    def name(self) -> str: ...

    def complete(self, messages: Sequence[ModelMessage], *, schema: Mapping[str, Any], max_tokens: int) -> Completion:
        """The first message may be the system's; the others take turns, the user's first and last."""
        ...


def tokens_of(*texts: str) -> int:
    """About how many tokens these are, where nobody has counted them."""
    return sum(len(text.encode("utf-8", "replace")) // BYTES_PER_TOKEN + 1 for text in texts)
