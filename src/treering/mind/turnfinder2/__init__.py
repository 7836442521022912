"""The second turnfinder, carried inside the package: made in `training/turnfinder` from texts under open licences.

It is read and asked as the first one is, and reads by the same vocabulary. Its vectors are its own: those of the first
mean nothing to it. The card beside this file says what it was trained on, how well it does and where it ends.
"""

from __future__ import annotations

from treering.mind.turnfinder import DIGESTS, MODEL, Turnfinder


class Turnfinder2(Turnfinder):
    name = "turnfinder-2"
    package = __name__
    digests = DIGESTS | {MODEL: "fe0ab7b60ee6f0e21e9f5ff8e357177554efa47fb61253c86ff8441c4232d283"}
