"""Who is whose partner, parent, friend? The table of rules, each with sentences that it must read.

What stands inside a phrase ("my daughter Wren", "my boss Henrike") is read by `kinship` and needs no rule here.
"""

from __future__ import annotations

from treering.ingest.extract.contract import Cue
from treering.ingest.extract.rules.pattern import SentenceRule, rule
from treering.ingest.extract.rules.stays import LASTING, PASSING, STILL_SO
from treering.model.memory import Kind

_FOR_ONCE = r"\b(?:today|tonight|tomorrow|for (?:lunch|dinner|drinks|coffee)|on a date)\b"
_MEETING = (
    rf"{PASSING}|\b(?:doctor|dr|therapist|dentist|next|later|soon|perform\w*|concert|live|play|meeting|call)\b"
    r"|\bat \d|\d ?[ap]m\b|\bseeing [\w.' ]{2,30}? (?:in|on|at|this)\b"
)
"""Who is seen for an hour is nobody's partner."""
_PAIR = "(?P<S>\\[[in]\\d+\\]) and (?P<O>\\[[in]\\d+\\])"

PEOPLE: tuple[SentenceRule, ...] = (
    rule(
        "two are a couple",
        _PAIR + " (?:is|has been|got) (?:back )?(?:together|dating|(?P<X>\\[c\\d+\\]))",
        "S PARTNER_OF O",
        where={"S": "whom", "O": "whom", "X": "couple"},
        kind=Kind.SEMANTIC,
        examples=(("Luca and I are together", "Luca PARTNER_OF User"),),
    ),
    rule(
        "two got engaged",
        _PAIR + " (?:is|has|got|has got|has gotten) (?:engaged)",
        "S ENGAGED_TO O",
        kind=Kind.EPISODE,
        cue=Cue.CHANGE,
        change=True,
        examples=(("Kit and I got engaged at midnight", "Kit ENGAGED_TO User"),),
    ),
    rule(
        "two married",
        _PAIR + " (?:is|has|got|has got|has gotten)? ?(?:married|hitched|tied the knot)",
        "S MARRIED_TO O",
        kind=Kind.EPISODE,
        cue=Cue.CHANGE,
        change=True,
        examples=(("Kit and I got married in May", "Kit MARRIED_TO User"),),
    ),
    rule(
        "engaged to somebody",
        "S (?:has |is |got |was )*engaged to N",
        "S ENGAGED_TO N",
        where={"S": "whom", "N": "named person"},
        change=True,
        kind=Kind.EPISODE,
        cue=Cue.CHANGE,
        examples=(("got engaged to Mateo last night", "User ENGAGED_TO Mateo"),),
    ),
    rule(
        "married somebody",
        "S (?:has |is |got |was )*married(?: to)? N",
        "S MARRIED_TO N",
        where={"S": "whom", "N": "named person"},
        change=True,
        kind=Kind.EPISODE,
        examples=(("I married Noor in 2019", "User MARRIED_TO Noor"),),
    ),
    rule(
        "two split up",
        _PAIR + " (?:has )?(?:broke up|broken up|split up|split|separated|called it quits|divorced|(?:got|is) divorced"
        "|is over|is done|parted ways)",
        "S PARTNER_OF O ends",
        kind=Kind.EPISODE,
        cue=Cue.CHANGE,
        change=True,
        examples=(("Odette and I broke up last week", "Odette PARTNER_OF User ends"),),
    ),
    rule(
        "broke up with",
        "S (?:has )?(?:broke up with|broken up with|split (?:up )?(?:with|from)|dumped|divorced|{leave.d}) N",
        "S PARTNER_OF N ends",
        where={"S": "whom", "N": "known as a person"},
        kind=Kind.EPISODE,
        cue=Cue.CHANGE,
        change=True,
        examples=(("I broke up with Odette", "User PARTNER_OF Odette ends"),),
    ),
    rule(
        "parted from one's partner",
        "(?:(?P<X>\\[c\\d+\\]) and )?(?P<S>\\[[inc]\\d+\\]) (?:has |got )*(?:broke up|broken up|split up|separated"
        "|called it quits|divorced)(?! with| from| into| \\[n| \\[c)",
        "S PARTNER_OF any ends",
        where={"X": "my partner", "S": "person"},
        kind=Kind.EPISODE,
        cue=Cue.CHANGE,
        change=True,
        examples=(
            ("we broke up last week", "User PARTNER_OF whichever it was ends"),
            ("my wife and I got divorced", "User PARTNER_OF whichever it was ends"),
        ),
    ),
    rule(
        "was left by one's partner",
        "(?P<X>\\[c\\d+\\]) (?:has )?(?:dumped|divorced|broke up with|broken up with|split up with) I",
        "I PARTNER_OF any ends",
        where={"X": "my partner"},
        kind=Kind.EPISODE,
        cue=Cue.CHANGE,
        change=True,
        examples=(("my boyfriend dumped me", "User PARTNER_OF whichever it was ends"),),
    ),
    rule(
        "is seeing somebody",
        "S (?:is |has been |started )?(?:dating|going out with|in a relationship with) (?:O , is name is )?N",
        "S PARTNER_OF N",
        where={"S": "person", "N": "date"},
        unless=_FOR_ONCE,
        kind=Kind.SEMANTIC,
        examples=(("I'm dating Luca", "User PARTNER_OF Luca"),),
    ),
    rule(
        "keeps seeing somebody",
        "S (?:is |has been |started )?seeing (?:O , is name is )?N",
        "S PARTNER_OF N",
        where={"S": "person", "N": "whom to see"},
        unless=_MEETING,
        kind=Kind.SEMANTIC,
        examples=(("I'm seeing a guy called Amadou", "User PARTNER_OF Amadou"),),
    ),
    rule(
        "is with somebody",
        "S (?:is|has been) (?:together )?with N(?! at| in| on| and)",
        "S PARTNER_OF N",
        where={"S": "person", "N": "known as a person"},
        needs=rf"{LASTING}|{STILL_SO}|\b(?:together|happily)\b",
        unless=_MEETING,
        kind=Kind.SEMANTIC,
        examples=(("I've been with Luca for six years", "User PARTNER_OF Luca"),),
    ),
    rule(
        "is my husband",
        "S is O",
        "theirs MARRIED_TO S",
        where={"O": "spouse", "S": "named person"},
        kind=Kind.SEMANTIC,
        examples=(("Kit is my husband now", "User MARRIED_TO Kit"),),
    ),
    rule(
        "is called",
        "S (?:is|has been|was) (?:called|named|known as|renamed(?: to)?|rebranded (?:to|as)) N",
        "S NAMED N",
        where={"S": "not me"},
        kind=Kind.SEMANTIC,
        cue=Cue.CHANGE,
        examples=(("Acme is called Apex now", "Acme NAMED Apex"),),
    ),
    rule(
        "took another name",
        "S (?:has )?(?:{rebrand.d} (?:to|as)|{rename.d} (?:itself )?(?:to)?|changed (?:its|their|his|her) name to"
        "|goes by|go by|became) N",
        "S NAMED N",
        where={"S": "not me", "N": "named"},
        kind=Kind.SEMANTIC,
        cue=Cue.CHANGE,
        examples=(("Acme rebranded to Apex", "Acme NAMED Apex"), ("Zygmunt goes by Ziggy", "Zygmunt NAMED Ziggy")),
    ),
    rule(
        "somebody of mine is named",
        "S is N",
        "S NAMED N",
        where={"S": "somebody of mine", "N": "surely a person"},
        kind=Kind.SEMANTIC,
        examples=(("my neighbor is Hulda", "neighbor NAMED Hulda"),),
    ),
    rule(
        "says one's name",
        "I is N",
        "I NAMED N",
        where={"I": "I alone", "N": "name to bear"},
        kind=Kind.SEMANTIC,
        examples=(("Hi, I'm Teun", "User NAMED Teun"),),
    ),
    rule(
        "goes by a name",
        "I (?:go|goes) by N",
        "I NAMED N",
        where={"N": "name to go by"},
        kind=Kind.SEMANTIC,
        examples=(("I go by Sasha", "User NAMED Sasha"),),
    ),
    rule(
        "wants to be called",
        "(?:S )?call \\[i\\d+\\] N",
        "me NAMED N",
        where={"S": "no pronoun", "N": "name to go by"},
        kind=Kind.VIEWPOINT,
        examples=(("call me Greta", "User NAMED Greta"),),
    ),
    rule(
        "got back together",
        "S (?:is |got )?back (?:together )?with N",
        "S PARTNER_OF N",
        kind=Kind.EPISODE,
        cue=Cue.CHANGE,
        change=True,
        examples=(("I'm back together with Luca", "User PARTNER_OF Luca"),),
    ),
    rule(
        "named a baby",
        "S (?:has )?(?:{call.d}|{name.d}) (?P<X>\\[[pcn]\\d+\\]) N",
        "S PARENT_OF N",
        where={"X": "baby", "S": "people"},
        needs=r"(?i)\b(?:bab(?:y|ies)|newborn|born|birth|sons?|daughters?|child|kid|twins|boy|girl|pregnan\w+)\b",
        kind=Kind.EPISODE,
        examples=(
            ("Ottokar and Bente had a girl, they named her Fenja", "Ottokar PARENT_OF Fenja", "Bente PARENT_OF Fenja"),
        ),
    ),
    rule(
        "had a baby",
        "S (?:has |has had |just )?(?:had|got|welcomed|{adopt.d}) (?P<O>\\[n\\d+\\])",
        "S PARENT_OF O",
        where={"O": "baby of theirs", "S": "people"},
        kind=Kind.EPISODE,
        change=True,
        examples=(("my sister Clara had a baby boy named Leo", "Clara PARENT_OF Leo"),),
    ),
    rule(
        "two are friends",
        _PAIR + " (?:is|was|has been|{go.s}) (?:\\S+ )*?(?:way back|(?P<X>\\[c\\d+\\]))",
        "S FRIEND_OF O",
        where={"X": "friend"},
        kind=Kind.SEMANTIC,
        examples=(("Jelle and I go way back", "Jelle FRIEND_OF User"),),
    ),
    rule(
        "is a friend",
        "S is (?:a |an )?O(?: of mine| of ours| from O)?",
        "S FRIEND_OF me",
        where={"S": "named person", "O": "my friend"},
        kind=Kind.SEMANTIC,
        examples=(("Tindra is my best friend", "Tindra FRIEND_OF User"),),
    ),
    rule(
        "met somebody",
        "S (?:has )?(?:{meet.d}|got to know) (?:up with )?N",
        "S MET N",
        where={"S": "person", "N": "named person"},
        kind=Kind.EPISODE,
        examples=(("we met Ada in June", "User MET Ada"),),
    ),
    rule(
        "recommends",
        "S (?:has )?(?:{recommend}|{suggest}|swears by|swear by) (?:that )?(?:\\[[ip]\\d+\\] )?(?:{try} |{get} "
        "|{use} |trying |using )?O",
        "S RECOMMENDS O",
        where={"S": "named person", "O": "thing"},
        examples=(("Dr. Farkas recommended I try a TENS unit", "Farkas RECOMMENDS TENS unit"),),
    ),
    rule(
        "knows somebody",
        "S (?:is|has been|became) (?P<X>\\[c\\d+\\]) with N",
        "S FRIEND_OF N",
        where={"S": "person", "N": "named person", "X": "friend"},
        kind=Kind.SEMANTIC,
        examples=(("I'm friends with Nora", "User FRIEND_OF Nora"),),
    ),
    rule(
        "made a friend",
        "S {make.d} (?P<X>\\[[cn]\\d+\\])(?: (?:at|in|on|from) \\[[cn]\\d+\\])?(?: ,)? (?P<O>\\[n\\d+\\])",
        "S FRIEND_OF O",
        where={"X": "friend"},
        kind=Kind.EPISODE,
        change=True,
        examples=(("made a new friend at yoga, Tindra", "User FRIEND_OF Tindra"),),
    ),
    rule(
        "leads the company group",
        "S is N",
        "whose PART_OF N",
        where={"S": "parent company", "N": "named"},
        kind=Kind.SEMANTIC,
        examples=(("Acme's parent company is Holtz Group", "Acme PART_OF Holtz Group"),),
    ),
    rule(
        "hung out with friends",
        "S (?:has )?(?:\\S+ )+?with (?P<N>\\[n\\d+\\](?: and \\[n\\d+\\])*) , (?P<X>\\[c\\d+\\])",
        "S FRIEND_OF N",
        where={"X": "friend", "S": "person"},
        kind=Kind.EPISODE,
        examples=(
            ("had coffee with Esra and Wouter, my two oldest friends", "User FRIEND_OF Esra", "User FRIEND_OF Wouter"),
        ),
    ),
    rule(
        "was bought by",
        "S (?:was|got|has been|is) (?:acquired by|bought by|owned by|(?P<X>\\[c\\d+\\]) of) N",
        "S PART_OF N",
        where={"S": "no person", "X": "part"},
        change=True,
        examples=(("Acme is part of Holtz Group", "Acme PART_OF Holtz Group"),),
    ),
)
