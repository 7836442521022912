"""What a person sees first: a box to ask in, what was looked for before what stands beside it, things by
their words."""

from __future__ import annotations

from tests.page.browser import Browser
from tests.page.conftest import Served


def test_what_fades_is_called_by_its_words_and_says_what_the_step_does(page: Browser, served: Served) -> None:
    page.open("review", space="team")
    page.sees(".review-list .review-about", "Nora prefers green tea in the morning")
    row = next(one for one in page.texts(".review-list a") if "green tea" in one)
    assert "Put it away" in row
    assert "It was not used for two years" in row
    long = served.door.add("Nora said " + "that the harbour is lovely at night, " * 12)
    served.door.review_create(
        "decay", "review", memory_ids=[long.id], proposal={"op": "review", "id": long.id}, reason="its score has sunk"
    )
    page.sees(".review-list .review-about", "Nora said that the harbour")
    (about,) = [one for one in page.texts(".review-list .review-about") if "harbour" in one]
    assert len(about) < 100
    assert about.endswith("…")


def test_what_is_looked_at_is_asked_for_before_what_stands_beside_it(page: Browser) -> None:
    page.open("memories", space="team")
    page.sees(".memories td")
    page.sees(".facet", "episode")
    asked = [url.split("?")[0].rsplit("/", 1)[-1] for url in page.noted()["requests"]]
    assert asked.index("list") < asked.index("facets")
    assert asked.index("list") < asked.index("moments")


def test_the_question_box_is_ready_and_its_example_names_nobody(page: Browser) -> None:
    page.open("ask", space="team")
    assert page.until("document.activeElement?.getAttribute('aria-label') === 'Your question'")
    hint = page.attribute(".asking input", "placeholder") or ""
    assert hint
    assert "Nora" not in hint
