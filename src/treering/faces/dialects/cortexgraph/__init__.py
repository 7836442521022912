"""How do clients of CortexGraph speak to Treering? By its eighteen tools: names, parameters, defaults and answers are
its own, short-term memory is what is current, long-term memory what was promoted.

Nothing is ever deleted here: what is collected is forgotten, and can be restored.
"""

from __future__ import annotations

from treering.errors import TreeringError
from treering.faces.dialects.contract import Answer, Dialect, by_name
from treering.faces.dialects.cortexgraph.advising import analyze_for_recall, analyze_message
from treering.faces.dialects.cortexgraph.graph import create_relation, open_memories, read_graph
from treering.faces.dialects.cortexgraph.memories import observe_memory_usage, save_memory, touch_memory
from treering.faces.dialects.cortexgraph.searching import search_memory, search_unified
from treering.faces.dialects.cortexgraph.upkeep import cluster_memories, consolidate_memories, gc, promote_memory
from treering.faces.dialects.cortexgraph.watching import (
    auto_recall_process_message,
    backfill_embeddings,
    get_performance_metrics,
    reset_performance_metrics,
)


def _fault(error: TreeringError) -> Answer:
    return {"success": False, "message": str(error)}


CORTEXGRAPH = Dialect(
    name="cortexgraph",
    about="CortexGraph (Mnemex): short-term memory that decays, with promotion to notes.",
    tools=by_name(
        save_memory,
        search_memory,
        search_unified,
        touch_memory,
        observe_memory_usage,
        analyze_message,
        analyze_for_recall,
        gc,
        promote_memory,
        cluster_memories,
        consolidate_memories,
        read_graph,
        open_memories,
        create_relation,
        auto_recall_process_message,
        backfill_embeddings,
        get_performance_metrics,
        reset_performance_metrics,
    ),
    fault=_fault,
    faults_are_answers=True,
)
