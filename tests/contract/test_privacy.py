"""Rule 7: no read or write crosses a space, or shows a private memory to another, through any answer or error."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from functools import cache
from itertools import zip_longest
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from tests.conftest import Doors, HandClock, contents, scope

from treering.door import OPERATIONS, Treering
from treering.errors import NotFound, TreeringError
from treering.model.identity import Identity
from treering.model.ids import mint
from treering.store import open_store
from treering.store.contract import Store
from treering.store.sql import story

KEY = Identity.generate()
UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f-]{27}")
CITED = re.compile(r"\[[0-9a-f]{8}\]")
TIME = re.compile(r"\d{4}-\d\d-\d\dT[\d:.]+Z")


def outcome(do: Callable[[], Any], thing_id: str) -> str:
    """What came of a call, with ids and times blotted out so that two calls can be compared."""
    try:
        result = do()
        told = json.dumps([one.to_dict() for one in result] if isinstance(result, list) else result.to_dict())
        told = re.sub(r'"milliseconds": {[^}]*}|"entries": \[[^]]*\]', "", told)
    except TreeringError as error:
        told = f"{type(error).__name__}: {error}"
    told = CITED.sub("[ID]", UUID.sub("ID", told.replace(thing_id, "ID")))
    return re.sub(r'"seq": \d+', '"seq": …', TIME.sub("TIME", told))


def _untimed(answer: Any) -> Any:
    """Without what differs between any two calls."""
    return replace(answer, milliseconds={})


def _signing(door: Treering) -> Treering:
    """The same person with a key."""
    return Treering(door._store, clock=door._clock, actor=door._writer.actor, identity=KEY, space=door._space)


def attempts(door: Treering, own: str) -> dict[str, Callable[[str], Any]]:
    """Every operation of the door that takes an id, on some id."""
    return {
        "beliefs": door.beliefs,
        "source": door.source,
        "entity_gather": door.entity_gather,
        "notes_of": lambda one: door.notes_of([one]),
        "review_reopen": door.review_reopen,
        "get": door.get,
        "get of children": lambda one: door.get(one, children=True),
        "get as of": lambda one: door.get(one, as_of="2020-01-01T00:00:00Z"),
        "history": door.history,
        "recall of": lambda one: _untimed(door.recall(one)),
        "recall by entity": lambda one: _untimed(door.recall("secret", entities=[one])),
        "recall by session": lambda one: _untimed(door.recall("secret", session=one)),
        "context of": door.context,
        "context by entity": lambda one: door.context("secret", entities=[one]),
        "why_not": lambda one: door.why_not("Who has a secret?", one),
        "why_not known": lambda one: door.why_not("Who has a secret?", one, known_at="2020-01-01T00:00:00Z"),
        "why_not by entity": lambda one: door.why_not("Who was here?", own, entities=[one]),
        "list by entity": lambda one: door.list(entities=[one], view="all"),
        "list by session": lambda one: door.list(session=one, view="all"),
        "facts of": lambda one: door.facts(subject=one, include_closed=True),
        "facts to": lambda one: door.facts(object=one, include_closed=True),
        "graph from": door.graph,
        "graph from any": lambda one: door.graph(one, direction="both", depth=8, include_closed=True, children=True),
        "paths from": lambda one: door.paths(one, "Ada"),
        "paths to": lambda one: door.paths("Ada", one, max_depth=7),
        "entity_get": door.entity_get,
        "entities": lambda one: door.entities(kind=one[:50]),
        "entity": door.entity,
        "timeline": door.timeline,
        "timeline of children": lambda one: door.timeline(one, children=True),
        "lineage": door.lineage,
        "compare": lambda one: door.compare(one, own),
        "compare with": lambda one: door.compare(own, one),
        "lineage as of": lambda one: door.lineage(one, as_of="2020-01-01T00:00:00Z"),
        "contradictions": lambda one: door.contradictions(topic=one),
        "entity_merge": lambda one: door.entity_merge(one, "Ada"),
        "entity_merge into": lambda one: door.entity_merge("Ada", one),
        "entity_split": door.entity_split,
        "remember about": lambda one: door.remember(drafts=[{"content": "About something", "entities": [one]}]),
        "remember stating": lambda one: door.remember(
            drafts=[{"content": "It is", "triples": [["Ada", "KNOWS", one]]}]
        ),
        "remember keyed": lambda one: door.remember("Something else", key=one, extractor="none", dry_run=True),
        "undo": door.undo,
        "revise": lambda one: door.revise(one, "Mine now"),
        "revise dry": lambda one: door.revise(one, "Mine now", dry_run=True),
        "touch": door.touch,
        "touch dry": lambda one: door.touch(one, True, dry_run=True),
        "observe alone": lambda one: door.observe([one]),
        "observe": lambda one: door.observe([one, own], ["hush"], dry_run=True),
        "observe by tag": lambda one: door.observe([own], [one], dry_run=True),
        "scores": lambda one: door.scores([one]),
        "promote": lambda one: door.promote(one, force=True),
        "forget by query": lambda one: replace(door.forget(query=one), token=""),
        "forget": door.forget,
        "forget dry": lambda one: door.forget(one, dry_run=True),
        "archive": door.archive,
        "restore": door.restore,
        "purge dry": lambda one: door.purge(one, "because", dry_run=True),
        "purge": lambda one: door.purge(one, "because"),
        "review_get": door.review_get,
        "review_create": lambda one: door.review_create("decay", "forget", memory_ids=[one]),
        "review_create of": lambda one: door.review_create("same_entity", "merge", entity_ids=[one]),
        "review_claim": door.review_claim,
        "review_apply": door.review_apply,
        "review_dismiss": door.review_dismiss,
        "review_close": door.review_close,
        "create_consolidation_issue": lambda one: door.create_consolidation_issue("decay", [one], "reinforce"),
        "claim_issue": door.claim_issue,
        "close_issue": lambda one: door.close_issue(one, "done"),
        "consolidate": lambda one: door.consolidate(one, mode="apply"),
        "profile of": door.profile,
        "search_unified of": door.search_unified,
        "search_unified tagged": lambda one: door.search_unified(tags=[one]),
        "analyze_message": door.analyze_message,
        "analyze_for_recall": door.analyze_for_recall,
        "enqueue about": lambda one: door.enqueue(drafts=[{"content": "It is", "entities": [one]}]),
        "enqueue keyed": lambda one: door.enqueue("Something else", key=one, extractor="none"),
        "job": door.job,
        "cancel_job": door.cancel_job,
        "retry_job": door.retry_job,
        "link from": lambda one: door.link(one, own),
        "link to": lambda one: door.link(own, one, "supersedes"),
        "unlink from": lambda one: door.unlink(one, own),
        "unlink to": lambda one: door.unlink(own, one),
        "invalidate from": lambda one: door.invalidate(one, own, "related_to"),
        "invalidate to": lambda one: door.invalidate("Ada", one, "KNOWS"),
        "reopen from": lambda one: door.reopen(one, own, "related_to"),
        "reopen to": lambda one: door.reopen(own, one, "about_entity"),
        "attest": lambda one: _signing(door).attest(one),
        "assert_fact on": lambda one: door.assert_fact("Ada", "KNOWS", "Bo", memory_id=one),
        "assert_fact of": lambda one: door.assert_fact(one, "KNOWS", "Ada"),
        "assert_facts to": lambda one: door.assert_facts([["Ada", "KNOWS", one]]),
        "add about": lambda one: door.add("About something", entities=[one]),
        "add stating": lambda one: door.add("Stating something", triples=[["Ada", "KNOWS", one]]),
        "add_file of": lambda one: door.add_file(one.encode(), session=one, speaker=one),
        "add_file to": lambda one: door.add_file(
            one.encode(), session=one, speaker=one, visibility="private", visible_to=["eve"]
        ),
        "entity_register": door.entity_register,
        "hold": lambda one: door.hold("case", one),
        "release": lambda one: door.release("case", one),
        "events": lambda one: [event for event in door.events(limit=1000).events if one in event.ids],
        "key_revoke": door.key_revoke,
        "key_rotate": door.key_rotate,
        "audit_search": lambda one: door.audit_search(caller=one, key=one, request=one, operation=one, outcome=one),
        "webhook_remove": door.webhook_remove,
        "webhook_letters": lambda one: door.webhook_letters(webhook=one),
        "webhook_resend": lambda one: door.webhook_resend(webhook=one),
    }


def test_the_attempts_below_try_every_operation_that_can_be_given_an_id(mem: Treering) -> None:
    tried = {name.split()[0] for name in attempts(mem, "x")}
    about_the_store = {
        "add_many",
        "resume",
        "diff",
        "stale",
        "taxonomy",
        "gc",
        "expire",
        "health",
        "jobs",
        "run_jobs",
        "cluster",
        "run_pipeline",
        "relate_again",
        "run_agent",
        "run_scheduled",
        "upkeep_status",
        "review_list",
        "query_consolidation_issues",
        "spaces",
        "status",
        "signers",
        "settings",
        "relations",
        "relation_set",
        "relation_remove",
        "verify",
        "doctor",
        "reembed",
        "export",
        "import_journal",
        "index_vault",
        "import_vault",
        "backup",
        "backup_list",
        "backup_rehearse",
        "backup_run",
        "holds",
        "retain",
        "key_create",
        "grant_add",
        "grant_list",
        "grant_remove",
        "audit_export",
        "audit_verify",
        "describe",
        "about",
        "key_list",
        "webhook_add",
        "webhook_list",
        "auto_recall",
        "facets",
        "import_memories",
        "journal",
        "moments",
        "overview",
        "receive_journal",
        "setting",
        "survey",
        "sync",
        "timings",
        "when",
    }
    assert tried | about_the_store | {"import_journal"} == set(OPERATIONS)


def secrets_of(ann: Treering, clock: HandClock) -> dict[str, str]:
    """Ann's private knowledge, as ids: memories, sources, edges and an entity that nobody else may know of."""
    public = ann.list()[0].id
    receipt = ann.add(
        "Ada has a secret",
        visibility="private",
        title="Whisper",
        tags=["hush"],
        session="night",
        speaker="Ghost",
        key="hidden",
        entities=["Lair"],
        triples=[["Ada", "OWNS", "Lair"]],
    )
    other = ann.add("A second secret", visibility="private", visible_to=["cy"])
    clock.advance(hours=1)
    ids = {
        "memory": receipt.id,
        "source": receipt.source_ids[0],
        "entity": ann.entity_get("Lair").id,
        "link": ann.link(receipt.id, public).edge.id,
        "superseding": ann.link(other.id, public, "supersedes").edge.id,
        "question": ann.review_create("decay", "reinforce", memory_ids=[receipt.id], proposal={"op": "review"}).id,
        "job": ann.enqueue("A secret to come", visibility="private", extractor="none").id,
        "fact on evidence": ann.assert_fact("Ada", "KNOWS", "Lair", memory_id=receipt.id).facts[0].id,
    }
    ids |= {f"edge {n}": edge for n, edge in enumerate(receipt.edges_added)}
    return ids


def test_an_id_private_to_another_is_in_every_operation_as_an_id_that_never_existed(
    doors: Doors, clock: HandClock
) -> None:
    ann, bob = doors("ann", "bob")
    ann.add("Ada is here", entities=["Ada"])
    own = bob.add("Bob was here", entities=["Bo"]).id
    clock.advance(hours=1)
    secrets = secrets_of(ann, clock)
    told = {name: ann.history(one) for name, one in secrets.items() if name not in ("source", "job", "question")}
    job = ann.job(secrets["job"])
    fresh = mint(clock.now)
    nevers = {what: fresh() for what in secrets}
    for name, do in attempts(bob, own).items():
        for what, secret in secrets.items():
            never = nevers[what]
            expected = outcome(lambda: do(never), never)  # noqa: B023
            assert outcome(lambda: do(secret), secret) == expected, f"{name} on {what}"  # noqa: B023
    after = {name: ann.history(one) for name, one in secrets.items() if name not in ("source", "job", "question")}
    assert after == told
    assert ann.job(job.id) == job
    assert ann.get(secrets["memory"]).state == "active"


def test_an_id_of_another_space_is_in_every_operation_as_an_id_that_never_existed(
    doors: Doors, clock: HandClock
) -> None:
    there, here = doors("ann", space="there"), doors("ann", space="here")
    there.add("Ada is there", entities=["Ada"])
    here.add("Ada is here", entities=["Ada", "Bo"])
    own = here.add("I was here").id
    ids = secrets_of(there, clock)
    ids["public memory"] = there.list(view="all")[0].id
    ids["public entity"] = there.entity_get("Ada").id
    fresh = mint(clock.now)
    nevers = {what: fresh() for what in ids}
    for name, do in attempts(here, own).items():
        for what, foreign in ids.items():
            never = nevers[what]
            expected = outcome(lambda: do(never), never)  # noqa: B023
            assert outcome(lambda: do(foreign), foreign) == expected, f"{name} on {what}"  # noqa: B023
    assert there.status(principal="ann").seq == there.status().seq
    assert here.verify().ok


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
    plain["answers"] = [_untimed(door.recall(one, explain=True, neighbours=1, **more)).to_dict() for one in asked]
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
    return re.sub(r'"(seq|next)": .*', r'"\1": …', CITED.sub("[ID]", UUID.sub("ID", text)))


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


def test_a_private_memory_is_seen_by_its_observer_and_those_it_names_and_by_nobody_else(doors: Doors) -> None:
    ann, bob, cy = doors("ann", "bob", "cy")
    memory = ann.add("For Cy", visibility="private", visible_to=["cy"]).id
    assert [len(door.list(view="all")) for door in (ann, bob, cy)] == [1, 0, 1]
    assert ann.get(memory) == cy.get(memory)
    assert len(bob.list(principal="cy")) == 1
    assert len(ann.list(principal="")) == 0
    revised = cy.revise(memory, "For Ann").id
    assert [len(door.list()) for door in (ann, bob, cy)] == [1, 0, 1]
    assert ann.get(memory).superseded_by == revised


def test_a_name_that_only_a_private_memory_brought_is_new_to_others_who_use_it(doors: Doors) -> None:
    ann, bob = doors("ann", "bob")
    secret = ann.add("Secret", visibility="private", entities=["Lair"]).id
    assert bob.add("Mine", entities=["lair"]).entities[0].created is True
    assert bob.add("Mine too", entities=["LAIR"]).entities[0].created is False
    seen = bob.entity_get("lair")
    assert seen.memory_id != secret
    assert secret not in json.dumps(bob.history(seen.id).to_dict())
    assert "Lair" in ann.entity_get("lair").name


def test_registering_a_name_that_a_private_memory_brought_makes_it_known_without_telling(doors: Doors) -> None:
    ann, bob = doors("ann", "bob")
    secret = ann.add("Secret", visibility="private", entities=["Lair"]).id
    first = bob.entity_register("Lair", aliases=["Den"])
    assert (first.created, first.aliases_added) == (True, ("Den",))
    assert bob.entity_register("Lair").created is False
    assert secret not in json.dumps(bob.history(first.entity_id).to_dict())
    assert ann.entity_get("den").id == first.entity_id


@pytest.mark.parametrize("dry_run", [True, False])
def test_a_private_write_cannot_be_undone_by_its_number_nor_its_kind_be_learned(doors: Doors, dry_run: bool) -> None:
    ann, bob = doors("ann", "bob")
    mine = bob.add("Mine")
    secret = ann.add("Secret", visibility="private", entities=["Lair"])
    ann.forget(ann.add("Second", visibility="private").id)
    for seq in (secret.seq, ann.status().seq):
        told = outcome(lambda: bob.undo(str(seq), dry_run=dry_run), str(seq))  # noqa: B023
        assert told == outcome(lambda: bob.undo("99", dry_run=dry_run), "99")
    both = outcome(lambda: bob.undo(f"{mine.seq},{secret.seq}", dry_run=dry_run), str(secret.seq))
    assert both.startswith("NotFound")
    assert ann.get(secret.id).state == "active"
    assert ann.undo(str(secret.seq), dry_run=dry_run).forgotten == (secret.id,)
    assert bob.undo(str(mine.seq), dry_run=dry_run).forgotten == (mine.id,)


def test_very_many_private_writes_do_not_move_the_time_of_the_last_open_one(
    doors: Doors, clock: HandClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(story, "_LOOKED_BACK", 3)
    ann, bob = doors("ann", "bob")
    bob.add("Open")
    at = bob.status().changed_at
    clock.advance(hours=1)
    for number in range(6):
        ann.add(f"Secret {number}", visibility="private")
    assert bob.status().changed_at == at
    assert [one.changed_at for one in bob.spaces()] == [at]
    assert (bob.moments(clock="known").changes, ann.moments(clock="known").changes) == (1, 7)
    assert [one.changed_at for one in ann.spaces()] == [ann.status().changed_at] > [at]


def test_a_private_memory_that_is_purged_leaves_no_time_behind(doors: Doors, clock: HandClock) -> None:
    ann, bob = doors("ann", "bob")
    bob.add("Open")
    before = bob.moments(clock="known")
    clock.advance(hours=1)
    ann.purge(ann.add("Secret", visibility="private", entities=["Lair"]).id, "asked to")
    assert bob.moments(clock="known") == before
    assert bob.status().changed_at == before.ticks[-1].at


def test_a_key_used_in_private_is_refused_to_others_in_the_same_words_whatever_they_say(doors: Doors) -> None:
    ann, bob = doors("ann", "bob")
    ann.add("The secret", key="turn-1", visibility="private")
    ann.add("Said openly", key="turn-2")
    said = [outcome(lambda: bob.add(text, key="turn-1"), "x") for text in ("The secret", "A guess")]  # noqa: B023
    assert said[0] == said[1]
    assert said[0].startswith("Conflict")
    assert "secret" not in said[0]
    assert bob.add("Said openly", key="turn-2").repeated is True


def test_a_purge_tells_nothing_of_private_memories_that_hold_the_same_words(doors: Doors) -> None:
    ann, bob = doors("ann", "bob")
    hidden = ann.add("They said: the same words", visibility="private").id
    mine = bob.add("the same words").id
    assert bob.purge(mine, "asked to", dry_run=True).found == ()
    ann.link(hidden, mine, "derived_from")
    report = bob.purge(mine, "asked to")
    assert report.memories == (mine,)
    assert hidden not in json.dumps(report.to_dict())
    with pytest.raises(NotFound):
        ann.get(hidden)


def test_the_source_of_a_private_memory_is_not_there_for_others(doors: Doors, store: Store, clock: HandClock) -> None:
    ann = doors("ann")
    source = ann.add("The secret", visibility="private", visible_to=["cy"]).source_ids[0]
    for principal, sees in (("ann", True), ("cy", True), ("bob", False), (None, False)):
        with store.reader(scope(clock, principal=principal)) as reader:
            assert (reader.source(source) is not None) is sees


def test_spaces_share_no_names_keys_settings_or_numbers(doors: Doors) -> None:
    one, two = doors("ann", space="one"), doors("ann", space="two")
    first = one.add("Ada is here", entities=["Ada"], key="k", title="T")
    one.settings({"functional_relations": []})
    assert (two.status().seq, len(two.list(view="all")), two.status().entities) == (0, 0, 0)
    second = two.add("Other words", entities=["ada"], key="k")
    assert second.entities[0].created is True
    assert second.entities[0].id != first.entities[0].id
    assert two.settings()["functional_relations"] != []
    assert one.entity_get("Ada").name == "Ada"
    assert two.entity_get("Ada").name == "ada"
    assert [one.status().seq, two.status().seq] == [2, 1]
    two.entity_register("T")


def test_reading_children_takes_in_what_is_below_and_nothing_beside(doors: Doors) -> None:
    for space in ("acme", "acme/lab", "acme/lab/den", "acme-x", "acmeé"[:-1] + "x", "acme.x", "ac", "zzz/acme"):
        doors("ann", space=space).add(f"In {space}", entities=[space.replace("/", " ")])
    door = doors("ann", space="acme")
    assert sorted(contents(door.list(children=True))) == ["In acme", "In acme/lab", "In acme/lab/den"]
    assert contents(door.list()) == ["In acme"]
    assert door.status(children=True).memories["active"] == 3
    assert door.status(children=True).entities == 3
    assert sorted(contents(door.list(space="acme/lab", children=True))) == ["In acme/lab", "In acme/lab/den"]


def test_children_keep_what_is_private_there_private(doors: Doors) -> None:
    ann, bob = doors("ann", space="acme/lab"), doors("bob", space="acme")
    ann.add("Secret", visibility="private", triples=[["Ada", "OWNS", "Lair"]])
    bob.add("Open")
    assert contents(bob.list(view="all", children=True)) == ["Open"]
    assert bob.facts(children=True, include_closed=True) == []
    assert bob.status(children=True).entities == 0
