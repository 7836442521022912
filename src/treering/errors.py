"""What can go wrong, as one tree. Faces map each kind to their status, MCP error or exit code in one table each.

TreeringError
├── CallerError             the request cannot be carried out as it stands
│   ├── InvalidRequest      a value is malformed or out of bounds
│   ├── NotFound            nothing of that id or name can be seen from here
│   ├── Conflict            it clashes with what is already known
│   │   └── Held            it would remove what is on hold
│   ├── Forbidden           this actor may not do that
│   └── LimitExceeded       more than a named limit allows
│       └── QuotaExceeded   the space holds as much as was granted to it
├── Unavailable             a store or a mind does not answer now; trying again may help
├── Unsupported             this build, store or file version cannot do that
└── Fault                   Treering or its data is broken
    └── Corrupted           stored bytes do not hold together
"""

from __future__ import annotations


class TreeringError(Exception):
    """The root. `code` is the stable word that faces and logs use for the kind."""

    code = "error"


class CallerError(TreeringError):
    code = "caller_error"


class InvalidRequest(CallerError):
    code = "invalid_request"


class NotFound(CallerError):
    code = "not_found"

    def __init__(self, message: str = "", ref: str | None = None) -> None:
        super().__init__(message)
        self.ref = ref
        """The id or name of which there is nothing, where it was one."""


class Conflict(CallerError):
    code = "conflict"


class Held(Conflict):
    code = "held"


class Forbidden(CallerError):
    code = "forbidden"


class LimitExceeded(CallerError):
    code = "limit_exceeded"


class QuotaExceeded(LimitExceeded):
    code = "quota_exceeded"


class Unavailable(TreeringError):
    code = "unavailable"

    def __init__(self, message: str, retry_after_seconds: float | None = None) -> None:
        super().__init__(message)
        self.retry_after_seconds = retry_after_seconds
        """When trying again may help, if that is known."""


class Unsupported(TreeringError):
    code = "unsupported"


class Fault(TreeringError):
    code = "fault"


class Corrupted(Fault):
    code = "corrupted"
