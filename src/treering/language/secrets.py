"""WHAT in a text is a secret, and must not be kept? Keys, tokens and passwords: by the shape their makers give them, by
what stands before them, and by chance, which shows in how a word is put together.

Only text is looked at. What is masked is replaced by a word that says of which kind it was and nothing of itself: no
part of it, and no hash that could be tried against. Digests, ids and paths are left alone.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Collection
from itertools import pairwise

from treering.values import dataclass

_VALUE = r"[^\s\"'`,;)}\]<>]"
_NAMED = (
    r"pass(?:word|wd|phrase|code|(?![a-z])(?:(?<![a-z]pass)|(?<=dbpass)))|pwd|secret|token|api[_-]?key|access[_-]?key|"
    r"auth[_-]?key|private[_-]?key|client[_-]?secret|credentials?|signing[_-]?key|encryption[_-]?key|account[_-]?key|"
    r"session[_-]?key|auth[_-]?token"
)
_NAMES = ("pass", "pwd", "secret", "token", "key", "credential")
_BEGINS = r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----"
_KEY_LINES = r"(?:(?:\r?\n|\\n)[ \t]{0,20}(?:[A-Za-z0-9+/=]{4,}|[A-Z][A-Za-z-]{1,20}: [^\n]{0,200})?(?=\s|\\n|\Z))*"
"""What follows where the end is missing: lines of one word each. The rest of a document is no key."""


@dataclass(frozen=True, slots=True)
class SecretShape:
    """How secrets of one kind look. The group `secret` is what is masked; without one, all that is found. `hints`: in
    small letters, one of them stands in all of these: most texts have none, and are not looked at. All that may repeat
    is bounded where it can fail: a line of a million letters must not take a million times its length."""

    kind: str
    hints: tuple[str, ...]
    pattern: re.Pattern[str]


def _shape(kind: str, hints: str | tuple[str, ...], pattern: str, flags: int = 0) -> SecretShape:
    return SecretShape(kind, tuple(hints.split()) if isinstance(hints, str) else hints, re.compile(pattern, flags))


SHAPES = (
    _shape("private key", "-----begin",
           rf"{_BEGINS}(?:(?:(?!-----)[\s\S]){{0,20000}}-----END [A-Z0-9 ]{{0,40}}-----|{_KEY_LINES})"),
    _shape("aws key", "akia asia abia acca", r"\b(?:AKIA|ASIA|ABIA|ACCA)[0-9A-Z]{16}\b"),
    _shape("github token", "ghp_ gho_ ghu_ ghs_ ghr_ github_pat_",
           r"\bgh[pousr]_[A-Za-z0-9]{30,255}\b|\bgithub_pat_[A-Za-z0-9_]{30,255}\b"),
    _shape("gitlab token", "glpat- glptt- gldt- glrt- glsoat- glcbt- glft-",
           r"\bgl(?:pat|ptt|dt|rt|soat|cbt|ft)-[A-Za-z0-9_-]{20,}"),
    _shape("anthropic key", "sk-ant-", r"\bsk-ant-[A-Za-z0-9_-]{16,}"),
    _shape("openai key", "sk-", r"\bsk-(?:proj-|svcacct-|admin-)?[A-Za-z0-9_-]{20,}"),
    _shape("stripe key", "sk_ rk_ pk_ whsec_", r"\b(?:sk|rk|pk|whsec)_(?:live_|test_)?[A-Za-z0-9]{16,}"),
    _shape("slack token", "xox xapp-", r"\bxox[abeprs]-[A-Za-z0-9-]{10,}|\bxapp-\d-[A-Za-z0-9-]{10,}"),
    _shape("webhook address", "hooks.slack.com",
           r"https://hooks\.slack\.com/(?:services|workflows)/(?P<secret>[A-Za-z0-9/_-]{20,})"),
    _shape("webhook address", "/api/webhooks/",
           r"https://(?:\w{1,20}\.)?discord(?:app)?\.com/api/webhooks/(?P<secret>\d+/[\w-]{20,})"),
    _shape("google key", "aiza ya29. gocspx-",
           r"\bAIza[0-9A-Za-z_-]{35}|\bya29\.[0-9A-Za-z_-]{20,}|\bGOCSPX-[0-9A-Za-z_-]{20,}"),
    _shape("hugging face token", "hf_", r"\bhf_[A-Za-z0-9]{30,}\b"),
    _shape("npm token", "npm_", r"\bnpm_[A-Za-z0-9]{30,}\b"),
    _shape("pypi token", "pypi-", r"\bpypi-[A-Za-z0-9_-]{16,}"),
    _shape("sendgrid key", "sg.", r"(?<![\w-])SG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}"),
    _shape("digitalocean token", "doo_v1_ dop_v1_ dor_v1_", r"\bdo[opr]_v1_[a-f0-9]{64}\b"),
    _shape("telegram token", ":aa", r"\b\d{8,10}:AA[A-Za-z0-9_-]{32,35}\b"),
    _shape("vault token", "hvs. hvb. hvr.", r"\bhv[sbr]\.[A-Za-z0-9_-]{20,}"),
    _shape("age key", "age-secret-key-1", r"\bAGE-SECRET-KEY-1[0-9A-Z]{50,}"),
    _shape("token", "eyj", r"(?<![\w-])eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*"),
    _shape("password", "://", r"://[^\s:/@\"'<>]{0,200}:(?P<secret>[^\s@\"'<>]{1,200})@"),
    _shape("authorization", "authorization", r"authorization\s{0,9}[:=]\s{0,9}[\"']?(?:(?:bearer|basic|token)\s{1,9})?"
                            rf"(?P<secret>{_VALUE}{{6,}})", re.I),
    _shape("authorization", "bearer", r"\bbearer\s{1,9}(?P<secret>[A-Za-z0-9._~+/=-]{12,})", re.I),
    _shape("password", _NAMES,
           rf"(?<![\w-])--?(?:[\w-]{{0,60}}(?:{_NAMED}))(?:=|\s{{1,9}})[\"']?(?P<secret>{_VALUE}{{4,}})", re.I),
    _shape("password", _NAMES, rf"(?:{_NAMED})\w{{0,60}}[\"']?\s{{0,9}}(?::=|=>|[:=])\s{{0,9}}"
                               r"(?:[\"'](?P<secret>[^\"'\n]{4,1000})[\"'])", re.I),
    _shape("password", _NAMES,
           rf"(?:{_NAMED})\w{{0,60}}\s{{0,9}}(?::=|=>|=|::?\s)\s{{0,9}}(?P<secret>{_VALUE}{{4,}})", re.I),
    _shape("password", _NAMES,
           rf"\b(?:{_NAMED})\s{{1,9}}(?:is|was|are|to|will be)\s{{1,9}}[\"'`]?(?P<secret>{_VALUE}{{4,}})", re.I),
    _shape("password", "pass pwd", r"\b(?:password|passphrase|passwd|pwd)\s{1,9}[\"'`]?"
                       r"(?P<secret>(?=\S{0,200}(?:\d|[!@#$%^&*]))[^\s\"'`,;:)}\]<>=]{5,})", re.I),
    _shape("password", "-u", r"(?<=\s)-u\s{1,9}[^\s:]{1,200}:(?P<secret>\S+)"),
    _shape("password", "mysql", r"\bmysql\b[^\n|;]{0,300}?\s-p(?P<secret>[^\s-]\S{2,})"),
    _shape("password", "sshpass", r"\bsshpass\s{1,9}-p\s{0,9}(?P<secret>\S+)"),
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
_LEAST_NAMED = 4  # characters: a name alone makes shorter ones no secret
_LEAST_KNOWN = 6  # characters: shorter ones stand inside of other words
_MOST_KNOWN = 500  # characters: what is longer stands nowhere else
_MOST_AT_ONCE = 500  # secrets that are looked for in all texts: a list of thousands is masked where each stands
_DATED = re.compile(r"\d{1,4}[-./:]\d")
_SIGNS = frozenset("0123456789!@#$%^&*?~")
_NAME = re.compile(rf"[\w.-]*(?:{_NAMED})\w*", re.I)
_LEAST_BITS = 3.2  # of a character: what is written by a person stays below
_LEAST_RUN = 12  # letters and digits without a sign between
_LEAST_TURNS = 0.25  # between small letters, capitals and digits: names turn once a word
_SURE_BITS = 4.3  # enough by itself, in a long word


def masked(
    text: str, found: Counter[str] | None = None, known: set[str] | None = None, *, by_chance: bool = True
) -> str:
    """The text with a word in the place of every secret; `found` counts them by kind. `known` are secrets that were
    found elsewhere, and gets those of this text: what was a secret once is one wherever it stands. Without `by_chance`
    only what is a secret by its shape or by what stands before it: an id is drawn by chance, too."""
    seen = set() if known is None else known

    def hide(kind: str) -> Callable[[re.Match[str]], str]:
        def hidden(match: re.Match[str]) -> str:
            named = "secret" in match.re.groupindex
            secret = match["secret"] if named else match[0]
            if _MASKED.search(secret) or (named and _is_no_secret(secret, kind, match[0])):
                return match[0]
            if found is not None:
                found[kind] += 1
            if len(seen) < _MOST_AT_ONCE and _is_one_anywhere(secret):
                seen.add(secret)
            at = match.start("secret") - match.start() if named else 0
            return f"{match[0][:at]}[masked: {kind}]{match[0][at + len(secret) :]}"

        return hidden

    small = text.lower()
    for shape in SHAPES:
        if any(hint in small for hint in shape.hints):
            text = shape.pattern.sub(hide(shape.kind), text)
    if by_chance:
        text = _WORD.sub(lambda match: _by_chance(match, found), text)
    return without(text, seen)


def without(text: str, known: Collection[str]) -> str:
    """The text without these secrets. The longest first: one may stand in another."""
    for secret in sorted((one for one in known if one in text), key=lambda one: (-len(one), one)):
        text = text.replace(secret, "[masked: secret]")
    return text


def is_secret_of(name: str, value: str) -> bool:
    """Whether what a field holds is a secret by the field's name."""
    if len(value) < _LEAST_NAMED or _NAME.fullmatch(name) is None:
        return False
    return not _is_no_secret(value, "password", f"{name}='{value}'")


def _is_one_anywhere(secret: str) -> bool:
    """Whether it is one in every text, too: a word that people use is none where nothing says so."""
    if not _LEAST_KNOWN <= len(secret) <= _MOST_KNOWN or any(map(str.isspace, secret)) or _DATED.match(secret):
        return False
    return any(map(str.isalpha, secret)) and not _SIGNS.isdisjoint(secret)


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
