"""Does a language model find its way through everything? Messages and streams of a blind set, read and judged by one.

Asked is the model that `TREERING_LLM` and its like name; where none is named, a very small one is served on this
machine (`bench.local_model`), which shows that the way is whole and nothing about how well language models read: told
are what it read by itself, what others read in its place, and the same figures as `bench.blind` tells. The small one
takes minutes for a message.

    python -m bench.llm [FOLDER] [--messages 2] [--streams 0]
"""

from __future__ import annotations

import argparse
import json
import os
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from bench import blind, extraction, local_model, record
from treering.model.setting import READER

LLM = "llm"
SECONDS = "300"


@contextmanager
def model() -> Iterator[str]:
    """Its name, with the environment set so that a store opens it."""
    if os.environ.get("TREERING_LLM"):
        yield os.environ.get("TREERING_LLM_MODEL") or os.environ["TREERING_LLM"]
        return
    server = local_model.serve()
    os.environ |= {
        "TREERING_LLM": "openai",
        "TREERING_LLM_MODEL": "local",
        "TREERING_LLM_URL": f"{server.listening_address}/v1",
        "TREERING_LLM_TIMEOUT_SECONDS": SECONDS,
        "NO_PROXY": "127.0.0.1",
    }
    yield local_model.WEIGHTS
    del server


class Counting(extraction.Reader):
    """Who has read each message in the end, and what the model's trouble was."""

    def __init__(self) -> None:
        super().__init__(LLM)
        self.read_by: Counter[str] = Counter()

    def read(self, case: Any) -> Any:
        receipt = super().read(case)
        self.read_by[receipt.extractor or "nobody"] += 1
        self.read_by["with trouble"] += bool(receipt.trouble)
        return receipt


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", type=Path, default=blind.newest())
    parser.add_argument("--messages", type=int, default=2)
    parser.add_argument("--streams", type=int, default=0)
    given = parser.parse_args()
    with model() as name:
        told = {"set": given.folder.name, "model": name, **asked(given.folder, given.messages, given.streams)}
    print(json.dumps({key: value for key, value in told.items() if key != "rows"}, indent=1))
    print(record.table(blind.rows(told)))
    print(f"\nwritten to {record.write('llm', told)}")


def asked(folder: Path, messages: int, streams: int) -> dict[str, Any]:
    reader = Counting()
    found = blind.of_messages(blind.lines(folder / "messages.jsonl")[:messages], reader, LLM)
    told: dict[str, Any] = {"messages": dict(reader.read_by), "message": record.quantiles(reader.seconds)}
    if streams:
        os.environ |= {"TREERING_JUDGE": LLM, "TREERING_EXTRACTOR": READER}
        began = time.perf_counter()
        judged = blind.of_streams(blind.lines(folder / "streams.jsonl")[:streams], [])
        found += [(f"judged by the model, {row[0]}", *row[1:]) for row in judged]
        told |= {"streams": streams, "seconds a stream": round((time.perf_counter() - began) / streams, 1)}
    return {**told, "rows": found}


if __name__ == "__main__":
    main()
