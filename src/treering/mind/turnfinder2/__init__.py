"""The second turnfinder, carried inside the package: made in `training/turnfinder` from texts under open licences.

It is read and asked as the first one is, and reads by the same vocabulary. Its vectors are its own: those of the first
mean nothing to it. The card beside this file says what it was trained on, how well it does and where it ends.
"""

from __future__ import annotations

from treering.mind.turnfinder import DIGESTS, MODEL, Turnfinder


class Turnfinder2(Turnfinder):
    name = "turnfinder-2"
    package = __name__
    digests = DIGESTS | {MODEL: "c798c5ac68f81c46e4dd33fc18b12c3eedd0b0fad680af596b8b2199d9ff0e12"}
