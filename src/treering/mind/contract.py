"""What do embedders and rerankers promise? The journeys know this page and no concrete one of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, TypeAlias

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Vectors: TypeAlias = npt.NDArray[np.float32]

PARTS = 16  # most sentences, or groups of them, that a passage has vectors for


@dataclass(frozen=True, slots=True)
class Passage:
    """Something to be remembered. `lead` says who speaks or what it is about ("Melanie: "): it is read before the text
    and belongs to every sentence of it."""

    text: str
    lead: str = ""

    @classmethod
    def said(cls, speaker: str | None, text: str) -> Passage:
        """What somebody said: the way in which every remembered text is read."""
        return cls(text, f"{speaker}: " if speaker else "")


class Embedder(Protocol):
    """Turns text into vectors whose cosine says how near two texts are in meaning.

    - The same text gives the same vector, in every process on one machine, and whatever stood beside it in the call,
      to within 0.001 in each component.
    - Any string is accepted, the empty one included. What lies beyond the reach of the model is not read.
    - Several threads may call at once.
    - Nothing but `openai` reaches for the network.

    Raises `Corrupted` when the model's files are not the ones expected, `Unavailable` when an endpoint does not answer.
    """

    @property
    def name(self) -> str:
        """Stored with every vector. Two embedders of one name give comparable vectors; a space never mixes names."""
        ...

    @property
    def dims(self) -> int:
        """Components of a vector. Known without loading the model."""
        ...

    def embed(self, texts: Sequence[str]) -> Vectors:
        """One row a text, in the order given: float32, n x dims, each row of length 1. No texts give (0, dims)."""
        ...

    def embed_passages(self, passages: Sequence[Passage]) -> list[Vectors]:
        """For each passage, in the order given, (1 + k, dims), each row of length 1.

        Row 0 is the passage as a whole, the very vector of `embed([lead + text])`. The others are its sentences in
        their order, each read in its context. k is 0 for a single sentence, or when the embedder cannot look inside.
        A sentence of a word or two stands with its neighbour; of more than `PARTS` sentences, neighbours stand together
        in `PARTS` groups of about equal length. Long passages are read further here than by `embed`, though not to any
        length.
        """
        ...

    def embed_question(self, text: str) -> Vectors:
        """The vector of a question, (dims,), length 1, to be compared with the rows of `embed`."""
        ...


class Reranker(Protocol):
    """Reads a question together with each of some texts, and says how well it is answered there.

    - The larger the number, the better the answer. Numbers compare within one call and with nothing else.
    - Any string is accepted, the empty one included. What lies beyond the reach of the model is not read.
    - Several threads may call at once.

    Raises `Corrupted` when the model's files are not such a model, `Unavailable` when an endpoint does not answer.
    """

    @property
    def name(self) -> str: ...

    def scores(self, question: str, texts: Sequence[str]) -> Sequence[float]:
        """One finite number a text, in the order given."""
        ...


class Choice(Protocol):
    """Knows the embedders there are, and which of them reads a space."""

    def reads(self, own: str | None, kept: list[str]) -> Embedder | None:
        """`own` is what the space chose, if it did; `kept` are the names of those whose vectors it has. None if nothing
        is to be embedded."""
        ...
