"""Who works and studies where, and who is what? Rules, each with sentences that it must read."""

from __future__ import annotations

from treering.ingest.extract.contract import Cue
from treering.ingest.extract.rules.lexicon import TEAMS
from treering.ingest.extract.rules.pattern import SentenceRule, rule
from treering.ingest.extract.rules.stays import JUST_TODAY, LASTING, ON_THE_SIDE, PASSING, STILL_SO
from treering.model.memory import Kind

_AS = "(?: as R)?"
_AT = (
    "S (?:has worked|(?:is |has been )?(?:{work.s}|{work.g}|{consult}|{freelance}|{intern}|contract|contracting))"
    " (?:remotely |part time |full time )?(?:\\[[ct]\\d+\\] )?(?:in O )?(?:(?:as|like) R )?(?:at|for) (?:O called )?N"
    "(?: as (?P<Q>\\[[nc]\\d+\\]))?"
)
_IS_AT = "S (?:is|has been|is staying|remains|is back) (?:employed |over |back )?(?:at|with) N(?! with| and)"
_NOT_THE_JOB = (
    r"\b(?:almost|nearly|never|if|wish|dream\w*|about to|before|second|side|part[- ]?time|weekend|summer|student"
    r"|holiday|other|volunteer\w*)\b"
)
"""Words with which somebody has not quit, or not what they live on."""
_AS_A_CUSTOMER = (
    r"\b(?:trial|subscription|account|membership|waitlist|newsletter|beta|server|channel|lunch|dinner|drinks|call"
    r"|community|forum|program(?:me)?|meetup|challenge|class|course|webinar|conference|protest|strike|boycott)\b"
)
_FOR_THE_DAY = (
    r"\b(?:early|an hour ago|(?:minutes|hours) ago|at (?:about |around )?\d|\d ?[ap]m|for (?:lunch|the day|the night)"
    r"|message|voicemail|note|review|tip)\b"
)
_OF_A_CLUB = rf"\bof (?:an?|the|my|our) (?:\w+ ){{0,2}}(?:{'|'.join(sorted(TEAMS))})\b"
"""What is done for a club is beside the work."""

WORK: tuple[SentenceRule, ...] = (
    rule(
        "studies at",
        "S (?:is |has been |has )?(?:{study}|{attend}|{graduate.d}|{enrol.d}|enrolled|{major.d})"
        " (?:\\[[nc]\\d+\\] )?(?:from |in \\[[nc]\\d+\\] )?(?:at |from |to )?N",
        "S STUDIED_AT N",
        where={"N": "school"},
        kind=Kind.SEMANTIC,
        examples=(
            ("I studied linguistics at Leuven", "User STUDIED_AT Leuven"),
            ("Mila attends Oak Hill Elementary", "Mila STUDIED_AT Oak Hill Elementary"),
        ),
    ),
    rule(
        "left one workplace for another",
        "S (?:has )?(?:{leave.d}|{quit.d}) (?:O at )?X (?:to|for|and) (?:(?:go and )?(?:{join}|{start} at|{work}"
        " (?:at|for)|go to|be at|moved to) )?"
        "(?:O called )?N" + _AS,
        "S WORKS_FOR N",
        "S WORKS_FOR X ends",
        "S HAS_ROLE R",
        where={"N": "workplace", "X": "workplace", "S": "person"},
        kind=Kind.EPISODE,
        state="{S} works at {N}",
        cue=Cue.CHANGE,
        change=True,
        examples=(
            ("I left Siemens to join Bosch.", "User WORKS_FOR Bosch", "User WORKS_FOR Siemens ends"),
            ("Ida quit Nokia for Ericsson", "Ida WORKS_FOR Ericsson", "Ida WORKS_FOR Nokia ends"),
        ),
    ),
    rule(
        "works at a place as something",
        _AT,
        "S WORKS_FOR N",
        "S HAS_ROLE R",
        "S HAS_ROLE Q",
        where={"N": "whom to work for", "R": "any role", "Q": "any role"},
        unless=rf"{ON_THE_SIDE}|{JUST_TODAY}",
        examples=(
            ("I work at Siemens on turbines", "User WORKS_FOR Siemens"),
            ("Greta works as a porter at Hotel Adler", "Greta WORKS_FOR Hotel Adler", "Greta HAS_ROLE porter"),
            ("I work for Bosch as a welder", "User WORKS_FOR Bosch", "User HAS_ROLE welder"),
            ("I've worked at Ikea since March 2021", "User WORKS_FOR Ikea"),
        ),
    ),
    rule(
        "works as",
        "S (?:is |has been )?(?:{work.s}|{work.g}) (?:as|like) R",
        "S HAS_ROLE R",
        where={"R": "any role"},
        examples=(("my sister works as a welder", "sister HAS_ROLE welder"),),
    ),
    rule(
        "worked at",
        "S (?:used to work|worked|was working|was employed|interned|freelanced) (?:as R )?(?:at|for|with) (?:O"
        " called )?N" + "(?: as (?P<Q>\\[[nc]\\d+\\]))?",
        "S WORKS_FOR N",
        "S HAS_ROLE R",
        "S HAS_ROLE Q",
        where={"N": "workplace", "R": "any role", "Q": "any role"},
        past=True,
        examples=(
            ("back in 2019 I was working at Aldi", "User WORKS_FOR Aldi"),
            ("I used to work for Fiat", "User WORKS_FOR Fiat ends"),
        ),
    ),
    rule(
        "is something at a place",
        "S (?:is|has been|has become|became) R (?:over )?(?:at|with) N",
        "S WORKS_FOR N",
        "S HAS_ROLE R",
        where={"R": "role for a living", "N": "whom to work for"},
        unless=ON_THE_SIDE,
        examples=(
            ("I'm a data engineer at Volvo", "User WORKS_FOR Volvo", "User HAS_ROLE data engineer"),
            ("Kwame is head of QA at Nokia", "Kwame WORKS_FOR Nokia", "Kwame HAS_ROLE head of QA"),
        ),
    ),
    rule(
        "somebody, now something at a place",
        "(?:\\S+ ){1,6}?(?P<S>\\[n\\d+\\]) , R at N",
        "S WORKS_FOR N",
        "S HAS_ROLE R",
        where={"R": "role", "N": "workplace", "S": "named person"},
        state="{S} works at {N} as a {R}",
        examples=(("Had lunch with Lena, now a PM at Volvo", "Lena WORKS_FOR Volvo", "Lena HAS_ROLE PM"),),
    ),
    rule(
        "somebody first, then something at a place",
        "(?P<S>\\[n\\d+\\]) , R at N",
        "S WORKS_FOR N",
        "S HAS_ROLE R",
        where={"R": "role with its article", "N": "workplace", "S": "surely a person"},
        kind=Kind.SEMANTIC,
        examples=(("Lena, now a planner at Volvo", "Lena WORKS_FOR Volvo", "Lena HAS_ROLE planner"),),
    ),
    rule(
        "role and workplace only",
        "R (?:at|with|for) N",
        "me WORKS_FOR N",
        "me HAS_ROLE R",
        where={"R": "role of nobody", "N": "workplace"},
        examples=(("Bookseller at Dussmann, since 2021", "User WORKS_FOR Dussmann", "User HAS_ROLE Bookseller"),),
    ),
    rule(
        "is at, as something",
        "S (?:is|has been) (?:over |back )?(?:at|with) N(?: ,)?(?: as)? R",
        "S WORKS_FOR N",
        "S HAS_ROLE R",
        where={"N": "an organization", "S": "person", "R": "role of nobody"},
        unless=PASSING,
        confidence=0.9,
        examples=(("I'm at Volvo, junior accountant", "User WORKS_FOR Volvo", "User HAS_ROLE junior accountant"),),
    ),
    rule(
        "has long been at",
        _IS_AT,
        "S WORKS_FOR N",
        where={"N": "an organization", "S": "person"},
        needs=LASTING,
        unless=PASSING,
        confidence=0.9,
        examples=(("I've been at Ikea for three years", "User WORKS_FOR Ikea"),),
    ),
    rule(
        "is at",
        _IS_AT,
        "S WORKS_FOR N",
        where={"N": "employer", "S": "person"},
        needs=rf"{STILL_SO}|\bnot (?:at|with)\b",
        unless=PASSING,
        confidence=0.9,
        examples=(
            ("I'm at Volvo now", "User WORKS_FOR Volvo"),
            ("I'm no longer with Volvo", "User WORKS_FOR Volvo ends"),
            ("Alex is at Stripe, not at Square", "Alex WORKS_FOR Stripe"),
        ),
    ),
    rule(
        "does some work at",
        "S (?:is )?(?:{teach}|{run.g}|{run.s}|{lead.s}|{lead.g}|{pull.g}|{do.g}|{manage}|{handle}|{sell.g}"
        "|{study.g} nothing)"
        " (?:O )?(?:for O )?(?:over )?at N",
        "S WORKS_FOR N",
        where={"N": "employer", "S": "person"},
        unless=rf"{PASSING}|{ON_THE_SIDE}",
        kind=Kind.SEMANTIC,
        confidence=0.9,
        examples=(
            ("I teach chemistry at Lakeside High", "User WORKS_FOR Lakeside High"),
            ("Greta's running HR over at Volvo these days", "Greta WORKS_FOR Volvo"),
        ),
    ),
    rule(
        "left",
        "S (?:has )?(?:{leave.d}|{quit.d}|{resign.d} from|{retire.d} from|departed|parted ways with"
        "|jacked in|packed in|chucked in"
        "|(?:got|was|has been) (?:fired|laid off|let go|sacked) (?:from|by)"
        "|stopped working (?:at|for)|finished up? ?at)"
        " (?:O (?:at|with) )?N",
        "S WORKS_FOR N ends",
        where={"N": "workplace", "S": "person"},
        unless=_FOR_THE_DAY,
        kind=Kind.EPISODE,
        cue=Cue.CHANGE,
        change=True,
        examples=(
            ("I left Siemens two weeks ago", "User WORKS_FOR Siemens ends"),
            ("Greta was laid off from Nokia", "Greta WORKS_FOR Nokia ends"),
            ("quit my job at Aldi", "User WORKS_FOR Aldi ends"),
        ),
    ),
    rule(
        "was let go",
        "S (?:has been |has |was |is |got |been )*(?:laid off|fired|let go|sacked|made redundant)"
        "(?! from| by| up| at| of)",
        "S WORKS_FOR any ends",
        where={"S": "person"},
        unless=_NOT_THE_JOB,
        kind=Kind.EPISODE,
        cue=Cue.CHANGE,
        change=True,
        examples=(("I got laid off yesterday", "User WORKS_FOR whichever it was ends"),),
    ),
    rule(
        "stopped working",
        "S (?:has |is |got )*(?:retired|resigned|unemployed|jobless)(?! from| as| to| \\[c| \\[n)",
        "S WORKS_FOR any ends",
        where={"S": "person"},
        unless=_NOT_THE_JOB,
        kind=Kind.EPISODE,
        cue=Cue.CHANGE,
        change=True,
        examples=(("my dad retired last year", "dad WORKS_FOR whichever it was ends"),),
    ),
    rule(
        "somebody went over to another workplace",
        "S (?:has )?(?:{move.d}|{switch.d}|{change.d}|{transfer.d}|{jump.d}(?: ship| \\[c\\d+\\])?"
        "|(?:{go.d}|gone)(?= over| across)) (?:on |over |across |back )*to N",
        "S WORKS_FOR N",
        where={"S": "known as a person", "N": "may employ"},
        unless=_AS_A_CUSTOMER,
        if_known=True,
        change=True,
        examples=(("Greta moved over to Vodafone", "Greta WORKS_FOR Vodafone perhaps"),),
    ),
    rule(
        "moved on to another workplace",
        "S (?:has )?{move.d} on to N",
        "S WORKS_FOR N",
        where={"S": "person", "N": "may employ"},
        unless=_AS_A_CUSTOMER,
        if_known=True,
        change=True,
        examples=(("I moved on to Vodafone", "User WORKS_FOR Vodafone perhaps"),),
    ),
    rule(
        "joined",
        "S (?:has |is |will be |will )?(?:{join}|{sign.d} with) (?:O called )?N" + _AS,
        "S WORKS_FOR N",
        "S HAS_ROLE R",
        where={"N": "workplace to join", "S": "person", "R": "any role"},
        unless=rf"{_AS_A_CUSTOMER}|{ON_THE_SIDE}",
        kind=Kind.EPISODE,
        state="{S} works at {N}",
        cue=Cue.CHANGE,
        change=True,
        planned=True,
        examples=(("I joined Volvo in May as a planner", "User WORKS_FOR Volvo", "User HAS_ROLE planner"),),
    ),
    rule(
        "started at",
        "S (?:has |is |will be |will )?(?:{start} (?:work |working |a job |a new job |my new job )?(?:at|for)"
        "|{start} (?:work|working|a job|a new job|my new job) with|got hired (?:by|at)|was hired by"
        "|will be working (?:for|at)|begins? at|began at) (?:O called )?N" + _AS,
        "S WORKS_FOR N",
        "S HAS_ROLE R",
        where={"N": "workplace", "S": "person", "R": "any role"},
        unless=ON_THE_SIDE,
        kind=Kind.EPISODE,
        state="{S} works at {N}",
        cue=Cue.CHANGE,
        change=True,
        planned=True,
        examples=(
            ("Greta starts at Nokia in January", "Greta WORKS_FOR Nokia"),
            ("Starting March 1st I'll be working for Aldi", "User WORKS_FOR Aldi"),
        ),
    ),
)

ROLES: tuple[SentenceRule, ...] = (
    rule(
        "promoted to",
        "S (?:has been |has |got |was |been )*(?:promoted to|made) R(?: at N)?",
        "S HAS_ROLE R",
        "S WORKS_FOR N",
        where={"R": "role"},
        kind=Kind.EPISODE,
        state="{S} is {R}",
        cue=Cue.CHANGE,
        change=True,
        examples=(("Ulla got promoted to VP of Sales at Volvo", "Ulla HAS_ROLE VP of Sales", "Ulla WORKS_FOR Volvo"),),
    ),
    rule(
        "is somebody's boss",
        "S is O",
        "S MANAGES theirs",
        where={"O": "boss", "S": "named person"},
        kind=Kind.SEMANTIC,
        examples=(("Priya is our new manager", "Priya MANAGES User"),),
    ),
    rule(
        "was something once",
        "S (?:was|used to be) R",
        "S HAS_ROLE R",
        where={"R": "role of nobody", "S": "somebody"},
        past=True,
        kind=Kind.SEMANTIC,
        examples=(("I was a teacher before that", "User HAS_ROLE teacher ends"),),
    ),
    rule(
        "is something",
        "S (?:is|has become|stays|stay|remains|is still) (?:our |the )?R",
        "S HAS_ROLE R",
        where={"S": "somebody", "R": "role for a living"},
        unless=rf"{ON_THE_SIDE}|{_OF_A_CLUB}",
        examples=(
            ("Tomasz is the on-call lead for payments", "Tomasz HAS_ROLE on-call lead for payments"),
            ("my sister is a vet", "sister HAS_ROLE vet"),
            ("Greta is a glaciologist", "Greta HAS_ROLE glaciologist"),
        ),
    ),
    rule(
        "reports to",
        "S (?:{report.s}|is reporting|{report.g}|{answer.s}) (?:directly )?to N",
        "N MANAGES S",
        where={"S": "person", "N": "named"},
        kind=Kind.SEMANTIC,
        examples=(("I report to Hanna now", "Hanna MANAGES User"),),
    ),
    rule(
        "manages",
        "S (?:{manage.s}|{head.s}|{lead.s}|{run.s}|{chair.s}|is running|is leading|is heading|is managing) (?:up )?O",
        "S MANAGES O",
        where={"S": "named person", "O": "managed"},
        kind=Kind.SEMANTIC,
        examples=(("Yusuf manages the infra team", "Yusuf MANAGES infra team"),),
    ),
)
