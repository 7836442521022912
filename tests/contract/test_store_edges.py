"""Which edges does a filter leave, and who answers to a name? Each field of `EdgeFilter`, mentions, windows, merges and
spellings. The contract (`treering.store.contract`), on each store in turn."""

from __future__ import annotations

from datetime import timedelta

from tests.conftest import HandClock, scope
from tests.contract.writing import ids

from treering.door import Treering
from treering.store.contract import EdgeFilter, Store


def test_mentions_are_told_newest_first_and_so_many_of_each_entity(
    mem: Treering, store: Store, clock: HandClock
) -> None:
    told: dict[str, list[str]] = {"Ada": [], "Bo": []}
    for number in range(5):
        names = ["Ada", "Bo"] if number % 2 else ["Ada"]
        memory = mem.add(f"It was said {number} times", entities=names).id
        for name in names:
            told[name].insert(0, memory)
        clock.advance(minutes=1)
    secret = mem.add("Nobody is to know", entities=["Bo"], visibility="private").id
    ada, bo = mem.entity_get("Ada").id, mem.entity_get("Bo").id
    with store.reader(scope(clock)) as reader:
        assert reader.mentions_of((bo, ada, "x"), 3) == {bo: [secret, *told["Bo"]][:3], ada: told["Ada"][:3], "x": []}
        assert reader.mentions_of((ada,), 100) == {ada: told["Ada"]}
        assert reader.mentions(ada, 2) == told["Ada"][:2]
        assert reader.mentions_of((), 3) == {}
        many = [f"x{number}" for number in range(1_200)]  # more than SQLite takes in one statement
        assert reader.mentions_of((*many, ada), 3)[ada] == told["Ada"][:3]


def test_the_relations_of_an_entity_are_those_of_its_facts_at_whatever_time(
    mem: Treering, store: Store, clock: HandClock
) -> None:
    mem.add("Ada knows Bo", triples=[["Ada", "KNOWS", "Bo"]])
    mem.assert_fact("Ada", "MET", "Bo", valid_from="2019-01-01T00:00:00Z", valid_until="2019-01-02T00:00:00Z")
    mem.assert_fact("Addie", "PLANNED", "A boat", valid_from="2030-01-01T00:00:00Z")
    mem.add("Cy is only mentioned", entities=["Cy"])
    ada, bo, cy = (mem.entity_get(name).id for name in ("Ada", "Bo", "Cy"))
    with store.reader(scope(clock)) as reader:
        assert reader.relations_of((ada, bo, cy, "x")) == {
            ada: {"KNOWS", "MET"},
            bo: {"KNOWS", "MET"},
            cy: set(),
            "x": set(),
        }
        assert reader.relations_of(()) == {}
    mem.entity_merge("Addie", "Ada")
    ada = mem.entity_get("Ada").id
    with store.reader(scope(clock)) as reader:
        assert reader.relations_of((ada,)) == {ada: {"KNOWS", "MET", "PLANNED"}}


def test_an_edge_filter_narrows_by_each_of_its_fields(mem: Treering, store: Store, clock: HandClock) -> None:
    memory = mem.add("Ada knows Bo", triples=[["Ada", "KNOWS", "Bo"]]).id
    other = mem.add("Else").id
    link = mem.link(other, memory).edge.id
    likes = mem.assert_fact("Bo", "LIKES", "Ada", valid_from="2020-01-01T00:00:00Z").facts[0].id
    closed = (
        mem.assert_fact("Ada", "MET", "Bo", valid_from="2019-01-01T00:00:00Z", valid_until="2019-01-02T00:00:00Z")
        .facts[0]
        .id
    )
    coming = mem.assert_fact("Ada", "PLANNED", "Bo", valid_from="2030-01-01T00:00:00Z").facts[0].id
    forgotten = mem.link(memory, other, "causes").edge.id
    mem.forget(forgotten)
    ada, bo = mem.entity_get("Ada").id, mem.entity_get("Bo").id
    knows = mem.facts(relation="KNOWS")[0].id
    with store.reader(scope(clock)) as reader:
        mentions = ids(reader.edges(EdgeFilter(relations=("about_entity",))))
        find = lambda **more: ids(reader.edges(EdgeFilter(**more)))  # noqa: E731
        assert len(mentions) == 2
        assert set(find()) == {*mentions, knows, link, likes}
        assert set(find(include_closed=True)) == {*mentions, knows, link, likes, closed, coming}
        assert set(find(include_forgotten=True)) == {*mentions, knows, link, likes, forgotten}
        assert find(ids=(knows, "x")) == [knows]
        assert find(ids=()) == []
        assert set(find(source_ids=(ada,))) == {knows}
        assert set(find(source_ids=(ada, bo), facts_only=True)) == {knows, likes}
        assert set(find(target_ids=(memory,))) == {link}
        assert set(find(target_ids=(ada,))) == {likes, *mentions} - {find(target_ids=(bo,), source_ids=(memory,))[0]}
        assert set(find(either_ids=(bo,), facts_only=True)) == {knows, likes}
        assert find(source_ids=()) == find(target_ids=()) == find(either_ids=()) == find(relations=()) == []
        assert set(find(evidence_id=memory)) == set(find(evidence_ids=(memory,))) == {*mentions, knows}
        assert find(relations=("LIKES", "MET")) == [likes]
        assert find(relations=("LIKES", "MET"), include_closed=True) == [closed, likes]
        assert find(relations=("related_to", "causes")) == [link]
        assert find(relations=("causes", "related_to"), either_ids=(memory,), include_forgotten=True) == [
            link,
            forgotten,
        ]
        assert set(find(relations=("related_to", "LIKES"))) == {link, likes}
        assert set(find(facts_only=True)) == {knows, likes}
        everything_there = reader.edges(EdgeFilter(include_closed=True, include_forgotten=True))
        order = [(edge.valid_from, edge.recorded_at, edge.id) for edge in everything_there]
        assert order == sorted(order)
        assert find(include_closed=True, limit=2) == [closed, likes]
        assert [edge.forgotten_at is not None for edge in everything_there].count(True) == 1


def test_an_edge_is_open_to_those_who_may_see_its_evidence_and_both_its_ends(
    mem: Treering, store: Store, clock: HandClock
) -> None:
    secret = mem.add("Ada owes Bo", triples=[["Ada", "OWES", "Bo"]], visibility="private").id
    told = mem.add("Ada knows Bo", triples=[["Ada", "KNOWS", "Bo"]]).id
    mem.link(told, secret, "causes")
    with store.reader(scope(clock)) as reader:
        seen = {edge.relation for edge in reader.edges(EdgeFilter())}
        assert seen == {"about_entity", "OWES", "KNOWS", "causes"}
    with store.reader(scope(clock, principal="bob")) as reader:
        seen = {edge.relation for edge in reader.edges(EdgeFilter())}
        assert seen == {"about_entity", "KNOWS"}
        assert reader.edges(EdgeFilter(either_ids=(secret,), include_closed=True, include_forgotten=True)) == []


def test_an_edge_with_several_windows_is_believed_in_each_as_it_was(mem: Treering, clock: HandClock) -> None:
    mem.assert_fact("Ada", "KNOWS", "Bo", valid_from="2020-01-01T00:00:00Z")
    moments, ends = [clock.now], []
    for end in ("2024-01-01T00:00:00Z", "2023-01-01T00:00:00Z", None, None):
        moments.append(clock.advance(hours=1))
        if end is None:
            mem.reopen("Ada", "Bo", "KNOWS")
        else:
            mem.invalidate("Ada", "Bo", "KNOWS", at=end)
    for known_at in moments:
        fact = mem.facts(known_at=known_at, include_closed=True)[0]
        ends.append(fact.valid_until.year if fact.valid_until else None)
    assert ends == [None, 2024, 2023, 2024, None]
    holds = [len(mem.facts(known_at=at, as_of="2023-06-01T00:00:00Z")) for at in moments]
    assert holds == [1, 1, 0, 1, 1]


def test_merges_in_a_chain_lead_to_the_last_and_each_split_undoes_its_own(
    mem: Treering, store: Store, clock: HandClock
) -> None:
    made = {name: mem.entity_register(name, aliases=[name.lower() + "s"]).entity_id for name in ("A", "B", "C", "D")}
    for name in "ABCD":
        mem.assert_fact(name, "KNOWS", "X")
    clock.advance(hours=1)
    mem.entity_merge("A", "B")
    mem.entity_merge("B", "C")
    mem.entity_merge("C", "D")
    assert {mem.entity_get(one).id for one in (*made, *made.values(), "as", "cs")} == {made["D"]}
    assert set(mem.entity_get("A").aliases) == {"A", "B", "C", "as", "bs", "cs", "ds"}
    assert {fact.subject for fact in mem.facts()} == {"D"}
    assert mem.status().entities == 2
    with store.reader(scope(clock)) as reader:
        own = reader.own_entity(made["A"])
        assert own is not None
        assert (own[0].name, own[0].aliases, own[1]) == ("A", ("as",), made["B"])
        assert len(reader.edges(EdgeFilter(source_ids=(made["A"],)))) == 4
    clock.advance(hours=1)
    mem.entity_split(made["B"])
    assert {name: mem.entity_get(name).name for name in "ABCD"} == {"A": "B", "B": "B", "C": "D", "D": "D"}
    mem.entity_split(made["A"])
    mem.entity_split(made["C"])
    assert [mem.entity_get(name).name for name in "ABCD"] == ["A", "B", "C", "D"]
    assert sorted(fact.subject for fact in mem.facts()) == ["A", "B", "C", "D"]
    assert mem.entity_get("A", known_at=clock.now - timedelta(minutes=30)).name == "D"


def test_entities_are_found_by_any_spelling_newest_first_and_merged_ones_once(
    mem: Treering, store: Store, clock: HandClock
) -> None:
    first = mem.entity_register("Robert", aliases=["Bob", "\uff32\uff4f\uff42"]).entity_id
    clock.advance(hours=1)
    second = mem.entity_register("Bobby", aliases=["bob"]).entity_id
    with store.reader(scope(clock)) as reader:
        assert ids(reader.entities("BOB")) == [second, first]
        assert ids(reader.entities(" rob ")) == [first]
        assert ids(reader.entities("bob", limit=1)) == [second]
        assert ids(reader.entities()) == [second, first]
        assert reader.entities("nobody") == []
    mem.entity_merge(first, second)
    with store.reader(scope(clock)) as reader:
        assert ids(reader.entities("bob")) == ids(reader.entities("robert")) == ids(reader.entities()) == [second]
