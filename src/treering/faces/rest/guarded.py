"""What may this caller do? The door as one caller may use it: every operation is held to the caller's role, spaces and
name, by whatever route or dialect it is asked for."""

from __future__ import annotations

import functools
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING, Any, TypeVar, cast

from treering.access.audit import AuditKind, asked_for, ids_in
from treering.access.rights import ALL, Role
from treering.door import OPERATIONS, Treering
from treering.errors import CallerError, Forbidden, TreeringError
from treering.faces.afar import Door
from treering.faces.rest.caller import Caller
from treering.faces.rest.managing import Managing
from treering.faces.rest.rights import LISTED, OVER_ALL, RightScope, has_space, needed, recorded_as
from treering.files import must_be_sent
from treering.model.space import space_name
from treering.operation import Operation

T = TypeVar("T")

if TYPE_CHECKING:
    from treering.door.serving import Equipment
    from treering.ingest.extract.client import Sampler
    from treering.store.contract import Progress

OF_ALL_ADMINS = frozenset({"hold"})
"""Settings of a space that an admin of all spaces grants and lifts."""


def _reporters(given: Mapping[str, Any]) -> Iterator[str]:
    """In whose names something is to be kept: said once for all of it, or for each."""
    items = given.get("items")
    for one in (given, *(items if isinstance(items, Sequence) else ())):
        if isinstance(one, Mapping) and isinstance(name := one.get("observed_by"), str):
            yield name


def _names(changes: object) -> Collection[str]:
    return changes.keys() if isinstance(changes, Mapping) else ()


class Guarded:
    """In place of a door. What is no operation is not there."""

    def __init__(self, door: Treering, caller: Caller, space: str | None = None) -> None:
        acting = door.acting_for(caller.name).from_afar().held_to(caller)
        self._door = acting if caller.is_the_same_everywhere else acting.without_vault()
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
            return self._recorded(operation, given, lambda: self._answered(operation, given))

        return call

    def _answered(self, operation: Operation, given: Mapping[str, Any]) -> Any:
        self._must_allow(operation, given)
        result = getattr(self._door, operation.name)(**given)
        return self._narrowed(operation.name, result)

    # whether it may be asked

    def must_allow(self, operation: str, **given: Any) -> None:
        one = OPERATIONS[operation]
        self._recorded(one, given, lambda: self._must_allow(one, given), only_refusals=True)

    def _must_allow(self, operation: Operation, given: Mapping[str, Any]) -> None:
        caller, space = self._caller, self._space_of(operation, given)
        want = needed(operation, space is not None)
        caller.must_be(want.role)
        for reported in _reporters(given):
            caller.may_report_for(reported)
        if operation.name == "key_create" and not caller.is_known:
            raise Forbidden(
                "a first key is made on the machine itself, by `treering keys create`: from then on nobody comes in "
                "without one"
            )
        if operation.name == "settings" and not OF_ALL_ADMINS.isdisjoint(_names(given.get("changes"))):
            caller.must_see_all(Role.ADMIN)
        for name in sorted(operation.files & given.keys()):
            must_be_sent(given[name], name)
        if space is not None:
            below = operation.name == "taxonomy" or given.get("children") not in (None, False, "false", "0", "")
            caller.must_open(space, want.role, below)
            if operation.name == "settings" and "quota" in _names(given.get("changes")):
                caller.must_stand_above(space)
        if want.reach is RightScope.STORE:
            caller.must_see_all(want.role)
        elif want.reach is RightScope.BELOW:
            self._managing.must_allow(operation, given)
        caller.must_speak_for(given.get("principal"), ALL if space is None else space)

    def _space_of(self, operation: Operation, given: Mapping[str, Any]) -> str | None:
        """The one that is named, or meant; none if it is about none, or all."""
        space = given.get("space")
        if space is None and operation.name == "taxonomy":
            space = given.get("prefix")
        if space is None and has_space(operation) and operation.name not in OVER_ALL:
            space = self.bound_space
        return None if space is None else str(space)

    # what is told of it

    def _recorded(
        self, operation: Operation, given: Mapping[str, Any], ask: Callable[[], T], only_refusals: bool = False
    ) -> T:
        """The answer, once it stands in the audit trail; or the refusal, likewise."""
        visit, kind, space = self._caller.visit, recorded_as(operation), self._space_of(operation, given)
        if space is not None:
            with suppress(CallerError):  # what is no name of a space is refused where it is checked
                visit.was_about(space)
        try:
            answer = ask()
        except TreeringError as error:
            refused = isinstance(error, Forbidden)
            if refused or not only_refusals:
                self._note(AuditKind.DENIED if refused else kind, operation, given, error.code)
            raise
        if not only_refusals:
            self._note(kind, operation, given, "ok", answer)
        return answer

    def _note(
        self, kind: AuditKind, operation: Operation, given: Mapping[str, Any], outcome: str, answer: object = None
    ) -> None:
        caller, visit = self._caller, self._caller.visit
        if visit.auditor is None or not visit.auditor.is_on:
            return
        detail: dict[str, Any] = {}
        if (
            visit.auditor.is_full and recorded_as(operation) is not AuditKind.WRITE
        ):  # what is to be written is the journal's
            detail["asked"] = asked_for(given)
        if visit.auditor.is_full and answer is not None:
            detail["ids"] = ids_in(answer)
        space = self._space_of(operation, given)
        visit.auditor.record(
            kind,
            detail,
            operation=operation.name,
            space=space if space in visit.spaces else None,
            caller=caller.name,
            key=caller.key_id,
            request=visit.request,
            outcome=outcome,
        )

    def _narrowed(self, name: str, result: Any) -> Any:
        """Without what would tell of spaces that are not open to the caller, or of what is private to others."""
        if name in LISTED:
            return self._managing.narrowed(name, result)
        if name == "verify" and not all(self._caller.rights.cover(Role.ADMIN, one) for one in result.spaces):
            return result.for_readers()
        if self._caller.sees_all:
            return result
        if name == "spaces":
            return [one for one in result if self._caller.rights.cover(Role.READ, one.name)]
        if name == "status":
            return replace(result, spaces=1, store={"engine": result.store.get("engine")})
        return result

    @property
    def _managing(self) -> Managing:
        return Managing(self._door, self._caller)


def guarded(door: Treering, caller: Caller) -> Door:
    """It answers to every operation of the door, and to nothing else. Where no space is named, the one that is meant is
    the only one the caller's key opens, if it opens but one."""
    only = caller.only_space
    return cast(Door, Guarded(door, caller) if only is None else Guarded(door.space(only), caller, only))
