"""What do the words around a name say about its kind? Each clue is a pattern, the kind it speaks for, and how loudly.

`BEFORE` is held against the words that lead up to a name, `AFTER` against those that follow it, `INSIDE` against the
name itself. `<work>` is a class of words (`clue_words`). Where a pattern catches a `<noun>`, the kind is that of the
noun (`things`), and a noun of no known kind is no clue. The name in the example is in brackets; a test holds every clue
to it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from treering.language.clue_words import spelled_out
from treering.language.things import kind_of_noun

OF_NOUN = "as the noun says"
REACH = 64  # characters before and after a name that are looked at


@dataclass(frozen=True, slots=True)
class Clue:
    pattern: re.Pattern[str]
    kind: str
    weight: float
    example: str


def _before(kind: str, weight: float, pattern: str, example: str) -> Clue:
    return Clue(re.compile(rf"(?:^|(?<=[^\w'])|(?='))(?:{spelled_out(pattern)})\s?$"), kind, weight, example)


def _after(kind: str, weight: float, pattern: str, example: str) -> Clue:
    return Clue(re.compile(rf"^(?:{spelled_out(pattern)})(?!\w)"), kind, weight, example)


def _inside(kind: str, weight: float, pattern: str, example: str) -> Clue:
    return Clue(re.compile(pattern), kind, weight, example)


# fmt: off
BEFORE = (
    # named by somebody
    _before(OF_NOUN, 6, r"<noun> (<that> )*(called|(nick)?named|known as|goes? by)",
            "a luthier called [Desmond]"),
    _before(OF_NOUN, 6, r"(named|called|christened|dubbed|naming|calling) <my> (\w+ )?<noun>",
            "we named the boat [Second Breakfast]"),
    _before(OF_NOUN, 6, r"<noun> ((that|which) )?(we|i|they|everybody|everyone|people) calls?",
            "an old estate that we call [Bertil]"),
    _before(OF_NOUN, 6, r"<noun>('s|s|s') ((real|first|last|full|new|maiden) )?name('s| is| was)?",
            "the contractor's name is [Gunvor]"),
    _before(OF_NOUN, 6, r"<noun>[\w ,']{0,30} (it's|its|it is|it was|that's|which is|that is) (\w+ )?called",
            "I opened my own bakery today, it's called [Roomboter]"),
    _before("person", 6, r"(named|called|call) (her|him|me)|(my|his|her|their) (\w+ )?name('s|s| is| was)|my name",
            "they called her [Fenja]"),
    _before("organization", 3, r"(they're|they are|they were|they got|now) called",
            "they rebranded, they're called [Vertexa]"),
    _before("object", 2, r"its name('s| is)|(named|called) it", "my scooter, I named it [Blitz]"),
    # titles, kin, trades
    _before("person", 7, r"<title>\.?", "Dr. [Farkas] called"),
    _before("person", 7, r"(brother|sister|mother|father|son|daughter|sibling|parent)s?[ -]in[ -]law,?",
            "my sister in law [Bettina]"),
    _before("person", 4, r"(report|reports|reporting|reported|shoutout|hand over|handed over|handing \w+ over) to",
            "I report to [Hannelore] now"),
    _before("person", 1.6, r"<done by> by", "the office is run by [Amira]"),
    _before(OF_NOUN, 5, r"(<my> |\w+'s |two |both |three )([\w-]+ ){0,2}<noun>", "my little cousin [April]"),
    _before(OF_NOUN, 3.5, r"<noun>", "cats [Miso] and Tofu"),
    _before(OF_NOUN, 4, r"<noun> (like|such as|including)", "startups like [Plumline]"),
    _before("object", 4, r"(books?|novels?|films?|movies?|shows?|series|songs?|plays?) (like|such as|including)",
            "films like [Amelie]"),
    _before(OF_NOUN, 3.2, r"<noun>( right now| these days| here)?(,|:| \(| -| –| —)",  # noqa: RUF001
            "our allotment association, [Groene Vingers]"),
    _before(OF_NOUN, 2.5, r"<noun>( \w+)? (is|are|was|were|will be)( now| still)?", "her deputy is [Quist]"),
    # work and study
    _before("organization", 5, r"<work> <few>(at|for|with|by)<the>", "I work nights at the [Mucky Duck]"),
    _before("organization", 2, r"(work|works|worked|working|employed|consulting|shifts?|nights) (at|for|by)<the>",
            "she works for [Halden]"),
    _before("organization", 4, r"<department> (over )?at<the>", "VP of product at [Northvolt]"),
    _before("organization", 6, r"<study> <few>(at|from|to|with)<the>", "I studied linguistics at [Tartu]"),
    _before("organization", 5, r"(resigned|retired|fired|laid off|suspended) from<the>", "she resigned from [Volvo]"),
    _before("organization", 3.5, r"<join><the>", "so I left [Brightwater] in May"),
    _before("organization", 4, r"(<be> )+((still|now|back|over) )?(at|with)<the>", "she's at [Bayer] now"),
    _before("organization", 4, r"<trade> (of \w+ )?(over )?(at|with)<the>", "I'm a pastry chef at [Hotel Okura]"),
    _before("organization", 2.5, r"<trade> for<the>", "a driver for [Halden]"),
    _before("organization", 3, r"(member|treasurer|chair|president|director|founder|ceo|head|owner) of<the>",
            "treasurer of [Groene Vingers]"),
    _before("organization", 3, r"<eat> (\w+ )?at<the>", "dinner at [Noma]"),
    _before("organization", 3, r"(in talks|contract|deal|deals|sponsorship|partnership|partnered|teamed up) with<the>",
            "we are in talks with [Hallbrook]"),
    _before("organization", 1.7, r"at<the>", "I see her at [Northgate] now"),
    # where
    _before("place", 5, r"<live> (\w+ )?<few>(in|to|from|near|around|outside|up to|over to)<the>",
            "we moved back to [Denver]"),
    _before("place", 4, r"<travel> (\w+ )?<few>(to|in|from|through|around|near|across|via)<the>",
            "the ferry to [Gotland]"),
    _before("place", 1.5, r"<visit>( the| whole| all of)*", "we visited [Kanazawa]"),
    _before("place", 3, r"in<the>", "three years in [Groningen]"),
    _before("place", 4.5, r"<beside><the>", "a barn near [Hexham]"),
    _before("place", 3, r"(at|in) (the )?[\w ]{3,25} in", "party at the soft play in [Drogheda]"),
    _before("place", 3, r"(i'm|im|we're|i am|we are|he's|she's|they're|now|still|back|been|put|here) (still |now )*in",
            "I'm in [Graz]"),
    _before("place", 3, r"('s|is|are|was|from|he's|she's) ((originally|all) )?from", "she's from [Stavanger]"),
    _before("place", 2, r"\w+, (originally )?from", "he's Norwegian, from [Stavanger]"),
    _before("place", 5, r"timezone is|home is still|home base is|home is|city( again)?:|city is",
            "my timezone is [Lisbon]"),
    _before("place", 3, r"<stage> <few>at<the>", "Nils opened for Sigrid at [Debaser]"),
    # what one uses, has, makes
    _before("technology", 1.6, r"<use>( <few><onto>| a| the| our| my| everything in)?",
            "we ported harbor to [FastAPI]"),
    _before("technology", 3, r"(dropped|ditched|dumped|swapped|replaced|left|switched) [\w.+#-]+( \w+)? (for|with)",
            "I dropped Todoist for [Taskwarrior]"),
    _before("technology", 3, r"<built on>", "the site is built with [Zola]"),
    _before("object", 2.5, r"an?( <looks>)*", "bought a secondhand [Moccamaster]"),
    _before("object", 1.5, r"<get> (a|an|the|my|our|his|her|this|another|some|new|old)( \w+)?",
            "typing on a [Keychron Q1]"),
    _before("object", 0.6, r"(the|my|our|his|her)( old| new| trusty)?", "my [Peugeot] failed its inspection"),
    _before("object", 1.6, r"(re)?watch(ed|ing)|(re)?read(ing)?|(book|film) is|novel|song|album|(episode|season) of",
            "just finished reading [Stoner]"),
    _before("project", 3, r"<make>( the)?( project)?", "we drop support for [Kittiwake]"),
    _before("project", 5, r"project", "notes for Project [Kestrel]"),
    # people among others
    _before("person", 3, r"<meet>", "bumped into [Katarzyna]"),
    _before("person", 0.7, r"<among>", "coffee with [Deepak]"),
)
AFTER = (
    _after("person", 4, r" (and|&) (i|I|me|his|her|my)", "[Odette] and I broke up"),
    _after("person", 4, r",? (who|whose|my (\w+ )?<friend>)", "[Anna] my dentist says hi"),
    _after("person", 2.5, r"('s|s'|') ((new|old|little|big|older|younger|first|real|ex) )?<kin>",
            "[Bartek]'s girlfriend"),
    _after("person", 1.3, r"'s", "[Delphine]'s covering reception"),
    _after("person", 2.5, r",? <do>", "[Giulio] passed away"),
    _after("person", 3.5, r",? (is|was|has|isn't|wasn't|will be|'s) (\w+ly )?<is>", "[Yiannis] is moving house"),
    _after("person", 0.8, r",? (is|was|has|'s)", "[Rosalind] is at the office"),
    _after("person", 5, r" from (my |the )?<circle>", "[Lamar] from accounting"),
    _after("person", 4, r" (got|getting|gets) (promoted|engaged|married|hired|fired|pregnant|divorced)",
            "[Ulla] got promoted"),
    _after("person", 3, r" (turns?|turned|turning) \w+", "[Wren] turned three"),
    _after("person", 4, r" (family|household|twins|brothers|sisters|siblings|kids|couple)", "the [Andersson] family"),
    _after("person", 1.6, r" (film|movie|book|novel|song|album|concert|show|quote)", "that new [Villeneuve] film"),
    _after(OF_NOUN, 4.2, r" <noun>", "the [Iron Yard] gym"),
    _after("project", 3.5, r" (\w+ )?<undertaking>", "the [Orchid] migration slipped"),
    _after("project", 3.5, r" (drops|ships|supports|requires|depends on) ([A-Z]\w*|support)",
            "[Pelican] drops Python 3.8"),
    _after("place", 2.5, r" <of a town>", "the [Graz] office is closing"),
    _after("technology", 1.2, r" <of a tool>", "the [Zola] config is broken"),
    _after("organization", 4, r"'s <of a firm>| (PTA|headquarters|HQ|staff|employees|management|stock|shares)",
            "[Acme]'s parent company"),
    _after("organization", 3.5, r" (hired|fired|laid off|acquired|announced|pays|offered me|hires|bought out)",
            "[Corvane] hired me"),
)
_FIRMS = (
    "Ltd|Inc|GmbH|AG|Corp|LLC|PLC|plc|AB|Oy|BV|NV|SA|SpA|Group|Foundation|Institute|University|College|Universität|"
    "Université|School|school|Elementary|Montessori|Academy|Hospital|Clinic|clinic|Kindergarten|Hotel|Inn|Bank|Church|"
    "Cathedral|Museum|Gallery|Restaurant|Bistro|Café|Cafe|Bakery|Brewery|Pharmacy|Labs?|Analytics|Foods|Systems|"
    "Technologies|Tech|Studios?|Partners|Consulting|Association|Society|Union|Club|Gym|Bio|Biotech|Energy|Media|Capital|"
    "Ventures|Airlines|Airways|Press|Records|Steel|Solutions|Software|Health|Pharma|Robotics|Motors|Logistics|Insurance|"
    "Party|Council|Ministry|Department|Orchestra|Choir|Company|Co|Sons|Brothers|Bros|Associates|Works|Industries|Holdings|"
    "Games|Design|Architects|line|Line|Federation|League|FC|United|Dental|Yoga|Fitness|Books|Market|Daycare|Nursery|Center|"
    "Centre|Agency|Chemicals|Pharmaceuticals|Electric|Electronics|Textiles|Aviation|Aerospace|Interactive|Digital|Networks|"
    "Financial|Finance|Trust|Fund|Estates|Farms|Dairy|Brewing|Roasters|Kitchen|Grill|Tavern|Arms|Services|Hardware|Supply"
)
_HOUSES = (
    "University|Universität|Université|Hotel|Grand Hotel|Hôtel|Studio|Café|Cafe|Liceo|Lycée|Bank|Restaurant|Ristorante|"
    "Trattoria|Museum|Hôpital|Casa|Politecnico|Institute|College|Ministry|Department|Bar|Chez|Klinikum|Sankt|Royal|FC|"
    "House of|Church|Society|Academy|City of|city of"
)
_SITES = (
    "Street|St|Road|Rd|Avenue|Ave|Lane|Drive|Boulevard|Park|Square|Bridge|Lake|River|Mountains?|Valley|Beach|Islands?|Bay|"
    "County|City|Trail|Airport|Station|Hills?|Heights|Gardens?|Forest|Castle|Tower|Coast|Falls|Canyon|Desert|Ocean|Sea|"
    "Pier|Harbou?r|Quarter|Village|Springs|Creek|Way|Peak|Ridge"
)
_TO_SITES = (
    r"Lake|Mount|Mt\.?|Via|Rue|Calle|Plaza|Piazza|Place|Fort|Cape|Port|San|Santa|Saint|St\.?|Isle|Loch|Glen|Rio|Costa|Villa|"
    r"Bad|Monte|Playa"
)
_TOWN_ENDINGS = (
    "strasse|straße|gasse|platz|allee|gade|gatan|vej|veien|laan|straat|gracht|katu|utca|ville|burg|bourg|stadt|heim|grad|"
    "stan|shire|polis|wick|furt"
)
_OCCASIONS = (
    "Festival|Conference|Marathon|Summit|Cup|Championships?|Expo|Fair|Olympics|Hackathon|Awards|Open|Fest|Tournament|"
    "Regatta|Parade|Pride|Con"
)
INSIDE = (
    _inside("organization", 4, rf"\S (?:{_FIRMS})\.?$", "[Holtz Group]"),
    _inside("organization", 5, rf"^(?:{_HOUSES})\b.", "[Hotel Okura]"),
    _inside("organization", 3, r"\b(?:High|General|Memorial)$", "[Lakeview High]"),
    _inside("organization", 4, r"(?:schule|gymnasium|skolan|lyceum|kliniken)$", "[Lindenschule]"),
    _inside("place", 4, rf"\S (?:{_SITES})$", "[Tanner Street]"),
    _inside("place", 3, rf"^(?:{_TO_SITES})\b.", "[Via Mazzini]"),
    _inside("place", 1.5, rf"(?:{_TOWN_ENDINGS})$", "[Vesterbrogade]"),
    _inside("event", 4, rf"\S (?:{_OCCASIONS})$", "[Reading Festival]"),
    _inside("technology", 3, r"^[a-z]+[A-Z]\w*$|^[A-Z]\w*(?:DB|SQL|JS|ML|OS|QL|MQ|API|SDK)$|\.(?:js|io|py|ai|rs)$",
            "[gRPC]"),
    _inside("technology", 1, r"^[A-Z][a-z]+[A-Z]\w*$", "[PagerDuty]"),
    _inside("object", 2, r"^[A-Z][\w-]* (?:[A-Z]{0,3}-?\d[\w-]*|[A-Z]\d)$", "[Keychron Q1]"),
    _inside("object", 3, r"^[A-Z]{1,3}-?\d{2,4}[a-z]?$| unit$", "[A380]"),
    _inside("person", 0.8, r"^(?:Mc|Mac|O'|Van |von |van |de |Al-|El )[A-Z]", "[O'Brien]"),
    _inside("person", 2, r"(?:ova|owski|ewski|sson|ssen|poulos|escu|enko|vich|ović|oğlu|inen|adze|shvili|yan)$",
            "[Andersson]"),
)
# fmt: on


def votes(before: str, name: str, after: str) -> dict[str, float]:
    """How loudly the clues speak for each kind. `before` and `after` stand beside the name in its sentence."""
    counted: dict[str, float] = {}
    for kind, weight in _heard(before.lower()[-REACH:], name, after[:REACH]):
        counted[kind] = counted.get(kind, 0.0) + weight
    return counted


def _heard(before: str, name: str, after: str) -> Iterator[tuple[str, float]]:
    for clues, words in ((BEFORE, before), (AFTER, after), (INSIDE, name)):
        for clue in clues:
            found = clue.pattern.search(words)
            kind = found and (kind_of_noun(found["noun"]) if clue.kind == OF_NOUN else clue.kind)
            if kind:
                yield kind, clue.weight
