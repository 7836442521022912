"""HOW is a file read? From its bytes to what was written in it, and where that may be cut."""
