"""mem0 behind lines of JSON, run by the Python of its own environment: a program that uses its library."""

from __future__ import annotations

import json
import os
import sys
from typing import Any

from mem0 import Memory  # type: ignore[import-not-found]

FOLDER, ENDPOINT, DIMS = sys.argv[1], sys.argv[2], int(sys.argv[3])
os.environ.setdefault("OPENAI_API_KEY", "none")


def main() -> None:
    memory: Any = Memory.from_config(
        {
            "vector_store": {
                "provider": "qdrant",
                "config": {"path": f"{FOLDER}/qdrant", "embedding_model_dims": DIMS, "on_disk": True},
            },
            "embedder": {
                "provider": "openai",
                "config": {"model": "minilm", "openai_base_url": ENDPOINT, "embedding_dims": DIMS, "api_key": "none"},
            },
            "llm": {"provider": "openai", "config": {"api_key": "none", "openai_base_url": ENDPOINT}},
            "history_db_path": f"{FOLDER}/history.db",
        }
    )
    say({"ready": True})
    for line in sys.stdin:
        asked = json.loads(line)
        if "write" in asked:
            memory.add(asked["write"], user_id="u", infer=False)
            say({})
        else:
            found = memory.search(asked["search"], filters={"user_id": "u"}, top_k=5)
            say({"found": [one["memory"] for one in found["results"]]})


def say(told: dict[str, Any]) -> None:
    sys.stdout.write(json.dumps(told) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
