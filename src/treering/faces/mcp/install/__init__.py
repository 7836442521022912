"""How do an agent's client and Treering find one another? By an entry in the client's own settings.

`clients` knows where each keeps them and what an entry looks like, `edit` puts one in without touching anything else,
`write` shows it, backs up and writes.
"""
