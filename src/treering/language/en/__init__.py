"""What is of English alone, as data: words that the engine needs to know and cannot learn from a table."""
