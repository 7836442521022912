"""Which relations end together, and which stand by the way? What all parts of relating know of relations."""

from __future__ import annotations

SURE = 0.6
"""A claim less certain than this closes nothing."""
NAMED, PLANNED, POSSIBLE_SAME = "NAMED", "PLANNED", "POSSIBLE_SAME"
HAVING = frozenset({"OWNS", "USES", "SUBSCRIBES_TO", "PREFERS", "TAKES", "PURCHASED"})
"""What is no longer had is no longer used either."""
HABITS = frozenset(
    {"LIKES", "PREFERS", "TAKES", "USES", "SUBSCRIBES_TO", "FOLLOWS_DIET", "MEMBER_OF", "PARTNER_OF", "PLANNED"}
)
COUPLE = frozenset({"PARTNER_OF", "MARRIED_TO", "ENGAGED_TO"})
"""Who parts is neither partner nor spouse any more."""
MUTUAL = frozenset({"PARTNER_OF", "MARRIED_TO", "ENGAGED_TO", "FRIEND_OF", "KNOWS", "MET"})
BY_THE_WAY = frozenset({"FRIEND_OF", "KNOWS", "PARENT_OF", "MET", "FROM", "BORN_IN", POSSIBLE_SAME})
"""Facts that a memory states beside what it is about: they go on standing when that has ended."""
IN_PASSING = frozenset({"FRIEND_OF", "PARENT_OF", "PARTNER_OF", "MANAGES", "SUPERVISES", "OWNS"})
"""What a name with a role says beside the sentence that it stands in: "my boss Ada"."""
IN_OTHER_WORDS, SHORT = frozenset({"HAS_ROLE", "FOLLOWS_DIET", "HAS_CONDITION"}), 3
HELD_BY_ONE = frozenset({"HAS_ROLE", "MANAGES", "SUPERVISES", "OWNS"})
"""Where one takes over, who had it before has it no more."""
