"""WHAT in a text is a secret, and must not be kept? Keys, tokens and passwords: by the shape their makers give them, by
what stands before them, and by chance, which shows in how a word is put together.

Only text is looked at. What is masked is replaced by a word that says of which kind it was and nothing of itself: no
part of it, and no hash that could be tried against. Digests, ids and paths are left alone.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable
from itertools import pairwise

from treering.values import dataclass

_VALUE = r"[^\s\"'`,;)}\]<>]"
_NAMED = (
    r"pass(?:word|wd|phrase|code)?|pwd|secret|token|api[_-]?key|access[_-]?key|auth[_-]?key|private[_-]?key|"
    r"client[_-]?secret|credentials?|signing[_-]?key|encryption[_-]?key|account[_-]?key|session[_-]?key|auth[_-]?token"
)


@dataclass(frozen=True, slots=True)
class SecretShape:
    """How secrets of one kind look. The group `secret` is what is masked; without one, all that is found."""

    kind: str
    pattern: re.Pattern[str]


def _shape(kind: str, pattern: str, flags: int = 0) -> SecretShape:
    return SecretShape(kind, re.compile(pattern, flags))


SHAPES = (
    _shape("private key", r"-----BEGIN [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----.*?(?:-----END [A-Z0-9 ]*-----|\Z)", re.S),
    _shape("aws key", r"\b(?:AKIA|ASIA|ABIA|ACCA)[0-9A-Z]{16}\b"),
    _shape("github token", r"\bgh[pousr]_[A-Za-z0-9]{30,255}\b|\bgithub_pat_[A-Za-z0-9_]{30,255}\b"),
    _shape("gitlab token", r"\bgl(?:pat|ptt|dt|rt|soat|cbt|ft)-[A-Za-z0-9_-]{20,}"),
    _shape("anthropic key", r"\bsk-ant-[A-Za-z0-9_-]{16,}"),
    _shape("openai key", r"\bsk-(?:proj-|svcacct-|admin-)?[A-Za-z0-9_-]{20,}"),
    _shape("stripe key", r"\b(?:sk|rk|pk|whsec)_(?:live_|test_)?[A-Za-z0-9]{16,}"),
    _shape("slack token", r"\bxox[abeprs]-[A-Za-z0-9-]{10,}|\bxapp-\d-[A-Za-z0-9-]{10,}"),
    _shape("webhook address", r"https://hooks\.slack\.com/(?:services|workflows)/(?P<secret>[A-Za-z0-9/_-]{20,})"),
    _shape("webhook address", r"https://(?:\w+\.)?discord(?:app)?\.com/api/webhooks/(?P<secret>\d+/[\w-]{20,})"),
    _shape("google key", r"\bAIza[0-9A-Za-z_-]{35}|\bya29\.[0-9A-Za-z_-]{20,}|\bGOCSPX-[0-9A-Za-z_-]{20,}"),
    _shape("hugging face token", r"\bhf_[A-Za-z0-9]{30,}\b"),
    _shape("npm token", r"\bnpm_[A-Za-z0-9]{30,}\b"),
    _shape("pypi token", r"\bpypi-[A-Za-z0-9_-]{16,}"),
    _shape("sendgrid key", r"\bSG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}"),
    _shape("digitalocean token", r"\bdo[opr]_v1_[a-f0-9]{64}\b"),
    _shape("telegram token", r"\b\d{8,10}:AA[A-Za-z0-9_-]{32,35}\b"),
    _shape("vault token", r"\bhv[sbr]\.[A-Za-z0-9_-]{20,}"),
    _shape("age key", r"\bAGE-SECRET-KEY-1[0-9A-Z]{50,}"),
    _shape("token", r"\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*"),
    _shape("password", r"\b[a-z][a-z0-9+.-]{1,20}://[^\s:/@\"'<>]*:(?P<secret>[^\s@\"'<>]+)@", re.I),
    _shape("authorization", r"\b(?:proxy-)?authorization\s*[:=]\s*[\"']?(?:(?:bearer|basic|token)\s+)?"
                            rf"(?P<secret>{_VALUE}{{6,}})", re.I),
    _shape("authorization", r"\bbearer\s+(?P<secret>[A-Za-z0-9._~+/=-]{12,})", re.I),
    _shape("password", rf"(?<![\w-])--?(?:[\w-]*(?:{_NAMED}))(?:=|\s+)[\"']?(?P<secret>{_VALUE}{{4,}})", re.I),
    _shape("password", rf"[\w.-]*(?:{_NAMED})[\w]*[\"']?\s*(?::=|=>|[:=])\s*(?:[\"'](?P<secret>[^\"'\n]{{4,}})[\"'])",
           re.I),
    _shape("password", rf"[\w.-]*(?:{_NAMED})[\w]*\s*(?::=|=>|=|:\s)\s*(?P<secret>{_VALUE}{{4,}})", re.I),
    _shape("password", rf"\b(?:{_NAMED})\s+(?:is|was|are|to|will be)\s+[\"'`]?(?P<secret>{_VALUE}{{4,}})", re.I),
    _shape("password", r"\b(?:password|passphrase|passwd|pwd)\s+[\"'`]?"
                       r"(?P<secret>(?=\S*(?:\d|[!@#$%^&*]))[^\s\"'`,;:)}\]<>=]{5,})", re.I),
    _shape("password", r"(?<=\s)-u\s+[^\s:]+:(?P<secret>\S+)"),
    _shape("password", r"\bmysql\b[^\n|;]*?\s-p(?P<secret>[^\s-]\S{2,})"),
    _shape("password", r"\bsshpass\s+-p\s*(?P<secret>\S+)"),
)  # fmt: skip
_MASKED = re.compile(r"\[masked: [a-z ]+\]")
_NO_SECRET = re.compile(
    r"(?:none|null|true|false|undefined|required|optional|empty|missing|wrong|invalid|expired|correct|stored|hashed|"
    r"masked|hidden|changed?|reset|set|used|needed|unknown|string|str|int|bool|bytes|secretstr|text|"
    r"x{3,}|\*{3,}|\.{3,}|\$\{?\w+\}?|\$\(.*|%\w+%?|<.*|\{\{?.*|\[.*|os\..*|process\..*|env\..*|self\..*|settings\..*|"
    r"config\..*|getenv.*|your[_-].*|my[_-].*|example.*|changeme|placeholder|redacted.*)[.,;:!?)]*",
    re.I,
)
"""What follows such a name and is none: a word about it, a variable, a place in code, something to be filled in."""
_IN_PROSE = re.compile(r"[A-Za-z]{2,}[.,;:!?)]*|\w+\(.*|[\w.]+\.\w+\(?.*")
_CODE_WORD = re.compile(r"[A-Za-z_][\w.]*[(\[].*|[a-z_]+(?:\.[a-z_]+)+|[A-Z][A-Z0-9_]*_[A-Z0-9_]*|[a-z]+(?:_[a-z]+)+")
_WORD = re.compile(r"[A-Za-z0-9+/=_-]{20,}")
_DIGEST = re.compile(
    r"[0-9a-f]{7,128}|[0-9A-F]{7,128}|[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}|sha(?:1|256|384|512)-.*"
)
_LEAST_KNOWN = 6  # characters: shorter ones stand inside of other words
_LEAST_BITS = 3.2  # of a character: what is written by a person stays below
_LEAST_RUN = 12  # letters and digits without a sign between
_LEAST_TURNS = 0.25  # between small letters, capitals and digits: names turn once a word
_SURE_BITS = 4.3  # enough by itself, in a long word


def masked(text: str, found: Counter[str] | None = None, known: set[str] | None = None) -> str:
    """The text with a word in the place of every secret; `found` counts them by kind. `known` are secrets that were
    found elsewhere, and gets those of this text: what was a secret once is one wherever it stands."""
    seen = set() if known is None else known

    def hide(kind: str) -> Callable[[re.Match[str]], str]:
        def hidden(match: re.Match[str]) -> str:
            named = "secret" in match.re.groupindex
            secret = match["secret"] if named else match[0]
            if _MASKED.search(secret) or (named and _is_no_secret(secret, kind, match[0])):
                return match[0]
            if found is not None:
                found[kind] += 1
            if len(secret) >= _LEAST_KNOWN:
                seen.add(secret)
            at = match.start("secret") - match.start() if named else 0
            return f"{match[0][:at]}[masked: {kind}]{match[0][at + len(secret) :]}"

        return hidden

    for shape in SHAPES:
        text = shape.pattern.sub(hide(shape.kind), text)
    text = _WORD.sub(lambda match: _by_chance(match, found), text)
    for secret in seen:
        text = text.replace(secret, "[masked: secret]")
    return text


def _is_no_secret(secret: str, kind: str, whole: str) -> bool:
    """Whether what stands where a secret might is a word of a sentence or of code."""
    if _NO_SECRET.fullmatch(secret) or (secret.isdigit() and "tokens" in whole.lower()):
        return True
    if kind != "password" or "://" in whole:
        return False
    quoted = whole.rstrip().endswith(("'", '"'))
    if _CODE_WORD.fullmatch(secret) and not quoted:
        return True
    said = re.search(r"(?:\s(?:is|was|are|to|be)\s|:\s)[\"'`]?$", whole[: len(whole) - len(secret)])
    return bool(said) and not quoted and bool(_IN_PROSE.fullmatch(secret))


def _by_chance(match: re.Match[str], found: Counter[str] | None) -> str:
    word = match[0]
    if not looks_random(word):
        return word
    if found is not None:
        found["random word"] += 1
    return "[masked: random word]"


def looks_random(word: str) -> bool:
    """Whether a word was drawn by a machine: small letters, capitals and digits in no order. Digests in hexadecimal are
    drawn too, and are names of things."""
    if _DIGEST.fullmatch(word) or word.count("/") > 2:
        return False
    bare = max(re.split(r"[-_/+=]+", word), key=len)  # branches and file names fall apart into short words here
    if len(bare) < _LEAST_RUN:
        return False
    kinds = "".join("a" if one.islower() else "A" if one.isupper() else "1" for one in bare)
    if not {"a", "A", "1"} <= set(kinds):
        return False
    turns = sum(a != b and a + b != "Aa" for a, b in pairwise(kinds)) / (len(bare) - 1)
    drawn = turns >= _LEAST_TURNS and len(re.findall("1+", kinds)) > 1
    return entropy(bare) >= _LEAST_BITS and (drawn or (entropy(bare) >= _SURE_BITS and len(bare) >= 40))


def entropy(word: str) -> float:
    """Bits a character, by how often each stands in the word."""
    return -sum(n / len(word) * math.log2(n / len(word)) for n in Counter(word).values())
