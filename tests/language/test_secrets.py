"""What is a secret is masked wherever it stands; what only looks like one, to a careless eye, is left alone."""

from __future__ import annotations

import time
from collections import Counter

import pytest

from treering.language.secrets import entropy, looks_random, masked

# put together here, so that no scanner of this repository takes them for real ones
_R = "q7Zt2LmX9vBc4KpW8sYd1NfH"
SECRETS = {
    "AKIA" + "IOSFODNN7EXAMPLQ": "deploy with {} as the key id",
    "ghp" + "_" + _R + "a1B2c3D4e5F6": "git clone https://{}@github.com/me/x",
    "github" + "_pat_" + _R + "_" + _R: "export GH={}",
    "glpat-" + _R: "curl -H 'PRIVATE-TOKEN: {}'",
    "sk-ant-" + "api03-" + _R: "my key is {} ok?",
    "sk-proj-" + _R + _R: "OPENAI={} python app.py",
    "sk" + "_live_" + _R: "stripe: {}",
    "xoxb-" + "1234567890-" + _R: "slack bot {}",
    "AIza" + "SyA1234567890abcdefghijklmnopqrstuv": "maps key {}",
    "hf_" + _R + "abcdefgh": "huggingface-cli login --token {}",
    "npm_" + _R + "abcdefghijkl": "//registry/:_authToken={}",
    "eyJhbGciOiJIUzI1NiJ9." + "eyJzdWIiOiIxMjM0NTY3ODkwIn0." + "dozjgNryP4J3jVmNHl0w5N_XgL0n3I9P": "cookie jwt={}",
    "hunter2hunter": "the database password is {}",
    "Tr0ub4dor&3": "password: {}",
    "correcthorse!battery": "psql postgresql://app:{}@db.internal/prod",
    "s3cr3tvalue99": "docker run -e DB_PASSWORD={} app",
    "p4ssw0rd!x": "mysql -u root -p{} shop",
    "wJalrXUtnFEMI/K7MDENG/bPxRfiCYzzzzzzKEYq": "aws_secret_access_key = {}",
    "abc123def456ghi7": 'config = {{"api_key": "{}"}}',
    "Zm9vOmJhcmJhenF1eA==": "Authorization: Basic {}",
    "opaque-token-9f8a7b": "curl -H 'Authorization: Bearer {}' https://x",
    _R + "Q3": "it printed {} and nothing else",
    "mypass99": "curl -u admin:{} https://x",
    "n0tAWordAtAll": "./deploy.sh --token {}",
    "99bottles!": "./deploy.sh --password={}",
}


@pytest.mark.parametrize(("secret", "around"), SECRETS.items(), ids=[one[:8] for one in SECRETS])
def test_a_secret_is_masked_and_the_words_around_it_stay(secret: str, around: str) -> None:
    text, found = around.format(secret), Counter[str]()
    shown = masked(text, found)
    assert secret not in shown
    assert "[masked: " in shown
    assert found.total() >= 1
    assert shown.split()[0].split("=")[0][:4] == text.split()[0].split("=")[0][:4]
    assert masked(shown) == shown, "what is masked once stays as it is"


def test_a_private_key_goes_as_a_whole_even_if_its_end_was_cut_off() -> None:
    begin, end = "-----BEGIN RSA " + "PRIVATE KEY-----", "-----END RSA PRIVATE KEY-----"
    assert masked(f"before\n{begin}\nMIIEow\nIBAAK\n{end}\nafter") == "before\n[masked: private key]\nafter"
    assert "MIIEow" not in masked(f"before\n{begin}\nMIIEow\nIBAAK")


HARMLESS = (
    "commit 4f0c2a9d8e7b6a5f4c3d2e1f0a9b8c7d6e5f4a3b fixed it",
    "id 7f3c9a52-1b1e-4a0e-9c67-0d5a8b2f4e11 was superseded",
    "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    '"integrity": "sha512-abcDEF0123456789abcDEF0123456789abcDEF0123456789"',
    "see src/treering/faces/hooks/transcripts/claude_code.py",
    "call getUserByEmailAddressOrThrow(email) in UserAccountServiceImpl2",
    "password: str = Field(min_length=8)",
    "the password is required and the token is expired",
    "set DB_PASSWORD=$DB_PASSWORD in the compose file",
    "api_key = os.environ['KEY']",
    "token = request.headers.get('x')",
    "max_tokens: 4096",
    "tokens = tokenizer(text)",
    "run pytest tests/test_login_password_reset.py -k token",
    "the secret is to keep functions short",
    "Use a password manager. Tokens are counted in tests/language/test_tokens.py",
    "https://example.com/a/b?page=2#section-heading-with-a-long-name",
    "feature/JIRA-1234-add-retry-to-upload-worker-2",
)


@pytest.mark.parametrize("text", HARMLESS)
def test_what_is_no_secret_is_left_as_it_is(text: str) -> None:
    assert masked(text) == text


@pytest.mark.parametrize(
    "again",
    ["a", "key ", "pass-", "a://b:", "eyJ-", "aB3d", "-----BEGIN PRIVATE " + "KEY-----\n", "mysql ", "token=",
     "password ", "authorization: ", "x.password=", " --token", " -u a ", "sk-", "eyJaaaaaaaa.", "secret is ",
     "'token': '"],
)  # fmt: skip
def test_however_a_text_is_made_it_is_read_in_time_that_grows_with_its_length(again: str) -> None:
    """Whoever sends a file may mean no good. Four times the text takes four times as long, and not sixteen."""

    def seconds(length: int) -> float:
        text = (again * (length // len(again) + 1))[:length]
        found = []
        for _ in range(3):
            began = time.process_time()
            masked(text)
            found.append(time.process_time() - began)
        return min(found)

    assert seconds(40_000) <= 9 * seconds(10_000) + 0.05


def test_chance_is_told_from_names_people_give() -> None:
    assert looks_random(_R)
    assert not looks_random("ThisIsAVeryLongClassNameInJava2")
    assert not looks_random("a" * 40)
    assert entropy("aaaa") == 0
    assert entropy("abcd") == 2
