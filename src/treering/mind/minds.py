"""Which embedder reads a space? The one it chose, else the one that was first to read it, else this door's default;
none at all if that is what this door was told.

Each is opened once and shared by all spaces that it reads.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping
from typing import Any

from treering.errors import InvalidRequest, Unsupported
from treering.mind import DEFAULT_EMBEDDER, EMBEDDERS, NO_EMBEDDER, open_embedder
from treering.mind.contract import Embedder


class Minds:
    def __init__(
        self, default: str | Embedder = DEFAULT_EMBEDDER, options: Mapping[str, Mapping[str, Any]] | None = None
    ) -> None:
        """`default`: an embedder, or the name of one; `none` reads nothing. `options`: by name, what they are opened
        with."""
        self._options = dict(options or {})
        self._open: dict[str, Embedder] = {}
        self._lock = threading.Lock()
        self.default = default if isinstance(default, str) else default.name
        if not isinstance(default, str):
            self._open[default.name] = default

    def named(self, name: str) -> Embedder | None:
        """The embedder of that name, none for `none`. A stored name may say more than the kind: `openai/model`."""
        if name == NO_EMBEDDER:
            return None
        with self._lock:
            if name not in self._open:
                kind = name.split("/", 1)[0]
                if kind not in EMBEDDERS:
                    raise InvalidRequest(
                        f"embedder: {name!r} is not one of {', '.join(EMBEDDERS)} or none; `reembed` gives a space "
                        f"another, and TREERING_EMBEDDER is for spaces that have none of their own"
                    )
                embedder = open_embedder(kind, **self._options.get(kind, {}))
                if name not in (kind, embedder.name):
                    raise Unsupported(
                        f"embedder: this space was read by {name!r}, and {embedder.name!r} is what is set up here; "
                        f"set it up alike, or let `reembed` read the space anew"
                    )
                for known_as in (kind, embedder.name):
                    self._open.setdefault(known_as, embedder)
            return self._open[name]

    def choose(self, own: str | None, kept: list[str]) -> str:
        """The name: `own` is the space's setting, `kept` are those whose vectors it has, the one that began first
        before the others: while another is about to take over, all doors go on with that one."""
        if own is not None:
            return own
        return self.default if self.default == NO_EMBEDDER or not kept else kept[0]

    def reads(self, own: str | None, kept: list[str]) -> Embedder | None:
        return self.named(self.choose(own, kept))
