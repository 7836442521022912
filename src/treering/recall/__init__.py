"""HOW DOES A QUESTION FIND ITS MEMORIES? For now by plain listing: filters, order and pages."""
