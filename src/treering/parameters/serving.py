"""Who may come in, who is told, what is recorded? Keys, grants, webhooks, audit."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal

from pydantic import Field as Say
from pydantic import PlainValidator

from treering.access.audit import AuditKind
from treering.access.rights import Role as AccessRole
from treering.model import limits
from treering.operation import Time
from treering.parameters.bounds import MOST, NAME, one_of, schema_of

# Serving others
Description = Annotated[
    str | None, Say(max_length=limits.CONTEXT_CHARS, description="What the space is for, in a sentence or two.")
]
AfterSeq = Annotated[
    int,
    Say(ge=0, le=limits.SEQ, description="Only what came after this entry: the `after` of the answer before."),
]
KeyName = Annotated[str, Say(**NAME, description="Who its bearer acts for: what is written is written in this name.")]
KeyRole = Annotated[
    str,
    PlainValidator(one_of(AccessRole)),
    schema_of(AccessRole),
    Say(description="read; write, which also reads; admin, which may do all, also remove."),
]
Opened = Annotated[
    Sequence[str],
    Say(min_length=1, max_length=100, description="The spaces it opens: acme/research, acme/* with all below, or *."),
]
RequestsAMinute = Annotated[
    int | None, Say(ge=1, le=MOST, description="Most requests a minute; the server's own bound if left out.")
]
RequestsADay = Annotated[int | None, Say(ge=1, le=MOST, description="Most requests a day (UTC); no bound if left out.")]
ReportsForOthers = Annotated[
    bool,
    Say(description="May say that another has reported something (observed_by); who wrote it is shown beside it."),
]
HookUrl = Annotated[str, Say(min_length=1, max_length=2_000, description="Where to: an http or https address.")]
HookEvents = Annotated[
    Sequence[str],
    Say(max_length=100, description="Only these kinds of change (memory_added) or operations (remember); all if none."),
]
FromStart = Annotated[bool, Say(description="Tell it of all that happened before, too.")]
HookId = Annotated[str, Say(**NAME, description="The webhook's id.")]
OfHook = Annotated[str | None, Say(description="Only of this webhook, by its id.")]
KeyId = Annotated[str, Say(**NAME, description="The key's id, as key_list shows it; not the key itself.")]
KeyExpiresAt = Annotated[
    Time | None, Say(description="From then on the key opens nothing; it never expires if left out.")
]
NewExpiry = Annotated[
    Time | None, Say(description="When the new key expires; if left out, after as long as the old one was made for.")
]
OverlapSeconds = Annotated[
    int, Say(ge=0, le=366 * 86_400, description="How long the old key still holds beside the new one.")
]
Group = Annotated[str, Say(**NAME, description="A group, as the identity provider's tokens name it.")]
GrantPath = Annotated[
    str, Say(**NAME, description="Where: acme/research, which holds for all below it too, or * for everywhere.")
]

# Audit
AuditKinds = Annotated[
    Sequence[Annotated[str, PlainValidator(one_of(AuditKind)), schema_of(AuditKind)]],
    Say(max_length=len(AuditKind), description="Only of these kinds: read, export, write, manage, sign_in, denied."),
]
OfCaller = Annotated[str | None, Say(description="Only what this caller did, by name.")]
OfKey = Annotated[str | None, Say(description="Only what was done with this key, by its id.")]
OfRequest = Annotated[str | None, Say(description="Only what belongs to this request, by its X-Request-Id.")]
OfOperation = Annotated[str | None, Say(description="Only this operation, such as recall.")]
Outcome = Annotated[str | None, Say(description="Only what ended so: ok, or the code of an error, such as forbidden.")]
AuditSince = Annotated[Time | None, Say(description="Only from then on.")]
AuditUntil = Annotated[Time | None, Say(description="Only before then.")]
AfterRecord = Annotated[int, Say(ge=0, le=limits.SEQ, description="Where to go on: the `after` of the answer before.")]
AuditOrder = Annotated[Literal["newest", "oldest"], Say(description="Which come first.")]
SeenHead = Annotated[
    str | None, Say(max_length=100, description="A head that was noted earlier: is that record still there as it was?")
]
