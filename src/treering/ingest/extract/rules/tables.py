"""All rules, in the order in which they are asked.

A rule has to be worth its place on sentences that its author never saw: `python -m bench.rules` asks all of them on the
texts of training/data. One that claims or ends fewer than eight things there goes, and so does one of whose claims less
than half are pairs that the authors wrote; one that mostly ends things has only to speak often enough. What no rule
reads, the model may (`learned_facts`). Kept whatever the count are the plainest ways, one or two each, to say that
something is so, came to be so or ended, of what any user tells first: where somebody works, lives and studies, whom
they are with or married to, who is over them, what they are called and do for a living, like, dislike, prefer, use,
own, eat, take and speak, and what they are ill with or allergic to; and what docs/promises.md promises to read.
"""

from __future__ import annotations

from treering.ingest.extract.rules.pattern import Rulebook, SentenceRule
from treering.ingest.extract.rules.table_people import HOMES, PEOPLE
from treering.ingest.extract.rules.table_taste import TASTE
from treering.ingest.extract.rules.table_things import THINGS
from treering.ingest.extract.rules.table_work import ROLES, WORK

TABLE: tuple[SentenceRule, ...] = (*HOMES, *WORK, *ROLES, *PEOPLE, *TASTE, *THINGS)
RULES = Rulebook(TABLE)
