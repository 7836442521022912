"""Is somebody there for good, or only just now? Words by which a stay, a visit and a sideline are told from the rest.

Each is a pattern that rules ask for with `needs` and `unless`. "I'm at Volvo now" is a job and "I've been in Utrecht
since 2019" a home; "I'm at Costco with the kids" and "I'm in Chicago for the weekend" are neither.
"""

from __future__ import annotations

_DAY = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day"
_WEEKDAY = rf"{_DAY}s?"
_FEW = r"(?:an?|a few|a couple of|another|the|one|two|three|four|five|six|some|\d+)"
_EVENT = (
    r"(?:\w+ )?(?:meeting|conference|wedding|funeral|concert|game|match|interview|party|talk|race|marathon|visit|show"
    r"|festival|birthday|bite|drink|appointment|check-?up|holidays?|summer|winter|season|reunion)"
)
_OCCASION = (
    r"(?:lunch|dinner|breakfast|brunch|coffee|drinks|work|business|christmas|thanksgiving|easter|new year'?s?"
    rf"|(?:\w+ )?break|(?:an?|the) {_EVENT})"
)

_FOR_A_WHILE = (
    r"\b(?:today|tonight|tomorrow|right now|at the moment|this month|temporarily"
    r"|(?:this|all) (?:morning|afternoon|evening|day|night|week|weekend)"
    rf"|for {_FEW} (?:\w+ )?(?:moments?|minutes?|hours?|bit|while|days?|nights?|weekends?)"
    rf"|(?:until|till|til|through|on|by) (?:about |next |last |this )?(?:{_WEEKDAY}|noon|midnight))\b"
)
_ON_A_TRIP = (
    r"\b(?:on (?:an? |our |my |the )?(?:\w+ )?(?:vacation|holidays?|trip|layover|stopover|tour|getaway|business|cruise"
    r"|break)|visiting|visit|honeymoon|flights?|sightseeing|travell?ing|backpacking|touring|passing through|layover"
    r"|hotel|hostel|airbnb|crashing|\w+-?sitting"
    r"|(?:fly|flying|flies|drive|driving|head|heading|go|going|travell?ing) (?:back|home)"
    rf"|(?:home|back) (?:on |by )?(?:{_WEEKDAY}|tomorrow)|for {_OCCASION}|to (?:see|visit|meet)"
    r"|once|twice|(?:many|several|few|three|four|five|\d+) times)\b"
)
_AS_A_GUEST = (
    r"\b(?:shopping|buying|picking up|waiting|queu\w+|in line|eating|having|ordering|grabbing|returning|errands?"
    r"|groceries|checking (?:in|out)|drinking|watching|parked|customer)\b"
)
PASSING = rf"{_FOR_A_WHILE}|{_ON_A_TRIP}|{_AS_A_GUEST}"
"""Of somebody who is somewhere: they are there for the day, on a trip or as a guest."""
AWAY = (
    rf"{PASSING}|\b(?:next (?:week|weekend|month)|for {_FEW} (?:\w+ )?weeks?"
    rf"|since (?:last )?(?:{_WEEKDAY}|yesterday|night))\b"
)
"""Of somebody who is in a town: they do not live there."""

_FOR_YEARS = r"\bfor (?:\w+ ){0,3}(?:months|years|decades|year)\b|\bsince\b"
LASTING = rf"{_FOR_YEARS}|\b(?:these days|nowadays|as of|for good|permanently|full[- ]time)\b"
"""Of somebody who is somewhere: that is where they live or work."""
STILL_SO = r"\b(?:now|still|back|no longer|anymore|any more|put)\b"
"""The same, of a town, or of a firm that nobody visits."""

ON_THE_SIDE = (
    r"\b(?:also|part[- ]?time|on the side|moonlight\w*|volunteer\w*|weekends?|evenings|in my (?:spare|free) time"
    rf"|on {_DAY}s|second job|side (?:gig|job|hustle)|as a hobby|freelanc\w+|consult(?:s|ing)? for)\b"
)
"""Of work: it is done beside something else, and takes nobody's place."""
JUST_TODAY = (
    r"\bworking (?:[\w'&.-]+ ){1,5}(?:today|tonight|tomorrow|right now|this (?:morning|afternoon)|for the day)\b"
)
"""Of work: its place is where somebody sits that day."""
