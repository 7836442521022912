"""The adapters hold what they promise to the real frameworks, each in its own environment."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
ENVIRONMENTS = {
    ".venv-frameworks": ["--ignore", "tests/frameworks/test_crewai.py", "tests/frameworks"],
    ".venv-crewai": ["tests/frameworks/test_crewai.py"],
}


@pytest.mark.slow
@pytest.mark.parametrize("name", ENVIRONMENTS)
def test_the_adapters_pass_with_the_real_packages(name: str) -> None:
    python = ROOT / name / "bin" / "python"
    assert python.exists(), "`make frameworks` makes it"
    words = [
        str(python),
        "-m",
        "pytest",
        "-q",
        "-o",
        "addopts=--import-mode=importlib",
        "-W",
        "ignore",
        "--timeout",
        "600",
    ]
    done = subprocess.run([*words, *ENVIRONMENTS[name]], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-4000:]
