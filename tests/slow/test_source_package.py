"""What a release puts on the index as source is built and installed from that file alone, and works."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.slow.test_core_alone import IN_PYTHON

pytestmark = pytest.mark.slow
ROOT = Path(__file__).parents[2]


def test_the_source_package_installs_and_remembers(tmp_path: Path) -> None:
    """With the packages that are there: what it needs besides is not what is tried here."""
    quiet = {name: value for name, value in os.environ.items() if not name.startswith(("TREERING", "PYTHON"))}
    build = [sys.executable, "-m", "build", "--sdist", "--no-isolation", "--outdir", str(tmp_path), str(ROOT)]
    subprocess.run(build, capture_output=True, check=True, env=quiet)
    (package,) = tmp_path.glob("*.tar.gz")
    target = tmp_path / "installed"
    install = [sys.executable, "-m", "pip", "install", "--no-deps", "--no-build-isolation", "--no-index"]
    subprocess.run(
        [*install, "--target", str(target), str(package)], capture_output=True, check=True, env=quiet, cwd=tmp_path
    )
    told = subprocess.run(
        [sys.executable, "-c", f"import treering; print(treering.__file__)\n{IN_PYTHON}"],
        capture_output=True, text=True, check=True, env={**quiet, "PYTHONPATH": str(target)}, cwd=tmp_path,
    ).stdout.splitlines()  # fmt: skip
    assert Path(told[0]).is_relative_to(target), "it is the one that was installed"
    found, facts, _ = json.loads(told[1])
    assert "Lisbon" in found[0]
    assert {"LIVES_IN", "WORKS_FOR"} <= set(facts)
    assert (target / "bin" / "treering").is_file()
