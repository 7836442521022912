"""How does Treering stand beside other memories, on this machine, in one run? Each in an environment of its own, given
the same writes, searches and short stories, and called as its users call it."""
