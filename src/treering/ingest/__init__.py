"""HOW DOES A SENTENCE BECOME KNOWLEDGE? Sources, memories, and what they mention, planned as changes."""
