"""What is embedded, when, and by whom, as something is remembered."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from tests.conftest import HandClock, contents
from tests.recall.listening import Listening, door, knowing, read_by

import treering
from treering import settings
from treering.door import Treering
from treering.errors import CallerError, InvalidRequest, Unavailable, Unsupported
from treering.mind import EMBEDDERS
from treering.mind.contract import Passage
from treering.mind.minds import Minds
from treering.mind.packing import pack
from treering.store.contract import Store


@pytest.fixture
def old() -> Listening:
    return Listening("old")


@pytest.fixture
def reading(store: Store, clock: HandClock, old: Listening) -> Treering:
    """A door whose embedder tells what it was given to read."""
    return door(store, clock, old)


def unread(store: Store, embedder: str = "old", space: str = "lab") -> list[str]:
    return [one.text for one in store.unread(space, embedder, 100)]


# what is read


def test_a_memory_and_its_new_entities_are_read_with_the_write(reading: Treering, store: Store, old: Listening) -> None:
    told = reading.add("Ada lives in Rome", entities=["Ada"], triples=[["Ada", "LIVES_IN", "Rome"]], speaker="Ada")
    assert unread(store) == []
    ids = [told.id, reading.entity_get("Ada").id, reading.entity_get("Rome").id]
    assert read_by(store, "old") == ids
    assert store.embedders("lab") == ["old"]
    rows = {row.thing_id: row.data for row in store.vectors("lab", "old")}
    for one, passage in zip(ids, [Passage("Ada lives in Rome", "Ada: "), Passage("Ada"), Passage("Rome")], strict=True):
        assert rows[one] == pack(old.embed_passages([passage])[0])
    assert sum(1 for _ in store.entries("lab")) == 1


def test_many_are_read_in_one_go_and_each_text_once(reading: Treering, store: Store, old: Listening) -> None:
    calls: list[int] = []
    old.meanwhile = lambda passages: calls.append(len(passages))
    said = [{"content": "Hi", "speaker": name, "entities": ["Tea", "Ada"]} for name in ("Ada", "Bo", "Ada")]
    reading.add_many([*said, {"content": "Hi"}, {"content": "Ada"}])
    assert calls == [5]
    assert sorted(old.texts) == ["Ada", "Ada: Hi", "Bo: Hi", "Hi", "Tea"]
    assert unread(store) == []
    assert len(read_by(store, "old")) == 7


def test_a_revision_is_read_and_those_that_it_names(reading: Treering, store: Store, old: Listening) -> None:
    first = reading.add("Ada lives in Rome", entities=["Ada", "Rome"], speaker="Ada").id
    old.heard.clear()
    reading.revise(first, "Ada lives in Oslo")
    assert old.texts == ["Ada lives in Oslo", "Ada", "Oslo"]
    reading.revise(first, "Ada lives in Bern", triples=[["Ada", "LIVES_IN", "Bern"]], entities=["The Alps"])
    assert unread(store) == []


@pytest.mark.parametrize("name", ["  Ada  ", "Ada\tLovelace", "Ada\n Lovelace", "A\u0301da", "ÄDA"])
def test_an_entity_is_read_however_its_name_was_spelled(reading: Treering, store: Store, name: str) -> None:
    reading.add("Somebody was here", entities=[name, "Bo"], triples=[[name, "KNOWS", f" {name}  Byron "]])
    assert unread(store) == []


def test_what_is_private_forgotten_or_expired_is_read_as_well(
    reading: Treering, store: Store, clock: HandClock
) -> None:
    reading.add("Ada is ill", visibility="private", entities=["Clinic"])
    reading.forget(reading.add("Old news").id)
    reading.add("Soon over", expires_at=clock.now)
    assert unread(store) == []


def test_a_signed_first_write_has_its_vectors(store: Store, clock: HandClock, old: Listening) -> None:
    signed = Treering(store, clock=clock, identity=treering.Identity.generate(), space="lab", embedder=old)
    signed.add("Ada lives in Rome", entities=["Ada"])
    assert unread(store) == []
    assert signed.verify().ok


# what is not


def test_a_repeat_is_not_read_again(reading: Treering, store: Store, old: Listening) -> None:
    first = reading.add("Ada lives in Rome", key="t1", entities=["Ada"]).id
    reading.revise(first, "Ada lives in Oslo", key="t2")
    old.heard.clear()
    assert reading.add("Ada lives in Rome", key="t1", entities=["Ada"]).repeated
    assert reading.revise(first, "Ada lives in Oslo", key="t2").repeated
    assert old.heard == []
    reading.add_many([{"content": "Ada lives in Rome", "key": "t1"}, {"content": "New", "key": "t3"}])
    assert old.texts == ["New"]
    assert unread(store) == []


def test_a_repeat_within_one_call_is_read_once(reading: Treering, store: Store, old: Listening) -> None:
    reading.add_many([{"content": "Ada lives in Rome", "key": "t1"}] * 3)
    assert old.texts == ["Ada lives in Rome"]
    assert len(read_by(store, "old")) == 1


def test_a_dry_run_reads_nothing(reading: Treering, store: Store, old: Listening) -> None:
    first = reading.add("Ada lives in Rome").id
    old.heard.clear()
    reading.add("Bo", dry_run=True)
    reading.add_many([{"content": "Bo"}], dry_run=True)
    reading.revise(first, "Bo", dry_run=True)
    assert old.heard == []
    assert read_by(store, "old") == [first]


def test_embedding_may_be_left_for_later(reading: Treering, store: Store, old: Listening) -> None:
    reading.add_many([{"content": "Ada drinks tea", "entities": ["Ada"]}, {"content": "Bo swims"}], embed_later=True)
    assert (old.heard, store.embedders("lab")) == ([], [])
    assert unread(store) == ["Ada drinks tea", "Bo swims", "Ada"]
    answer = reading.recall("Who drinks tea?")
    assert contents(hit.memory for hit in answer)[:1] == ["Ada drinks tea"]
    assert (answer.index[0].memories, answer.index[0].embedded, answer.index[0].embedder) == (2, 0, "old")


# before the lock


def test_an_embedder_may_itself_use_the_store_while_it_reads(
    reading: Treering, store: Store, clock: HandClock, old: Listening
) -> None:
    other = Treering(store, clock=clock, actor="bob", space="lab")

    def uses(_: Any) -> None:
        other.add("Written while reading")
        assert other.list().memories
        store.keep_vectors("lab", [])

    old.meanwhile = uses
    first = reading.add("One", entities=["Ada"]).id
    reading.add_many([{"content": "Two"}])
    reading.revise(first, "Three")
    assert len(other.list(view="all").memories) == 6
    assert unread(store) == ["Written while reading"] * 3


def test_what_an_embedder_cannot_read_is_not_written(reading: Treering, store: Store, old: Listening) -> None:
    first = reading.add("One").id

    def fails(_: Any) -> None:
        raise Unavailable("embedder old: no answer")

    old.meanwhile = fails
    for write in (
        lambda: reading.add("Two", entities=["Ada"], key="k"),
        lambda: reading.add_many([{"content": "Two"}]),
        lambda: reading.revise(first, "Two"),
    ):
        with pytest.raises(Unavailable, match="no answer"):
            write()
    assert (reading.status().seq, reading.status().entities) == (1, 0)
    assert reading.verify().ok
    old.meanwhile = None
    assert not reading.add("Two", entities=["Ada"], key="k").repeated
    assert unread(store) == []


# who reads


def test_a_space_that_chose_another_meanwhile_gets_no_vectors_of_the_wrong_one(
    store: Store, clock: HandClock, old: Listening
) -> None:
    new = Listening("new")
    mem = door(store, clock, old, new)
    mem.add("Zero")
    old.meanwhile = lambda _: mem.settings({"embedder": "new"})
    first = mem.add("One", entities=["Ada"]).id
    assert len(read_by(store, "old")) == 1
    assert unread(store, "new") == ["Zero", "One", "Ada"]
    mem.add("Two")
    assert [one.text for one in new.heard] == ["Two"]
    mem.settings({"embedder": "old"})
    old.meanwhile = lambda _: mem.settings({"embedder": None})
    mem.revise(first, "Three")
    assert "Three" not in unread(store)


def test_two_spaces_have_each_their_own(store: Store, clock: HandClock, old: Listening) -> None:
    new = Listening("new")
    mem = door(store, clock, old, new)
    mem.settings({"embedder": "new"}, space="lab/other")
    for space in ("lab", "lab/other"):
        mem.add(f"Tea in {space}", space=space, speaker="Ada")
        mem.add("Coffee", space=space)
    assert (store.embedders("lab"), store.embedders("lab/other")) == (["old"], ["new"])
    assert (unread(store), unread(store, "new", "lab/other")) == ([], [])
    assert set(old.texts) & set(new.texts) == {"Coffee"}
    answer = mem.recall("Tea in lab", children=True)
    states = [(one.space, one.embedder, one.embedded) for one in answer.index]
    assert states == [("lab", "old", 2), ("lab/other", "new", 2)]
    assert "Tea in lab" in contents(hit.memory for hit in answer)


def test_a_space_stays_with_the_one_that_read_it_first_whatever_a_door_prefers(
    store: Store, clock: HandClock, old: Listening
) -> None:
    new = Listening("new")
    door(store, clock, old).add("One")
    other = door(store, clock, new, old)
    other.add("Two")
    assert store.embedders("lab") == ["old"]
    assert other.recall("One").index[0].embedded == 2
    assert new.heard == []


def test_a_door_that_reads_nothing_leaves_vectors_alone_and_asks_by_words(
    reading: Treering, store: Store, clock: HandClock
) -> None:
    reading.add("Ada drinks tea")
    blind = Treering(store, clock=clock, actor="ann", space="lab", embedder="none")
    blind.add("Bo drinks milk", entities=["Bo"])
    state = blind.recall("Who drinks tea?").index[0]
    assert (state.embedder, state.embedded) == (None, 0)
    done = blind.reembed()
    assert (done.embedder, done.read, done.complete, done.switched) == ("none", 0, True, False)
    assert len(read_by(store, "old")) == 1
    assert reading.recall("Who drinks tea?").index[0].embedded == 1
    assert reading.reembed().read == 2


# names


def test_an_unknown_name_in_a_setting_is_answered_with_the_choices_and_a_way_out(
    reading: Treering, store: Store
) -> None:
    reading.settings({"embedder": "bert"})
    for call in (lambda: reading.add("One"), lambda: reading.recall("One"), reading.reembed):
        with pytest.raises(InvalidRequest) as refused:
            call()
        assert f"'bert' is not one of {', '.join(EMBEDDERS)} or none; `reembed` gives" in str(refused.value)
    assert reading.status().seq == 1
    assert reading.reembed("old").switched
    assert reading.add("One").id


@pytest.mark.parametrize("name", ["Bert", "with space", "", 3, "a/b c", "openai/", ["static"]])
def test_what_cannot_be_a_name_is_no_setting(reading: Treering, name: Any) -> None:
    with pytest.raises(InvalidRequest, match=r"embedder: .* is not the name of an embedder, such as turnfinder"):
        reading.settings({"embedder": name})


def test_an_unknown_name_in_the_environment_is_answered_with_the_choices(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TREERING_EMBEDDER", "bert")
    named = f"'bert' is not one of {', '.join(EMBEDDERS)} or none.*TREERING_EMBEDDER"
    with treering.open(":memory:") as mem, pytest.raises(InvalidRequest, match=named):
        mem.add("One")


def test_an_unknown_name_asked_for_changes_nothing(reading: Treering, store: Store) -> None:
    reading.add("One")
    with pytest.raises(InvalidRequest, match="'bert' is not one of"):
        reading.reembed("bert")
    assert reading.settings()["embedder"] is None
    assert reading.status().seq == 1


def test_another_model_at_the_endpoint_than_the_one_that_read_is_refused(store: Store, clock: HandClock) -> None:
    minds = Minds("none", {"openai": {"model": "small", "dims": 3, "api_key": "sk-secret"}})
    mem = Treering(store, clock=clock, space="lab", minds=minds)
    mem.settings({"embedder": "openai/large"})
    refusal = "by 'openai/large', and 'openai/small' is what is set up here; set it up alike, or let `reembed` read"
    for call in (lambda: mem.add("One"), lambda: mem.recall("One")):
        with pytest.raises(Unsupported, match=refusal):
            call()
    assert mem.status().seq == 1
    for name in ("openai/small", "openai"):
        embedder = minds.named(name)
        assert embedder is not None
        assert (embedder.name, embedder.dims) == ("openai/small", 3)


def test_a_kind_chosen_by_its_short_name_has_its_vectors_kept(store: Store, clock: HandClock) -> None:
    """The setting says `openai`, the embedder is called `openai/small`."""
    minds = knowing("none")
    minds._open["openai"] = Listening("openai/small")
    mem = Treering(store, clock=clock, space="lab", minds=minds)
    mem.settings({"embedder": "openai"})
    mem.add("One", entities=["Ada"])
    assert store.embedders("lab") == ["openai/small"]
    assert unread(store, "openai/small") == []


def test_an_embedder_without_what_it_needs_says_what_is_missing(store: Store, clock: HandClock) -> None:
    mem = Treering(store, clock=clock, space="lab", embedder="openai")
    with pytest.raises(CallerError, match="embedder openai: missing a required argument: 'model'"):
        mem.add("One")
    assert mem.status().seq == 0


# the environment


def test_the_environment_says_who_reads_and_what_an_endpoint_needs() -> None:
    assert settings.read({}).embedder == "turnfinder-2"
    assert settings.read({}).embedders == {"openai": {}}
    told = settings.read(
        {
            "TREERING_EMBEDDER": "openai",
            "TREERING_OPENAI_MODEL": "small",
            "TREERING_OPENAI_DIMS": "1536",
            "TREERING_OPENAI_URL": "http://localhost:8080/v1",
            "TREERING_OPENAI_KEY": "sk-secret",
        }
    )
    given = {"model": "small", "dims": 1536, "base_url": "http://localhost:8080/v1", "api_key": "sk-secret"}
    assert (told.embedder, told.embedders) == ("openai", {"openai": given})
    embedder = Minds(told.embedder, told.embedders).named("openai")
    assert embedder is not None
    assert embedder.name == "openai/small"
    shown = [repr(told), str(told), repr(embedder), repr(Minds(told.embedder, told.embedders))]
    assert not any("sk-secret" in one for one in shown)


@pytest.mark.parametrize("dims", ["many", "-3", "1.5", "0", "²", "1 536"])
def test_dims_that_are_no_number_of_dimensions_are_refused(dims: str) -> None:
    with pytest.raises(InvalidRequest) as refused:
        settings.read({"TREERING_OPENAI_DIMS": dims, "TREERING_OPENAI_KEY": "sk-secret"})
    assert f"TREERING_OPENAI_DIMS: {dims!r} is not a number of dimensions, such as 1536" in str(refused.value)
    assert "sk-secret" not in str(refused.value)


def test_the_key_is_in_no_repr_of_a_door(monkeypatch: pytest.MonkeyPatch, new_store: Callable[[str], Store]) -> None:
    monkeypatch.setenv("TREERING_OPENAI_KEY", "sk-secret")
    with treering.open(":memory:", embedder="openai") as mem:
        with pytest.raises(InvalidRequest) as refused:
            mem.add("One")
        assert "sk-secret" not in repr(mem) + str(mem.status()) + str(refused.value)
