"""Every example of a framework runs, and says what it should: nothing asks a model or the network."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[2] / "examples" / "frameworks"
ALONE = ("crewai_storage.py",)
"""Its framework wants another version of a package that Treering needs: it runs in an environment of its own."""
EXAMPLES = sorted(one.name for one in FOLDER.glob("*.py") if one.name not in ALONE)


@pytest.mark.parametrize("name", EXAMPLES)
def test_an_example_runs(name: str) -> None:
    done = subprocess.run(
        [sys.executable, str(FOLDER / name)], capture_output=True, text=True, check=False, timeout=500
    )
    assert done.returncode == 0, done.stderr
    assert "Rex" in done.stdout or "coffee" in done.stdout
