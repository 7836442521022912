"""`python -m treering`: the command line where the program `treering` is not on the path."""

from treering.faces.cli import main

if __name__ == "__main__":  # a server's further processes look at the program they were started from
    main()
