"""What if the caller's own model reads? A client that lends its model is asked like any other; no key is needed.

How the question travels to the client is the business of the face it came through.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from treering.errors import Unavailable
from treering.ingest.extract.contract import Extractor
from treering.ingest.extract.llm import ModelExtractor, ReadingPolicy
from treering.mind.model import Completion, ModelMessage, tokens_of


class Sampler(Protocol):
    """Has the client's model go on from the messages. Whatever it raises counts as no answer. One that has an
    attribute `at_once` may be asked so much at the same time."""

    def __call__(self, messages: Sequence[ModelMessage], max_tokens: int) -> str: ...


class _Lent:
    """A client's model, as any other: it is told no schema, and counts no tokens."""

    name = "client"

    def __init__(self, sample: Sampler | None) -> None:
        self._sample = sample

    def complete(self, messages: Sequence[ModelMessage], *, schema: Mapping[str, Any], max_tokens: int) -> Completion:
        if self._sample is None:
            raise Unavailable("the client offers no sampling")
        try:
            text = self._sample(messages, max_tokens)
        except Unavailable:
            raise
        except Exception as error:  # what comes from beyond the face is of no kind known here
            raise Unavailable(f"the client's model did not answer ({type(error).__name__})") from error
        if not isinstance(text, str):
            raise Unavailable("the client's model did not answer with text")
        return Completion(text, tokens_of(*(one.content for one in messages)), tokens_of(text))


class ByClient(ModelExtractor):
    """`sample` is None where the client lends no model; the fallback reads then. Its tokens are the client's: there is
    no budget."""

    name = "client"

    def __init__(
        self, sample: Sampler | None, fallback: Extractor, *, space: str, policy: ReadingPolicy | None = None
    ) -> None:
        # one at a time, unless it says otherwise: a client may have to ask a person about each
        policy = policy or ReadingPolicy(at_once=getattr(sample, "at_once", 1))
        super().__init__(_Lent(sample), fallback, space=space, policy=policy)
