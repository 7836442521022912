"""Which test holds which promise? `python -m tests.seeds.table` writes docs/promises.md from the tests beside it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from tests.seeds.reasons import DIFFERENT, READING, Reading

HERE = Path(__file__).parent
PAGE = HERE.parents[1] / "docs" / "promises.md"
DOCUMENTS = {
    "test_crosmos.py": "Crosmos",
    "test_longmem.py": "LongMem",
    "test_ai_memory.py": "ai-memory",
    "test_cortexgraph.py": "CortexGraph: memories",
    "test_cortexgraph_upkeep.py": "CortexGraph: upkeep",
    "test_cortexgraph_graph.py": "CortexGraph: the graph",
    "test_cortexgraph_fading.py": "CortexGraph: fading and settings",
    "test_taking_over.py": "Coming from another system",
    "test_taking_answers.py": "Coming from Crosmos or LongMem",
    "test_beside_the_real_ones.py": "Beside the real ones",
}
_HEAD = """<!-- made by `python -m tests.seeds.table`; edit the tests and tests/seeds/reasons.py -->
# What the other systems promise, and the test that holds it

Treering speaks the tools and routes of four other memories, so that their users can move without changing a client.
What their documents promise is tried through the very faces they speak of, one test a promise, in `tests/seeds`.
"""


def promises(file: Path) -> Iterator[tuple[str, str]]:
    """The promise and the name of each test, in the order of the file."""
    for node in ast.parse(file.read_text("utf-8")).body:
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
            yield " ".join((ast.get_docstring(node) or "").split()), node.name


def _kept(one: Reading) -> str:
    said = "yes" if one.kept else "not yet"
    return f"{said}: {one.far}" if one.far else said


def page() -> str:
    parts = [_HEAD]
    for name, document in DOCUMENTS.items():
        rows = [f"| {promise} | `{test}` |" for promise, test in promises(HERE / name)]
        parts.append(
            "\n".join([f"## {document}", f"`tests/seeds/{name}`", "", "| promise | test |", "|---|---|", *rows])
        )
    rows = [f"| {one.document} | {one.there} | {one.here} | {one.why} |" for one in DIFFERENT]
    parts.append("\n".join(["## Different on purpose", "| system | there | here | why |", "|---|---|---|---|", *rows]))
    rows = [f"| {one.document} | {one.promise} | {one.example} | {_kept(one)} |" for one in READING]
    parts.append(
        "\n".join(
            [
                "## Promises about reading",
                "What words mean, as they are read by default, by small models: `tests/seeds/test_reading.py`"
                " tries each.",
                "",
                "| system | promise | example | kept |",
                "|---|---|---|---|",
                *rows,
            ]
        )
    )
    return "\n\n".join(part.strip() for part in parts) + "\n"


if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8")
