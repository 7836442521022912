"""Which other systems' clients are understood? Every dialect, by name."""

from __future__ import annotations

from treering.faces.dialects.ai_memory import AI_MEMORY
from treering.faces.dialects.contract import Dialect
from treering.faces.dialects.cortexgraph import CORTEXGRAPH
from treering.faces.dialects.crosmos import CROSMOS
from treering.faces.dialects.longmem import LONGMEM

DIALECTS: dict[str, Dialect] = {one.name: one for one in (CORTEXGRAPH, AI_MEMORY, LONGMEM, CROSMOS)}
