"""Who comes in by the word of an identity provider: a real one signs the tokens, and nothing else opens anything."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from tests.conftest import HandClock
from tests.faces.rest.oidc import Opened, issuer, now, opened, who
from tests.faces.rest.test_access import bearing
from tests.faces.rest.test_mcp import Agent
from tests.faces.rest.test_native import the_error
from tests.issuer import AUDIENCE, Issuer

from treering import settings
from treering.access import oidc
from treering.access.audit import Level
from treering.access.oidc import OidcPolicy, Unauthentic
from treering.access.policy import AccessPolicy
from treering.errors import InvalidRequest, Unavailable
from treering.faces.rest.policy import ServerPolicy
from treering.faces.rest.serve import must_be_safe

__all__ = ["issuer", "now", "opened"]


SIGNED = ("urn:treering", "urn:treering:es", "urn:treering:ps", "urn:treering:ed")


# who comes in


def test_who_the_provider_vouches_for_comes_in_by_name_and_groups(opened: Opened, issuer: Issuer) -> None:
    door, http = opened()
    door.grant_add("research", "acme/research", role="write")
    door.grant_add("platform", "*", role="admin")
    for resource in SIGNED:
        told = who(http, issuer.token("ann", resource)).json()
        assert (told["name"], told["role"], told["spaces"]) == ("user:ann", "write", ["acme/research/*"]), resource
        assert told["rights"] == [{"role": "write", "path": "acme/research/*"}]


def test_a_grant_holds_for_its_path_and_all_below_and_nowhere_else(opened: Opened, issuer: Issuer) -> None:
    door, http = opened("research=write:acme/research, staff=read:*")
    ann = bearing(issuer.token("ann"))
    for space in ("acme/research", "acme/research/papers", "acme/research/papers/old"):
        assert http.post(f"/v1/spaces/{space}/add", json={"content": "x"}, headers=ann).status_code == 200, space
    for space in ("acme", "acme/sales", "acme/research2", "lab"):
        assert the_error(http.post(f"/v1/spaces/{space}/add", json={"content": "x"}, headers=ann))[0] == 403, space
        assert the_error(http.get(f"/v1/spaces/{space}/list", headers=ann))[0] == 403, space
    assert the_error(http.post("/v1/spaces/acme/research/settings", json={"changes": {}}, headers=ann))[0] == 403
    memory = door.list(space="acme/research", principal="user:ann").memories[0]
    assert memory.observed_by == "user:ann"


def test_a_role_holds_where_it_was_granted_and_not_where_another_was(opened: Opened, issuer: Issuer) -> None:
    door, http = opened("staff=read:*, platform=admin:acme")
    boss = bearing(issuer.token("boss"))
    door.add("Hers", space="lab", visibility="private", observed_by="ann")
    assert http.get("/v1/spaces/lab/list", headers=boss).status_code == 200
    assert the_error(http.post("/v1/spaces/lab/add", json={"content": "x"}, headers=boss))[0] == 403
    assert the_error(http.get("/v1/spaces/lab/list?principal=ann", headers=boss))[0] == 403
    assert the_error(http.get("/v1/export", headers=boss))[0] == 403
    assert the_error(http.post("/v1/run_jobs", json={}, headers=boss))[0] == 403
    assert http.post("/v1/spaces/acme/x/settings", json={"changes": {}}, headers=boss).status_code == 200
    assert http.get("/v1/spaces/acme/list?principal=ann", headers=boss).status_code == 200


def test_whose_groups_are_granted_nothing_may_do_nothing(opened: Opened, issuer: Issuer) -> None:
    _, http = opened("research=read:*")
    for name in ("stranger", "loner"):
        token = bearing(issuer.token(name))
        for path in ("/v1/spaces", "/v1/when?text=tomorrow", "/metrics"):
            answer = http.get(path, headers=token)
            assert the_error(answer)[:2] == (403, "forbidden"), path
            assert "none of its groups is granted anything" in answer.text


def test_a_grant_taken_back_opens_nothing_any_more(opened: Opened, issuer: Issuer) -> None:
    door, http = opened()
    door.grant_add("research", "acme", role="read")
    token = issuer.token("ann")
    assert http.get("/v1/spaces/acme/list", headers=bearing(token)).status_code == 200
    door.grant_remove("research", "acme")
    token = issuer.token("ann")  # another token, so that nothing is remembered of the last
    assert http.get("/v1/spaces/acme/list", headers=bearing(token)).status_code == 403


def test_keys_and_tokens_are_taken_side_by_side_and_nobody_comes_in_without(opened: Opened, issuer: Issuer) -> None:
    door, http = opened("research=read:acme")
    must_be_safe(door, ServerPolicy(host="0.0.0.0"))
    assert the_error(http.get("/v1/spaces"))[:2] == (401, "unauthorized")
    key = door.key_create("ann", spaces=["acme"]).secret
    assert http.get("/v1/spaces/acme/list", headers=bearing(key)).status_code == 200
    assert http.get("/v1/spaces/acme/list", headers=bearing(issuer.token())).status_code == 200


def test_a_name_of_the_provider_is_never_a_keys_name(opened: Opened, issuer: Issuer) -> None:
    """What is private to the bearer of the key ann is not to whom a provider calls ann."""
    door, http = opened("research=write:lab")
    key = bearing(door.key_create("ann", spaces=["lab"], role="write").secret)
    http.post("/v1/spaces/lab/add", json={"content": "Private", "visibility": "private"}, headers=key)
    assert len(http.get("/v1/spaces/lab/list", headers=key).json()["memories"]) == 1
    assert http.get("/v1/spaces/lab/list", headers=bearing(issuer.token("ann"))).json()["memories"] == []


def test_agents_come_in_with_tokens_too(opened: Opened, issuer: Issuer) -> None:
    _, http = opened("research=write:acme")
    agent = Agent(http, issuer.token("ann"))
    assert not agent.call("recall", query="Where?", space="acme").get("isError")
    assert "does not open the space 'lab'" in str(agent.call("recall", query="Where?", space="lab"))


def test_groups_may_stand_deep_in_a_token(opened: Opened, issuer: Issuer) -> None:
    _, http = opened("research=read:acme", groups_claim="team.roles")
    assert who(http, issuer.token("ann")).json()["spaces"] == ["acme/*"]
    _, other = opened("research=read:acme", groups_claim="team.none")
    assert who(other, issuer.token("ann")).json()["spaces"] == []


def test_signing_in_by_token_is_recorded_and_so_is_a_token_that_does_not_hold(opened: Opened, issuer: Issuer) -> None:
    door, http = opened("research=read:acme", Level.FULL)
    good, bad = issuer.token("ann"), issuer.token("ann", "urn:elsewhere")
    for token in (good, good, bad):
        http.get("/v1/spaces/acme/list", headers=bearing(token))
    told = door.audit_search(order="oldest").records
    assert [(one.kind, one.caller, one.outcome) for one in told] == [
        ("sign_in", "user:ann", "ok"),
        ("read", "user:ann", "ok"),
        ("read", "user:ann", "ok"),
        ("denied", None, "unauthorized"),
    ]
    kept = json.dumps([one.to_dict() for one in told])
    assert not any(part in kept for token in (good, bad) for part in token.split("."))


# the provider's keys


def test_keys_are_fetched_once_and_again_when_there_are_new_ones(issuer: Issuer, now: HandClock) -> None:
    ticks = [0.0]
    ours = oidc.Issuer(OidcPolicy(issuer.url, (AUDIENCE,)), now, lambda: ticks[0])
    old = issuer.token()
    assert ours.person(old).name == "user:ann"
    issuer.silence()
    assert ours.person(old).name == "user:ann", "the keys are kept"
    issuer.speak()
    issuer.rotate()
    new = issuer.token()
    with pytest.raises(Unauthentic, match="none of the issuer's keys"):
        ours.person(new)  # they were fetched a moment ago, and whoever sends tokens cannot have them fetched at will
    ticks[0] += 31
    assert ours.person(new).name == "user:ann"
    with pytest.raises(Unauthentic, match="none of the issuer's keys"):
        ours.person(old)  # the key it was signed with is withdrawn


def test_a_withdrawn_key_is_trusted_no_longer_than_an_hour(issuer: Issuer, now: HandClock) -> None:
    ticks = [0.0]
    ours = oidc.Issuer(OidcPolicy(issuer.url, (AUDIENCE,)), now, lambda: ticks[0])
    old = issuer.token()
    ours.person(old)
    issuer.rotate()
    ticks[0] += 3599
    assert ours.person(old).name == "user:ann"
    ticks[0] += 2
    with pytest.raises(Unauthentic):
        ours.person(old)


def test_while_the_provider_is_away_its_last_keys_are_used_for_a_day(issuer: Issuer, now: HandClock) -> None:
    ticks = [0.0]
    ours = oidc.Issuer(OidcPolicy(issuer.url, (AUDIENCE,)), now, lambda: ticks[0])
    token = issuer.token()
    ours.person(token)
    issuer.silence()
    ticks[0] += 23 * 3600
    assert ours.person(token).name == "user:ann"
    ticks[0] += 2 * 3600
    with pytest.raises(Unavailable, match="the identity provider could not be asked"):
        ours.person(token)
    with pytest.raises(Unavailable, match="did not answer a moment ago"):
        ours.person(token)
    issuer.speak()
    ticks[0] += 31
    assert ours.person(token).name == "user:ann"


def test_a_provider_that_does_not_answer_is_told_apart_from_a_wrong_token(opened: Opened, issuer: Issuer) -> None:
    door, http = opened("research=read:*")
    token = issuer.token()
    key = bearing(door.key_create("ann", spaces=["*"]).secret)
    issuer.silence()
    refused = who(http, token)
    assert the_error(refused)[:2] == (503, "unavailable")
    assert int(refused.headers["retry-after"]) >= 1
    assert http.get("/v1/spaces", headers=key).status_code == 200


def test_a_document_of_another_issuer_is_not_believed(issuer: Issuer, now: HandClock) -> None:
    named = issuer.url.replace("127.0.0.1", "localhost")
    with pytest.raises(Unavailable, match="its discovery document is of 'http://127"):
        oidc.Issuer(OidcPolicy(named, (AUDIENCE,)), now).person(issuer.token())


# settings


@pytest.mark.parametrize("url", ["http://id.example", "ftp://id.example", "id.example", "https://", "http://10.0.0.1"])
def test_a_provider_is_reached_by_tls_alone_but_on_this_machine(url: str) -> None:
    with pytest.raises(InvalidRequest, match="is not an https:// address"):
        OidcPolicy(url, ("treering",))
    OidcPolicy("https://id.example/realms/acme", ("treering",))


def test_the_settings_say_who_is_believed() -> None:
    env = {
        "TREERING_OIDC_ISSUER": "https://id.example/",
        "TREERING_OIDC_AUDIENCE": "treering https://memory.example",
        "TREERING_OIDC_GRANTS": "platform=admin:*, Research Lab=write:acme/research,",
        "TREERING_OIDC_SKEW_SECONDS": "5",
        "TREERING_AUDIT": "metadata",
    }
    access = settings.read(env).access
    assert access.oidc == OidcPolicy("https://id.example/", ("treering", "https://memory.example"), skew_seconds=5)
    assert [(one.group, str(one.right)) for one in access.grants] == [
        ("platform", "admin on *"),
        ("Research Lab", "write on acme/research/*"),
    ]
    assert access.audit == "metadata"
    assert settings.read({}).access == AccessPolicy()
    for name, value, why in (
        ("TREERING_OIDC_AUDIENCE", "", "AUDIENCE: is missing"),
        ("TREERING_OIDC_GRANTS", "research=owner:acme", "is not a grant"),
        ("TREERING_OIDC_GRANTS", "research=read:Acme!", "is neither a space"),
        ("TREERING_OIDC_SKEW_SECONDS", "3600", "set the clocks"),
        ("TREERING_AUDIT", "some", "is not one of off, metadata, full"),
    ):
        with pytest.raises(InvalidRequest, match=why):
            settings.read({**env, name: value})


def test_what_stands_in_the_settings_is_listed_and_not_taken_back_by_the_store(opened: Opened) -> None:
    door, _ = opened("research=read:acme")
    [grant] = door.grant_list()
    assert (grant.group, grant.path, grant.granted_at) == ("research", "acme/*", None)
    door.grant_add("research", "acme/*", role="admin")
    assert [one.role for one in door.grant_list()] == ["read", "admin"]
    door.grant_remove("research", "acme")
    assert door.grant_list() == [grant]
    assert replace(grant, group="x") != grant
