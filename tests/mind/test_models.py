"""Language models at an endpoint: how they are asked in each dialect, and what comes back."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from tests.endpoint import Endpoint, Play, says

from treering.errors import InvalidRequest, Unavailable
from treering.mind.endpoint import RetryPolicy
from treering.mind.llm import MODELS, open_model
from treering.mind.model import Completion, LanguageModel, ModelMessage

KEY = "sk-very-secret-0123456789"
ASKED = [ModelMessage("system", "Be brief."), ModelMessage("user", '{"text": "hi"}')]
SCHEMA = {"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"], "additionalProperties": False}


def written(kind: str, text: str, **more: Any) -> bytes:
    """An answer in the dialect of the provider."""
    if kind == "openai":
        choice = {"message": {"role": "assistant", "content": text}, "finish_reason": "stop"}
        usage = {"prompt_tokens": 11, "completion_tokens": 7}
        return json.dumps({"choices": [choice], "usage": usage, **more}).encode()
    used = {"type": "tool_use", "id": "t1", "name": "answer", "input": json.loads(text)}
    usage = {"input_tokens": 5, "cache_read_input_tokens": 6, "output_tokens": 7}
    content = [{"type": "text", "text": "Well:"}, used]
    return json.dumps({"content": content, "usage": usage, "stop_reason": "tool_use", **more}).encode()


Opened = Callable[..., LanguageModel]


@pytest.fixture
def opened(endpoint: Endpoint) -> Iterator[Opened]:
    made: list[Any] = []

    def make(kind: str, **options: Any) -> LanguageModel:
        endpoint.parts = [says(200, written(kind, '{"a": 1}'))]
        given = {"model": "m", "api_key": KEY, "base_url": endpoint.url, "sleep": endpoint.waits.append, **options}
        made.append(open_model(kind, **given))
        return made[-1]

    yield make
    for model in made:
        model.close()


def ask(model: LanguageModel) -> Completion:
    return model.complete(ASKED, schema=SCHEMA, max_tokens=50)


@pytest.mark.parametrize("kind", MODELS)
def test_an_answer_comes_back_with_the_tokens_it_took(endpoint: Endpoint, opened: Opened, kind: str) -> None:
    model = opened(kind)
    assert ask(model) == Completion('{"a": 1}', 11, 7)
    assert model.name == f"{kind}/m"


def test_an_openai_endpoint_is_asked_for_json_of_the_schema(endpoint: Endpoint, opened: Opened) -> None:
    ask(opened("openai"))
    (asked,), (headers,) = endpoint.requests, endpoint.headers
    assert headers["path"] == "/v1/chat/completions"
    assert headers["authorization"] == f"Bearer {KEY}"
    assert asked["response_format"]["json_schema"]["schema"] == SCHEMA
    assert asked["messages"][0] == {"role": "system", "content": "Be brief."}
    assert (asked["model"], asked["max_tokens"], asked["temperature"]) == ("m", 50, 0)


def test_anthropic_is_made_to_use_a_tool_of_the_schema(endpoint: Endpoint, opened: Opened) -> None:
    ask(opened("anthropic"))
    (asked,), (headers,) = endpoint.requests, endpoint.headers
    assert headers["path"] == "/v1/messages"
    assert headers["x-api-key"] == KEY
    assert headers["anthropic-version"]
    assert asked["tools"][0]["input_schema"] == SCHEMA
    assert asked["tool_choice"] == {"type": "tool", "name": asked["tools"][0]["name"]}
    assert (asked["system"], asked["messages"]) == ("Be brief.", [{"role": "user", "content": '{"text": "hi"}'}])


def test_a_field_that_an_endpoint_refuses_by_name_is_not_sent_again(endpoint: Endpoint, opened: Opened) -> None:
    model = opened("openai")
    good = endpoint.parts[0]
    endpoint.parts = [
        says(400, b"Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."),
        says(400, b"temperature does not support 0"),
        says(400, b"response_format is not supported"),
        good,
    ]
    assert ask(model).text == ask(model).text == '{"a": 1}'
    assert len(endpoint.requests) == 5
    assert set(endpoint.requests[-1]) == {"model", "messages", "max_completion_tokens"}


def test_a_request_that_is_refused_for_another_reason_is_not_repeated(endpoint: Endpoint, opened: Opened) -> None:
    model = opened("openai")
    endpoint.parts = [says(400, b"the request exceeds the available context size")]
    with pytest.raises(Unavailable, match=r"language model openai/m at .*: status 400: 'the request exceeds"):
        ask(model)
    assert len(endpoint.requests) == 1


@pytest.mark.parametrize(("kind", "more"), [("openai", None), ("anthropic", {"stop_reason": "max_tokens"})])
def test_an_answer_that_was_cut_off_says_so(
    endpoint: Endpoint, opened: Opened, kind: str, more: dict[str, Any] | None
) -> None:
    model = opened(kind)
    body = written(kind, "{}", **(more or {})).replace(b'"stop"', b'"length"')
    endpoint.parts = [says(200, body)]
    assert ask(model).cut


@pytest.mark.parametrize("kind", MODELS)
@pytest.mark.parametrize(
    ("part", "complaint"),
    [
        (says(200, b"<html>hello</html>", content_type="text/html"), "not JSON: '<html>"),
        (says(200, b'data: {"choices": []}', content_type="text/event-stream"), "not JSON"),
        (says(200, b"[" * 200_000), "not JSON"),
        (says(200, b"[1, 2]"), "not a chat answer"),
        (says(200, b'{"choices": [], "content": []}'), "not a chat answer"),
        (says(200, b'{"choices": [{"message": {"content": null}}], "content": [{"type": "text"}]}'), "not a chat"),
        (says(200, b'{"choices": [{"message": {}}], "content": 5, "usage": []}'), "not a chat answer"),
        (says(200, b'"' + b"x" * (5 << 20) + b'"'), "longer than 4,194,304 bytes"),
        (says(307, location="http://127.0.0.1:9/"), "status 307"),
        (says(404, b"no such model"), "status 404: 'no such model'"),
    ],
)
def test_an_answer_that_makes_no_sense_is_refused_at_once(
    endpoint: Endpoint, opened: Opened, kind: str, part: Play, complaint: str
) -> None:
    model = opened(kind)
    endpoint.parts = [part]
    with pytest.raises(Unavailable, match=complaint):
        ask(model)
    assert len(endpoint.requests) == 1


@pytest.mark.parametrize("kind", MODELS)
@pytest.mark.parametrize("status", [400, 401, 403, 429, 500, 200])
def test_the_key_appears_in_no_error_and_no_repr(endpoint: Endpoint, opened: Opened, kind: str, status: int) -> None:
    model = opened(kind)
    endpoint.parts = [says(status, f"wrong key {KEY} given".encode())]
    with pytest.raises(Unavailable) as refused:
        ask(model)
    for shown in (str(refused.value), repr(refused.value), repr(model), str(model)):
        assert KEY[:12] not in shown


def test_a_point_in_time_to_come_back_at_counts_from_the_endpoints_own_clock(
    endpoint: Endpoint, opened: Opened
) -> None:
    model = opened("openai")
    good = endpoint.parts[0]
    endpoint.parts = [says(503, retry_after="Wed, 21 Oct 2015 07:28:05 GMT"), says(429, retry_after="soon"), good]
    ask(model)
    # the server puts the present as its date: that point has long passed
    assert endpoint.waits[0] == 0.0
    assert 1.0 <= endpoint.waits[1] <= 1.25


def test_an_answer_that_took_too_long_is_not_asked_for_again(endpoint: Endpoint, opened: Opened) -> None:
    model = opened("openai", timeout_seconds=0.1)
    endpoint.parts = [lambda _: (time.sleep(0.4), says(200)({}))[1]]
    with pytest.raises(Unavailable, match="no answer in time"):
        ask(model)
    assert len(endpoint.requests) == 1
    assert endpoint.waits == []


def test_no_more_than_so_many_requests_are_under_way_at_once(endpoint: Endpoint, opened: Opened) -> None:
    model = opened("openai", at_once=2)
    good, now, most = endpoint.parts[0], [0], [0]
    lock = threading.Lock()

    def busy(asked: dict[str, Any]) -> tuple[int, dict[str, str], bytes]:
        with lock:
            now[0] += 1
            most[0] = max(most[0], now[0])
        time.sleep(0.05)
        with lock:
            now[0] -= 1
        return good(asked)

    endpoint.parts = [busy]
    with ThreadPoolExecutor(6) as pool:
        assert len(list(pool.map(lambda _: ask(model), range(6)))) == 6
    assert most[0] == 2


@pytest.mark.parametrize(
    ("name", "options", "complaint"),
    [
        ("mystery", {}, "'mystery' is not one of openai, anthropic"),
        ("openai", {}, "missing a required argument: 'model'"),
        ("openai", {"model": ""}, "model: is empty"),
        ("openai", {"model": "m", "dims": 3}, "unexpected keyword argument 'dims'"),
        ("openai", {"model": "m", "base_url": "ftp://host"}, "base_url"),
        ("openai", {"model": "m", "api_key": "two\nlines"}, "api_key: it holds a character"),
        ("anthropic", {"model": "m", "timeout_seconds": 0}, "timeout_seconds"),
        ("anthropic", {"model": "m", "at_once": 0}, "at_once"),
    ],
)
def test_a_model_set_up_wrongly_is_refused_before_anything_is_sent(
    name: str, options: dict[str, Any], complaint: str
) -> None:
    with pytest.raises(InvalidRequest, match=complaint) as refused:
        open_model(name, **options)
    assert "two" not in str(refused.value)


def test_waits_grow_but_never_beyond_the_longest() -> None:
    policy = RetryPolicy(jitter=0.0)
    assert [policy.wait(failures, None) for failures in range(1, 8)] == [0.5, 1, 2, 4, 8, 16, 20]
    assert policy.wait(1, -5.0) == 0.0
