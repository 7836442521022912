"""A support desk with tenants: each customer has a space, and nobody's question reaches another's memories. What was
true when a ticket was written can be asked for, and what was believed then too."""

import tempfile
from pathlib import Path

import treering


def main() -> None:
    with tempfile.TemporaryDirectory() as folder, treering.open(Path(folder) / "desk.db", actor="desk") as mem:
        acme, globex = mem.space("tenants/acme"), mem.space("tenants/globex")
        acme.remember("Acme is on the Starter plan.", at="2025-01-10T09:00:00Z", session="ticket-1")
        acme.add(
            "Acme's exports time out after 30 seconds.", at="2025-02-01T09:00:00Z", session="ticket-2", tags=("bug",)
        )
        globex.remember("Globex is on the Enterprise plan.", at="2025-01-12T09:00:00Z")
        since, until = "2025-01-10T09:00:00Z", "2025-03-01T00:00:00Z"
        acme.assert_fact("Acme", "HAS_PLAN", "Starter", valid_from=since, valid_until=until)
        acme.assert_fact("Acme", "HAS_PLAN", "Business", valid_from=until)

        def plan(as_of: str) -> list[str]:
            return [fact.object for fact in acme.facts(relation="HAS_PLAN", as_of=as_of)]

        print("Acme's plan when ticket 2 was written:", plan("2025-02-01T09:00:00Z"))
        print("Acme's plan in April:", plan("2025-04-01T00:00:00Z"))
        print("Acme's open bugs:", [one.content for one in acme.list(tags=("bug",))])
        seen = acme.recall("Which plan is Globex on?")
        print(
            "What Acme's desk sees of Globex:", [hit.memory.content for hit in seen if "Globex" in hit.memory.content]
        )
        print("Everything holds together:", mem.verify().ok)


if __name__ == "__main__":
    main()
