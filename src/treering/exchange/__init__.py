"""HOW DOES IT COME AND GO? The journal out as JSON Lines, and in again by replay."""
