"""What does a pattern of another language mean? What the English rule means whose example stands beside it.

So all languages give the same windows, and their tables hold words and no calendar. `order` says which captured value
of the pattern comes first, second and so on for the English rule: "el mes pasado" has the unit first.
"""

from __future__ import annotations

from typing import Any

from treering.language.when.english import TABLES
from treering.language.when.grammar import GrammarRule, Make


def english(part: str, example: str) -> Make:
    """What the English rule of a part makes of its captured values, by its example."""
    for rule in TABLES[part]:
        if rule.example == example:
            return rule.make
    known = [rule.example for rule in TABLES[part]]
    raise KeyError(f"English has no rule of {part} with the example {example!r}, but {known}")


def like(part: str, means: str, pattern: str, example: str, order: tuple[int, ...] = ()) -> GrammarRule:
    """A pattern with its own example, which means what the English example of that part does."""
    make = english(part, means)
    if not order:
        return GrammarRule(pattern, make, example)

    def turned(scene: Any, *values: Any) -> Any:
        return make(scene, *(values[k] for k in order))

    return GrammarRule(pattern, turned, example)
