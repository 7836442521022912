"""Which thing is meant? By the end of its id, where but one that can be seen ends so; an entity also by its names."""

from __future__ import annotations

import pytest
from tests.conftest import Doors

from treering.door import Treering
from treering.errors import InvalidRequest, NotFound
from treering.store.contract import Reader
from treering.store.naming import whole_id


@pytest.mark.parametrize("kind", ["memory", "entity", "edge", "source"])
def test_the_end_of_an_id_is_enough(mem: Treering, kind: str) -> None:
    memory = mem.add("Ada likes tea", entities=["Ada"]).id
    edge = mem.assert_fact("Ada", "KNOWS", "Bo").facts[0].id
    whole = {"memory": memory, "entity": mem.entity_get("Ada").id, "edge": edge, "source": mem.get(memory).source_id}[
        kind
    ]
    for shown in (whole[-8:], f"…{whole[-8:]}", whole[-20:], whole):
        assert mem.whole_id(shown, "id") == whole
    for other in (whole[-7:], "ffffffff", "Ada", "…"):
        assert mem.whole_id(other, "id") == other
    assert mem.whole_id(whole[-8:], "id", space="elsewhere") == whole[-8:]


class TwoAlike:
    """A reader of two things whose ids end alike, of which as many may be seen as told."""

    def __init__(self, reader: Reader, found: list[str]) -> None:
        self._reader, self._found = reader, found

    def ids_ending(self, ending: str, limit: int) -> list[str]:
        return self._found

    def __getattr__(self, name: str) -> object:
        return getattr(self._reader, name)


def test_an_end_that_several_have_is_told_with_those_it_could_be(mem: Treering) -> None:
    one, other = mem.add("Ada likes tea").id, mem.add("Bo likes cake").id
    with mem._reading(None) as reader:
        alike = TwoAlike(reader, [one, other])
        with pytest.raises(InvalidRequest, match=f"^id: several ids end in {one[-8:]}: {one}, {other}; give one"):
            whole_id(alike, one[-8:], "id")  # type: ignore[arg-type]


def test_what_is_private_to_others_is_not_hinted_at(doors: Doors) -> None:
    ann, bob = doors("ann", "bob")
    secret = ann.add("I will resign", visibility="private").id
    assert ann.whole_id(secret[-8:], "id") == secret
    assert bob.whole_id(secret[-8:], "id") == secret[-8:]
    mine = bob.add("I stay").id
    with bob._reading(None) as reader:
        alike = TwoAlike(reader, [mine, secret])
        assert whole_id(alike, mine[-8:], "id") == mine  # type: ignore[arg-type]


def test_history_knows_an_entity_by_its_names_as_a_timeline_does(mem: Treering) -> None:
    entity = mem.entity_register("Ada Lovelace", aliases=["Countess"]).entity_id
    mem.assert_fact("Ada Lovelace", "KNOWS", "Bo")
    assert mem.history("countess") == mem.history("Ada Lovelace") == mem.history(entity)
    assert mem.history("Ada Lovelace").id == mem.timeline("Ada Lovelace").id == entity
    with pytest.raises(NotFound, match="there is no memory, entity or edge 'Nobody'"):
        mem.history("Nobody")
