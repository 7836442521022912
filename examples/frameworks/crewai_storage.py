"""CrewAI: a storage for its memory. The embedder here counts words; put any in its place."""

import tempfile
from pathlib import Path

from crewai.memory.unified_memory import Memory

import treering
from treering.faces.frameworks.crewai import TreeringStorage


def embed(texts: list[str]) -> list[list[float]]:
    return [[one.lower().count(word) + 0.01 for word in ("dog", "cat", "oslo")] for one in texts]


def main() -> None:
    with treering.open(Path(tempfile.mkdtemp()) / "crew.db") as mem:
        memory = Memory(storage=TreeringStorage(mem), embedder=embed)
        memory.remember("The dog is called Rex", scope="/ann", categories=["pets"], importance=0.7)
        print(memory.recall("dog", scope="/ann", depth="shallow", limit=1)[0].record.content)


if __name__ == "__main__":
    main()
