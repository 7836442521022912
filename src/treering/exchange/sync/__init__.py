"""How do two stores of one space come to know the same? Each takes over what the other wrote, entry by entry, as it was
sealed there; what both changed is settled by one rule that needs no third party (docs/concepts/sync.md).

What a store knew before stays as it was: what arrives becomes known when it arrives.
"""
