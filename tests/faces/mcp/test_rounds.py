"""A client's model is asked in rounds, by the protocol of 2026: with the real SDK's client, well behaved or not."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import mcp_types as types
import pytest
from mcp import Client
from mcp.shared.exceptions import MCPError
from tests.faces.mcp.agents import agent, http_server, over_stdio

import treering
from treering.faces.mcp import rounds

Model = Callable[[Any, types.CreateMessageRequestParams], Awaitable[types.CreateMessageResult]]


def statement(words: str) -> dict[str, Any]:
    return {
        "content": words, "quote": words, "kind": "semantic", "certainty": "sure", "event_time": None,
        "event_end": None, "expires_at": None, "cue": None, "entities": [], "claims": [],
    }  # fmt: skip


def text_of(params: types.CreateMessageRequestParams) -> str:
    """What the model is to read."""
    last = params.messages[-1].content
    assert isinstance(last, types.TextContent)
    return str(json.loads(last.text)["text"])


def answered(text: str) -> types.CreateMessageResult:
    words = json.dumps({"statements": [statement(text)]})
    return types.CreateMessageResult(role="assistant", content=types.TextContent(type="text", text=words), model="m")


def echo(asked: list[str]) -> Model:
    """Says that what was said is so, and notes what it was asked about."""

    async def model(_: Any, params: types.CreateMessageRequestParams) -> types.CreateMessageResult:
        asked.append(text_of(params))
        return answered(text_of(params))

    return model


def said(*texts: str) -> dict[str, Any]:
    return {"messages": [{"content": one, "speaker": "Ann"} for one in texts], "extractor": "client"}


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TREERING_EMBEDDER", "none")
    return tmp_path / "work.db"


def test_a_conversation_is_asked_about_in_few_rounds(store: Path) -> None:
    asked: list[str] = []
    texts = [f"The box number {n} is blue" for n in range(20)]

    async def ask(client: Client) -> Any:
        return (await client.call_tool("remember", said(*texts))).structured_content

    with treering.open(store) as door:
        told = agent(door, "full", ask, "auto", sampling_callback=echo(asked))
        assert door.status().seq > 0
    assert told["extractor"] == "client"
    assert sorted(asked) == sorted(texts)
    assert [one["content"] for one in told["memories"]] == texts


def test_what_is_asked_while_the_client_is_away_is_asked_in_the_next_round(
    store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rounds, "_GATHERED_SECONDS", 0.0)
    monkeypatch.setattr(rounds, "MOST_ROUNDS", 100)
    asked: list[str] = []
    texts = [f"The box number {n} is blue" for n in range(12)]

    async def ask(client: Client) -> Any:
        return (await client.call_tool("remember", said(*texts))).structured_content

    with treering.open(store) as door:
        told = agent(door, "core", ask, "auto", sampling_callback=echo(asked), input_required_max_rounds=100)
    assert (told["extractor"], told["trouble"]) == ("client", None)
    assert sorted(asked) == sorted(texts)


def test_it_is_so_over_standard_input_too(store: Path) -> None:
    asked: list[str] = []

    async def ask(client: Client) -> Any:
        return (await client.call_tool("remember", said("The box is blue"))).structured_content

    told = over_stdio(store, "core", ask, "auto", sampling_callback=echo(asked))
    assert (told["extractor"], told["trouble"], asked) == ("client", None, ["The box is blue"])


def test_it_is_so_over_http_where_every_request_stands_alone(store: Path) -> None:
    asked: list[str] = []

    async def ask(url: str) -> Any:
        async with Client(url, mode="auto", sampling_callback=echo(asked)) as client:
            return (await client.call_tool("remember", said("The box is blue", "The jar is red"))).structured_content

    with http_server(store) as url:
        told = asyncio.run(asyncio.wait_for(ask(url), 60))
    assert (told["extractor"], told["trouble"]) == ("client", None)
    assert sorted(asked) == ["The box is blue", "The jar is red"]


def test_a_call_that_needs_no_model_is_answered_at_once(store: Path) -> None:
    asked: list[str] = []

    async def ask(client: Client) -> Any:
        first = await client.session.call_tool("remember", {"content": "Ada came."}, allow_input_required=True)
        return first, await client.call_tool("recall", {"query": "Who came?"})

    with treering.open(store) as door:
        first, recalled = agent(door, "core", ask, "auto", sampling_callback=echo(asked))
    assert isinstance(first, types.CallToolResult)
    assert not recalled.is_error
    assert asked == []


def test_what_the_client_answers_otherwise_is_read_by_the_reader(store: Path) -> None:
    async def refuses(_: Any, params: types.CreateMessageRequestParams) -> Any:
        return types.ErrorData(code=-1, message="the user said no")

    async def pictures(_: Any, params: types.CreateMessageRequestParams) -> types.CreateMessageResult:
        picture = types.ImageContent(type="image", data="", mime_type="image/png")
        return types.CreateMessageResult(role="assistant", content=picture, model="m")

    async def ask(client: Client) -> Any:
        return (await client.call_tool("remember", said("I moved to Oslo."))).structured_content

    with treering.open(store) as door:
        told = agent(door, "core", ask, "auto", sampling_callback=pictures)
        assert told["memories"][0]["content"] == "Ann: I moved to Oslo."
        assert "did not answer" in told["trouble"]
        with pytest.raises(MCPError, match="the user said no"):
            agent(door, "core", ask, "auto", sampling_callback=refuses)


def test_a_client_that_does_not_come_back_loses_nothing(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rounds, "PATIENCE_SECONDS", 0.3)

    async def ask(client: Client) -> Any:
        return await client.session.call_tool("remember", said("I moved to Oslo."), allow_input_required=True)

    with treering.open(store) as door:
        wanted = agent(door, "core", ask, "auto", sampling_callback=echo([]))
        assert isinstance(wanted, types.InputRequiredResult)
        for _ in range(100):
            if door.list().memories:
                break
            time.sleep(0.05)
        assert "Ann: I moved to Oslo." in [one.content for one in door.list()]


def test_the_word_by_which_a_client_comes_back_holds_once_and_for_that_call_alone(store: Path) -> None:
    async def ask(client: Client) -> list[str]:
        call = client.session.call_tool
        first = await call("remember", said("The box is blue"), allow_input_required=True)
        assert isinstance(first, types.InputRequiredResult)
        word, [key] = first.request_state, list(first.input_requests or {})
        answers: Any = {key: answered("The box is blue")}
        refused = []
        for arguments, state in (
            (said("The box is red"), word),
            (said("The box is blue"), "guessed"),
        ):
            try:
                await call("remember", arguments, input_responses=answers, request_state=state)
            except MCPError as error:
                refused.append(str(error))
        done = await call("remember", said("The box is blue"), input_responses=answers, request_state=word)
        assert (done.structured_content or {})["extractor"] == "client"
        try:
            await call("remember", said("The box is blue"), input_responses=answers, request_state=word)
        except MCPError as error:
            refused.append(str(error))
        return refused

    with treering.open(store) as door:
        refused = agent(door, "core", ask, "auto", sampling_callback=echo([]))
        assert len(door.list().memories) == 1
    assert len(refused) == 3
    assert all("no such call waits here" in one for one in refused)


def test_more_rounds_than_clients_take_are_not_asked_for(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rounds, "MOST_ROUNDS", 2)
    monkeypatch.setattr(rounds._Lent, "at_once", 1)
    asked: list[str] = []
    texts = [f"The box number {n} is blue" for n in range(5)]

    async def ask(client: Client) -> Any:
        return (await client.call_tool("remember", said(*texts))).structured_content

    with treering.open(store) as door:
        told = agent(door, "core", ask, "auto", sampling_callback=echo(asked))
    assert len(asked) == 2
    assert len(told["memories"]) == 5
    assert "too many rounds" in told["trouble"]


def test_when_too_many_wait_the_reader_reads_at_once(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rounds, "MOST_WAITING", 0)

    async def ask(client: Client) -> Any:
        return (await client.call_tool("remember", said("I moved to Oslo."))).structured_content

    with treering.open(store) as door:
        told = agent(door, "core", ask, "auto", sampling_callback=echo([]))
    assert told["memories"][0]["content"] == "Ann: I moved to Oslo."
    assert "offers no sampling" in told["trouble"]
