"""The part of the door for those who serve others: who may come in, and who is told what happens."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from treering import parameters as p
from treering.access import grants as grants_room
from treering.access import keys as keys_room
from treering.access.allowance import Allowance
from treering.access.audit import Auditor
from treering.access.grants import Grant
from treering.access.keys import ApiKey, IssuedKey, Rate
from treering.access.oidc import Issuer, Person
from treering.access.rights import Rights, Role, whole_path
from treering.door.ground import Ground
from treering.door.vitals import Vitals, vitals
from treering.exchange.webhooks import kept as hooks_room
from treering.exchange.webhooks.address import checked_url, refuse_private
from treering.exchange.webhooks.deliver import DeliveryPolicy, WebhookSender
from treering.exchange.webhooks.kept import AddedWebhook, Webhook
from treering.graph.happened import Happenings, happened
from treering.mind import NO_EMBEDDER
from treering.model.ids import mint
from treering.model.time import utc_or_none
from treering.operation import READS, WRITES, WRITES_ONCE, operation
from treering.store.contract import Scope
from treering.values import dataclass


@dataclass(frozen=True, slots=True)
class Equipment:
    """Who is set up to read and judge here, and whether callers need keys. `embedder`: of the door's space."""

    embedder: str | None
    language_model: bool
    reranker: bool
    judge: bool
    keys: bool


class Serves(Ground):
    """Keys, and the journal as it grows."""

    @operation(READS)
    def events(
        self,
        *,
        space: p.Space = None,
        after: p.AfterSeq = 0,
        limit: p.Limit = 50,
        known_at: p.KnownAt = None,
        principal: p.Principal = None,
    ) -> Happenings:
        """What happened in a space, in order: which kind of change, about which ids, by whom and when."""
        with self._reading(space, None, known_at, principal) as reader:
            return happened(reader, after, limit)

    @operation(WRITES)
    def key_create(
        self,
        name: p.KeyName,
        *,
        spaces: p.Opened,
        role: p.KeyRole = Role.READ,
        requests_a_minute: p.RequestsAMinute = None,
        requests_a_day: p.RequestsADay = None,
        reports_for_others: p.ReportsForOthers = False,
        expires_at: p.KeyExpiresAt = None,
    ) -> IssuedKey:
        """Make a key for the server. It is shown this once: what is kept does not tell it."""
        drawer, now, rate = self._store.drawer, self._now(), Rate(requests_a_minute, requests_a_day)
        ends = utc_or_none(expires_at, "expires_at")
        return keys_room.issue(
            drawer, name, Role(role), spaces, now, rate, reports_for_others=reports_for_others, expires_at=ends
        )

    @operation(WRITES)
    def key_rotate(
        self, id: p.KeyId, *, overlap_seconds: p.OverlapSeconds = 86_400, expires_at: p.NewExpiry = None
    ) -> IssuedKey:
        """A new key with the rights of this one, which still holds for a while: a day, if not said otherwise."""
        overlap, ends = timedelta(seconds=overlap_seconds), utc_or_none(expires_at, "expires_at")
        return keys_room.rotate(self._store.drawer, id, self._now(), overlap, ends)

    @operation(READS)
    def key_list(self) -> p.Keys:
        """The keys there are, the oldest first, with when each was used last and expires; never what they read."""
        return keys_room.listed(self._store.drawer)

    @operation(WRITES_ONCE)
    def key_revoke(self, id: p.KeyId) -> ApiKey:
        """From now on this key opens nothing. Repeating changes nothing."""
        return keys_room.revoke(self._store.drawer, id, self._now())

    # groups of an identity provider

    @operation(WRITES_ONCE)
    def grant_add(self, group: p.Group, on: p.GrantPath, *, role: p.KeyRole = Role.READ) -> Grant:
        """Grant a group of the identity provider a role on a path and all below it, in place of what it had there.

        Which provider is asked stands in the server's settings (TREERING_OIDC_ISSUER).
        """
        grant = Grant(
            group=group,
            path=whole_path(on, "on"),
            role=Role(role),
            granted_at=self._now(),
            granted_by=self._writer.actor,
        )
        return grants_room.add(self._store.drawer, grant)

    @operation(READS)
    def grant_list(self) -> p.Grants:
        """What groups may do, by path: what was granted here, and what stands in the server's settings."""
        return grants_room.listed(self._store.drawer, self._access.grants)

    @operation(WRITES_ONCE)
    def grant_remove(self, group: p.Group, on: p.GrantPath) -> Grant:
        """Take back what a group was granted on a path."""
        return grants_room.remove(self._store.drawer, group, whole_path(on, "on"))

    # webhooks

    @operation(WRITES)
    def webhook_add(
        self,
        address: p.HookUrl,
        *,
        spaces: p.Opened = ("*",),
        events: p.HookEvents = (),
        from_start: p.FromStart = False,
    ) -> AddedWebhook:
        """Have an address told of what happens: entry by entry, in order, signed, and again if it does not answer.

        What is sent names kinds of change and ids, never what is said. A server delivers it, as long as one runs.
        """
        now, url = self._now(), checked_url(address)
        if not self._tells_private:
            refuse_private(url)
        chosen = hooks_room.wanted(spaces)
        hook = Webhook(
            id=mint(now)(), url=url, spaces=chosen, events=tuple(events), actor=self._writer.actor, created_at=now
        )
        known = [] if from_start else [one for one in self._store.spaces() if hook.hears_of(one.name)]
        return hooks_room.add(self._store.drawer, replace(hook, reached={one.name: one.seq for one in known}))

    @operation(READS)
    def webhook_list(self) -> p.Webhooks:
        """The webhooks there are: how far each has been told, and what fails."""
        return hooks_room.listed(self._store.drawer)

    @operation(WRITES_ONCE)
    def webhook_remove(self, id: p.HookId) -> Webhook:
        """Tell this address nothing more."""
        return hooks_room.remove(self._store.drawer, id)

    @operation(READS)
    def webhook_letters(self, *, webhook: p.OfHook = None) -> p.DeadLetters:
        """What could not be delivered after every try."""
        return hooks_room.letters(self._store.drawer, webhook)

    @operation(WRITES_ONCE)
    def webhook_resend(self, *, webhook: p.OfHook = None) -> p.DeadLetters:
        """Deliver once more what could not be delivered; answers what still cannot."""
        messenger = self.messenger()
        letters = hooks_room.letters(self._store.drawer, webhook)
        return [one for one in letters if messenger.resend(one) is not None]

    def messenger(self, policy: DeliveryPolicy | None = None) -> WebhookSender:
        """One that delivers until it is told to stop: run its `work` in a thread of your own."""
        return WebhookSender(self._store, self._now, policy)

    # for faces that let others in

    def bearer(self, written: str) -> ApiKey | None:
        """Whose key this is, if it is one and still holds."""
        return keys_room.bearer(self._store.drawer, written, self._now())

    def note_use(self, key_id: str) -> None:
        """That a key was used just now."""
        keys_room.note_use(self._store.drawer, key_id, self._now())

    def issuer(self) -> Issuer | None:
        """The identity provider whose tokens are taken, if one is set up."""
        return None if self._access.oidc is None else Issuer(self._access.oidc, self._now)

    def rights_of(self, person: Person) -> Rights:
        """What the groups of somebody are granted."""
        return grants_room.rights_of(person.groups, self.grant_list())

    def auditor(self) -> Auditor:
        """Records who reads, comes in and is refused, as far as the settings say."""
        return Auditor(self._store.trail, self._now, self._access.audit)

    def allowance(self) -> Allowance:
        """Counts the requests of keys that have so many a day."""
        return Allowance(self._store.drawer, self._now)

    def vitals(self) -> Vitals:
        """How the whole store is doing, in numbers. It looks at every space: not for every request."""
        return vitals(self)

    def troubles(self) -> p.Names:
        """Why the store cannot be written to now; nothing if it can. It takes no time to say."""
        return self._store.troubles()

    def look_over(self) -> p.Names:
        """What the engine finds wrong with its files. It takes a while; where it finds damage, writes stop."""
        return self._store.look_over()

    def equipment(self) -> Equipment:
        """What this door has at hand. Nothing is loaded or called for it."""
        with self._store.reader(Scope(self._space, self._now())) as reader:
            own = reader.setting("embedder")
        name = self._minds.choose(own, self._store.embedders(self._space))
        return Equipment(
            embedder=None if name == NO_EMBEDDER else name,
            language_model=self._wording is not None,
            reranker=self._reranker is not None,
            judge=self._opens_judge is not None,
            keys=self.is_locked(),
        )

    def is_locked(self) -> bool:
        """Whether there is any key, or who else can say who somebody is: then nobody is to come in unknown."""
        return self._access.oidc is not None or keys_room.any_key(self._store.drawer)
