"""Which other systems' clients are understood? Every dialect, by name."""

from __future__ import annotations

from treering.faces.dialects.contract import Dialect

DIALECTS: dict[str, Dialect] = {}
