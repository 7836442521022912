"""How do agents talk to it? The Model Context Protocol, over standard input and output or over HTTP.

Loading the protocol takes most of a second: nothing is imported here, `stdio` and `http` are the ways in.
"""
