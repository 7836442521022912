"""An endpoint that answers, stumbles, or talks nonsense: a real HTTP server on this machine plays each part."""

from __future__ import annotations

import gc
import json
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest
from tests.endpoint import Endpoint, Play, says

from treering import settings
from treering.errors import InvalidRequest, Unavailable
from treering.mind import Passage, open_embedder
from treering.mind.endpoint import RetryPolicy
from treering.mind.minds import Minds
from treering.mind.openai import OpenAIEmbedder

KEY = "sk-very-secret-0123456789"


def vector(text: str) -> list[float]:
    """Two counts and a constant: not of length one, as many servers answer."""
    return [3.0 * (1 + text.count("dog")), 2.0 * text.count("bill"), 1.0]


def good(asked: dict[str, Any]) -> tuple[int, dict[str, str], bytes]:
    data = [{"index": place, "embedding": vector(text)} for place, text in enumerate(asked["input"])]
    return 200, {}, json.dumps({"data": data[::-1]}).encode()  # out of order on purpose


def data(*entries: Any) -> Play:
    return says(200, json.dumps({"data": list(entries)}).encode())


@pytest.fixture(autouse=True)
def answering(endpoint: Endpoint) -> None:
    endpoint.parts = [good]


@pytest.fixture
def opened(endpoint: Endpoint) -> Iterator[Callable[..., OpenAIEmbedder]]:
    made: list[OpenAIEmbedder] = []

    def make(**options: Any) -> OpenAIEmbedder:
        options = {"model": "m3", "dims": 3, "api_key": KEY, "base_url": endpoint.url, **options}
        embedder = open_embedder("openai", sleep=endpoint.waits.append, **options)
        assert isinstance(embedder, OpenAIEmbedder)
        made.append(embedder)
        return embedder

    yield make
    for embedder in made:
        embedder.close()


Opened = Callable[..., OpenAIEmbedder]


def test_texts_are_sent_in_batches_and_come_back_as_unit_rows_in_order(endpoint: Endpoint, opened: Opened) -> None:
    texts = [f"text {place} " + "dog " * (place % 5) for place in range(10)]
    rows = opened(texts_per_request=4).embed(texts)
    wanted = np.array([vector(text) for text in texts])
    assert np.allclose(rows, wanted / np.linalg.norm(wanted, axis=1, keepdims=True), atol=1e-6)
    assert rows.dtype == np.float32
    assert [len(request["input"]) for request in endpoint.requests] == [4, 4, 2]
    assert {request["model"] for request in endpoint.requests} == {"m3"}
    assert endpoint.headers[0]["authorization"] == f"Bearer {KEY}"
    assert endpoint.headers[0]["path"] == "/v1/embeddings"


def test_its_name_carries_the_model_so_that_vectors_of_two_models_never_mix(opened: Opened) -> None:
    assert (opened().name, opened(model="other").name) == ("openai/m3", "openai/other")


def test_a_paraphrase_is_nearer_than_an_unrelated_sentence(opened: Opened) -> None:
    embedder = opened()
    near, far = embedder.embed(["my dog ran", "pay the bill"]) @ embedder.embed_question("a dog")
    assert near > far


def test_no_texts_need_no_request(endpoint: Endpoint, opened: Opened) -> None:
    assert opened().embed([]).shape == (0, 3)
    assert endpoint.requests == []


def test_a_repeated_text_is_sent_once(endpoint: Endpoint, opened: Opened) -> None:
    embedder = opened()
    assert np.array_equal(embedder.embed(["a dog", "a dog"])[1], embedder.embed_question("a dog"))
    assert [request["input"] for request in endpoint.requests] == [["a dog"]]


def test_questions_and_texts_may_carry_prefixes_of_their_own(endpoint: Endpoint, opened: Opened) -> None:
    embedder = opened(text_prefix="passage: ", question_prefix="query: ")
    embedder.embed(["dog"])
    embedder.embed_question("dog")
    assert [request["input"] for request in endpoint.requests] == [["passage: dog"], ["query: dog"]]


def test_the_environment_gives_the_prefixes_and_one_embedder_bears_both_names(endpoint: Endpoint) -> None:
    told = settings.read(
        {
            "TREERING_OPENAI_MODEL": "m3",
            "TREERING_OPENAI_DIMS": "3",
            "TREERING_OPENAI_URL": endpoint.url,
            "TREERING_OPENAI_TEXT_PREFIX": "passage: ",
            "TREERING_OPENAI_QUESTION_PREFIX": "query: ",
        }
    )
    minds = Minds("openai", told.embedders)
    by_kind, by_name = minds.named("openai"), minds.named("openai/m3")
    assert isinstance(by_kind, OpenAIEmbedder)
    assert by_name is by_kind
    assert Minds("openai", told.embedders).named("openai/m3") is not by_kind
    by_kind.embed(["dog"])
    by_kind.embed_question("dog")
    by_kind.close()
    assert [request["input"] for request in endpoint.requests] == [["passage: dog"], ["query: dog"]]
    assert not {"text_prefix", "question_prefix"} & set(settings.read({}).embedders["openai"])


def test_a_passage_is_sent_whole_with_its_lead_behind_the_prefix(endpoint: Endpoint, opened: Opened) -> None:
    embedder = opened(text_prefix="passage: ")
    passage = Passage("I have a dog. It barks.", "Ann: ")
    (rows,) = embedder.embed_passages([passage])
    assert np.array_equal(rows, embedder.embed([passage.lead + passage.text]))
    assert [request["input"] for request in endpoint.requests] == [["passage: Ann: I have a dog. It barks."]]
    with pytest.raises(InvalidRequest, match="one was given"):
        embedder.embed_passages(passage)


def test_an_empty_text_is_sent_as_a_space(endpoint: Endpoint, opened: Opened) -> None:
    assert opened().embed([""]).shape == (1, 3)
    assert endpoint.requests[0]["input"] == [" "]


def test_without_a_key_no_authorization_is_sent(endpoint: Endpoint, opened: Opened) -> None:
    opened(api_key=None).embed(["dog"])
    assert "authorization" not in endpoint.headers[0]


def within_a_quarter(waited: float, due: float) -> bool:
    """As long as due, and at most a quarter longer: callers who failed together do not come back together."""
    return due <= waited <= due * 1.25


def test_too_many_requests_are_waited_out_as_long_as_the_endpoint_asks(endpoint: Endpoint, opened: Opened) -> None:
    endpoint.parts = [says(429, retry_after="3"), says(429), says(429, retry_after="9999"), good]
    assert opened().embed(["dog"]).shape == (1, 3)
    assert [within_a_quarter(*one) for one in zip(endpoint.waits, (3.0, 1.0, 16.0), strict=True)] == [True] * 3


@pytest.mark.parametrize("status", [500, 502, 503, 504])
def test_a_server_that_keeps_failing_is_given_up_after_a_bounded_number_of_tries(
    endpoint: Endpoint, opened: Opened, status: int
) -> None:
    endpoint.parts = [says(status)]
    with pytest.raises(Unavailable, match=rf"embedder openai/m3 at {endpoint.url}: status {status}, 4 times"):
        opened().embed(["dog"])
    assert len(endpoint.requests) == 4
    assert [within_a_quarter(*one) for one in zip(endpoint.waits, (0.5, 1.0, 2.0), strict=True)] == [True] * 3


def test_a_server_that_recovers_is_not_held_against_it(endpoint: Endpoint, opened: Opened) -> None:
    endpoint.parts = [says(500), says(503), good]
    assert opened().embed(["dog"]).shape == (1, 3)


def test_an_answer_that_does_not_come_in_time_is_unavailable(endpoint: Endpoint, opened: Opened) -> None:
    def slowly(asked: dict[str, Any]) -> tuple[int, dict[str, str], bytes]:
        time.sleep(0.5)
        return good(asked)

    endpoint.parts = [slowly]
    with pytest.raises(Unavailable, match=r"no answer in time .*, 2 times"):
        opened(timeout_seconds=0.1, retry=RetryPolicy(attempts=2)).embed(["dog"])


def test_an_endpoint_that_is_not_there_is_unavailable(opened: Opened) -> None:
    with pytest.raises(Unavailable, match=r"the connection failed .*, 4 times"):
        opened(base_url="http://127.0.0.1:9/v1").embed(["dog"])


ROW = {"index": 0, "embedding": [1.0, 2.0, 3.0]}


@pytest.mark.parametrize(
    ("part", "complaint"),
    [
        (says(200, b"<html>hello</html>"), "not JSON: '<html>hello"),
        (says(200, b"\xff\xfe\x00"), "not JSON"),
        (says(200, b"[1, 2]"), "not an embeddings answer"),
        (says(200, b'{"data": [{"embedding": [1, 2, 3]}]}'), "not an embeddings answer"),
        (says(200, b'{"data": [{"index": 0, "embedding": 5}]}'), "not an embeddings answer"),
        (data(), "0 vectors came back for 1 texts"),
        (data(ROW, {**ROW, "index": 1}), "2 vectors came back for 1 texts"),
        (data({**ROW, "index": 7}), "1 vectors came back for 1 texts"),
        (data({**ROW, "embedding": [1.0, 2.0]}), r"vectors of \[2\] dims came back, not 3; set dims to match"),
        (data({**ROW, "embedding": [1.0, "x", 3.0]}), "something in it that is no number"),
        (data({**ROW, "embedding": [1.0, [2.0], 3.0]}), "something in it that is no number"),
        (data({**ROW, "embedding": [0.0, 0.0, 0.0]}), "without direction"),
        (data({**ROW, "embedding": [1.0, float("nan"), 3.0]}), "without direction"),
        (says(400, b"too long"), "status 400: 'too long'"),
        (says(307, location="http://127.0.0.1:9/"), "status 307"),
    ],
)
def test_an_answer_that_makes_no_sense_is_refused_at_once(
    endpoint: Endpoint, opened: Opened, part: Play, complaint: str
) -> None:
    endpoint.parts = [part]
    embedder = opened()
    with pytest.raises(Unavailable, match=complaint):
        embedder.embed(["dog"])
    assert len(endpoint.requests) == 1
    endpoint.parts = [good]
    assert embedder.embed(["dog"]).shape == (1, 3)  # nothing of the nonsense was kept


@pytest.mark.parametrize("status", [400, 401, 403, 429, 500, 200])
def test_the_key_appears_in_no_error_and_no_repr(endpoint: Endpoint, opened: Opened, status: int) -> None:
    endpoint.parts = [says(status, f"wrong key {KEY} given".encode())]
    embedder = opened()
    with pytest.raises(Unavailable) as refused:
        embedder.embed(["dog"])
    assert refused.value.__cause__ is None
    for shown in (str(refused.value), repr(refused.value), repr(embedder), str(embedder)):
        assert KEY not in shown
        assert KEY[:12] not in shown


def test_a_password_in_the_address_is_not_shown(endpoint: Endpoint, opened: Opened) -> None:
    endpoint.parts = [says(500)]
    embedder = opened(base_url=endpoint.url.replace("http://", "http://ann:hunter2@") + "?token=hunter3")
    with pytest.raises(Unavailable) as refused:
        embedder.embed(["dog"])
    assert "hunter" not in str(refused.value) + repr(embedder)


@pytest.mark.parametrize("url", ["ftp://host/v1", "host/v1", "http://", "http://host:port/v1", ""])
def test_an_address_that_is_none_is_refused(url: str) -> None:
    with pytest.raises(InvalidRequest, match="base_url"):
        open_embedder("openai", model="m3", dims=3, base_url=url)


def test_dims_below_one_are_refused() -> None:
    with pytest.raises(InvalidRequest, match="dims: 0 is less than 1"):
        open_embedder("openai", model="m3", dims=0)


def test_threads_that_ask_at_once_get_equal_answers(opened: Opened) -> None:
    embedder = opened(texts_per_request=2)
    texts = [f"dog {place}" + " bill" * place for place in range(6)]
    with ThreadPoolExecutor(4) as pool:
        first, *others = pool.map(lambda _: embedder.embed(texts), range(4))
    assert all(np.array_equal(first, rows) for rows in others)


def test_connections_are_closed_when_the_embedder_goes(endpoint: Endpoint) -> None:
    embedder = OpenAIEmbedder(model="m3", dims=3, base_url=endpoint.url)
    embedder.embed(["dog"])
    client = embedder._endpoint._client
    del embedder
    gc.collect()
    assert client.is_closed


def test_one_string_in_place_of_a_list_is_refused(endpoint: Endpoint, opened: Opened) -> None:
    with pytest.raises(InvalidRequest, match="one string was given"):
        opened().embed("dog")
    assert endpoint.requests == []
