"""Which words speak for English? What has no more words of another language than of these is English."""

from __future__ import annotations

from treering.language.frequent import Frequent
from treering.language.listed import listed

FREQUENT = Frequent(
    common=listed(
        "the and of to in is was i you it that for on with at my we she they this have had did do what when where who "
        "how not be are were will from by an but or if last next ago since until before after yesterday today tomorrow "
        "your our his her their its has can could would should there here about just so than then been being does got "
        "get went am im monday tuesday wednesday thursday friday saturday sunday january february april june july "
        "august september october december week month year day every all some any out up new said like more one two"
    )
)
