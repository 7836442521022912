"""Haystack's own contract tests for document stores, run on ours."""

from __future__ import annotations

from pathlib import Path

import pytest
from haystack import Document, Pipeline
from haystack.document_stores.errors import DuplicateDocumentError
from haystack.document_stores.types import DuplicatePolicy
from haystack.testing.document_store import (
    CountDocumentsTest,
    DeleteDocumentsTest,
    FilterDocumentsTest,
    WriteDocumentsTest,
)

import treering
from treering.faces.frameworks.haystack import TreeringDocumentStore, TreeringRetriever


class TestContract(CountDocumentsTest, WriteDocumentsTest, DeleteDocumentsTest, FilterDocumentsTest):
    @pytest.fixture
    def document_store(self, door: treering.Treering) -> TreeringDocumentStore:
        return TreeringDocumentStore(door)

    def test_write_documents(self, document_store: TreeringDocumentStore) -> None:
        document = Document(content="one")
        assert document_store.write_documents([document]) == 1
        with pytest.raises(DuplicateDocumentError):
            document_store.write_documents([document], DuplicatePolicy.FAIL)


def test_a_pipeline_retrieves_and_can_be_saved(tmp_path: Path) -> None:
    store = TreeringDocumentStore(url=str(tmp_path / "h.db"))
    store.write_documents([Document(content="Rex is a dog", meta={"n": 1}), Document(content="Momo is a cat")])
    pipeline = Pipeline()
    pipeline.add_component("memory", TreeringRetriever(store, top_k=1))
    assert pipeline.run({"memory": {"query": "Who is a dog?"}})["memory"]["documents"][0].content == "Rex is a dog"
    again = TreeringDocumentStore.from_dict(store.to_dict())
    assert again.count_documents() == 2
