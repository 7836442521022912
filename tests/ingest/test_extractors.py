"""Who reads: the reader, whoever is named where there were others, or a clear no."""

from __future__ import annotations

import pytest

import treering
from treering import settings
from treering.errors import InvalidRequest

FORMER = ("hybrid", "rules")


@pytest.mark.parametrize("name", FORMER)
def test_names_of_what_was_taken_out_mean_the_reader(name: str) -> None:
    with treering.open(":memory:", embedder="none", judge="none") as mem:
        assert mem.remember("I live in Oslo.", extractor=name).extractor == "reader"  # type: ignore[arg-type]
        assert mem.settings({"extractor": name})["extractor"] == "reader"
        assert mem.remember("I live in Bonn.").extractor == "reader"


@pytest.mark.parametrize("name", FORMER)
def test_so_they_do_in_the_environment(name: str) -> None:
    assert settings.read({"TREERING_EXTRACTOR": name}).extractor == "reader"


def test_a_name_that_nobody_has_is_refused_with_those_there_are() -> None:
    with pytest.raises(InvalidRequest, match="reader, llm, client, none"):
        settings.read({"TREERING_EXTRACTOR": "spacy"})
    with treering.open(":memory:") as mem, pytest.raises(InvalidRequest, match="reader, llm, client, none"):
        mem.settings({"extractor": "spacy"})
