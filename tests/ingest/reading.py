"""What the tests of reading by a model share: an endpoint with a script, and answers as a model would write them."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

from tests.endpoint import Endpoint, Play, says

from treering.ingest.extract.contract import Extraction, Heard
from treering.ingest.extract.llm import ModelExtractor
from treering.ingest.extract.none import AsItStands
from treering.mind.llm import open_model

SAID = datetime(2026, 2, 10, 9, tzinfo=UTC)
JOB = "I left Google last May to join Anthropic."
MAY = "2025-05-01T00:00:00Z"


def heard(text: str = JOB, **more: Any) -> Heard:
    return Heard(text=text, at=SAID, **more)


def statement(content: str, quote: str, **more: Any) -> dict[str, Any]:
    """One statement of a model's answer, with nothing in it but what is given."""
    empty = {"kind": "semantic", "certainty": "sure", "event_time": None, "event_end": None, "expires_at": None}
    return {"content": content, "quote": quote, **empty, "cue": None, "entities": [], "claims": [], **more}


def entity(name: str, kind: str | None = None, role: str | None = None) -> dict[str, Any]:
    return {"name": name, "kind": kind, "role": role}


def claim(subject: str, relation: str, object_: str, **more: Any) -> dict[str, Any]:
    bare = {"stance": "holds", "valid_from": None, "valid_until": None, "instead_of": None}
    return {"subject": subject, "relation": relation, "object": object_, **bare, **more}


LEFT = statement(
    "User left Google to join Anthropic in May 2025.",
    "I left Google last May to join Anthropic",
    kind="episode",
    event_time=MAY,
    cue="change",
    entities=[entity("Google", "organization"), entity("Anthropic", "organization")],
    claims=[claim("User", "WORKS_FOR", "Google", stance="ends", valid_from=MAY)],
)
JOINED = statement(
    "User works at Anthropic.",
    "join  anthropic",  # blanks and case are as a model may have them
    event_time=MAY,
    cue="change",
    entities=[entity("Anthropic")],
    claims=[claim("User", "works for", "Anthropic", valid_from=MAY, instead_of="Google")],
)


def writes(*statements: dict[str, Any], tokens: tuple[int, int] = (100, 50), finish: str = "stop") -> Play:
    """A model that writes these statements."""
    return writes_text(json.dumps({"statements": list(statements)}), tokens, finish)


def writes_text(text: str, tokens: tuple[int, int] | None = (100, 50), finish: str = "stop") -> Play:
    body: dict[str, Any] = {"choices": [{"message": {"content": text}, "finish_reason": finish}]}
    if tokens:
        body["usage"] = {"prompt_tokens": tokens[0], "completion_tokens": tokens[1]}
    return says(200, json.dumps(body).encode(), content_type="application/json")


class Reader:
    """The extractor at a scripted endpoint; nothing waits in earnest."""

    def __init__(self, endpoint: Endpoint) -> None:
        self.endpoint = endpoint
        self._opened: list[Any] = []

    def by(self, *parts: Play, options: dict[str, Any] | None = None, **more: Any) -> ModelExtractor:
        self.endpoint.parts = list(parts)
        given = {"model": "m", "base_url": self.endpoint.url, "sleep": self.endpoint.waits.append, **(options or {})}
        self._opened.append(open_model("openai", **given))
        return ModelExtractor(self._opened[-1], **{"fallback": AsItStands(), "space": "lab", **more})

    def read(self, text: str, *parts: Play, **more: Any) -> Extraction:
        (extraction,) = self.by(*parts, **more).extract([heard(text)])
        return extraction

    def close(self) -> None:
        for model in self._opened:
            model.close()


def contents(extraction: Extraction) -> list[str]:
    return [one.content for one in extraction.extracted]
