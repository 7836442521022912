"""Whose keys, grants and webhooks are these? Those of the paths that a caller administers, and of all below them: never
of what lies above or beside."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from treering.access.rights import ALL, Role, checked_path, whole_path
from treering.door import Treering
from treering.errors import Forbidden, InvalidRequest, NotFound
from treering.faces.rest.caller import Caller
from treering.operation import Operation


class Managing:
    def __init__(self, door: Treering, caller: Caller) -> None:
        self._door, self._caller = door, caller

    def must_allow(self, operation: Operation, given: Mapping[str, Any]) -> None:
        match operation.name:
            case "key_create" | "webhook_add":
                for path in self._named(operation, given):
                    self._caller.must_administer(path, "spaces")
            case "grant_add" | "grant_remove":
                self._caller.must_administer(whole_path(str(given.get("on", "")), "on"), "on")
            case "key_revoke" | "key_rotate":
                self._must_hold("key", given.get("id"), self._door.key_list())
            case "webhook_remove":
                self._must_hold("webhook", given.get("id"), self._door.webhook_list())
            case "webhook_resend":
                if given.get("webhook") is not None:
                    self._must_hold("webhook", given["webhook"], self._door.webhook_list())
                elif not self._caller.rights.cover(Role.ADMIN, ALL):
                    raise Forbidden("webhook: say which, by its id; all of them are those of the whole store")

    def narrowed(self, name: str, found: Sequence[Any]) -> list[Any]:
        if name == "grant_list":
            return [one for one in found if self._caller.rights.cover(Role.ADMIN, one.path)]
        if name == "webhook_letters":
            ours = {one.id for one in self._door.webhook_list() if self._is_ours(one.spaces)}
            return [one for one in found if one.webhook_id in ours]
        return [one for one in found if self._is_ours(one.spaces)]

    def _is_ours(self, paths: Sequence[str]) -> bool:
        return all(self._caller.rights.cover(Role.ADMIN, one) for one in paths)

    def _must_hold(self, what: str, wanted: object, there_are: Sequence[Any]) -> None:
        """What is another's is refused as what is not there."""
        if not any(one.id == wanted and self._is_ours(one.spaces) for one in there_are):
            shown = "`keys list`" if what == "key" else "`webhook-list`"
            raise NotFound(f"id: there is no {what} {wanted!r}; {shown} shows those there are", str(wanted))

    @staticmethod
    def _named(operation: Operation, given: Mapping[str, Any]) -> list[str]:
        usual = next(one.default for one in operation.parameters if one.name == "spaces")
        named = given.get("spaces", usual)
        if isinstance(named, str) or not isinstance(named, Sequence):
            raise InvalidRequest("spaces: give a list of spaces, such as acme/research, acme/* with all below, or *")
        return [checked_path(str(one), "spaces") for one in named]
