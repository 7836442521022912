"""HOW IS IT WALKED THROUGH TIME? Entities, facts, links and their windows, and the story of each."""
