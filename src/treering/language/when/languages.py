"""Which languages are there? Each is loaded when a text in it is first read."""

from __future__ import annotations

from treering.language.when.contract import TimeLanguage
from treering.language.which import Tongue


def times_in(tongue: Tongue) -> TimeLanguage:
    if tongue is Tongue.SPANISH:
        from treering.language.es.times import times as spanish

        return spanish()
    from treering.language.when.english import times as english

    return english()
