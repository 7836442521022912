"""A chat with memory in 40 lines. `answer` stands for any model: it gets what is remembered, and the last words."""

import tempfile
from datetime import UTC, datetime
from pathlib import Path

import treering


def answer(remembered: str, said: str) -> str:
    """Put a model here. This one only shows what it was given."""
    facts = [line.split(": ", 1)[1] for line in remembered.splitlines() if line.startswith("- [")]
    return f"I know {len(facts)} things about that, such as {facts[0]}" if facts else "Tell me more."


def turn(mem: treering.Treering, user: str, said: str, at: datetime) -> str:
    known = mem.context(said, space=user, budget_tokens=500)
    mem.remember(said, space=user, speaker="User", session="chat", at=at)
    return answer(known.text, said)


def main() -> None:
    said = [
        ("2024-03-01", "I work at Google as an engineer."),
        ("2024-03-02", "My dog is called Rex."),
        ("2025-05-10", "I left Google and joined Anthropic."),
        ("2025-05-11", "Where do I work?"),
        ("2025-05-12", "What is my dog called?"),
    ]
    with tempfile.TemporaryDirectory() as folder, treering.open(Path(folder) / "chat.db") as mem:
        for day, words in said:
            at = datetime.fromisoformat(day).replace(tzinfo=UTC)
            print(f"{day} you: {words}\n           bot: {turn(mem, 'ann', words, at)}")
        before = mem.recall("Where do I work?", space="ann", as_of="2024-06-01T00:00:00Z")
        print("in June 2024 it would have said:", before.hits[0].memory.content)


if __name__ == "__main__":
    main()
