"""Haystack's document store, and a retriever over it.

All documents of a store are in one space; a document's id is its key. Overwriting is a revision and deleting is
forgetting. Filters are Haystack's own. Needs `treering[haystack]`.
"""

from __future__ import annotations

from treering import extras

extras.need("haystack", "treering.faces.frameworks.haystack")

from typing import Any, cast

from haystack import Document, component, default_from_dict, default_to_dict
from haystack.document_stores.errors import DuplicateDocumentError
from haystack.document_stores.types import DuplicatePolicy
from haystack.utils.filters import document_matches_filter

import treering
from treering.faces.frameworks.records import AdapterDoor, Records
from treering.model.memory import Memory

KIND = "haystack"


class TreeringDocumentStore:
    """`url` instead of a door where the pipeline is to be saved and loaded."""

    def __init__(self, door: AdapterDoor | None = None, *, url: str | None = None, space: str = "haystack") -> None:
        self._door: Any = door if door is not None else treering.open(url)
        self._url, self.space = url, space
        self._records = Records(cast(AdapterDoor, self._door), KIND)

    def to_dict(self) -> dict[str, Any]:
        told: dict[str, Any] = default_to_dict(self, url=self._url, space=self.space)
        return told

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> TreeringDocumentStore:
        return default_from_dict(cls, data)  # type: ignore[no-any-return]

    def count_documents(self) -> int:
        return sum(1 for _ in self._records.all(self.space))

    def filter_documents(self, filters: dict[str, Any] | None = None) -> list[Document]:
        if filters and "operator" not in filters and "conditions" not in filters:
            raise ValueError("filters: give a comparison or a logic, as Haystack's documentation has them")
        found = [self._document(one) for one in self._records.all(self.space)]
        return [one for one in found if not filters or document_matches_filter(filters, one)]

    def write_documents(self, documents: list[Document], policy: DuplicatePolicy = DuplicatePolicy.NONE) -> int:
        given: Any = documents
        if not isinstance(given, list) or any(not isinstance(one, Document) for one in given):
            raise ValueError("write_documents: give a list of documents")
        written = 0
        for one in documents:
            if policy is not DuplicatePolicy.OVERWRITE and self._records.get(self.space, one.id) is not None:
                if policy is DuplicatePolicy.SKIP:
                    continue
                raise DuplicateDocumentError(f"ID '{one.id}' already exists.")
            held = {"document": one.to_dict(flatten=False)}
            self._records.put(self.space, one.id, (one.content or "").strip() or f"(no words: {one.id})", held)
            written += 1
        return written

    def delete_documents(self, document_ids: list[str]) -> None:
        for one in document_ids:
            self._records.delete(self.space, one, why="deleted")

    def recall(self, query: str, top_k: int = 10, filters: dict[str, Any] | None = None) -> list[Document]:
        """By meaning, words, graph and time together; each with its score."""
        answer = self._door.recall(query, space=self.space, tags=(KIND,), limit=top_k if not filters else 200)
        found = []
        for hit in answer:
            document = self._document(hit.memory, float(hit.score))
            if not filters or document_matches_filter(filters, document):
                found.append(document)
        return found[:top_k]

    def _document(self, memory: Memory, score: float | None = None) -> Document:
        held = dict(self._records.value(memory)["document"])
        return Document.from_dict({**held, "score": score if score is not None else held.get("score")})


@component
class TreeringRetriever:
    """Retrieves documents of a `TreeringDocumentStore` by words."""

    def __init__(self, document_store: TreeringDocumentStore, top_k: int = 10) -> None:
        self.document_store, self.top_k = document_store, top_k

    @component.output_types(documents=list[Document])
    def run(self, query: str, filters: dict[str, Any] | None = None, top_k: int | None = None) -> dict[str, Any]:
        """What is known about the query."""
        return {"documents": self.document_store.recall(query, top_k or self.top_k, filters)}
