"""WHAT DID SOMEBODY SAY? Extractors behind one contract: from words, and the words before them, to statements."""
