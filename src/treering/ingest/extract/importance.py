"""How much does a statement matter? Minor, moderate or defining, by what it claims; a model may say it itself."""

from __future__ import annotations

from collections.abc import Sequence

from treering.ingest.extract.contract import Claim
from treering.relations.own import TABLE

MINOR, MODERATE, DEFINING = 0.3, 0.6, 0.9


def by_claims(claims: Sequence[Claim], me: str) -> float:
    """`me`: who speaks. Their name says who they are; what others and things are called does not."""
    names, defining = TABLE.marked("names"), TABLE.marked("defines")
    defines = (one.relation in defining or (one.relation in names and one.subject == me) for one in claims)
    return DEFINING if any(defines) else MODERATE
