"""Public texts as talks. Each function reads a git directory (or a wheel) as it was fetched; nothing else is read.

What each is and under which licence it stands: README.md beside this file.
"""

from __future__ import annotations

import csv
import io
import json
import random
import re
import subprocess
import zipfile
from collections.abc import Iterator
from pathlib import Path

from training.turnfinder.talk import ASSISTANT, USER, Asked, Talk, Turn, mark

Texts = Path


def _git(folder: Path) -> Path:
    inner = folder / "repo"
    return inner / ".git" if (inner / ".git").exists() else inner


def shown(folder: Path, path: str) -> str:
    command = ["git", f"--git-dir={_git(folder)}", "show", f"HEAD:{path}"]
    return subprocess.run(command, capture_output=True, check=True).stdout.decode("utf-8", "replace")


def listed(folder: Path, under: str) -> list[str]:
    command = ["git", f"--git-dir={_git(folder)}", "ls-tree", "-r", "-l", "HEAD", under]
    rows = subprocess.run(command, capture_output=True, check=True).stdout.decode().splitlines()
    return [row.split("\t", 1)[1] for row in rows if row.split("\t", 1)[0].split()[-1] != "BAD"]


def clean(text: str) -> str:
    return " ".join(text.replace("\x01", "").replace("\x02", "").split())


def personas(texts: Texts) -> Iterator[tuple[Talk, list[list[str]]]]:
    """Synthetic-Persona-Chat: the talk, and the persona of each of the two."""
    folder = texts / "google-research-datasets+Synthetic-Persona-Chat"
    for name in ("valid", "test"):
        rows = csv.reader(io.StringIO(shown(folder, f"data/Synthetic-Persona-Chat_{name}.csv")))
        next(rows)
        for first, second, said in rows:
            turns: list[Turn] = []
            for line in said.splitlines():
                found = re.match(r"User ([12]): *(.+)", line)
                if found and clean(found[2]):
                    turns.append(Turn(clean(found[2]), int(found[1]) - 1))
            facts = [[clean(one) for one in some.splitlines() if clean(one)] for some in (first, second)]
            if len(turns) >= 6:
                yield Talk("persona", turns), facts


def chitchat(wheel: Path, most: int, draw: random.Random) -> Iterator[Talk]:
    every = json.loads(zipfile.ZipFile(wheel).read("chitchat_dataset/dataset.json"))
    keys = sorted(every)
    draw.shuffle(keys)
    given = 0
    for key in keys:
        turns, who = [], {}  # type: list[Turn], dict[str, int]
        for block in every[key]["messages"]:
            text = clean(" ".join(one["text"] for one in block))
            if text and block:
                turns.append(Turn(text[:700], who.setdefault(block[0]["sender"], len(who))))
        if len(turns) >= 8 and len(who) == 2:
            yield Talk("chitchat", turns)
            given += 1
            if given >= most:
                return


def self_dialogues(texts: Texts, most: int, draw: random.Random) -> Iterator[Talk]:
    folder = texts / "jfainberg+self_dialogue_corpus"
    blocked = set(shown(folder, "blocked_workers.txt").split())
    found: list[Talk] = []
    for path in listed(folder, "corpus/"):
        for row in csv.DictReader(io.StringIO(shown(folder, path))):
            if row.get("WorkerId") in blocked:
                continue
            turns = []
            for number in range(1, 21):
                text = clean(row.get(f"Answer.sentence{number}") or "")
                if text and text != "{}":
                    turns.append(Turn(text[:500], number % 2))
            if len(turns) >= 8:
                found.append(Talk("self", turns))
    draw.shuffle(found)
    yield from found[:most]


def meetings(texts: Texts) -> Iterator[tuple[Talk, list[tuple[str, list[int]]]]]:
    """QMSum, its AMI and ICSI meetings (CC BY 4.0); of the parliaments nothing."""
    folder = texts / "Yale-LILY+QMSum"
    for path in listed(folder, "data/"):
        if not re.match(r"data/(?:Academic|Product)/jsonl/", path):
            continue
        for line in shown(folder, path).splitlines():
            one = json.loads(line)
            who: dict[str, int] = {}
            turns = []
            for said in one["meeting_transcripts"]:
                speaker = who.setdefault(said["speaker"], min(len(who), 8))
                text = clean(re.sub(r"\{\w+\}", "", said["content"]))
                turns.append(Turn(re.sub(r" ([,.?!'])", r"\1", text) or "-", speaker))
            asked = []
            for query in one["specific_query_list"]:
                spans = [range(int(a), int(b) + 1) for a, b in query["relevant_text_span"]]
                asked.append((clean(query["query"]), [n for some in spans for n in some if n < len(turns)]))
            yield Talk("meeting", turns), asked


def rooms(texts: Texts) -> Iterator[Talk]:
    """Molweni, its test part: chat of several about computers, and what people asked about it. The turn in which an
    answer stands is its evidence; where the words stand in several, nobody can say."""
    told = json.loads(shown(texts / "HIT-SCIR+Molweni", "MRC(withDiscourse)/test.json"))
    for room in told["data"]["dialogues"]:
        who = {name: min(n, 8) for n, name in enumerate(dict.fromkeys(said["speaker"] for said in room["edus"]))}
        turns = [Turn(_spaced(said["text"]), who[said["speaker"]]) for said in room["edus"]]
        talk = Talk("room", turns)
        for one in room["qas"]:
            answers = {_spaced(each["text"]).lower() for each in one["answers"]}
            there = [n for n, turn in enumerate(turns) if any(each in turn.text.lower() for each in answers)]
            if len(there) == 1:
                text = _spaced(one["question"])
                for name, number in who.items():
                    text = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", mark(number), text, flags=re.IGNORECASE)
                talk.asked.append(Asked(text, there))
        yield talk


def _spaced(text: str) -> str:
    """Without the spaces that a tokenizer has left before marks."""
    return re.sub(r" ([,.?!:;')]|n't|'\w+)", r"\1", clean(text))


SENTENCES = 40
"""Of a talk made of passages."""


def passages(texts: Texts) -> Iterator[Talk]:
    """SQuAD 2.0, half of its development file: the sentences of some passages, each a turn of nobody's, and what people
    asked about them. What stands beside the sentence with the answer may tell a part of it."""
    for article in json.loads(shown(texts / "chrischute+squad", "data/dev-v2.0.json"))["data"]:
        talk = Talk("passage", [])
        for passage in article["paragraphs"]:
            first, text = len(talk.turns), passage["context"]
            ends = [one.end() for one in re.finditer(r"[.!?]\s+(?=[A-Z\"(])", text)] + [len(text)]
            talk.turns += [Turn(clean(text[a:b])) for a, b in zip([0, *ends], ends, strict=False) if text[a:b].strip()]
            for one in passage["qas"]:
                if one["answers"]:
                    place = first + sum(end <= one["answers"][0]["answer_start"] for end in ends)
                    beside = [n for n in (place - 1, place + 1) if first <= n < len(talk.turns)]
                    talk.asked.append(Asked(clean(one["question"]), [place], beside))
            if len(talk.turns) >= SENTENCES:
                yield talk
                talk = Talk("passage", [])
        if talk.asked:
            yield talk


def paragraphs(texts: Texts) -> Iterator[Talk]:
    """XQuAD in English: articles, each paragraph a turn of nobody's."""
    for article in json.loads(shown(texts / "google-deepmind+xquad", "xquad.en.json"))["data"]:
        talk = Talk("page", [])
        for paragraph in article["paragraphs"]:
            text = clean(paragraph["context"])
            talk.turns.append(Turn(text))
            for one in paragraph["qas"]:
                answer = one["answers"][0]["text"]
                span = next((s for s in re.split(r"(?<=[.!?]) ", text) if answer in s), "")
                talk.asked.append(Asked(clean(one["question"]), [len(talk.turns) - 1], span=span))
        yield talk


MANUALS = (
    ("kubernetes+website", "content/en/docs/", "md", 500), ("github+docs", "content/", "md", 900),
    ("rust-lang+book", "src/", "md", 110), ("18F+handbook", "", "md", 240), ("django+django", "docs/", "txt", 300),
)  # fmt: skip


def manuals(texts: Texts, draw: random.Random) -> Iterator[Talk]:
    """Pages of manuals. Half stand as pages, half as talks in which an assistant tells each section when asked."""
    for name, under, ending, most in MANUALS:
        folder = texts / name
        paths = [path for path in listed(folder, under or ".") if path.endswith(f".{ending}")]
        draw.shuffle(paths)
        for path in paths[:most]:
            title, sections = _sections(shown(folder, path), ending)
            if len(sections) >= 3:
                yield _manual(title, sections, draw)


def _sections(text: str, ending: str) -> tuple[str, list[tuple[str, str]]]:
    title = re.search(r"^title: *['\"]?(.+?)['\"]?$", text, re.M)
    body = re.sub(r"\A---\n.*?\n---\n", "", text, flags=re.S)
    if ending == "txt":
        body = re.sub(r"^(.+)\n([=\-~^])\2{3,}$", r"# \1", body, flags=re.M)
    body = re.sub(r"```.*?```|\{%.*?%\}|\{\{.*?\}\}|<!--.*?-->|<[^>]+>", " ", body, flags=re.S)
    body = re.sub(r"!?\[([^\]]*)\]\([^)]*\)|\[([^\]]*)\]\[[^\]]*\]", r"\1\2", body)
    body = re.sub(r":\w+:`~?([^`<]+)[^`]*`|^\.\. .*$", r"\1", body, flags=re.M)
    found: list[tuple[str, str]] = []
    for part in re.split(r"^#+ +", body, flags=re.M)[1:]:
        head, _, rest = part.partition("\n")
        words = clean(re.sub(r"[*_`#|]|\{#.*?\}", "", rest))
        head = clean(re.sub(r"[*_`#|]|\{.*?\}|^[\d.]+ ", "", head))
        if len(words) > 60 and 3 < len(head) < 90:
            found.append((head, words[:1500]))
    page = clean(title[1]) if title else (found[0][0] if found else "")
    return page, found[:14]


_ING = re.compile(r"^(\w+?)(?:([bdgklmnprt])\2)?ing (.+)$")


def as_question(head: str, page: str, draw: random.Random) -> str:
    """A heading as somebody would ask for it."""
    if head.endswith("?"):
        return head
    low = head[0].lower() + head[1:] if not head[:2].isupper() else head
    if " " in low and low.split()[0] in _VERBS:
        return draw.choice((f"How do I {low}?", f"how to {low}", f"How can I {low}?"))
    first, _, rest = low.partition(" ")
    if first in _GERUNDS and rest:
        return draw.choice((f"How do I {_GERUNDS[first]} {rest}?", f"How do you {_GERUNDS[first]} {rest}?", head))
    said = page.lower() in low.lower()
    where = f" in {page}" if page and not said and (len(low.split()) < 3 or draw.random() < 0.5) else ""
    return draw.choice((f"What is said about {low}{where}?", f"Tell me about {low}{where}", f"{head}{where}",
                        f"What should I know about {low}{where}?"))  # fmt: skip


_VERB_LIST = """
add use set create install configure run enable disable change write read test build delete remove
update define get make choose check view manage find handle deploy start stop connect list upload
restore review return store debug upgrade secure require verify share invite transfer rename move
pass import export publish call book request ask submit prepare plan track report edit open close
merge clone fork sync
"""
_VERBS = frozenset(_VERB_LIST.split())
_DOUBLED = ("set", "get", "run", "stop", "plan", "submit", "debug")


def _gerund(verb: str) -> str:
    if verb in _DOUBLED:
        return f"{verb}{verb[-1]}ing"
    return f"{verb.removesuffix('e')}ing"


_GERUNDS = {_gerund(verb): verb for verb in _VERBS}


def _manual(title: str, sections: list[tuple[str, str]], draw: random.Random) -> Talk:
    chat = draw.random() < 0.5
    talk = Talk("manual", [])
    for head, text in sections:
        asked = as_question(head, title, draw)
        beside: list[int] = []
        said = text
        if chat:
            talk.turns.append(Turn(as_question(head, title, draw), USER))
            beside = [len(talk.turns) - 1]
            if draw.random() < 0.5:
                said = f"{draw.choice(_OPENINGS)} {text} {draw.choice(_CLOSINGS)}"
        talk.turns.append(Turn(said, ASSISTANT if chat else None))
        here = len(talk.turns) - 1
        talk.asked.append(Asked(asked, [here], beside))
        sentence = _told_there(text, draw)
        if sentence:
            talk.asked.append(Asked(sentence[0], [here], beside, span=sentence[1]))
    return talk


_OPENINGS = ("Sure, here is how it goes.", "Good question!", "Of course.", "Here's an overview:", "Happy to help.")
_CLOSINGS = ("Let me know if you want more detail.", "Shall I go on?", "Does that help?", "Tell me what you think.", "")


def _told_there(text: str, draw: random.Random) -> tuple[str, str] | None:
    """A detail of a long text: by the longest words of one of its sentences."""
    some = [one for one in re.split(r"(?<=[.!?]) ", text) if 6 <= len(one.split()) <= 40]
    if not some:
        return None
    sentence = draw.choice(some)
    words = sorted({w.strip(".,:;()\"'") for w in sentence.split() if len(w) > 4 and "/" not in w}, key=len)[-3:]
    if len(words) < 2:
        return None
    draw.shuffle(words)
    form = draw.choice(("What did you tell me about {}?", "what was that about {}", "{}",
                        "Which advice did you give on {}?", "What did the assistant say about {}?",
                        "Is there anything on {}?"))  # fmt: skip
    return form.format(" and ".join(words[:2]) if draw.random() < 0.6 else ", ".join(words)), sentence
