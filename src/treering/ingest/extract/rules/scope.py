"""Which project is a talk about? "Sprint planning for Tidewater": what "we" use from there on is Tidewater's."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from treering.ingest.extract.contract import Claim
from treering.ingest.extract.rules.lexicon import SYSTEMS
from treering.language.names import Name

_ABOUT = re.compile(
    r"\b(?:notes|planning|kickoff|kick-off|update|status|roadmap|retro|standup|plan|review|spec|sync|meeting|stack"
    r"|agenda|minutes)"
    r"\b[^.:!?\n]{0,24}?\b(?:for|of|on|about)\s+(?:the\s+|our\s+)?(?:[Pp]roject\s+)?",
)
_OF_PROJECTS = frozenset(("USES", "DEADLINE", "BUDGET", "BUDGET_CAP"))


def project_of(texts: Sequence[tuple[str, Sequence[Name]]]) -> str | None:
    """The project that the latest of these texts names as its subject."""
    for text, names in reversed(texts):
        for found in _ABOUT.finditer(text):
            for name in names:
                if found.end() - 8 <= name.start <= found.end() + 1 and name.kind not in ("person", "place"):
                    return re.sub(r"^[Pp]roject\s+", "", name.text)
    return None


def within(claims: list[Claim], project: str | None, me: str) -> list[Claim]:
    if project is None:
        return claims
    return [
        replace(claim, subject=project) if _is_its(claim, me) and claim.object != project else claim for claim in claims
    ]


def _is_its(claim: Claim, me: str) -> bool:
    return claim.relation in _OF_PROJECTS and (claim.subject == me or claim.subject.lower() in SYSTEMS)
