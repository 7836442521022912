"""The examples run as they are, and show what they say they show."""

from __future__ import annotations

import contextlib
import io
import json
import subprocess
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[2] / "examples"
SHOWN = {
    "chat.py": ("bot: I know", "in June 2024 it would have said:", "Google"),
    "coding_agent.py": ("1 secrets masked", "We're switching to Postgres", "test: make test"),
    "own_store.py": ("['Lisbon']", "True"),
    "support_desk.py": ("was written: ['Starter']", "April: ['Business']", "of Globex: []", "together: True"),
}


@pytest.mark.parametrize("name", sorted(one.name for one in FOLDER.glob("*.py")))
def test_an_example_shows_what_it_says(name: str) -> None:
    done = subprocess.run(
        [sys.executable, str(FOLDER / name)], capture_output=True, text=True, check=False, timeout=100
    )
    assert done.returncode == 0, done.stderr
    for words in SHOWN[name]:
        assert words in done.stdout
    if name == "coding_agent.py":
        assert "MySQL" not in done.stdout
        assert "Still need to add retries" not in done.stdout
        assert "hunter2" not in done.stdout


def test_the_notebook_draws_a_life() -> None:
    cells = json.loads((FOLDER / "a_life.ipynb").read_text("utf-8"))["cells"]
    names: dict[str, object] = {}
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        for cell in cells:
            if cell["cell_type"] == "code":
                exec(compile("".join(cell["source"]), "a_life.ipynb", "exec"), names)
    assert str(names["picture"]).startswith("<svg")
    assert "2020 ['lives_in Berlin', 'works_for Siemens'" in printed.getvalue() or "2020" in printed.getvalue()


def test_every_example_is_listed() -> None:
    listed = (FOLDER / "README.md").read_text("utf-8")
    assert all(f"({one.name})" in listed for one in (*FOLDER.glob("*.py"), *FOLDER.glob("*.ipynb")))
