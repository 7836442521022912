"""What would an agent remember in three years? Memories by the million, made up, always the same ones.

People tell one another of places, projects, things they bought, plans, likes, dates and nothing much, in sessions of
about 25 turns between two or three of them. A few words are very common and most are rare, as in real talk. For many
memories there is a question of which the memory is the answer: it names all but one of the particulars.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import islice
from typing import Any, NamedTuple

import numpy as np

BEGAN, ENDED = datetime(2023, 1, 1, 8, tzinfo=UTC), datetime(2026, 1, 1, 8, tzinfo=UTC)
CHUNK = 10_000
TURNS_A_SESSION = 25
PEOPLE_A_STORE = 2_000
RARE_TAG, RARE_EVERY = "keepsake", 2_000
TAGS = ("home", "work", "travel", "health", "family")
STEEPNESS = 1.05  # of Zipf's law

# fmt: off
FIRST = (
    "Anna", "Tom", "Nora", "Paul", "Maria", "David", "Elena", "Jonas", "Priya", "Omar", "Sofia", "Lukas", "Grace",
    "Hugo", "Mei", "Ivan", "Clara", "Felix", "Aisha", "Ben", "Ruth", "Kofi", "Lena", "Marco", "Tessa", "Yusuf", "Ida",
    "Victor", "Hannah", "Diego", "Wanda", "Ravi", "Olga", "Simon", "Zoe", "Peter", "Noor", "Erik", "June", "Pablo",
)
LAST = (
    "Abbott", "Brandt", "Castillo", "Dorsey", "Engel", "Farrow", "Guzman", "Holt", "Ibarra", "Jansen", "Keller",
    "Lindqvist", "Moreau", "Novak", "Okafor", "Petrov", "Quinn", "Rossi", "Sandoval", "Takeda", "Ueda", "Varga",
    "Whitlock", "Yilmaz", "Zeller", "Ashby", "Boateng", "Cohen", "Duarte", "Eriksen", "Fontaine", "Gallagher", "Hassan",
    "Iverson", "Joshi", "Kaplan", "Larsen", "Mbeki", "Nakata", "Ortega", "Pereira", "Rahman", "Silva", "Thorne",
    "Ulrich", "Vance", "Weaver", "Xu", "Young", "Zimmer",
)
PLACES = (
    "Lisbon", "Austin", "Kyoto", "Bergen", "Oaxaca", "Tallinn", "Nairobi", "Hobart", "Quebec", "Porto", "Leipzig",
    "Seville", "Cork", "Turin", "Ghent", "Denver", "Cusco", "Galway", "Graz", "Malmo", "Bath", "Trieste", "Osaka",
    "Riga", "Utrecht", "Bristol", "Salta", "Halifax", "Tampere", "Zadar", "Ljubljana", "Santa Fe", "Savannah", "Perth",
    "Dunedin", "Valencia", "Marseille", "Antwerp", "Krakow", "Split", "Aarhus", "Basel", "Geneva", "Naples", "Palermo",
)
MANNER = (
    "Blue", "Silent", "Northern", "Rapid", "Hidden", "Copper", "Winter", "Golden", "Broken", "Paper", "Velvet", "Iron",
    "Crystal", "Amber", "Distant", "Hollow", "Lucky", "Scarlet", "Wandering", "Quiet", "Silver", "Emerald", "Stone",
    "Cedar", "Lunar", "Solar", "Arctic", "Royal", "Humble", "Electric",
)
OBJECT = (
    "Harbor", "Falcon", "Lantern", "Bridge", "Orchard", "Compass", "Meadow", "Anchor", "Beacon", "Canyon", "Delta",
    "Ember", "Forge", "Garden", "Horizon", "Island", "Juniper", "Kite", "Ladder", "Mirror", "Nest", "Oasis", "Prism",
    "Quarry", "River", "Summit", "Tower", "Valley", "Willow", "Zephyr",
)
THINGS = (
    "camera", "bicycle", "tent", "coffee grinder", "piano", "sewing machine", "telescope", "kayak", "bookshelf", "lamp",
    "laptop", "violin", "sofa", "toolbox", "raincoat", "drone", "typewriter", "blender", "carpet", "desk", "freezer",
    "guitar", "hammock", "iron kettle", "jacket", "keyboard", "ladder", "microscope", "necklace", "oven", "printer",
)
DISHES = (
    "lentil soup", "mushroom risotto", "fish tacos", "apple pie", "ramen", "goulash", "paella", "falafel", "pierogi",
    "pumpkin curry", "shakshuka", "sourdough bread", "ceviche", "gnocchi", "bibimbap", "cheesecake", "moussaka", "pho",
    "jollof rice", "onion tart", "dumplings", "beet salad", "lamb stew", "pancakes", "tiramisu",
)
HOBBIES = (
    "pottery", "chess", "bird watching", "salsa", "rock climbing", "calligraphy", "fencing", "gardening", "archery",
    "beekeeping", "choir", "astronomy", "woodcarving", "swimming", "yoga", "photography", "knitting", "rowing",
    "improv theatre", "origami", "running", "sketching", "surfing", "stamp collecting", "baking",
)
JOBS = (
    "nurse", "carpenter", "pilot", "librarian", "geologist", "translator", "chef", "electrician", "architect", "vet",
    "plumber", "teacher", "dentist", "journalist", "botanist", "accountant", "baker", "lawyer", "violinist", "engineer",
)
TIMES = (
    "last Friday", "yesterday", "in March", "last summer", "two weeks ago", "on Tuesday", "in October", "this morning",
    "last weekend", "in spring", "a month ago", "on my birthday", "before Christmas", "the other day", "last night",
)
PLANNED = (
    "next month", "tomorrow", "in June", "next summer", "on Saturday", "in two weeks", "next spring", "after Easter",
    "next Monday", "in the autumn", "at the end of the year", "this evening",
)
FEELINGS = (
    "thrilled", "a bit nervous", "worn out", "proud", "relieved", "curious", "sad", "calm", "overwhelmed", "hopeful",
    "annoyed", "grateful", "bored", "surprised",
)
NUMBERS = tuple(str(one) for one in (3, 5, 2, 12, 40, 7, 15, 120, 250, 60, 18, 900, 33, 1400, 75, 9, 480, 21, 2600, 88))

# fmt: on


def _pairs(first: tuple[str, ...], second: tuple[str, ...]) -> tuple[str, ...]:
    """Every pair, so ordered that the first of them have little in common."""
    return tuple(
        f"{one} {second[(3 * place + shift) % len(second)]}"
        for shift in range(len(second))
        for place, one in enumerate(first)
    )


FILLERS: dict[str, tuple[str, ...]] = {
    "person": _pairs(FIRST, LAST),
    "place": PLACES,
    "project": _pairs(MANNER, OBJECT),
    "shop": tuple(f"The {name}" for name in reversed(_pairs(MANNER, OBJECT))),
    "thing": _pairs(("new", "used", "red", "small", "heavy", "cheap"), THINGS),
    "dish": DISHES,
    "hobby": HOBBIES,
    "job": JOBS,
    "time": TIMES,
    "planned": PLANNED,
    "feeling": FEELINGS,
    "number": NUMBERS,
}
NAMED = frozenset({"person", "place", "project", "shop"})

TEMPLATES: tuple[tuple[str, str | None], ...] = (
    ("I bought a {thing} at {shop} in {place} {time}.", "What did {speaker} buy at {shop} in {place}?"),
    ("{person} works as a {job} in {place} now, since {time}.", "What is the job of {person} in {place}?"),
    ("We moved the launch of {project} to {planned}. {person} was against it.", "Who was against moving {project}?"),
    ("My cousin {person} cooked {dish} for us {time}.", "What did {person} cook for {speaker}?"),
    ("I have taken up {hobby} with {person}, every week in {place}.", "Who does {speaker} practise {hobby} with?"),
    ("The budget of {project} is {number} thousand, says {person}.", "How large is the budget of {project}?"),
    ("{person} is moving from {place} to the coast {planned}.", "When does {person} leave {place}?"),
    ("I never liked {dish}. At {shop} they serve nothing else!", "Which dish at {shop} does {speaker} dislike?"),
    ("We stayed {number} nights in {place} {time}, at a hotel called {shop}.", "How long was {speaker} at {shop}?"),
    ("{person} lost a {thing} on the train to {place} {time}.", "What did {person} lose on the train to {place}?"),
    ("The demo of {project} in front of {person} went badly {time}.", "Who saw the demo of {project}?"),
    ("I am allergic to {dish}, I found out in {place} {time}.", "What is {speaker} allergic to?"),
    ("{person} asked me to take over {project} {planned}.", "Who asked {speaker} to take over {project}?"),
    ("My favourite restaurant in {place} is {shop}, because of the {dish}.", "What is {speaker} fond of at {shop}?"),
    ("I paid {number} euros for the {thing} from {person}.", "What did {speaker} pay {person} for the {thing}?"),
    ("{person} and I will go to {place} {planned} for the {hobby} meeting.", "Where will {speaker} go with {person}?"),
    ("Remind me to call {person} about {project} {planned}.", "Who must {speaker} call about {project}?"),
    ("{person} got married in {place} {time}, {number} guests came.", "How many guests had {person} in {place}?"),
    ("I felt {feeling} when {person} told me about {place}.", "How did {speaker} feel about {person} in {place}?"),
    ("The {thing} broke {time}. {shop} will repair it for {number} dollars.", "What will {shop} ask for the repair?"),
    ("We decided to write {project} anew. The old one was {number} files of pain.", "What was decided on {project}?"),
    ("{person} recommended {shop} in {place} for a {thing}.", "Which shop in {place} did {person} recommend?"),
    ("My neighbour is a {job} and keeps a {thing} in the hall.", "What does the {job} next to {speaker} keep?"),
    ("I am learning {hobby} {planned}, {person} gave me the course.", "Who gave {speaker} the course in {hobby}?"),
    ("Nothing much happened {time}, I was {feeling} and made {dish}.", None),
    ("How was {place}? You looked {feeling} when you came back {time}.", None),
    ("Oh wow, that is great! Say hello to {person} from me.", None),
    ("Did you ever try {hobby}? I think you would be {feeling} at first.", None),
    ("Yes, {time} I think, or was it {planned}? I forget these things.", None),
    ("That sounds lovely. Tell me more about the {thing} some day!", None),
    ("Sorry, I have to run now, {person} is waiting with the {dish}.", None),
    ("I see, so {planned} then.", None),
    ("Hmm, {person} again? Who else!", None),
    (
        "I thought about it again and I will not sell the {thing} to {person} after all, it was a present.",
        "Why does {speaker} not sell the {thing} to {person}?",
    ),
    ("Thanks, that helps a lot with {project}. Let us talk {planned}.", None),
)
_SLOT = re.compile(r"\{(\w+)\}")
_SLOTS = tuple(tuple(_SLOT.findall(said)) for said, _ in TEMPLATES)
_FORMS = tuple(_SLOT.sub("%s", said) for said, _ in TEMPLATES)
_NAMED = tuple(tuple(place for place, slot in enumerate(slots) if slot in NAMED) for slots in _SLOTS)


class Said(NamedTuple):
    number: int
    content: str
    speaker: str
    session: str
    at: datetime
    entities: tuple[str, ...]
    tags: tuple[str, ...]
    template: int
    fillers: tuple[str, ...]

    @property
    def key(self) -> str:
        return f"m{self.number}"

    @property
    def item(self) -> dict[str, Any]:
        """As `add_many` takes it."""
        return {
            "content": self.content,
            "speaker": self.speaker,
            "session": self.session,
            "at": self.at,
            "key": self.key,
            "entities": list(self.entities),
            "tags": list(self.tags),
        }


def memories(count: int, seed: int = 0) -> Iterator[Said]:
    """The first so many, spread over three years."""
    step = (ENDED - BEGAN) / max(count, 1)
    for chunk in range(-(-count // CHUNK)):
        yield from islice(_chunk(chunk, seed, step), count - chunk * CHUNK)


def _chunk(chunk: int, seed: int, step: timedelta) -> Iterator[Said]:
    draw = np.random.default_rng([seed, chunk])
    templates = draw.integers(0, len(TEMPLATES), CHUNK).tolist()
    pools = {kind: iter(_zipf(draw, words, CHUNK * 2)) for kind, words in FILLERS.items()}
    begins = np.cumsum(draw.integers(TURNS_A_SESSION - 10, TURNS_A_SESSION + 11, CHUNK // (TURNS_A_SESSION - 10) + 1))
    talking = _zipf(draw, FILLERS["person"][:PEOPLE_A_STORE], 3 * len(begins))
    crowd = draw.integers(2, 4, len(begins)).tolist()
    turns = draw.integers(0, 6, CHUNK).tolist()
    naming = (draw.random(CHUNK) < 0.25).tolist()
    tagged = draw.integers(0, 4 * len(TAGS), CHUNK).tolist()
    ends = begins.tolist()
    session = 0
    for place in range(CHUNK):
        if place >= ends[session]:
            session += 1
        number, template = chunk * CHUNK + place, templates[place]
        fillers = tuple([next(pools[slot]) for slot in _SLOTS[template]])
        tags = TAGS[tagged[place] : tagged[place] + 1]
        yield Said(
            number,
            _FORMS[template] % fillers,
            talking[3 * session + turns[place] % crowd[session]],
            f"s{chunk}-{session}",
            BEGAN + step * number,
            tuple([fillers[one] for one in _NAMED[template]]) if naming[place] else (),
            (*tags, RARE_TAG) if number % RARE_EVERY == RARE_EVERY // 2 else tags,
            template,
            fillers,
        )


def _zipf(draw: np.random.Generator, words: tuple[str, ...], count: int) -> list[str]:
    chance = 1 / np.arange(1, len(words) + 1) ** STEEPNESS
    places = np.searchsorted(np.cumsum(chance / chance.sum()), draw.random(count))
    return [words[place] for place in np.minimum(places, len(words) - 1).tolist()]


def question_about(said: Said) -> str | None:
    """What a memory answers, if it answers anything."""
    asked = TEMPLATES[said.template][1]
    if asked is None:
        return None
    return asked.format(speaker=said.speaker, **dict(zip(_SLOTS[said.template], said.fillers, strict=True)))


def questions(count: int, wanted: int, seed: int = 0) -> list[tuple[str, str]]:
    """Distinct questions about memories all over the first `count`, each with the key of the memory that answers it."""
    step = max(1, count // (wanted * 4))
    found: dict[str, str] = {}
    for said in islice(memories(count, seed), step // 2, None, step):
        asked = question_about(said)
        if asked is not None:
            found.setdefault(asked, said.key)
    places = np.random.default_rng(seed).permutation(len(found))[:wanted].tolist()
    every = list(found.items())
    return [every[place] for place in places]
