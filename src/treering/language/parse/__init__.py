"""How is a sentence built? The words of a text, their kinds, and what hangs on what.

The weights and tables are those of spaCy's small English model (`tools/english.py` writes them, MIT licence), read here
with numpy alone: the same words, tags, heads and basic forms, without the 200 MB that spaCy and what it needs take.
"""
