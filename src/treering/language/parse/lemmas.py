"""What is the basic form of a word of this kind? By lists of words and of endings."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

MOST_KEPT = 1 << 16


class Lemmas:
    def __init__(self, tables: Mapping[str, Any]) -> None:
        self.index: dict[str, frozenset[str]] = {
            kind: frozenset(words) for kind, words in tables["lemma_index"].items()
        }
        self.exceptions: Mapping[str, Mapping[str, list[str]]] = tables["lemma_exc"]
        self.endings: Mapping[str, list[list[str]]] = tables["lemma_rules"]
        self._kept: dict[tuple[str, str, str], str] = {}

    def of(self, text: str, kind: str, form: str) -> str:
        key = text, kind, form
        found = self._kept.get(key)
        if found is None:
            if len(self._kept) >= MOST_KEPT:
                self._kept.clear()
            found = self._kept[key] = self._worked_out(text, kind.lower(), form)
        return found

    def _worked_out(self, text: str, kind: str, form: str) -> str:
        low = text.lower()
        if kind in ("", "eol", "space") or _is_basic(kind, form):
            return low
        if not any(table.get(kind) for table in (self.index, self.exceptions, self.endings)):
            return text if kind == "propn" else low
        return self._by_endings(text, low, kind)

    def _by_endings(self, text: str, low: str, kind: str) -> str:
        known: list[str] = []
        others: list[str] = []
        unknown: list[str] = []
        for old, new in self.endings.get(kind, ()):
            made = low[: len(low) - len(old)] + new if low.endswith(old) else ""
            if made in self.index.get(kind, ()):
                known.insert(0, made)
            elif made:
                (unknown if made.isalpha() else others).append(made)
        forms = list(dict.fromkeys(known + others))
        for made in self.exceptions.get(kind, {}).get(low, ()):
            if made not in forms:
                forms.insert(0, made)
        return (forms or unknown or [text])[0]


def _is_basic(kind: str, form: str) -> bool:
    told = dict(one.split("=", 1) for one in form.split("|") if "=" in one)
    verb = told.get("VerbForm")
    if kind == "noun" and told.get("Number") == "Sing":
        return True
    if kind == "verb" and verb == "Fin" and told.get("Tense") == "Pres" and told.get("Number") is None:
        return True
    return verb in ("Inf", "None") or told.get("Degree") == "Pos"
