"""WHAT should be done with a message? Advice to whoever listens: whether to save it, and whether to look something up.

Nothing is read from a store and nothing is written. Tables of cues decide, each with the words it was made for.
"""
