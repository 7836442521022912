"""An embedder for tests: a text is the sum of its words, each a direction that its spelling decides."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from treering.mind.contract import Passage

if TYPE_CHECKING:
    from treering.mind.contract import Vectors

DIMS = 64


@cache
def _direction(word: str) -> Vectors:
    seed = int.from_bytes(hashlib.sha256(word.encode()).digest()[:8], "little")
    return np.random.default_rng(seed).standard_normal(DIMS).astype(np.float32)


class Hashing:
    name = "hashing@64"
    dims = DIMS

    def _vector(self, text: str) -> Vectors:
        total: Vectors = sum((_direction(word) for word in text.lower().split()), _direction(""))
        return (total / np.linalg.norm(total)).astype(np.float32)

    def embed(self, texts: Sequence[str]) -> Vectors:
        return np.stack([self._vector(text) for text in texts]) if texts else np.zeros((0, DIMS), np.float32)

    def embed_passages(self, passages: Sequence[Passage]) -> list[Vectors]:
        return [self.embed([one.lead + one.text, *self._sentences(one)]) for one in passages]

    def _sentences(self, passage: Passage) -> list[str]:
        found = [passage.lead + part for part in passage.text.split(". ")]
        return found if len(found) > 1 else []

    def embed_question(self, text: str) -> Vectors:
        return self._vector(text)
