"""What does each operation take? Which role, and on what: declared here for every operation of the door, and held to by
`guarded`, whatever route, tool or dialect asks."""

from __future__ import annotations

from enum import StrEnum

from treering.access.audit import AuditKind
from treering.access.rights import Role
from treering.operation import Operation
from treering.values import dataclass

ADMIN = frozenset(
    {"purge", "settings", "relation_set", "relation_remove", "doctor",
     "reembed", "export", "import_journal", "receive_journal", "sync", "index_vault",
     "run_jobs", "timings", "audit_search", "audit_export", "audit_verify",
     "backup", "backup_run", "backup_list", "backup_rehearse", "hold", "release"}
)  # fmt: skip
"""What only an admin may do, besides removing and managing. A journal holds what is private too."""
OF_NO_SPACE = frozenset({"spaces", "analyze_message", "analyze_for_recall", "when"})
"""Operations that anybody may ask for who may do anything: their answers are narrowed, or come from no store."""
OVER_ALL = frozenset({"spaces", "taxonomy", "verify", "doctor", "run_jobs", "export", "import_journal", "audit_search"})
"""Operations that are about all spaces, or those below one, unless a space is named."""
OF_THE_STORE = frozenset({"import_journal", "receive_journal", "hold", "release"})
"""What takes an admin of all spaces, though it is about one: a journal says who wrote what, and what was granted to
whom; and whoever may purge in a space must not be the one who lifts its hold."""
BY_PATHS = frozenset({"key_create", "webhook_add", "grant_add", "grant_remove"})
"""What names paths, each of which the caller must administer."""
BY_ID = frozenset({"key_revoke", "key_rotate", "webhook_remove", "webhook_resend"})
"""What names one key or webhook, all of whose paths the caller must administer; else it is as if there were none."""
LISTED = frozenset({"key_list", "grant_list", "webhook_list", "webhook_letters"})
"""What lists them: those whose paths the caller administers."""
MANAGED = BY_PATHS | BY_ID | LISTED
TAKES_OUT = frozenset({"export", "backup", "sync", "audit_export"})
"""What is recorded as an export, not as a reading."""


class RightScope(StrEnum):
    """On what the role is needed."""

    ANYWHERE = "anywhere"
    SPACE = "space"
    STORE = "store"
    BELOW = "below"
    """The paths of the keys, grants and webhooks that it is about: those the caller administers, and what is below."""


@dataclass(frozen=True, slots=True)
class Needed:
    role: Role
    reach: RightScope


def needs(operation: Operation) -> Role:
    if operation.effect.removes_bytes or operation.name in ADMIN | MANAGED:
        return Role.ADMIN
    return Role.READ if operation.effect.reads_only else Role.WRITE


def reach(operation: Operation, of_a_space: bool) -> RightScope:
    """`of_a_space`: whether one is named, or meant."""
    if operation.name in MANAGED:
        return RightScope.BELOW
    if operation.name in OF_THE_STORE:
        return RightScope.STORE
    if of_a_space:
        return RightScope.SPACE
    return RightScope.ANYWHERE if operation.name in OF_NO_SPACE else RightScope.STORE


def needed(operation: Operation, of_a_space: bool) -> Needed:
    return Needed(needs(operation), reach(operation, of_a_space))


def has_space(operation: Operation) -> bool:
    return any(one.name == "space" for one in operation.parameters)


def recorded_as(operation: Operation) -> AuditKind:
    """In the audit trail."""
    if operation.name in TAKES_OUT:
        return AuditKind.EXPORT
    if operation.name in MANAGED and not operation.effect.reads_only:
        return AuditKind.MANAGE
    return AuditKind.READ if operation.effect.reads_only else AuditKind.WRITE
