"""What is delivered beside the program holds together: the site, the image, the release notes, the packages."""

from __future__ import annotations

import re
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest
import yaml
from tests.faces.test_pages import refusal_of
from tools import site
from tools.no_secrets import main as no_secrets
from tools.release import notes_of

from treering.version import VERSION

ROOT = Path(__file__).parents[2]


def test_the_site_has_every_picture_that_its_pages_show(tmp_path: Path) -> None:
    pages = site.staged()
    shown = site.pictures(pages)
    assert {one.suffix for one in shown} == {".png", ".svg"}
    assert [one for one in shown if not one.exists()] == []
    assert shown[ROOT / "docs" / "guides" / "page" / "plane-wide-light.png"] == "guides/page/plane-wide-light.png"
    (tmp_path / "guides").mkdir()
    (tmp_path / "guides" / "index.html").write_text('<img alt="" src="here.svg"><img src="gone.png">')
    (tmp_path / "guides" / "here.svg").touch()
    assert site.lost_pictures(tmp_path) == ["guides/index.html: gone.png"]


def test_a_lock_is_installed_as_it_stands() -> None:
    """With dependencies looked up anew, a release of any package that another wants with an extra stops the install."""
    steps = [
        line
        for name in ("Makefile", "Dockerfile")
        for line in (ROOT / name).read_text("utf-8").splitlines()
        if ".lock" in line and "pip install" in line
    ]
    assert len(steps) >= 6
    for step in steps:
        assert "--require-hashes --no-deps -r requirements/" in step


def test_workflows_compose_and_templates_can_be_read() -> None:
    found = [*ROOT.glob(".github/**/*.y*ml"), ROOT / "deploy" / "compose.yaml", ROOT / ".pre-commit-config.yaml"]
    assert len(found) >= 7
    for path in found:
        assert yaml.safe_load(path.read_text("utf-8")), path


def test_the_server_runs_without_rights_on_a_file_system_it_cannot_write() -> None:
    image = (ROOT / "Dockerfile").read_text("utf-8")
    assert "USER 10001" in image
    assert "HEALTHCHECK" in image
    for step in re.findall(r"pip install [^&\n]*", image):
        assert "--require-hashes" in step or "--no-deps --no-build-isolation ." in step, "what is not pinned may change"
    compose = yaml.safe_load((ROOT / "deploy" / "compose.yaml").read_text("utf-8"))["services"]
    assert compose["server"]["read_only"] is True
    assert compose["server"]["cap_drop"] == ["ALL"]
    assert "ports" not in compose["server"], "only Caddy is reached from outside"
    assert "ports" not in compose["database"]
    for line in image.splitlines():
        if line.startswith("COPY ") and "--from" not in line:
            for name in line.split()[1:-1]:
                assert (ROOT / name).exists(), f"{name} is copied and not there"


@pytest.mark.parametrize("place", ["deploy/compose.yaml", "docs/guides/compose.yaml"])
def test_the_first_key_is_made_before_a_server_that_needs_one_starts(place: str) -> None:
    lines = [line.strip("# ") for line in (ROOT / place).read_text("utf-8").splitlines() if line.startswith("#   ")]
    first, then = (line.split("docker compose ", 1)[1].removeprefix("-f deploy/compose.yaml ") for line in lines)
    assert first.startswith("run --rm server "), "nothing can be run in a server that does not start"
    words = first[first.index("keys create") :].strip('"')
    assert refusal_of(f"treering {words}") is None
    assert then.startswith("up")


def test_notes_of_a_release_are_those_of_its_version() -> None:
    text = "# Changes\n\n## 0.2.0 (soon)\n\n- a\n- b\n\n## 0.1.0\n\n- c\n"
    assert notes_of("0.2.0", text) == "- a\n- b"
    assert notes_of("0.1.0", text) == "- c"
    with pytest.raises(SystemExit, match="no heading"):
        notes_of("0.3.0", text)


def test_the_version_that_is_being_made_has_notes_that_begin_with_the_whole_in_short() -> None:
    """A tag of it makes a release at once; nobody has to read four hundred lines to know what it is."""
    notes = notes_of(VERSION, (ROOT / "CHANGELOG.md").read_text("utf-8"))
    assert notes.startswith("### In short\n")
    assert len(notes.partition("\n\n")[0].splitlines()) <= 20


def test_a_tag_of_another_version_is_refused() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tools.release", "v9.9.9"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    assert "set the version first" in done.stderr


def test_a_secret_about_to_be_committed_is_named_without_being_shown(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "a.py"
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6"
    path.write_text(f"x = 1\ntoken = '{secret}'\n", "utf-8")
    assert no_secrets([str(path)]) == 1
    shown = capsys.readouterr().out
    assert "a.py:2: github token" in shown
    assert secret not in shown
    assert no_secrets([str(ROOT / "tools" / "release.py")]) == 0


def test_the_source_package_has_what_it_takes_to_build_and_test(tmp_path: Path) -> None:
    subprocess.run(
        [sys.executable, "-m", "build", "--sdist", "--no-isolation", "--outdir", str(tmp_path), str(ROOT)],
        capture_output=True, check=True,
    )  # fmt: skip
    (package,) = tmp_path.glob("*.tar.gz")
    with tarfile.open(package) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    for wanted in (
        "Makefile", "Dockerfile", "deploy/Caddyfile", "requirements/dev.lock", "requirements/frameworks.lock",
        "tools/site.py", "examples/chat.py", "tests/conftest.py", "src/treering/faces/hooks/quick.py", ".ci/run",
        "ARCHITECTURE.md", "LICENSE", "src/treering/mind/turnfinder/model_int8.onnx", "tests/engines/package-lock.json",
        "src/treering/mind/turnfinder2/model_int8.onnx", "src/treering/mind/turnfinder2/MODEL_CARD.md",
        "src/treering/mind/turnjudge/model_int8.onnx", "src/treering/mind/turnjudge/MODEL_CARD.md",
        "src/treering/mind/turnfinder/words.int8",
    ):  # fmt: skip
        assert wanted in names, wanted
    assert not any("node_modules" in name or ".venv" in name for name in names)
