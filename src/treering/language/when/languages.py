"""How are times read in a language? Its module is imported when a text in it is first read."""

from __future__ import annotations

from importlib import import_module

from treering.language.languages import LANGUAGES, Tongue
from treering.language.when.contract import TimeLanguage


def times_in(tongue: Tongue) -> TimeLanguage:
    found: TimeLanguage = import_module(LANGUAGES[tongue].times).times()
    return found
