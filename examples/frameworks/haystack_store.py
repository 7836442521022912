"""Haystack: a document store and a retriever in a pipeline."""

import tempfile
from pathlib import Path

from haystack import Document, Pipeline

import treering
from treering.faces.frameworks.haystack import TreeringDocumentStore, TreeringRetriever


def main() -> None:
    with treering.open(Path(tempfile.mkdtemp()) / "docs.db") as mem:
        store = TreeringDocumentStore(mem)
        store.write_documents([Document(content="Rex is a dog"), Document(content="Momo is a cat")])
        pipeline = Pipeline()
        pipeline.add_component("memory", TreeringRetriever(store, top_k=1))
        print(pipeline.run({"memory": {"query": "Who is a dog?"}})["memory"]["documents"][0].content)


if __name__ == "__main__":
    main()
