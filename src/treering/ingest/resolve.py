"""Who or what is meant by a name? From names as they were said to the entities of the space.

The name itself, then the same name spelled otherwise, then one that is nearly the same and of the same kind. People are
never joined on a likeness: who may be the same is kept apart and said to be `possible_same`, for somebody to decide.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from rapidfuzz import fuzz

from treering.ingest.extract.contract import OWNER, Mentioned
from treering.language.en.roles import ANY_OF_SEVERAL, APART, KIN
from treering.model.changes import AliasesAdded, EntityAdded, EntityMerged
from treering.model.edge import MENTION
from treering.model.entity import Entity, fold
from treering.model.memory import View
from treering.store.contract import Act, EdgeFilter, MemoryFilter
from treering.store.naming import NameRegister, stands_for

log = logging.getLogger(__name__)
PERSON = "person"
ALIKE, ALIKE_CHARS = 90, 4
"""How alike two spellings must be, of a hundred, words in any order; and how long."""
LOOKED_AT = 50
_BLOCK = 3
_DIGITS = re.compile(r"\d+")
_THEIRS = KIN | ANY_OF_SEVERAL
"""Who is named by what they are to the speaker: "my sister" is the speaker's, and another speaker has another."""
_UNSURE = "(unsure which)"
_MY_NAME = re.compile(r"\bmy (?:\w+ )?name\b", re.IGNORECASE)


def told_apart(name: str, text: str) -> str:
    """Who is spoken of by a role, with the word that tells them from another: the "older sister" of the text."""
    *before, last = name.split()
    if name not in _THEIRS and last in _THEIRS and before and before[-1].lower() in APART:
        name = last  # the word that tells them apart stands in the text
    if name not in _THEIRS:
        return name
    words = (match[1].lower() for match in re.finditer(rf"([\w-]+)[\s-]{re.escape(name)}\b", text, re.IGNORECASE))
    apart = list(dict.fromkeys(APART.get(word, "") for word in words))
    return f"{apart[0]} {name}" if len(apart) == 1 and apart[0] else name


def _has_a_role(entity: Entity) -> bool:
    return any("(" in name for name in (entity.name, *entity.aliases))


def may_be_several(name: str) -> bool:
    """Whether who is so called today may be another than yesterday: people have more than one friend."""
    return name.rsplit("'s ", maxsplit=1)[-1] in ANY_OF_SEVERAL or name.endswith(_UNSURE)


@dataclass(frozen=True, slots=True)
class Doubt:
    """Two entities that may be one."""

    entity_id: str
    other_id: str
    score: float
    why: str
    memory_id: str | None = None
    """Through which the doubt came up."""


@dataclass
class Resolving:
    """Names to entities within one write. `session` is where they are said: who was spoken of there is in reach."""

    act: Act
    naming: NameRegister
    session: str | None = None
    first_person: str = OWNER
    in_reach: set[str] = field(default_factory=set)
    """Entities spoken of in this session."""
    doubts: list[Doubt] = field(default_factory=list)
    merges: list[EntityMerged] = field(default_factory=list)
    _here: dict[str, frozenset[str]] = field(default_factory=dict)
    """By session, who was spoken of lately."""

    def entity(self, mentioned: Mentioned) -> Entity:
        name = self._whose(mentioned.name)
        if fold(name) in ("user", "i", "me"):
            return self._reached(self.naming.entity(OWNER, PERSON))
        if fold(name) == fold(self.first_person) and not mentioned.role:
            return self._reached(self._who_speaks(name, mentioned.kind))
        found = self._known(name, mentioned) or self._alike(name, mentioned.kind)
        log.debug("a name means %s", "nobody known: it is new" if found is None else found.id)
        if found is None:
            found = self._new(name, mentioned)
        elif mentioned.role:
            self._also(found, self._as_role(name, mentioned.role))
        return self._reached(found)

    def _who_speaks(self, name: str, kind: str | None) -> Entity:
        """Whose own name it is: a friend may have the same."""
        own = [one for one in self._answering(name) if fold(one.name) == fold(name)]
        return self.naming.meant(own[0]) if own else self.naming.entity(name, kind)

    def _reached(self, entity: Entity) -> Entity:
        self.in_reach.add(entity.id)
        return entity

    def _whose(self, name: str) -> str:
        first, last = name.split(maxsplit=1)[0], name.rsplit(maxsplit=1)[-1]
        theirs = name in _THEIRS or (first in APART.values() and last in _THEIRS)
        return f"{self.first_person}'s {name}" if theirs else name

    def _as_role(self, name: str, role: str) -> tuple[str, ...]:
        return f"{name} ({role})", f"{self.first_person}'s {role}"

    # who is known

    def _known(self, name: str, mentioned: Mentioned) -> Entity | None:
        """By the name itself. Of several, who is in reach, else who bears it as its own."""
        answering = self._answering(name)
        if mentioned.role:
            titled = fold(self._as_role(name, mentioned.role)[0])
            same = [one for one in answering if titled in map(fold, (one.name, *one.aliases))]
            if same:
                return self.naming.meant(same[0])
            if any(_has_a_role(one) for one in answering):
                return self._another(name, mentioned, answering)
            if [one.id for one in answering] == [self._owner_id()]:
                return self._another(name, mentioned, [])
        if not answering:
            return None
        if len(answering) == 1:
            return self.naming.entity(name)
        near = [one for one in answering if one.id in self.in_reach or self._spoken_of_here(one.id)]
        own = [one for one in answering if fold(one.name) == fold(name)]
        answering = near if len(near) == 1 else own
        return self.naming.meant(answering[0]) if answering else self._apart(name, mentioned)

    def _answering(self, name: str) -> list[Entity]:
        created = [one for one in self._created() if fold(name) in {fold(one.name), *map(fold, one.aliases)}]
        known = {one.id for one in created}
        return [*created, *(one for one in self.act.reader.entities(name) if one.id not in known)]

    def _created(self) -> Iterable[Entity]:
        return [one.entity for one in self.naming.added if isinstance(one, EntityAdded)]

    def _spoken_of_here(self, entity_id: str) -> bool:
        if self.session is None:
            return False
        if self.session not in self._here:
            which = MemoryFilter(view=View.ALL, session=self.session, newest_first=True, limit=LOOKED_AT)
            ids = tuple(memory.id for memory in self.act.reader.memories(which))
            mentions = EdgeFilter(source_ids=ids, relations=(MENTION,), include_closed=True)
            edges = self.act.reader.edges(mentions) if ids else []
            self._here[self.session] = frozenset(edge.target_id for edge in edges)
        return entity_id in self._here[self.session]

    # who is nearly so called

    def _alike(self, name: str, kind: str | None) -> Entity | None:
        folded = fold(name)
        if len(folded) < ALIKE_CHARS or kind is None:
            return None
        best: tuple[float, str] | None = None
        for other, entity_id in self.act.reader.named_like(folded[:_BLOCK], LOOKED_AT):
            score = fuzz.token_sort_ratio(folded, other)
            same_numbers = _DIGITS.findall(folded) == _DIGITS.findall(other)
            if score >= ALIKE and same_numbers and (best is None or score > best[0]):
                best = score, entity_id
        found = self.act.reader.entity(best[1]) if best else None
        if best is None or found is None or found.kind != kind:
            return None
        if kind == PERSON:
            self._doubt(self._made(name, kind), found, best[0] / 100, "their names are nearly the same")
            return self.naming.entity(name)
        self._also(found, (name,))
        return found

    # who is new

    def _new(self, name: str, mentioned: Mentioned) -> Entity:
        made = self._made(name, mentioned.kind)
        if mentioned.role:
            self._also(made, self._as_role(name, mentioned.role))
        first, *rest = name.split()
        if mentioned.kind == PERSON and rest and "'" not in name:
            self._also(made, (first,))
            shorter = [one for one in self.act.reader.entities(first) if one.id != made.id and one.kind == PERSON]
            for one in shorter[:1]:
                if fold(one.name) == fold(first):
                    self._doubt(made, one, 0.7, f"{first} may be short for {name}")
        return made

    def _made(self, name: str, kind: str | None) -> Entity:
        return self.naming.entity(name, kind)

    def _another(self, name: str, mentioned: Mentioned, answering: list[Entity]) -> Entity:
        """The same name in another role: two people, until somebody says they are one. Nobody is their own friend."""
        made = self._made(f"{name} ({mentioned.role})", mentioned.kind)
        self._also(made, (name, f"{self.first_person}'s {mentioned.role}"))
        for one in answering[:1]:
            self._doubt(made, one, 0.5, f"both are called {name}")
        return made

    def _apart(self, name: str, mentioned: Mentioned) -> Entity:
        """Several answer to the name, and nothing says which is meant."""
        answering = self._answering(name)
        made = self._made(f"{name} {_UNSURE}", mentioned.kind)
        for one in answering[:2]:
            self._doubt(made, one, 0.5, f"several are called {name}")
        return made

    def _doubt(self, entity: Entity, other: Entity, score: float, why: str) -> None:
        known = any((one.entity_id, one.other_id) == (entity.id, other.id) for one in self.doubts)
        if entity.id != other.id and not known:
            self.doubts.append(Doubt(entity.id, other.id, score, why, self.naming.memory_id))

    def _also(self, entity: Entity, names: tuple[str, ...]) -> None:
        """Other names for it, known through this memory."""
        known = {fold(entity.name), *map(fold, entity.aliases)}
        added = {
            fold(alias)
            for one in self.naming.added
            if isinstance(one, AliasesAdded) and one.entity_id == entity.id
            for alias in one.aliases
        }
        fresh = tuple(name for name in names if fold(name) not in known | added)
        if fresh:
            self.naming.added.append(AliasesAdded(entity.id, fresh, self.naming.memory_id))

    # the owner

    def known(self, entity_id: str) -> Entity | None:
        """As it stands, or as this write brings it in."""
        return self.act.reader.entity(entity_id) or next((one for one in self._created() if one.id == entity_id), None)

    def is_called(self, who: str, name: str, said: str, openly: bool = True) -> Entity | None:
        """The owner takes its name. Of anybody else: who they are to the speaker is another name for them. Who the
        owner is, all can see: what is not said openly does not name it. Gives whom the owner was until now, where it
        takes another name: "my name is" says so, and "I'm" may not."""
        if fold(who) in (fold(OWNER), "i", "me", fold(self.first_person)):
            return self._owner_is_called(name, _MY_NAME.search(said) is not None) if openly else None
        if who in _THEIRS:
            self._also(self.entity(Mentioned(name, PERSON)), (self._whose(who),))
        return None

    def is_owner(self, name: str) -> bool:
        """Whether the space is theirs who are called so."""
        if fold(name) == fold(OWNER):
            return True
        known = self._owner_id()
        owner = self.act.reader.entity(known) if known else None
        return owner is not None and fold(owner.name) == fold(name)

    def _owner_id(self) -> str | None:
        found = self.act.reader.entities(OWNER, limit=1)
        return found[0].id if found else None

    def _owner_is_called(self, name: str, openly_renamed: bool) -> Entity | None:
        """From now on what it was called before is another name for it."""
        known = self._owner_id()
        before = self.act.reader.entity(known) if known else None
        speaks = {fold(OWNER), *([fold(before.name)] if before else [])}
        if self.merges or fold(self.first_person) not in speaks:
            return None
        called, user = self.naming.entity(name, PERSON), before or self.naming.entity(OWNER, PERSON)
        named = before is not None and fold(before.name) != fold(OWNER)
        if user.id in (called.id, stands_for(self.act.reader, called.id)) or (named and not openly_renamed):
            return None
        if _has_a_role(called):
            return None  # somebody else, who is known by a role of their own
        self.merges.append(EntityMerged(user.id, called.id, "named", f"said to be called {name}"))
        return before if named else None
