"""Would the tests notice? The heart of the code is changed in one small place at a time, and the tests that run that
place are run: one of them must fail.

    python -m tools.mutants map        which tests run which lines of the heart; again when tests have changed
    python -m tools.mutants run        a sample with a fixed seed; goes on where it stopped
    python -m tools.mutants run --again ID …    those alone, such as survivors for which a test was written
    python -m tools.mutants run --again ID … --most 999    by all tests that run the place, and not the first forty
    python -m tools.mutants told       the score, and what survived

Of a part alone, for a quick look: `map --tests tests/recall …` and `run --files recall/present.py ingest/relate …`.

A comparison is turned, `and` becomes `or`, a number is one more, `min` is `max`, a `not` goes. What is only said to the
reader or the type checker is left alone, and so is the store on PostgreSQL, whose statements are those of SQLite.
Nothing here changes the working tree: mutants live in a copy.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import traceback
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from importlib import import_module
from pathlib import Path
from typing import Any

HERE = Path(__file__).parents[1]
KEPT = HERE / ".mutants"
ROOMS = ("model", "store", "ingest/relate", "recall")
LEFT_OUT = ("store/postgres/",)
TESTS = (
    *("model", "contract", "relations", "recall", "graph", "ingest"),
    *(f"property/test_{name}.py" for name in ("histories", "rememberings", "hidden", "planted", "model_answers")),
)
BROKEN = 99
"""How a process ends in which the tests could not even begin."""
SEED, COUNT, MOST_TESTS, SECONDS = 29, 200, 40, 600
PRELOADED = ("numpy", "pydantic", "cryptography", "httpx", "hypothesis", "rapidfuzz", "onnxruntime", "tokenizers")
"""What takes long to load and is not ours: loaded once, and every mutant's process is forked from there."""

_QUIET = ("-W", "ignore::pytest.PytestAssertRewriteWarning")
"""What is loaded before the tests begin is none of theirs."""

_TURNED: dict[type[ast.cmpop], tuple[str, str]] = {
    ast.Lt: ("<", "<="), ast.LtE: ("<=", "<"), ast.Gt: (">", ">="), ast.GtE: (">=", ">"), ast.Eq: ("==", "!="),
    ast.NotEq: ("!=", "=="), ast.Is: ("is", "is not"), ast.IsNot: ("is not", "is"), ast.In: ("in", "not in"),
    ast.NotIn: ("not in", "in"),
}  # fmt: skip
_SWAPPED: dict[type[ast.operator], tuple[str, str]] = {
    ast.Add: ("+", "-"), ast.Sub: ("-", "+"), ast.Mult: ("*", "/"), ast.Div: ("/", "*"), ast.FloorDiv: ("//", "*"),
    ast.BitOr: ("|", "&"), ast.BitAnd: ("&", "|"), ast.LShift: ("<<", ">>"), ast.RShift: (">>", "<<"),
}  # fmt: skip
_OPPOSITES = {"min": "max", "max": "min", "any": "all", "all": "any"}


@dataclass(frozen=True)
class Mutant:
    """Bytes `start` to `end` of a file are replaced."""

    path: str
    line: int
    start: int
    end: int
    was: str
    becomes: str
    first: int
    """The line on which its statement begins: to get as far as a line within it, all before it must have been so."""

    @property
    def id(self) -> str:
        return f"{self.path}:{self.line}:{self.start}:{self.becomes}"

    @property
    def room(self) -> str:
        return next(room for room in ROOMS if self.path.startswith(f"src/treering/{room}/"))


class _Places(ast.NodeVisitor):
    """Every place of one file that can be changed."""

    def __init__(self, path: str, text: str) -> None:
        self.path, self.text, self.found = path, text.encode(), list[Mutant]()
        self.first = 1
        self.starts = [0]
        for line in self.text.splitlines(keepends=True):
            self.starts.append(self.starts[-1] + len(line))

    def _begin(self, node: Any) -> int:
        return int(self.starts[node.lineno - 1] + node.col_offset)

    def _end(self, node: Any) -> int:
        return int(self.starts[node.end_lineno - 1] + node.end_col_offset)

    def _replace(self, start: int, end: int, becomes: str) -> None:
        line = self.text.count(b"\n", 0, start) + 1
        self.found.append(Mutant(self.path, line, start, end, self.text[start:end].decode(), becomes, self.first))

    def visit(self, node: ast.AST) -> None:
        if isinstance(node, ast.stmt):
            self.first = node.lineno
        super().visit(node)

    def _between(self, left: ast.AST, right: ast.AST, was: str, becomes: str) -> None:
        begin = self._end(left)
        spaced = r"\s+".join(map(re.escape, was.split()))
        words = rf"(?<!\w){spaced}(?!\w)" if was[0].isalpha() else spaced
        if match := re.search(words.encode(), self.text[begin : self._begin(right)]):
            self._replace(begin + match.start(), begin + match.end(), becomes)

    def visit_Compare(self, node: ast.Compare) -> None:
        for left, op, right in zip([node.left, *node.comparators], node.ops, node.comparators, strict=False):
            self._between(left, right, *_TURNED[type(op)])
        self.generic_visit(node)

    def visit_BoolOp(self, node: ast.BoolOp) -> None:
        pair = ("and", "or") if isinstance(node.op, ast.And) else ("or", "and")
        for left, right in zip(node.values, node.values[1:], strict=False):
            self._between(left, right, *pair)
        self.generic_visit(node)

    def visit_BinOp(self, node: ast.BinOp) -> None:
        texts = any(isinstance(one, ast.JoinedStr) or _is_text(one) for one in (node.left, node.right))
        if type(node.op) in _SWAPPED and not texts:
            self._between(node.left, node.right, *_SWAPPED[type(node.op)])
        self.generic_visit(node)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> None:
        if isinstance(node.op, ast.Not):
            self._replace(self._begin(node), self._begin(node.operand), "")
        self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> None:
        if isinstance(node.func, ast.Name) and node.func.id in _OPPOSITES:
            self._replace(self._begin(node.func), self._end(node.func), _OPPOSITES[node.func.id])
        self.generic_visit(node)

    def visit_Constant(self, node: ast.Constant) -> None:
        if isinstance(node.value, bool):
            self._replace(self._begin(node), self._end(node), str(not node.value))
        elif isinstance(node.value, int | float):
            self._replace(self._begin(node), self._end(node), repr(node.value + 1))

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        for one in (*node.args.defaults, *node.args.kw_defaults, *node.body):
            if one is not None:
                self.visit(one)

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        if not any(isinstance(one, ast.Name) and one.id == "Protocol" for one in node.bases):
            for statement in node.body:
                self.visit(statement)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        if node.value is not None:
            self.visit(node.value)

    def visit_If(self, node: ast.If) -> None:
        if not (isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"):
            self.generic_visit(node)

    def visit_Assert(self, node: ast.Assert) -> None:
        """It is there for the type checker."""

    def visit_JoinedStr(self, node: ast.JoinedStr) -> None:
        """Places within it have no numbers of their own before Python 3.12."""


def _is_text(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str | bytes)


def mutants() -> Iterator[Mutant]:
    for room in ROOMS:
        for file in sorted((HERE / "src" / "treering" / room).rglob("*.py")):
            path = file.relative_to(HERE).as_posix()
            if path.removeprefix("src/treering/").startswith(LEFT_OUT):
                continue
            text = file.read_text("utf-8")
            places = _Places(path, text)
            places.visit(ast.parse(text))
            yield from places.found


def sample(count: int, seed: int, files: Sequence[str] = ()) -> list[Mutant]:
    """As many of every room; of these files or folders alone, if there are any."""
    by_room = defaultdict(list)
    for one in mutants():
        if not files or one.path.removeprefix("src/treering/").startswith(tuple(files)):
            by_room[one.room].append(one)
    drawn = random.Random(seed)
    return [one for room in ROOMS for one in drawn.sample(by_room[room], min(count // len(ROOMS), len(by_room[room])))]


def write_map(tests: Sequence[str] = ()) -> None:
    """Runs the tests of the heart, or these, once; keeps which of them ran which lines, and how long each took."""
    KEPT.mkdir(exist_ok=True)
    config = KEPT / "coverage.ini"
    packages = ", ".join(f"treering.{room.replace('/', '.')}" for room in ROOMS)
    config.write_text(f"[run]\nbranch = false\nsource = {packages}\ndata_file = {KEPT / 'lines'}\n", "utf-8")
    told = (KEPT / "map.log").open("w", encoding="utf-8")
    command = [
        *(sys.executable, "-m", "pytest", "-q", "-vv", "-m", "not slow", "-k", "not postgres and not pglite"),
        *(tests or [f"tests/{one}" for one in TESTS]),
        *("-p", "no:cacheprovider", "--cov", f"--cov-config={config}", "--cov-context=test", "--cov-report="),
        "--durations=0",
    ]
    with told:
        subprocess.run(command, cwd=HERE, stdout=told, stderr=subprocess.STDOUT, check=False)


class Map:
    """Which tests run a line."""

    def __init__(self, most: int = MOST_TESTS) -> None:
        from coverage import CoverageData

        self._most = most
        self._data = CoverageData(str(KEPT / "lines"))
        self._data.read()
        self._files = {Path(one).as_posix().split("/src/treering/")[-1]: one for one in self._data.measured_files()}
        self._seconds = Counter[str]()
        for line in (KEPT / "map.log").read_text("utf-8").splitlines():
            if match := re.match(r"([\d.]+)s (?:call|setup)\s+(tests/\S.*)", line):
                self._seconds[match[2]] += float(match[1])  # type: ignore[assignment]

    def tests_of(self, mutant: Mutant) -> list[str]:
        """One case of every test first, the room's own before others, then the quickest. Of what is run on import, all
        that run anything of the file."""
        lines = self._data.contexts_by_lineno(self._files.get(mutant.path.removeprefix("src/treering/"), ""))
        run_it = {one for line in range(mutant.first, mutant.line + 1) for one in lines.get(line, ())}
        here = run_it - {""}
        on_import = "" in run_it and not here
        found = here or ({one for some in lines.values() for one in some if one} if on_import else set())
        tests = {one.rpartition("|")[0] for one in found}
        own = f"tests/{mutant.room.split('/', maxsplit=1)[0].replace('store', 'contract')}/"
        by_function = defaultdict(list)
        for one in sorted(tests, key=lambda one: (self._seconds[one], one)):
            by_function[one.partition("[")[0]].append(one)
        ranked = [
            (rank, not one.startswith(own), one) for some in by_function.values() for rank, one in enumerate(some)
        ]
        return [one for *_, one in sorted(ranked, key=lambda it: (*it[:2], self._seconds[it[2]], it[2]))][: self._most]


def run(count: int, seed: int, again: Sequence[str], files: Sequence[str] = (), most: int = MOST_TESTS) -> None:
    for name in PRELOADED:
        import_module(name)
    import pytest  # noqa: F401

    kept, tests = KEPT / "results.jsonl", Map(most)
    done = (
        {} if again or not kept.exists() else {one["id"]: one for one in map(json.loads, kept.open(encoding="utf-8"))}
    )
    chosen = [one for one in mutants() if one.id in again] if again else sample(count, seed, files)
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "src"
        shutil.copytree(HERE / "src", copy)
        for one in {one.room: one for one in chosen}.values():  # as they are, all tests must pass
            if (ended := _tried(replace(one, becomes=one.was), copy, tests.tests_of(one))) == "killed":
                raise SystemExit(f"tests of {one.room} fail without any change: see {KEPT / 'last.log'}")
            print(f"{one.room}: {ended}, as it should be", flush=True)
        for number, one in enumerate(chosen, 1):
            if one.id not in done:
                result = {"id": one.id, "room": one.room, "was": one.was, "end": _tried(one, copy, tests.tests_of(one))}
                with kept.open("a", encoding="utf-8") as file:
                    file.write(json.dumps(result) + "\n")
                print(f"{number}/{len(chosen)} {result['end']}  {one.id}  ({one.was})", flush=True)


def _tried(one: Mutant, copy: Path, tests: list[str]) -> str:
    if not tests:
        return "not run by any test"
    file = copy.parent / one.path
    text = file.read_bytes()
    file.write_bytes(text[: one.start] + one.becomes.encode() + text[one.end :])
    try:
        child = os.fork()
        if child == 0:
            _in_child(copy, tests)
        ended = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    finally:
        file.write_bytes(text)
    if ended in (4, 5) and "ERROR: not found" in (KEPT / "last.log").read_text("utf-8"):
        return "not collected"  # the map is older than the tests; else the module could not even be imported
    return {0: "survived", BROKEN: "not begun"}.get(ended, "killed")


def _in_child(copy: Path, tests: list[str]) -> None:
    import signal

    import pytest

    try:
        signal.alarm(SECONDS)  # who never comes back was changed to loop
        os.chdir(HERE)
        os.environ.update(PYTHONPATH=str(copy), PYTHONDONTWRITEBYTECODE="1")
        sys.dont_write_bytecode = True
        sys.path[:0] = [str(copy), str(HERE)]
        with (KEPT / "last.log").open("w", encoding="utf-8") as told:
            os.dup2(told.fileno(), 1)
            os.dup2(told.fileno(), 2)
        ended = int(pytest.main(["-x", "-q", "-p", "no:cacheprovider", *_QUIET, *tests]))
        sys.stdout.flush()
        os._exit(ended)
    except BaseException:
        traceback.print_exc()
        os._exit(BROKEN)


def told() -> None:
    """The last word on each, by rooms."""
    last = {one["id"]: one for one in map(json.loads, (KEPT / "results.jsonl").open(encoding="utf-8"))}
    for room in ROOMS:
        ends = Counter(one["end"] for one in last.values() if one["room"] == room)
        print(f"{room}: {ends['killed']} of {ends.total()} killed; {dict(ends)}")
    for one in last.values():
        if one["end"] != "killed":
            print(f"  {one['end']}: {one['id']}  (was {one['was']!r})")


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("what", choices=("map", "run", "told"))
    asked.add_argument("--count", type=int, default=COUNT)
    asked.add_argument("--seed", type=int, default=SEED)
    asked.add_argument("--again", nargs="+", default=())
    asked.add_argument("--tests", nargs="+", default=(), help="of map: files or folders of tests")
    asked.add_argument("--files", nargs="+", default=(), help="of run: files or folders below src/treering")
    asked.add_argument("--most", type=int, default=MOST_TESTS, help="of run: so many tests for each")
    wish = asked.parse_args()
    if wish.what == "map":
        write_map(wish.tests)
    elif wish.what == "run":
        run(wish.count, wish.seed, wish.again, wish.files, wish.most)
    else:
        told()


if __name__ == "__main__":
    main()
