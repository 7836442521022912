"""What does each operation take of who asks a server for it? As a page, from what is declared."""

from __future__ import annotations

from treering.door import OPERATIONS
from treering.faces.rest.rights import OVER_ALL, RightScope, has_space, needed
from treering.operation import Operation

_ON = {
    RightScope.ANYWHERE: "anything",
    RightScope.SPACE: "the space",
    RightScope.STORE: "everything (`*`)",
    RightScope.BELOW: "the paths of what it is about",
}
_HEAD = """# What each operation takes

<!-- Made from the code by `make docs`; do not edit. -->

Over any route, tool or dialect of a server a caller needs this role, on this. A role on a path holds for all below it
and for nothing above or beside ([who may do what](../concepts/identity.md)). Where two are named, the second is for all
spaces at once.

| operation | role | on |
|---|---|---|
"""


def page() -> str:
    return _HEAD + "".join(f"| {one.name} | {needed(one, True).role} | {_on(one)} |\n" for one in OPERATIONS.values())


def _on(operation: Operation) -> str:
    ways = [has_space(operation)] + ([False] if operation.name in OVER_ALL else [])
    return ", or ".join(dict.fromkeys(_ON[needed(operation, one).reach] for one in ways))
