"""WHO WRITES? Language models behind one contract (`mind/model.py`); `open_model` is the only place that chooses.

Importing this room loads no library; nothing is sent before something is asked.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from treering.errors import InvalidRequest
from treering.mind.options import made

if TYPE_CHECKING:
    from collections.abc import Callable

    from treering.mind.model import LanguageModel

MODELS = ("openai", "anthropic")

__all__ = ["MODELS", "open_model"]


def open_model(name: str, **options: Any) -> LanguageModel:
    """The language model at such an endpoint; the options are those of its class.

    Raises `InvalidRequest` for a name or an option that does not exist, and `Unsupported`, with the command that mends
    it, when what is needed to reach it is not installed.
    """
    return made(f"language model {name}", _class_of(name), options, "; see TREERING_LLM_MODEL and its like")


def _class_of(name: str) -> Callable[..., LanguageModel]:
    match name:
        case "openai":
            from treering.mind.llm.openai import OpenAIChat

            return OpenAIChat
        case "anthropic":
            from treering.mind.llm.anthropic import AnthropicChat

            return AnthropicChat
    raise InvalidRequest(f"language model: {name!r} is not one of {', '.join(MODELS)}; see TREERING_LLM")
