"""How does a coding agent remember without being asked? By its client's own hooks, which call `treering hook`.

`clients` knows which hooks each has, `install` writes them into its settings, `quick` is what a hook runs: it hands
the event to the helper, a process that has the store open, starts by itself and ends when nobody has asked for a while.
`blocks` is what agents are given, `taking` what becomes of transcripts, `diary` what happened.
"""
