"""Rerankers: an endpoint that answers, stumbles or talks nonsense, and a cross-encoder in a folder."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from bench.local_model import serve
from tests.endpoint import Endpoint, Play, says
from tests.mind.cross_encoder import written

from treering.errors import Corrupted, InvalidRequest, Unavailable, Unsupported
from treering.mind.rerank import RERANKERS, open_reranker
from treering.mind.rerank.cross_encoder import AT_ONCE, CrossEncoder
from treering.mind.rerank.endpoint import RerankEndpoint

KEY = "sk-very-secret-0123456789"
QUESTION = "Where does Ann live?"
TEXTS = ["Bananas are yellow", "Ann does live in Oslo", ""]


def shared(text: str) -> float:
    return float(len(set(text.lower().split()) & set(QUESTION.lower().rstrip("?").split())))


def good(asked: dict[str, Any]) -> tuple[int, dict[str, str], bytes]:
    told = [{"index": place, "relevance_score": shared(text)} for place, text in enumerate(asked["documents"])]
    return 200, {}, json.dumps({"results": sorted(told, key=lambda one: -float(one["relevance_score"]))}).encode()


def texts_only(asked: dict[str, Any]) -> tuple[int, dict[str, str], bytes]:
    """As a server answers that knows the documents by another name."""
    if "texts" not in asked:
        return 422, {}, b'{"error": "missing field `texts`"}'
    return 200, {}, json.dumps([{"index": n, "score": shared(text)} for n, text in enumerate(asked["texts"])]).encode()


def results(*told: Any) -> Play:
    return says(200, json.dumps({"results": list(told)}).encode())


@pytest.fixture(autouse=True)
def answering(endpoint: Endpoint) -> None:
    endpoint.parts = [good]


@pytest.fixture
def opened(endpoint: Endpoint) -> Iterator[Callable[..., RerankEndpoint]]:
    made: list[RerankEndpoint] = []

    def make(**options: Any) -> RerankEndpoint:
        options = {"model": "m3", "base_url": endpoint.url, "api_key": KEY, **options}
        reranker = open_reranker("endpoint", sleep=endpoint.waits.append, **options)
        assert isinstance(reranker, RerankEndpoint)
        made.append(reranker)
        return reranker

    yield make
    for reranker in made:
        reranker.close()


Opened = Callable[..., RerankEndpoint]


# an endpoint


def test_the_numbers_come_back_in_the_order_of_the_texts(endpoint: Endpoint, opened: Opened) -> None:
    assert opened().scores(QUESTION, TEXTS) == [0.0, 3.0, 0.0]
    asked, headers = endpoint.requests[0], endpoint.headers[0]
    assert asked == {
        "model": "m3",
        "query": QUESTION,
        "documents": ["Bananas are yellow", "Ann does live in Oslo", " "],
    }
    assert (headers["path"], headers["authorization"]) == ("/v1/rerank", f"Bearer {KEY}")


def test_no_texts_are_not_asked_about(endpoint: Endpoint, opened: Opened) -> None:
    assert opened().scores(QUESTION, []) == []
    assert endpoint.requests == []


def test_a_server_that_names_the_texts_otherwise_is_asked_its_way(endpoint: Endpoint, opened: Opened) -> None:
    endpoint.parts = [texts_only]
    assert opened().scores(QUESTION, TEXTS) == [0.0, 3.0, 0.0]
    assert len(endpoint.requests) == 2


def test_a_refusal_is_not_asked_again_and_again(endpoint: Endpoint, opened: Opened) -> None:
    endpoint.parts = [says(422, b'{"error": "no texts like these"}')]
    with pytest.raises(Unavailable, match=r"status 422.*no texts like these"):
        opened().scores(QUESTION, TEXTS)
    assert len(endpoint.requests) == 2


def test_a_stumble_is_forgiven_once(endpoint: Endpoint, opened: Opened) -> None:
    endpoint.parts = [says(503), good]
    assert opened().scores(QUESTION, TEXTS) == [0.0, 3.0, 0.0]
    endpoint.parts = [says(503), says(503), good]
    with pytest.raises(Unavailable, match=r"reranker endpoint/m3 at .*: status 503, 2 times"):
        opened().scores(QUESTION, TEXTS)
    assert all(wait <= 1.0 for wait in endpoint.waits)


def test_a_refused_key_is_not_shown(endpoint: Endpoint, opened: Opened) -> None:
    endpoint.parts = [says(401, KEY.encode())]
    reranker = opened()
    with pytest.raises(Unavailable) as refused:
        reranker.scores(QUESTION, TEXTS)
    assert KEY not in str(refused.value) + repr(reranker)


@pytest.mark.parametrize(
    ("part", "why"),
    [
        (says(200, b"{}"), "not a reranking"),
        (says(200, b"[1, 2, 3]"), "not a reranking"),
        (results({"index": 0}), "not a reranking"),
        (results({"index": "one", "relevance_score": 1}), "not a reranking"),
        (results({"index": 0, "relevance_score": 1.0}), "1 numbers came back for 3 texts"),
        (results(*({"index": n, "relevance_score": 1.0} for n in (0, 1, 1))), "3 numbers came back for 3 texts"),
        (results(*({"index": n, "relevance_score": 1.0} for n in (0, 1, 2, 2))), "4 numbers came back for 3 texts"),
        (
            says(200, b'{"results": [' + b",".join(b'{"index": %d, "score": NaN}' % n for n in range(3)) + b"]}"),
            "finite",
        ),
    ],
)
def test_nonsense_is_told_as_such(endpoint: Endpoint, opened: Opened, part: Play, why: str) -> None:
    endpoint.parts = [part]
    with pytest.raises(Unavailable, match=why):
        opened().scores(QUESTION, TEXTS)


def test_a_real_model_server_reranks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    server = serve(reranks=True)
    reranker = open_reranker("endpoint", model="smollm2", base_url=f"{server.listening_address}/v1", timeout_seconds=60)
    told = list(reranker.scores(QUESTION, TEXTS))
    assert len(told) == 3
    assert list(reranker.scores(QUESTION, TEXTS[::-1])) == pytest.approx(told[::-1], abs=1e-3)
    assert len({round(number, 4) for number in told}) == 3


# a cross-encoder in a folder


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return written(tmp_path_factory.mktemp("models") / "shares")


def test_a_cross_encoder_reads_question_and_text_together(folder: Path) -> None:
    reranker = open_reranker("onnx", model=str(folder))
    assert reranker.name == "onnx/shares"
    # the closing piece of a text is in every question: [SEP]
    assert reranker.scores("ann oslo", ["ann", "oslo ann", "bananas are", ""]) == pytest.approx([1, 1, 1 / 3, 1])
    assert reranker.scores("anything", []) == []


def test_the_numbers_do_not_depend_on_what_is_read_beside(folder: Path) -> None:
    reranker = CrossEncoder(model=folder)
    texts = [" ".join(["oslo", *["bread"] * (number % 7)]) for number in range(3 * AT_ONCE + 1)]
    with ThreadPoolExecutor(4) as several:
        alone = list(several.map(lambda text: reranker.scores("in oslo", [text])[0], texts))
    assert reranker.scores("in oslo", texts) == pytest.approx(alone)


def test_what_lies_beyond_its_reach_is_not_read(folder: Path) -> None:
    reranker = CrossEncoder(model=folder, reach=16)
    assert reranker.scores("oslo", ["bread " * 30 + "oslo"]) == pytest.approx([1 / 13])


@pytest.mark.parametrize("missing", ["model.onnx", "tokenizer.json"])
def test_a_folder_without_its_files_is_refused_at_once(tmp_path: Path, missing: str) -> None:
    written(tmp_path)
    (tmp_path / missing).unlink()
    with pytest.raises(InvalidRequest, match=rf"{missing} not found in .*TREERING_RERANKER_MODEL"):
        open_reranker("onnx", model=str(tmp_path))


@pytest.mark.parametrize("broken", ["model.onnx", "tokenizer.json"])
def test_files_that_are_no_model_are_told_as_such(tmp_path: Path, broken: str) -> None:
    written(tmp_path)
    (tmp_path / broken).write_text("nothing of the kind")
    with pytest.raises(Corrupted, match="its files cannot be read"):
        open_reranker("onnx", model=str(tmp_path)).scores(QUESTION, TEXTS)


def test_a_model_that_gives_more_than_one_number_is_no_cross_encoder(tmp_path: Path) -> None:
    with pytest.raises(Corrupted, match=r"gives \(3, 2\) for 3 pairs"):
        CrossEncoder(model=written(tmp_path, outputs=2)).scores(QUESTION, TEXTS)


def test_a_model_that_wants_something_else_is_no_cross_encoder(tmp_path: Path) -> None:
    with pytest.raises(Corrupted, match="the model wants pixels"):
        CrossEncoder(model=written(tmp_path, inputs=("pixels",))).scores(QUESTION, TEXTS)


# choosing


def test_an_unknown_name_is_answered_with_the_names_there_are() -> None:
    with pytest.raises(InvalidRequest, match=f"'cohere' is not one of {', '.join(RERANKERS)} or none"):
        open_reranker("cohere")


def test_an_endpoint_needs_a_model_and_an_address() -> None:
    with pytest.raises(InvalidRequest, match="missing a required argument: 'model'; see TREERING_RERANKER_MODEL"):
        open_reranker("endpoint")
    with pytest.raises(InvalidRequest, match="missing a required argument: 'base_url'"):
        open_reranker("endpoint", model="m")


def test_a_missing_extra_is_answered_with_the_command_that_installs_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "httpx", None)
    with pytest.raises(Unsupported, match=r"run: pip install 'treering\[rerank\]'"):
        open_reranker("endpoint", model="m", base_url="http://127.0.0.1:1/v1")
