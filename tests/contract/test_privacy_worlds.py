"""Rule 7: the world of others is as if a secret had never been, whatever it was and however it came about."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from itertools import zip_longest
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from tests.conftest import HandClock
from tests.contract.private import CITED, UUID, outcome, untimed

from treering.door import Treering
from treering.store import open_store
from treering.store.contract import Store

Telling = dict[str, Any]


def world_of(door: Treering, **more: Any) -> Telling:
    """All that a principal can learn through the door without knowing an id beforehand."""
    memories = door.list(view="all", limit=1000, **more)
    lists = {
        "views": [door.list(view=view, **more) for view in ("current", "history", "all")],
        "orders": [door.list(order=order, view="all", limit=1, **more) for order in ("oldest", "newest")],
        "filters": [
            door.list(view="all", **{**more, **one})
            for one in (
                {"kinds": ["semantic"]},
                {"tags": ["hush"]},
                {"entities": ["Lair"]},
                {"entities": ["Ada"]},
                {"session": "night"},
                {"speaker": "Ghost"},
                {"since": "2026-01-01T00:00:00Z"},
                {"until": "2027-01-01T00:00:00Z"},
                {"as_of": "2026-01-01T12:30:00Z"},
                {"known_at": "2026-06-01T00:00:00Z"},
            )
        ],
    }
    plain: Telling = {name: [page.to_dict() for page in pages] for name, pages in lists.items()}
    principal = {"principal": more["principal"]} if "principal" in more else {}
    where = [memory.space for memory in memories]
    plain["histories"] = [
        door.history(memory.id, space=space, **principal).to_dict()
        for memory, space in zip(memories, where, strict=True)
    ]
    asked = ("Where is Ada?", "Who has a secret in the lair?", "What did Ghost whisper last night?", "hush")
    asked = (*asked, "What happened in January 2026?", "Where was Ada before?", "Who hides at Acme or Berlin?")
    plain["answers"] = [untimed(door.recall(one, explain=True, neighbours=1, **more)).to_dict() for one in asked]
    plain["unified"] = [door.search_unified(one, **more).to_dict() for one in (None, *asked)]
    plain["profiles"] = [door.profile(one, **more).to_dict() for one in (None, "Ada")]
    plain["contexts"] = [door.context(one, view="history", **more).to_dict() for one in asked]
    alone = {name: value for name, value in more.items() if name != "children"}
    plain["reasons"] = [
        door.why_not(one, memory.id, space=memory.space, limit=1, **alone).to_dict()
        for one in asked
        for memory in memories
    ]
    plain["facts"] = [fact.to_dict() for fact in door.facts(include_closed=True, **more)]
    plain["facts now"] = [fact.to_dict() for fact in door.facts(**more)]
    walks = {"depth": 8, "direction": "both", **more}
    plain["walks"] = [door.graph("Ada", include_closed=closed, **walks).to_dict() for closed in (False, True)]
    plain["walks from memories"] = [door.graph(one.id, **walks).to_dict() for one in memories]
    plain["paths"] = [
        outcome(lambda: door.paths("Ada", name, **more), name)  # noqa: B023
        for name in ("Acme", "Lair", "Bo", "Whisper")
    ]
    known = [door.entity_get(name, **more) for name in ("Ada",)]
    plain["entity histories"] = [door.history(one.id, space=one.space, **principal).to_dict() for one in known]
    plain["reviews"] = [item.to_dict() for item in door.review_list(**principal)]
    plain["issues"] = [item.to_dict() for item in door.query_consolidation_issues(**principal)]
    plain["upkeep"] = door.upkeep_status(**principal).waiting
    plain["jobs"] = [job.to_dict() for job in door.jobs(**principal)]
    status = door.status(**more)
    plain["counts"] = (status.memories, status.entities, status.edges, str(status.changed_at))
    plain["moments"] = [
        door.moments(clock=clock, **{name: value for name, value in more.items() if name != "as_of"}).to_dict()
        for clock in ("valid", "known")
    ]
    plain["overview"] = door.overview(**more).to_dict()
    plain["journal"] = [(str(one.at), one.actor, one.op) for one in door.journal(limit=200, **alone).lines]
    plain["events"] = list(dict.fromkeys((str(one.at), one.op) for one in door.events(limit=1000, **alone).events))
    if not principal:
        plain["spaces"] = [(one.name, str(one.changed_at)) for one in door.spaces()]
    plain["entities"] = [
        outcome(lambda: door.entity_get(name, **more), name)  # noqa: B023
        for name in ("Ada", "Acme", "Lair", "Bo", "Whisper")
    ]
    return plain


def blotted(telling: Telling) -> str:
    """Without ids and journal places, which differ between any two stores."""
    text = json.dumps(telling, indent=1, default=str)
    text = re.sub(r'"(seq|next)": .*', r'"\1": …', CITED.sub("[ID]", UUID.sub("ID", text)))
    return re.sub(r'"undone_by": \d+', '"undone_by": …', text)  # another entry's number; that there is none is seen


def speak_in_public(ann: Treering, clock: HandClock, between: Callable[[str], None]) -> None:
    """A public life, with a place between any two steps for something that others must not notice."""

    def public() -> Any:
        return ann.list(view="all", principal="bob")

    steps: list[Callable[[], Any]] = [
        lambda: ann.add("Ada is here", entities=["Ada"], tags=["open"], session="day"),
        lambda: ann.add("Ada works at Acme", triples=[["Ada", "WORKS_FOR", "Acme"]]),
        lambda: ann.assert_fact("Ada", "LIVES_IN", "Berlin", valid_from="2020-01-01T00:00:00Z"),
        lambda: ann.link(public()[1].id, public()[0].id),
        lambda: ann.forget(public()[1].id),
        lambda: ann.restore(public()[1].id),
    ]
    for step in steps:
        step()
        clock.advance(hours=1)
        between(public()[0].id)
        clock.advance(hours=1)


def _hush(ann: Treering, content: str, triple: object) -> Any:
    return ann.remember(drafts=[{"content": content, "triples": [triple], "cue": "change"}], visibility="private")


def _interrupted(ann: Treering) -> None:
    def stop(done: int, of: int) -> None:
        raise KeyboardInterrupt

    said = [{"content": "One whisper"}, {"content": "Another whisper"}]
    with suppress(KeyboardInterrupt):
        ann.watched(stop).remember(messages=said, visibility="private", session="night", extractor="none")


SECRETS: dict[str, Callable[[Treering, str], Any]] = {
    "said in private": lambda ann, public: ann.add(
        "A secret", visibility="private", tags=["hush"], session="night", speaker="Ghost", title="Whisper"
    ),
    "about a known entity": lambda ann, public: ann.add("Ada hides", visibility="private", entities=["Ada"]),
    "about an entity of its own": lambda ann, public: ann.add(
        "The lair", visibility="private", triples=[["Ada", "OWNS", "Lair"], ["Lair", "PART_OF", "Ada"]]
    ),
    "about what is spoken of openly later": lambda ann, public: ann.add(
        "Early", visibility="private", entities=[{"name": "ACME", "kind": "organization"}, {"name": "BERLIN"}]
    ),
    "superseding what is public": lambda ann, public: ann.link(
        ann.add("It was not so", visibility="private").id, public, "supersedes"
    ),
    "linked to what is public": lambda ann, public: [
        ann.link(public, ann.add("Because", visibility="private").id, relation, why="a secret reason")
        for relation in ("derived_from", "contradicts")
    ],
    "forgotten in private": lambda ann, public: ann.forget(ann.add("Gone", visibility="private").id, why="hush"),
    "revised in private": lambda ann, public: ann.revise(
        ann.add("First", visibility="private", triples=[["Ada", "LIKES", "Lair"]]).id,
        "Second",
        triples=[["Ada", "DISLIKES", "Lair"]],
    ),
    "a link untied": lambda ann, public: ann.unlink(
        ann.link(ann.add("Tied", visibility="private").id, public).edge.source_id, public, why="hush"
    ),
    "an edge closed": lambda ann, public: [
        ann.add("Owner", visibility="private", triples=[["Ada", "OWNS", "Lair"]]),
        ann.invalidate("Ada", "Lair", "OWNS", why="hush"),
        ann.reopen("Ada", "Lair", "OWNS"),
    ],
    "a fact on a private memory": lambda ann, public: ann.assert_fact(
        "Ada", "KNOWS", "Lair", memory_id=ann.add("Heard", visibility="private").id
    ),
    "an entity merged": lambda ann, public: [
        ann.add("The lair", visibility="private", entities=["Lair", "Cave"]),
        ann.entity_get("Cave").name == "Lair" or ann.entity_merge("Cave", "Lair", why="hush"),
    ],
    "an entity merged into a public one": lambda ann, public: [
        ann.add("The lair", visibility="private", entities=["Lair", "Ada"]),
        ann.entity_get("Lair").name == "Ada" or ann.entity_merge("Lair", "Ada", why="hush"),
    ],
    "a public entity merged into one of its own": lambda ann, public: [
        ann.add("The lair", visibility="private", entities=["Lair", "Ada"]),
        ann.entity_get("Ada").name == "Lair" or ann.entity_merge("Ada", "Lair", why="hush"),
    ],
    "a fact closed on private evidence": lambda ann, public: [
        ann.assert_fact("Ada", "LIVES_IN", "Lair", memory_id=ann.add("Moved", visibility="private").id, supersede=True),
    ],
    "remembered in private": lambda ann, public: ann.remember(
        "Ada lives in Lair", visibility="private", extractor="none", session="day", speaker="Ghost", tags=["hush"]
    ),
    "remembered in private, ending what is public": lambda ann, public: ann.remember(
        "It is over", visibility="private", drafts=[{"content": "Ada moved", "triples": [["Ada", "LIVES_IN", "Lair"]]}]
    ),
    "said again in private": lambda ann, public: ann.remember("Ada is here", visibility="private", extractor="none"),
    "a private remembering undone": lambda ann, public: ann.undo(
        str(ann.remember("Hush now", visibility="private", extractor="none").seq)
    ),
    "the owner named in private": lambda ann, public: _hush(ann, "User is called Ada", ["User", "NAMED", "Ada"]),
    "a fact ended in private": lambda ann, public: _hush(
        ann, "Ada left Acme", {"subject": "Ada", "relation": "WORKS_FOR", "object": "Acme", "stance": "ends"}
    ),
    "a fact denied in private": lambda ann, public: _hush(
        ann,
        "Ada never lived in Berlin",
        {"subject": "Ada", "relation": "LIVES_IN", "object": "Berlin", "stance": "never"},
    ),
    "a closing in private, undone": lambda ann, public: ann.undo(
        str(_hush(ann, "Ada moved", ["Ada", "LIVES_IN", "Lair"]).seq)
    ),
    "another spelling in private": lambda ann, public: ann.remember(
        drafts=[{"content": "Berlinn is big", "entities": [{"name": "Berlinn", "kind": "concept"}]}],
        visibility="private",
    ),
    "a doubt in private": lambda ann, public: ann.remember(
        drafts=[
            {"content": f"{name} hid", "entities": [{"name": name, "kind": "person"}]}
            for name in ("Igor Ax", "Igor Axe")
        ],
        visibility="private",
    ),
    "waiting in private": lambda ann, public: _interrupted(ann),
    "a job": lambda ann, public: ann.enqueue("To come", visibility="private", session="night", extractor="none"),
    "a key": lambda ann, public: ann.add("Keyed", visibility="private", key=f"hush {ann.status().seq}"),
}


def worlds_beside(store: Store, act: Callable[[Treering, str], Any]) -> list[str]:
    """What others see of a public life beside which somebody does something."""
    clock = HandClock()
    ann, bob = (Treering(store, clock=clock, actor=actor, space="lab/den") for actor in ("ann", "bob"))
    speak_in_public(ann, clock, lambda public: act(ann, public))
    seen = [blotted(world_of(door, children=True)) for door in (bob, bob.space("lab"))]
    seen.append(blotted(world_of(ann, principal="bob")))
    seen.append(blotted(world_of(bob, known_at="2026-01-01T17:30:00Z")))
    return seen


@cache
def worlds_without(kind: str) -> list[str]:
    """The same where nothing was done beside it: one for all secrets."""
    with TemporaryDirectory() as folder:
        store = open_store(f"{folder}/without.db" if kind == "sqlite" else kind, "normal")
        try:
            return worlds_beside(store, lambda ann, public: None)
        finally:
            store.close()


@pytest.mark.parametrize("secret", SECRETS)
def test_the_world_of_others_is_as_if_the_secret_had_never_been(store: Store, store_url: str, secret: str) -> None:
    without = worlds_without(store_url if store_url in ("reference:", ":memory:") else "sqlite")
    noticed = [
        (there, here)
        for world, hidden in zip(without, worlds_beside(store, SECRETS[secret]), strict=True)
        for there, here in zip_longest(world.splitlines(), hidden.splitlines())
        if there != here
    ]
    assert noticed[:8] == []
