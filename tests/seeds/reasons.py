"""What is different from the documents on purpose, with its reason; and which promises of reading there
are, with whether they are kept. The page `docs/promises.md` is made of this and of the tests."""

from __future__ import annotations

from typing import NamedTuple


class Different(NamedTuple):
    document: str
    there: str
    here: str
    why: str


class Reading(NamedTuple):
    """A promise about what natural language means."""

    document: str
    promise: str
    example: str
    kept: bool = True
    far: str = ""
    """How far it is kept, or why it is not."""


DIFFERENT: tuple[Different, ...] = (
    Different(
        "Crosmos",
        "Recency ranks by when something was recorded.",
        "By when it was said, which is when it was recorded unless told otherwise.",
        "An imported diary would else be all of today, and rank by the order in which it was read in.",
    ),
    Different(
        "Crosmos",
        "Nearness in meaning is found with an HNSW index.",
        "By an exact scan of packed vectors, or by pgvector where that is set up.",
        "The same question to the same memories gives the same answer in every process.",
    ),
    Different(
        "LongMem",
        "An hourly sweep deletes what has expired.",
        "What has expired leaves searches at that moment, and nothing is deleted.",
        "Nothing is lost that somebody may have to account for; `purge` removes bytes, and says so.",
    ),
    Different(
        "LongMem",
        "A fact is compared with the most similar memory, above a cosine of 0.55.",
        "With all facts of the same subject and relation, and with what is near in words or meaning.",
        "Two values of one thing are often not alike, and what is alike is often about something else.",
    ),
    Different(
        "LongMem",
        "Remembering costs calls to a language model.",
        "None by default; a model can be set up to read.",
        "Memory works without a network, a key or a bill.",
    ),
    Different(
        "ai-memory",
        "Deleting a link removes its row.",
        "It is hidden from every walk and timeline, and can be restored.",
        "Nothing is removed but by `purge`.",
    ),
    Different(
        "ai-memory",
        "One row holds one link of a relation between two memories.",
        "A link that was ended and made again is two windows with a gap between them.",
        "Else the time in which it did not hold would be forgotten.",
    ),
    Different(
        "ai-memory",
        "The walk that its page shows checks only the first edge for validity.",
        "Every edge of a walk is valid at the moment asked for.",
        "A walk over edges of different times tells what was never so.",
    ),
    Different(
        "ai-memory",
        "A language model detects contradictions.",
        "Rules do, and a judge of our own that reads the two; `memory_link` states those that nobody detects.",
        "It works without a model, and gives the same answer twice.",
    ),
    Different(
        "CortexGraph",
        "The score is a power of the uses, so that what was never used scores zero.",
        "One is added to the uses.",
        "A memory that was just saved is not garbage.",
    ),
    Different(
        "CortexGraph",
        "A memory is promoted as soon as it scores high enough.",
        "It must have stood for a day as well, unless forced (setting `promotion.min_age_days`).",
        "Whatever is new scores high.",
    ),
    Different(
        "CortexGraph",
        "Garbage collection deletes.",
        "It forgets or archives, and both can be restored.",
        "Nothing is removed but by `purge`.",
    ),
    Different(
        "CortexGraph",
        "Entities are found by spaCy and told in lower case.",
        "By our own reader, as they are written; two spellings of a name are one entity.",
        "No model has to be installed, and names stay as people write them.",
    ),
    Different(
        "CortexGraph",
        "JSON Lines are compacted by a maintenance command.",
        "The journal is never compacted; `treering status` and `treering verify` tell of the store.",
        "A journal that can be rewritten proves nothing.",
    ),
    Different(
        "CortexGraph",
        "Agents are Python classes with a constructor.",
        "`run_agent` and `run_pipeline` through every face; what the constructors take are settings of a space.",
        "The agents of a space follow the same rules, whoever starts them.",
    ),
)

READING: tuple[Reading, ...] = (
    Reading("LongMem", "A move to another employer replaces the old one.", "Alex moved to Stripe."),
    Reading(
        "LongMem",
        "So do its other wordings.",
        "Alex switched to Stripe. · I moved on to Stripe.",
        kept=False,
        far='read as what somebody uses, as of "I switched to Vodafone"; a language model that reads knows employers',
    ),
    Reading(
        "LongMem", "One sentence gives several facts of one person.", "Alex, now a PM at Stripe; he likes mornings."
    ),
    Reading(
        "LongMem",
        "A durable fact does not expire with an appointment said beside it.",
        "… at 10am. I play the cello.",
        far="in a sentence of its own",
    ),
    Reading("LongMem", "What is only said to please becomes no memory.", "Nice!"),
    Reading("Crosmos", "A transition gives the event and the new state.", "I left Google last May to join Anthropic."),
    Reading("Crosmos", "A switch gives the event and the preference.", "I switched from VS Code to Neovim."),
    Reading(
        "Crosmos",
        "What was so before a switch is found.",
        "What did the user think about VS Code before switching?",
        kept=False,
        far='"VS Code is fast" is read as a use of it for certain, and leaves the present with the use; what is put as '
        "a taste or a feeling stays",
    ),
    Reading(
        "Crosmos",
        "A former employer is found after one sentence that names both.",
        "Where did the user work before Anthropic?",
        far="among the first two: the state that the change led to may stand before the change",
    ),
    Reading(
        "Crosmos",
        "A recurring time is no date.",
        "I usually wake up at 6am.",
        far='where a word says that it recurs; "My shift starts at 6am" may be today\'s',
    ),
    Reading(
        "Crosmos",
        "Importance is 0.3, 0.6 or 0.9 by what is said.",
        "My name is Ines. · I had soup.",
        far="0.9 by the relation that is surely claimed, 0.3 for what the reader takes for something of every day, "
        "else 0.6; a language model that reads says it itself",
    ),
    Reading("Crosmos", "Nothing that is no thing is owned or known.", "The bus was late today."),
    Reading(
        "Crosmos",
        "A product has extensions.",
        "PostgreSQL has the extension pgvector.",
        kept=False,
        far="the sentence is kept; what is said of things that nobody uses is read less surely",
    ),
    Reading(
        "Crosmos",
        "The entity User gathers every memory about the user.",
        "I moved. I like tea. My cat is ill.",
    ),
)
