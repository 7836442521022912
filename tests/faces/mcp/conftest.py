"""The same life and names as for the command line: what is tried there is tried here."""

from __future__ import annotations

from tests.faces import test_cli

names = test_cli.names
full = test_cli.full
