"""Which words around a match speak for it or against it? The lists that `doubts` asks."""

from __future__ import annotations

from treering.language.listed import listed

LEADS = listed(
    "in of since by until till til during before after through throughout for last next this early late mid around "
    "about between every from to and or"
)
"""Words that lead to a time, so that a doubtful one after them may be believed."""
MONTH_LEADS = LEADS - listed("from to and or about every")
SEASON_LEADS = (LEADS | listed("over all this that")) - listed("to about for and or every")
DAY_LEADS = LEADS | listed("on , (")
NUMBER_LEADS = (DAY_LEADS | listed("starting beginning")) - listed("to in of this about")
YEAR_LEADS = (
    LEADS | listed("year circa back ( , on to from late early mid since spring summer autumn fall winter")
) - listed("about and or every this next last")
PERSON_MONTHS = listed("april may june august march mar jan jun")
WORDLIKE_DAYS = listed("sun sat wed mon")
FINITE = listed("said says told asked was is has had left went got came will would can could thinks loves likes")
HABIT = listed("every each any per most alternate")
POSSESSIVES = listed("my your his her its our their")
CLAUSE_GOES_ON = listed(
    "and but with at in from to for because we i he she they you it when so then or if as until since before after by "
    "the my our his her their who where about on"
)
WISHES = listed("happy merry good nice great lovely wonderful")
OPENERS = listed("on in at during for over the by (") | frozenset("\"'")
MODAL_TAIL = listed("be have not or also well need want result cause help i you we he she it they the")
SEASON_THINGS = listed(
    "water waters roll rolls onion onions board loaded mattress mattresses cleaning steel clip chicken green coil "
    "apart asleep off down behind short victim flat guy leaf leaves squash sports coat dress dresses jacket "
    "jackets job jobs camp camps school tire tires clothes sale olympics games"
)
FEAST_NOUNS = listed(
    "tree trees card cards carol carols egg eggs island bunny costume costumes song songs movie movies music lights "
    "sweater sweaters present presents gift gifts decoration decorations cookie cookies stocking stockings ornament "
    "tradition traditions magic ornaments lily lilies pudding cake list spirit theme themed carolers jumper jumpers"
)
FEAST_NAMES = listed("christmas xmas easter halloween thanksgiving hanukkah chanukah passover valentines day eve year")
FEAST_LEADS = listed("on at last next this since until before after by")
LENT_LEADS = FEAST_LEADS | listed("for in during of over through every about")
LENT_TO = listed("me him us them you it a an the some money")
COUNTED_NOUNS = listed(
    "percent dollars euros pounds km miles meters metres feet calories words rows items units points copies votes "
    "bytes mb gb kb hz mhz rpm mah ml mg kg times steps pages reviews followers"
)
COUNTED_PEOPLE = listed("people users men women children")
TITLES = listed(
    "book novel movie film album song version v model room flight route highway chapter page line nokia windows"
)
SCORES = listed("a an got scored score about only")
UNITS_ALONE = listed("week month quarter year day decade hour century morning afternoon evening night")
DAY_EPITHETS = listed("casual freaky tgi girl man bloody ruby")
SPELT_JOINTS = listed("hundred thousand and oh o")
