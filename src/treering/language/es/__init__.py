"""What is of Spanish alone: its words, its patterns of time with the meaning of each, what to doubt, its tenses."""
