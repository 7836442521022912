"""What the environment says about the language model."""

from __future__ import annotations

import pytest

from treering import settings
from treering.errors import InvalidRequest
from treering.mind.llm import open_model


def test_without_a_word_there_is_no_language_model_and_no_bound() -> None:
    read = settings.read({})
    assert (read.llm, read.llm_tokens) == ({}, 0)


def test_what_is_said_opens_the_model_and_the_key_is_not_shown() -> None:
    said = {
        "TREERING_LLM": "openai",
        "TREERING_LLM_MODEL": "qwen3",
        "TREERING_LLM_URL": "http://127.0.0.1:8080/v1",
        "TREERING_LLM_KEY": "hunter2",
        "TREERING_LLM_TIMEOUT_SECONDS": "2.5",
        "TREERING_LLM_TOKENS": "200000",
    }
    read = settings.read(said)
    assert read.llm_tokens == 200_000
    assert read.llm["timeout_seconds"] == 2.5
    assert repr(open_model(**read.llm)) == "OpenAIChat(model='qwen3', base_url='http://127.0.0.1:8080/v1')"
    assert "hunter2" not in repr(read)


def test_a_model_that_is_not_named_is_asked_for_when_it_is_opened() -> None:
    with pytest.raises(InvalidRequest, match="missing a required argument: 'model'; see TREERING_LLM_MODEL"):
        open_model(**settings.read({"TREERING_LLM": "anthropic"}).llm)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("TREERING_LLM_TOKENS", "many"), ("TREERING_LLM_TOKENS", "-1"), ("TREERING_LLM_TOKENS", "1.5"),
        ("TREERING_LLM_TIMEOUT_SECONDS", "0"), ("TREERING_LLM_TIMEOUT_SECONDS", "nan"),
        ("TREERING_LLM_TIMEOUT_SECONDS", "1e9"), ("TREERING_LLM_TIMEOUT_SECONDS", "soon"),
    ],
)  # fmt: skip
def test_a_number_that_is_none_is_refused_by_name(name: str, value: str) -> None:
    with pytest.raises(InvalidRequest, match=f"{name}: '{value}'"):
        settings.read({"TREERING_LLM": "openai", name: value})
