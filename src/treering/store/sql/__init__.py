"""How is knowledge kept in tables? The SQL that every SQL store shares, written once.

Statements use named or `?` parameters and standard SQL; what differs between engines (types, files, locks) is theirs.
"""
