"""Does a sentence say anything worth remembering? Greetings, thanks and nods do not; anything with content does.

Ask sentence by sentence: "hey hey, happy tuesday! my new boss is Ines" has an empty half and a full one. In doubt a
sentence is full.
"""

from __future__ import annotations

import re

_EMPTY = re.compile(r"(?:hi|hey|hello|thanks|thank you|ok|okay|lol|haha|bye|good (?:morning|night))[\s!.,:)]*", re.I)


def small_talk(text: str) -> str | None:
    """Why the sentence is empty (greeting, farewell, thanks, acknowledgement, laughter, filler), or None: it is not."""
    return "filler" if _EMPTY.fullmatch(text.strip()) else None
