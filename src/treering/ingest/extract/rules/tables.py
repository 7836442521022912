"""All rules, in the order in which they are asked."""

from __future__ import annotations

from treering.ingest.extract.rules.pattern import Rulebook, SentenceRule
from treering.ingest.extract.rules.table_homes import HOMES
from treering.ingest.extract.rules.table_people import PEOPLE
from treering.ingest.extract.rules.table_roles import ROLES
from treering.ingest.extract.rules.table_taste import TASTE
from treering.ingest.extract.rules.table_things import THINGS
from treering.ingest.extract.rules.table_work import IN_PASSING, WORK

TABLE: tuple[SentenceRule, ...] = (*HOMES, *WORK, *ROLES, *IN_PASSING, *PEOPLE, *TASTE, *THINGS)
RULES = Rulebook(TABLE)
