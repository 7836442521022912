"""What do the words around a name say about its kind? Each clue is a pattern, the kind it speaks for, and how loudly.

`BEFORE` is held against the words that lead up to a name, `AFTER` against those that follow it, `INSIDE` against the
name itself. Where a pattern catches a `noun`, the kind is that of the noun (`things`); a noun of no known kind is no clue.
The example beside each clue marks the name with brackets, and a test holds every clue to its example.
"""

# ruff: noqa: E501
from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from treering.language.things import kind_of_noun

BY_NOUN = "the noun's"
REACH = 64  # characters before and after a name that are looked at


@dataclass(frozen=True, slots=True)
class Clue:
    pattern: re.Pattern[str]
    kind: str
    weight: float
    example: str


def _before(pattern: str, kind: str, weight: float, example: str) -> Clue:
    return Clue(re.compile(rf"(?:^|(?<=[^\w'])|(?='))(?:{pattern})\s?$"), kind, weight, example)


def _after(pattern: str, kind: str, weight: float, example: str) -> Clue:
    return Clue(re.compile(pattern), kind, weight, example)


def _inside(pattern: str, kind: str, weight: float, example: str) -> Clue:
    return Clue(re.compile(pattern), kind, weight, example)


_NOUN = r"(?P<noun>[\w-]+)"
_A = r"(?:(?:the|a|an|my|our|his|her|their|your|this|that|some) )"
_FEW = r"(?:[\w'-]+ ){0,3}"
_WORK = (
    r"(?:work|works|worked|working|job|jobs|gig|position|role|intern|interned|interning|internship|employed|career|"
    r"shifts?|promoted|hired|interviewed|interviewing|interview|applied|offer|contract|contracting|consulting|"
    r"freelancing|started|starting|starts|stint|year|years|months|notice|resigned|retired|fired|boss|manager|"
    r"colleagues?|coworkers?|volunteer|volunteers|volunteering|volunteered|tenure|head|lead|leads|vp|ceo|cto|cfo|pm|"
    r"transferred|back)"
)
_STUDY = (
    r"(?:studied|studies|study|studying|degree|phd|ph\.d\.?|doctorate|masters?|master's|bachelors?|bachelor's|msc|bsc|"
    r"mba|graduated|graduate|graduating|enrolled|student|professor|lecturer|teach|teaches|teaching|taught|freshman|"
    r"semester|accepted|admitted|course|postdoc|scholarship|major|majored)"
)
_LIVE = (
    r"(?:live|lives|lived|living|based|born|raised|grew up|grow up|moved|moving|move|relocated|relocating|"
    r"relocate|settled|stay|stays|stayed|staying|flat|apartment|house|home|cottage|cabin|lease|rent|headquartered|"
    r"offices?|bungalow|villa|farm|barn|weather|winters?|summers?|hometown|residency|stationed|located|camping|rental)"
)
_TRAVEL = (
    r"(?:flew|fly|flies|flying|flight|flights|drove|drive|driving|train|trains|ferry|bus|trip|trips|travel|travels|"
    r"travelled|traveled|travelling|traveling|vacation|vacationed|holiday|holidays|weekend|weekends|hike|hiked|hiking|"
    r"cycled|cycling|sailed|going|went|go|goes|gone|headed|heading|ticket|tickets|layover|honeymoon|wedding|conference|"
    r"walk|walked|backpacking|backpacked|week|weeks|stopover|landed|arrived|depart|departs|return|returned|back)"
)
_USE = (
    r"(?:use|uses|used|using|switch|switched|switchd|switching|migrate|migrated|migrating|ported|porting|rewrote|"
    r"rewriting|rewrite|rewritten|built|build|building|deploy|deployed|deploying|written|wrote|write|writing|code|"
    r"coded|coding|program|programming|install|installed|installing|upgrade|upgraded|upgrading|learn|learned|learnt|"
    r"learning|run|runs|running|moved everything|dumped|dropped|dropping|replaced|replace|adopted|adopting|uninstalled|"
    r"configure|configured|debug|debugging|hosted|track|tracking|back)"
)
_GET = (
    r"(?:bought|buy|buying|got|getting|get|gets|ordered|own|owns|owned|have|has|had|having|ride|rides|riding|drive|"
    r"drives|driving|sold|selling|sell|splurged on|wearing|typing on|playing|upgraded to|picked up|received|want|wanted|"
    r"traded in|restored|restoring|repaired|fixed|broke|lost|with|'ve|try|tried)"
)
_KIN_AFTER = (
    r"(?:wife|husband|girlfriend|boyfriend|partner|fianc\w+|mum|mom|mother|dad|father|parents|sister|brother|son|"
    r"daughter|kids?|children|baby|cousin|aunt|uncle|boss|friends?|birthday|wedding|funeral|house|flat|apartment|number|"
    r"band|passport|residency|pregnant|place|party|dog|cat|car|phone|exam|surgery)"
)
_SAY = (
    r"(?:said|says|say|told|tells|thinks|thought|asked|asks|texted|emailed|called|calls|phoned|wants|wanted|loves|loved|"
    r"hates|hated|likes|liked|lives|lived|prefers|reckons|swears|knows|knew|feels|felt|hopes|married|divorced|"
    r"graduated|turned|turns|is pregnant|was born|died|passed away|smiled|laughed|cooked|teaches|studies|invited|"
    r"recommended|suggested|mentioned|agreed|plays|eats|owes|picks|brings|joined|left|quit|retired|got|had|owns|"
    r"reviews|never|also|might|does|did|will|'ll|can|can't|keeps|finished|works|worked|moved|broke|runs|took|gave|made)"
)

# fmt: off
BEFORE = (
    # named by somebody
    _before(rf"{_NOUN} (?:(?:that|which|who|we|i|they|he|she|is|was|are|were|also|actually) |(?<=\w)'s )*(?:called|named|nicknamed|known as|goes by|go by)", BY_NOUN, 6, "a luthier called [Desmond]"),
    _before(rf"(?:named|called|christened|dubbed|naming|calling) (?:the|our|my|his|her|their|a|this) (?:\w+ )?{_NOUN}", BY_NOUN, 6, "we named the boat [Second Breakfast]"),
    _before(rf"{_NOUN} (?:(?:that|which) )?(?:we|i|they|everybody|everyone|people) calls?", BY_NOUN, 6, "an old estate that we call [Bertil]"),
    _before(rf"{_NOUN}(?:'s|s|s') (?:(?:real|first|last|full|new|maiden) )?name(?:'s| is| was)?", BY_NOUN, 6, "the contractor's name is [Gunvor]"),
    _before(r"(?:(?:named|called|call) (?:her|him|me)|(?:my|his|her|their) (?:\w+ )?name(?:'s|s| is| was)|my name)", "person", 6, "they called her [Fenja]"),
    _before(rf"{_NOUN}[\w ,']{{0,30}} (?:it's|its|it is|it was|that's|which is|that is) (?:\w+ )?called", BY_NOUN, 6, "I opened my own bakery today, it's called [Roomboter]"),
    _before(r"(?:they're|they are|they were|they got|now) called", "organization", 3, "they rebranded, they're called [Vertexa]"),
    _before(r"(?:its name(?:'s| is)|(?:named|called) it)", "object", 2, "my scooter, I named it [Blitz]"),
    # titles, kin, trades
    _before(r"(?:mr|mrs|ms|mx|miss|dr|prof|professor|sir|dame|madam|doctor|pastor|father|sister|captain|uncle|aunt|auntie|tante|grandma|grandpa|nurse|judge|senator)\.?", "person", 7, "Dr. [Farkas] called"),
    _before(r"(?:brother|sister|mother|father|son|daughter|sibling|parent)s?[ -]in[ -]law,?", "person", 7, "my sister in law [Bettina]"),
    _before(r"(?:report|reports|reporting|reported|reported back|loyal|thanks|shoutout|hand over|handed over|handing \w+ over) to", "person", 4, "I report to [Hannelore] now"),
    _before(r"(?:run|led|written|managed|owned|organised|organized|reviewed|directed|painted|cooked|taught|hosted|headed|covered) by", "person", 1.6, "the office is run by [Amira]"),
    _before(rf"(?:{_A}|\w+'s |two |both |three )(?:[\w-]+ ){{0,2}}{_NOUN}", BY_NOUN, 5, "my little cousin [April]"),
    _before(_NOUN, BY_NOUN, 3.5, "cats [Miso] and Tofu"),
    _before(rf"{_NOUN}(?: right now| these days| here)?(?:,|:| \(| -| –| —)", BY_NOUN, 3.2, "our allotment association, [Groene Vingers]"),  # noqa: RUF001
    _before(rf"{_NOUN}(?: \w+)? (?:is|are|was|were|will be)(?: now| still)?", BY_NOUN, 2.5, "her deputy is [Quist]"),
    # work and study
    _before(rf"{_WORK} {_FEW}(?:at|for|with|by) (?:the |a )?", "organization", 5, "I work nights at the [Mucky Duck]"),
    _before(r"(?:work|works|worked|working|employed|consulting|coding|cooking|shifts?|nights) (?:at|for|by) (?:the |a )?", "organization", 2, "she works for [Halden]"),
    _before(r"(?:engineering|product|design|marketing|sales|support|hr|finance|centre|center|kitchen|floor|desk|line|reception|counter) (?:over )?at (?:the )?", "organization", 4, "VP of product at [Northvolt]"),
    _before(rf"{_STUDY} {_FEW}(?:at|from|to|with) (?:the )?", "organization", 6, "I studied linguistics at [Tartu]"),
    _before(r"(?:joined|joining|joins|left|leaving|leave|quit|quitting|founded|co-founded|hired by|fired by|acquired by|bought by|signed with|signing with|no longer with|employer is|bank with|banking with|donate to|donated to|volunteer for|savings (?:from|to|at|with)|account (?:at|with)|shares in) (?:the )?", "organization", 3.5, "so I left [Brightwater] in May"),
    _before(r"(?:(?:'m|'re|'s|m|is|are|am|was|been|still|now|stay|staying|stays|pints|over|spent \w+ \w+) )+(?:still |now |back |over )?(?:at|with) (?:the )?", "organization", 4, "she's at [Bayer] now"),
    _before(r"[\w-]+(?:er|or|ist|ian|ant|chef|nurse|clerk|analyst|lead|rep|intern|cook|pm|ceo|cto|hr|qa|vp|dev|agent|head) (?:of \w+ )?(?:over )?(?:at|for|with) (?:the |a )?", "organization", 4, "I'm a pastry chef at [Hotel Okura]"),
    _before(r"(?:member|treasurer|chair|president|director|founder|ceo|head|owner) of (?:the )?", "organization", 3, "treasurer of [Groene Vingers]"),
    _before(r"(?:ate|eat|dinner|lunch|brunch|drinks|coffee|booked a table|reservation|meal|shop|shopping|off) (?:\w+ )?at (?:the )?", "organization", 3, "dinner at [Noma]"),
    _before(r"(?:switched|goes|go|going|went|sent) (?:\w+ )?to (?:an? |the )?(?:school|uni|college|nursery|montessori|gym|[\w-]+),? ?", "organization", 1, "we switched Wren to a Montessori, [Casa Verde]"),
    # where
    _before(rf"{_LIVE} (?:\w+ )?{_FEW}(?:in|to|from|near|around|outside|up to|over to) (?:the )?", "place", 5, "we moved back to [Denver]"),
    _before(rf"{_TRAVEL} (?:\w+ )?{_FEW}(?:to|in|from|through|around|near|across|via) (?:the )?", "place", 4, "the ferry to [Gotland]"),
    _before(r"(?:visited|visiting|visit|toured|touring|leaving|exploring|explored|miss|left|considering|doing|done|hiked|climbed|walked|in) (?:(?:the|whole|all of) )*", "place", 1.5, "we visited [Kanazawa]"),
    _before(r"in (?:the )?", "place", 3, "three years in [Groningen]"),
    _before(r"(?:near|around|outside|towards?|throughout|across|north of|south of|east of|west of|city of|town of|village of|island of|streets of|capital of|coast of|suburbs? of|part of|map of|clinic on|flat on|house on|office on|shop on|path by|round by|corner of) (?:the )?", "place", 4.5, "a barn near [Hexham]"),
    _before(r"(?:at|in) (?:the )?[\w ]{3,25} in", "place", 3, "party at the soft play in [Drogheda]"),
    _before(r"(?:i'm|im|we're|i am|we are|he's|she's|they're|now|still|back|been|put|here|over) (?:still |now |back )*in", "place", 3, "I'm in [Graz]"),
    _before(r"(?:'s|is|are|was|from|he's|she's) (?:originally |all )?from", "place", 3, "she's from [Stavanger]"),
    _before(r"(?:timezone is|home is still|home base is|home is|living in|city(?: again)?:|city is)", "place", 5, "my timezone is [Lisbon]"),
    _before(rf"(?:opened for|played|plays|playing|gig|concert|show|festival|party) {_FEW}at (?:the )?", "place", 3, "Nils opened for Sigrid at [Debaser]"),
    _before(r"at (?:the )?", "organization", 0.9, "I see her at [Northgate] now"),
    # what one uses
    _before(rf"{_USE} (?:{_FEW}(?:from|to|in|with|on|onto|over to|into|off|back to)|a|the|our|my|everything in)?", "technology", 1.6, "we ported harbor to [FastAPI]"),
    _before(r"(?:written in|built with|built on|runs? on|running on|deployed (?:to|on|with)|hosted on|coded in|migrat\w+ (?:\w+ )*(?:to|from)|switch\w* (?:\w+ )?(?:to|from)|rewr\w+ (?:\w+ )*in|decent at|good at|ok at|okay at|bad at|terrible at|fluent in|experience with|plugin for|config for|integrates? with|stack:|via|back on|gone over to|moved (?:\w+ )?over to)", "technology", 3, "the site is built with [Zola]"),
    # what one has
    _before(r"(?:a|an)(?: (?:new|old|used|secondhand|second-hand|vintage|battered|cheap|fancy|black|white|red|blue|green|silver|nice|little|refurbished|brand new|second|proper|big|small))*", "object", 2.5, "bought a secondhand [Moccamaster]"),
    _before(rf"{_GET} (?:a|an|the|my|our|his|her|this|another|some|new|old)(?: \w+)?", "object", 1.5, "typing on a [Keychron Q1]"),
    _before(r"(?:the|my|our|his|her) (?:old |new |trusty )?", "object", 0.6, "my [Peugeot] failed its inspection"),
    # what one makes
    _before(r"(?:project|operation|codename|codenamed|working on|side project|support for|repo|ship|shipping|shipped|released|releasing|launching|launched|maintain|maintaining|kickoff notes for|sprint planning for|planning for|update on|progress on|demo of|release \d\S*|roadmap for) (?:the )?(?:project )?", "project", 3, "we drop support for [Kittiwake]"),
    _before(r"project", "project", 5, "notes for Project [Kestrel]"),
    # people among others
    _before(r"(?:met|saw|with|married|dating|hugged|thank|thanked|ask|asked|told|tell|texted|emailed|phoned|invited|bumped into|ran into|visit|visiting|see|seeing|according to|ping|ping me not|love you|engaged to|divorced|for|from|between|meeting|by|off to|and|nobody uses|like|until|that|think|sure|says|but|of|than|babysitting|miss|owes?|kissed|named after|called|calls?|because|about|when|if|said|so|happy birthday|birthday|congrats|hi|hey|hello|dear|thanks|cc|to)", "person", 0.7, "coffee with [Deepak]"),
    _before(r"(?:met|married|dating|hugged|thanked|bumped into|ran into|according to|engaged to|seeing|asked|told|hung out with|lunch with|dinner with|call with|chat with|coffee with|phone with|meeting with|drinks with|babysitting for|house-sitting for)", "person", 3, "bumped into [Katarzyna]"),
    # said, staged, printed
    _before(r"(?:watched|watching|rewatched|read|reading|rereading|book is|film is|novel|finished reading|song|album|episode of|season of)", "object", 1.6, "just finished reading [Stoner]"),
)
AFTER = (
    _after(r"^ (?:and|&) (?:i|me|his|her|my)\b", "person", 4, "[Odette] and I broke up"),
    _after(r"^,? (?:who|whose|my (?:\w+ )?(?:friend|cousin|brother|sister|dentist|boss|neighbou?r|colleague|therapist|coach|teacher))\b", "person", 4, "[Anna] my dentist says hi"),
    _after(rf"^(?:'s|’s|s'|') (?:(?:new|old|little|big|older|younger|first|real|ex) )?{_KIN_AFTER}\b", "person", 2.5, "[Bartek]'s girlfriend"),  # noqa: RUF001
    _after(r"^(?:'s|’s)(?: |$)", "person", 1.3, "[Delphine]'s covering reception"),  # noqa: RUF001
    _after(rf"^,? {_SAY}\b", "person", 2.5, "[Giulio] passed away"),
    _after(r"^,? (?:is|was|has|isn't|wasn't|will be|'s) (?:\w+ly )?(?:my|our|his|her|their|pregnant|married|moving|dating|engaged|allergic|sick|ill|happy|sad|angry|tired|\d{1,2}(?![\d.:%,]|\w)|vegan|vegetarian|pescatarian|retired|turning|coming|visiting|picking|covering|staying|seeing|handing|selling|going|getting)\b", "person", 3.5, "[Yiannis] is moving house"),
    _after(r"^,? (?:is|was|has|'s)\b", "person", 0.8, "[Rosalind] is at the office"),
    _after(r"^ from (?:my |the )?(?:work|choir|accounting|church|school|class|hr|marketing|sales|support|it|finance|legal|college|yoga|gym|team)\b", "person", 5, "[Lamar] from accounting"),
    _after(r"^ (?:got|getting|gets) (?:promoted|engaged|married|hired|fired|pregnant|divorced)\b", "person", 4, "[Ulla] got promoted"),
    _after(r"^ (?:turns?|turned|turning) \w+", "person", 3, "[Wren] turned three"),
    _after(r"^ (?P<noun>[a-z-]+)\b", BY_NOUN, 4.2, "the [Iron Yard] gym"),
    _after(r"^ (?:\w+ )?(?:report|project|migration|rewrite|release|launch|rollout|sprint|roadmap|codebase|repo|backlog|deadline|initiative|merger)\b", "project", 3.5, "the [Orchid] migration slipped"),
    _after(r"^ (?:drops|ships|supports|requires|depends on) (?:[A-Z]|support)", "project", 3.5, "[Pelican] drops Python 3.8"),
    _after(r"^ (?:office|branch|area|airport|metro|suburbs|weather|winters?|marathon|skyline|waterfront|region|coast)\b", "place", 2.5, "the [Graz] office is closing"),
    _after(r"^ (?:keys?|api|sdk|cli|plugin|config|server|cluster|bucket|query|queries|code|script|scripts|lessons?|tutorial|cert|certification|developer|engineer|extension|support)\b", "technology", 1.2, "the [Zola] config is broken"),
    _after(r"^(?:'s|’s) (?:parent company|headquarters|hq|office|offices|ceo|cto|shares|stock|customer|employees|website|app|menu|staff|board|layoffs)\b|^ (?:PTA|headquarters|HQ|staff|employees|management|stock|shares)\b", "organization", 4, "[Acme]'s parent company"),  # noqa: RUF001
    _after(r"^ (?:hired|fired|laid off|acquired|announced|pays|offered me|hires|bought out)\b", "organization", 3.5, "[Corvane] hired me"),
    _after(r"^ (?:film|movie|book|novel|song|album|concert|show|quote)\b", "person", 1.6, "that new [Villeneuve] film"),
)
INSIDE = (
    _inside(r"\b(?:Ltd|Inc|GmbH|AG|Corp|LLC|PLC|plc|AB|Oy|BV|NV|SA|SpA|Group|Foundation|Institute|University|College|Universität|Université|School|school|Elementary|Montessori|Academy|Hospital|Clinic|clinic|Kindergarten|Hotel|Inn|Bank|Church|Cathedral|Museum|Gallery|Restaurant|Bistro|Café|Cafe|Bakery|Brewery|Pharmacy|Labs?|Analytics|Foods|Systems|Technologies|Tech|Studios?|Partners|Consulting|Association|Society|Union|Club|Gym|Bio|Biotech|Energy|Media|Capital|Ventures|Airlines|Airways|Press|Records|Steel|Solutions|Software|Health|Pharma|Robotics|Motors|Logistics|Insurance|Party|Council|Ministry|Department|Orchestra|Choir|Company|Co|Sons|Brothers|Bros|Associates|Works|Industries|Holdings|Games|Design|Architects|line|Line|Federation|League|FC|United|Dental|Yoga|Fitness|Books|Market|Daycare|Nursery|Center|Centre|Agency)\.?$", "organization", 4, "[Holtz Group]"),
    _inside(r"^(?:University|Universität|Université|Hotel|Grand Hotel|Hôtel|Studio|Café|Cafe|Liceo|Lycée|Bank|Restaurant|Ristorante|Trattoria|Museum|Hôpital|Casa|Politecnico|Institute|College|Ministry|Department|Bar|Chez|Klinikum|Sankt|Royal|FC|House of|Church|Society|Academy|City of|city of)\b.", "organization", 5, "[Hotel Okura]"),
    _inside(r"\b(?:High|General|Memorial)$", "organization", 3, "[Lakeview High]"),
    _inside(r"\b(?:Street|St|Road|Rd|Avenue|Ave|Lane|Drive|Boulevard|Park|Square|Bridge|Lake|River|Mountains?|Valley|Beach|Islands?|Bay|County|City|Trail|Airport|Station|Hills?|Heights|Gardens?|Forest|Castle|Tower|Coast|Falls|Canyon|Desert|Ocean|Sea|Pier|Harbou?r|Quarter|Village|Springs|Creek|Way|Peak|Ridge)$", "place", 4, "[Tanner Street]"),
    _inside(r"^(?:Lake|Mount|Mt\.?|Via|Rue|Calle|Plaza|Piazza|Place|Fort|Cape|Port|San|Santa|Saint|St\.?|Isle|Loch|Glen|Rio|Costa|Villa|Bad|Monte|Playa)\b.", "place", 3, "[Via Mazzini]"),
    _inside(r"(?:strasse|straße|gasse|platz|allee|gade|gatan|vej|veien|laan|straat|gracht|katu|utca|ville|burg|bourg|stadt|heim|grad|stan|shire|polis|wick|furt)$", "place", 1.5, "[Vesterbrogade]"),
    _inside(r"(?:schule|gymnasium|skolan|lyceum|kliniken)$", "organization", 4, "[Lindenschule]"),
    _inside(r"\b(?:Festival|Conference|Marathon|Summit|Cup|Championships?|Expo|Fair|Olympics|Hackathon|Awards|Open|Fest|Tournament|Regatta|Parade|Pride|Con)$", "event", 4, "[Reading Festival]"),
    _inside(r"^[a-z]+[A-Z]\w*$|^[A-Z]\w*(?:DB|SQL|JS|ML|OS|QL|MQ|API|SDK)$|\.(?:js|io|py|ai|net|rs|dev)$", "technology", 3, "[gRPC]"),
    _inside(r"^[A-Z][a-z]+[A-Z]\w*$", "technology", 1, "[PagerDuty]"),
    _inside(r"^[A-Z][\w-]* (?:[A-Z]{0,3}-?\d[\w-]*|[A-Z]\d)$", "object", 2, "[Keychron Q1]"),
    _inside(r"^[A-Z]{1,3}-?\d{2,4}[a-z]?$| unit$", "object", 3, "[A380]"),
    _inside(r"^(?:Mc|Mac|O'|Van |von |van |de |Al-|El )[A-Z]", "person", 0.8, "[O'Brien]"),
    _inside(r"(?:ova|owski|ewski|sson|ssen|poulos|escu|enko|vich|ović|oğlu|inen|adze|shvili|yan)$", "person", 2, "[Andersson]"),
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
            kind = found and (kind_of_noun(found["noun"]) if clue.kind == BY_NOUN else clue.kind)
            if kind:
                yield kind, clue.weight
