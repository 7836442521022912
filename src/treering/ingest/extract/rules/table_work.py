"""Who works and studies where? The table of rules, each with sentences that it must read.

`IN_PASSING` is asked after the roles: only what nothing else has read."""

from __future__ import annotations

from treering.ingest.extract.contract import Cue
from treering.ingest.extract.rules.pattern import SentenceRule, rule
from treering.ingest.extract.rules.stays import FOR_SOMEBODY_ELSE, JUST_TODAY, LASTING, ON_THE_SIDE, PASSING, STILL_SO
from treering.ingest.extract.rules.table_roles import IS_SOMETHING
from treering.model.memory import Kind

_AS = "(?: as R)?"
_AT = (
    "S (?:has worked|(?:is |has been )?(?:{work.s}|{work.g}|{consult}|{freelance}|{intern}|contract|contracting))"
    " (?:remotely |part time |full time )?(?:\\[[ct]\\d+\\] )?(?:in O )?(?:(?:as|like) R )?(?:at|for) (?:O called )?N"
    "(?: as (?P<Q>\\[[nc]\\d+\\]))?"
)
_IS_AT = "S (?:is|has been|is staying|remains|is back) (?:employed |over |back )?(?:at|with) N(?! with| and)"
_TURNED_DOWN = (
    r"\b(?:turn(?:ed|ing)? (?:\w+ ){0,3}down|declin\w+|reject\w*|refus\w+|said no|pass(?:ed|ing) on|withdr\w+"
    r"|fell through|rescind\w+)\b"
)
_NOT_TAKEN = rf"{_TURNED_DOWN}|{FOR_SOMEBODY_ELSE}"
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

WORK: tuple[SentenceRule, ...] = (
    rule(
        "studies for a degree at",
        "S (?:is |has |has been |will be )?(?:{do}|{start}|{finish}|{get.d} into|{get.d}|{earn.d}|{take.g}|{study}"
        "|{pursue}) (?:part time )?O(?: in \\[[nc]\\d+\\])?"
        " (?:at|from) N",
        "S STUDIED_AT N",
        where={"N": "school", "O": "degree"},
        kind=Kind.SEMANTIC,
        planned=True,
        change=True,
        examples=(
            ("I'm doing a masters at Lund", "User STUDIED_AT Lund"),
            ("I did my bachelor at Turku", "User STUDIED_AT Turku"),
            ("Mila starts 2nd grade at Oak Hill tomorrow", "Mila STUDIED_AT Oak Hill"),
        ),
    ),
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
        "goes to a school",
        "S (?:is |has been )?{go.s} to N",
        "S STUDIED_AT N",
        where={"N": "school to go to"},
        kind=Kind.SEMANTIC,
        examples=(
            ("my son Elio goes to Liceo Dante", "Elio STUDIED_AT Liceo Dante"),
            ("my niece goes to Vassar", "niece STUDIED_AT Vassar"),
        ),
    ),
    rule(
        "was moved to a school",
        "S (?:has )?(?:{switch.d}|{move.d}|{transfer.d}|enrolled|{put.d}) (?P<Q>\\[n\\d+\\]) (?:to|into|in|at) N",
        "Q STUDIED_AT N",
        where={"Q": "surely a person", "N": "school"},
        kind=Kind.EPISODE,
        state="{Q} goes to {N}",
        cue=Cue.CHANGE,
        change=True,
        examples=(("we switched Mila to a Montessori, Casa Blu", "Mila STUDIED_AT Casa Blu"),),
    ),
    rule(
        "will be at school",
        "S will be (?:going |studying )?(?:at|to) N",
        "S STUDIED_AT N",
        where={"N": "surely a school", "S": "somebody"},
        planned=True,
        change=True,
        kind=Kind.EPISODE,
        cue=Cue.CHANGE,
        examples=(("Mila will be at Bocconi University from October", "Mila STUDIED_AT Bocconi University"),),
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
        "works at a place on the side",
        _AT,
        "S WORKS_FOR N",
        "S HAS_ROLE R",
        "S HAS_ROLE Q",
        where={"N": "whom to work for", "R": "any role", "Q": "any role"},
        needs=ON_THE_SIDE,
        confidence=0.5,
        examples=(
            ("I also work at Lidl on weekends", "User WORKS_FOR Lidl"),
            ("I consult for a startup called Plumline", "User WORKS_FOR Plumline"),
        ),
    ),
    rule(
        "volunteers at",
        "S (?:is |has been )?(?:{volunteer}|(?P<X>\\[c\\d+\\])) (?:[a-z]+ )?(?:at|for|with) N",
        "S MEMBER_OF N",
        where={"N": "workplace", "S": "person", "X": "volunteer"},
        kind=Kind.SEMANTIC,
        examples=(
            ("I volunteer at the Red Cross", "User MEMBER_OF Red Cross"),
            ("Ida is a volunteer with Greenpeace", "Ida MEMBER_OF Greenpeace"),
        ),
    ),
    rule(
        "works in a company",
        "S (?:is |has been )?(?:{work.s}|{work.g}) (?:since \\[\\w\\d+\\] |since \\S+ \\S+ )?in N(?: (?:as|like) R)?",
        "S WORKS_FOR N",
        "S HAS_ROLE R",
        where={"N": "surely an organization", "R": "any role"},
        examples=(("I am working in Vodafone as a tester", "User WORKS_FOR Vodafone", "User HAS_ROLE tester"),),
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
        "had a job at",
        "S had (?P<X>\\[[cn]\\d+\\])(?: as R)? (?:at|with) N",
        "S WORKS_FOR N",
        "S HAS_ROLE R",
        where={"X": "job", "N": "workplace", "S": "person", "R": "role"},
        past=True,
        examples=(("I had an internship at Fiat", "User WORKS_FOR Fiat ends"),),
    ),
    rule(
        "spent time at",
        "S {spend.d} (?:\\[[tqc]\\d+\\] )?(?:\\[[tqc]\\d+\\] )?(?:at|with) N",
        "S WORKS_FOR N",
        where={"N": "an organization"},
        needs=r"\b(?:years?|months?|decades?|summers?)\b",
        unless=r"\b(?:minutes?|hours?|days?|nights?|mornings?|afternoons?|evenings?|weekends?)\b",
        past=True,
        confidence=0.8,
        examples=(("I spent two years at Unilever", "User WORKS_FOR Unilever ends"),),
    ),
    rule(
        "is a student at",
        "S (?:is|has been|has become|became) (?P<X>\\[c\\d+\\]) (?:over )?at N",
        "S STUDIED_AT N",
        where={"X": "learner", "N": "school", "S": "person"},
        kind=Kind.SEMANTIC,
        examples=(("I'm a student at Lund", "User STUDIED_AT Lund"),),
    ),
    rule(
        "is a student",
        IS_SOMETHING,
        "S HAS_ROLE R",
        where={"S": "somebody", "R": "learner"},
        confidence=0.5,
        examples=(("my sister is a student", "sister HAS_ROLE student"),),
    ),
    rule(
        "is something at a place",
        "S (?:is|has been|has become|became) R (?:over )?(?:at|with) N",
        "S WORKS_FOR N",
        "S HAS_ROLE R",
        where={"R": "role", "N": "whom to work for"},
        unless=ON_THE_SIDE,
        examples=(
            ("I'm a data engineer at Volvo", "User WORKS_FOR Volvo", "User HAS_ROLE data engineer"),
            ("Kwame is head of QA at Nokia", "Kwame WORKS_FOR Nokia", "Kwame HAS_ROLE head of QA"),
        ),
    ),
    rule(
        "was something at a place",
        "S was R (?:at|with|on|for) (?:O called )?N",
        "S WORKS_FOR N",
        "S HAS_ROLE R",
        where={"R": "role", "N": "workplace"},
        past=True,
        examples=(("I was a cook at Hilton until 2018", "User WORKS_FOR Hilton", "User HAS_ROLE cook"),),
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
        "serves notice at",
        "S (?:is )?(?:{finish.g}|{serve.g}|{work.g}|seeing out) O at N",
        "S WORKS_FOR N",
        where={"O": "notice", "S": "somebody"},
        examples=(("till then Greta is serving her notice at Nokia", "Greta WORKS_FOR Nokia"),),
    ),
    rule(
        "still at",
        "(?:back )?(?:at|with) N",
        "me WORKS_FOR N",
        where={"N": "employer"},
        needs=r"\bstill (?:at|with)\b",
        unless=PASSING,
        examples=(("Work is fine, still at Volvo doing brakes", "User WORKS_FOR Volvo"),),
    ),
    rule(
        "stays at",
        "S (?:is )?(?:staying|stay|stayed|remaining) (?:at|with) N",
        "S WORKS_FOR N",
        where={"N": "employer", "S": "person"},
        needs=r"\b(?:for now|after all|instead|put|offer\w*|raise|promot\w+|another year|decided|not leaving|job)\b",
        unless=PASSING,
        examples=(("staying at Volvo for now", "User WORKS_FOR Volvo"),),
    ),
    rule(
        "a role by itself",
        "R",
        "me HAS_ROLE R",
        where={"R": "bare role"},
        needs=r"(?i)\b(?:promoted|qualified|as of|hired|got the job)\b",
        kind=Kind.SEMANTIC,
        cue=Cue.CHANGE,
        change=True,
        examples=(("promoted!!! senior planner as of today", "User HAS_ROLE senior planner"),),
    ),
    rule(
        "took somebody over as",
        "S (?:has )?(?:{take.d}|{take.s}) (?P<Q>\\[[in]\\d+\\]) (?:over|on) as O",
        "S SUPERVISES Q",
        where={"O": "supervisor", "S": "somebody"},
        kind=Kind.EPISODE,
        state="{S} supervises {Q}",
        cue=Cue.CHANGE,
        change=True,
        examples=(("Dr. Brandt took me over as supervisor last week", "Brandt SUPERVISES User"),),
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
        "somebody is at",
        _IS_AT,
        "S WORKS_FOR N",
        where={"N": "employer", "S": "somebody else"},
        unless=PASSING,
        confidence=0.5,
        examples=(("Rosa is with BASF", "Rosa WORKS_FOR BASF"),),
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
        "lost a job",
        "S (?:has )?(?:{lose.d}) (?P<X>\\[c\\d+\\]) (?:at|with) N",
        "S WORKS_FOR N ends",
        where={"X": "job", "N": "workplace", "S": "person"},
        kind=Kind.EPISODE,
        cue=Cue.CHANGE,
        change=True,
        examples=(("I lost my job at Nokia this month", "User WORKS_FOR Nokia ends"),),
    ),
    rule(
        "quit one's job for a workplace",
        "S (?:has )?(?:{quit.d}|{leave.d}) (?P<X>\\[c\\d+\\]) (?:to|and) (?:{join}|{start} at|{work} (?:at|for)|go to)"
        " N" + _AS,
        "S WORKS_FOR any ends",
        "S WORKS_FOR N",
        "S HAS_ROLE R",
        where={"X": "one's job", "N": "workplace", "S": "person", "R": "any role"},
        unless=_NOT_THE_JOB,
        kind=Kind.EPISODE,
        state="{S} works at {N}",
        cue=Cue.CHANGE,
        change=True,
        examples=(("I quit my job to join Bosch", "User WORKS_FOR Bosch", "User WORKS_FOR whichever it was ends"),),
    ),
    rule(
        "quit one's job",
        "S (?:has )?(?:{quit.d}|{leave.d}|{lose.d}|{resign.d} from|gave up|given up) (?P<X>\\[c\\d+\\])"
        "(?! at| with| as| for)",
        "S WORKS_FOR any ends",
        where={"X": "one's job", "S": "person"},
        unless=_NOT_THE_JOB,
        kind=Kind.EPISODE,
        cue=Cue.CHANGE,
        change=True,
        examples=(("my sister quit her job", "sister WORKS_FOR whichever it was ends"),),
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
        "let somebody go",
        "N (?:has )?(?:fired|sacked|dismissed|laid|let) (?P<S>\\[[in]\\d+\\])(?: off| go)?",
        "S WORKS_FOR N ends",
        where={"N": "an organization", "S": "person"},
        needs=r"\b(?:fired|sacked|dismissed|laid \w+ off|let \w+ go)\b",
        kind=Kind.EPISODE,
        cue=Cue.CHANGE,
        change=True,
        examples=(("Nokia laid me off", "User WORKS_FOR Nokia ends"),),
    ),
    rule(
        "last day at",
        "(?:my )?S (?:at|with) N (?:was|is)",
        "me WORKS_FOR N ends",
        where={"S": "last day", "N": "workplace"},
        kind=Kind.EPISODE,
        cue=Cue.CHANGE,
        change=True,
        anywhere=True,
        examples=(("last day at Monzo was friday", "User WORKS_FOR Monzo ends"),),
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
        "joined a team or club",
        "S (?:has )?(?:{join.d}|{join.g}|{join.s}|is joining|signed up (?:for|with)) O",
        "S MEMBER_OF O",
        where={"O": "team"},
        kind=Kind.EPISODE,
        change=True,
        examples=(
            ("Omar joined our team", "Omar MEMBER_OF team"),
            ("I joined the Labour Party", "User MEMBER_OF Labour Party"),
        ),
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
    rule(
        "joined as something",
        "S (?:has |is |will be |will )?(?:{join}|{move.d} (?:over )?to) N as R",
        "S WORKS_FOR N",
        "S HAS_ROLE R",
        where={"N": "workplace", "S": "person", "R": "role"},
        kind=Kind.EPISODE,
        state="{S} works at {N}",
        cue=Cue.CHANGE,
        change=True,
        planned=True,
        examples=(("I moved to Reddit as an analyst", "User WORKS_FOR Reddit", "User HAS_ROLE analyst"),),
    ),
    rule(
        "will be at",
        "S will be (?:at|with|for) N",
        "S WORKS_FOR N",
        where={"N": "employer", "S": "person"},
        needs=r"\b(?:from|starting|as of|beginning|new job)\b",
        unless=PASSING,
        planned=True,
        change=True,
        cue=Cue.CHANGE,
        examples=(("from October I'll be at Siemens", "User WORKS_FOR Siemens"),),
    ),
    rule(
        "took an offer",
        "S (?:has )?(?:{accept.d}|{take.d}|{sign.d}) (?P<X>\\[[cn]\\d+\\])(?: as R)? (?:at|with|from) N",
        "S WORKS_FOR N",
        "S HAS_ROLE R",
        where={"X": "job or offer", "N": "workplace", "R": "role"},
        unless=_NOT_TAKEN,
        kind=Kind.EPISODE,
        state="{S} works at {N}",
        cue=Cue.CHANGE,
        change=True,
        examples=(("I accepted an offer from Bosch", "User WORKS_FOR Bosch"),),
    ),
    rule(
        "was made an offer and took it",
        "S (?:has )?(?:{get.d}|{receive.d}|{land.d}|{have.d}|was offered|got offered) (?P<X>\\[[cn]\\d+\\])(?: as R)?"
        " (?:at|with|from) N",
        "S WORKS_FOR N",
        "S HAS_ROLE R",
        where={"X": "job or offer", "N": "workplace", "R": "role"},
        needs=r"\b(?:accepted|took|taking it|said yes|signed)\b",
        unless=_NOT_TAKEN,
        kind=Kind.EPISODE,
        state="{S} works at {N}",
        cue=Cue.CHANGE,
        change=True,
        examples=(("I got a job offer from Bosch and accepted it", "User WORKS_FOR Bosch"),),
    ),
    rule(
        "got a job",
        "S (?:has )?(?:{get.d}|{land.d}|{start.d}|{take.d}|{accept.d}|{find.d}) (?P<X>\\[[cn]\\d+\\])(?: ,)?(?:"
        " as)?(?: R)? (?:at|with|from) N",
        "S WORKS_FOR N",
        "S HAS_ROLE R",
        "S HAS_ROLE Q",
        where={"X": "job", "N": "workplace", "R": "role", "Q": "any role"},
        unless=rf"{_NOT_TAKEN}|{ON_THE_SIDE}",
        kind=Kind.EPISODE,
        state="{S} works at {N}",
        cue=Cue.CHANGE,
        change=True,
        examples=(
            ("got a new gig, pastry chef at Hotel Lux", "User WORKS_FOR Hotel Lux", "User HAS_ROLE pastry chef"),
        ),
    ),
)

IN_PASSING: tuple[SentenceRule, ...] = (
    rule(
        "workplace in passing",
        "(?:\\S+ )*?(?:O|X) at N",
        "me WORKS_FOR N",
        where={"O": "work thing of mine", "N": "workplace"},
        confidence=0.8,
        anywhere=True,
        planned=True,
        examples=(("my boss at Halden Foods wants slides", "User WORKS_FOR Halden Foods"),),
    ),
)
