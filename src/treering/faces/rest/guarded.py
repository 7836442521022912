"""What may this caller do? The door as one caller may use it: every operation is held to the caller's role, spaces and
name, by whatever route or dialect it is asked for."""

from __future__ import annotations

import functools
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING, Any, cast

from treering.access.keys import Role
from treering.door import OPERATIONS, Treering
from treering.errors import Forbidden
from treering.faces.afar import Door
from treering.faces.rest.caller import Caller
from treering.files import must_be_sent
from treering.model.space import space_name
from treering.operation import Operation

if TYPE_CHECKING:
    from treering.door.serving import Equipment
    from treering.ingest.extract.client import Sampler
    from treering.store.contract import Progress

ADMIN = frozenset(
    {"purge", "settings", "doctor", "reembed", "export", "import_journal", "receive_journal", "sync", "index_vault",
     "run_jobs", "key_create",
     "key_list", "key_revoke", "webhook_add", "webhook_list", "webhook_remove", "webhook_letters", "webhook_resend",
     "timings", "backup", "backup_run", "backup_list", "backup_rehearse", "hold", "release"}
)  # fmt: skip
"""What only an admin may do, besides removing. A journal holds what is private too."""
OF_THE_STORE = frozenset({"quota", "hold"})
"""Settings of a space that an admin of all spaces grants and lifts."""
OF_NO_SPACE = frozenset({"spaces", "analyze_message", "analyze_for_recall", "when"})
"""Operations that any key may ask for: their answers are narrowed, or come from no store."""
OVER_ALL = frozenset({"spaces", "taxonomy", "verify", "doctor", "run_jobs", "export", "import_journal"})
"""Operations that are about all spaces, or those below one, unless a space is named."""


def _reporters(given: Mapping[str, Any]) -> Iterator[str]:
    """In whose names something is to be kept: said once for all of it, or for each."""
    items = given.get("items")
    for one in (given, *(items if isinstance(items, Sequence) else ())):
        if isinstance(one, Mapping) and isinstance(name := one.get("observed_by"), str):
            yield name


def _names(changes: object) -> Collection[str]:
    return changes.keys() if isinstance(changes, Mapping) else ()


def needs(operation: Operation) -> Role:
    if operation.effect.removes_bytes or operation.name in ADMIN:
        return Role.ADMIN
    return Role.READ if operation.effect.reads_only else Role.WRITE


def has_space(operation: Operation) -> bool:
    return any(one.name == "space" for one in operation.parameters)


class Guarded:
    """In place of a door. What is no operation is not there."""

    def __init__(self, door: Treering, caller: Caller, space: str | None = None) -> None:
        acting = door.acting_for(caller.name).from_afar().held_to(caller)
        self._door = acting if caller.sees_all else acting.without_vault()
        self._caller = caller
        self._own = space

    def space(self, name: str) -> Guarded:
        return Guarded(self._door.space(name), self._caller, space_name(name))

    def now(self) -> datetime:
        return self._door.now()

    def watched(self, progress: Progress) -> Guarded:
        return self._on(self._door.watched(progress))

    def lent(self, sample: Sampler | None) -> Guarded:
        return self._on(self._door.lent(sample))

    def without_meaning(self) -> Guarded:
        return self._on(self._door.without_meaning())

    def without_reranker(self) -> Guarded:
        return self._on(self._door.without_reranker())

    def among(self, memory_ids: Iterable[str]) -> Guarded:
        return self._on(self._door.among(memory_ids))

    def unnoticed(self) -> Guarded:
        return self._on(self._door.unnoticed())

    def _on(self, door: Treering) -> Guarded:
        return Guarded(door, self._caller, self._own)

    def equipment(self) -> Equipment:
        return self._door.equipment()

    @property
    def actor(self) -> str:
        return self._caller.name

    @property
    def bound_space(self) -> str:
        return self._own or self._door.bound_space

    def __getattr__(self, name: str) -> Callable[..., Any]:
        if name not in OPERATIONS:
            raise AttributeError(f"there is no operation {name!r}")
        operation = OPERATIONS[name]

        @functools.wraps(operation.method)
        def call(*args: Any, **kwargs: Any) -> Any:
            given = operation.named(args, kwargs)
            self._must_allow(operation, given)
            result = getattr(self._door, name)(**given)
            return result if self._caller.sees_all else self._narrowed(name, result)

        return call

    def must_allow(self, operation: str, **given: Any) -> None:
        self._must_allow(OPERATIONS[operation], given)

    def _must_allow(self, operation: Operation, given: Mapping[str, Any]) -> None:
        caller = self._caller
        caller.must_be(needs(operation))
        caller.must_speak_for(given.get("principal"))
        for reported in _reporters(given):
            caller.may_report_for(reported)
        if operation.name == "key_create" and caller.key is None:
            raise Forbidden(
                "a first key is made on the machine itself, by `treering keys create`: from then on nobody comes in "
                "without one"
            )
        if operation.name == "settings" and not OF_THE_STORE.isdisjoint(_names(given.get("changes"))):
            caller.must_see_all()
        if operation.name in ("hold", "release"):
            caller.must_see_all()  # whoever may purge in a space must not be the one who lifts its hold
        if operation.name in ("import_journal", "receive_journal"):
            caller.must_see_all()  # a journal says who wrote what, and what was granted to whom
        for name in sorted(operation.files & given.keys()):
            must_be_sent(given[name], name)
        space = given.get("space")
        if space is None and operation.name == "taxonomy":
            space = given.get("prefix")
        if space is None and has_space(operation) and operation.name not in OVER_ALL:
            space = self._own or self._door.bound_space
        if space is not None:
            below = operation.name == "taxonomy" or given.get("children") not in (None, False, "false", "0", "")
            caller.must_open(str(space), below=below)
        elif operation.name not in OF_NO_SPACE:
            caller.must_see_all()

    def _narrowed(self, name: str, result: Any) -> Any:
        """Without what would tell of spaces that the caller's key does not open."""
        key = self._caller.key
        if name == "spaces":
            return [one for one in result if key is None or key.opens(one.name)]
        if name == "status":
            return replace(result, spaces=1, store={"engine": result.store.get("engine")})
        return result


def guarded(door: Treering, caller: Caller) -> Door:
    """It answers to every operation of the door, and to nothing else. Where no space is named, the one that is meant is
    the only one the caller's key opens, if it opens but one."""
    only = caller.only_space
    return cast(Door, Guarded(door, caller) if only is None else Guarded(door.space(only), caller, only))
