"""HOW do the hooks do? Lines for people, and the figures that count: tokens given, prompts with nothing, time added."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any


def summary(entries: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    prompts = [one for one in entries if one.get("event") == "prompt" and "trouble" not in one]
    answered = [one for one in entries if one.get("event") in ("prompt", "session-start") and "ms" in one]
    times = sorted(float(one["ms"]) for one in answered)
    nothing = sum(not one.get("given") for one in prompts)
    return {
        "events": len(entries),
        "sessions": len({one.get("session") for one in entries if one.get("session")}),
        "tokens_given": sum(int(one.get("tokens", 0)) for one in entries),
        "prompts": len(prompts),
        "prompts_with_nothing": round(nothing / len(prompts), 3) if prompts else None,
        "turns_taken": sum(int(one.get("taken", 0)) for one in entries),
        "notes": sum(int(one.get("notes", 0)) for one in entries),
        "secrets_masked": sum(sum(one.get("masked", {}).values()) for one in entries),
        "p95_ms": times[min(len(times) - 1, int(len(times) * 0.95))] if times else None,
        "troubles": sum("trouble" in one for one in entries),
    }


def lines(entries: Sequence[Mapping[str, Any]], told: Mapping[str, Any]) -> Iterator[str]:
    if not entries:
        yield "No hook has been called yet. `treering hooks install` sets them up."
        return
    for one in entries:
        where = f" {one['space']}" if one.get("space") else ""
        yield f"{one['at']} {one.get('client', '?')} {one.get('event', '?')}{where}: {_done(one)}"
    nothing = told["prompts_with_nothing"]
    share = "" if nothing is None else f", {nothing:.0%} of {told['prompts']} prompts with nothing"
    slow = "" if told["p95_ms"] is None else f", 95 % within {told['p95_ms']:g} ms"
    yield (
        f"In all: {told['tokens_given']:,} tokens given{share}{slow}; {told['turns_taken']:,} turns and "
        f"{told['notes']:,} notes taken, {told['secrets_masked']:,} secrets masked, {told['troubles']:,} troubles"
    )


def _done(one: Mapping[str, Any]) -> str:
    parts = []
    if one.get("given"):
        parts.append(f"gave {one['tokens']} tokens ({', '.join(str(id_)[-8:] for id_ in one['given'][:6])}"
                     + (", …)" if len(one["given"]) > 6 else ")"))  # fmt: skip
    elif one.get("event") in ("prompt", "session-start") and "trouble" not in one:
        parts.append("gave nothing")
    if "taken" in one:
        replaced = f", {one['replaced']} replaced" if one.get("replaced") else ""
        parts.append(f"took {one['taken']} turns, {one.get('notes', 0)} notes{replaced}")
    if one.get("masked"):
        parts.append("masked " + ", ".join(f"{count} {kind}" for kind, count in one["masked"].items()))
    if one.get("trouble"):
        parts.append(f"trouble: {one['trouble']}")
    if "ms" in one:
        parts.append(f"{one['ms']:g} ms")
    return "; ".join(parts) or "nothing to take"
