"""WHAT DOES TIME DO TO A MEMORY? Forgetting and restoring, and the one operation that removes bytes."""
