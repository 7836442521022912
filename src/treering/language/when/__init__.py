"""WHEN does a text speak of? Our own reader of time expressions, for questions and for what is remembered.

The engine and English are here; another language gives a `TimeLanguage` (`contract`) and lives in its own folder.

`when` gives closed-open windows for the times a text names, seen from a reference moment. `anchors` finds the clauses
that name a time by an event ("before I moved to Austin") and leaves it to the graph to say when that was.
"""

from treering.language.when.anchors import Anchor, AnchorRelation, anchors
from treering.language.when.reader import looks_back, when
from treering.language.when.window import Grain, Window

__all__ = ["Anchor", "AnchorRelation", "Grain", "Window", "anchors", "looks_back", "when"]
