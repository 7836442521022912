"""What is remembered is text, a key sees what it may and no more, and nothing leaves the host."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import httpx
from tests.faces.command import program
from tests.page.browser import Browser
from tests.page.conftest import Served, Serving
from tests.page.life import INJECTION, MARKUP

VIEWS = ("ask", "graph", "plane", "story", "memories", "review", "journal", "health", "tell", "settings")


def test_stored_markup_and_orders_to_a_model_stay_text_everywhere(page: Browser, served: Served) -> None:
    markup, injection = served.known["markup"], served.known["injection"]
    before = served.door.status().seq
    page.open("memories", space="team", tag="supplier", sel=f"memory:{markup}")
    page.sees(".panel h2", MARKUP)
    page.sees(".panel .quote mark", MARKUP)
    page.sees(".memories td", INJECTION)
    page.open("ask", space="team", q="What does the supplier's note read?", sel=f"memory:{injection}")
    page.sees(".hit .said", "<img src=x onerror=")
    page.sees(".panel h2", INJECTION)
    page.open("graph", space="team")
    page.click_on(".listed summary")
    page.sees(".listed li", "a note <b>in bold</b>")
    page.open("journal", space="team", before="62")
    page.sees(".entry", "<img src=x")
    page.open("story", space="team")
    page.sees(".story li", "<b>in bold</b>")
    page.open("plane", space="team", node=served.door.entity_get("Northwind").id)
    page.sees(".belief", "<b>in bold</b>")
    assert page.evaluate("document.title.includes('broken')") is False
    assert page.count("main img, aside img, main b") == 0
    assert served.door.status().seq == before, "no order was obeyed"


def test_the_policy_forbids_scripts_and_styles_that_are_not_the_servers_own(page: Browser, served: Served) -> None:
    page.open("ask", space="team")
    told = httpx.get(served.url + "/").headers
    policy = told["content-security-policy"]
    for rule in (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "connect-src 'self'",
        "base-uri 'none'",
    ):
        assert rule in policy
    assert "unsafe" not in policy
    assert "set-cookie" not in told
    blocked = page.evaluate("""new Promise((tell) => {
        document.addEventListener('securitypolicyviolation', (event) => tell(event.violatedDirective), {once: true});
        const script = document.createElement('script');
        script.textContent = 'document.title = "broken"';
        document.head.append(script);
    })""")
    assert blocked.startswith("script-src")
    assert "broken" not in page.evaluate("document.title")
    evaluated = page.evaluate("""new Promise((tell) => {
        document.addEventListener('securitypolicyviolation', (event) => tell(event.blockedURI), {once: true});
        setTimeout("document.title = 'broken'", 0);
        setTimeout(() => tell('nothing was blocked'), 2000);
    })""")
    assert evaluated == "eval"
    page.fresh(served.url)  # what was provoked is no fault of the page


def test_no_view_asks_anybody_but_the_server(page: Browser, served: Served) -> None:
    for view in VIEWS:
        page.open(view, space="team")
    noted = page.noted()
    assert noted["blocked"] == []
    assert {url for url in noted["requests"] if not url.startswith(served.url)} == set()
    own = {url.removeprefix(served.url).split("?")[0] for url in noted["requests"]}
    assert {path for path in own if not path.startswith(("/v1/", "/page/")) and path != "/"} == set()


def test_a_key_that_may_read_sees_everything_and_can_change_nothing(chromium: Browser, serving: Serving) -> None:
    served = serving()
    key = served.door.key_create("reader", role="read", spaces=["team"]).secret
    served.door.key_create("boss", role="admin", spaces=["*"])
    page = chromium.fresh(served.url)
    page.goto("/#/memories?space=team")
    page.sees(".key-asked", "asks for a key")
    page.fill("Your key", "tr_wrong")
    page.press("Enter")
    page.sees(".key-asked p", "key that holds")
    page.fill("Your key", key)
    page.press("Enter")
    page.sees(".memories td", "weekly meeting")
    page.sees(".who", "may read")
    assert page.evaluate("[sessionStorage.length, localStorage.length, document.cookie]") == [0, 0, ""]
    assert page.count(".memories input[type=checkbox]") == 0
    page.open("memories", space="team", sel=f"memory:{served.known['tea']}")
    page.sees(".panel h2", "green tea")
    assert page.count(".panel .buttons button") == 0
    page.open("review", space="team")
    page.sees(".review-item", "two different days".capitalize()[0])
    assert page.count(".review-item .buttons button") == 0
    page.open("journal", space="team")
    page.sees(".entry")
    assert "Export" not in page.texts("main button")
    page.open("tell", space="team")
    page.sees(".nothing", "may read")
    page.open("settings", space="team")
    page.sees(".note", "may admin")
    assert "Make a key" not in page.texts("main button")
    assert page.texts(".space-choice option") == ["team"]
    page.goto("/healthz")


def test_a_wrong_key_that_is_refused_late_closes_nothing_to_the_right_one(chromium: Browser, serving: Serving) -> None:
    served = serving()
    key = served.door.key_create("reader", role="read", spaces=["team"]).secret
    page = chromium.fresh(served.url)
    page.goto("/#/memories?space=team")
    page.sees(".key-asked", "asks for a key")
    page.evaluate("""(() => {
        const asked = window.fetch;
        window.fetch = async (to, how) => {
            const answer = await asked(to, how);
            if (to === '/v1/spaces' && how.headers.Authorization === 'Bearer tr_wrong')
                await new Promise((goOn) => (window.refuse = goOn));
            return answer;
        };
    })()""")
    page.fill("Your key", "tr_wrong")
    page.press("Enter")
    page.sees(".key-asked p", "key that holds")
    page.fill("Your key", key)
    page.press("Enter")
    page.sees(".memories td", "weekly meeting")
    page.evaluate("new Promise((seen) => (refuse(), setTimeout(seen, 300)))")
    assert page.count(".key-asked") == 0
    page.sees(".memories td", "weekly meeting")
    page.goto("/healthz")


def test_a_key_for_one_space_is_refused_another_in_plain_words(chromium: Browser, serving: Serving) -> None:
    served = serving()
    served.door.space("secret").add("The vault is behind the mirror")
    key = served.door.key_create("writer", role="write", spaces=["team"]).secret
    page = chromium.fresh(served.url)
    page.goto("/#/memories?space=secret")
    page.fill("Your key", key)
    page.check("Keep it until this tab is closed", exact=False)
    page.press("Enter")
    page.sees("main .trouble", "does not open the space 'secret'")
    assert "mirror" not in page.evaluate("document.body.textContent")
    page.reload()
    page.sees("main .trouble", "does not open the space 'secret'")
    page.open("memories", space="team")
    page.check("Choose The weekly meeting is on Monday")
    assert "Forget" in page.texts(".chosen button")
    assert "Purge …" not in page.texts(".chosen button")
    page.click("Leave")
    page.sees(".key-asked")
    assert page.evaluate("sessionStorage.length") == 0
    page.goto("/healthz")


def test_a_first_key_is_made_on_the_machine_and_the_page_says_how(
    page: Browser, served: Served, tmp_path: Path
) -> None:
    page.open("settings", space="team")
    page.sees(".first-key", "The first key cannot be made here, only on the machine")
    command = page.text(".first-key pre code")
    assert "Make a key" not in page.texts("main button")
    refused = httpx.post(served.url + "/v1/key_create", json={"name": "eve", "role": "admin", "spaces": ["*"]})
    assert refused.status_code == 403
    assert served.door.key_list() == []
    treering, *words = shlex.split(command.replace("NAME", "boss"))
    told = program("--url", str(tmp_path / "served.db"), *words)
    assert (treering, told.code) == ("treering", 0), told.err
    secret = re.search(r"tr_\S+", told.out)
    assert secret
    page.reload()
    page.sees(".key-asked", "asks for a key")
    page.fill("Your key", secret[0])
    page.press("Enter")
    page.sees(".kept", "boss may admin in *")


def test_an_admins_key_makes_further_ones_and_shows_each_once(chromium: Browser, serving: Serving) -> None:
    served = serving()
    boss = served.door.key_create("boss", role="admin", spaces=["*"]).secret
    page = chromium.fresh(served.url)
    page.goto("/#/settings?space=team")
    page.fill("Your key", boss)
    page.press("Enter")
    page.sees(".kept", "boss may admin in *")
    assert page.count(".first-key") == 0
    page.fill("For whom", "ann")
    page.choose("May", "write")
    page.click("Make a key")
    page.sees(".secret code", "tr_")
    secret = page.text(".secret code")
    page.click("I have it")
    page.sees_no(".secret")
    page.sees(".kept", "ann may write in team")
    made = served.door.bearer(secret)
    assert made is not None
    assert (made.name, made.role.value, made.spaces) == ("ann", "write", ("team",))
    page.click("Leave")
    page.fill("Your key", secret)
    page.press("Enter")
    page.sees(".note", "may admin")
    page.goto("/healthz")


def test_the_page_needs_no_key_and_what_it_shows_does(serving: Serving) -> None:
    served = serving()
    served.door.key_create("boss", role="admin", spaces=["*"])
    assert httpx.get(served.url + "/").status_code == 200
    assert httpx.get(served.url + "/page/app.js").status_code == 200
    assert httpx.get(served.url + "/v1/whoami").status_code == 401
    assert httpx.get(served.url + "/page/../v1/whoami").status_code == 401
    assert httpx.get(served.url + "/page/nothing.js").status_code == 404
    assert httpx.get(served.url + "/page/__init__.py").status_code == 404
