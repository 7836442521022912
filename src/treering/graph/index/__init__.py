"""What is kept in memory for walks."""
