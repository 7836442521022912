"""With which number does the program end? One table from kinds of error to exit codes, and the few codes beside it."""

from __future__ import annotations

from treering import errors

DONE = 0
DIFFERENCES = 1
"""A verification found that something does not hold; the command itself went well."""
MISUSED = 2
"""The shell's own word for a command line that cannot be read; the same as for an invalid request."""
INTERRUPTED = 130
NOBODY_READS = 141
"""The reader of a pipe went away: what the shell reports of a program stopped by SIGPIPE."""

EXIT_CODES: dict[type[errors.TreeringError], int] = {
    errors.CallerError: 2,
    errors.InvalidRequest: 2,
    errors.LimitExceeded: 2,
    errors.QuotaExceeded: 2,
    errors.NotFound: 3,
    errors.Conflict: 4,
    errors.Held: 4,
    errors.Forbidden: 5,
    errors.Unavailable: 6,
    errors.Unsupported: 7,
    errors.TreeringError: 8,
    errors.Fault: 8,
    errors.Corrupted: 8,
}


def exit_code(error: BaseException) -> int:
    """The code of the nearest kind in the table; whatever is no error of ours is a fault."""
    for kind in type(error).__mro__:
        if kind in EXIT_CODES:
            return EXIT_CODES[kind]
    return EXIT_CODES[errors.Fault]
