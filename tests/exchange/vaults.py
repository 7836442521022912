"""Vaults of generated notes for the tests beside this file."""

from __future__ import annotations

import os
import time
from pathlib import Path


def put(root: Path, path: str, text: str | bytes = "words\n", settled: bool = True) -> Path:
    """A note; `settled`: as if it was written some time ago."""
    file = root / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    if settled:
        then = time.time() - 60
        os.utime(file, (then, then))
    return file


def many(root: Path, number: int) -> None:
    """Notes of a few words each in fifty folders; `word7` stands in the seventh alone."""
    for n in range(number):
        put(
            root, f"folder {n % 50}/note {n}.md", f"---\ntags: [all, t{n % 7}]\n---\nword{n} of [[Ada]] in the garden\n"
        )
