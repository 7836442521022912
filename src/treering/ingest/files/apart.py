"""What may it cost to read a file that somebody has sent? A PDF of a kilobyte can unpack to gigabytes, or keep its
reader busy for hours. Such a file is read in a process of its own, which has so much memory and time, and no more.

Run as a program it is that process: the file comes in, its text or what is wrong with it goes out.
"""

from __future__ import annotations

import json
import subprocess
import sys
import threading

from treering import errors
from treering.ingest.files.kinds import FileKind

MEMORY_BYTES = 768 << 20
CPU_SECONDS = 20
WALL_SECONDS = 60.0
AT_ONCE = 2
"""How many files a process has read side by side: more of them wait."""
_turns = threading.BoundedSemaphore(AT_ONCE)


def read_apart(name: str, data: bytes, kind: FileKind) -> str:
    """The text of it. LimitExceeded where it takes more than a file may."""
    if not _turns.acquire(timeout=WALL_SECONDS):
        raise errors.Unavailable("other files are being read; try again in a minute")
    try:
        done = subprocess.run(
            [sys.executable, "-P", "-m", __name__, kind.name, name, str(MEMORY_BYTES), str(CPU_SECONDS)],
            input=data,
            capture_output=True,
            timeout=WALL_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise too_much(name) from None
    finally:
        _turns.release()
    try:
        told = json.loads(done.stdout)
    except ValueError:  # it was ended by its limits
        raise too_much(name) from None
    if "text" in told:
        return str(told["text"])
    kind_of_error = getattr(errors, str(told["error"]))
    raise kind_of_error(str(told["message"]))


def too_much(name: str) -> errors.LimitExceeded:
    return errors.LimitExceeded(
        f"file: {name} takes more than {CPU_SECONDS} seconds or {MEMORY_BYTES >> 20} MiB to read; split it, or send "
        "the text of it"
    )


def _bounded(memory_bytes: int, cpu_seconds: int) -> None:
    """Where the system can hold a process to it; elsewhere there is the time that whoever started it waits."""
    try:
        import resource
    except ImportError:
        return
    for what, most in (
        (resource.RLIMIT_AS, memory_bytes),
        (resource.RLIMIT_CPU, cpu_seconds),
        (resource.RLIMIT_CORE, 0),
    ):
        resource.setrlimit(what, (most, most))


def main() -> None:
    from treering.ingest.files.office import office_text

    kind, name, memory_bytes, cpu_seconds = sys.argv[1:]
    _bounded(int(memory_bytes), int(cpu_seconds))
    try:
        told = {"text": office_text(name, sys.stdin.buffer.read(), FileKind[kind])}
    except MemoryError:
        return  # whoever waits finds nothing, as when the system ends it
    except errors.TreeringError as error:
        told = {"error": type(error).__name__, "message": str(error)}
    sys.stdout.write(json.dumps(told))


if __name__ == "__main__":
    main()
