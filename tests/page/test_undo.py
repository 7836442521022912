"""What was done is taken back, long after the notice is gone: from the memory or from the journal, and one sees what
holds."""

from __future__ import annotations

from tests.page.browser import Browser
from tests.page.conftest import Served


def _press_in_the_middle(page: Browser, css: str) -> None:
    """Where a person would press: on whatever lies there, not on a link inside it."""
    page.sees(css)
    page.evaluate(f"""(() => {{
        const one = document.querySelector({css!r});
        one.scrollIntoView({{ block: 'center' }});
        const box = one.getBoundingClientRect();
        document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2).click();
    }})()""")


def _corrected(served: Served) -> tuple[str, int]:
    receipt = served.door.revise(served.known["deadline"], "Atlas ships in June 2026")
    assert receipt.seq is not None
    return receipt.id, receipt.seq


def test_a_memory_offers_to_undo_its_last_change_and_leads_to_what_holds_then(page: Browser, served: Served) -> None:
    new, seq = _corrected(served)
    page.open("memories", space="team", sel=f"memory:{new}")
    page.sees(".undo-last", "Revise")
    page.click("Undo the last change")
    page.sees(".panel h2", "Atlas ships in April 2026")
    assert served.door.get(served.known["deadline"]).state == "active"
    assert served.door.journal(before=seq + 1, limit=1).lines[0].undone_by == served.door.status().seq
    page.sees(".panel .lines .undone", "Was replaced by")
    page.sees_no(".panel .undo-last")  # that it was first remembered is for Forget to take back


def test_the_last_change_is_the_one_that_still_stands(page: Browser, served: Served) -> None:
    tea = served.known["tea"]
    page.open("memories", space="team", sel=f"memory:{tea}")
    page.sees(".panel .lines-what", "Remembered")
    page.click("Put away")
    page.sees(".panel .undo-last", "Archive")
    page.click("Undo the last change")
    page.sees_no(".panel .state", "archived")
    page.sees_no(".panel .undo-last")
    assert served.door.get(tea).state == "active"


def test_after_the_notices_undo_the_panel_shows_what_holds(page: Browser, served: Served) -> None:
    page.open("memories", space="team", sel=f"memory:{served.known['deadline']}")
    page.click("Correct")
    page.fill("What is right", "Atlas ships in June 2026")
    page.click("Keep the correction")
    page.sees(".panel h2", "Atlas ships in June 2026")
    page.click("Undo", inside=".deeds")
    page.sees(".panel h2", "Atlas ships in April 2026")


def test_what_was_taken_back_and_replaced_nothing_says_so(page: Browser, served: Served) -> None:
    told = served.door.add("The printer is on the second floor")
    served.door.undo(str(told.seq))
    page.open("memories", space="team", sel=f"memory:{told.id}")
    page.sees(".panel .note", "This was undone on")
    new, seq = _corrected(served)
    served.door.undo(str(seq))
    page.open("memories", space="team", sel=f"memory:{new}")
    page.sees(".panel .note", "What holds now: Atlas ships in April 2026")


def test_a_history_says_which_fact_ended_in_the_order_of_time(page: Browser, served: Served) -> None:
    page.open("memories", space="team", sel=f"memory:{served.known['zed']}")
    page.sees(".panel .lines-what", "ended on")
    told = page.texts(".panel .lines-what")
    assert told[0] == "Remembered"
    assert told.index("Took the place of “Nora writes everything in Emacs”") < told.index(
        "“Nora uses Emacs” ended on 10 Jun 2024"
    )
    assert not [one for one in told if one.startswith("Ended on")], "which fact is said"


def test_an_undone_entry_is_marked_and_offers_no_undo(page: Browser, served: Served) -> None:
    _, seq = _corrected(served)
    page.open("journal", space="team", sel=f"entry:{seq}")
    page.sees(".panel button", "Undo this entry")
    by = served.door.status().seq + 1
    page.click("Undo this entry")
    page.sees(".panel .note", f"undone by entry {by}")
    page.sees_no(".panel button", "Undo this entry")
    page.sees(".entry.undone .state-undone", f"undone by entry {by}")
    assert page.count(".entry.undone") == 1


def test_an_entry_of_which_nothing_can_be_undone_offers_no_undo(page: Browser, served: Served) -> None:
    page.open("journal", space="team", sel="entry:1")  # somebody was given a name
    page.sees(".panel .about", "Nothing of it is left to undo")
    page.sees_no(".panel button", "Undo this entry")


def test_an_entry_is_opened_by_pressing_anywhere_on_it(page: Browser, served: Served) -> None:
    page.open("journal", space="team")
    _press_in_the_middle(page, ".entry .entry-changes li")
    page.sees(".panel .kicker", f"Entry {served.door.status().seq} of the journal")
    page.open("memories", space="team", sel=f"memory:{served.known['zed']}")
    page.sees(".panel .lines-what", "Took the place of")
    _press_in_the_middle(page, ".panel .lines-what")
    page.sees(".panel .kicker", "of the journal")
