"""WHO READS THE BEST ONCE MORE? Rerankers behind one contract; `open_reranker` is the only place that chooses.

None is set up unless somebody does. Importing this room loads no library; nothing is read before something is asked.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from treering.errors import InvalidRequest
from treering.mind.options import made

if TYPE_CHECKING:
    from collections.abc import Callable

    from treering.mind.contract import Reranker

RERANKERS = ("turnjudge", "endpoint", "onnx")
NO_RERANKER = "none"

__all__ = ["NO_RERANKER", "RERANKERS", "open_reranker"]


def open_reranker(name: str, **options: Any) -> Reranker:
    """The reranker of that kind; the options are those of its class.

    Raises `InvalidRequest` for a name or an option that does not exist, and `Unsupported`, with the command that mends
    it, when what is needed to reach it is not installed.
    """
    return made(f"reranker {name}", _class_of(name), options, "; see TREERING_RERANKER_MODEL and its like")


def _class_of(name: str) -> Callable[..., Reranker]:
    match name:
        case "turnjudge":
            from treering.mind.turnjudge import Turnjudge

            return Turnjudge
        case "endpoint":
            from treering.mind.rerank.endpoint import RerankEndpoint

            return RerankEndpoint
        case "onnx":
            from treering.mind.rerank.cross_encoder import CrossEncoder

            return CrossEncoder
    raise InvalidRequest(f"reranker: {name!r} is not one of {', '.join(RERANKERS)} or none; see TREERING_RERANKER")
