"""What do CortexGraph's environment variables mean here? Those that steer fading, promotion, clusters and recall become
settings of the space that its tools serve; of the others it is told what to do instead. None is passed over in silence.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from dataclasses import field
from typing import Any

from treering.door import Treering
from treering.errors import InvalidRequest
from treering.upkeep.decay import HALF_LIFE_DAYS, RATE
from treering.values import dataclass

log = logging.getLogger(__name__)
PREFIX = "CORTEXGRAPH_"
_TRUE, _FALSE = ("true", "1", "yes", "on"), ("false", "0", "no", "off")


def _flag(name: str, value: str) -> bool:
    word = value.strip().lower()
    if word not in (*_TRUE, *_FALSE):
        raise InvalidRequest(f"{name}: {value!r} is neither true nor false")
    return word in _TRUE


def _number(name: str, value: str) -> float:
    try:
        return float(value)
    except ValueError:
        raise InvalidRequest(f"{name}: {value!r} is not a number") from None


def _whole(name: str, value: str) -> int:
    if not value.strip().isdecimal():
        raise InvalidRequest(f"{name}: {value!r} is not a whole number")
    return int(value)


def _text(name: str, value: str) -> str:
    return value.strip()


_SETTINGS: Mapping[str, tuple[str, str, Callable[[str, str], Any]]] = {
    "DECAY_MODEL": ("decay", "model", _text),
    "DECAY_BETA": ("decay", "beta", _number),
    "FORGET_THRESHOLD": ("retention", "collect_below", _number),
    "PROMOTE_THRESHOLD": ("promotion", "score", _number),
    "PROMOTE_USE_COUNT": ("promotion", "uses", _whole),
    "PROMOTE_TIME_WINDOW": ("promotion", "within_days", _number),
    "AUTO_REINFORCE": ("reinforcement", "enabled", _flag),
    "CLUSTER_THRESHOLD": ("consolidation", "threshold", _number),
    "CLUSTER_LINK_THRESHOLD": ("consolidation", "threshold", _number),
    "CLUSTER_MAX_SIZE": ("consolidation", "max_size", _whole),
    "MIN_CLUSTER_SIZE": ("consolidation", "min_size", _whole),
    "SEMANTIC_HI": ("consolidation", "duplicate_threshold", _number),
    "REVIEW_BLEND_RATIO": ("review", "blend", _number),
    "REVIEW_DANGER_ZONE_MIN": ("review", "low", _number),
    "REVIEW_DANGER_ZONE_MAX": ("review", "high", _number),
    "ENABLE_PREPROCESSING": ("enrichment", "enabled", _flag),
    "AUTO_RECALL_ENABLED": ("auto_recall", "enabled", _flag),
    "AUTO_RECALL_MIN_INTERVAL": ("auto_recall", "min_interval_seconds", _number),
    "AUTO_RECALL_RELEVANCE_THRESHOLD": ("auto_recall", "relevance", _number),
    "AUTO_RECALL_MAX_RESULTS": ("auto_recall", "most", _whole),
}
_INSTEAD = {
    "STORAGE_PATH": "memories lie where TREERING_URL says; `treering import {value}` takes that folder over",
    "STORAGE_BACKEND": "TREERING_URL says where memories lie",
    "SQLITE_PATH": "`treering import` of its folder takes that database over",
    "ENABLE_EMBEDDINGS": "TREERING_EMBEDDER says who reads for meaning, and none is nobody",
    "EMBED_MODEL": "TREERING_EMBEDDER says who reads for meaning",
    "CONSOLIDATION_INTERVAL": "`treering upkeep scheduled --interval-seconds {value}` keeps a space that often",
    "LOG_LEVEL": "warnings and errors go to standard error",
}
_AT_ONCE = {"PL_HALFLIFE_DAYS", "DECAY_LAMBDA"}


@dataclass(frozen=True, slots=True)
class Adopted:
    """`settings`: parts of topics to be changed. `read`: what each variable became. `told`: what is not read, and what
    to do instead."""

    settings: dict[str, dict[str, Any]] = field(default_factory=dict)
    read: list[str] = field(default_factory=list)
    told: list[str] = field(default_factory=list)


def adopted(environment: Mapping[str, str]) -> Adopted:
    """`environment`: CortexGraph's variables, by their whole names."""
    found = Adopted()
    given = {name.removeprefix(PREFIX): value for name, value in environment.items() if name.startswith(PREFIX)}
    for short, value in sorted(given.items()):
        name = PREFIX + short
        if short in _SETTINGS:
            topic, part, read = _SETTINGS[short]
            _put(found, name, topic, part, read(name, value))
        elif short not in _AT_ONCE:
            instead = _INSTEAD.get(short, "Treering has nothing like it, and it changes nothing").format(value=value)
            found.told.append(f"{name} is not read: {instead}")
    _half_life(found, given)
    return found


def _half_life(found: Adopted, given: Mapping[str, str]) -> None:
    """Of the model that is chosen: days for the power law, a rate for the exponential."""
    exponential = given.get("DECAY_MODEL", "power_law").strip() == "exponential"
    for short in sorted(_AT_ONCE & given.keys()):
        name = PREFIX + short
        value = _number(name, given[short])
        if exponential is not (short == "DECAY_LAMBDA"):
            found.told.append(f"{name} is not read: it belongs to another decay model than the one that is set")
        elif value <= 0:
            raise InvalidRequest(f"{name}: {value:g} is not above 0")
        else:
            days = HALF_LIFE_DAYS * RATE / value if short == "DECAY_LAMBDA" else value
            _put(found, name, "decay", "half_life_days", round(days, 6))


def _put(found: Adopted, name: str, topic: str, part: str, value: Any) -> None:
    found.settings.setdefault(topic, {})[part] = value
    found.read.append(f"{name} is {topic}.{part} = {value}")


def adopt(door: Treering, environment: Mapping[str, str]) -> Adopted:
    """Lets the door's space follow them: what differs from its settings is changed there, and told in the log."""
    wanted = adopted(environment)
    now = {topic: dict(door.setting(topic)[topic]) for topic in wanted.settings}
    changed = {topic: {**now[topic], **parts} for topic, parts in wanted.settings.items()}
    changed = {topic: value for topic, value in changed.items() if value != now[topic]}
    if changed:
        door.settings(changed)
        for line in wanted.read:
            log.warning("%s", line)
    for line in wanted.told:
        log.warning("%s", line)
    return wanted
