"""Which other systems' clients are understood? Every dialect, by name."""

from __future__ import annotations

from treering.faces.dialects.ai_memory import AI_MEMORY
from treering.faces.dialects.contract import Dialect

DIALECTS: dict[str, Dialect] = {one.name: one for one in (AI_MEMORY,)}
