"""Two who sign, and an edge to vouch for."""

from __future__ import annotations

from typing import Any

import pytest
from tests.conftest import Doors

from treering.door import Treering
from treering.model.identity import Identity

ANN, BOB, EVE = (Identity.from_secret(letter * 42 + "A") for letter in "ABE")


@pytest.fixture
def ann(doors: Doors) -> Treering:
    return doors("ann", identity=ANN)  # type: ignore[no-any-return]


@pytest.fixture
def bob(doors: Doors) -> Treering:
    return doors("bob", identity=BOB)  # type: ignore[no-any-return]


def known(door: Treering, **more: Any) -> str:
    return door.assert_fact("Ada", "KNOWS", "Bo", **more).facts[0].id
