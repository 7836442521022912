"""BY WHICH WORDS is it known that something of a session must be kept? Tables of cues: for what a person asks always, for
what is decided, left open, finished or mended, and for what a command is good for. Which table counts when is not known
here."""

from __future__ import annotations

import re

LONGEST = 400
SENTENCE = re.compile(r"[^.!?\n]+(?:[.!?](?!\s|$)[^.!?\n]*)*[.!?]*")
FENCE = re.compile(r"```.*?(?:```|\Z)", re.DOTALL)
LIST = re.compile(r"^\s*(?:[-*•]|\d+[.)])\s+(?:\[[ x]\]\s*)?", re.I)
LEADING = re.compile(
    r"^(?:(?:ok(?:ay)?|yes|yeah|yep|no(?=[,.!])|nope|well|so|also|and|but|oh|hm+|right|great|good|perfect|nice|cool|thanks|thank you|"
    r"alright|sure|btw|by the way|one more thing|note|fyi|actually|hey|please note)\b[\s,:;—–-]*)+", re.I
)  # fmt: skip

STANDING = re.compile(
    r"\b(?:always|never|from now on|going forward|from here on|in (?:this|the) (?:repo\w*|project|codebase)|"
    r"(?:our|the|my) (?:convention|rule|policy|standard|style)s?\b|as a rule|every (?:time|commit|pr|change|new)|whenever|"
    r"each (?:time|commit|pr|new)|remember (?:to|that)|don'?t ever|(?:no|not|don'?t|needn'?t|never)\b.{0,60}\bany ?more|no longer|"
    r"(?:before|after) (?:each|every|any)|(?:must|should|shall|may) (?:always|never|not|only)|only ever|"
    r"is (?:off limits|forbidden|not allowed)|are (?:forbidden|not allowed)|i (?:prefer|want you to|like|hate|expect))\b",
    re.I,
)
DECIDED = re.compile(
    r"\b(?:we(?:'ve| have)? (?:decided|settled|agreed)|decided|decision:|let'?s (?:go with|use|switch|move|migrate|stick|keep|"
    r"adopt|drop|replace|stay|go back|revert|make|standardi[sz]e|store|put|call|do it|pin|target|host|deploy|split|rename)|"
    r"we(?:'ll| will|'re going to| are going to|'re| are)? (?:now )?(?:use|using|go with|going with|switch(?:ing)?|"
    r"mov(?:e|ing)|migrat(?:e|ing)|stick(?:ing)?|adopt(?:ing)?|drop(?:ping)?|stay(?:ing)?|standardi[sz]\w+|pin(?:ning)?|"
    r"replac(?:e|ing)|host(?:ing)?|deploy(?:ing)?|keep(?:ing)?|stor(?:e|ing))|switch(?:ed|ing)? (?:back )?(?:to|from|over)|"
    r"(?:move|moved|moving|migrate|migrated|go|going|went) (?:back )?(?:to|over to|with) |replace \S+ (?:with|by)|"
    r"instead of|changed my mind|scrap|use \S+(?: \S+)?,? (?:not|rather than|instead))\b",
    re.I,
)
ONLY_NOW = re.compile(
    r"\b(?:for now|this time|just (?:this )?once|in this (?:pr|change|commit|test|file|function|branch)|right now|"
    r"for a (?:moment|second|minute)|temporarily|to (?:test|try|debug|see))\b",
    re.I,
)
UNSURE = re.compile(
    r"\b(?:maybe|perhaps|what if|could we|should we|can we|would it|might|not sure|wonder|thinking (?:of|about)|"
    r"one option|alternatively|if we)\b",
    re.I,
)
EVERYWHERE = re.compile(
    r"\b(?:in (?:all|every|any)(?: of)? (?:my |our )?(?:projects?|repos?\w*)|everywhere|across (?:all )?(?:my )?projects|"
    r"for (?:all|every) (?:my )?projects?|in general,? i|generally,? i)\b",
    re.I,
)
LEFT_OPEN = re.compile(
    r"\b(?:todo\b|to do:|still (?:need|needs|have|has|to do|open|missing|broken|failing|todo)|remains? to|left to do|"
    r"next steps?\b|not (?:yet )?(?:done|implemented|finished|covered|handled)|not .{1,40} yet\b|follow[- ]?up:?|"
    r"leave .{1,60} for (?:later|tomorrow|next|another)|(?:do|tackle|fix|handle|look at|revisit|add|write|finish) .{1,80} "
    r"(?:later|tomorrow|next (?:week|time|session|sprint)|another (?:day|time))|known (?:issue|bug|limitation)|open question|"
    r"park (?:it|this|that)|we(?:'ll| will) come back to)",
    re.I,
)
FINISHED = re.compile(
    r"\b(?:done|finished|fixed|implemented|merged|closed|completed|shipped|resolved|landed|released|no longer (?:needed|an issue)|"
    r"not needed any ?more|works now|is (?:in|live|up) now|is in place|(?:is|are) (?:\w+ ){0,2}\w+ed now|taken care of|got rid of)\b",
    re.I,
)
CAUSE = re.compile(
    r"\b(?:(?:the )?(?:root cause|problem|issue|bug|failure|error|culprit|reason)(?: here)? (?:was|is|turned out|came from)|root cause:|"
    r"(?:failed|broke|crashed|hung|flaked) because|fixed (?:it|this|that|the \w+)? ?by|the fix (?:was|is)|"
    r"turned out (?:that|to be)|it was caused by)\b",
    re.I,
)

PURPOSES = (
    ("test", r"(?:pytest|py\.test|tox|nox|jest|vitest|mocha|rspec|phpunit|ctest)\b|(?:make|just|task|rake|mix|nx|turbo(?: run)?) "
             r"(?:test|tests|check|spec)\b|(?:npm|pnpm|yarn|bun)(?: run)? test\b|(?:cargo|go|mvn|gradle|\./gradlew|dotnet|swift|deno) "
             r"(?:test|nextest)|python3? -m (?:pytest|unittest)|manage\.py test|playwright test|cypress run"),
    ("lint", r"(?:make|just|task) lint\b|(?:npm|pnpm|yarn|bun)(?: run)? lint\b|ruff check|flake8|eslint|golangci-lint|clippy|"
             r"mypy|pyright|tsc --noEmit|biome (?:check|lint)|pre-commit run"),
    ("format", r"(?:make|just|task) (?:fmt|format)\b|(?:npm|pnpm|yarn|bun)(?: run)? format\b|ruff format|black |prettier |gofmt|"
               r"cargo fmt|biome format"),
    ("build", r"(?:make|just|task)(?: build| all)?\s*$|(?:make|just|task) build\b|(?:npm|pnpm|yarn|bun)(?: run)? build\b|"
              r"(?:cargo|go|mvn|gradle|\./gradlew|dotnet|swift) (?:build|package)|docker build|python3? -m build|cmake --build"),
    ("migrate", r"alembic (?:upgrade|revision)|manage\.py migrate|prisma migrate|drizzle-kit|goose |dbmate |"
                r"(?:make|just|task) migrate\b|(?:npm|pnpm|yarn|bun)(?: run)? (?:db:)?migrate"),
    ("deploy", r"(?:make|just|task) (?:deploy|release)\b|(?:npm|pnpm|yarn|bun)(?: run)? deploy\b|fly(?:ctl)? deploy|"
               r"vercel(?: --prod)?\b|kubectl apply|helm upgrade|serverless deploy|gcloud run deploy|cdk deploy|terraform apply"),
    ("run", r"(?:make|just|task) (?:run|dev|serve|start|up)\b|(?:npm|pnpm|yarn|bun)(?: run)? (?:dev|start|serve)\b|uvicorn |"
            r"flask run|manage\.py runserver|docker[ -]compose up|cargo run|go run|rails s(?:erver)?\b"),
    ("install", r"(?:make|just|task) (?:install|setup|bootstrap)\b|(?:npm|pnpm|yarn|bun) (?:ci|install)\b|pip install -r|"
                r"uv sync|poetry install|bundle install|cargo fetch|go mod download"),
)  # fmt: skip
PURPOSE = [(name, re.compile(r"(?:^|\s|/)(?:" + pattern + ")")) for name, pattern in PURPOSES]
APART = re.compile(r"\s*(?:&&|;|\|\||\n)\s*")
TOLD_COMMAND = re.compile(
    r"\b(?:run|runs|ran|start|execute|use|with|is|via)\b[^`]{0,60}`([^`\n]{3,120})`|`([^`\n]{3,120})`[^`]{0,40}"
    r"\b(?:to|runs?|for|is how)\b",
    re.I,
)
PARTICULAR = re.compile(r"::|\s-k\s|\s-t\s|--grep|--testNamePattern|\S+\.(?:py|ts|tsx|js|go|rs|rb|spec)\b|\s-run\s")
PURPOSES_IN_ORDER = tuple(name for name, _ in PURPOSES)

TURNS = re.compile(
    r"\b(?:no longer|any ?more|instead|back to|not|never|don'?t|stop|actually|changed my mind|drop|scrap|rather)\b",
    re.I,
)
COMMON = frozenset(
    """a an and any are as at be but by can do does done for from get had has have i in into is it its just let lets me more
    my new no not now of on or our please should so than that the their them then there these they this those to up us use
    used using was we were what when which will with you your always never must need needs make made go going still back
    instead longer anymore later yet all every each only before after run want switch move keep decided fixed finished
    that's we're it's let's we'll i'm don't there's you're""".split()  # noqa: SIM905
)
"""Words that carry nothing of what a sentence says."""
NOT_THIS = re.compile(r"\b(?:not|never|don'?t|instead of|no longer|stop)\b[^`]*$", re.I)
"""Before a command that is named in order not to be run."""
REJECTED = re.compile(
    r"\b(?:from|instead of|rather than|not|never|replac(?:e|ing)|drop(?:ping)?|no longer|about|leave|leaving|left|than|over)\s+"
    r"(?:the |our |a )?$",
    re.I,
)
"""Before a value that a sentence names in order to part from it."""
