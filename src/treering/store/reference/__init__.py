"""What does the contract mean? The store in plain Python: a list of entries a space, folded anew for every read.

It is slow on purpose. There is no index, no cache and no state but the journal, and vectors beside it, so that each
answer can be checked by eye; the other stores are tested against it.
"""

from treering.store.reference.journals import JournalStore
from treering.store.reference.store import ReferenceStore

__all__ = ["JournalStore", "ReferenceStore"]
