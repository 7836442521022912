"""Every operation, by every role, from every place: what is declared of it is what it takes, above, beside and below.

The caller holds its role on acme/team and all below it. What is asked for lies there (own), below, above or beside; and
once it holds the role on everything (all).
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient
from tests.faces.rest.conftest import HERE
from tests.faces.rest.test_access import bearing

from treering.access.rights import ALL, Right, Rights, Role
from treering.door import OPERATIONS, Treering
from treering.errors import CallerError, Forbidden, NotFound
from treering.exchange.webhooks.kept import DeadLetter, bury
from treering.faces.rest.app import application
from treering.faces.rest.caller import Caller
from treering.faces.rest.examples import EXAMPLES
from treering.faces.rest.guarded import Guarded
from treering.faces.rest.native import BY_FILE
from treering.faces.rest.policy import ServerPolicy
from treering.faces.rest.rights import BY_ID, LISTED, OVER_ALL, RightScope, has_space, needed
from treering.files import Sent, new_scratch
from treering.operation import Operation
from treering.store import open_store

WHERE = {"own": "acme/team", "below": "acme/team/x", "above": "acme", "beside": "acme/other"}
RELATIONS = (*WHERE, "all")
ROLES = (None, *Role)
QUOTA = {"changes": {"quota": {"memories": 5}}}


class Ground:
    """A store with a key, a webhook and a grant at every place."""

    def __init__(self, folder: Path) -> None:
        self.store = open_store(str(folder / "matrix.db"), "normal")
        self.door = Treering(self.store, actor="local", space="acme/team")
        self.keys = {one: self.door.key_create(one, spaces=[path]).key.id for one, path in WHERE.items()}
        url = "https://example.org/hook"
        self.hooks = {one: self.door.webhook_add(url, spaces=[path]).webhook.id for one, path in WHERE.items()}
        for name, path in WHERE.items():
            self.door.grant_add(name, path)
            self.door.add(f"Said {name}", space=path)

    def caller(self, role: Role | None, relation: str) -> Guarded:
        held = () if role is None else (Right(role, ALL if relation == "all" else "acme/team/*"),)
        return Guarded(self.door, Caller("eve", Rights(held), id="eve", key_id="eve", reports_for_others=False))

    def arguments(self, operation: Operation, relation: str) -> dict[str, Any]:
        """As the documentation has them, about what lies there."""
        place = WHERE.get(relation, "acme/team")
        given = {**EXAMPLES.get(operation.name, {})}
        given |= {name: Sent(b"x", "x") for name in operation.files if name == "file"}
        if has_space(operation):
            given["space"] = place
        if "prefix" in given or operation.name == "taxonomy":
            given["prefix"] = place
        if operation.name in ("key_create", "webhook_add"):
            given["spaces"] = [place]
        if operation.name in ("grant_add", "grant_remove"):
            given |= {"group": relation, "on": place}
        own = "own" if relation == "all" else relation
        if operation.name in ("key_revoke", "key_rotate"):
            given["id"] = self.keys[own]
        if operation.name in BY_ID and operation.name.startswith("webhook"):
            given["webhook" if operation.name == "webhook_resend" else "id"] = self.hooks[own]
        return given


@pytest.fixture(scope="module")
def ground(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ground]:
    made = Ground(tmp_path_factory.mktemp("matrix"))
    yield made
    made.store.close()


def allowed(operation: Operation, role: Role | None, relation: str, of_a_space: bool) -> bool:
    """By what is declared."""
    want = needed(operation, of_a_space)
    if role is None or not role.includes(want.role):
        return False
    if want.reach is RightScope.ANYWHERE or operation.name in LISTED:
        return True
    return relation in (("all",) if want.reach is RightScope.STORE else ("own", "below", "all"))


def is_about_a_space(operation: Operation) -> bool:
    """With the arguments above; a list of spaces is narrowed, wherever it begins."""
    return has_space(operation) or operation.name == "taxonomy"


def may(caller: Guarded, operation: Operation, given: dict[str, Any]) -> bool:
    try:
        caller.must_allow(operation.name, **given)
    except Forbidden:
        return False
    except NotFound:
        assert operation.name in BY_ID, "only what is named by its id is as if it were not there"
        return False
    return True


@pytest.mark.parametrize("relation", RELATIONS)
@pytest.mark.parametrize("role", ROLES)
def test_every_operation_takes_what_is_declared_of_it(ground: Ground, role: Role | None, relation: str) -> None:
    caller = ground.caller(role, relation)
    wrong = []
    for operation in OPERATIONS.values():
        given = ground.arguments(operation, relation)
        about_all = {name: one for name, one in given.items() if name not in ("space", "prefix")}
        asked = [(given, is_about_a_space(operation))]
        asked += [(about_all, False)] if operation.name in OVER_ALL else []
        for arguments, of_a_space in asked:
            if may(caller, operation, arguments) != allowed(operation, role, relation, of_a_space):
                wrong.append((operation.name, of_a_space))
    assert wrong == []


def test_who_is_refused_by_the_guard_is_refused_over_the_wire(ground: Ground) -> None:
    """An admin of a path above and beside it; who may less, there where an admin may."""
    door = ground.door
    secret = {role: door.key_create("eve", spaces=["acme/team/*"], role=role).secret for role in Role}
    with TestClient(application(door, ServerPolicy()), base_url=HERE, raise_server_exceptions=False) as http:
        cells = [(Role.ADMIN, "above"), (Role.ADMIN, "beside"), (Role.WRITE, "own"), (Role.READ, "below")]
        let_in = []
        for operation in (one for one in OPERATIONS.values() if one.name not in BY_FILE):
            for role, relation in cells:
                given = ground.arguments(operation, relation)
                if allowed(operation, role, relation, is_about_a_space(operation)):
                    continue
                space = given.pop("space", None)
                path = f"/v1/{operation.name}" if space is None else f"/v1/spaces/{space}/{operation.name}"
                status = http.post(path, json=given, headers=bearing(secret[role])).status_code
                if status != 403 and not (operation.name in BY_ID and status == 404):
                    let_in.append((operation.name, role, relation, status))
    assert let_in == []
    for one in door.key_list():
        if one.name == "eve":
            door.key_revoke(one.id)


def test_lists_of_keys_grants_and_webhooks_show_those_below(ground: Ground) -> None:
    part, whole = (ground.caller(Role.ADMIN, relation) for relation in ("own", "all"))
    for name, paths in (
        ("key_list", lambda one: [path.removesuffix("/*") for path in one.spaces]),
        ("webhook_list", lambda one: one.spaces),
        ("grant_list", lambda one: [one.path.removesuffix("/*")]),
    ):
        shown = {path for one in getattr(part, name)() for path in paths(one)}
        assert shown == {"acme/team", "acme/team/x"}, name
        assert {path for one in getattr(whole, name)() for path in paths(one)} >= set(WHERE.values())


def test_a_key_that_also_opens_something_above_is_not_theirs(ground: Ground) -> None:
    part = ground.caller(Role.ADMIN, "own")
    for spaces in (["acme/team", "acme"], ["acme/*"], ["*"], ["acme/team/x", "acme/other/*"]):
        with pytest.raises(Forbidden, match="is not within what you administer; that is acme/team"):
            part.key_create("eve", spaces=spaces, role="read")
        with pytest.raises(Forbidden, match="is not within what you administer"):
            part.webhook_add("https://example.org/hook", spaces=spaces)
        key = ground.door.key_create("mixed", spaces=spaces).key.id
        assert key not in {one.id for one in part.key_list()}
        for ask in (part.key_revoke, part.key_rotate):
            with pytest.raises(NotFound) as theirs:
                ask(key)
            with pytest.raises(NotFound) as nobodys:
                ask("0" * 12)
            assert str(theirs.value).replace(key, "0" * 12) == str(nobodys.value)
        ground.door.key_revoke(key)


def test_a_path_admins_webhook_is_told_of_no_other_space(ground: Ground) -> None:
    added = ground.caller(Role.ADMIN, "own").webhook_add("https://example.org/hook", spaces=["acme/team/*"])
    assert set(added.webhook.reached) == {"acme/team", "acme/team/x"}
    ground.door.webhook_remove(added.webhook.id)
    with pytest.raises(Forbidden, match="spaces: \\* is not within"):
        ground.caller(Role.ADMIN, "own").webhook_add("https://example.org/hook")


def test_letters_of_others_webhooks_are_not_shown(ground: Ground) -> None:
    every = ground.door.webhook_add("https://example.org/all", spaces=["*"]).webhook.id
    for number, hook in enumerate((ground.hooks["own"], ground.hooks["above"], every)):
        letter = DeadLetter(
            id=str(number), webhook_id=hook, space="acme/team", seq=1, at=ground.door.now(), tries=8, error="500"
        )
        bury(ground.store.drawer, letter)
    part = ground.caller(Role.ADMIN, "own")
    assert [one.webhook_id for one in part.webhook_letters()] == [ground.hooks["own"]]
    assert part.webhook_letters(webhook=every) == []
    with pytest.raises(NotFound):
        part.webhook_resend(webhook=every)
    with pytest.raises(Forbidden, match="webhook: say which"):
        part.webhook_resend()


@pytest.mark.parametrize(("relation", "may_set"), [("own", False), ("below", True), ("above", False), ("all", True)])
def test_a_quota_is_set_from_above(ground: Ground, relation: str, may_set: bool) -> None:
    """Nobody grants themselves more room."""
    caller = ground.caller(Role.ADMIN, relation)
    assert may(caller, OPERATIONS["settings"], {**QUOTA, "space": WHERE.get(relation, "acme/team")}) is may_set
    assert may(caller, OPERATIONS["settings"], {"changes": {}, "space": "acme/team/x"})


def test_a_file_of_the_servers_is_never_named(ground: Ground) -> None:
    with pytest.raises(CallerError):
        ground.caller(Role.ADMIN, "all").audit_export("/tmp/audit.jsonl")
    made = new_scratch("audit.jsonl")
    try:
        assert ground.caller(Role.ADMIN, "all").audit_export(made).records == 0
    finally:
        made.remove()
