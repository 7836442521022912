"""What is shown of those who come in and those who are told? Keys, webhooks, what could not be delivered, and what
happened."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from treering.access.audit import AuditPage
from treering.access.grants import Grant
from treering.access.keys import ApiKey
from treering.exchange.webhooks.address import is_plainly_private
from treering.exchange.webhooks.kept import AddedWebhook, DeadLetter, Webhook
from treering.faces.cli.blocks import Block, Cell, Line, Pairs, Rows, TableColumn, cell, id_cell, time_cell
from treering.graph.happened import Happenings


def keys(found: Sequence[ApiKey]) -> Rows:
    columns = (
        TableColumn("id"),
        TableColumn("name", main=True),
        TableColumn("role"),
        TableColumn("spaces", main=True),
        TableColumn("made"),
        TableColumn("used"),
        TableColumn("expires"),
        TableColumn("revoked"),
        TableColumn("a minute", roomy=True),
        TableColumn("a day", roomy=True),
    )
    rows = (
        (
            cell(one.id, "quiet"),
            cell(one.name, "name"),
            cell(one.role.value),
            cell(", ".join(one.spaces)),
            time_cell(one.created_at),
            time_cell(one.last_used_at),
            time_cell(one.expires_at),
            time_cell(one.revoked_at, "warn"),
            cell(one.requests_a_minute),
            cell(one.requests_a_day),
        )
        for one in found
    )
    return Rows(columns, tuple(rows), "none")


def grants(found: Sequence[Grant]) -> Rows:
    columns = (
        TableColumn("group", main=True),
        TableColumn("role"),
        TableColumn("path", main=True),
        TableColumn("granted"),
        TableColumn("by"),
    )
    rows = (
        (
            cell(one.group, "name"),
            cell(one.role.value),
            cell(one.path),
            time_cell(one.granted_at),
            cell(one.granted_by or "settings", "quiet"),
        )
        for one in found
    )
    return Rows(columns, tuple(rows), "none")


def audit(found: AuditPage) -> Iterator[Block]:
    columns = (
        TableColumn("record"),
        TableColumn("at"),
        TableColumn("kind"),
        TableColumn("caller", main=True),
        TableColumn("operation"),
        TableColumn("space", main=True),
        TableColumn("outcome"),
        TableColumn("key", roomy=True),
        TableColumn("request", roomy=True),
    )
    rows = (
        (
            cell(one.seq),
            time_cell(one.at),
            cell(one.kind),
            cell(one.caller, "name"),
            cell(one.operation),
            cell(one.space),
            cell(one.outcome, "plain" if one.outcome == "ok" else "bad"),
            cell(one.key, "quiet"),
            cell(one.request, "quiet"),
        )
        for one in found.records
    )
    yield Rows(columns, tuple(rows), "nothing is recorded; a server records where TREERING_AUDIT says so")
    if found.more:
        yield Line(f"more: --after {found.after}", "quiet", for_people=True, names_options=True)


def webhooks(found: Sequence[Webhook]) -> Rows:
    columns = (
        TableColumn("id"),
        TableColumn("address", main=True),
        TableColumn("spaces"),
        TableColumn("events"),
        TableColumn("reached", main=True),
        TableColumn("tries", roomy=True),
        TableColumn("failing", main=True),
    )
    rows = (
        (
            cell(one.id, "quiet"),
            cell(one.url, "name"),
            cell(", ".join(one.spaces)),
            cell(", ".join(one.events) or "all"),
            cell(", ".join(f"{space} {seq}" for space, seq in one.reached.items())),
            cell(one.tries),
            cell(one.failing, "bad"),
        )
        for one in found
    )
    return Rows(columns, tuple(rows), "none")


def added_webhook(added: AddedWebhook) -> Iterator[Block]:
    yield Pairs((("secret", cell(added.secret, "warn")),))
    yield webhooks([added.webhook])
    if is_plainly_private(added.webhook.url):
        yield Line("not a public address: only a server with --allow-private-webhooks tells it anything", "warn")


def letters(found: Sequence[DeadLetter]) -> Rows:
    columns = (
        TableColumn("id"),
        TableColumn("webhook"),
        TableColumn("space"),
        TableColumn("entry"),
        TableColumn("at"),
        TableColumn("tries"),
        TableColumn("error", main=True),
    )
    rows = (
        (
            cell(one.id, "quiet"),
            cell(one.webhook_id, "quiet"),
            cell(one.space),
            cell(one.seq),
            time_cell(one.at),
            cell(one.tries),
            cell(one.error, "bad"),
        )
        for one in found
    )
    return Rows(columns, tuple(rows), "none")


def happenings(found: Happenings) -> Iterator[Block]:
    columns = (
        TableColumn("entry"),
        TableColumn("at"),
        TableColumn("by"),
        TableColumn("operation"),
        TableColumn("change", main=True),
        TableColumn("ids", main=True),
        TableColumn("space", roomy=True),
    )
    rows = (
        (
            Cell(str(one.seq), f"{one.seq}.{one.index}"),
            time_cell(one.at),
            cell(one.actor, "name"),
            cell(one.op),
            cell(one.type),
            _ids(one.ids),
            cell(one.space, "quiet"),
        )
        for one in found.events
    )
    yield Rows(columns, tuple(rows), "nothing happened since")
    if found.more:
        yield Line(f"more: --after {found.after}", "quiet", for_people=True, names_options=True)


def _ids(ids: Sequence[str]) -> Cell:
    return Cell(" ".join(id_cell(one).shown for one in ids), " ".join(ids), "quiet", roomy=True)
