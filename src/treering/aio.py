"""`import treering.aio`: the async face under its short name."""

from treering.faces.aio import AsyncTreering, open  # noqa: A004

__all__ = ["AsyncTreering", "open"]
