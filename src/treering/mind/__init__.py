"""WHO READS AND EMBEDS? One contract, several embedders; `open_embedder` is the only place that chooses between them.

Importing this room loads no model and no model library: an embedder imports what it needs when it is opened, and reads
its weights at the first text.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from treering.errors import InvalidRequest
from treering.mind.contract import PARTS, Embedder, Passage
from treering.mind.options import made

if TYPE_CHECKING:
    from collections.abc import Callable

EMBEDDERS = ("turnfinder-2", "turnfinder", "minilm", "static", "multilingual", "openai")
DEFAULT_EMBEDDER = "turnfinder-2"
OVER_THE_NETWORK = frozenset({"openai"})
"""Those of them that wait for somebody else's machine."""
NO_EMBEDDER = "none"
"""Chosen where nothing is to be embedded: words, graph and time must do."""

__all__ = [
    "DEFAULT_EMBEDDER",
    "EMBEDDERS",
    "NO_EMBEDDER",
    "OVER_THE_NETWORK",
    "PARTS",
    "Embedder",
    "Passage",
    "open_embedder",
]


def open_embedder(name: str = DEFAULT_EMBEDDER, **options: Any) -> Embedder:
    """The embedder of that name; the options are those of its class.

    Raises `InvalidRequest` for a name or an option that does not exist, and `Unsupported`, with the command that mends
    it, when the package behind the embedder is not installed.
    """
    return made(f"embedder {name}", _class_of(name), options)


def _class_of(name: str) -> Callable[..., Embedder]:
    match name:
        case "turnfinder":
            from treering.mind.turnfinder import Turnfinder

            return Turnfinder
        case "turnfinder-2":
            from treering.mind.turnfinder2 import Turnfinder2

            return Turnfinder2
        case "minilm":
            from treering.mind.minilm import MiniLM

            return MiniLM
        case "static":
            from treering.mind.static import Static

            return Static
        case "multilingual":
            from treering.mind.multilingual import Multilingual

            return Multilingual
        case "openai":
            from treering.mind.openai import OpenAIEmbedder

            return OpenAIEmbedder
    raise InvalidRequest(f"embedder: {name!r} is not one of {', '.join(EMBEDDERS)}")
