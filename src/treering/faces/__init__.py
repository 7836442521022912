"""HOW DO OTHERS TALK TO IT? Each face loops over the door's operations; none knows a room behind it."""
