"""What is shown of an id can be said: its end is enough, where it can mean but one thing."""

from __future__ import annotations

import re

import pytest
from tests.faces.command import Here

import treering


@pytest.fixture
def kept(cli: Here) -> tuple[str, str, str]:
    """A memory, an entity and an edge."""
    with treering.open(cli.store) as mem:
        memory = mem.add("Ada likes tea", entities=["Ada"]).id
        fact = mem.assert_fact("Ada", "KNOWS", "Bo").facts[0].id
        return memory, mem.entity_get("Ada").id, fact


@pytest.mark.parametrize("shown", ["{}", "…{}"])
def test_the_end_of_an_id_names_a_memory_an_entity_or_an_edge(shown: str, cli: Here, kept: tuple[str, ...]) -> None:
    memory, entity, edge = (shown.format(one[-8:]) for one in kept)
    assert cli("get", memory, "--json").json["id"] == kept[0]
    assert cli("history", edge, "--json").json["id"] == kept[2]
    assert cli("timeline", entity, "--json").json["id"] == kept[1]
    assert cli("graph", entity, "--json").code == 0
    assert cli("scores", memory, "--json").json[0]["id"] == kept[0]
    assert cli("forget", memory).code == 0
    assert cli("restore", memory, "--json").json["id"] == kept[0]


def test_longer_ends_will_do_and_shorter_ones_will_not(cli: Here, kept: tuple[str, ...]) -> None:
    assert cli("get", kept[0][9:], "--json").json["id"] == kept[0]
    assert cli("get", kept[0][-7:]).code == 3
    assert cli("get", "ffffffff").code == 3


def test_a_text_that_looks_like_an_id_stays_a_text(cli: Here, kept: tuple[str, ...]) -> None:
    assert cli("add", kept[0][-8:], "--json").code == 0
    assert kept[0][-8:] in cli("list").out
    assert cli("recall", kept[0][-8:], "--json").json["query"] == kept[0][-8:]


def test_the_name_of_an_entity_comes_before_the_end_of_an_id(cli: Here, kept: tuple[str, ...]) -> None:
    with treering.open(cli.store) as mem:
        named = mem.entity_register(kept[0][-8:]).entity_id
    assert cli("timeline", kept[0][-8:], "--json").json["id"] == named


def test_every_id_a_table_shows_short_can_be_said(cli: Here, kept: tuple[str, ...]) -> None:
    """On a terminal the end alone is shown."""
    from treering.faces.cli.blocks import Rows, id_cell
    from treering.faces.cli.render import rendered

    with treering.open(cli.store) as mem:
        [rows] = [one for one in rendered(mem.list()) if isinstance(one, Rows)]
    assert rows.rows[0][0] == id_cell(kept[0])
    assert re.fullmatch(r"…[0-9a-f]{8}", rows.rows[0][0].shown)
    assert cli("get", rows.rows[0][0].shown).code == 0
