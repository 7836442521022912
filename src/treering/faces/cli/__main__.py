"""`python -m treering.faces.cli`: the command line where the program `treering` is not on the path."""

from treering.faces.cli import main

main()
