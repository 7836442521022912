"""WHO KEEPS A SPACE? Five agents, each a pure plan and an apply: what is at risk, what belongs together, what becomes
one, what has proved itself, and what is related. `scheduler` runs them."""
