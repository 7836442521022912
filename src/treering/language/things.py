"""What kind of thing is a cousin, a bakery, a boat? Common nouns by the kind of thing a name beside them would name.

"my cousin April" names a person, "a bakery called Krümel" an organization, "we named the boat Ida" an object.
"""

from __future__ import annotations

import re
from functools import lru_cache


def _words(listed: str) -> frozenset[str]:
    return frozenset(listed.split())


FEMALE = _words(
    """
    wife girlfriend mother mom mum mommy mummy mama sister daughter aunt auntie niece grandmother grandma granny
    gran nan nana nonna oma granddaughter stepmother stepmom stepmum stepsister
    stepdaughter godmother goddaughter bride
    widow fiancée woman girl lady bridesmaid waitress actress landlady mother-in-law sister-in-law
    daughter-in-law ex-wife ex-girlfriend babygirl gal nun queen princess housewife
    """
)
MALE = _words(
    """
    husband boyfriend father dad daddy papa brother son uncle nephew grandfather grandpa granddad grandad nonno
    grandson stepfather stepdad stepbrother stepson godfather godson groom widower fiancé man guy boy lad bloke
    gentleman handyman waiter landlord father-in-law brother-in-law son-in-law ex-husband ex-boyfriend dude king
    prince bro buddy monk
    """
)
_PEOPLE = _words(
    """
    partner spouse fiance fiancee parent parents child children kid kids baby toddler teenager teen twin twins
    sibling siblings cousin relative friend friends bestie mate pal flatmate roommate housemate neighbour
    neighbor colleague coworker co-worker boss manager supervisor mentor mentee intern assistant teammate client
    customer candidate recruiter contractor agent dentist doctor nurse therapist psychologist psychiatrist
    physio surgeon gp vet midwife optician pharmacist teacher tutor professor coach trainer instructor student
    pupil classmate babysitter nanny sitter cleaner plumber electrician carpenter builder mechanic gardener
    barber hairdresser stylist tailor baker chef cook lawyer solicitor attorney notary accountant advisor
    adviser banker broker architect designer developer engineer programmer researcher scientist writer author
    editor journalist artist painter photographer musician singer guitarist drummer bassist pianist violinist
    actor director producer guest speaker founder cofounder co-founder ceo cto cfo pm president minister
    mayor senator priest pastor rabbi imam person people girl-friend crush ex eldest youngest oldest
    firstborn tenant nephews nieces sisters brothers sons daughters aunts uncles grandparents grandkids
    grandchildren grandchild in-laws guys girls boys women men chap kiddo owner leader captain officer luthier
    deputy chair treasurer secretary caretaker carer driver pilot farmer soldier lodger someone somebody anyone
    bandmate godparent newborn poet comedian streamer youtuber filmmaker athlete runner player witness
    maintainer reviewer lead
    """
)
_THINGS = _words(
    """
    dog dogs puppy puppies pup mutt hound terrier poodle labrador retriever collie shepherd greyhound dachshund
    beagle corgi bulldog pug husky spaniel cat cats kitten kittens kitty tomcat tabby hamster hamsters rabbit
    rabbits bunny guinea-pig pig pigs gerbil rat rats mouse ferret parrot parakeet budgie canary bird birds
    cockatiel chicken chickens hen hens rooster duck ducks goose goat goats sheep cow cows horse horses pony
    mare foal donkey llama alpaca tortoise turtle snake python lizard gecko iguana fish goldfish betta koi
    hedgehog pet pets stray car cars van truck lorry bus bike bikes bicycle motorbike motorcycle scooter
    moped boat boats yacht dinghy sailboat canoe kayak ship ferry plane camper campervan caravan trailer tractor
    estate hatchback sedan convertible vehicle phone phones smartphone laptop computer desktop tablet
    smartwatch camera lens printer keyboard monitor headphones earbuds headset speaker speakers console tv
    television router drone robot vacuum fridge oven stove dishwasher machine grinder mixer mower
    guitar piano violin cello drum drums synth amp plant plants cactus orchid monstera tree sourdough starter
    doll teddy toy car-seat sofa couch chair desk bed tent backpack jacket unit device gadget sword telescope
    """
)
_ORGANIZATIONS = _words(
    """
    company companies biotech fintech firm startup start-up outfit business employer agency consultancy corporation
    shop store boutique bakery café cafe coffeeshop coffee-shop restaurant diner bistro pizzeria bar pub brewery winery
    nightclub hotel hostel inn gym studio salon spa clinic hospital practice pharmacy school kindergarten
    nursery daycare preschool college university uni academy institute faculty department lab laboratory
    montessori lyceum club association society union charity foundation ngo nonprofit non-profit church mosque
    synagogue temple parish choir band orchestra ensemble troupe team league party committee council ministry
    court bank insurer insurance airline railway publisher newspaper magazine label gallery museum library
    theatre theater cinema cooperative co-op collective group network platform supermarket grocery market place
    gig employers org organization organisation bookshop bookstore tavern chain factory plant-nursery
    restaurant's carrier provider vendor supplier
    """
)
_PLACES = _words(
    """
    city town village hamlet suburb borough district neighbourhood neighborhood area region province state
    county country island islands peninsula coast beach bay lake river valley mountain mountains hill forest
    park street road avenue lane square plaza alley quarter port harbour harbor airport station resort trail
    route campsite farm ranch castle bridge capital hometown venue
    """
)
_PROJECTS = _words(
    """
    app apps cli project projects tool tools library repo repos repository package plugin extension website site
    blog newsletter podcast channel bot script game games framework codebase product prototype initiative
    program programme campaign report thesis novel manuscript migration rewrite release launch rollout refactor
    sideproject side-project service microservice pipeline dashboard zine comic album
    """
)
_EVENTS = _words(
    """
    festival conference concert gig-night marathon race tournament championship meetup hackathon summit expo
    fair workshop convention parade retreat regatta triathlon gala fundraiser exhibition
    """
)
_TECHNOLOGIES = _words(
    """
    editor ide language database db browser distro os software program stack orm compiler shell terminal cms crm
    api sdk cloud hosting linter bundler queue cache protocol wrapper
    """
)

KIND_OF_NOUN = {
    **dict.fromkeys(_TECHNOLOGIES, "technology"),
    **dict.fromkeys(_EVENTS, "event"),
    **dict.fromkeys(_PROJECTS, "project"),
    **dict.fromkeys(_PLACES, "place"),
    **dict.fromkeys(_ORGANIZATIONS, "organization"),
    **dict.fromkeys(_THINGS, "object"),
    **dict.fromkeys(_PEOPLE, "person"),
    **dict.fromkeys(FEMALE | MALE, "person"),
}
_OCCUPATION = re.compile(r"\w{3,}(?:ologist|ographer|ician|ier|iatrist|maker|keeper|man|woman|ist)s?")
_NOT_OCCUPATIONS = frozenset(("list", "human", "german", "roman", "supplier", "carrier", "premier", "barrier"))


@lru_cache(maxsize=4096)
def kind_of_noun(noun: str) -> str | None:
    """The kind of what such a noun tells of, in lower case and either number."""
    singular = noun[:-1] if noun.endswith("s") and not noun.endswith("ss") else noun
    found = KIND_OF_NOUN.get(noun) or KIND_OF_NOUN.get(singular)
    if found or noun in _NOT_OCCUPATIONS:
        return found
    return "person" if _OCCUPATION.fullmatch(noun) else None
