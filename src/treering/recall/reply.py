"""Was that asked before? What replies to a question like the one at hand is likely to answer it, whatever its words.

"Any plans for the summer?" "Finding an agency for the adoption." Who asks later what Ann plans for the summer shares no
word with her reply, and is not near to it in meaning. Her friend's question is near, were it not that it is her
friend's: an embedder that knows who speaks puts it far from a question about Ann. So it is compared with what else the
friend says.
"""

from __future__ import annotations

import numpy as np

from treering.recall.cues import Trait
from treering.recall.index.columns import Numbers
from treering.recall.keyword import Keywords
from treering.recall.search import Search
from treering.recall.semantic import Nearness

WORDS_COUNT = 0.5  # what all of the question's words are worth, beside a cosine
A_FEW_TURNS = 8  # as many turns of the usual nearness stand beside those of each speaker, of whom there may be few


def replies(search: Search, near: Nearness, keywords: Keywords | None, pool: Numbers) -> Numbers:
    """For each of the pool by how much the question that it replies to is nearer than its asker's turns usually are;
    nothing where it replies to none. Those are looked at of which the sentences were."""
    found = np.zeros(len(pool), np.float32)
    before = search.visible.previous[pool]
    places = np.flatnonzero(_is_reply(search, pool, before) & near.looked_at[before])
    if len(places):
        asked = before[places]
        nearer = near.last_sentences(asked) - _usual(search, near, pool)[search.column("speaker")[asked]]
        if keywords is not None:
            nearer = nearer + WORDS_COUNT * keywords.before(pool)[places]
        found[places] = np.maximum(nearer, 0)
    return found


def _is_reply(search: Search, pool: Numbers, before: Numbers) -> Numbers:
    """Another person ended with a question right before. Assistants are asked all the time, and offer more."""
    flags, speaker = search.column("flags"), search.column("speaker")
    asked = (before >= 0) & (flags[before] & np.uint16(Trait.ASKS) != 0) & (speaker[before] != speaker[pool])
    found: Numbers = asked & (flags[pool] & np.uint16(Trait.ASSISTANT) == 0)
    return found


def _usual(search: Search, near: Nearness, pool: Numbers) -> Numbers:
    """The mean cosine of the turns of each speaker; the last is nobody, who is number -1."""
    cosines, speaker = near.of(pool), search.column("speaker")[pool]
    speaker = np.where(speaker < 0, len(search.index.speakers), speaker)
    size = len(search.index.speakers) + 1
    turns, sums = np.bincount(speaker, minlength=size), np.bincount(speaker, weights=cosines, minlength=size)
    usual: Numbers = (sums + A_FEW_TURNS * cosines.mean()) / (turns + A_FEW_TURNS)
    return usual
