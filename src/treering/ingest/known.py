"""Which of two readings is meant? What is known of somebody decides, where words alone do not.

"Alex moved to Stripe" tells of a new employer where Alex is known to have one, and may be anything else of somebody of
whom nothing is known. An extractor does not know what is known: it says what the words would state (`perhaps`), and
here that comes to hold or is left.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

from treering.ingest.extract.contract import Claim, Extracted, Extraction, Stance
from treering.ingest.extract.importance import by_claims
from treering.model.entity import fold
from treering.model.memory import Kind
from treering.relations import Taste, table
from treering.store.contract import EdgeFilter, Reader

TAKEN = tuple(one.name for one in table().values() if one.family == "having" or one.taste is Taste.FOR)
"""Who is known to have these to do with it may well have gone over to it as a customer."""


@dataclass
class KnownReadings:
    """Of texts in order: what one states is known to the next."""

    reader: Reader
    _said: set[tuple[str, str]] = field(default_factory=set)

    def settled(self, extractions: Iterable[Extraction]) -> list[Extraction]:
        return [self._one(extraction) for extraction in extractions]

    def _one(self, extraction: Extraction) -> Extraction:
        if any(one.perhaps for one in extraction.extracted):
            extraction = replace(extraction, extracted=tuple(self._statements(extraction.extracted)))
        for one in extraction.extracted:
            self._said |= {(fold(c.subject), c.relation) for c in one.claims if c.stance is Stance.HOLDS}
        return extraction

    def _statements(self, extracted: tuple[Extracted, ...]) -> Iterator[Extracted]:
        meant = {_pair(claim): claim for one in extracted for claim in one.perhaps if self._is_known(claim)}
        for one in extracted:
            otherwise = [claim for claim in one.claims if _pair(claim) in meant]
            if not any(one.content == _sentence(claim) for claim in otherwise):  # else it told the other reading alone
                claims = tuple(claim for claim in one.claims if claim not in otherwise)
                yield replace(one, claims=claims, perhaps=())
            yield from (self._state(one, claim) for claim in one.perhaps if _pair(claim) in meant)

    def _state(self, said: Extracted, claim: Claim) -> Extracted:
        """What is so from then on, in the relation's own words."""
        return replace(
            said,
            content=_sentence(claim),
            kind=Kind.SEMANTIC,
            expires_at=None,
            importance=by_claims((claim,), claim.subject),
            claims=(claim,),
            perhaps=(),
        )

    def _is_known(self, claim: Claim) -> bool:
        """Whether the subject is known to have another value of the relation, and nothing to do with this one."""
        if (fold(claim.subject), claim.relation) in self._said:
            return True
        subjects = tuple(one.id for one in self.reader.entities(claim.subject))
        values = {one.id for one in self.reader.entities(claim.object)}
        if not subjects:
            return False
        facts = self.reader.edges(EdgeFilter(source_ids=subjects, relations=(claim.relation, *TAKEN)))
        taken = any(one.relation in TAKEN and one.target_id in values for one in facts)
        return not taken and any(one.relation == claim.relation and one.target_id not in values for one in facts)


def _pair(claim: Claim) -> tuple[str, str]:
    return fold(claim.subject), fold(claim.object)


def _sentence(claim: Claim) -> str:
    row = table().get(claim.relation)
    return "" if row is None else row.sentence.format(s=claim.subject, v=claim.object)
