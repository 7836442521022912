"""What must a language know so that its times can be read? Its words, its patterns, what to doubt, and its tenses.

The engine (`grammar`, `stretch`, `reader`) knows no word of any language. Whoever adds one gives a `TimeLanguage`, made
by `time_language`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from treering.language.when.doubting import Doubts
from treering.language.when.grammar import Grammar, GrammarRule, Primitive
from treering.language.when.signs import FindSign
from treering.language.when.time_context import TimeDirection
from treering.language.when.tokens import OF_DIGITS, Classes, Tokenise


@dataclass(frozen=True, slots=True)
class TimeLanguage:
    """What is of one language in the reading of times."""

    tokenise: Tokenise
    grammar: Grammar
    """Its part `TIME` is what is looked for."""
    telling: frozenset[str]
    """Words of the patterns that tell of a time; a place with none of them near, and no class, is passed over."""
    doubts: Doubts
    signs: tuple[FindSign, ...]
    """What shows whether a sentence looks back or ahead; weaker signs are asked where no stronger one stands."""
    unsaid: TimeDirection
    """Where a sentence without a sign looks; a text that is nothing but the time looks ahead."""


def time_language(
    tables: Mapping[str, Sequence[GrammarRule]],
    primitives: Mapping[str, Primitive],
    lexicon: Mapping[str, Classes],
    tokenise: Tokenise,
    function_words: frozenset[str],
    doubts: Doubts,
    signs: tuple[FindSign, ...],
    unsaid: TimeDirection = TimeDirection.UNSAID,
) -> TimeLanguage:
    """`function_words` are those of the patterns that tell of no time. A pattern that nothing could meet is refused."""
    grammar = Grammar(tables, primitives)
    unknown = grammar.classes - OF_DIGITS - {kind for classes in lexicon.values() for kind in classes}
    if unknown:
        raise ValueError(f"patterns name {sorted(unknown)}: neither parts of the grammar nor classes of the lexicon")
    for word in sorted(grammar.words.union(lexicon)):
        given = [token.text for token in tokenise(word)]
        if given != [word]:
            raise ValueError(
                f"no pattern meets {word!r}: the tokeniser gives {given}; write it without marks, as it does"
            )
    telling = frozenset(word for word in grammar.words if word.isalnum()) - function_words
    return TimeLanguage(tokenise, grammar, telling, doubts, signs, unsaid)
