"""What is kept in memory so that a question is answered in milliseconds? One index a space, which follows the store."""
