"""WHICH notes lie in an Obsidian vault, and what do they say? A vault is a folder of Markdown files.

Notes are written for memories that were promoted, indexed so that they can be searched beside memories, and read to be
imported. Nothing outside the vault is touched, and no note that is there is ever changed.
"""
