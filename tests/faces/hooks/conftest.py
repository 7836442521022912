"""What tests of hooks have in common."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.faces.hooks.machine import Machine


@pytest.fixture
def machine(tmp_path: Path) -> Iterator[Machine]:
    made = Machine(tmp_path)
    yield made
    for pid in made.helpers():
        os.kill(pid, signal.SIGTERM)
